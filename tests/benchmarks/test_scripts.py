"""Every script of benchmarks/ starts, each folder holds what it says, none is lost."""

from __future__ import annotations

import importlib
import re
import runpy
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "benchmarks"
SUBJECTS = {"quality", "speed", "durability", "tools"}


def file_of(name: str) -> Path:
    return ROOT / f"{name.replace('.', '/')}.py"


NAMES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in FOLDER.rglob("*.py")
    if path.name != "__init__.py"
)
PARSING = [
    name for name in NAMES if "ArgumentParser(" in file_of(name).read_text("utf-8")
]
NAMED = re.compile(r"benchmarks[./](?:\w+[./])*\w+(?:\.py|\.jsonl)?")
TELLING = ("CONTRIBUTING.md", "README.md", "Makefile", "Dockerfile", "mkdocs.yml")


def test_every_script_lies_in_a_folder_of_its_subject() -> None:
    assert {name.split(".")[1] for name in NAMES} == SUBJECTS
    assert len(PARSING) > 50


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_script_can_be_imported_and_says_how_it_is_run(name: str) -> None:
    module = importlib.import_module(name)
    text = module.__doc__ or ""
    assert text
    for run in re.findall(r"python .*benchmarks\S+", text):
        assert run.endswith(f"python -m {name}"), run


@pytest.mark.slow
@pytest.mark.parametrize("name", PARSING)
def test_a_script_says_its_arguments(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", [name, "--help"])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(file_of(name)), run_name="__main__")
    assert not ended.value.code
    assert "--help" in capsys.readouterr().out


def test_what_is_said_of_a_script_names_one_that_there_is() -> None:
    pages = [ROOT / name for name in TELLING] + sorted((ROOT / "docs").rglob("*.md"))
    named = {
        (page.name, found)
        for page in pages
        for found in NAMED.findall(page.read_text("utf-8"))
    }
    assert len(named) > 40
    assert [one for one in sorted(named) if not exists(one[1])] == []


def exists(named: str) -> bool:
    """Whether a path, or a module by its dotted name, is there."""
    if "/" in named:
        return (ROOT / named).exists()
    return (ROOT / named.replace(".", "/")).is_dir() or file_of(named).exists()


def test_damage_is_seen_and_repaired(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from benchmarks.durability import damage

    monkeypatch.setattr(sys, "argv", ["damage", "--flips", "3", "--samples", "4"])
    assert damage.main() == 0
    told = capsys.readouterr().out
    assert "the user saw: Journal is damaged: 3" in told
