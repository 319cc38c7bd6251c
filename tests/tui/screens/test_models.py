"""Models: what is there, what is refused, having one fetched, choosing one."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from claimscope.core.errors import ModelError, SettingsError
from claimscope.tui.ports.gateway import HostInfo, ModelInfo, PullStep
from claimscope.tui.screens.home.screen import HomeScreen
from claimscope.tui.screens.models import ModelsScreen
from claimscope.tui.widgets.glyphs import ASCII
from tests.tui.gateways import FakeGateway
from tests.tui.pilot import app_on, check_snapshot, press, settle, text_of, told

URL = "http://127.0.0.1:11434"
DOWN = HostInfo(
    "http://127.0.0.1:1",
    problem="No Ollama answers at http://127.0.0.1:1.",
    remedy="Start it with `ollama serve`.",
)
MODELS = (
    ModelInfo(
        "small:1b",
        URL,
        "a" * 64,
        1_117_321_342,
        "1.5B",
        "Q4_K_M",
        32768,
        ("completion", "tools"),
        is_loaded=True,
        loaded_context=4096,
        is_chosen=True,
        fitness="fit with care",
    ),
    ModelInfo("other:2b", URL, "b" * 64, 2_000_000_000, "2B", "Q8_0", 8192),
    ModelInfo(
        "big:cloud",
        URL,
        "c" * 64,
        300,
        is_remote=True,
        refused="runs elsewhere: refused offline",
    ),
)


def furnished(*more: HostInfo) -> FakeGateway:
    """A gateway with a host that has three models."""
    return FakeGateway(host_list=[HostInfo(URL, "0.33.3", MODELS), *more])


@asynccontextmanager
async def models(
    gateway: FakeGateway, size: tuple[int, int] = (80, 24), **options: object
) -> AsyncIterator[Pilot[None]]:
    """The app on the Models screen."""
    app = app_on(gateway, **options)
    async with app.run_test(size=size, notifications=True) as pilot:
        await settle(pilot)
        await press(pilot, "m")
        assert isinstance(app.screen, ModelsScreen)
        yield pilot


async def ask_for(pilot: Pilot[None], name: str) -> None:
    """Writes a name into the line and begins the pull."""
    await press(pilot, "p")
    pilot.app.screen.query_one("#models-name", Input).value = name
    await pilot.press("enter")
    await pilot.pause()


async def test_models_are_listed_with_what_tells_them_apart() -> None:
    async with models(furnished()) as pilot:
        shown = text_of(pilot)
        assert "▶ small:1b 1.1 GB 1.5B Q4_K_M 32,768 ▶ loaded ? fit with care" in shown
        assert "other:2b 2.0 GB 2B Q8_0 8,192 no – unprobed" in shown
        assert "big:cloud 0 kB ? ? ? no ✘ refused" in shown
        assert "digest aaaaaaaaaaaa can: completion, tools" in shown
        assert "in memory: 4096 tokens" in shown
        assert f"✔ {URL} Ollama 0.33.3, 3 models" in shown
        check_snapshot(pilot, "models")


async def test_a_wide_screen_shows_them_as_well() -> None:
    async with models(furnished(DOWN), (120, 40)) as pilot:
        shown = text_of(pilot)
        assert f"small:1b on {URL} (model of new runs)" in shown
        assert "✘ No Ollama answers at http://127.0.0.1:1." in shown
        check_snapshot(pilot, "models_wide")


async def test_details_follow_the_cursor() -> None:
    async with models(furnished()) as pilot:
        await press(pilot, "down")
        assert "claimscope models probe other:2b" in text_of(pilot)
        await press(pilot, "down")
        assert "runs elsewhere: refused offline (setting offline)" in text_of(pilot)


async def test_enter_makes_it_the_model_of_new_runs() -> None:
    gateway = furnished()
    async with models(gateway) as pilot:
        await press(pilot, "down", "enter")
        assert gateway.chosen == ["other:2b"]
        assert "New runs begin with other:2b" in told(pilot)
        await press(pilot, "down", "enter")
        assert gateway.chosen == ["other:2b"]
        assert "big:cloud: runs elsewhere: refused offline" in told(pilot)


async def test_a_settings_file_that_cannot_be_written_is_named() -> None:
    gateway = furnished()
    gateway.failure = SettingsError("claimscope.toml: not TOML", "correct the line")
    async with models(gateway) as pilot:
        await press(pilot, "enter")
        assert "claimscope.toml: not TOML" in told(pilot)


async def test_without_models_it_says_how_to_get_one() -> None:
    async with models(FakeGateway(host_list=[HostInfo(URL, "0.33.3")])) as pilot:
        assert "No models yet. Press p and name one" in text_of(pilot)
        await press(pilot, "enter")  # nothing under the cursor: nothing happens
        check_snapshot(pilot, "models_empty")


async def test_without_a_server_it_says_what_to_do() -> None:
    async with models(FakeGateway(host_list=[DOWN])) as pilot:
        shown = text_of(pilot)
        assert (
            "No model server answers. What needs no model works without one." in shown
        )
        assert "Start it with `ollama serve`." in shown
        check_snapshot(pilot, "models_down")


async def test_an_address_that_cannot_be_read_is_told() -> None:
    bad = SettingsError("The address of Ollama cannot be read.", "Give host:port.")
    async with models(FakeGateway(host_list=bad)) as pilot:
        assert "The address of Ollama cannot be read" in text_of(pilot)
        assert "Give host:port." in told(pilot)


async def test_a_pull_shows_how_far_it_is_and_lists_anew() -> None:
    gateway = furnished()
    gateway.pull_steps = [
        PullStep(URL, "pulling manifest", 0, 0),
        PullStep(URL, "pulling abcdef", 500_000_000, 1_000_000_000, 5_000_000.0),
        PullStep(URL, "success", 1_000_000_000, 1_000_000_000),
    ]
    async with models(gateway) as pilot:
        await ask_for(pilot, " new:1b ")
        await settle(pilot)
        assert gateway.pulled == ["new:1b"]
        assert "✔ new:1b is there" in text_of(pilot)


async def test_escape_stops_a_pull_and_does_not_leave() -> None:
    gateway = furnished()
    gateway.pull_waits = threading.Event()
    gateway.pull_steps = [
        PullStep(URL, "pulling abcdef", 250_000_000, 1_000_000_000, 5_000_000.0)
    ]
    async with models(gateway) as pilot:
        await ask_for(pilot, "new:1b")
        for _ in range(6000):  # a minute, on a busy machine
            await pilot.pause(0.01)
            if "25 %" in text_of(pilot):
                break
        shown = text_of(pilot)
        assert "█████░░░░░░░░░░░░░░░ new:1b: pulling 25 % of 1.0 GB" in shown
        assert "5 MB/s, 2 min 30 s left esc: stop" in shown
        assert "p pull a model" not in shown
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, ModelsScreen)
        assert "new:1b: stopped. The server keeps what came" in text_of(pilot)
        assert "p pull a model" in text_of(pilot)
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, HomeScreen)


async def test_a_pull_that_fails_says_why_and_another_may_begin() -> None:
    gateway = furnished()
    gateway.failure = ModelError("The library of Ollama has no model [x].", "Check it.")
    async with models(gateway) as pilot:
        await ask_for(pilot, "x")
        await settle(pilot)
        assert "✘ The library of Ollama has no model [x]. Check it." in text_of(pilot)
        assert "p pull a model" in text_of(pilot)


@pytest.mark.parametrize("leave", ["escape", "enter"])
async def test_the_line_is_left_without_a_pull(leave: str) -> None:
    gateway = furnished()
    async with models(gateway) as pilot:
        await press(pilot, "p", leave)
        assert not pilot.app.screen.query_one("#models-name").has_class("-open")
        assert isinstance(pilot.app.screen, ModelsScreen)
        assert gateway.pulled == []


async def test_names_of_models_are_inert() -> None:
    odd = ModelInfo("[red]m\x1b[31m:1b", URL, "d" * 64, 1000)
    gateway = FakeGateway(host_list=[HostInfo(URL, "0.33.3", (odd,))])
    async with models(gateway) as pilot:
        shown = text_of(pilot)
        assert "[red]m" in shown and "\x1b" not in shown


async def test_a_terminal_without_unicode_gets_plain_signs() -> None:
    async with models(furnished(), glyphs=ASCII) as pilot:
        shown = text_of(pilot)
        assert "> small:1b" in shown and "> loaded" in shown and "x refused" in shown
