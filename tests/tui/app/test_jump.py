"""Jump mode reaches every pane; help tells of the one in hand; copies go by OSC 52."""

from __future__ import annotations

import base64
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.tui.app.clipboard import osc52
from claimscope.tui.app.jump import reachable
from tests.tui.gateways import FakeGateway
from tests.tui.pilot import app_on, press, settle, text_of


async def test_a_letter_on_each_pane_goes_there() -> None:
    app = app_on(FakeGateway())
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        home = app.screen
        places = reachable(home)
        assert len(places) >= 3
        await press(pilot, "ctrl+o")
        shown = text_of(pilot)
        assert all(f"[{letter}]" in shown for letter in "asdf"[: len(places)])
        await press(pilot, "s")
        assert app.screen is home and app.focused is places[1]


async def test_escape_leaves_the_focus_where_it_was() -> None:
    app = app_on(FakeGateway())
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        before = app.focused
        await press(pilot, "ctrl+o", "9", "escape")
        assert app.focused is before
        assert "[a]" not in text_of(pilot)


async def test_help_tells_of_the_pane_in_hand() -> None:
    app = app_on(FakeGateway())
    async with app.run_test(size=(80, 60)) as pilot:
        await settle(pilot)
        await press(pilot, "?")
        shown = text_of(pilot)
        assert "Keys of the pane in hand: runs" in shown
        assert "Next row" in shown and "Keys everywhere" in shown


def _decoded(written: str) -> list[str]:
    found = re.findall(r"\x1b]52;c;([A-Za-z0-9+/=]*)\x07", written)
    return [base64.b64decode(part).decode() for part in found]


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=2000))
def test_what_is_copied_arrives_through_screen_and_tmux(text: str) -> None:
    assert _decoded(osc52(text, {"TERM": "xterm-256color"})) == [text]
    tmux = osc52(text, {"TERM": "tmux-256color", "TMUX": "/run/x,1,0"})
    first, wrapped = tmux.split("\x1bPtmux;")
    assert _decoded(first) == [text]
    inner = wrapped.removesuffix("\x1b\\").replace("\x1b\x1b", "\x1b")
    assert _decoded(inner) == [text]
    parts = osc52(text, {"TERM": "screen", "STY": "1.pts"}).split("\x1bP")[1:]
    assert all(len(part) <= 256 and part.endswith("\x1b\\") for part in parts)
    assert _decoded("".join(part.removesuffix("\x1b\\") for part in parts)) == [text]


@pytest.mark.parametrize("text", ["\udcff broken", "\x1b]52;c;QQ==\x07"])
def test_what_is_copied_is_never_an_order(text: str) -> None:
    written = osc52(text, {})
    assert written.count("\x1b") == 1 and written.endswith("\x07")
