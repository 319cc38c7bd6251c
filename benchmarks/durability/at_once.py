"""Two processes at once on one workspace: is anything lost, and is each refusal said?

    python -m benchmarks.durability.at_once [--tries 10] [--part repair|indexers|delete]

repair: `repair` while an engine judges the run: it is refused and names the engine's
    process, and the run ends with all its samples.
indexers: two `index` of different pages into one corpus at the same moment: what the
    corpus holds then is what one of them wrote, whole; the other waited or was refused.
delete: while a run judges against them, half of the pages are deleted from the index
    (`pages --delete`), which is refused or done, and the files of the other half from
    the disk: the run ends with every sample judged by the pages as they were.

Prints tries and failures; exit 1 when anything failed. No model is asked.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.durability.kill_run import CASES, Engine, write_suite
from claimscope.stores.runs.run_store import RUN_JOURNAL, DiskRunStore

SAMPLES = 2 * CASES
REFUSED = 3
"""Exit code of what is in use by another process."""


@dataclass
class Count:
    tries: int = 0
    ways: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


def command(workspace: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-P", "-m", "claimscope", "--workspace", str(workspace)]
        + list(words),
        capture_output=True,
        text=True,
        check=False,
    )


def wait_for_run(engine: Engine, process: subprocess.Popen[bytes]) -> str:
    """The id of the run that the engine has begun and not ended."""
    while process.poll() is None:
        run_id = engine.newest(set())
        if run_id is not None:
            journal = engine.workspace / "runs" / run_id / RUN_JOURNAL
            if b'"samples"' in journal.read_bytes():
                return run_id
        time.sleep(0.05)
    raise SystemExit(f"the engine ended early: {engine.log.read_text()[-2000:]}")


def check_whole(engine: Engine, run_id: str, code: int, count: Count) -> None:
    """The run is finished, with every sample judged."""
    status = DiskRunStore(engine.workspace / "runs").read(run_id).status()
    if code or status.state != "finished" or status.completed != SAMPLES:
        count.wrong.append(
            f"{run_id}: exit code {code}, {status.state}, {status.completed} samples"
        )
    if status.unscored:
        count.wrong.append(f"{run_id}: {status.unscored} samples unscored")


def repair(folder: Path, chance: random.Random, count: Count) -> None:
    """`repair` of a run that is being judged."""
    engine = Engine(folder / "workspace", [])
    process = engine.start("run", str(folder / "suite.json"), "--json")
    run_id = wait_for_run(engine, process)
    done = command(engine.workspace, "runs", "repair", run_id)
    is_said = str(process.pid) in done.stderr
    if done.returncode == REFUSED and is_said:
        count.ways["refused, process named"] += 1
    elif process.poll() is not None:
        count.ways["run had ended"] += 1
    else:
        count.wrong.append(f"repair: {done.returncode}: {done.stderr[-300:]}")
    check_whole(engine, run_id, process.wait(), count)


def indexers(folder: Path, chance: random.Random, count: Count) -> None:
    """Two editions of the pages into one corpus."""
    workspace, pages = folder / "workspace", []
    for name in ("first", "second"):
        place = folder / name / "pages"
        place.mkdir(parents=True)
        pages.append(place)
        for number in range(40):
            text = (
                f"# Page {number}\n\nThe {name} edition says {number} of page {number}."
            )
            (place / f"page-{number}.md").write_text(text)
    words = [sys.executable, "-P", "-m", "claimscope", "--workspace", str(workspace)]
    both = []
    for place in pages:
        index = [*words, "pages", "index", str(place), "--name", "both", "--replace"]
        both.append(
            subprocess.Popen(index, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        )
        time.sleep(chance.uniform(0, 0.5))
    said = [one.communicate()[1].decode() for one in both]
    codes = [one.returncode for one in both]
    for code, text in zip(codes, said, strict=True):
        if code not in (0, REFUSED) or (code and "process" not in text):
            count.wrong.append(f"index: {code}: {text[-300:]}")
    if 0 not in codes:
        count.wrong.append(f"neither was done: {codes}")
    count.ways["both in turn" if codes == [0, 0] else "one was refused"] += 1
    listed = command(workspace, "pages", "--corpus", "both", "--json").stdout
    ids = [json.loads(line)["page_id"] for line in listed.splitlines() if line]
    found = command(
        workspace, "pages", "search", "edition says", "-k", "100", "--json"
    ).stdout
    texts = [json.loads(line)["text"] for line in found.splitlines() if line]
    editions = {text.split()[1] for text in texts if "edition" in text}
    if len(ids) != 40 or len(editions) != 1:
        count.wrong.append(f"{len(ids)} pages, of the editions {sorted(editions)}")


def delete(folder: Path, chance: random.Random, count: Count) -> None:
    """Pages are deleted from the corpus of a run that is being judged."""
    engine = Engine(folder / "workspace", [])
    process = engine.start("run", str(folder / "suite.json"), "--json")
    run_id = wait_for_run(engine, process)
    time.sleep(chance.uniform(0, 1))
    listed = command(engine.workspace, "pages", "--corpus", "lights", "--json").stdout
    ids = [json.loads(line)["page_id"] for line in listed.splitlines()][::2]
    words = [word for page_id in ids for word in ("--delete", page_id)]
    done = command(engine.workspace, "pages", "--corpus", "lights", *words)
    is_said = done.returncode == 0 or str(process.pid) in done.stderr
    if len(ids) != CASES // 2 or done.returncode not in (0, REFUSED) or not is_said:
        count.wrong.append(f"pages --delete: {done.returncode}: {done.stderr[-300:]}")
    for file in sorted((folder / "pages").iterdir())[1::2]:  # and others on disk
        file.unlink()
    count.ways["deleted" if done.returncode == 0 else "refused, files deleted"] += 1
    check_whole(engine, run_id, process.wait(), count)
    judged = DiskRunStore(engine.workspace / "runs").read(run_id)
    passed = judged.status().passed
    if folder.name == "0":
        WHOLE.append(passed)
    elif passed != WHOLE[0]:
        count.wrong.append(f"{passed} samples passed, {WHOLE[0]} before")


WHOLE: list[int] = []
"""How many samples of the suite pass."""
PARTS: dict[str, Callable[[Path, random.Random, Count], None]] = {
    "repair": repair,
    "indexers": indexers,
    "delete": delete,
}


def main() -> int:
    """Tries, looks, prints."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--tries", type=int, default=10)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--part", choices=PARTS, action="append")
    options = parser.parse_args()
    failures, chance = 0, random.Random(options.seed)
    for name in options.part or PARTS:
        count = Count()
        with tempfile.TemporaryDirectory(prefix=f"at-once-{name}-") as place:
            for number in range(options.tries):
                folder = Path(place, str(number))
                folder.mkdir()
                if name != "indexers":
                    write_suite(folder)
                PARTS[name](folder, chance, count)
                count.tries += 1
        ways = ", ".join(f"{times} {way}" for way, times in count.ways.most_common())
        print(
            f"{name}: {count.tries} tries ({ways}), {len(count.wrong)} failures",
            flush=True,
        )
        for line in count.wrong[:20]:
            print(f"  {line}")
        failures += len(count.wrong)
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main())
