"""A live run: what is shown while it goes, what is asked of the engine, its ends."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Any

import pytest
from rich.console import RenderableType
from textual._compositor import CompositorUpdate
from textual.pilot import Pilot
from textual.screen import Screen
from textual.timer import Timer

from claimscope.core.analysis.summary.cost import Prices
from claimscope.core.errors import StoreError
from claimscope.core.models import SampleKey, Usage
from claimscope.core.ports import ModelState
from claimscope.stores.runs.memory import MemoryRunWriter
from claimscope.tui.app.painter import Painter
from claimscope.tui.screens.base.view import OpenRun, ScreenContext
from claimscope.tui.screens.home.screen import HomeScreen
from claimscope.tui.screens.live import LiveScreen
from claimscope.tui.screens.results.screen import ResultsScreen
from claimscope.tui.views.run import clock, seconds_left
from tests.tui.gateways import FakeGateway
from tests.tui.pictures import check_pictures
from tests.tui.pilot import (
    NEVER,
    NOW,
    app_on,
    check_snapshot,
    press,
    settle,
    text_of,
    told,
)
from tests.tui.sample_run import RUN_ID, failed_sample, passed_sample, run_header


class Clock:
    """Time that goes on when it is told to."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> datetime:
        return NOW + timedelta(seconds=self.seconds)


@asynccontextmanager
async def following(
    gateway: FakeGateway, now: Clock | None = None, poll_seconds: float = NEVER
) -> AsyncIterator[Pilot[None]]:
    """The app on the live screen of the run of `gateway`."""
    more = {"now": now} if now else {}
    app = app_on(gateway, poll_seconds=poll_seconds, **more)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        app.post_message(OpenRun(RUN_ID))
        await settle(pilot)
        await settle(pilot)
        assert isinstance(app.screen, LiveScreen)
        yield pilot


def begin(gateway: FakeGateway, total: int = 20) -> MemoryRunWriter:
    """A run that has just begun."""
    writer = gateway.runs.create(run_header(total_samples=total))
    writer.save_state("running")
    return writer


def finish(writer: MemoryRunWriter, number: int) -> None:
    """One more sample is done; odd ones fail."""
    sample = failed_sample() if number % 2 else passed_sample()
    key = SampleKey(case_id=f"var-{number:03}", provider="alder")
    usage = Usage()
    writer.save_sample(sample.model_copy(update={"key": key, "usage": usage}))


async def follow(pilot: Pilot[None]) -> None:
    """Lets the screen read what was appended."""
    screen = pilot.app.screen
    assert isinstance(screen, LiveScreen)
    screen.follow()
    await settle(pilot)


async def test_it_follows_a_run_as_it_is_written() -> None:
    gateway, now = FakeGateway(), Clock()
    writer = begin(gateway)
    async with following(gateway, now) as pilot:
        assert "▶ running Reservoirs of Varn" in text_of(pilot)
        assert "0 of 20 0 %" in text_of(pilot)
        assert "No sample is finished yet." in text_of(pilot)
        assert "getting ready: pages are read" in text_of(pilot)
        for number in range(1, 6):
            finish(writer, number)
            now.seconds += 2
            await follow(pilot)
        await check_pictures(pilot, "live")
        writer.save_note("Ollama was busy; tried again after 2 s")
        await follow(pilot)
        shown = text_of(pilot)
        assert "5 of 20 25 % 0.5/s ETA 0:30" in shown
        assert "getting ready" not in shown
        assert "✔ 2 passed ✘ 3 failed – 0 unscored of 5 finished" in shown
        assert "✘ failed var-005 alder contradicted claim" in shown
        assert "so far: claim_support" in shown and "(over " in shown
        assert "Ollama was busy" in shown
    writer.close()


async def test_tokens_are_shown_when_there_are_any() -> None:
    gateway = FakeGateway()
    writer = begin(gateway)
    writer.save_sample(failed_sample())
    async with following(gateway) as pilot:
        assert "200 tokens in, 20 out, model calls: 1" in text_of(pilot)
        check_snapshot(pilot, "live")
    writer.close()


def timed(concurrency: int, **usage: float) -> float | None:
    """Seconds left of a run of 20 samples of which 4 are done, at 2 a second."""
    status = FakeGateway().runs.create(run_header(total_samples=20)).status()
    header = status.header.model_copy(update={"concurrency": concurrency})
    spent = Usage.model_validate(usage)
    changed = {"header": header, "usage": spent, "completed": 4}
    return seconds_left(status.model_copy(update=changed), 2.0)


def test_time_to_go_is_of_calls_where_there_are_any() -> None:
    # 3 calls a sample of 5 s each: 16 samples take 240 s, one at a time.
    assert timed(1, calls=12, model_seconds=60.0) == pytest.approx(240)
    assert timed(4, calls=12, model_seconds=60.0) == pytest.approx(60)
    # More at once than samples are left helps nobody.
    assert timed(64, calls=12, model_seconds=60.0) == pytest.approx(15)
    loading = timed(1, calls=12, model_seconds=100.0, load_seconds=40.0)
    assert loading == pytest.approx(240)
    assert timed(1) == pytest.approx(8)


async def test_money_is_told_where_a_price_is_set() -> None:
    gateway = FakeGateway(price=Prices(prompt=100.0, completion=1000.0, currency="EUR"))
    writer = begin(gateway)
    writer.save_sample(failed_sample())
    async with following(gateway) as pilot:
        # 200 prompt tokens at 100 a million, 20 written ones at 1,000
        assert "time 0:00, cost 0.0400 EUR" in text_of(pilot)
    writer.close()


async def test_samples_that_failed_for_one_reason_are_one_entry_of_the_log() -> None:
    gateway = FakeGateway()
    writer = begin(gateway)
    down = "Server is down: no answer at [::1]:11434\n  start it with `ollama serve`"
    writer.save_note("c0/alder/1: Prompt does not fit: too long\n  raise num_ctx")
    for number in range(200):
        writer.save_note(f"c{number}/alder/1: {down}")
    async with following(gateway) as pilot:
        shown = text_of(pilot)
        assert "c199/alder/1: Server is down: no answer at [::1]:11434" in shown
        assert "start it with `ollama serve` (and 199 more samples)" in shown
        assert "c0/alder/1: Prompt does not fit: too long" in shown
    writer.close()


async def test_a_burst_of_events_is_one_paint_and_ticks_come_twice_a_second(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ticks: list[float] = []
    every = LiveScreen.set_interval

    def noted(screen: LiveScreen, interval: float, call: Any, **more: Any) -> Timer:
        if call == screen.follow:  # Textual has timers of its own
            ticks.append(interval)
            interval = NEVER
        return every(screen, interval, call, **more)

    monkeypatch.setattr(LiveScreen, "set_interval", noted)
    gateway = FakeGateway()
    writer = begin(gateway, total=300)
    for number in range(100):
        finish(writer, number)
    async with following(gateway, poll_seconds=ScreenContext.poll_seconds) as pilot:
        assert ticks == [0.5]
        painter, paints = Painter(), list[CompositorUpdate]()
        size, console = (80, 24), pilot.app.console
        whole = pilot.app.screen._compositor.render_update(full=True)
        assert isinstance(whole, CompositorUpdate)
        painter.changes(whole, size, console)
        paint = pilot.app._display

        def counted(screen: Screen[object], drawn: RenderableType | None) -> None:
            assert isinstance(drawn, CompositorUpdate)
            if sent := painter.changes(drawn, size, console):
                paints.append(sent)
            paint(screen, drawn)

        monkeypatch.setattr(pilot.app, "_display", counted)
        for number in range(100, 300):
            finish(writer, number)
            await pilot.pause()
        assert paints == []
        await follow(pilot)
        assert len(paints) == 1
        assert "300 of 300" in text_of(pilot)
    writer.close()


async def test_a_reading_that_takes_long_is_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gateway = FakeGateway()
    writer = begin(gateway)
    begun, go_on = threading.Event(), threading.Event()
    async with following(gateway) as pilot:
        screen = pilot.app.screen
        assert isinstance(screen, LiveScreen)
        finish(writer, 2)
        refresh = screen._run.refresh

        def slow() -> bool:
            is_changed = refresh()
            begun.set()
            go_on.wait(120)
            return is_changed

        monkeypatch.setattr(screen._run, "refresh", slow)
        screen.follow()
        while not begun.is_set():
            await pilot.pause(0.01)
        screen.follow()  # the next tick
        go_on.set()
        await settle(pilot)
        assert "var-002" in text_of(pilot)
    writer.close()


async def test_what_the_models_do_is_shown_as_it_changes() -> None:
    gateway = FakeGateway()
    writer = begin(gateway)
    writer.save_model_state(ModelState("http://127.0.0.1:1", "m:7b", "loading", 3600))
    async with following(gateway) as pilot:
        assert "now: loading m:7b, 1 h 00 min" in text_of(pilot)
        writer.save_model_state(
            ModelState("http://127.0.0.1:1", "m:7b", "reading", 7200)
        )
        writer.save_model_state(ModelState("http://127.0.0.1:2", "m:7b", "idle", 9.0))
        await follow(pilot)
        shown = text_of(pilot)
        assert "m:7b reads the prompt at 127.0.0.1:1, 2 h 00 min" in shown
        assert "m:7b is idle at 127.0.0.1:2" in shown
        writer.save_state("finished")
        writer.close()
        await follow(pilot)
        assert "now:" not in text_of(pilot)


async def test_the_pace_of_a_model_and_the_share_of_its_cache_are_shown() -> None:
    usage = Usage(
        calls=4,
        prompt_tokens=1000,
        cached_tokens=750,
        completion_tokens=60,
        model_seconds=70.0,
        prompt_seconds=2.0,
        load_seconds=38.0,
    )
    gateway = FakeGateway()
    writer = begin(gateway)
    writer.save_sample(passed_sample().model_copy(update={"usage": usage}))
    async with following(gateway) as pilot:
        assert (
            "reads 125 tokens/s, writes 2/s, 75 % of the prompts from the cache, "
            "loading 0:38" in text_of(pilot)
        )
    writer.close()


async def test_pause_and_resume_leave_a_request_to_the_engine() -> None:
    gateway = FakeGateway()
    writer = begin(gateway)
    async with following(gateway) as pilot:
        await press(pilot, "p")
        assert writer.control() == "pause"
        assert "Pause was asked for; calls in flight end first." in text_of(pilot)
        writer.save_state("paused")
        await follow(pilot)
        assert "‖ paused" in text_of(pilot)
        assert "Pause was asked for" not in text_of(pilot)
        await press(pilot, "p")
        assert writer.control() == "pause"
        await press(pilot, "r")
        assert writer.control() == "run"
        writer.save_state("running")
        await follow(pilot)
        assert "▶ running" in text_of(pilot)
        assert gateway.resumed == []
    writer.close()


async def test_cancel_asks_first() -> None:
    gateway = FakeGateway()
    writer = begin(gateway)
    async with following(gateway) as pilot:
        await press(pilot, "x", "enter")
        assert writer.control() == "run"
        await press(pilot, "x", "y")
        assert writer.control() == "cancel"
        writer.save_state("cancelled")
        writer.close()
        await follow(pilot)
        assert "Cancelled. What was finished is saved." in text_of(pilot)


async def test_a_killed_run_says_so_and_is_started_again() -> None:
    gateway = FakeGateway()
    writer = begin(gateway)
    finish(writer, 1)
    async with following(gateway) as pilot:
        writer.close()
        await follow(pilot)
        shown = text_of(pilot)
        assert "■ stopped" in shown
        assert "The engine is gone" in shown and "r: resume" in shown
        check_snapshot(pilot, "live_stopped")
        await press(pilot, "r")
        assert gateway.resumed == [RUN_ID]


async def test_a_run_that_cannot_be_resumed_says_why() -> None:
    gateway = FakeGateway(
        failure=StoreError("The suite has changed.", "Start a new run.")
    )
    begin(gateway).close()
    async with following(gateway) as pilot:
        await press(pilot, "r")
        assert "The suite has changed." in told(pilot)
        assert "Start a new run." in told(pilot)


async def test_a_finished_run_leads_to_its_results() -> None:
    gateway = FakeGateway()
    writer = begin(gateway, total=2)
    async with following(gateway) as pilot:
        finish(writer, 1)
        finish(writer, 2)
        writer.save_state("finished")
        writer.close()
        await follow(pilot)
        assert "Finished. enter: results" in text_of(pilot)
        assert "p pause" not in text_of(pilot)
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, ResultsScreen)


async def test_leaving_leaves_the_run_alone() -> None:
    gateway = FakeGateway()
    writer = begin(gateway)
    async with following(gateway) as pilot:
        await press(pilot, "d")
        assert isinstance(pilot.app.screen, HomeScreen)
        assert writer.control() == "run"
    writer.close()


async def test_an_error_of_the_run_is_shown() -> None:
    gateway = FakeGateway()
    writer = begin(gateway)
    async with following(gateway) as pilot:
        writer.save_state("failed", "The disk is full [/run].")
        writer.close()
        await follow(pilot)
        assert "Error The disk is full [/run]." in text_of(pilot)


async def test_nothing_is_drawn_again_when_nothing_is_new() -> None:
    gateway = FakeGateway()
    writer = begin(gateway)
    async with following(gateway) as pilot:
        screen = pilot.app.screen
        figures = screen.query_one("#live-figures")
        drawn: list[object] = []
        figures.show = drawn.append  # type: ignore[attr-defined]
        await follow(pilot)
        assert drawn == []
        finish(writer, 1)
        await follow(pilot)
        assert len(drawn) == 1
    writer.close()


def test_durations_read_like_a_clock() -> None:
    assert [clock(s) for s in (0, 59.6, 61, 3723)] == [
        "0:00",
        "1:00",
        "1:01",
        "1:02:03",
    ]
