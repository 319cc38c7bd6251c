"""Pages: what is indexed, search while one types, index, delete."""

from __future__ import annotations

import re
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.pilot import Pilot
from textual.widgets import Input

from claimscope.core.models import Evidence, Page, Sentence
from claimscope.core.ports import Progress
from claimscope.stores.index.page_list import PageHead
from claimscope.stores.pages.reading_record import ReadingRecord
from claimscope.tui.ports.gateway import CorpusInfo
from claimscope.tui.ports.library import Hits, IndexOutcome
from claimscope.tui.screens.home.screen import HomeScreen
from claimscope.tui.screens.pages.page import PageScreen
from claimscope.tui.screens.pages.screen import PagesScreen
from claimscope.tui.widgets.page_text import page_body
from tests.tui.gateways import FakeGateway
from tests.tui.libraries import FakeLibrary, FakePages
from tests.tui.pictures import check_pictures
from tests.tui.pilot import (
    app_on,
    check_snapshot,
    press,
    press_until,
    settle,
    text_of,
    told,
)

RECORD = ReadingRecord(
    folder="/pages/kilns",
    files=2,
    problems=(("odd.pdf", "odd.pdf: it is encrypted"),),
    problem_count=1,
)


def furnished() -> FakeGateway:
    """One corpus of two pages."""
    heads = {
        name: PageHead(name, title, "kilns", None, 3, 120, name)
        for name, title in (("a.md", "Kilns [red]"), ("b.md", "Glazes"))
    }
    return FakeGateway(
        library=FakeLibrary(heads=heads, record=RECORD),
        corpus_list=[CorpusInfo("kilns", 2, 6, "mini@1/fp32", "ab")],
    )


@asynccontextmanager
async def pages(gateway: FakeGateway) -> AsyncIterator[Pilot[None]]:
    """The app on the Pages screen."""
    app = app_on(gateway)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        await press(pilot, "p")
        assert isinstance(app.screen, PagesScreen)
        yield pilot


async def shows(pilot: Pilot[None], words: str) -> bool:
    """Whether the words come; a timer or a thread may still be at work."""
    for _ in range(6000):  # a minute, where a machine at rest takes a moment
        await pilot.pause(0.01)
        if words in text_of(pilot):
            return True
    return False


async def test_corpora_and_pages_are_listed_and_one_is_read() -> None:
    async with pages(furnished()) as pilot:
        shown = text_of(pilot)
        assert "kilns 2 6 mini@1/fp32" in shown and "a.md Kilns [red] 3" in shown
        check_snapshot(pilot, "pages")
        await check_pictures(pilot, "pages")
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, PageScreen)
        assert "a.md is not in kilns." in text_of(pilot)
        await press(pilot, "g", "c")
        assert "No page, so no sentences." in told(pilot)
        assert "There is nothing to copy." in told(pilot)


async def test_a_page_numbers_its_sentences_and_copies_them_without() -> None:
    gateway = furnished()
    text = "# Kilns\n\nThe kiln is hot. It is [red]old."
    gateway.pages["a.md"] = Page(page_id="a.md", text=text)
    async with pages(gateway) as pilot:
        await press(pilot, "enter")
        shown = text_of(pilot)
        assert "S:0 # Kilns" in shown
        assert "S:1 The kiln is hot. S:2 It is [red]old." in shown
        await press(pilot, "c")
        assert pilot.app.clipboard == text
        await press(pilot, "g", *"S:2", "enter")
        assert "S:2 ▶ It is [red]old." in text_of(pilot)
        await press(pilot, "c")
        assert pilot.app.clipboard == "It is [red]old."
        await press(pilot, "g", "9", "enter")
        assert "No sentence 9; they go from 0 to 2." in told(pilot)
        await press(pilot, "s")
        assert "The kiln is hot. ▶ It is [red]old." in text_of(pilot)


@given(st.lists(st.integers(0, 30), max_size=8), st.data())
def test_numbers_and_marks_add_to_a_page_and_take_nothing(
    edges: list[int], data: st.DataObject
) -> None:
    text = "The kiln is hot. It is old. So"
    points = sorted({min(edge, len(text)) for edge in edges})
    spans = list(pairwise(points))
    numbered = [
        Sentence(page_id="p", index=n, text=text[a:b], start=a, end=b)
        for n, (a, b) in enumerate(spans)
    ]
    marks = data.draw(st.lists(st.sampled_from(spans), unique=True)) if spans else []
    current = data.draw(st.sampled_from(marks)) if marks else None
    body = page_body(text, numbered, marks, current, ">")
    added = [piece for piece in body.pieces if re.fullmatch(r"S:\d+ |> ", piece.text)]
    rest = [piece.text for piece in body.pieces if piece not in added]
    assert "".join(rest) == text
    assert len(added) == len(numbered) + len(marks)
    marked = [piece.text for piece in body.pieces if piece.has("current")]
    assert "".join(marked) == ("> " + text[slice(*current)] if current else "")


async def test_an_empty_workspace_says_what_to_do() -> None:
    async with pages(FakeGateway()) as pilot:
        assert "Press i and name a folder" in text_of(pilot)
        check_snapshot(pilot, "pages_empty")


async def test_hits_come_by_words_then_by_meaning_and_old_ones_are_left() -> None:
    gateway = furnished()
    async with pages(gateway) as pilot:
        await press(pilot, "slash")
        line = pilot.app.screen.query_one("#pages-line", Input)
        assert not line.cursor_blink, "each blink would be sent over the line"
        line.value = "hot"
        assert await shows(pilot, "opening the index")
        assert "0 hits" not in text_of(pilot)
        (search,) = gateway.library.searches
        number = search.asked[-1][0]
        hit = Evidence(page_id="b.md", index=1, text="It is hot.", start=0, end=10)
        search.answer(Hits(number, "words", (hit,)))
        assert await shows(pilot, "1 hit by words; by meaning")
        search.answer(Hits(number - 1, "words"))
        search.answer(
            Hits(number, "meaning", (hit.model_copy(update={"similarity": 0.5}),))
        )
        assert await shows(pilot, "1 hit by words and meaning")
        assert "b.md It is hot. 0.50" in text_of(pilot)


async def test_a_filter_reads_the_pages_once_while_it_is_typed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gateway = furnished()
    opened: list[str] = []
    make = gateway.library.pages

    def counted(corpus: str) -> FakePages:
        opened.append(corpus)
        return make(corpus)

    monkeypatch.setattr(gateway.library, "pages", counted)
    async with pages(gateway) as pilot:
        await press(pilot, "f")
        line = pilot.app.screen.query_one("#pages-line", Input)
        line.value = "GLAZ"
        assert await shows(pilot, "1 page with GLAZ")
        line.value = "GLAZY"
        assert await shows(pilot, "No page has these words")
        assert opened == ["kilns"]
        await press(pilot, "escape")
        assert await shows(pilot, "2 pages")
        assert opened == ["kilns", "kilns"]


async def test_update_indexes_the_known_folder_and_tells_what_changed() -> None:
    gateway = furnished()
    gateway.library.outcome = IndexOutcome("kilns", 3, 9, 1, 0, 0, 2, 4, 1)
    async with pages(gateway) as pilot:
        await press(pilot, "u")
        assert gateway.library.indexed == [("/pages/kilns", "kilns")]
        assert "kilns: 3 pages, 9 sentences (1 added, 2 unchanged; 4 texts" in text_of(
            pilot
        )
        assert "1 file was not read; s says why" in text_of(pilot)
        await press(pilot, "s")
        assert "odd.pdf it is encrypted" in text_of(pilot)


async def test_escape_stops_an_index_before_it_leaves() -> None:
    gateway = furnished()
    gateway.library.waits = threading.Event()
    gateway.library.steps = [Progress("embedding", 5, 20, 2.0, 7.5)]
    async with pages(gateway) as pilot:
        await pilot.press("u")
        assert await shows(pilot, "embedding 5/20 texts, 2/s, 8 s left")
        await press(pilot, "escape")
        assert "stopped. What was embedded is kept" in text_of(pilot)
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, HomeScreen)


async def test_a_folder_under_a_name_that_is_taken_replaces_only_when_asked(
    tmp_path: Path,
) -> None:
    gateway = furnished()
    gateway.library.outcome = IndexOutcome("kilns", 1, 3, 1, 0, 2, 0, 3, 0)
    folder = tmp_path / "kilns"
    folder.mkdir()
    async with pages(gateway) as pilot:
        await press(pilot, "i")
        pilot.app.screen.query_one("#path-path", Input).value = str(folder)
        asked = "kilns exists already and holds: /pages/kilns"
        await press_until(pilot, "enter", asked)
        await press(pilot, "n")
        assert gateway.library.indexed == []
        await press(pilot, "i")
        pilot.app.screen.query_one("#path-path", Input).value = str(folder)
        await press_until(pilot, "enter", asked)
        done = "kilns: 1 page, 3 sentences (1 added, 2 deleted;"
        await press_until(pilot, "y", done)
        assert gateway.library.indexed == [(str(folder), "kilns")]


async def test_a_folder_under_a_name_of_its_own_is_indexed_at_once(
    tmp_path: Path,
) -> None:
    gateway = furnished()
    gateway.library.outcome = IndexOutcome("new", 1, 3, 1, 0, 0, 0, 3, 0)
    async with pages(gateway) as pilot:
        await press(pilot, "i")
        pilot.app.screen.query_one("#path-path", Input).value = str(tmp_path)
        await press(pilot, "tab", *"new", "enter")
        assert gateway.library.indexed == [(str(tmp_path), "new")]


async def test_a_page_is_deleted_only_when_asked_twice() -> None:
    gateway = furnished()
    async with pages(gateway) as pilot:
        await press(pilot, "d", "n")
        assert gateway.library.deleted == []
        await press(pilot, "d", "y")
        assert gateway.library.deleted == ["a.md"]
        assert "Kilns" not in text_of(pilot)
