"""What the mouse does: a click selects, a second one opens; the wheel scrolls."""

from __future__ import annotations

from rich.cells import cell_len
from textual import events
from textual.pilot import Pilot
from textual.widget import Widget

from claimscope.tui.review.cursor import Place
from claimscope.tui.screens.home.screen import HomeScreen
from claimscope.tui.screens.results.screen import ResultsScreen
from claimscope.tui.screens.stepper.screen import StepperScreen
from claimscope.tui.widgets.document import Document
from claimscope.tui.widgets.keybar import KeyBar
from claimscope.tui.widgets.table import ScreenTable
from tests.tui.gateways import FakeGateway
from tests.tui.pilot import app_on, lines_of, settle, text_of
from tests.tui.sample_run import RUN_ID
from tests.tui.screens.test_stepper import gateway_with_a_run, place, stepping


async def click(pilot: Pilot[None], text: str, times: int = 1) -> None:
    """Clicks the first place on the screen where a text stands."""
    y, line = next((n, one) for n, one in enumerate(lines_of(pilot)) if text in one)
    await pilot.click(offset=(line.index(text), y), times=times)
    await settle(pilot)


async def wheel(pilot: Pilot[None], widget: Widget, down: bool) -> None:
    """Turns the wheel once over a widget."""
    x, y = widget.region.x + 3, widget.region.y + 3
    kind = events.MouseScrollDown if down else events.MouseScrollUp
    turned = kind(widget, 3, 3, 0, 0, 0, False, False, False, x, y)
    widget.post_message(turned)
    await settle(pilot)


async def test_a_click_selects_the_row_it_is_on_and_a_second_one_opens() -> None:
    app = app_on(gateway_with_a_run(), open_run=RUN_ID)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        table = app.screen.query_one(ScreenTable)
        await click(pilot, "– unscored var-002")
        assert (table.cursor, isinstance(app.screen, ResultsScreen)) == (3, True)
        await click(pilot, "✔ passed   var-001")
        assert table.cursor == 1
        await click(pilot, "outcome    case")  # the titles are no row
        assert table.cursor == 1
        await click(pilot, "empty answer", times=2)
        assert isinstance(app.screen, StepperScreen)
        assert "sample 3 of 4" in text_of(pilot)


async def test_one_click_on_the_row_under_the_cursor_opens_nothing() -> None:
    app = app_on(gateway_with_a_run())
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await click(pilot, "Reservoirs of Varn ✔ finished")
        assert isinstance(app.screen, HomeScreen)
        await click(pilot, "Reservoirs of Varn ✔ finished", times=2)
        assert isinstance(app.screen, ResultsScreen)


async def test_the_keys_at_the_foot_can_be_clicked() -> None:
    async with stepping(gateway_with_a_run()) as pilot:
        bar = pilot.app.screen.query_one(KeyBar)
        await click(pilot, "n/p failure")
        assert place(pilot) == Place(0, 2)
        await click(pilot, "sample  a agree")
        assert place(pilot) == Place(1, 0)
        await pilot.click(offset=(79, bar.region.y))  # behind the last one
        assert isinstance(pilot.app.screen, StepperScreen)
        await click(pilot, "esc back")
        assert isinstance(pilot.app.screen, ResultsScreen)


async def test_an_item_of_the_list_can_be_clicked() -> None:
    async with stepping(gateway_with_a_run(), size=(120, 40)) as pilot:
        await click(pilot, "missing   The reservoir was filled")
        assert place(pilot) == Place(0, 3)


async def test_a_claim_or_citation_is_clicked_in_the_answer() -> None:
    async with stepping(gateway_with_a_run(), size=(120, 40)) as pilot:
        screen = pilot.app.screen
        assert isinstance(screen, StepperScreen) and screen.sample is not None
        answer = screen.query_one("#step-answer", Document)
        for at in (len(screen.row) - 1, *range(len(screen.row)), 0):
            item = screen.row[at]
            if item.kind not in ("claim", "citation"):
                continue
            x, y = middle_of(answer, f"{item.kind} {item.index}")
            await pilot.click(answer, offset=(x, y))
            await settle(pilot)
            assert place(pilot) == Place(0, at)
            assert any(piece.has("current") for line in answer.lines for piece in line)
        before = place(pilot)
        await pilot.click(answer, offset=(1, answer.region.height - 1))
        await settle(pilot)
        assert place(pilot) == before


def middle_of(answer: Document, of: str) -> tuple[int, int]:
    """Where in the widget the first piece of that item stands."""
    edge = answer.content_region.offset - answer.region.offset
    for y, line in enumerate(answer.lines):
        x = 0
        for piece in line:
            if piece.of == of and len(piece.text) > 2:
                return edge.x + x + 1, edge.y + y - round(answer.scroll_y)
            x += cell_len(piece.text)
    raise AssertionError(f"{of} does not stand in the answer")


async def test_the_wheel_scrolls_the_pane_under_it() -> None:
    gateway = gateway_with_a_run()
    async with stepping(gateway, size=(60, 20)) as pilot:
        pane = pilot.app.screen.query_one("#step-finding", Document)
        await wheel(pilot, pane, down=True)
        assert pane.scroll_y > 0
        await wheel(pilot, pane, down=False)
        assert pane.scroll_y == 0


async def test_a_click_on_nothing_is_let_be() -> None:
    app = app_on(FakeGateway())
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for y in range(24):
            await pilot.click(offset=(5, y))
        await settle(pilot)
        assert app.is_running
