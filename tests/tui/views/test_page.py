"""A page: list, screen, command and JSON say the same of it."""

from __future__ import annotations

from claimscope.core.models import Evidence, Page
from claimscope.core.report.renderers.plain import lines, text
from claimscope.core.report.view import spans_of
from claimscope.stores.index.page_list import PageHead
from claimscope.tui.views.page import (
    about_page,
    hit_row,
    in_short,
    page_data,
    page_head,
    page_line,
    page_row,
    place_words,
)

PAGE = Page(
    page_id="tides",
    text="High tide is at six.",
    title="Tides.",
    source="Harbour",
    journal="Harbour",
    published="1926",
    authors=("A. Wren", "B. Coll"),
    url="https://tides.example/1",
    path="a/tides.md",
)
BARE = Page(page_id="bare", text="Nothing.")
HEAD = PageHead("tides", "Tides", "Harbour", "1926", 1, 20, "a/tides.md")


def test_a_list_says_the_same_on_screen_and_in_text() -> None:
    row = [text(spans_of(cell)) for cell in page_row("tides", HEAD)]
    assert row == ["tides", "Tides", "1"]
    assert page_line(HEAD) == "tides  1 sentence  Tides"
    assert list(lines(in_short(HEAD)))[1:] == [
        "tides   Harbour   1926   a/tides.md",
        "1 sentence, 20 characters",
    ]
    assert [text(spans_of(cell)) for cell in page_row("gone", None)][1:] == ["", ""]


def test_what_a_page_says_of_itself_stands_in_every_medium() -> None:
    screen, data = list(lines(page_head(PAGE))), page_data(PAGE, "2026-11-29")
    assert screen[0] == "Tides." and "journal: Harbour" in screen
    assert about_page(PAGE) == "Tides. A. Wren, B. Coll. Harbour, 1926"
    assert place_words(PAGE, "2026-11-29") == (
        "https://tides.example/1  a/tides.md  indexed 2026-11-29"
    )
    shown = {name: value for name, _, value in (s.partition(": ") for s in screen[1:])}
    assert data["authors"] == shown["authors"].split(", ")
    assert (data["source"], data["date"]) == (shown["source"], shown["published"])


def test_what_a_page_does_not_say_is_left_out_and_null_in_json() -> None:
    assert list(lines(page_head(BARE))) == ["bare"]
    assert (about_page(BARE), about_page(None), place_words(BARE, None)) == ("",) * 3
    data = page_data(None, None)
    assert data == page_data(BARE, None)
    assert data.pop("authors") == [] and set(data.values()) == {None}


def test_a_hit_by_words_alone_has_no_similarity() -> None:
    hit = Evidence(page_id="tides", index=0, text="High tide.", start=0, end=10)
    assert text(spans_of(hit_row(hit)[2])) == "–"
