"""Writes docs/screens.md: every screen of the interface as text, 80×24 and 120×40.

The screens are drawn from the shipped suite `medicine`, judged without a language model
in a workspace of its own; ids, times and the state of the machine are fixed, so that a
second call writes the same file. `make screens` calls it.

    python -m benchmarks.tools.screens [--workspace DIR] [--out FILE]
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import redirect_stdout, suppress
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path

from textual.pilot import Pilot
from textual.screen import Screen
from textual.worker import WorkerCancelled

from claimscope.core.models import SampleResult, Usage
from claimscope.core.ports import RunStore
from claimscope.stores.runs.memory import MemoryRunStore
from claimscope.stores.runs.run_store import DiskRunStore
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.app.app import ClaimscopeApp
from claimscope.tui.app.themes import DEFAULT
from claimscope.tui.cli import main as claimscope
from claimscope.tui.gateway.workspace import WorkspaceGateway
from claimscope.tui.ports.gateway import HealthCheck, HostInfo
from claimscope.tui.screens.base.view import OpenRun
from claimscope.tui.screens.catalog import listed_screens
from claimscope.tui.screens.home.screen import HomeScreen
from claimscope.tui.screens.results.quadrants import QuartersScreen
from claimscope.tui.screens.results.screen import ResultsScreen
from claimscope.tui.screens.stepper.screen import StepperScreen
from claimscope.tui.widgets.glyphs import UNICODE

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / "docs" / "screens.md"
WORKSPACE = ROOT / "build" / "screens"
SIZES = ((80, 24), (120, 40))
NOW = datetime(2026, 11, 27, 14, 0, tzinfo=UTC)
MADE = ("20261126-090000-demo", "20261127-090000-demo")
"""Runs that are judged once and kept in the workspace; the second one lets a claim that
no page supports pass, so that there is something to compare."""
LIVE = "20261127-135500-demo"
JUDGED = 23
"""Samples that the live run has finished."""
NEVER = 3600.0
INTRO = """\
# Screens

Every screen as text, at 80×24 and at 120×40, made by `make screens` from the shipped
suite `medicine` judged without a language model. Colours are left out here; no meaning
hangs on them. `claimscope show SCREEN` prints the data of each as lines or JSON.
"""
_PACE = re.compile(r"\d+\.\d/(?:s|min) +ETA [\d:]+")
_PLACE = re.compile(r"(?:/[\w.~-]+)+/(?=testsets/|index|runs|claimscope\.toml)")


class DemoGateway(WorkspaceGateway):
    """Real pages and suites, fixed runs, a machine that is always the same."""

    def __init__(self, workspace: Workspace, runs: MemoryRunStore) -> None:
        super().__init__(workspace)
        self._shown = runs

    @property
    def runs(self) -> RunStore:
        return self._shown

    def health(self) -> Sequence[HealthCheck]:
        """A machine without Ollama."""
        return [
            HealthCheck("workspace", "ok", "writable"),
            HealthCheck("disk", "ok", "41.0 GiB free"),
            HealthCheck(
                "ollama",
                "warning",
                "none at http://127.0.0.1:11434; only --verifier ollama and --judge "
                "need one",
            ),
            HealthCheck("terminal", "ok", "xterm-256color, utf-8"),
        ]

    def hosts(self) -> Sequence[HostInfo]:
        return [HostInfo("http://127.0.0.1:11434", problem="connection refused")]


def judged(workspace: Workspace) -> MemoryRunStore:
    """The runs, made when they are not there yet, with fixed ids and times."""
    disk = DiskRunStore(workspace.runs)
    known = {status.header.run_id for status in disk.runs()}
    shown = MemoryRunStore()
    for run_id, changed in zip(MADE, ([], ["unsupported_fails=false"]), strict=True):
        if run_id not in known:
            words = ["run", "medicine", "--run-id", run_id, "--verifier", "none"]
            words += [word for one in changed for word in ("--set", one)]
            with redirect_stdout(StringIO()):
                code = claimscope([*words, "--workspace", str(workspace.root)])
            if code:
                raise SystemExit("the shipped suite could not be judged")
        _copy(disk, run_id, run_id, shown, None)
    _copy(disk, MADE[0], LIVE, shown, JUDGED)
    return shown


def _copy(
    disk: DiskRunStore, run_id: str, name: str, shown: MemoryRunStore, only: int | None
) -> None:
    reader = disk.read(run_id)
    samples: list[SampleResult] = sorted(reader.samples(), key=lambda s: str(s.key))
    created = datetime.strptime(name[:15], "%Y%m%d-%H%M%S").isoformat() + "Z"
    head = reader.status().header.model_copy(
        update={"run_id": name, "created": created}
    )
    writer = shown.create(head)
    writer.save_state("running")
    for sample in samples[:only]:
        writer.save_sample(sample.model_copy(update={"usage": Usage()}))
    if only is None:
        writer.save_state("finished")


# --- the way to each screen ---------------------------------------------------

Way = Callable[[Pilot[None]], Awaitable[None]]


async def settle(pilot: Pilot[None]) -> None:
    """Waits until nothing is being read or drawn any more."""
    await pilot.pause()
    while any(not worker.is_finished for worker in pilot.app.workers):
        with suppress(WorkerCancelled):
            await pilot.app.workers.wait_for_complete()
        await pilot.pause()
    await pilot.pause()


def press(*keys: str) -> Way:
    async def go(pilot: Pilot[None]) -> None:
        for key in keys:
            await pilot.press(key)
            await settle(pilot)

    return go


def open_run(run_id: str, kind: type[Screen[None]], *keys: str) -> Way:
    async def go(pilot: Pilot[None]) -> None:
        is_live = run_id == LIVE
        pilot.app.post_message(OpenRun(run_id, results=not is_live))
        await settle(pilot)
        await settle(pilot)
        await press(*keys)(pilot)
        if not isinstance(pilot.app.screen, kind):
            raise SystemExit(f"{kind.__name__} did not open: {pilot.app.screen!r}")

    return go


def action(name: str) -> Way:
    async def go(pilot: Pilot[None]) -> None:
        home = pilot.app.screen
        assert isinstance(home, HomeScreen)
        await pilot.app.run_action(name, home)
        await settle(pilot)

    return go


def way_to(name: str) -> Way | None:
    """How one comes to a screen; None = this version has none of that name."""
    ways: dict[str, Way] = {
        "Home": press(),
        "New run": press("n"),
        "Run": open_run(LIVE, Screen),
        "Results": open_run(MADE[1], ResultsScreen),
        "Quarters": open_run(MADE[1], QuartersScreen, "u"),
        "Claim stepper": open_run(MADE[0], StepperScreen, "enter", "n"),
        "Compare": press(
            "down", "w", "enter"
        ),  # the newest finished run, the one before
        "Settings": press("comma"),
        "Help": press("question_mark"),
    }
    if name in ways:
        return ways[name]
    if hasattr(HomeScreen, f"action_{name.lower()}"):
        return action(name.lower())
    return None


NAMES = (
    "Home",
    "Pages",
    "Suite",
    "New run",
    "Run",
    "Results",
    "Quarters",
    "Claim stepper",
    "Compare",
    "Trends",
    "Judge",
    "Lab",
    "Settings",
    "Help",
)


def lines_of(app: ClaimscopeApp) -> Iterator[str]:
    """What is on the screen, line by line, without the machine's own folders."""
    for strip in app.screen._compositor.render_strips():
        line = "".join(part.text for part in strip).rstrip()
        yield _PACE.sub("…/s   ETA …", _PLACE.sub("…/", line))


async def picture(gateway: DemoGateway, way: Way, size: tuple[int, int]) -> list[str]:
    app = ClaimscopeApp(
        lambda: gateway,
        theme=DEFAULT,
        glyphs=UNICODE,
        now=lambda: NOW,
        by="ada",
        poll_seconds=NEVER,
    )
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        await way(pilot)
        return list(lines_of(app))


def written(gateway: DemoGateway) -> tuple[str, list[str]]:
    """(the whole document, names of the screens that are missing)."""
    purposes = {screen.NAME: screen.PURPOSE for screen in listed_screens()}
    parts, missing = [INTRO], []
    for name in NAMES:
        parts.append(f"\n## {name}\n")
        way = way_to(name)
        if way is None or name not in purposes:
            missing.append(name)
            parts.append("\nThis version has no such screen.\n")
            continue
        parts.append(f"\n{purposes[name]}\n")
        for size in SIZES:
            shown = "\n".join(asyncio.run(picture(gateway, way, size)))
            parts.append(
                f"\n### {name}, {size[0]}×{size[1]}\n\n```text\n{shown}\n```\n"
            )
    return "".join(parts), missing


def main() -> int:
    """Writes the document; exit code 1 when a screen is missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workspace", type=Path, default=WORKSPACE)
    parser.add_argument("--out", type=Path, default=OUT)
    arguments = parser.parse_args()
    workspace = Workspace(arguments.workspace.absolute())
    text, missing = written(DemoGateway(workspace, judged(workspace)))
    arguments.out.write_text(text, encoding="utf-8")
    print(f"{arguments.out}: {len(NAMES) - len(missing)} of {len(NAMES)} screens")
    for name in missing:
        print(f"missing: {name}", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
