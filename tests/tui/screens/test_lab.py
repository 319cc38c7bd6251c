"""Lab: the list, the form, the matrix, opening a cell, steering, what goes wrong."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from claimscope.core.errors import ModelError
from claimscope.core.models import RowScore, SampleRow
from claimscope.core.run.lab import Lab, LabCell
from claimscope.tui.ports.gateway import HostInfo, ModelInfo, SuiteInfo
from claimscope.tui.screens.lab.list import LabsScreen
from claimscope.tui.screens.lab.new import NewLabScreen
from claimscope.tui.screens.lab.screen import LabScreen
from claimscope.tui.screens.live import LiveScreen
from tests.tui.gateways import FakeGateway
from tests.tui.labs import METRICS, FakeLabs, judged, made_lab
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
from tests.tui.sample_run import run_header

HOST = "http://127.0.0.1:11434"


def furnished(cases: int = 10) -> FakeGateway:
    """A lab in which m:1b is better beyond noise, its last cell still answering."""
    lab = made_lab(cases)
    for name in ("m:1b t0", "m:1b t0.7"):
        lab = lab.with_cell(name, state="finished", answered=cases)
    unanswered = {"c9/1": "the reply was [b]empty[/b]"}
    lab = lab.with_cell(
        "n:2b t0", state="finished", answered=cases - 1, unanswered=unanswered
    )
    lab = lab.with_cell("n:2b t0.7", state="answering", answered=3)
    rows = {
        "m:1b t0": judged([0.9] * (cases - 1) + [None]),
        "m:1b t0.7": judged([0.1] * cases),
        "n:2b t0": judged([0.2] * cases),
    }
    gateway = FakeGateway(
        suite_list=[SuiteInfo("crane", "Crane", cases, "suite.json")],
        host_list=[HostInfo(HOST, "0.33.3", (ModelInfo("m:1b", HOST, "a" * 64, 9),))],
    )
    gateway.labs = FakeLabs(lab_list=[lab], rows=rows)
    return gateway


def state(gateway: FakeGateway, **update: object) -> Lab:
    """The lab of the gateway in another state."""
    lab = gateway.labs.lab_list[0].model_copy(update=update)
    gateway.labs.lab_list = [lab]
    return lab


async def test_without_labs_it_says_how_to_make_one() -> None:
    async with app_on(FakeGateway()).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "l")
        shown = text_of(pilot)
        assert (
            "No labs yet." in shown
            and "claimscope answers sweep SUITE --models" in shown
        )
        assert "enter open" not in shown
        check_snapshot(pilot, "labs_empty")


async def test_the_list_says_what_each_lab_varies() -> None:
    gateway = furnished()
    gateway.labs.problem_list = ["old/lab.json: this lab cannot be read."]
    async with app_on(gateway).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "l")
        shown = text_of(pilot)
        assert "▶ running 3/4 10 2026-11-27 12:00" in shown
        assert "models m:1b, n:2b" in shown and "temperature 0, 0.7" in shown
        assert "this lab cannot be read" in told(pilot)


async def test_the_matrix_marks_only_what_is_beyond_noise() -> None:
    async with app_on(furnished()).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "l", "enter")
        shown = text_of(pilot)
        assert "1.00 n9/10" in shown, "the pass rate is over what was judged"
        assert "▼ 0.00 n10" in shown
        assert "? 1 missing" in shown and "▶ 3/10 answers" in shown
        assert "best, beyond noise" not in shown, "a cell has no figures to be beaten"
        await press(pilot, "down", "down")
        shown = text_of(pilot)
        assert "c9/1: no answer: the reply was [b]empty[/b]" in shown
        assert "behind the highest, beyond noise" in shown
        check_snapshot(pilot, "lab")
        await check_pictures(pilot, "lab")


async def test_further_figures_are_a_key_away() -> None:
    async with app_on(furnished()).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "l", "enter")

        def head() -> str:
            return text_of(pilot).split("10 cases")[1].split("m:1b t0")[0]

        assert "pass rate" in head() and "structure" not in head()
        await press(pilot, *["right"] * 9)
        assert "structure" in head() and "pass rate" not in head()
        await press(pilot, *["left"] * 4)
        assert "pass rate" in head()


async def test_few_cases_are_said_to_show_nothing() -> None:
    async with app_on(furnished(cases=4)).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "l", "enter")
        shown = text_of(pilot)
        assert "4 cases are too few to tell a difference from noise" in shown
        assert "▼" not in shown and "▲" not in shown


async def test_a_cell_opens_as_a_run() -> None:
    gateway = furnished()
    cell: LabCell = gateway.labs.lab_list[0].cells[0]
    gateway.runs.create(run_header(run_id=cell.run_id)).save_state("running")
    app = app_on(gateway)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "l", "enter", "end", "enter")
        assert "n:2b t0.7 has no run yet: answering" in told(pilot)
        await press(pilot, "home", "enter")
        assert isinstance(app.screen, LiveScreen)


async def test_a_lab_is_read_once_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    gateway = furnished()
    app = app_on(gateway)
    begun, go_on, reads = threading.Event(), threading.Event(), list[str]()
    find = gateway.labs.lab

    def slow(lab_id: str) -> Lab:
        reads.append(lab_id)
        begun.set()
        go_on.wait(120)
        return find(lab_id)

    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "l", "enter")
        assert isinstance(app.screen, LabScreen)
        monkeypatch.setattr(gateway.labs, "lab", slow)
        app.screen.follow()
        while not begun.is_set():
            await pilot.pause(0.01)
        app.screen.follow()  # the next tick
        go_on.set()
        await settle(pilot)
        assert len(reads) == 1
        app.screen.follow()
        await settle(pilot)
        assert len(reads) == 2


async def test_pause_resume_and_cancel_are_asked_of_the_engine() -> None:
    gateway = furnished()
    app = app_on(gateway)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "l", "enter")
        assert "p pause" in text_of(pilot) and "r resume" not in text_of(pilot)
        await press(pilot, "p")
        assert "pausing" in text_of(pilot)
        state(gateway, state="paused")
        assert isinstance(app.screen, LabScreen)
        app.screen.follow()
        await settle(pilot)
        assert "pausing" not in text_of(pilot) and "‖ paused" in text_of(pilot)
        await press(pilot, "r", "x", "y")
        assert gateway.labs.asked == ["pause", "run", "cancel"]
        state(gateway, state="stopped", pid=None, error="the server went away")
        app.screen.follow()
        await settle(pilot)
        assert "✘ the server went away" in text_of(pilot)
        await press(pilot, "r")
        assert gateway.labs.resumed == [gateway.labs.lab_list[0].lab_id]


async def test_the_form_starts_a_lab_and_shows_it() -> None:
    gateway = furnished()
    app = app_on(gateway)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "l", "n", "ctrl+s")
        assert isinstance(app.screen, NewLabScreen)
        assert "✘ models: name one or more" in text_of(pilot)
        check_snapshot(pilot, "new_lab")
        await press(pilot, *"m:1b", "ctrl+s")
        assert isinstance(app.screen, LabScreen)
        (wanted,) = gateway.labs.started
        assert (wanted.suite, wanted.models) == ("crane", "m:1b")
        assert (wanted.temperatures, wanted.cases, wanted.iterations) == (
            "0, 0.7",
            None,
            1,
        )
        await press(pilot, "escape")
        assert isinstance(app.screen, LabsScreen)


async def test_what_the_engine_refuses_is_said_in_the_form() -> None:
    gateway = furnished()
    gateway.labs.failure = ModelError("Ollama has no model x:1b.", "Pull it.")
    async with app_on(gateway).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "l", "n", *"x:1b", "ctrl+s")
        assert "✘ Model call failed: Ollama has no model x:1b." in text_of(pilot)
        gateway.labs.failure = None
        await press(pilot, "ctrl+s")
        assert len(gateway.labs.started) == 1


def traded() -> FakeGateway:
    """One cell right in nine of ten cases, one of better prose (lengths 0.2, 0.9)."""
    gateway = furnished()
    right = judged([0.9] * 10, "m:1b t0")
    prose = judged([0.2] * 10, "m:1b t0.7")

    def with_length(rows: list[SampleRow], length: float) -> list[SampleRow]:
        at = METRICS.index("length")
        changed = RowScore(length, (0.0, 1.0), True)
        return [
            replace(r, values=(*r.values[:at], changed, *r.values[at + 1 :]))
            for r in rows
        ]

    gateway.labs.rows = {
        "m:1b t0": with_length(right, 0.2),
        "m:1b t0.7": with_length(prose, 0.9),
    }
    return gateway


async def test_quality_stands_beside_correctness_with_what_it_cost() -> None:
    async with app_on(traded()).run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await press(pilot, "l", "enter")
        matrix = "\n".join(lines_of(pilot)[:12])
        assert "attribution" in matrix
        await press(pilot, "v")
        matrix = "\n".join(lines_of(pilot)[:12])
        assert "attribution" not in matrix and "citation" not in matrix
        assert "accuracy" in matrix and "length" in matrix and "structure" in matrix
        assert (
            "m:1b t0.7 gains 0.70 length on m:1b t0, and loses 0.70 accuracy: beyond"
            in text_of(pilot)
        )
        await press(pilot, "v")
        assert "attribution" in text_of(pilot)
