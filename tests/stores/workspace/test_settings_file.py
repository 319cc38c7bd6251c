"""One setting is written; what else stands in the file stays as it is."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.errors import SettingsError
from claimscope.stores.workspace.configuration import FILE, load
from claimscope.stores.workspace.settings_file import remove_setting, save_setting


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
    assert text == '# mine\nseed = 3\n  model="b:2b" # old\nretries = 1\n'


def test_a_setting_that_is_not_there_is_added(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("seed = 3\n")
    save_setting(tmp_path, "model", "b:2b")
    settings = load(tmp_path, {}, {}).settings
    assert (settings.model, settings.seed) == ("b:2b", 3)


def test_a_setting_stays_outside_of_tables(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('[keys]\n"step.agree" = "y" # mine\n')
    save_setting(tmp_path, "seed", 3)
    assert load(tmp_path, {}, {}).settings.seed == 3
    assert '"step.agree" = "y" # mine' in (tmp_path / FILE).read_text()


def test_a_text_of_several_lines_is_replaced(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('x = """\nmodel = 1\n"""\nmodel = """\na\n"""\n')
    save_setting(tmp_path, "model", "b:2b")
    text = (tmp_path / FILE).read_text()
    assert tomllib.loads(text) == {"x": "model = 1\n", "model": "b:2b"}


def test_a_setting_is_taken_out_again(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("# mine\nseed = 3\nretries = 1\n")
    remove_setting(tmp_path, "seed")
    remove_setting(tmp_path, "model")
    assert (tmp_path / FILE).read_text() == "# mine\nretries = 1\n"


@pytest.mark.parametrize("value", [3, 0.5, True, ["a:1b", "b:2b"], {"a": "1/2"}])
def test_values_of_each_kind_come_back(value: object, tmp_path: Path) -> None:
    path = save_setting(tmp_path, "x", value)
    assert tomllib.loads(path.read_text()) == {"x": value}


def test_what_cannot_be_written_leaves_the_file_alone(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("seed = 3\n")
    with pytest.raises(SettingsError, match="model cannot be written safely"):
        save_setting(tmp_path, "model", object())
    assert (tmp_path / FILE).read_text() == "seed = 3\n"


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
