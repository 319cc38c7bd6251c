"""Theme and keys are read from the file, the environment over it, mistakes told of."""

from __future__ import annotations

from pathlib import Path

import pytest

from claimscope.stores.workspace.configuration import load
from claimscope.stores.workspace.interface_settings import FILE, read_interface


def test_no_file_says_nothing(tmp_path: Path) -> None:
    found = read_interface(tmp_path, {})
    assert (found.theme, found.theme_source) == (None, "default")
    assert (dict(found.keys), found.problems) == ({}, ())


def test_ids_are_written_with_quotes_or_as_tables(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(
        'theme = "sea"\n[keys]\n"step.agree" = "y"\nhome.new = "a, ctrl+n"\n'
        '[keys.results]\nsort = "o"\n'
    )
    found = read_interface(tmp_path, {})
    assert found.theme == "sea" and found.theme_source.endswith(FILE)
    assert found.keys == {
        "step.agree": "y",
        "home.new": "a, ctrl+n",
        "results.sort": "o",
    }


def test_the_environment_wins_and_the_first_variable_first(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('theme = "sea"\n')
    given = {"TEXTUAL_THEME": "dune", "CLAIMSCOPE_THEME": "moss"}
    found = read_interface(tmp_path, given)
    assert (found.theme, found.theme_source) == ("moss", "CLAIMSCOPE_THEME")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("theme = 3\n", "theme = 3 is no name of a theme"),
        ("keys = 3\n", "[keys] is no table"),
        ('[keys]\n"step.agree" = 3\n', "step.agree = 3 is no key"),
        ("theme = \n", "its theme and keys are left out"),
    ],
)
def test_a_mistake_is_told_of(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / FILE).write_text(text)
    (told,) = read_interface(tmp_path, {}).problems
    assert problem in told and FILE in told


def test_they_are_no_settings_of_a_run(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('theme = "sea"\nseed = 3\n[keys]\n"a.b" = "y"\n')
    assert load(tmp_path, {}, {}).settings.seed == 3
