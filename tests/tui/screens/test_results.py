"""Results: rows, means with their n, sorting, filtering, stepping."""

from __future__ import annotations

import csv
import gc
import json
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from claimscope.core.errors import JournalDamaged
from claimscope.core.models import (
    SampleResult,
    SampleRow,
)
from claimscope.stores.runs.memory import MemoryRunReader
from claimscope.tui.screens.results.arrangements import SavedViews
from claimscope.tui.screens.results.screen import ResultsScreen
from claimscope.tui.screens.stepper.screen import StepperScreen
from claimscope.tui.widgets.table import ScreenTable
from tests.doubles import fakes
from tests.tui.gateways import FakeGateway
from tests.tui.pictures import check_pictures
from tests.tui.pilot import (
    app_on,
    check_snapshot,
    lines_of,
    press,
    settle,
    text_of,
    told,
)
from tests.tui.sample_run import (
    RUN_ID,
    failed_sample,
    finished_run,
    passed_sample,
    run_header,
)


@pytest.fixture(autouse=True)
def collected() -> Iterator[None]:
    """Other tests are collected as ever."""
    yield
    gc.unfreeze()


@asynccontextmanager
async def results(
    gateway: FakeGateway, size: tuple[int, int] = (80, 24)
) -> AsyncIterator[Pilot[None]]:
    """The app on the results of the run of `gateway`."""
    app = app_on(gateway, open_run=RUN_ID)
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        assert isinstance(app.screen, ResultsScreen)
        yield pilot


def gateway_with_a_run() -> FakeGateway:
    gateway = FakeGateway()
    finished_run(gateway.runs)
    return gateway


def rows(pilot: Pilot[None]) -> list[str]:
    """The rows of the table, spaces squeezed."""
    lines = [" ".join(line.split()) for line in lines_of(pilot)]
    begin = next(n for n, line in enumerate(lines) if line.startswith("outcome"))
    return [line for line in lines[begin + 1 : -1] if line]


def rows_as_shown(pilot: Pilot[None]) -> list[str]:
    """Lines of the screen, whatever the columns."""
    return lines_of(pilot)[3:-1]


async def test_every_sample_is_a_row_and_means_carry_their_n() -> None:
    async with results(gateway_with_a_run()) as pilot:
        assert [row.split()[1:4] for row in rows(pilot)] == [
            ["failed", "var-001", "alder"],
            ["passed", "var-001", "birch"],
            ["failed", "var-002", "alder"],
            ["unscored", "var-002", "birch"],
        ]
        shown = text_of(pilot)
        support = "claim_support 0.33 (1 of 2)"
        assert f"alder ✔0 ✘2 –0 of 2 pass_rate 0% [0-66] {support}" in shown
        assert (
            "birch ✔1 ✘0 –1 of 2 pass_rate 100% [21-100] claim_support 1.00 (1 of 2)"
            in shown
        )
        check_snapshot(pilot, "results")
        await check_pictures(pilot, "results")


def gateway_with(*samples: SampleResult) -> FakeGateway:
    gateway = FakeGateway()
    writer = gateway.runs.create(fakes.header(RUN_ID, total_samples=len(samples)))
    for sample in samples:
        writer.save_sample(sample)
    writer.save_state("finished")
    writer.close()
    return gateway


async def test_samples_lie_in_quarters_with_what_failed_in_each() -> None:
    """Of four with grades: 1, 0, 2, 1; one has none."""
    gateway = gateway_with(
        fakes.graded_sample("a", 5, 4),
        fakes.graded_sample("b", 2, 5),
        fakes.graded_sample("c", 3, 4),
        fakes.graded_sample("d", 1, 1),
        fakes.sample("e"),
    )
    async with results(gateway) as pilot:
        await press(pilot, "u")
        shown = text_of(pilot)
        assert "Faithful and complete, by grades: 4 samples" in shown
        assert "complete, not faithful 2 50% ██████████░░░░░░░░░░" in shown
        assert "faithful, not complete 0 0% ░░░░░░░░░░░░░░░░░░░░" in shown
        assert "failures: low grade 2 b/alpha/1, c/alpha/1" in shown
        assert "not placed, as one of the two is not known: 1" in shown
        check_snapshot(pilot, "quarters")
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, ResultsScreen)
        await press(pilot, "question_mark")
        assert "Which samples are faithful" in text_of(pilot)


async def test_a_run_without_both_says_what_it_takes() -> None:
    async with results(gateway_with(fakes.sample("a"))) as pilot:
        await press(pilot, "u")
        assert "No sample can be placed: that takes both grades" in text_of(pilot)


async def test_quarters_of_a_damaged_journal_say_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with results(gateway_with(fakes.graded_sample("a", 5, 4))) as pilot:

        def damaged(reader: MemoryRunReader) -> object:
            raise JournalDamaged("run.journal: damaged at byte 100.", "Copy it back.")

        monkeypatch.setattr(MemoryRunReader, "samples", damaged)
        await press(pilot, "u")
        assert "run.journal: damaged at byte 100." in text_of(pilot)


async def test_a_wide_screen_has_more_columns() -> None:
    async with results(gateway_with_a_run(), size=(120, 40)) as pilot:
        assert "figures easy 1 1 1 0.33 contradicted claim" in " ".join(rows(pilot))
        check_snapshot(pilot, "results_wide")


async def test_a_dialog_without_letters_promises_none() -> None:
    async with results(gateway_with_a_run()) as pilot:
        await press(pilot, "f")
        shown = text_of(pilot)
        assert "enter: choose" in shown and "letter" not in shown


async def test_failures_only() -> None:
    async with results(gateway_with_a_run()) as pilot:
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
    async with results(gateway_with_a_run()) as pilot:
        await press(pilot, "/", *"fishing")
        assert [row.split()[2] for row in rows(pilot)] == ["var-002", "var-002"]
        await press(pilot, "enter", "escape")
        assert len(rows(pilot)) == 4
        assert isinstance(pilot.app.screen, ResultsScreen)


async def test_a_filter_that_fits_nothing_says_so() -> None:
    async with results(gateway_with_a_run()) as pilot:
        await press(pilot, "/", *"zzz")
        assert "No sample fits the filter" in text_of(pilot)


async def test_samples_that_flip_over_iterations_are_a_kind_of_their_own() -> None:
    gateway = gateway_with_a_run()
    again = failed_sample().model_copy(update={"passed": True, "failures": ()})
    key = again.key.model_copy(update={"iteration": 2})
    writer = gateway.runs.open(RUN_ID)
    writer.save_sample(again.model_copy(update={"key": key}))
    writer.close()
    async with results(gateway) as pilot:
        await press(pilot, "f")
        assert "unstable over iterations (2)" in text_of(pilot)
        await press(pilot, "end", "enter")
        assert "2 of 5 samples, unstable over iterations" in text_of(pilot)
        await press(pilot, "enter")
        assert "only: unstable over iterations" in text_of(pilot)


async def test_one_kind_of_failure_is_carried_into_the_stepper() -> None:
    async with results(gateway_with_a_run()) as pilot:
        await press(pilot, "f", "down", "enter")
        assert [row.split()[2:4] for row in rows(pilot)] == [["var-001", "alder"]]
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, StepperScreen)
        assert "only: broken citation" in text_of(pilot)


async def test_sorting_puts_samples_without_a_value_last() -> None:
    async with results(gateway_with_a_run()) as pilot:
        await press(pilot, "s", *["down"] * 9, "enter")
        assert "by claim_support, lowest first" in text_of(pilot)
        assert [row.split()[2:4] for row in rows(pilot)] == [
            ["var-001", "alder"],
            ["var-001", "birch"],
            ["var-002", "alder"],
            ["var-002", "birch"],
        ]
        await press(pilot, "s", "home", *["down"] * 4, "enter")
        assert "by provider" in text_of(pilot)
        assert [row.split()[3] for row in rows(pilot)] == [
            *("alder", "alder"),
            *("birch", "birch"),
        ]


async def test_enter_steps_through_from_the_row_under_the_cursor() -> None:
    async with results(gateway_with_a_run()) as pilot:
        await press(pilot, "down", "down", "enter")
        assert "var-002 · alder sample 3 of 4" in text_of(pilot)
        await press(pilot, "escape")
        assert pilot.app.screen.query_one(ScreenTable).cursor == 2


async def test_an_overruled_claim_counts_as_people_say_when_one_comes_back() -> None:
    async with results(gateway_with_a_run()) as pilot:
        row = next(row for row in rows(pilot) if "birch" in row and "001" in row)
        assert "passed" in row
        assert "overruled" not in text_of(pilot)
        await press(pilot, "down", "enter", "o", "c", "escape")
        row = next(row for row in rows(pilot) if "birch" in row and "001" in row)
        assert "failed" in row and "contradicted claim" in row
        assert "1 overruled" in text_of(pilot)
        await press(pilot, "enter")
        assert "✘ failed by claims (machine: ✔ passed) Q How large" in text_of(pilot)
        await press(pilot, "u", "escape")
        assert "overruled" not in text_of(pilot)


async def test_reload_reads_what_was_finished_since() -> None:
    gateway = FakeGateway()
    writer = gateway.runs.create(run_header())
    writer.save_state("running")
    async with results(gateway) as pilot:
        assert "No sample is finished yet." in text_of(pilot)
        writer.save_sample(passed_sample())
        await press(pilot, "r")
        assert len(rows(pilot)) == 1
    writer.close()


async def test_rows_are_not_looked_through_for_garbage_while_they_are_shown() -> None:
    gc.unfreeze()
    async with results(gateway_with_a_run()) as pilot:
        assert gc.get_freeze_count() > 0
        await press(pilot, "escape")
        assert gc.get_freeze_count() == 0


async def test_thousands_of_rows_ask_for_the_cells_on_the_screen_only() -> None:
    gateway = FakeGateway()
    finished_run(gateway.runs)
    async with results(gateway) as pilot:
        table = pilot.app.screen.query_one(ScreenTable)
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
    def damaged(reader: MemoryRunReader) -> Sequence[SampleRow]:
        raise JournalDamaged("run.journal: damaged at byte 100.", "Copy it back.")

    monkeypatch.setattr(MemoryRunReader, "rows", damaged)
    async with results(gateway_with_a_run()) as pilot:
        assert "Journal is damaged: run.journal: damaged at byte 100." in text_of(pilot)


async def test_only_a_sample_that_is_opened_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read: list[int] = []
    sample = MemoryRunReader._sample

    def spy(reader: MemoryRunReader, record_id: int) -> SampleResult:
        read.append(record_id)
        return sample(reader, record_id)

    monkeypatch.setattr(MemoryRunReader, "_sample", spy)
    async with results(gateway_with_a_run()) as pilot:
        await press(pilot, "s", "end", "enter", "x", "f", "down", "enter")
        assert rows(pilot)
        assert read == []
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, StepperScreen)
        assert set(read) == {1}


async def test_a_sample_that_can_no_longer_be_read_is_told_of(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(MemoryRunReader, "sample", lambda reader, key: None)
    async with results(gateway_with_a_run()) as pilot:
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, ResultsScreen)
        assert "has no sample var-001/alder/1 any more" in told(pilot)


async def test_find_looks_into_the_answers_too() -> None:
    async with results(gateway_with_a_run()) as pilot:
        await press(pilot, "/", *"keeper")
        assert [row.split()[2:4] for row in rows(pilot)] == [["var-001", "alder"]]
        assert "1 of 4 samples, with 'keeper'" in text_of(pilot)


async def test_columns_are_chosen_and_those_that_do_not_fit_are_counted() -> None:
    async with results(gateway_with_a_run()) as pilot:
        await press(pilot, "c", "space", "down", "space", "enter")
        heads = next(line for line in lines_of(pilot) if "provider" in line)
        assert "outcome" not in heads and "case" not in heads
        # Down to the last but one, the question, and choose it.
        await press(pilot, "c", "end", "up", "space", "enter")
        assert any("When is fish" in row for row in rows_as_shown(pilot))
        await press(pilot, "c", *["space", "down"] * 16, "enter")
        assert "columns do not fit" in text_of(pilot)


async def test_a_view_is_saved_used_again_and_removed(tmp_path: Path) -> None:
    gateway = gateway_with_a_run()
    gateway.folder = tmp_path
    async with results(gateway) as pilot:
        await press(pilot, "x", "/", *"fishing", "enter")
        await press(pilot, "v", "down", "enter", *"open", "enter")
        assert "Saved as 'open'" in told(pilot)
        await press(pilot, "v", "home", "enter")
        assert len(rows(pilot)) == 4
    async with results(gateway) as pilot:
        await press(pilot, "v", "down", "enter")
        assert "2 of 4 samples, failures only, with 'fishing'" in text_of(pilot)
        await press(pilot, "v", "end", "enter", "enter")
        assert "Removed the view 'open'" in told(pilot)
    assert SavedViews(tmp_path).read() == []


async def test_a_broken_file_of_views_is_told_of_and_left_alone(tmp_path: Path) -> None:
    gateway = gateway_with_a_run()
    gateway.folder = tmp_path
    (tmp_path / "views.json").write_text('{"views": [', encoding="utf-8")
    async with results(gateway) as pilot:
        await press(pilot, "v")
        assert "views.json: line 1, column 12" in told(pilot)
        assert "save what is shown" not in text_of(pilot)
        await press(pilot, "escape")
        assert len(rows(pilot)) == 4
    assert (tmp_path / "views.json").read_text(encoding="utf-8") == '{"views": ['


async def test_what_is_shown_is_exported_and_told_where(tmp_path: Path) -> None:
    gateway = gateway_with_a_run()
    gateway.folder = tmp_path
    async with results(gateway) as pilot:
        await press(pilot, "x")
        for letter in "cjm":
            await press(pilot, "e", letter, "enter")
        written = {path.suffix: path for path in (tmp_path / "exports").iterdir()}
        assert all(str(path) in told(pilot) for path in written.values())
    with written[".csv"].open(encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    assert [row["outcome"] for row in table] == ["failed", "failed", "unscored"]
    assert table[0]["claim_support"] == str(1 / 3)
    lines = written[".jsonl"].read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["key"]["case_id"] for line in lines] == [
        *("var-001", "var-002", "var-002")
    ]
    text = written[".md"].read_text(encoding="utf-8")
    assert "3 of 4 samples, failures only" in text
    assert text.count("\n| ✘ failed") == 2


async def test_an_export_counts_as_people_say(tmp_path: Path) -> None:
    gateway = gateway_with_a_run()
    gateway.folder = tmp_path
    async with results(gateway) as pilot:
        await press(pilot, "down", "enter", "o", "c", "escape", "e", "c", "enter")
    (path,) = (tmp_path / "exports").iterdir()
    with path.open(encoding="utf-8", newline="") as file:
        outcomes = [row["outcome"] for row in csv.DictReader(file)]
    assert outcomes == ["failed", "failed", "failed", "unscored"]


async def test_an_export_goes_where_a_person_says(tmp_path: Path) -> None:
    gateway = gateway_with_a_run()
    gateway.folder = tmp_path / "workspace"
    kept = tmp_path / "kept.csv"
    kept.write_text("mine", encoding="utf-8")
    async with results(gateway) as pilot:

        async def write_to(path: str) -> str:
            await press(pilot, "e", "c")
            pilot.app.screen.query_one(Input).value = path
            await press(pilot, "enter")
            return text_of(pilot)

        assert "is a folder: add a name" in await write_to(str(tmp_path))
        await press(pilot, "escape")
        assert "name a file" in await write_to(" ")
        await press(pilot, "escape")
        assert "It is there already" in await write_to(str(kept))
        await press(pilot, "escape")
        assert kept.read_text("utf-8") == "mine"
        await write_to(str(kept))
        await press(pilot, "enter")
        assert (
            kept.read_text("utf-8").startswith("case_id")
            or "outcome" in (kept.read_text("utf-8").splitlines()[0])
        )
        await write_to(str(tmp_path / "none" / "kept.csv"))
        assert "there is no such folder" in told(pilot)
    assert not (tmp_path / "workspace").exists()
