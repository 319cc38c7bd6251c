"""Views on a screen: signs, styles, bars, lines that are cut, tables in columns."""

from __future__ import annotations

from collections.abc import Iterable

from claimscope.core.report.view import (
    TEXT_ONLY,
    Column,
    Part,
    Span,
    Table,
    line,
    row,
    sign_span,
)
from claimscope.tui.widgets.flow import lay_out, line_text
from claimscope.tui.widgets.glyphs import ASCII, UNICODE, Glyphs
from claimscope.tui.widgets.rendered import paragraphs, piece


def texts(
    parts: Iterable[Part], glyphs: Glyphs = UNICODE, width: int = 80
) -> list[str]:
    laid = lay_out(paragraphs(parts, glyphs), width)
    return [line_text(one).rstrip() for one in laid]


def test_a_span_has_the_sign_of_the_terminal_and_the_style_of_its_role() -> None:
    found = piece(Span("likely", "likely", "likely", is_strong=True), UNICODE)
    assert (found.text, found.roles) == ("◐ likely", "likely strong")
    assert piece(Span("aside", "faint"), UNICODE).roles == "dim"
    assert piece(sign_span("no", "contradicted"), ASCII).text == "x no"


def test_a_share_is_a_bar_behind_its_text() -> None:
    assert (
        piece(Span("50%", share=(1, 2)), UNICODE).text == "50% " + "█" * 10 + "░" * 10
    )
    assert piece(Span("", share=(0, 0)), ASCII).text == "." * 20


def test_a_line_of_a_width_cuts_its_last_span_only() -> None:
    why = "because " * 20
    (shown,) = texts([line("judge: ", Span("no"), Span(why), width=40)])
    assert shown.startswith("judge: no") and shown.endswith("…") and len(shown) <= 40
    (shown,) = texts([line("judge: ", Span(" 0.93"), width=40)])
    assert shown == "judge:  0.93"


def test_a_table_keeps_styles_and_leaves_out_what_stands_elsewhere() -> None:
    columns = (
        Column("quarter"),
        Column("share", "right"),
        Column("which", least=TEXT_ONLY),
    )
    rows = (row("neither", Span("5%", "contradicted"), "a/b/1"), row("both", "95%", ""))
    assert texts([Table(columns, rows)]) == [
        "quarter  share",
        "neither     5%",
        "both       95%",
    ]
    (_, first, _) = paragraphs([Table(columns, rows)], UNICODE)
    assert [one.text for one in first.pieces if one.roles == "contradicted"] == ["5%"]
