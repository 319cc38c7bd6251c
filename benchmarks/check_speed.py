"""How much does one `claimscope check` cost: alone, and beside a bare import?

    python benchmarks/check_speed.py [--times 5] [--pages FOLDER]

Pages: one of two sentences, and those of testsets/medicine. Each is indexed first, and
Python's compiled files are written once (to a folder that is removed in the end); then,
--times times each:

    new       a process of its own judges an answer that it never saw
    again     a process of its own judges the answer that was judged before
    import    python -c "import onnxruntime", for comparison

Printed are the median processor seconds (of the process and all that it starts) and,
in brackets, seconds by the clock. The aim is 2.0 s of processor time for `new`; exit
code 1 when the median is above it.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
AIM = 2.0
"""Processor seconds of a check in a process of its own."""
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


@dataclass
class Cost:
    """Seconds of each time: of the processor, by the clock."""

    cpu: list[float] = field(default_factory=list)
    clock: list[float] = field(default_factory=list)

    def __str__(self) -> str:
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


def measured(
    pages: Path, text: str, times: int, environment: dict[str, str], folder: Path
) -> dict[str, Cost]:
    """What a check costs in each way; `text` has places for a year and rooms."""
    costs = {"new": Cost(), "again": Cost(), "import": Cost()}
    answer = folder / "answer.md"
    check = ["-m", "claimscope", "check", str(answer), "--against", str(pages)]
    for number in range(times + 1):
        answer.write_text(text.format(year=1600 + number, rooms=number + 11))
        found = costs if number else {name: Cost() for name in costs}
        spend(found["new"], check, environment)
        spend(found["again"], check, environment)
        spend(found["import"], ["-c", "import onnxruntime"], environment)
    return costs


def environment_in(folder: Path) -> dict[str, str]:
    """That of a user, with all that is kept in a folder."""
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return {
        **kept,
        "PYTHONPATH": os.pathsep.join([str(ROOT / ".src"), kept.get("PYTHONPATH", "")]),
        "PYTHONPYCACHEPREFIX": str(folder / "compiled"),
        "CLAIMSCOPE_CACHE": str(folder / "cache"),
        "CLAIMSCOPE_WORKSPACE": str(folder / "workspace"),
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
        print(f"{'':24}" + "".join(f"{k:>18}" for k in ("new", "again", "import")))
        for pages, text in ((folder / "one", ANSWER), (more, MEDICINE_ANSWER)):
            costs = measured(pages, text, options.times, environment, folder)
            over += statistics.median(costs["new"].cpu) > AIM
            cells = "".join(f"{cost!s:>18}" for cost in costs.values())
            print(f"{'/'.join(pages.parts[-2:])[-24:]:24}{cells}", flush=True)
    return 1 if over else 0


if __name__ == "__main__":
    raise SystemExit(main())
