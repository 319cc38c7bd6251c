"""How many bytes does the screen cost a slow line?

    python -m benchmarks.speed.screen_bytes [--columns 80] [--rows 24] [--idle 60]
        [--json]

A made run is looked at in a pseudo-terminal in full colour, and every byte that the
program sends is counted: steps from failure to failure and from claim to claim in the
stepper; pages, steps and a filter in Results; ticks of a live run that finishes a
sample every half second; and a minute in which nothing happens, on each of these.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.speed.screen_speed import OPENED, OURS, PATHS
from benchmarks.tools.made_run import RUN, begun, make, sample
from benchmarks.tools.terminal_meter import Terminal

STEPS = 20
TICKS = 20
BEAT = 0.5


def opened(folder: str, columns: int, rows: int) -> Terminal:
    """The program on the results of the run in a folder."""
    code = PATHS + OPENED.format(workspace=folder, run=RUN)
    return Terminal(["-c", code], columns=columns, rows=rows)


def figures(sizes: Sequence[int]) -> dict[str, float]:
    """Mean and most bytes of an action, over those that sent any."""
    sent = [size for size in sizes if size]
    if not sent:
        return {"n": 0, "mean": 0, "most": 0}
    return {"n": len(sent), "mean": statistics.fmean(sent), "most": max(sent)}


def pressed(terminal: Terminal, keys: Sequence[str]) -> dict[str, float]:
    return figures([terminal.press(key).size for key in keys])


def looking(folder: str, columns: int, rows: int, idle: float) -> dict[str, Any]:
    """Results, then the stepper."""
    found: dict[str, Any] = {}
    with opened(folder, columns, rows) as terminal:
        terminal.wait_for("case-000000")
        terminal.watch(quiet=2)
        found["first screens"] = {"n": 1, "bytes": len(terminal.text)}
        found["row down"] = pressed(terminal, ["down"] * STEPS)
        found["page down"] = pressed(terminal, ["pagedown"] * STEPS)
        found["failures only"] = pressed(terminal, ["x", "x", "x"])
        found["idle Results"] = {"bytes": terminal.count(idle)}
        terminal.press("home")
        terminal.press("enter")
        terminal.watch(quiet=1, patience=1)
        found["claim step n"] = pressed(terminal, ["n"] * STEPS)
        found["claim step j"] = pressed(terminal, ["j"] * STEPS)
        found["next sample"] = pressed(terminal, ["]"] * (STEPS // 2))
        found["idle stepper"] = {"bytes": terminal.count(idle)}
    return found


def following(folder: str, columns: int, rows: int, idle: float) -> dict[str, Any]:
    """A run that goes on, then one that waits."""
    writer = begun(Path(folder), 30, total=200)
    code = PATHS + OURS.format(workspace=folder)
    with Terminal(["-c", code], columns=columns, rows=rows) as terminal:
        terminal.wait_for("Bridges")
        terminal.watch(quiet=1)
        terminal.press("enter")
        terminal.wait_for("last finished")
        terminal.watch(quiet=1, patience=2)
        begin, sizes = time.monotonic(), []
        for number in range(TICKS):
            writer.save_sample(sample(30 + number))
            sizes.append(terminal.count(begin + (number + 1) * BEAT - time.monotonic()))
        waiting = terminal.count(idle)
    writer.close()
    return {"tick of a live run": figures(sizes), "idle live run": {"bytes": waiting}}


def main() -> None:
    """Makes the runs, counts, prints."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--columns", type=int, default=80)
    parser.add_argument("--rows", type=int, default=24)
    parser.add_argument("--idle", type=float, default=60, help="seconds")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    size = (arguments.columns, arguments.rows)
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        make(Path(folder), 400)
        found |= looking(folder, *size, arguments.idle)
    with tempfile.TemporaryDirectory() as folder:
        found |= following(folder, *size, arguments.idle)
    if arguments.json:
        print(json.dumps(found, indent=2))
        return
    print(f"bytes at {size[0]} × {size[1]}, true colour; idle for {arguments.idle:g} s")
    for name, values in found.items():
        said = ", ".join(f"{what} {value:.0f}" for what, value in values.items())
        print(f"  {name:20} {said}")


if __name__ == "__main__":
    main()
