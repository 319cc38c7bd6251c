"""A byte flipped at random places of a run: what a user sees, what `repair` keeps.

    python -m benchmarks.durability.damage [--flips 50] [--samples 60] [--seed 7]

A run with calls is saved; then, each time on a fresh copy, one byte of the journal, of
its index and of its status file is flipped (the journal in all of the flips, the others
in turn as well). Shown for each outcome: how often the command line ended with which
error, never a traceback; whether the error named `claimscope runs repair`; records kept
by it; whether what it reported as lost holds the flipped byte; and whether the totals
are right again once the lost samples were saved again. Exit 1 when anything else
happens.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import random
import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path

from benchmarks.speed.journal_speed import RUN, call, header, sample
from claimscope.core.models import RunStatus
from claimscope.stores.runs.journal_format import is_whole
from claimscope.stores.runs.run_status import FILE as RUN_STATUS
from claimscope.stores.runs.run_store import RUN_INDEX, RUN_JOURNAL, DiskRunStore
from claimscope.tui.cli import main as claimscope


def save_run(root: Path, samples: int) -> RunStatus:
    """A finished run, each sample with a call."""
    writer = DiskRunStore(root).create(header(samples))
    writer.save_state("running")
    for number in range(samples):
        writer.save_call(call(number, 0))
        writer.save_sample(sample(number))
    writer.save_state("finished")
    writer.close()
    return DiskRunStore(root).read(RUN).status()


def flip(path: Path, chance: random.Random) -> int:
    """Changes one bit of one byte; where."""
    data = bytearray(path.read_bytes())
    place = chance.randrange(len(data))
    data[place] ^= 1 << chance.randrange(8)
    path.write_bytes(data)
    return place


def spoken(*arguments: str) -> tuple[int, str]:
    """(exit code, all that was printed) of a command."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        code = claimscope(list(arguments))
    return code, output.getvalue()


def complete(store: DiskRunStore, samples: int) -> None:
    """Saves again what is missing, as a resumed engine does."""
    writer = store.open(RUN)
    known = writer.finished_keys()
    for number in range(samples):
        if writer.call(call(number, 0).key) is None:
            writer.save_call(call(number, 0))
        if str(sample(number).key) not in known:
            writer.save_sample(sample(number))
    writer.save_state("finished")
    writer.close()


def totals(status: RunStatus) -> tuple[object, ...]:
    """What must be right again."""
    usage = status.usage
    counts = (status.completed, status.passed, status.failed, status.unscored)
    return (*counts, usage.calls, usage.prompt_tokens, status.state, status.header)


def journal_flip(
    original: Path, workspace: Path, chance: random.Random, whole: RunStatus
) -> tuple[str, int, list[str]]:
    """(what the user saw, records kept, what is wrong) of one flip in the journal."""
    folder = workspace / "runs" / RUN
    shutil.copytree(original, workspace / "runs", dirs_exist_ok=True)
    place = flip(folder / RUN_JOURNAL, chance)
    where = ("--workspace", str(workspace))
    code, words = spoken(*where, "runs", "show", RUN)
    wrong = ["traceback"] if "Traceback" in words else []
    if code == 0:
        return "not noticed", 0, [f"byte {place}: not noticed"]
    seen = words.split("\n")[0].split(":")[1].strip()
    if f"claimscope runs repair {RUN}" not in words:
        wrong.append(f"byte {place}: repair is not named: {words}")
    store = DiskRunStore(workspace / "runs")
    (found,) = store.repair(RUN)
    if not any(p.offset <= place < p.offset + p.length for p in found.lost):
        wrong.append(f"byte {place}: not in what was reported as lost")
    complete(store, whole.completed)
    if totals(store.read(RUN).status()) != totals(whole):
        wrong.append(f"byte {place}: other totals")
    return seen, found.kept, wrong


def cache_flip(
    original: Path, workspace: Path, chance: random.Random, name: str
) -> list[str]:
    """What is wrong after a flip in a file that can be made anew."""
    store = DiskRunStore(workspace / "runs")
    shutil.copytree(original, workspace / "runs", dirs_exist_ok=True)
    store.open(RUN).close()  # a copy is another file: its index is made anew
    path = workspace / "runs" / RUN / name
    before = (list(store.runs()), store.read(RUN).rows(), store.read(RUN).status())
    place = flip(path, chance)
    after = (list(store.runs()), store.read(RUN).rows(), store.read(RUN).status())
    wrong = [] if after == before else [f"{name}, byte {place}: another result"]
    writer = store.open(RUN)
    if len(writer.finished_keys()) != before[2].completed:
        wrong.append(f"{name}, byte {place}: other keys")
    writer.close()
    return wrong


def main() -> int:
    """Flips, looks, prints."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--flips", type=int, default=50)
    parser.add_argument("--samples", type=int, default=60)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    seen: Counter[str] = Counter()
    kept: Counter[int] = Counter()
    wrong: list[str] = []
    with tempfile.TemporaryDirectory(prefix="damage-") as name:
        folder = Path(name)
        whole = save_run(folder / "original", options.samples)
        data = (folder / "original" / RUN / RUN_JOURNAL).read_bytes()
        records = sum(map(is_whole, data.splitlines(keepends=True))) - 1
        for number in range(options.flips):
            workspace = folder / f"flip-{number}"
            words, count, problems = journal_flip(
                folder / "original", workspace, chance, whole
            )
            seen[words] += 1
            kept[records - count] += 1
            wrong += problems
            shutil.rmtree(workspace)
            for cache in (RUN_INDEX, RUN_STATUS):
                wrong += cache_flip(folder / "original", workspace, chance, cache)
                shutil.rmtree(workspace)
    print(f"{options.flips} flips in a journal of {len(data)} bytes, {records} records")
    for words, count in seen.most_common():
        print(f"  the user saw: {words}: {count}")
    for lost, count in sorted(kept.items()):
        print(f"  repair kept all but {lost}: {count} times")
    print(f"{options.flips} flips each in {RUN_INDEX} and {RUN_STATUS}")
    print(f"wrong: {len(wrong)}")
    for line in wrong:
        print(f"  {line}")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
