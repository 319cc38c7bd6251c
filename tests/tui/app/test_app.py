"""The app as a whole: first paint, themes, opening runs, help, palette."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from textual.theme import Theme

from claimscope.tui.app.themes import DEFAULT, SHIPPED, read_themes
from claimscope.tui.screens.catalog import listed_screens
from claimscope.tui.screens.home.screen import HomeScreen
from claimscope.tui.screens.results.screen import ResultsScreen
from tests.tui.gateways import FakeGateway
from tests.tui.pilot import app_on, press, settle, text_of, told
from tests.tui.sample_run import RUN_ID, finished_run

ROOT = Path(__file__).resolve().parents[3]

FIRST_PAINT = """
import asyncio, json, sys
from pathlib import Path
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.app.app import ClaimscopeApp
from claimscope.tui.gateway.workspace import WorkspaceGateway
from tests.tui.sample_run import finished_run
from tests.tui.pilot import settle, text_of

async def paint() -> str:
    gateway = WorkspaceGateway(Workspace(Path(sys.argv[1])))
    finished_run(gateway.runs)
    app = ClaimscopeApp(lambda: gateway)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        return text_of(pilot)

print(json.dumps([asyncio.run(paint()), sorted(sys.modules)]))
"""
HEAVY = {
    "chromadb",
    "onnxruntime",
    "sentence_transformers",
    "sklearn",
    "spacy",
    "torch",
    "trafilatura",
}


def test_first_paint_loads_no_model_and_no_index(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FIRST_PAINT, str(tmp_path)],
        env=os.environ | {"PYTHONPATH": f"{ROOT / '.src'}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    shown, modules = json.loads(done.stdout.splitlines()[-1])
    assert "Reservoirs of Varn" in shown
    assert HEAVY & set(modules) == set()


async def test_a_run_to_open_is_opened_above_home() -> None:
    gateway = FakeGateway()
    finished_run(gateway.runs)
    app = app_on(gateway, open_run=RUN_ID)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert isinstance(app.screen, ResultsScreen)
        await press(pilot, "escape")
        assert isinstance(app.screen, HomeScreen)


async def test_a_run_that_is_not_there_is_told_of() -> None:
    app = app_on(FakeGateway(), open_run="20200101-000000-none")
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        assert "There is no run '20200101-000000-none'" in told(pilot)
        assert isinstance(app.screen, HomeScreen)


def test_the_shipped_themes_are_whole() -> None:
    themes, problems = read_themes([SHIPPED])
    assert problems == []
    names = {theme.name for theme in themes}
    assert {
        DEFAULT,
        "claimscope-light",
        "claimscope-high-contrast",
        "claimscope-ansi",
    } <= names


@pytest.mark.parametrize("theme", [t.name for t in read_themes([SHIPPED])[0]])
async def test_every_theme_draws_every_pane(theme: str) -> None:
    gateway = FakeGateway()
    finished_run(gateway.runs)
    app = app_on(gateway, open_run=RUN_ID, step=True, theme=theme)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert app.theme == theme
        assert "✘ contradicted" in text_of(pilot)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("primary = ", "Invalid value"),
        ('primary = "no colour"', "'no colour' is not a colour"),
        ('name = "x"', "field 'primary' is missing"),
        ('primary = "#fff"\ncolour = "#fff"', "unknown field 'colour'"),
        ('primary = "#fff"\ndark = "yes"', "field 'dark' is neither"),
        ('primary = "#fff"\nvariables = 3', "'variables' is not a table"),
        ('primary = "#fff"\n[variables]\nborder = "{"', "Theme 'mine': one of its"),
    ],
)
async def test_a_broken_theme_is_told_of_and_left_out(
    tmp_path: Path, content: str, problem: str
) -> None:
    (tmp_path / "mine.toml").write_text(content, encoding="utf-8")
    app = app_on(FakeGateway(), theme_folders=[tmp_path])
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        assert "mine" in told(pilot)
        assert problem in told(pilot)
        assert app.theme == DEFAULT


async def test_a_theme_of_the_user_is_used(tmp_path: Path) -> None:
    (tmp_path / "sea.toml").write_text('primary = "#0077be"\n', encoding="utf-8")
    app = app_on(FakeGateway(), theme_folders=[tmp_path], theme="sea")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        current: Theme = app.current_theme
        assert (current.name, current.primary) == ("sea", "#0077be")


async def test_a_theme_of_the_user_goes_before_the_shipped_one_of_its_name(
    tmp_path: Path,
) -> None:
    own = f'name = "{DEFAULT}"\nprimary = "#0077be"\n[variables]\nborder = "#ff0000"\n'
    (tmp_path / "mine.toml").write_text(own, encoding="utf-8")
    kept: list[str] = []
    app = app_on(FakeGateway(), theme_folders=[tmp_path], keep_theme=kept.append)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert app.current_theme.primary == "#0077be"
        assert app.get_css_variables()["border"] == "#ff0000"
        assert kept == [], "nobody chose it now"
        app.theme = "claimscope-light"
        await settle(pilot)
        assert kept == ["claimscope-light"]


async def test_an_unknown_theme_is_told_of() -> None:
    app = app_on(FakeGateway(), theme="nonesuch")
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        assert "There is no theme 'nonesuch'" in told(pilot)
        assert app.theme == DEFAULT


async def test_keys_can_be_changed_by_their_ids() -> None:
    gateway = FakeGateway()
    finished_run(gateway.runs)
    app = app_on(gateway, open_run=RUN_ID, step=True, keymap={"step.agree": "y"})
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "y agree" in text_of(pilot)
        await press(pilot, "y")
        assert len(list(gateway.runs.read(RUN_ID).human_verdicts())) == 1


async def test_the_commands_of_a_screen_are_in_the_palette() -> None:
    gateway = FakeGateway()
    finished_run(gateway.runs)
    app = app_on(gateway, open_run=RUN_ID, step=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        titles = [command.title for command in app.get_system_commands(app.screen)]
        assert {"Next failure", "Give another verdict", "Theme"} <= set(titles)
        command = next(
            command
            for command in app.get_system_commands(app.screen)
            if command.title == "The machine is right"
        )
        await command.callback()
        await settle(pilot)
        assert len(list(gateway.runs.read(RUN_ID).human_verdicts())) == 1


def test_every_binding_has_an_id_of_its_own_and_a_tooltip() -> None:
    seen: dict[str, str] = {}
    for screen in listed_screens():
        for binding in (
            screen.__dict__["BINDINGS"] if "BINDINGS" in vars(screen) else ()
        ):
            assert binding.id and binding.tooltip, (screen, binding.key)
            assert seen.setdefault(binding.id, screen.__name__) == screen.__name__
        assert screen.NAME and screen.PURPOSE


async def test_help_names_all_screens() -> None:
    app = app_on(FakeGateway())
    async with app.run_test(size=(80, 120)) as pilot:
        await settle(pilot)
        await press(pilot, "?")
        shown = text_of(pilot)
        for screen in listed_screens():
            assert screen.NAME in shown and screen.PURPOSE in shown
