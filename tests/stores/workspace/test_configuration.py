"""Settings: which source wins, where each value came from, what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from claimscope.core.errors import SettingsError
from claimscope.core.settings import Settings
from claimscope.stores.workspace.configuration import FILE, load


def write(folder: Path, text: str) -> Path:
    path = folder / FILE
    path.write_text(text, encoding="utf-8")
    return path


def test_without_any_source_the_defaults_hold(tmp_path: Path) -> None:
    found = load(tmp_path, {}, {})
    assert found.settings == Settings()
    assert set(found.sources) == set(Settings.model_fields)
    assert set(found.sources.values()) == {"default"}


def test_the_later_source_wins_and_each_value_names_its_own(tmp_path: Path) -> None:
    path = write(tmp_path, "seed = 1\nretries = 1\nconcurrency = 1\n")
    environment = {"CLAIMSCOPE_RETRIES": "4", "CLAIMSCOPE_CONCURRENCY": "4"}
    found = load(tmp_path, {"concurrency": 9}, environment)
    assert found.settings.seed == 1
    assert found.settings.retries == 4
    assert found.settings.concurrency == 9
    assert found.sources["seed"] == str(path)
    assert found.sources["retries"] == "CLAIMSCOPE_RETRIES"
    assert found.sources["concurrency"] == "flag"
    assert found.sources["pass_grade"] == "default"


def test_values_of_the_environment_are_read_by_their_type(tmp_path: Path) -> None:
    environment = {
        "CLAIMSCOPE_JUDGE": "true",
        "CLAIMSCOPE_CLAIM_SIMILARITY": "0.8",
        "CLAIMSCOPE_MODEL": "small:1b",
    }
    settings = load(tmp_path, {}, environment).settings
    assert settings.judge is True
    assert settings.claim_similarity == 0.8
    assert settings.model == "small:1b"


def test_a_setting_that_is_a_list_may_be_given_with_commas(tmp_path: Path) -> None:
    environment = {"CLAIMSCOPE_JUDGES": "small:1b, large:9b"}
    assert load(tmp_path, {}, environment).settings.judges == ("small:1b", "large:9b")
    write(tmp_path, 'judges = ["small:1b"]\n')
    assert load(tmp_path, {}, {}).settings.judges == ("small:1b",)
    assert load(tmp_path, {"judges": "large:9b,"}, {}).settings.judges == ("large:9b",)


def test_a_flag_that_was_not_given_does_not_win(tmp_path: Path) -> None:
    write(tmp_path, "seed = 1\njudge = true\n")
    settings = load(tmp_path, {"seed": None, "judge": False}, {}).settings
    assert settings.seed == 1
    assert settings.judge is False


def test_other_variables_with_the_prefix_are_let_be(tmp_path: Path) -> None:
    environment = {
        "CLAIMSCOPE_WORKSPACE": str(tmp_path),
        "CLAIMSCOPE_CACHE": "elsewhere",
        "CLAIMSCOPE_PLUGIN_OF_SOMEBODY": "1",
        "SEED": "99",
    }
    found = load(tmp_path, {}, environment)
    assert found.settings == Settings()
    assert set(found.sources.values()) == {"default"}


@pytest.mark.parametrize(
    "data", [b"seed = \n", b"seed 1\n", b"seed = 1\nseed = 2\n", b"model = '\xff'\n"]
)
def test_a_file_that_is_not_toml_is_named(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / FILE
    path.write_bytes(data)
    with pytest.raises(SettingsError) as caught:
        load(tmp_path, {}, {})
    assert str(path) in caught.value.message
    assert "not TOML" in caught.value.message
    assert "correct the line" in caught.value.hint


def test_a_place_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    with pytest.raises(SettingsError) as caught:
        load(tmp_path, {}, {})
    assert str(tmp_path / FILE) in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize("text", ["sede = 1\n", "[run]\nseed = 1\n"])
def test_an_unknown_setting_of_the_file_is_named(tmp_path: Path, text: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(SettingsError) as caught:
        load(tmp_path, {}, {})
    name = "sede" if "sede" in text else "run"
    assert str(path) in caught.value.message
    assert repr(name) in caught.value.message
    assert "claim_similarity" in caught.value.hint
    assert "seed" in caught.value.hint


def test_an_unknown_flag_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="flag: .*'colour'"):
        load(tmp_path, {"colour": "red"}, {})


@pytest.mark.parametrize("source", ["file", "environment", "flag"])
def test_a_wrong_value_names_its_source_its_setting_and_its_default(
    tmp_path: Path, source: str
) -> None:
    named = "flag"
    flags: dict[str, object] = {}
    environment: dict[str, str] = {}
    if source == "file":
        named = str(write(tmp_path, "concurrency = 0\n"))
    elif source == "environment":
        named = "CLAIMSCOPE_CONCURRENCY"
        environment[named] = "0"
    else:
        flags["concurrency"] = 0
    with pytest.raises(SettingsError) as caught:
        load(tmp_path, flags, environment)
    assert caught.value.message.startswith(f"{named}: setting concurrency = ")
    assert "greater than or equal to 1" in caught.value.message
    assert caught.value.hint == "its default is 5"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("verifier", "oracle"),
        ("claim_similarity", "1"),
        ("claim_similarity", "high"),
        ("judge", "perhaps"),
        ("pass_grade", "6"),
        ("context_tokens", "16"),
    ],
)
def test_values_out_of_their_limits_are_refused(
    tmp_path: Path, name: str, value: str
) -> None:
    with pytest.raises(SettingsError, match=name):
        load(tmp_path, {}, {f"CLAIMSCOPE_{name.upper()}": value})


def test_a_right_flag_covers_a_wrong_value_below_it(tmp_path: Path) -> None:
    write(tmp_path, "concurrency = 0\n")
    assert load(tmp_path, {"concurrency": 3}, {}).settings.concurrency == 3
