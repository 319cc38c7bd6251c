"""Naming a file or folder: what is offered, what is refused, what is given."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from claimscope.tui.dialogs.folder import NamedPath, PathDialog, PathSuggester
from tests.tui.gateways import FakeGateway
from tests.tui.pilot import app_on, press, settle, text_of


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder `pages` and a file `pages.json`."""
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages.json").write_text("{}")
    return tmp_path


@asynccontextmanager
async def asking(
    *, folder: bool, asks_name: bool = False
) -> AsyncIterator[tuple[Pilot[None], list[NamedPath | None]]]:
    """The dialog, and what it gives."""
    app = app_on(FakeGateway())
    given: list[NamedPath | None] = []
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        dialog = PathDialog("Which?", folder=folder, asks_name=asks_name)
        app.push_screen(dialog, given.append)
        await settle(pilot)
        yield pilot, given


def write(pilot: Pilot[None], path: Path | str) -> None:
    """Puts a path on the line, the cursor behind it."""
    line = pilot.app.screen.query_one("#path-path", Input)
    line.value = str(path)
    line.cursor_position = len(line.value)


async def test_what_is_offered_is_taken_with_a_key(folder: Path) -> None:
    async with asking(folder=True, asks_name=True) as (pilot, given):
        write(pilot, folder / "pag")
        await settle(pilot)
        await press(pilot, "right", "tab", *"varn", "enter")
        assert given == [NamedPath(folder / "pages", "varn")]


async def test_without_a_name_none_is_given(folder: Path) -> None:
    async with asking(folder=False) as (pilot, given):
        write(pilot, folder / "pages.json")
        await press(pilot, "enter")
        assert given == [NamedPath(folder / "pages.json", None)]


async def test_what_is_not_there_is_said_and_the_dialog_stays(folder: Path) -> None:
    async with asking(folder=True) as (pilot, given):
        for written, said in (
            ("  ", "name a folder"),
            ("[red]nowhere", "there is no folder [red]nowhere"),
            (str(folder / "pages.json"), "is a file, not a folder"),
        ):
            write(pilot, written)
            await press(pilot, "enter")
            assert said in text_of(pilot)
        assert given == []
        await press(pilot, "escape")
        assert given == [None]


async def test_folders_only_where_a_folder_is_asked_for(folder: Path) -> None:
    any_of_them = PathSuggester(folders_only=False)
    folders = PathSuggester(folders_only=True)
    assert await folders.get_suggestion(f"{folder}/pa") == f"{folder}/pages/"
    assert await folders.get_suggestion(f"{folder}/pages.") is None
    found = await any_of_them.get_suggestion(f"{folder}/pages.")
    assert found == str(folder / "pages.json")
    assert await any_of_them.get_suggestion(f"{folder}/") is None
    assert await any_of_them.get_suggestion(f"{folder}/nowhere/x") is None


async def test_home_is_written_as_a_tilde(folder: Path) -> None:
    home = Path(os.environ["HOME"])
    (home / "kilns").mkdir()
    async with asking(folder=True) as (pilot, given):
        write(pilot, "~/kilns")
        await press(pilot, "enter")
        assert given == [NamedPath(home / "kilns", None)]
