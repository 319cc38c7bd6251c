"""Does a long run cost more per save, or to open and resume, than a short one?

    python -m benchmarks.speed.journal_speed [--sizes 1000 10000 100000] [--calls 2]
        [--json]

A run of so many samples (each with its calls) is saved through the store that the
engine uses; then each of these happens in a process of its own, so that its memory is
its own: opening to read (status), opening to write and planning a resume (keys of what
is finished), the same after a `kill -9`, and a list of all light rows. Prints seconds,
those of processor time, and peak memory above that of an idle process, and each
figure's ratio to that of the smallest size. Disk: where TMPDIR is.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from claimscope.core.models import (
    Answer,
    CallRecord,
    Case,
    Claim,
    ClaimResult,
    Evidence,
    Label,
    RunHeader,
    SampleKey,
    SampleResult,
    Score,
    Usage,
    Verdict,
)
from claimscope.stores.runs.run_store import RUN_INDEX, RUN_JOURNAL, DiskRunStore

RUN = "20260101-000000-abcd"
CLAIMS = 5
METRICS = 12
PROMPT = "Say whether the document states the claim. " * 40


def header(samples: int) -> RunHeader:
    return RunHeader(
        run_id=RUN,
        created="2026-01-01T00:00:00+00:00",
        fingerprint="f",
        suite_id="made",
        suite_digest="s",
        answers_digest="a",
        verifier="ollama",
        total_samples=samples,
        version="0",
    )


def sample(number: int) -> SampleResult:
    """A result of the size of real ones: five claims with their evidence."""
    sentence = f"The bridge of town {number} is {number % 90 + 10} metres long."
    evidence = Evidence(
        page_id=f"town-{number}",
        index=1,
        text=sentence,
        start=0,
        end=len(sentence),
        before="The town lies on a river.",
        after="It was built of stone.",
        similarity=0.9,
    )
    claims = tuple(
        ClaimResult(
            claim=Claim(
                index=n,
                text=sentence,
                start=0,
                end=len(sentence),
                sentence_start=0,
                sentence_end=len(sentence),
            ),
            verdict=Verdict(
                label=Label.SUPPORTED,
                support=0.97,
                evidence=(evidence,) * 3,
                reason="The sentence says so.",
                verifier="ollama",
            ),
        )
        for n in range(CLAIMS)
    )
    return SampleResult(
        key=SampleKey(case_id=f"case-{number:06}", provider="alder"),
        case=Case(id=f"case-{number:06}", question="How long is the bridge?"),
        answer=Answer(
            case_id=f"case-{number:06}", provider="alder", text=sentence * CLAIMS
        ),
        claims=claims,
        scores=tuple(Score(metric=f"metric_{n}", value=0.5) for n in range(METRICS)),
        passed=number % 7 > 0,
        usage=Usage(calls=2, prompt_tokens=900, completion_tokens=4),
        finished="2026-01-01T00:00:00.000+00:00",
    )


def call(number: int, which: int) -> CallRecord:
    """A journalled call with a prompt of 1,700 characters."""
    return CallRecord(
        key=f"{number:032x}{which:032x}",
        purpose="verify",
        model="small:1b",
        prompt_digest="p" * 64,
        prompt=PROMPT,
        reply="Yes",
        usage=Usage(calls=1, prompt_tokens=450, completion_tokens=2),
    )


def save(root: Path, samples: int, calls: int, *, stay: bool = False) -> dict[str, Any]:
    writer = DiskRunStore(root).create(header(samples))
    writer.save_state("running")
    spent = []
    for number in range(samples):
        for which in range(calls):
            writer.save_call(call(number, which))
        result = sample(number)
        begin = time.perf_counter()
        writer.save_sample(result)
        spent.append(time.perf_counter() - begin)
    if stay:  # killed here: nothing is closed
        writer.save_note("last words")
        os.kill(os.getpid(), 9)
    writer.save_state("finished")
    begin = time.perf_counter()
    writer.close()
    closing = time.perf_counter() - begin
    spent.sort()
    last = len(spent) - 1
    return {
        "save_p50_ms": spent[last // 2] * 1000,
        "save_p99_ms": spent[int(last * 0.99)] * 1000,
        "save_max_ms": spent[last] * 1000,
        "close_ms": closing * 1000,
    }


def measure(action: str, root: Path) -> dict[str, float]:
    """One action in this process: seconds and megabytes above an idle one."""
    store = DiskRunStore(root)
    idle = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begin, worked = time.perf_counter(), time.process_time()
    if action == "read":
        found = store.read(RUN).status().completed
    elif action == "list":
        found = next(iter(store.runs())).completed
    elif action == "rows":
        found = len(store.read(RUN).rows())
    else:
        writer = store.open(RUN)
        found = len(writer.finished_keys())
    spent = time.perf_counter() - begin
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {
        "ms": spent * 1000,
        "cpu_ms": (time.process_time() - worked) * 1000,
        "mb": (peak - idle) / 1024,
        "found": found,
    }


def in_process(*arguments: object) -> dict[str, Any]:
    """This script in a process of its own; {} when it was killed."""
    done = subprocess.run(
        [sys.executable, "-m", __spec__.name, *map(str, arguments)],
        stdout=subprocess.PIPE,
        check=False,
    )
    return dict(json.loads(done.stdout)) if done.stdout else {}


def of_size(samples: int, calls: int) -> dict[str, float]:
    root = Path(tempfile.mkdtemp(prefix="journal-speed-"))
    try:
        figures = in_process("--save", root, "--samples", samples, "--calls", calls)
        journal = root / RUN / RUN_JOURNAL
        figures["journal_mb"] = journal.stat().st_size / 1e6
        figures["index_mb"] = (root / RUN / RUN_INDEX).stat().st_size / 1e6
        for name, action in (
            ("read", "read"),
            ("list_first", "list"),
            ("list_again", "list"),
            ("rows", "rows"),
            ("resume_plan", "resume"),
        ):
            found = in_process("--do", action, "--save", root)
            assert found["found"] == samples, (name, found)
            figures |= {
                f"{name}_{what}": found[what] for what in ("ms", "cpu_ms", "mb")
            }
        shutil.rmtree(root / RUN)
        in_process("--save", root, "--samples", samples, "--calls", calls, "--stay")
        found = in_process("--do", "resume", "--save", root)
        figures["resume_after_kill_ms"] = found["ms"]
        figures["resume_after_kill_mb"] = found["mb"]
        (root / RUN / RUN_INDEX).unlink()
        found = in_process("--do", "resume", "--save", root)
        figures["without_index_ms"], figures["without_index_mb"] = (
            found["ms"],
            found["mb"],
        )
    finally:
        shutil.rmtree(root, ignore_errors=True)
    return figures


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 10_000])
    parser.add_argument("--calls", type=int, default=2, help="calls a sample")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--samples", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--save", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--stay", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--do", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.do:
        print(json.dumps(measure(options.do, options.save)))
        return 0
    if options.save:
        calls = options.calls
        print(json.dumps(save(options.save, options.samples, calls, stay=options.stay)))
        return 0
    figures = {size: of_size(size, options.calls) for size in options.sizes}
    if options.json:
        print(json.dumps(figures, indent=1))
        return 0
    first = options.sizes[0]
    print(f"{'':24}" + "".join(f"{size:>20,}" for size in options.sizes))
    for name, small in figures[first].items():
        cells = [
            f"{figures[size][name]:>11.1f} {_ratio(figures[size][name], small)}"
            for size in options.sizes
        ]
        print(f"{name:24}" + "".join(cells))
    return 0


def _ratio(value: float, small: float) -> str:
    return f"({value / small:5.1f}×)" if small > 0 else "(     -)"


if __name__ == "__main__":
    sys.exit(main())
