"""`kill -9` while verdicts are overruled, a run is exported and a suite imported.

    python -m benchmarks.durability.kill_files [--kills 50] [--seed 7] [--part NAME]

So many kills in each part. A process calls the command again and again and says what it
has done; it is killed at a random moment and the next one goes on.

overrule: each word that was said to be saved must be there, once, and the run with it.
export: what stands under the name is a whole document with every record.
import: the suite with its answers is one of the two that are imported in turn, whole;
    never the cases of one with the answers of the other.

Prints tries and failures; exit 1 when anything failed.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.tools.made_run import RUN, make, sample
from claimscope.core.errors import ClaimscopeError
from claimscope.stores.runs.run_store import DiskRunStore
from claimscope.stores.suites.loading import load_suite
from claimscope.tui.cli import main as claimscope

SAMPLES = 400
SECONDS = 1.5
"""Longest time from the first word of a process to its end."""
SIZES = (300, 500)
"""Cases of the two files that are imported in turn."""


@dataclass
class Count:
    kills: int = 0
    done: int = 0
    """Commands that were said to be done."""
    at: Counter[str] = field(default_factory=Counter)
    """What was under way at each kill."""
    wrong: list[str] = field(default_factory=list)


def quietly(*words: str) -> None:
    """A command, which must succeed."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        code = claimscope(words)
    if code:
        raise SystemExit(f"{' '.join(words)}: exit code {code}: {said.getvalue()}")


def overrule(folder: Path, number: int) -> None:
    """A word on a claim; `number` is its note."""
    key = sample(number % SAMPLES).key
    label = ("contradicted", "supported")[number // SAMPLES % 2]
    words = [
        "--workspace",
        str(folder),
        "labels",
        "override",
        RUN,
        key.case_id,
        "1",
        label,
    ]
    words += ["--provider", key.provider, "--iteration", str(key.iteration)]
    quietly(*words, "--by", "killer", "--note", str(number))


def export(folder: Path, number: int) -> None:
    out = str(folder / "out.json")
    quietly("--workspace", str(folder), "runs", "export", RUN, "-o", out)


def take_in(folder: Path, number: int) -> None:
    """One of the two files as a suite, in place of the other."""
    source = str(folder / f"{number % 2}" / "rows.jsonl")
    out = str(folder / "suite.json")
    words = ["--workspace", str(folder), "suite", "import", source, "-o", out]
    quietly(*words, "--force")


def no_words(folder: Path) -> None:
    make(folder, SAMPLES)


def two_files(folder: Path) -> None:
    for number, size in enumerate(SIZES):
        (folder / f"{number}").mkdir()
        rows = (
            {
                "user_input": f"How deep is well {case} of field {number}?",
                "response": f"It is {case + number} metres deep. " * 5,
                "reference": f"Well {case} is {case + number} metres deep.",
                "retrieved_contexts": [f"Well {case} is {case + number} m deep."],
            }
            for case in range(size)
        )
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / f"{number}" / "rows.jsonl").write_text(lines)


def words_kept(folder: Path, done: set[int], count: Count) -> None:
    """Every word that was done is there once; none twice."""
    reader = DiskRunStore(folder / "runs").read(RUN)
    notes = Counter(int(word.note) for word in reader.human_verdicts())
    for number in sorted(done | set(notes)):
        if notes[number] != 1:
            count.wrong.append(f"word {number} is there {notes[number]} times")
    if len(reader.rows()) != SAMPLES or reader.status().state != "finished":
        count.wrong.append("the run is another one")


def export_whole(folder: Path, done: set[int], count: Count) -> None:
    path = folder / "out.json"
    if not path.exists():
        if done:
            count.wrong.append("the export is gone")
        return
    try:
        tables = json.loads(path.read_text())
    except ValueError as error:
        count.wrong.append(f"the export is no document: {error}")
        return
    if len(tables["samples"]) != SAMPLES:
        count.wrong.append(f"the export has {len(tables['samples'])} samples")


def suite_whole(folder: Path, done: set[int], count: Count) -> None:
    """One of the two, with its own answers."""
    if not (folder / "suite.json").exists():
        if done:
            count.wrong.append("the suite is gone")
        return
    try:
        loaded = load_suite(str(folder / "suite.json"))
    except ClaimscopeError as error:
        count.wrong.append(f"the suite cannot be used: {error.message[:200]}")
        return
    questions = {case.id: case.question for case in loaded.suite.cases}
    field_of = {question.rpartition(" ")[2] for question in questions.values()}
    sizes = (len(loaded.suite.cases), len(loaded.answers))
    if len(field_of) != 1 or sizes not in [(size, size) for size in SIZES]:
        count.wrong.append(f"cases and answers of two files: {sizes}")


@dataclass(frozen=True)
class Part:
    prepare: Callable[[Path], None]
    do: Callable[[Path, int], None]
    look: Callable[[Path, set[int], Count], None]
    """Is given the numbers that were said to be done."""


PARTS = {
    "overrule": Part(no_words, overrule, words_kept),
    "export": Part(no_words, export, export_whole),
    "import": Part(two_files, take_in, suite_whole),
}


def work(part: Part, folder: Path, first: int) -> None:
    """Until killed; says each number that is begun and done."""
    print("ready", flush=True)
    number = first
    while True:
        print("begun", number, flush=True)
        part.do(folder, number)
        print("done", number, flush=True)
        number += 1


def lines_until_kill(words: list[str], delay: float) -> Iterator[list[str]]:
    """What a process said until it was killed, `delay` seconds after its first word."""
    path = os.pathsep.join(filter(None, sys.path))
    process = subprocess.Popen(
        [sys.executable, "-m", __spec__.name, *words],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": path},
    )
    assert process.stdout
    process.stdout.readline()
    time.sleep(delay)
    if process.poll() is not None:
        raise SystemExit(f"the process ended by itself: {process.stdout.read()}")
    process.kill()
    output, _ = process.communicate()
    # A line whose end is missing was cut on its way.
    for line in output.split("\n")[:-1]:
        yield line.split()


def kill_all(name: str, kills: int, seed: int) -> Count:
    part, count, chance = PARTS[name], Count(), random.Random(seed)
    with tempfile.TemporaryDirectory(prefix=f"kill-{name}-") as place:
        folder = Path(place)
        part.prepare(folder)
        known: set[int] = set()
        next_ = -1
        for _ in range(kills):
            words = ["--work", place, "--part", name, "--first", str(next_ + 1)]
            said = list(lines_until_kill(words, chance.uniform(0.05, SECONDS)))
            done = [int(number) for word, number in said if word == "done"]
            begun = [int(number) for word, number in said if word == "begun"]
            known.update(done)
            # What was begun may be on disk although nobody was told: not again.
            next_ = max([next_, *begun])
            count.kills += 1
            count.done += len(done)
            count.at[said[-1][0] if said else "ready"] += 1
            part.look(folder, known, count)
            if count.wrong and name == "overrule":
                break  # each further look would tell the same
        left = [p.name for p in folder.rglob("*.tmp")]
        for number in (1, 2):  # what is left behind keeps nobody from going on
            part.do(folder, next_ + number)
        part.look(folder, known, count)
        kept = [p.name for p in folder.rglob("*.tmp")]
        count.wrong += [f"left behind: {name}" for name in kept]
        print(
            f"{name}: unfinished files after the last kill: {len(left)}, "
            f"once it was done again: {len(kept)}"
        )
    return count


def main() -> int:
    """Kills, looks, prints."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--part", choices=PARTS, action="append")
    parser.add_argument("--work", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--first", type=int, default=0, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        work(PARTS[options.part[0]], options.work, options.first)
    failures = 0
    for name in options.part or PARTS:
        count = kill_all(name, options.kills, options.seed)
        at = ", ".join(f"{times} {word}" for word, times in count.at.most_common())
        print(
            f"{name}: {count.kills} kills ({at}), {count.done} commands done, "
            f"{len(count.wrong)} failures",
            flush=True,
        )
        for line in count.wrong[:20]:
            print(f"  {line}")
        failures += len(count.wrong)
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main())
