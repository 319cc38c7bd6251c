"""Home: what is there, what to do when nothing is, what is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from textual.widgets import Select

from claimscope.core.errors import StoreError, SuiteError
from claimscope.tui.ports.gateway import CorpusInfo, HealthCheck, NewRun, SuiteInfo
from claimscope.tui.screens.home.screen import HomeScreen
from claimscope.tui.screens.live import LiveScreen
from claimscope.tui.screens.new_run import NewRunScreen
from claimscope.tui.screens.pages.screen import PagesScreen
from claimscope.tui.screens.results.screen import ResultsScreen
from claimscope.tui.screens.suite.screen import SuiteScreen
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
from tests.tui.sample_run import failed_sample, finished_run, run_header


def furnished() -> FakeGateway:
    """A gateway with something in every list."""
    gateway = FakeGateway(
        suite_list=[
            SuiteInfo("reservoirs", "Reservoirs of Varn", 2, "reservoirs"),
            SuiteInfo("odd", "", 0, "odd.json", "case 7, field id: missing"),
        ],
        corpus_list=[CorpusInfo("varn", 40, 1312, "mini@1/fp32", "abcdef0123456789")],
        checks=[
            HealthCheck("index", "ok", "1 corpus"),
            HealthCheck("Ollama", "warning", "does not answer", "ollama serve"),
        ],
    )
    finished_run(gateway.runs)
    return gateway


async def test_home_shows_suites_pages_runs_and_health() -> None:
    async with app_on(furnished()).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        shown = text_of(pilot)
        assert "Reservoirs of Varn" in shown
        assert "✘ odd: case 7" in shown
        assert "1,312" in shown
        assert "✔ finished 4/4 1 2 1 2026-11-27 12:00" in shown
        assert "? Ollama: does not answer ollama serve" in shown
        assert "✔ index: 1 corpus" in shown
        check_snapshot(pilot, "home")
        await check_pictures(pilot, "home")


async def test_an_empty_workspace_says_what_to_do() -> None:
    async with app_on(FakeGateway()).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        shown = text_of(pilot)
        assert "No runs yet. Ways to begin: d the demo" in shown
        assert "i index a folder of pages of your own" in shown
        assert "o open a suite of yours, or import" in shown
        check_snapshot(pilot, "home_empty")


async def test_enter_opens_a_finished_run_at_its_results() -> None:
    app = app_on(furnished())
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "enter")
        assert isinstance(app.screen, ResultsScreen)


async def test_enter_follows_a_run_that_is_at_work() -> None:
    gateway = furnished()
    writer = gateway.runs.create(
        run_header(run_id="20261128-090000-cd34", created="2026-11-28T09:00:00Z")
    )
    writer.save_state("running")
    app = app_on(gateway)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "▶ running" in text_of(pilot)
        await press(pilot, "enter")
        assert isinstance(app.screen, LiveScreen)
        writer.save_sample(failed_sample())
        await press(pilot, "escape")
        assert "1/4" in text_of(pilot)
    writer.close()


async def test_s_and_n_mean_the_suite_of_the_run_under_the_cursor() -> None:
    gateway = furnished()
    gateway.suite_list.insert(0, SuiteInfo("kilns", "Kilns", 9, "kilns"))
    app = app_on(gateway)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "n")
        assert isinstance(app.screen, NewRunScreen)
        assert app.screen.query_one("#new-suite", Select).value == "reservoirs"
        await press(pilot, "escape", "s")
        assert isinstance(app.screen, SuiteScreen)
        assert app.screen._path == Path("reservoirs")
        app.pop_screen()
        await settle(pilot)
        app.screen.query_one("#home-suites").focus()
        await press(pilot, "n")
        assert isinstance(app.screen, NewRunScreen)
        assert app.screen.query_one("#new-suite", Select).value == "kilns"


async def test_runs_are_read_again_while_one_looks_at_them() -> None:
    gateway = furnished()
    writer = gateway.runs.create(
        run_header(run_id="20261128-090000-cd34", created="2026-11-28T09:00:00Z")
    )
    writer.save_state("running")
    app = app_on(gateway)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "running" in text_of(pilot)
        writer.save_state("paused")
        screen = app.screen
        assert isinstance(screen, HomeScreen)
        assert screen._next is not None  # the clock of the next look
        screen._look()
        await settle(pilot)
        assert "paused" in text_of(pilot)
        await press(pilot, "down")
        writer = gateway.runs.create(
            run_header(run_id="20261128-100000-ef56", created="2026-11-28T10:00:00Z")
        )
        writer.save_state("running")
        in_hand = screen._run_in_hand()
        screen._look()
        await settle(pilot)
        now = screen._run_in_hand()
        assert in_hand is not None and now is not None
        assert now.header.run_id == in_hand.header.run_id


async def test_messages_stand_above_the_keys() -> None:
    app = app_on(furnished())
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        app.notify("x " * 60)
        await settle(pilot)
        assert lines_of(pilot)[-1].endswith("? more keys")


async def test_enter_on_a_suite_asks_for_a_new_run_of_it() -> None:
    app = app_on(furnished())
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        app.screen.query_one("#home-suites").focus()
        await press(pilot, "enter")
        assert isinstance(app.screen, NewRunScreen)
        assert app.screen.query_one("#new-suite").value == "reservoirs"  # type: ignore[attr-defined]


async def test_enter_on_a_corpus_opens_its_pages() -> None:
    app = app_on(furnished())
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        app.screen.query_one("#home-corpora").focus()
        await press(pilot, "enter")
        assert isinstance(app.screen, PagesScreen)
        assert "varn 40 1,312 mini@1/fp32" in text_of(pilot)


async def test_d_runs_the_demo_without_a_model_when_there_is_none() -> None:
    gateway = furnished()
    gateway.next_run_id = next(iter(gateway.runs.runs())).header.run_id
    app = app_on(gateway)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "d")
        assert gateway.started == [NewRun("medicine")]
        assert isinstance(app.screen, ResultsScreen)


async def test_o_imports_a_file_by_keys_alone_and_says_what_was_left(
    tmp_path: Path,
) -> None:
    file = tmp_path / "rows.json"
    case = {"id": "v-1", "question": "When was it filled?"}
    suite = {"format": "claimscope.suite", "version": 1, "id": "rows", "cases": [case]}
    file.write_text(json.dumps(suite))
    gateway = FakeGateway()
    app = app_on(gateway)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        await press(pilot, "o")
        await pilot.press(*str(tmp_path / "row"))
        await settle(pilot)
        await press(pilot, "right", "enter")
        assert gateway.library.imported == [file]
        assert isinstance(app.screen, SuiteScreen)
        assert "When was it filled?" in text_of(pilot)
        said = told(pilot)
        assert "ragas: 2 cases were taken. No place for: owner, [b]asserts." in said
        assert "1 row was not taken. row 3: no [b]question" in said


async def test_a_file_that_cannot_be_imported_is_told_with_its_remedy(
    tmp_path: Path,
) -> None:
    (tmp_path / "odd.json").write_text("{")
    gateway = FakeGateway()
    gateway.library.failure = SuiteError("odd.json, line 1: not JSON.", "Correct it.")
    app = app_on(gateway)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        await press(pilot, "o")
        await pilot.press(*str(tmp_path / "odd.json"), "enter")
        await settle(pilot)
        assert "odd.json, line 1: not JSON." in told(pilot)
        assert "Correct it." in told(pilot)
        assert isinstance(app.screen, HomeScreen)


async def test_what_cannot_be_read_is_told_with_its_remedy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gateway = furnished()

    def broken() -> list[SuiteInfo]:
        raise StoreError("suites: permission denied.", "Change the owner.")

    monkeypatch.setattr(gateway, "suites", broken)
    async with app_on(gateway).run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        assert "suites: permission denied." in text_of(pilot)
        assert "Change the owner." in told(pilot)
        assert "1,312" in text_of(pilot)


async def test_reload_reads_again() -> None:
    gateway = FakeGateway()
    async with app_on(gateway).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        finished_run(gateway.runs)
        await press(pilot, "r")
        assert "✔ finished" in text_of(pilot)
