"""Reads a screen as a person does: the lines of text on it."""

from __future__ import annotations

import asyncio
import os
import re
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from textual import _wait
from textual.pilot import Pilot
from textual.worker import WorkerCancelled

from claimscope.tui.app.app import ClaimscopeApp
from claimscope.tui.app.themes import DEFAULT
from claimscope.tui.ports.gateway import Gateway
from claimscope.tui.widgets.glyphs import UNICODE

SNAPSHOTS = Path(__file__).parent / "snapshots"
NOW = datetime(2026, 11, 27, 14, 0, tzinfo=UTC)
_PACE = re.compile(r"in \d+:\d\d|\d+\.\d/(?:s|min) +ETA \d+:\d\d(:\d\d)?")
NEVER = 3600.0
"""Live screens do not read by themselves in tests; `follow()` makes them."""
WATCHDOG = 30.0
"""Seconds after which a test that waits for a text has failed."""
LOOK = 0.008
"""Seconds between two looks whether the app is at rest, four of them at least a key.
Textual's own are 0.02, which was most of the time of these tests."""
_wait.SLEEP_GRANULARITY, _wait.SLEEP_IDLE = LOOK, LOOK / 20


def app_on(gateway: Gateway, **options: Any) -> ClaimscopeApp:
    """The app with a clock that stands still, whatever terminal the tests run on."""
    known = {
        "glyphs": UNICODE,
        "now": lambda: NOW,
        "by": "tester",
        "theme": DEFAULT,
        "poll_seconds": NEVER,
    }
    return ClaimscopeApp(lambda: gateway, **{**known, **options})


async def settle(pilot: Pilot[None]) -> None:
    """Waits until nothing is being read or drawn any more."""
    await pilot.pause()
    while any(not worker.is_finished for worker in pilot.app.workers):
        with suppress(WorkerCancelled):  # a later one took its place
            await pilot.app.workers.wait_for_complete()
        await pilot.pause()
    await pilot.pause()


async def press(pilot: Pilot[None], *keys: str) -> None:
    """Presses keys, one after the other."""
    for key in keys:
        await pilot.press(key)
        await settle(pilot)


async def press_until(pilot: Pilot[None], key: str, text: str) -> None:
    """Presses a key that begins work in the background, and waits for what it shows: on
    a busy machine the work may begin after the app has been at rest for a moment."""
    await pilot.press(key)
    async with asyncio.timeout(WATCHDOG):
        await settle(pilot)
        while text not in text_of(pilot):
            await settle(pilot)


def lines_of(pilot: Pilot[None]) -> list[str]:
    """The lines on the screen, without spaces at their ends."""
    strips = pilot.app.screen._compositor.render_strips()
    return ["".join(part.text for part in strip).rstrip() for strip in strips]


def text_of(pilot: Pilot[None]) -> str:
    """All that is on the screen, wrapped lines joined by a space."""
    return " ".join(" ".join(line.split()) for line in lines_of(pilot))


def check_snapshot(pilot: Pilot[None], name: str) -> None:
    """Compares with the golden file; UPDATE_SNAPSHOTS=1 writes it.

    What depends on how fast this machine is stands there as #.
    """
    path = SNAPSHOTS / f"{name}.txt"
    shown = _PACE.sub("#", "\n".join(lines_of(pilot)) + "\n")
    if os.environ.get("UPDATE_SNAPSHOTS"):
        path.write_text(shown, encoding="utf-8")
    assert shown == path.read_text(encoding="utf-8")


def told(pilot: Pilot[None]) -> str:
    """All messages that stand at the side of the screen, with their titles."""
    notes = pilot.app._notifications
    return "\n".join(f"{note.title} {note.message}" for note in notes)
