"""200 hostile texts through every screen.

benchmarks/durability/hostile_strings.py sends 10,000.
"""

from __future__ import annotations

import random

import pytest
from textual.app import App, ComposeResult
from textual.content import Content
from textual.pilot import Pilot
from textual.widgets import Static

from tests.tui.hostile import FORBIDDEN, SIZE, hostile, leaks, poisoned_gateway, visit
from tests.tui.pilot import app_on
from tests.tui.sample_run import failed_sample

pytestmark = pytest.mark.slow

LEAST = 200


async def test_no_text_reaches_the_terminal_as_an_order() -> None:
    chance, sent = random.Random(7), 0

    def text() -> str:
        nonlocal sent
        sent += 1
        return hostile(chance)

    gateway = poisoned_gateway(text)
    while sent < LEAST:
        gateway = poisoned_gateway(text)
    app = app_on(gateway)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        assert await visit(pilot) == []


def test_the_texts_are_hostile_and_fill_the_sample() -> None:
    from tests.tui.hostile import with_texts

    chance = random.Random(7)
    assert sum(bool(FORBIDDEN & set(hostile(chance))) for _ in range(100)) > 60
    sample = with_texts(failed_sample(), lambda: "\x1b[31m[red]")
    shown = sample.model_dump_json()
    assert shown.count("[31m[red]") > 40


@pytest.mark.parametrize("text", ["a\u202eb", "a\u2028b", "[@click=app.quit]x[/]"])
async def test_a_leak_would_be_seen(text: str) -> None:
    class Careless(App[None]):
        def compose(self) -> ComposeResult:
            is_markup = text.startswith("[@")
            yield Static(Content.from_markup(text) if is_markup else Content(text))

    app = Careless()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        seen: Pilot[None] = pilot
        assert leaks(seen)
