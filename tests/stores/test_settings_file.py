"""One setting is written; what else stands in the file stays as it is."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.errors import SettingsError
from claimscope.stores.configuration import FILE, load
from claimscope.stores.settings_file import save_setting


def test_a_new_file_is_private_and_read_again(tmp_path: Path) -> None:
    path = save_setting(tmp_path / "workspace", "model", "small:1b")
    assert path.stat().st_mode & 0o777 == 0o600
    assert load(tmp_path / "workspace", {}, {}).settings.model == "small:1b"


def test_comments_order_and_other_settings_stay(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(
        '# mine\nseed = 3\n  model="a:1b" # old\nretries = 1\n'
    )
    save_setting(tmp_path, "model", "b:2b")
    text = (tmp_path / FILE).read_text()
    assert text == '# mine\nseed = 3\nmodel = "b:2b"\nretries = 1\n'


def test_a_setting_that_is_not_there_is_added(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("seed = 3\n")
    save_setting(tmp_path, "model", "b:2b")
    settings = load(tmp_path, {}, {}).settings
    assert (settings.model, settings.seed) == ("b:2b", 3)


@pytest.mark.parametrize(
    "text", ['model = """\na\n"""\n', 'x = """\nmodel = 1\n"""\nmodel = "a"\n']
)
def test_what_cannot_be_replaced_safely_is_left_alone(
    text: str, tmp_path: Path
) -> None:
    (tmp_path / FILE).write_text(text)
    with pytest.raises(SettingsError, match="cannot be replaced safely"):
        save_setting(tmp_path, "model", "b:2b")
    assert (tmp_path / FILE).read_text() == text


def test_a_file_that_is_not_toml_is_named(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("model: a\n")
    with pytest.raises(SettingsError, match="not TOML"):
        save_setting(tmp_path, "model", "b:2b")


NAMES = st.text(st.characters(codec="utf-8", exclude_characters="\x7f"))


@given(first=NAMES, second=NAMES)
def test_any_name_comes_back(
    first: str, second: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("w")
    for name in (first, second):
        path = save_setting(folder, "model", name)
        assert tomllib.loads(path.read_text("utf-8")) == {"model": name}
