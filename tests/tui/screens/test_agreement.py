"""Agreement: what the Judge screen leads to, full, empty and damaged."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from textual.pilot import Pilot

from claimscope.core.errors import JournalDamaged
from claimscope.core.models import HumanVerdict, Label
from claimscope.stores.runs.memory import MemoryRunStore
from claimscope.tui.screens.agreement import AgreementScreen
from claimscope.tui.screens.judge import JudgeScreen
from tests.doubles import fakes
from tests.tui.gateways import FakeGateway
from tests.tui.pilot import app_on, check_snapshot, press, settle, text_of

FIRST, SECOND = "20261127-120000-ab12", "20261128-120000-cd34"


def judged_run(gateway: FakeGateway, run_id: str, count: int) -> None:
    """A run in which people looked at all, and overruled every fourth verdict."""
    created = f"2026-11-{run_id[6:8]}T12:00:00Z"
    writer = gateway.runs.create(
        fakes.header(run_id, total_samples=count, created=created)
    )
    reader = gateway.runs.read(run_id)
    for n in range(count):
        machine = Label.SUPPORTED if n % 2 else Label.CONTRADICTED
        other = Label.CONTRADICTED if n % 2 else Label.SUPPORTED
        sample = fakes.sample(f"c{n}", label=machine)
        writer.save_sample(sample)
        reader.save_human(
            HumanVerdict(
                sample=sample.key,
                claim_index=0,
                machine=machine,
                human=other if n % 4 == 0 else machine,
                at="2026-11-27T13:00:00Z",
                by="ann",
            )
        )
    writer.save_state("finished")
    writer.close()


@asynccontextmanager
async def agreement(gateway: FakeGateway) -> AsyncIterator[Pilot[None]]:
    """The screen as one comes to it from Judge."""
    async with app_on(gateway).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "g")
        assert isinstance(pilot.app.screen, JudgeScreen)
        assert "a agreement" in text_of(pilot)
        await press(pilot, "a")
        assert isinstance(pilot.app.screen, AgreementScreen)
        yield pilot


async def test_table_kappa_and_note_can_be_read_and_scrolled() -> None:
    gateway = FakeGateway()
    judged_run(gateway, FIRST, 40)
    async with agreement(gateway) as pilot:
        shown = text_of(pilot)
        assert f"judge against people, run {FIRST}" in shown
        assert "judge, people: supported contradicted" in shown
        assert "same label 0.750 (95%" in shown
        check_snapshot(pilot, "agreement")
        await press(pilot, "end")
        assert "Labels come from what people chose to look at" in text_of(pilot)
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, JudgeScreen)


async def test_all_runs_or_only_the_last() -> None:
    gateway = FakeGateway()
    judged_run(gateway, FIRST, 40)
    judged_run(gateway, SECOND, 20)
    async with agreement(gateway) as pilot:
        assert "judge against people, 2 runs" in text_of(pilot)
        await press(pilot, "l")
        assert f"run {SECOND}" in text_of(pilot)
        await press(pilot, "l")
        assert "2 runs" in text_of(pilot)


async def test_without_a_word_or_a_run_it_says_what_to_do() -> None:
    gateway = FakeGateway()
    async with agreement(gateway) as pilot:
        assert "There is no run yet." in text_of(pilot)
        fakes.finished_run(gateway.runs)
        await press(pilot, "r")
        assert "Nobody has agreed with a verdict or overruled one yet" in text_of(pilot)


async def test_a_run_that_cannot_be_read_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gateway = FakeGateway()
    judged_run(gateway, FIRST, 40)

    def damaged(store: MemoryRunStore, run_id: str) -> object:
        raise JournalDamaged("run.journal: damaged at byte 100.", "Copy it back.")

    monkeypatch.setattr(MemoryRunStore, "read", damaged)
    async with agreement(gateway) as pilot:
        shown = text_of(pilot)
        assert "Journal is damaged: run.journal: damaged at byte 100." in shown
        assert "There is no run yet" not in shown


async def test_calibration_is_plotted_with_what_it_is_over() -> None:
    gateway = FakeGateway()
    judged_run(gateway, FIRST, 40)
    async with agreement(gateway) as pilot:
        await press(pilot, "c")
        shown = text_of(pilot)
        assert "40 claims, calibration error 0." in shown
        assert "0 without a probability" in shown
        assert "●" in shown and "judge, people:" not in shown
        await press(pilot, "c")
        assert "judge, people:" in text_of(pilot)


async def test_no_calibration_without_a_word_of_people() -> None:
    async with agreement(FakeGateway()) as pilot:
        await press(pilot, "c")
        assert "No claim that people looked at has a probability" in text_of(pilot)
