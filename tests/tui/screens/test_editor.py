"""Which file and line an editor is given, and how each editor wants to be told."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.errors import InputError, SettingsError
from claimscope.core.models import RunHeader
from claimscope.tui.review.page_marks import Sought
from claimscope.tui.screens.base.editor import (
    FilePlace,
    editor_command,
    line_with,
    other_places,
    page_place,
)
from claimscope.tui.screens.home.screen import HomeScreen
from claimscope.tui.screens.pages.page import PageScreen
from tests.tui.gateways import FakeGateway
from tests.tui.pilot import app_on, press, settle, text_of, told
from tests.tui.sample_run import PAGE, failed_sample, run_header
from tests.tui.screens.test_stepper import stepping

SENTENCE = "It holds 4.2 million cubic metres when full."
PLACE = FilePlace("page", Path("/pages/varn.md"), 7)


def program(folder: Path, name: str) -> str:
    """A PATH with this one program in it."""
    path = folder / name
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return str(folder)


@pytest.mark.parametrize(
    ("editor", "command"),
    [
        ("vim", ["vim", "+7", "/pages/varn.md"]),
        ("emacs -nw", ["emacs", "-nw", "+7", "/pages/varn.md"]),
        ("code", ["code", "--wait", "--goto", "/pages/varn.md:7"]),
        ("code -n -w", ["code", "-n", "-w", "--goto", "/pages/varn.md:7"]),
        ("subl", ["subl", "--wait", "/pages/varn.md:7"]),
        ("hx", ["hx", "/pages/varn.md:7"]),
    ],
)
def test_each_editor_is_told_the_line_in_its_way(
    tmp_path: Path, editor: str, command: list[str]
) -> None:
    path = program(tmp_path, editor.split()[0])
    assert editor_command(PLACE, {"EDITOR": editor, "PATH": path}) == command


def test_visual_goes_before_editor(tmp_path: Path) -> None:
    path = program(tmp_path, "hx")
    environment = {"VISUAL": "hx", "EDITOR": "vim", "PATH": path}
    assert editor_command(PLACE, environment)[0] == "hx"


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        ({}, "no editor is named"),
        ({"EDITOR": "  "}, "no editor is named"),
        ({"EDITOR": "nothere", "PATH": "/none"}, "there is no program nothere"),
        ({"EDITOR": "vim 'x"}, "No closing quotation"),
    ],
)
def test_without_an_editor_the_remedy_is_told(
    environment: dict[str, str], words: str
) -> None:
    with pytest.raises(SettingsError, match=words):
        editor_command(PLACE, environment)


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (f"one\ntwo\n{SENTENCE}\n", 3),
        ("<p>It <b>holds</b> 4.2&nbsp;million</p>\n<p>It holds 4.2", None),
        ("x\n<p>It <b>holds</b> 4.2 million\ncubic metres <i>when</i> full.", 2),
        ('{"a": 1}\n{"text": "So. It\\nholds 4.2 million cubic metres when"}', 2),
        ("It held 4.2 million cubic metres when full.", None),
        ("", None),
    ],
)
def test_a_text_is_found_whatever_stands_between_its_words(
    tmp_path: Path, content: str, line: int | None
) -> None:
    path = tmp_path / "file"
    path.write_text(content)
    assert line_with(path, SENTENCE) == line


def test_the_line_that_names_case_and_provider_goes_first(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text(f'{{"provider": "oak", "text": "{SENTENCE}"}}\n' * 2)
    with path.open("a") as file:
        file.write(f'{{"provider": "alder", "text": "{SENTENCE}"}}\n')
    assert line_with(path, SENTENCE, "alder") == 3
    assert line_with(path, SENTENCE, "birch") == 1


@given(st.text("<->b _\\n", max_size=400))
def test_no_file_takes_long_or_fails(tmp_path_factory: object, content: str) -> None:
    path = Path(str(tmp_path_factory.mktemp("files"))) / "file"  # type: ignore[attr-defined]
    path.write_text(content + "b" + "<->" * 2000)
    assert line_with(path, "b b b b b b b q") is None


def header(**paths: str | None) -> RunHeader:
    return run_header().model_copy(update=paths)


def test_the_file_of_a_page_is_below_the_folder_of_the_run(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "varn.md").write_text(PAGE.text.replace(". ", ".\n"))
    page = PAGE.model_copy(update={"path": "in/varn.md"})
    place = page_place(header(pages_path=str(tmp_path)), page, SENTENCE)
    assert place == FilePlace("page", tmp_path / "in" / "varn.md", 2)
    with pytest.raises(InputError, match="does not say from which file"):
        page_place(header(), page, SENTENCE)
    (tmp_path / "in" / "varn.md").unlink()
    with pytest.raises(InputError, match="varn.md: No such file"):
        page_place(header(pages_path=str(tmp_path)), page, SENTENCE)


def test_answer_and_suite_are_found_where_they_are(tmp_path: Path) -> None:
    sample = failed_sample()
    suite, answers = tmp_path / "suite.json", tmp_path / "answers.jsonl"
    suite.write_text('{\n"cases": [\n{"id": "var-001"}]}')
    said = "The reservoir holds 9 million cubic metres"
    answers.write_text(f'{{"case_id": "x"}}\n{{"text": "{said} so."}}\n')
    told_of = header(suite_path=str(suite), answers_path=str(answers))
    places = list(other_places(told_of, sample, said))
    assert places == [FilePlace("answer", answers, 2), FilePlace("suite", suite, 3)]
    answers.unlink()
    assert [p.what for p in other_places(told_of, sample, said)] == ["suite"]


# --- in the stepper ---------------------------------------------------------------


def gateway_with_files(folder: Path) -> FakeGateway:
    """A run whose page is a file there."""
    (folder / "varn.md").write_text(PAGE.text.replace(". ", ".\n"))
    page = PAGE.model_copy(update={"path": "varn.md"})
    gateway = FakeGateway(pages={PAGE.page_id: page})
    named = run_header(total_samples=1, pages_path=str(folder))
    writer = gateway.runs.create(named)
    writer.save_sample(failed_sample())
    writer.save_state("finished")
    writer.close()
    return gateway


async def test_e_gives_the_terminal_to_the_editor_and_takes_it_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", program(tmp_path, "vim"))
    monkeypatch.setenv("EDITOR", "vim")
    monkeypatch.delenv("VISUAL", raising=False)
    done: list[object] = []

    def ran(command: list[str], check: bool) -> subprocess.CompletedProcess[str]:
        done.append(command)
        return subprocess.CompletedProcess(command, 3)

    @contextmanager
    def suspend() -> Iterator[None]:
        done.append("away")
        yield
        done.append("back")

    monkeypatch.setattr("claimscope.tui.screens.base.editing.subprocess.run", ran)
    async with stepping(gateway_with_files(tmp_path)) as pilot:
        monkeypatch.setattr(pilot.app, "suspend", suspend)
        await press(pilot, "e")
        file = str(tmp_path / "varn.md")
        assert done == ["away", ["vim", "+2", file], "back"]
        assert "vim ended with 3." in told(pilot)
        (tmp_path / "var-001").write_text("An answer. The reservoir holds 9 million.")
        monkeypatch.chdir(tmp_path)
        await press(pilot, "e")
        assert "a answer var-001:1" in text_of(pilot)
        await press(pilot, "p")
        assert done[-2] == ["vim", "+2", file]
        await press(pilot, "g")
        assert isinstance(pilot.app.screen, PageScreen)
        await press(pilot, "g", "0", "enter", "e")  # the first sentence, the first line
        assert done[-2] == ["vim", "+1", file] and len(done) == 9


async def test_e_says_why_there_is_no_editor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("EDITOR", raising=False)
    monkeypatch.delenv("VISUAL", raising=False)
    async with stepping(gateway_with_files(tmp_path)) as pilot:
        await press(pilot, "e")
        assert "no editor is named\n  set $EDITOR" in told(pilot)
        monkeypatch.setenv("EDITOR", "vim")
        monkeypatch.setenv("PATH", program(tmp_path, "vim"))
        await press(pilot, "e")  # the driver of tests cannot be suspended
        assert "an editor needs a terminal" in told(pilot)
        (tmp_path / "varn.md").unlink()
        await press(pilot, "e")
        assert "it was moved or removed since the run" in told(pilot)


async def test_a_page_of_an_index_says_that_its_file_is_not_known() -> None:
    gateway = FakeGateway(pages={PAGE.page_id: PAGE})
    async with app_on(gateway).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        home = pilot.app.screen
        assert isinstance(home, HomeScreen)
        page = PageScreen(home.context, "varn", [Sought(PAGE.page_id)])
        await pilot.app.push_screen(page)
        await settle(pilot)
        await press(pilot, "e")
        assert "does not say where the files of its pages are" in told(pilot)
