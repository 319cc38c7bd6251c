"""Trends: runs of a suite in time, plotted and listed, and the way to each of them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest
from textual.pilot import Pilot

from claimscope.core.errors import JournalDamaged
from claimscope.core.models import Label, SampleResult
from claimscope.stores.runs.memory import MemoryRunReader
from claimscope.tui.screens import trends as trends_module
from claimscope.tui.screens.compare.screen import CompareScreen
from claimscope.tui.screens.results.screen import ResultsScreen
from claimscope.tui.screens.trends import TrendsScreen
from claimscope.tui.widgets.glyphs import ASCII
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


def run_id(day: int) -> str:
    return f"202611{day:02}-120000-ab{day:02}"


def a_run(
    gateway: FakeGateway, day: int, samples: Sequence[SampleResult], **fields: Any
) -> None:
    """A finished run of that day."""
    known = {
        "created": f"2026-11-{day:02}T12:00:00Z",
        "total_samples": len(samples),
        "providers": ("alpha",),
    }
    writer = gateway.runs.create(fakes.header(run_id(day), **{**known, **fields}))
    for sample in samples:
        writer.save_sample(sample)
    writer.save_state("finished")
    writer.close()


def failing(bad: int, total: int = 12) -> list[SampleResult]:
    """A sample a case; the first `bad` fail."""
    labels = [Label.CONTRADICTED] * bad + [Label.SUPPORTED] * (total - bad)
    return [fakes.sample(f"c{n:02}", label=label) for n, label in enumerate(labels)]


def gateway_with_runs() -> FakeGateway:
    """Five runs: two alike, a fall beyond noise with another model, then a rise."""
    gateway = FakeGateway()
    for day, bad in ((1, 2), (2, 3), (3, 11), (4, 11), (5, 2)):
        a_run(gateway, day, failing(bad), model="elm:4b" if day > 2 else "oak:2b")
    return gateway


@asynccontextmanager
async def trends(
    gateway: FakeGateway,
    *keys: str,
    size: tuple[int, int] = (80, 24),
    suite: str | None = None,
    **options: Any,
) -> AsyncIterator[Pilot[None]]:
    app = app_on(gateway, **options)
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        pilot.app.push_screen(TrendsScreen(app.context, suite))
        await settle(pilot)
        await press(pilot, *keys)
        yield pilot


def rows(pilot: Pilot[None]) -> list[str]:
    """The runs on the screen, spaces squeezed."""
    lines = [" ".join(line.split()) for line in lines_of(pilot)]
    begin = next(n for n, line in enumerate(lines) if line.startswith("# begun"))
    return [line for line in lines[begin + 1 :] if " 12:00 " in line]


async def test_each_run_is_a_line_and_a_dot() -> None:
    async with trends(gateway_with_runs()) as pilot:
        first, second, third, fourth, fifth = rows(pilot)
        assert first.startswith("1 2026-11-01 12:00 0.833 [")
        assert first.endswith("12/12 first run")
        assert second.endswith("12/12 -0.083 ≈ within noise")
        assert third.endswith("12/12 -0.667 ▼ worse")
        assert fourth.endswith("+0.000 ≈ same")
        assert fifth.endswith("+0.750 ▲ better")
        shown = text_of(pilot)
        assert "reservoirs 5 finished runs pass_rate" in shown
        assert f"5 run {run_id(5)}" in shown
        check_snapshot(pilot, "trends")
        await check_pictures(pilot, "trends")


async def test_the_plot_marks_moves_beyond_noise_and_the_run_in_hand() -> None:
    async with trends(gateway_with_runs()) as pilot:
        plot = "\n".join(lines_of(pilot)[1:11])
        assert (plot.count("●"), plot.count("▼"), plot.count("◆")) == (3, 1, 1)
        await press(pilot, "up")
        plot = "\n".join(lines_of(pilot)[1:11])
        assert (plot.count("●"), plot.count("▲"), plot.count("◆")) == (2, 1, 1)


async def test_what_makes_a_step_less_comparable_is_said() -> None:
    async with trends(gateway_with_runs(), "up", "up") as pilot:
        shown = text_of(pilot)
        assert "12 samples in common with the run before" in shown
        assert "not the same as before: model: oak:2b -> elm:4b" in shown


async def test_a_wide_screen_says_it_in_the_table() -> None:
    async with trends(gateway_with_runs(), size=(120, 40)) as pilot:
        assert rows(pilot)[2].endswith("▼ worse model")
        check_snapshot(pilot, "trends_wide")


async def test_left_right_and_a_dialog_choose_the_figure() -> None:
    async with trends(gateway_with_runs(), "right") as pilot:
        assert "5 finished runs faithfulness" in text_of(pilot)
        await press(pilot, "right")
        assert "5 finished runs pass_rate" in text_of(pilot)
        await press(pilot, "m", "down", "enter")
        assert "5 finished runs faithfulness" in text_of(pilot)


async def test_enter_opens_the_results_and_c_compares_with_the_run_before() -> None:
    async with trends(gateway_with_runs(), "up", "up", "c") as pilot:
        assert isinstance(pilot.app.screen, CompareScreen)
        shown = text_of(pilot)
        assert f"A {run_id(2)}" in shown and f"B {run_id(3)}" in shown
        await press(pilot, "escape", "enter")
        assert isinstance(pilot.app.screen, ResultsScreen)
        assert run_id(3) in text_of(pilot)
        await press(pilot, "escape", "home", "c")
        assert "there is none before to compare with" in told(pilot)


async def test_one_run_is_a_dot_and_says_what_a_trend_takes() -> None:
    gateway = FakeGateway()
    a_run(gateway, 1, failing(4))
    async with trends(gateway) as pilot:
        shown = text_of(pilot)
        assert "One finished run: a trend takes two." in shown
        assert "1 finished run pass_rate" in shown
        assert "◆" in shown


async def test_without_a_finished_run_it_says_what_to_do() -> None:
    async with trends(FakeGateway()) as pilot:
        shown = text_of(pilot)
        assert shown.count("there is no finished run in this workspace") == 1
        assert "claimscope run SUITE" in shown
        await press(pilot, "enter", "c", "left", "m", "escape", "s", "a")
        assert isinstance(pilot.app.screen, TrendsScreen)


async def test_a_figure_without_a_value_is_no_zero() -> None:
    gateway = FakeGateway()
    a_run(gateway, 1, failing(0))
    unscored = [fakes.sample(f"c{n:02}", label=Label.UNSCORED) for n in range(12)]
    a_run(gateway, 2, unscored)
    async with trends(gateway) as pilot:
        assert rows(pilot)[1] == "2 2026-11-02 12:00 – 0/12 – no pair"
        assert "12 unscored" in text_of(pilot)
        await press(pilot, "up")
        assert "\n".join(lines_of(pilot)[1:11]).count("◆") == 1


async def test_a_suite_is_chosen_and_runs_that_go_on_are_counted_beside() -> None:
    gateway = gateway_with_runs()
    a_run(gateway, 6, failing(1), suite_id="lakes")
    gateway.runs.create(fakes.header(run_id(7), created="2026-11-07T12:00:00Z"))
    async with trends(gateway) as pilot:
        assert "lakes 1 finished run " in text_of(pilot)
        await press(pilot, "s", "down", "enter")
        assert "reservoirs 5 finished runs, 1 not finished" in text_of(pilot)


async def test_only_the_newest_runs_are_read_until_all_are_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(trends_module, "NEWEST", 2)
    async with trends(gateway_with_runs()) as pilot:
        assert "2 finished runs, 3 older (a: all)" in text_of(pilot)
        await press(pilot, "a")
        assert "5 finished runs pass_rate" in text_of(pilot)


async def test_a_damaged_run_is_named_and_the_others_are_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    samples = MemoryRunReader.samples

    def damaged(reader: MemoryRunReader) -> Sequence[SampleResult]:
        if reader.status().header.run_id == run_id(3):
            raise JournalDamaged("run.journal: damaged at byte 100.", "Copy it back.")
        return samples(reader)

    monkeypatch.setattr(MemoryRunReader, "samples", damaged)
    async with trends(gateway_with_runs()) as pilot:
        shown = text_of(pilot)
        assert "4 finished runs, 1 unreadable" in shown
        assert f"✘ {run_id(3)}: run.journal: damaged at byte 100." in shown


async def test_ascii_signs_everywhere() -> None:
    async with trends(gateway_with_runs(), glyphs=ASCII) as pilot:
        shown = "\n".join(lines_of(pilot))
        assert "@" in shown and "v worse" in shown
        assert shown.isascii()
