"""What runs with the network denied, and every connection that was tried.

    python -m benchmarks.durability.offline [--only NAME …] [--ollama FOLDER] [--tests]

Each job runs in a network namespace that holds only loopback, with an empty home and
an empty cache, and all its processes are watched
(benchmarks/durability/connections.py). A job fails when it ends with another code than
it should, or when it tries any address but the one of Ollama that is configured. Ollama
is the real one of FOLDER (`make ollama` fills .ollama), started inside the namespace;
without it, the double of the tests. --tests adds the whole test suite. Where the kernel
refuses namespaces this is said, and only the connections are checked. Exit code 1 when
a job failed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.durability.connections import (
    enter_namespace,
    foreign,
    is_denied,
    traced,
    tried,
)
from claimscope.core.metrics.discovery import discover

ROOT = Path(__file__).resolve().parents[2]
OLLAMA_PORT = 11434
"""Where Ollama is looked for when nothing is configured."""
PORT = 11556
MODEL = "smollm2:135m"
"""Of the server that is started here."""
PAGES = "testsets/courses/pages"
ANSWER = "Spanish A1 is for complete beginners. The fee for Spanish A1 is 180 marks.\n"
ROW = '{"id": "1", "claim": "The fee is 150 marks.", "evidence": "The fee is 150."}\n'
ASKED = (
    '{"id": "1", "question": "What is the fee of Spanish A1?", "answer": "The fee is '
    '150 marks [course/LAN-111, S:17].", "context": "The fee is 150 marks."}\n'
)
SMALL = """\
{"format": "claimscope.suite", "version": 1, "id": "small", "pages": "pages",
 "answers": "answers.jsonl",
 "cases": [{"id": "c-1", "question": "What is the fee of Spanish A1?",
            "claims": [{"text": "The fee is 150 marks."}]}]}
"""
PAGE = "# Spanish A1\n\nThe course is for beginners. The fee is 150 marks.\n"
GIVEN = '{"case_id": "c-1", "provider": "mine", "text": "The fee is 180 marks."}\n'


@dataclass(frozen=True)
class Job:
    """A command; `{model}`, `{small}`, `{work}` in its words are filled in."""

    name: str
    words: str
    code: int = 0
    needs_model: bool = False
    program: str = "-m claimscope"
    """What Python runs."""


JOBS = (
    Job("demo: medicine", "demo --no-tui"),
    Job("demo: courses", "demo --no-tui --suite courses"),
    Job("demo: website", "demo --no-tui --suite website"),
    Job("doctor", "doctor"),
    Job("index", f"pages index {PAGES}"),
    Job("index again", f"pages index {PAGES}"),
    Job("search", "pages search --corpus pages beginners"),
    Job("pages", "pages --corpus pages"),
    Job("check", f"check {{work}}/answer.md --against {PAGES}", code=1),
    Job("split", "answers split {work}/answer.md"),
    Job("cite", f"answers cite {{work}}/asked.jsonl --against {PAGES}"),
    Job("verify", "answers verify {work}/rows.jsonl"),
    Job("score", "score {work}/asked.jsonl --metrics answer_correctness,coherence"),
    Job("metrics", "help metrics"),
    Job("runs", "runs"),
    Job("show", "runs show last"),
    Job("compare", "compare last --providers"),
    Job("trends", "runs trends medicine"),
    Job("stats", "runs stats"),
    *(
        Job(f"report: {kind}", f"report last --format {kind} -o {{work}}/report.{kind}")
        for kind in "json jsonl csv md html junit".split()
    ),
    Job("export", "runs export last -o {work}/run.json"),
    Job("reanalyse", "runs reanalyse last"),
    Job("run, every kind of metric", "run {small} --metrics {metrics}"),
    Job("models", "models", needs_model=True),
    Job("probe", "models probe {model}", needs_model=True, code=-1),
    Job(
        "run, model judges",
        "run {small} --verifier ollama --judge --model {model}",
        needs_model=True,
    ),
    Job(
        "generate",
        "answers generate {small} --model {model} --out {work}/made.jsonl",
        needs_model=True,
    ),
    Job("judge", "answers grade {work}/asked.jsonl --model {model}", needs_model=True),
    Job(
        "lab",
        "answers sweep {small} --models {model} --temperatures 0,0.5",
        needs_model=True,
    ),
    Job("interface, by keys", "-m benchmarks.tools.tmux_session", program=""),
    Job(
        "documentation", "-m pytest -q -n 0 -p no:cacheprovider tests/docs", program=""
    ),
)
TESTS = Job("test suite", "-m pytest -q -p no:cacheprovider tests", program="")


@contextmanager
def ollama(folder: Path) -> Iterator[tuple[int, str]]:
    """(port, model) of the real server of a folder, else of the double."""
    if not (folder / "bin" / "ollama").exists():
        from tests.doubles.fake_ollama import FakeOllama, speaking

        with FakeOllama(answer=speaking()) as double:
            yield int(double.host.rpartition(":")[2]), "m:1b"
        return
    place = Path(tempfile.mkdtemp(prefix="claimscope-ollama-"))
    for name in ("bin", "lib", "models"):
        (place / name).symlink_to(folder.resolve() / name)
    words = [str(place), MODEL, "--host", f"127.0.0.1:{PORT}"]
    server = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.tools.local_ollama", *words],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        said = next((line for line in server.stdout or () if "=" in line), "")
        if not said:
            sys.exit(f"{folder}: its Ollama did not start")
        yield PORT, MODEL
    finally:
        server.terminate()
        server.wait()
        shutil.rmtree(place, ignore_errors=True)


def prepare(work: Path) -> None:
    """Files that the jobs read."""
    small = work / "small"
    (small / "pages").mkdir(parents=True)
    for path, text in (
        (work / "answer.md", ANSWER),
        (work / "rows.jsonl", ROW),
        (work / "asked.jsonl", ASKED),
        (small / "suite.json", SMALL),
        (small / "pages" / "a1.md", PAGE),
        (small / "answers.jsonl", GIVEN),
    ):
        path.write_text(text, "utf-8")


def environment(work: Path, port: int | None) -> dict[str, str]:
    """An empty home and cache; nothing of the user's settings."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("CLAIMSCOPE_", "OLLAMA_", "XDG_", "HF_", "CHROMA_"))
        and not name.lower().endswith("_proxy")
    }
    own = {
        "HOME": str(work / "home"),
        "CLAIMSCOPE_WORKSPACE": str(work / "workspace"),
        "CLAIMSCOPE_CACHE": str(work / "cache"),
        "PYTHONPATH": os.pathsep.join([str(ROOT / ".src"), str(ROOT)]),
    }
    if port is not None:
        own["OLLAMA_HOST"] = f"127.0.0.1:{port}"
    return kept | own


def done(job: Job, work: Path, port: int, model: str) -> bool:
    """Runs a job and prints its line; whether all was as it should be."""
    filled = job.words.format(
        model=model,
        work=work,
        small=work / "small" / "suite.json",
        metrics=",".join(discover()),
    )
    words = [sys.executable, *job.program.split(), *filled.split()]
    log = work / "trace"
    log.unlink(missing_ok=True)
    began = time.monotonic()
    ended = subprocess.run(
        traced(log, words),
        cwd=ROOT,
        env=environment(work, port if job.needs_model else None),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    seconds = time.monotonic() - began
    found = tried(log)
    # Tests and the double listen at ports of their own on loopback.
    allowed = (port, OLLAMA_PORT)
    others = list(foreign(found, allowed)) if job.program else list(elsewhere(found))
    is_code = ended.returncode == job.code or (job.code == -1 and ended.returncode < 2)
    good = is_code and not others
    asked = sum(count for (_, at), count in found.items() if at in allowed)
    print(
        f"{job.name:<28} {'ok' if good else 'FAILED':<7} {ended.returncode:>4}"
        f" {seconds:>7.1f} {asked:>7} {len(others):>7}"
    )
    for address, at in others:
        print(f"    tried {address} port {at}, {found[address, at]} times")
    if not is_code:
        print("    " + "\n    ".join((ended.stdout + ended.stderr).splitlines()[-12:]))
    sys.stdout.flush()
    return good


def elsewhere(found: Iterable[tuple[str, int]]) -> Iterator[tuple[str, int]]:
    yield from (
        (address, port)
        for address, port in found
        if not address.startswith("127.") and address != "::1"
    )


def main() -> int:
    """All jobs in order; each finds what those before it left in the workspace."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="*", default=[], metavar="NAME")
    parser.add_argument("--ollama", type=Path, default=ROOT / ".ollama")
    parser.add_argument("--tests", action="store_true")
    options = parser.parse_args()
    code = enter_namespace([*sys.orig_argv[1:]])
    if code is not None:
        return code
    print("network: " + ("loopback only" if is_denied() else "NOT denied (no unshare)"))
    print(
        "connections: " + ("seen by strace" if shutil.which("strace") else "NOT seen")
    )
    chosen = [
        job
        for job in (*JOBS, *([TESTS] if options.tests else []))
        if not options.only or any(word in job.name for word in options.only)
    ]
    work = Path(tempfile.mkdtemp(prefix="claimscope-offline-"))
    (work / "home").mkdir()
    prepare(work)
    try:
        with ollama(options.ollama) as (port, model):
            print(f"Ollama: {model} at loopback, port {port}")
            print("job                          outcome exit seconds  ollama elsewhere")
            results = [done(job, work, port, model) for job in chosen]
    finally:
        shutil.rmtree(work, ignore_errors=True)
    print(f"{sum(results)} of {len(results)} jobs as they should be")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
