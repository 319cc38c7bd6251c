"""How much does one `claimscope check` cost: alone, and beside a bare import?

    python -m benchmarks.speed.check_speed [--times 5] [--pages FOLDER]

Pages: one of two sentences, and those of testsets/medicine. Each is indexed first, and
Python's compiled files are written once (to a folder that is removed in the end); then,
--times times each:

    new       a process of its own judges an answer that it never saw
    again     a process of its own judges the answer that was judged before
    resident  the resident engine judges an answer that it never saw (Linux)
    import    python -c "import onnxruntime", for comparison

Printed are the median processor seconds (of the process and all that it starts) and,
in brackets, seconds by the clock; for `resident` those of the process that asks and of
the engine. The aims are 2.0 s of processor time for `new` and 0.3 s for `resident`;
exit code 1 when a median is above.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import PIPE
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
AIMS = {"new": 2.0, "resident": 0.3}
"""Processor seconds of a check in a process of its own, and by the resident engine."""
PAGE = """# The mill of Arbel

The mill of Arbel was built in 1503 by the guild of weavers.
Its wheel is 4.5 metres wide.
"""
ANSWER = (
    "The mill of Arbel was built in {year} by the guild of weavers. "
    "It has {rooms} rooms, and its wheel is 4.5 metres wide.\n"
)
MEDICINE_ANSWER = (
    "Of {rooms} adults, the dose lowered the systolic pressure by {year} mmHg. "
    "No serious adverse event was reported.\n"
)


WAYS = ("new", "again", "resident", "import")


@dataclass
class Cost:
    """Seconds of each time: of the processor, by the clock."""

    cpu: list[float] = field(default_factory=list)
    clock: list[float] = field(default_factory=list)

    def above(self, aim: float) -> bool:
        """Whether more was needed of the processor."""
        return bool(self.cpu) and statistics.median(self.cpu) > aim

    def __str__(self) -> str:
        if not self.cpu:
            return "-"
        cpu, clock = statistics.median(self.cpu), statistics.median(self.clock)
        return f"{cpu:.2f} s ({clock:.2f} s)"


def spend(cost: Cost, words: list[str], environment: dict[str, str]) -> None:
    """Runs Python with these words and adds what it cost."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(
        [sys.executable, *words], env=environment, capture_output=True, text=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        raise SystemExit(done.stderr)
    cost.clock.append(time.monotonic() - begin)
    cost.cpu.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def engine_seconds(pid: int) -> float:
    """Processor seconds of a process and of those that it started and that ended."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def engine(environment: dict[str, str]) -> Iterator[int | None]:
    """The process id of a resident engine; None where there can be none."""
    if sys.platform != "linux":
        yield None
        return
    words = [sys.executable, "-m", "claimscope", "serve", "daemon"]
    how: dict[str, Any] = {"env": environment, "check": True, "stdout": PIPE}
    subprocess.run([*words, "start"], **how)
    try:
        done = subprocess.run([*words, "status", "--json"], **how)
        yield json.loads(done.stdout)["pid"]
    finally:
        subprocess.run([*words, "stop"], **how)


def ask(
    cost: Cost, check: list[str], environment: dict[str, str], pid: int | None
) -> None:
    """Adds what a check by the resident engine costs."""
    if pid is None:
        return
    before = engine_seconds(pid)
    spend(cost, check, environment)
    time.sleep(1.5)  # it counts a copy when it next looks after them
    cost.cpu[-1] += engine_seconds(pid) - before


def measured(
    pages: Path,
    text: str,
    times: int,
    environment: dict[str, str],
    folder: Path,
    pid: int | None,
) -> dict[str, Cost]:
    """What a check costs in each way; `text` has places for a year and rooms."""
    costs = {name: Cost() for name in WAYS}
    answer = folder / "answer.md"
    check = ["-m", "claimscope", "check", str(answer), "--against", str(pages)]
    alone = [*check, "--no-daemon"]
    for number in range(times + 1):
        answer.write_text(text.format(year=1600 + number, rooms=number + 11))
        found = costs if number else {name: Cost() for name in costs}
        spend(found["new"], alone, environment)
        spend(found["again"], alone, environment)
        answer.write_text(text.format(year=1800 + number, rooms=number + 11))
        ask(found["resident"], check, environment, pid)
        spend(found["import"], ["-c", "import onnxruntime"], environment)
    return costs


def environment_in(folder: Path) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return {
        **kept,
        "PYTHONPATH": os.pathsep.join([str(ROOT / ".src"), kept.get("PYTHONPATH", "")]),
        "PYTHONPYCACHEPREFIX": str(folder / "compiled"),
        "CLAIMSCOPE_CACHE": str(folder / "cache"),
        "CLAIMSCOPE_WORKSPACE": str(folder / "workspace"),
        "XDG_RUNTIME_DIR": str(folder),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--pages", type=Path, help="other pages than the shipped ones")
    options = parser.parse_args()
    over = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "one").mkdir()
        (folder / "one" / "mill.md").write_text(PAGE)
        environment = environment_in(folder)
        more = options.pages or ROOT / "testsets" / "medicine" / "pages"
        print(f"{'':16}" + "".join(f"{name:>16}" for name in WAYS))
        (folder / "answer.md").write_text(ANSWER.format(year=1503, rooms=3))
        first = ["check", str(folder / "answer.md"), "--against", str(folder / "one")]
        spend(Cost(), ["-m", "claimscope", *first], environment)  # exports the model
        with engine(environment) as pid:
            for pages, text in ((folder / "one", ANSWER), (more, MEDICINE_ANSWER)):
                costs = measured(pages, text, options.times, environment, folder, pid)
                over += sum(costs[way].above(aim) for way, aim in AIMS.items())
                cells = "".join(f"{cost!s:>16}" for cost in costs.values())
                print(f"{'/'.join(pages.parts[-2:])[-16:]:16}{cells}", flush=True)
    return 1 if over else 0


if __name__ == "__main__":
    raise SystemExit(main())
