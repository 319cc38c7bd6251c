"""Screens as pictures: what text snapshots cannot hold, colours and where they stand.

Drawn by Rich's SVG export, which Textual's own screenshots use, but with ids and fonts
that are the same on every machine and a line for each mark, so that a change reads well
in a diff. UPDATE_SNAPSHOTS=1 writes them, as it does the text snapshots.
"""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest
from rich.console import Console
from textual.pilot import Pilot

from tests.tui.pilot import SNAPSHOTS, settle

PICTURES = SNAPSHOTS / "svg"
SEEN = Path(__file__).parents[2] / "build" / "pictures"
"""Where a picture is left that is not as it was."""
SIZES = ((80, 24), (120, 40))
FORMAT = """\
<svg viewBox="0 0 {terminal_width} {terminal_height}" \
xmlns="http://www.w3.org/2000/svg" xml:space="preserve">
<style>
text {{ font: {char_height}px monospace }}
{styles}
</style>
<rect width="100%" height="100%" fill="#000000"/>
{backgrounds}
{matrix}
</svg>
"""


def svg_of(pilot: Pilot[None]) -> str:
    """What is on the screen, dialogs and messages included."""
    app = pilot.app
    width, height = app.size
    console = Console(
        width=width,
        height=height,
        file=io.StringIO(),
        force_terminal=True,
        color_system="truecolor",
        record=True,
        legacy_windows=False,
        safe_box=False,
        _environ={},
    )
    shown = app.screen._compositor.render_update(
        full=True, screen_stack=app._background_screens, simplify=True
    )
    console.print(shown)
    svg = console.export_svg(title="", unique_id="s", code_format=FORMAT)
    for line in range(height):  # nothing is wider than the screen
        svg = svg.replace(f' clip-path="url(#s-line-{line})"', "")
    return svg.replace("><", ">\n<").replace("&#160;", " ")


async def check_pictures(pilot: Pilot[None], name: str) -> None:
    """Compares with the golden pictures of both sizes; leaves the size as it was."""
    before = pilot.app.size
    wrong = []
    for width, height in SIZES:
        await pilot.resize_terminal(width, height)
        await settle(pilot)
        path = PICTURES / f"{name}_{width}x{height}.svg"
        shown = svg_of(pilot)
        if os.environ.get("UPDATE_SNAPSHOTS"):
            path.write_text(shown, encoding="utf-8")
        if shown != path.read_text(encoding="utf-8"):
            SEEN.mkdir(parents=True, exist_ok=True)
            (SEEN / path.name).write_text(shown, encoding="utf-8")
            wrong.append(path.name)
    await pilot.resize_terminal(*before)
    await settle(pilot)
    if wrong:
        pytest.fail(
            f"{' and '.join(wrong)}: not as in {PICTURES}; as it is now in {SEEN}"
        )
