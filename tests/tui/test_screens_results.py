"""Results: rows, means with their n, sorting, filtering, stepping."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest
from textual.pilot import Pilot

from claimscope.core.errors import JournalDamaged
from claimscope.core.models import SampleResult
from claimscope.stores.memory import MemoryRunReader
from claimscope.tui.screens.results import ResultsScreen
from claimscope.tui.screens.stepper import StepperScreen
from claimscope.tui.widgets.table import Table
from tests.tui.desks import FakeDesk
from tests.tui.sample_run import (
    RUN_ID,
    finished_run,
    passed_sample,
    run_header,
)
from tests.tui.screens import app_on, check_snapshot, lines_of, press, settle, text_of


@asynccontextmanager
async def results(
    desk: FakeDesk, size: tuple[int, int] = (80, 24)
) -> AsyncIterator[Pilot[None]]:
    """The app on the results of the run of `desk`."""
    app = app_on(desk, open_run=RUN_ID)
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        assert isinstance(app.screen, ResultsScreen)
        yield pilot


def desk_with_a_run() -> FakeDesk:
    desk = FakeDesk()
    finished_run(desk.runs)
    return desk


def rows(pilot: Pilot[None]) -> list[str]:
    """The rows of the table, spaces squeezed."""
    lines = [" ".join(line.split()) for line in lines_of(pilot)]
    begin = next(n for n, line in enumerate(lines) if line.startswith("outcome"))
    return [line for line in lines[begin + 1 : -2] if line]


async def test_every_sample_is_a_row_and_means_carry_their_n() -> None:
    async with results(desk_with_a_run()) as pilot:
        assert [row.split()[1:4] for row in rows(pilot)] == [
            ["failed", "var-001", "alder"],
            ["passed", "var-001", "birch"],
            ["failed", "var-002", "alder"],
            ["unscored", "var-002", "birch"],
        ]
        shown = text_of(pilot)
        assert "alder ✔0 ✘2 –0 of 2 claim_support 0.33 (1 of 2, 1 unscored)" in shown
        assert "birch ✔1 ✘0 –1 of 2 claim_support 1.00 (1 of 2, 1 unscored)" in shown
        check_snapshot(pilot, "results")


async def test_a_wide_screen_has_more_columns() -> None:
    async with results(desk_with_a_run(), size=(120, 40)) as pilot:
        assert "figures easy 1 1 1 0.33 0 contradicted claim" in " ".join(rows(pilot))
        check_snapshot(pilot, "results_wide")


async def test_failures_only() -> None:
    async with results(desk_with_a_run()) as pilot:
        await press(pilot, "x")
        assert [row.split()[1] for row in rows(pilot)] == [
            "failed",
            "failed",
            "unscored",
        ]
        assert "3 of 4 samples, failures only" in text_of(pilot)
        await press(pilot, "x")
        assert len(rows(pilot)) == 4


async def test_find_filters_as_one_types_and_escape_ends_it() -> None:
    async with results(desk_with_a_run()) as pilot:
        await press(pilot, "/", *"fishing")
        assert [row.split()[2] for row in rows(pilot)] == ["var-002", "var-002"]
        await press(pilot, "enter", "escape")
        assert len(rows(pilot)) == 4
        assert isinstance(pilot.app.screen, ResultsScreen)


async def test_a_filter_that_fits_nothing_says_so() -> None:
    async with results(desk_with_a_run()) as pilot:
        await press(pilot, "/", *"zzz")
        assert "No sample fits the filter" in text_of(pilot)


async def test_one_kind_of_failure_is_carried_into_the_stepper() -> None:
    async with results(desk_with_a_run()) as pilot:
        await press(pilot, "f", "down", "down", "enter")
        assert [row.split()[2:4] for row in rows(pilot)] == [["var-001", "alder"]]
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, StepperScreen)
        assert "only: broken citation" in text_of(pilot)


async def test_sorting_puts_samples_without_a_value_last() -> None:
    async with results(desk_with_a_run()) as pilot:
        await press(pilot, "s", *["down"] * 6, "enter")
        assert "by claim_support, lowest first" in text_of(pilot)
        assert [row.split()[2:4] for row in rows(pilot)] == [
            ["var-001", "alder"],
            ["var-001", "birch"],
            ["var-002", "alder"],
            ["var-002", "birch"],
        ]
        await press(pilot, "s", "home", "down", "down", "down", "enter")
        assert "by provider" in text_of(pilot)
        assert [row.split()[3] for row in rows(pilot)] == [
            *("alder", "alder"),
            *("birch", "birch"),
        ]


async def test_enter_steps_through_from_the_row_under_the_cursor() -> None:
    async with results(desk_with_a_run()) as pilot:
        await press(pilot, "down", "down", "enter")
        assert "var-002 · alder sample 3 of 4" in text_of(pilot)
        await press(pilot, "escape")
        assert pilot.app.screen.query_one(Table).cursor == 2


async def test_an_overruled_claim_counts_as_people_say_when_one_comes_back() -> None:
    async with results(desk_with_a_run()) as pilot:
        row = next(row for row in rows(pilot) if "birch" in row and "001" in row)
        assert "passed" in row
        assert "overruled" not in text_of(pilot)
        await press(pilot, "down", "enter", "o", "c", "escape")
        row = next(row for row in rows(pilot) if "birch" in row and "001" in row)
        assert "failed" in row and "contradicted claim" in row
        assert "1 overruled" in text_of(pilot)
        await press(pilot, "enter")
        assert "failed (machine: ✔ passed) var-001 · birch" in text_of(pilot)
        await press(pilot, "u", "escape")
        assert "overruled" not in text_of(pilot)


async def test_reload_reads_what_was_finished_since() -> None:
    desk = FakeDesk()
    writer = desk.runs.create(run_header())
    writer.save_state("running")
    async with results(desk) as pilot:
        assert "No sample is finished yet." in text_of(pilot)
        writer.save_sample(passed_sample())
        await press(pilot, "r")
        assert len(rows(pilot)) == 1
    writer.close()


async def test_thousands_of_rows_ask_for_the_cells_on_the_screen_only() -> None:
    desk = FakeDesk()
    finished_run(desk.runs)
    async with results(desk) as pilot:
        table = pilot.app.screen.query_one(Table)
        asked: list[int] = []
        cells = table._cells

        def spy(row: int):  # type: ignore[no-untyped-def]
            asked.append(row)
            return cells(row % 4)

        table.show(100_000, spy)
        await press(pilot, "end")
        assert table.cursor == 99_999
        assert len(set(asked)) < 60
        await press(pilot, "up", "pageup", "home")
        assert table.cursor == 0
        assert len(set(asked)) < 120


async def test_a_damaged_journal_is_said_in_place_of_the_rows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def damaged(reader: MemoryRunReader) -> Sequence[SampleResult]:
        raise JournalDamaged("run.journal: damaged at byte 100.", "Copy it back.")

    monkeypatch.setattr(MemoryRunReader, "samples", damaged)
    async with results(desk_with_a_run()) as pilot:
        assert "Journal is damaged: run.journal: damaged at byte 100." in text_of(pilot)
