"""Settings: shown with where they come from, changed in the file, refusals told."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from claimscope.core.errors import SettingsError
from claimscope.core.settings import Settings
from claimscope.stores.workspace.configuration import FILE, load
from claimscope.tui.gateway.settings_list import change_setting, limits, setting_infos
from claimscope.tui.ports.gateway import SettingInfo
from claimscope.tui.screens.home.screen import HomeScreen
from claimscope.tui.screens.settings import SettingsScreen
from tests.tui.gateways import FakeGateway
from tests.tui.pictures import check_pictures
from tests.tui.pilot import app_on, check_snapshot, press, settle, text_of, told

SEED = SettingInfo("seed", "7", "default", "7", "Seed of choices.", "a whole number")
LIST = [
    SEED,
    SettingInfo(
        "model",
        "small:1b",
        "/srv/w/claimscope.toml",
        "",
        "Ollama model.",
        "a text, or nothing",
    ),
    SettingInfo(
        "judge",
        "true",
        "CLAIMSCOPE_JUDGE",
        "false",
        "Ask the model for the two grades.",
        "true or false",
        changes_verdicts=True,
    ),
]


def test_every_setting_has_meaning_limits_and_source(tmp_path: Path) -> None:
    found = {info.name: info for info in setting_infos(tmp_path)}
    assert set(found) == {*Settings.model_fields, "theme", "key_set"}
    assert all(info.meaning and info.limits for info in found.values())
    assert {info.source for info in found.values()} == {"default"}
    assert found["judge"].changes_verdicts and not found["concurrency"].changes_verdicts


def test_sources_are_file_and_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / FILE).write_text('seed = 3\ntheme = "sea"\n')
    monkeypatch.setenv("CLAIMSCOPE_VOTES", "5")
    found = {info.name: info for info in setting_infos(tmp_path)}
    assert found["seed"].source == found["theme"].source == str(tmp_path / FILE)
    assert (found["votes"].source, found["votes"].value) == ("CLAIMSCOPE_VOTES", "5")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("verifier", "none or model or ollama or openai or classifier"),
        ("judge", "true or false"),
        ("concurrency", "a whole number from 1 to 64"),
        ("claim_similarity", "a number above 0 and below 1"),
        ("judges", "a list with commas between"),
        ("model", "a text, or nothing"),
    ],
)
def test_limits_are_said_in_words(name: str, words: str) -> None:
    assert limits(name) == words


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("seed", " 3 ", 3),
        ("judge", "true", True),
        ("judges", "a:1b, b:2b", ("a:1b", "b:2b")),
        ("pass_grade", "5", 5),
        ("prices", "big=1/2", "big=1/2"),
        ("model", "", None),
    ],
)
def test_a_typed_value_is_read_back(
    tmp_path: Path, name: str, text: str, value: object
) -> None:
    change_setting(tmp_path, name, text)
    assert getattr(load(tmp_path, {}, {}).settings, name) == value


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("seed", "x", "it takes: a whole number; its default is '7'"),
        ("tier_good", "90", "90 must be below tier_excellent"),
        ("tier_excellent", "60", "tier_good: 70 must be below tier_excellent"),
        ("verifier", "guess", "none or model or ollama or openai or classifier"),
    ],
)
def test_a_refused_value_is_explained_and_not_written(
    tmp_path: Path, name: str, text: str, why: str
) -> None:
    with pytest.raises(SettingsError) as refused:
        change_setting(tmp_path, name, text)
    assert why in str(refused.value)
    assert not (tmp_path / FILE).exists()


async def test_settings_show_value_source_and_meaning() -> None:
    app = app_on(FakeGateway(setting_list=list(LIST)))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "comma", "j", "j")
        assert "It changes verdicts" in text_of(pilot)
        check_snapshot(pilot, "settings")
        await check_pictures(pilot, "settings")


async def test_a_value_is_changed_and_the_line_closes() -> None:
    gateway = FakeGateway(setting_list=list(LIST))
    app = app_on(gateway)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "comma", "enter", "9", "enter")
        assert gateway.changed == [("seed", "9")]
        await press(pilot, "j", "d")
        assert gateway.changed[-1] == ("model", None)
        await press(pilot, "escape")
        assert isinstance(app.screen, HomeScreen)


async def test_a_refusal_stands_there_while_the_value_is_corrected() -> None:
    gateway = FakeGateway(setting_list=list(LIST))
    gateway.failure = SettingsError("seed = 'x': no number", "it takes: a whole number")
    app = app_on(gateway)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "comma", "enter", "x", "enter")
        assert "✘ seed = 'x': no number it takes: a whole number" in text_of(pilot)
        gateway.failure = None
        await press(pilot, "backspace", "8", "enter")
        assert gateway.changed == [("seed", "8")]
        assert "✘" not in text_of(pilot)


async def test_a_variable_that_wins_is_told_of() -> None:
    app = app_on(FakeGateway(setting_list=[LIST[2]]))
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        await press(pilot, "comma", "d")
        assert "CLAIMSCOPE_JUDGE in the environment wins" in told(pilot)


async def test_only_what_was_changed_is_listed_on_a_key() -> None:
    app = app_on(FakeGateway(setting_list=list(LIST)))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "comma", "c")
        assert "seed" not in text_of(pilot) and "model" in text_of(pilot)


async def test_a_file_with_a_mistake_is_named() -> None:
    error = SettingsError("claimscope.toml: not TOML", "correct the line")
    app = app_on(FakeGateway(setting_list=error))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "comma")
        assert "not TOML correct the line" in text_of(pilot)


async def test_a_theme_that_was_chosen_is_remembered() -> None:
    kept: list[str] = []
    app = app_on(FakeGateway(), keep_theme=kept.append)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert kept == []
        app.theme = "claimscope-dusk"
        await settle(pilot)
        assert kept == ["claimscope-dusk"]


async def test_a_theme_that_cannot_be_kept_is_told_of() -> None:
    def refuse(name: str) -> None:
        raise SettingsError("claimscope.toml: read-only", "check its mode")

    app = app_on(FakeGateway(), keep_theme=refuse)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        app.theme = "claimscope-dusk"
        await settle(pilot)
        assert "read-only" in told(pilot)


async def test_settings_fit_a_small_screen_without_signs() -> None:
    from claimscope.tui.widgets.glyphs import ASCII

    app = app_on(FakeGateway(setting_list=[replace(SEED, value="")]), glyphs=ASCII)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "comma")
        assert isinstance(app.screen, SettingsScreen)
        assert "none" in text_of(pilot)
