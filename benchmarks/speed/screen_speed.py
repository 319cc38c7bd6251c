"""Does the screen answer at once, with 100,000 samples on it and at its first frame?

    python -m benchmarks.speed.screen_speed [--samples 100000] [--pages 100000]
        [--part results|pages|paint] [--workspace DIR]

--workspace: run and pages are made there and kept, and found there when made before.
--part: that part only (repeatable).

Key to frame: the program shows the results of a made run in a pseudo-terminal of
80 × 24. After each key, the time to the last byte of the frame it brought (the first
byte is printed too): cursor, pages and ends, also an order, a filter and a search over
all samples; that answers are looked into once the typing rests is told by itself.
Likewise the Pages screen with a made index: cursor, pages and ends, a filter as it is
typed, and a page that is opened. First paint: from the start of the
process to the first words on the screen, beside a bare Textual app that shows a line,
each in turn so that both meet the same machine; the ratio is that of the medians. Also
to Home with its lists.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.tools import made_pages
from benchmarks.tools.made_run import RUN, make
from benchmarks.tools.terminal_meter import Burst, Terminal

ROOT = Path(__file__).resolve().parents[2]

PATHS = f"import sys; sys.path[:0] = {[str(ROOT / '.src')]!r}\n"
NOTED = """
import time
from textual.drivers._writer_thread import WriterThread

before = WriterThread.write

def write(self, text):
    if "opening" in text:
        times = time.perf_counter(), time.process_time()
        WriterThread.write = before
        with open({noted!r}, "w") as file:
            file.write(" ".join(map(str, times)))
    before(self, text)

WriterThread.write = write
"""
"""When the first words were written, by the program that wrote them: who measures may
have to wait for its turn, and ours goes on loading meanwhile."""
BARE = """
from textual.app import App
from textual.widgets import Static

class Bare(App):
    def compose(self):
        yield Static("Claimscope  opening")

Bare().run()
"""
OURS = """
from claimscope.tui.cli import main
main(["--workspace", {workspace!r}])
"""
OPENED = """
from claimscope.tui.cli.terminal import open_workspace
open_workspace({workspace!r}, run_id={run!r})
"""
PARTS = ("results", "pages", "paint")
MOVES = ("down", "up", "pagedown", "pageup", "end", "home")


def first_paints(starts: int, folder: Path) -> dict[str, Any]:
    """Seconds to the first words, ours and of a bare app, each start in turn; both with
    modules that are compiled, as installed ones are."""
    found: dict[str, list[float]] = defaultdict(list)
    noted, compiled = folder / "noted", folder / "compiled"
    before = PATHS + NOTED.format(noted=str(noted))
    ours = before + OURS.format(workspace=str(folder / "workspace"))
    for number in range(starts + 1):
        for name, code in (("bare", before + BARE), ("ours", ours)):
            with Terminal(["-c", code], compiled=compiled) as terminal:
                terminal.wait_for("opening")
                painted, spent = map(float, noted.read_text().split())
                found[name].append(painted - terminal.began)
                found[f"{name} cpu"].append(spent)
                if name == "ours":
                    found["home"].append(terminal.wait_for("runs"))
        if not number:  # files are in the cache now
            found.clear()
    middle = {name: statistics.median(values) for name, values in found.items()}
    middle["ratio"] = middle["ours"] / middle["bare"]
    middle["cpu ratio"] = middle["ours cpu"] / middle["bare cpu"]
    return middle | {"starts": starts}


def key_to_frame(keys: int, workspace: str) -> dict[str, Any]:
    """Seconds from a key to its frame, by what the key does."""
    code = PATHS + OPENED.format(workspace=workspace, run=RUN)
    found: dict[str, Any] = {}
    with Terminal(["-c", code]) as terminal:
        found["rows"] = {"shown after": terminal.wait_for("case-000000")}
        terminal.settle()
        moves = [MOVES[n % len(MOVES)] for n in range(keys)]
        # Down and page down from the top; the ends go to and fro.
        found["move"] = _figures([terminal.press(key) for key in moves])
        failures = [terminal.press("x", quiet=0.6) for _ in range(max(keys // 6, 2))]
        found["filter"] = _figures(failures)
        terminal.press("/")
        typed = [terminal.press(sign) for sign in "town 31"]
        found["search"] = _figures(typed)
        answers = terminal.watch(quiet=2.0, patience=2.0)
        found["answers"] = {"all looked into after": answers.last}
        terminal.press("escape")
        terminal.settle()
        sorts = []
        for _ in range(max(keys // 12, 2)):
            terminal.press("s")
            terminal.press("down")
            sorts.append(terminal.press("enter"))
        found["sort"] = _figures(sorts)
    return found


def pages_to_frame(keys: int, workspace: str) -> dict[str, Any]:
    """The same for the list of indexed pages."""
    found: dict[str, Any] = {}
    with Terminal(["-c", PATHS + OURS.format(workspace=workspace)]) as terminal:
        terminal.wait_for(made_pages.CORPUS)
        terminal.settle()
        opened = terminal.press("p", quiet=2.0)
        found["open"] = _figures([opened])
        terminal.wait_for(made_pages.FIRST)
        terminal.settle()
        moves = [MOVES[n % len(MOVES)] for n in range(keys)]
        found["move"] = _figures([terminal.press(key) for key in moves])
        read = []
        for _ in range(max(keys // 12, 2)):
            read.append(terminal.press("enter"))
            terminal.press("escape")
        found["read"] = _figures(read)
        terminal.press("f")
        typed = [terminal.press(sign, quiet=1.5) for sign in "town 99"]
        found["filter"] = _figures(typed)
    return found


def _figures(bursts: Sequence[Burst]) -> dict[str, float]:
    frames = sorted(burst.last for burst in bursts if burst.size)
    firsts = sorted(burst.first for burst in bursts if burst.size)
    if not frames:
        return {"n": 0}
    return {
        "n": len(frames),
        "p50": _quantile(frames, 0.5),
        "p95": _quantile(frames, 0.95),
        "first byte p95": _quantile(firsts, 0.95),
        "processor p50": _quantile(sorted(b.cpu for b in bursts if b.size), 0.5),
        "processor p95": _quantile(sorted(b.cpu for b in bursts if b.size), 0.95),
    }


def _quantile(ordered: Sequence[float], share: float) -> float:
    """The value below which that share lies (nearest rank)."""
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)]


def main() -> None:
    """Makes the run, measures, prints."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--samples", type=int, default=100_000)
    parser.add_argument("--pages", type=int, default=100_000)
    parser.add_argument("--keys", type=int, default=60)
    parser.add_argument("--starts", type=int, default=7)
    parser.add_argument("--workspace", type=Path)
    parser.add_argument("--part", action="append", choices=PARTS)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    parts = arguments.part or PARTS
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        kept = arguments.workspace or Path(folder)
        if "results" in parts:
            if not (kept / "runs" / RUN).exists():
                make(kept, arguments.samples)
            found["key_to_frame"] = key_to_frame(arguments.keys, str(kept))
        if "pages" in parts:
            if not (kept / "index" / made_pages.CORPUS).exists():
                made_pages.make(kept, arguments.pages)
            found["pages_to_frame"] = pages_to_frame(arguments.keys, str(kept))
    if "paint" in parts:
        with tempfile.TemporaryDirectory() as folder:
            found["first_paint"] = first_paints(arguments.starts, Path(folder))
    if arguments.json:
        print(json.dumps(found, indent=2))
        return
    for name, what in (
        ("key_to_frame", f"results of {arguments.samples} samples"),
        ("pages_to_frame", f"list of {arguments.pages} pages"),
    ):
        if name in found:
            print(f"{what}, milliseconds from key to frame")
            _say(found[name])
    if paint := found.get("first_paint"):
        print(
            f"first paint: {paint['ours']:.3f} s, a bare app {paint['bare']:.3f} s, "
            f"ratio {paint['ratio']:.2f} ({paint['cpu ratio']:.2f} of processor "
            f"time); Home {paint['home']:.3f} s ({paint['starts']} starts)"
        )


def _say(frames: dict[str, Any]) -> None:
    for name, figures in frames.items():
        said = ", ".join(
            f"{what} {value:.0f}" if what == "n" else f"{what} {value * 1000:.0f}"
            for what, value in figures.items()
        )
        print(f"  {name:8} {said}")


if __name__ == "__main__":
    main()
