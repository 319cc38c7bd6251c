"""Wrapping loses no text and never breaks the width."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from claimscope.tui.widgets.flow import (
    Piece,
    clip,
    lay_out,
    line_text,
    line_with,
    para,
    plain,
    spans,
    wrap,
)

TEXTS = st.text(
    st.sampled_from("ab c  \n\t漢é😀.[]:,") | st.characters(exclude_categories=["Cs"]),
    max_size=120,
)


@given(TEXTS, st.integers(2, 30), st.integers(0, 12))
def test_no_line_is_wider_and_no_word_is_lost(text: str, width: int, more: int) -> None:
    shown = plain(text)
    found = spans(shown, width, width + more)
    first, *others = (cell_len(shown[start:end]) for start, end in found)
    assert first <= width + more
    assert all(cells <= width for cells in others)
    assert "".join("".join(shown[a:b] for a, b in found).split()) == "".join(
        shown.split()
    )
    edges = [edge for span in found for edge in span]
    assert edges == sorted(edges)


@given(st.lists(st.tuples(TEXTS, st.sampled_from(["x", "y", ""]))), st.integers(5, 40))
def test_pieces_keep_their_roles_when_wrapped(
    parts: list[tuple[str, str]], width: int
) -> None:
    pieces = [Piece(plain(text), role) for text, role in parts]
    lines = wrap(pieces, width, hanging=2)
    for role in ("x", "y", ""):
        before = "".join(piece.text for piece in pieces if piece.roles == role)
        after = "".join(
            piece.text for line in lines for piece in line if piece.roles == role
        )
        assert "".join(after.split()) == "".join(before.split())


def test_words_move_to_the_next_line_whole() -> None:
    assert [line_text(line) for line in wrap([Piece("one two three")], 8)] == [
        "one two",
        "three",
    ]


def test_lines_after_the_first_hang() -> None:
    lines = wrap([Piece("- one two three")], 8, hanging=2)
    assert [line_text(line) for line in lines] == ["- one", "  two", "  three"]


def test_the_first_line_is_as_wide_as_the_others_with_their_indent() -> None:
    lines = wrap([Piece("field  one two three four")], 18, hanging=7)
    assert [line_text(line) for line in lines] == [
        "field  one two",
        "       three four",
    ]


def test_newlines_and_indents_of_the_text_stay() -> None:
    lines = wrap([Piece("a\n\n  b\n")], 10)
    assert [line_text(line) for line in lines] == ["a", "", "  b", ""]


def test_wide_characters_count_two_cells() -> None:
    lines = wrap([Piece("漢字漢字漢")], 4)
    assert [line_text(line) for line in lines] == ["漢字", "漢字", "漢"]


def test_the_line_with_a_role_is_found() -> None:
    lines = lay_out([para(Piece("one")), para(), para(Piece("two", "dim current"))], 20)
    assert line_with(lines, "current") == 2
    assert line_with(lines, "strong") is None


@given(TEXTS, st.integers(1, 20))
def test_clipped_text_is_one_line_that_fits(text: str, width: int) -> None:
    clipped = clip(plain(text), width, "…")
    assert cell_len(clipped) <= width
    assert "\n" not in clipped


def test_escape_codes_and_markup_are_shown_as_written() -> None:
    assert plain("\x1b[31m[PMID:1, S:2]\x07") == "␛[31m[PMID:1, S:2]␇"
