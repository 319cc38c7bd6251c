"""New run: what the form asks for, what it refuses, what it starts."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, OptionList, Select

from claimscope.core.errors import SuiteError
from claimscope.tui.ports.gateway import HostInfo, ModelInfo, NewRun, SuiteInfo
from claimscope.tui.screens.home.screen import HomeScreen
from claimscope.tui.screens.live import LiveScreen
from claimscope.tui.screens.new_run import NewRunScreen
from tests.tui.gateways import FakeGateway
from tests.tui.pictures import check_pictures
from tests.tui.pilot import app_on, check_snapshot, press, settle, text_of
from tests.tui.sample_run import RUN_ID, run_header

URL = "http://127.0.0.1:11434"


@asynccontextmanager
async def form(gateway: FakeGateway) -> AsyncIterator[Pilot[None]]:
    """The app on the form."""
    app = app_on(gateway)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "n")
        assert isinstance(app.screen, NewRunScreen)
        yield pilot


def gateway_with_suites() -> FakeGateway:
    return FakeGateway(
        suite_list=[
            SuiteInfo("medicine", "Medicine", 20, "medicine"),
            SuiteInfo("courses", "Courses", 15, "courses"),
        ],
        host_list=[
            HostInfo(
                URL,
                "0.33.3",
                (
                    ModelInfo("small:1b", URL, "a" * 64, 1_000_000_000),
                    ModelInfo("good:7b", URL, "b" * 64, 5_000_000_000, fitness="fit"),
                    ModelInfo("bad:1b", URL, "c" * 64, 1_000_000_000, fitness="unfit"),
                    ModelInfo(
                        "big:cloud", URL, "d" * 64, 300, refused="runs elsewhere"
                    ),
                ),
            )
        ],
    )


def fill(pilot: Pilot[None], **values: str) -> None:
    """Fills fields by name."""
    for name, value in values.items():
        widget = pilot.app.screen.query_one(f"#new-{name}")
        assert isinstance(widget, Input | Select)
        widget.value = value


async def test_no_list_has_an_empty_line_to_choose() -> None:
    async with form(gateway_with_suites()) as pilot:
        for select in pilot.app.screen.query(Select):
            select.expanded = True
            await settle(pilot)
            lines = select.query_one(OptionList).options
            assert [line for line in lines if not str(line.prompt).strip()] == []
            assert not any(str(line.prompt) == "Select" for line in lines)
            select.expanded = False
    async with form(FakeGateway()) as pilot:
        await press(pilot, "ctrl+s")
        assert "suite: choose one" in text_of(pilot)


async def test_the_form_shows_suites_and_models() -> None:
    async with form(gateway_with_suites()) as pilot:
        shown = text_of(pilot)
        assert "Medicine (20 cases)" in shown
        assert "without a model: evidence and rules" in shown
        assert f"models at {URL}: small:1b, good:7b, bad:1b" in shown
        assert "big:cloud" not in shown
        assert "classifier its folder" not in shown
        check_snapshot(pilot, "new_run")
        await check_pictures(pilot, "new_run")


async def test_a_run_is_started_and_followed() -> None:
    gateway = gateway_with_suites()
    gateway.next_run_id = RUN_ID
    writer = gateway.runs.create(run_header())
    writer.save_state("running")
    async with form(gateway) as pilot:
        await press(pilot, "ctrl+s")
        await settle(pilot)
        assert gateway.started == [NewRun("medicine")]
        assert isinstance(pilot.app.screen, LiveScreen)
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, HomeScreen)
    writer.close()


async def test_all_choices_reach_the_engine(tmp_path: Path) -> None:
    answers = tmp_path / "answers.jsonl"
    answers.touch()
    gateway = gateway_with_suites()
    async with form(gateway) as pilot:
        fill(
            pilot,
            suite="courses",
            answers=str(answers),
            verifier="model",
            judge="yes",
            model="small:1b",
            judges=" good:7b, bad:1b,",
            **{"pass-rule": "grades", "quality": "+quality"},
            iterations="3",
            concurrency="2",
        )
        await press(pilot, "ctrl+s")
    assert gateway.started == [
        NewRun(
            "courses",
            str(answers),
            "model",
            True,
            "small:1b",
            3,
            2,
            judges=("good:7b", "bad:1b"),
            pass_rule="grades",
            metrics=("+quality",),
        )
    ]


async def test_a_classifier_has_a_field_for_its_folder(tmp_path: Path) -> None:
    gateway = gateway_with_suites()
    async with form(gateway) as pilot:
        fill(pilot, verifier="classifier")
        await settle(pilot)
        assert "classifier its folder, with config.json and weights" in text_of(pilot)
        await press(pilot, "ctrl+s")
        assert "✘ classifier: name the folder of the model" in text_of(pilot)
        check_snapshot(pilot, "new_run_classifier")
        fill(pilot, classifier=str(tmp_path / "gone"))
        await press(pilot, "ctrl+s")
        assert "✘ classifier: there is no folder" in text_of(pilot)
        fill(pilot, classifier=str(tmp_path))
        await press(pilot, "ctrl+s")
    (started,) = gateway.started
    assert (started.verifier, started.classifier) == ("classifier", str(tmp_path))


async def test_a_model_nobody_knows_to_be_fit_is_warned_of() -> None:
    async with form(gateway_with_suites()) as pilot:
        fill(pilot, model="small:1b")
        await settle(pilot)
        assert "never probed" not in text_of(pilot)  # no model judges yet
        fill(pilot, judge="yes", judges="bad:1b, good:7b")
        await settle(pilot)
        shown = text_of(pilot)
        assert "? small:1b was never probed (Home, g)" in shown
        assert "bad:1b is unfit, says its probe" in shown
        assert "good:7b is" not in shown
        fill(pilot, model="good:7b", judges="")
        await settle(pilot)
        assert "probe" not in text_of(pilot)


async def test_the_model_of_the_settings_stands_there_already() -> None:
    gateway = gateway_with_suites()
    chosen = ModelInfo("mine:7b", URL, "e" * 64, 1000, is_chosen=True)
    gateway.host_list = [HostInfo(URL, "0.33.3", (chosen,))]
    async with form(gateway) as pilot:
        assert pilot.app.screen.query_one("#new-model", Input).value == "mine:7b"
        await press(pilot, "ctrl+s")
    assert gateway.started == [NewRun("medicine")]  # nothing asks for a model


async def test_an_ollama_that_is_down_hinders_nothing() -> None:
    gateway = gateway_with_suites()
    gateway.host_list = [HostInfo(URL, problem="No Ollama answers.")]
    async with form(gateway) as pilot:
        assert "no model found" in text_of(pilot)
        fill(pilot, judge="yes", model="any:1b")
        await press(pilot, "ctrl+s")
    assert [run.model for run in gateway.started] == ["any:1b"]


async def test_what_is_wrong_is_said_and_nothing_is_started() -> None:
    gateway = gateway_with_suites()
    async with form(gateway) as pilot:
        for values, problem in (
            ({"iterations": "0"}, "✘ iterations: a whole number from 1 to 100"),
            ({"iterations": "1", "concurrency": "x"}, "✘ concurrency: a whole number"),
            ({"concurrency": "5", "answers": "gone"}, "✘ answers: there is no file"),
            ({"answers": "", "judge": "yes"}, "✘ model: the judge needs one"),
            ({"judge": "no", "verifier": "model"}, "✘ model: the verifier needs one"),
            ({"model": "gone:1b"}, "✘ model: no server has gone:1b"),
            ({"model": "big:cloud"}, "✘ model: big:cloud runs elsewhere"),
            ({"model": "good:7b", "judges": "x:1b"}, "✘ judges: no server has x:1b"),
            ({"judges": "bad:1b,good:7b"}, "✘ judges: good:7b is named twice"),
            ({"verifier": "evidence"}, "✘ judges: they need a language model as"),
        ):
            fill(pilot, **values)
            await press(pilot, "ctrl+s")
            assert problem in text_of(pilot)
    assert gateway.started == []


async def test_without_suites_the_form_asks_for_one() -> None:
    async with form(FakeGateway()) as pilot:
        await press(pilot, "ctrl+s")
        assert "✘ suite: choose one" in text_of(pilot)
        assert "no model found" in text_of(pilot)


async def test_an_engine_that_does_not_start_says_why() -> None:
    gateway = gateway_with_suites()
    gateway.failure = SuiteError("suite.json: line 7: not JSON", "Correct the line.")
    async with form(gateway) as pilot:
        await press(pilot, "ctrl+s")
        shown = text_of(pilot)
        assert "✘ Suite cannot be used: suite.json: line 7: not JSON" in shown
        assert "Correct the line." in shown
        gateway.failure = None
        await press(pilot, "ctrl+s")
        assert len(gateway.started) == 1


@pytest.mark.parametrize(
    ("typed", "server"),
    [
        ("", None),
        ("Ollama", "ollama"),
        ("127.0.0.1:8080", "http://127.0.0.1:8080/v1"),
        ("https://box/api", "https://box/api"),
    ],
)
async def test_another_server_reaches_the_engine(
    typed: str, server: str | None
) -> None:
    gateway = gateway_with_suites()
    async with form(gateway) as pilot:
        fill(pilot, verifier="model", server=typed, model="small:1b")
        await press(pilot, "ctrl+s")
    (started,) = gateway.started
    assert (started.server, started.model) == (server, "small:1b")


async def test_a_model_of_another_server_is_not_held_against_the_list() -> None:
    gateway = gateway_with_suites()
    async with form(gateway) as pilot:
        fill(pilot, verifier="model", server="http://box:1/v1", model="elsewhere")
        await press(pilot, "ctrl+s")
        assert [one.model for one in gateway.started] == ["elsewhere"]
    gateway = gateway_with_suites()
    async with form(gateway) as pilot:
        fill(pilot, verifier="model", server="ftp://box", model="small:1b")
        await press(pilot, "ctrl+s")
        assert "server: base_url: the address of a server cannot be read" in text_of(
            pilot
        )
        assert gateway.started == []


async def test_grades_without_a_judge_cannot_decide() -> None:
    async with form(gateway_with_suites()) as pilot:
        fill(pilot, **{"pass-rule": "grades"})
        await press(pilot, "ctrl+s")
        assert "passes by: grades are asked for by the judge only" in text_of(pilot)
