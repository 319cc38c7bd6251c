"""`kill -9` while a run is opened, compacted, saved to and closed, again and again.

    python -m benchmarks.durability.kill_compaction [--kills 20] [--seed 7]

A process saves the same samples and calls over and over, each time with a higher
number, and opens the run anew after every round, which compacts it (more than half of
its journal is dead by then). It says what it saved; it is killed at a random moment,
anywhere from opening to closing, and the next one goes on. Lost = a record that is
missing or older than what was said; repeated = a sample that is there twice. A viewer
follows all the while. Exit 1 when anything is lost, repeated, or counted wrongly.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.speed.journal_speed import RUN, call, header, sample
from claimscope.stores.runs import journal, record_index
from claimscope.stores.runs.run_store import DiskRunReader, DiskRunStore

SAMPLES = 8
SECONDS = 1.2
"""Longest time from the first word of a process to its end."""


def work(root: Path, first: int) -> None:
    """Saves, closes and opens (compacts) until killed; says each step it is at and
    each number that is saved."""
    journal.COMPACT_ABOVE = 5_000
    record_index.FLUSH_EVERY = 5
    store, number = DiskRunStore(root), first
    while True:
        print("opening", flush=True)
        writer = store.open(RUN)
        print("saving", flush=True)
        for _ in range(2 * SAMPLES + 3):
            which = number % SAMPLES
            usage = {"prompt_tokens": number, "calls": 1}
            record = call(which, 0)
            cost = record.usage.model_copy(update=usage)
            writer.save_call(record.model_copy(update={"usage": cost}))
            result = sample(which)
            cost = result.usage.model_copy(update=usage)
            writer.save_sample(result.model_copy(update={"usage": cost}))
            print(number, flush=True)
            number += 1
        print("closing", flush=True)
        writer.close()


@dataclass
class Losses:
    steps: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    saved: int = 0
    compacted: int = 0


def check(reader: DiskRunReader, last: int, losses: Losses, who: str) -> int:
    """Compares what is there with the last number that was said to be saved; the
    highest number that is there."""
    rows = reader.rows()
    keys = Counter(str(row.key) for row in rows)
    for key, count in keys.items():
        if count > 1:
            losses.wrong.append(f"{who}: repeated: {key}, {count} times")
    numbers = {row.case_id: row.prompt_tokens for row in rows}
    for number in range(max(0, last - SAMPLES + 1), last + 1):
        name = f"case-{number % SAMPLES:06}"
        if numbers.get(name, -1) < number:
            losses.wrong.append(f"{who}: lost: {number}, there is {numbers.get(name)}")
    status = reader.status()
    calls = [reader.call(call(which, 0).key) for which in range(SAMPLES)]
    tokens = sum(found.usage.prompt_tokens for found in calls if found is not None)
    if (status.completed, status.usage.prompt_tokens) != (len(rows), tokens):
        losses.wrong.append(
            f"{who}: totals: {status.usage.prompt_tokens}, not {tokens}"
        )
    for row in rows[:: max(1, len(rows) // 5)]:
        whole = reader.sample(row.key)
        if whole is None or whole.usage.prompt_tokens != row.prompt_tokens:
            losses.wrong.append(f"{who}: {row.key}: row and result differ")
    return max(numbers.values(), default=-1)


def kill_all(kills: int, seed: int) -> Losses:
    losses, chance = Losses(), random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="kill-compaction-") as name:
        root = Path(name)
        store = DiskRunStore(root)
        store.create(header(SAMPLES)).close()
        viewer, last = store.read(RUN), -1
        for _ in range(kills):
            process = subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    __spec__.name,
                    "--work",
                    name,
                    "--first",
                    str(last + 1),
                ],
                stdout=subprocess.PIPE,
                text=True,
                env={
                    **os.environ,
                    "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
                },
            )
            assert process.stdout
            process.stdout.readline()  # it opens
            time.sleep(chance.uniform(0, SECONDS))
            process.kill()
            output, _ = process.communicate()
            # A number whose line feed is missing was cut on its way, not on disk.
            words = [word for word in output.split("\n")[:-1] if word]
            numbers = [int(word) for word in words if word.isdigit()]
            last = numbers[-1] if numbers else last
            losses.saved += 2 * len(numbers)
            step = words[-1] if words else "opening"
            losses.steps["saving" if step.isdigit() else step] += 1
            viewer.refresh()
            check(viewer, last, losses, "the viewer")
            last = max(last, check(store.read(RUN), last, losses, "a new viewer"))
        losses.compacted = viewer._run.replaced
    return losses


def main() -> int:
    """Kills, checks, prints."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--work", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--first", type=int, default=0, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        work(options.work, options.first)
    losses = kill_all(options.kills, options.seed)
    steps = ", ".join(f"{count} {step}" for step, count in losses.steps.most_common())
    print(f"kills: {sum(losses.steps.values())} ({steps})")
    print(f"records saved: {losses.saved}; seen compacted: {losses.compacted} times")
    print(f"lost, repeated or counted wrongly: {len(losses.wrong)}")
    for line in losses.wrong[:40]:
        print(f"  {line}")
    return int(bool(losses.wrong))


if __name__ == "__main__":
    sys.exit(main())
