"""The project's file: found upward, checked, and silent about hosts."""

from __future__ import annotations

from pathlib import Path

import pytest

from claimscope.core.errors import SettingsError
from claimscope.stores.workspace.configuration import load
from claimscope.stores.workspace.project import project_above


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_the_nearest_file_above_is_the_one(tmp_path: Path) -> None:
    write(tmp_path / "claimscope.toml", 'against = "outer"\n')
    write(
        tmp_path / "a" / "pyproject.toml", '[tool.claimscope]\nagainst = ["p", "q"]\n'
    )
    inside = tmp_path / "a" / "b" / "c"
    inside.mkdir(parents=True)
    found = project_above(inside)
    assert found is not None and found.path == tmp_path / "a" / "pyproject.toml"
    assert found.against == (tmp_path / "a" / "p", tmp_path / "a" / "q")
    outer = project_above(tmp_path)
    assert outer is not None and outer.against == (tmp_path / "outer",)


@pytest.mark.parametrize("text", ["[project]\nname = 'x'\n", "[tool.ruff]\n", "[["])
def test_a_pyproject_that_says_nothing_to_us_is_passed_by(
    tmp_path: Path, text: str
) -> None:
    write(tmp_path / "claimscope.toml", "strict = true\n")
    write(tmp_path / "a" / "pyproject.toml", text)
    found = project_above(tmp_path / "a")
    assert found is not None and found.strict


def test_answers_are_patterns_and_each_means_a_file(tmp_path: Path) -> None:
    file = write(tmp_path / "claimscope.toml", 'answers = ["a/*.md", "x.txt"]\n')
    for name in ("a/two.md", "a/one.md", "a/b.txt", "x.txt"):
        write(tmp_path / name, "The fee is 4.")
    found = project_above(tmp_path)
    assert found is not None
    names = [path.relative_to(tmp_path).as_posix() for path in found.answer_files()]
    assert names == ["a/one.md", "a/two.md", "x.txt"]
    file.write_text('answers = ["none/*.md"]\n')
    again = project_above(tmp_path)
    assert again is not None
    with pytest.raises(SettingsError, match=r"no file is meant by 'none/\*.md'"):
        again.answer_files()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("against = 3", "against = 3"),
        ("against = [3]", r"against = \[3\]"),
        ('strict = "yes"', "strict = 'yes'"),
        ("text_field = 3", "text_field = 3"),
        ("against = ", "not TOML"),
        (
            'ollama_host = "http://evil.example"',
            "ollama_host is no matter of a project",
        ),
        ('cluster = "tcp://evil.example"', "cluster is no matter of a project"),
    ],
)
def test_what_cannot_be_used_is_named_with_the_remedy(
    tmp_path: Path, text: str, words: str
) -> None:
    write(tmp_path / "claimscope.toml", text)
    with pytest.raises(SettingsError, match=words) as caught:
        project_above(tmp_path)
    assert "claimscope.toml" in caught.value.message and caught.value.hint


def test_its_settings_win_over_the_workspace_and_lose_to_the_environment(
    tmp_path: Path,
) -> None:
    write(tmp_path / "claimscope.toml", 'seed = 1\nconcurrency = 3\nagainst = "p"\n')
    project = ("here/claimscope.toml", {"seed": 2, "retries": 5})
    found = load(tmp_path, {"retries": None}, {"CLAIMSCOPE_RETRIES": "7"}, project)
    settings = found.settings
    assert (settings.seed, settings.concurrency, settings.retries) == (2, 3, 7)
    assert found.sources["seed"] == "here/claimscope.toml"
    with pytest.raises(SettingsError, match=r"no setting named 'sead'"):
        load(tmp_path, {}, {}, ("here/claimscope.toml", {"sead": 2}))
