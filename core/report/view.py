"""What is said of one thing, before any medium: text in roles, fields, tables.

`views/` builds it once; `renderers/` and tui/widgets/rendered.py show it. A role or a
sign is a meaning; what it looks like is the medium's. Text of pages, answers and models
is put in as it came: every renderer makes it inert.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from claimscope.core.errors import ClaimscopeError
from claimscope.core.models import Label, Verdict
from claimscope.core.report.terms import OUTCOMES, WORDS

Sign = Literal[
    "",
    "supported",
    "likely",
    "contradicted",
    "not_enough_info",
    "unscored",
    "risen",
    "fallen",
    "level",
    "disputed",
    "running",
    "paused",
    "stopped",
    "current",
    "skipped",
]
"""What a mark before a text means: of a verdict, of a figure, of what is at work
or in use."""
Role = Literal[
    "",
    "strong",
    "faint",
    "heading",
    "supported",
    "likely",
    "contradicted",
    "not_enough_info",
    "unscored",
    "citation",
    "human",
    "key",
    "matched",
    "conflict",
]
SIGNS: Mapping[Sign, str] = {
    "supported": "✓",
    "likely": "◐",
    "contradicted": "✗",
    "not_enough_info": "○",
    "unscored": "?",
    "risen": "▲",
    "fallen": "▼",
    "level": "≈",
    "disputed": "≠",
    "running": "▶",
    "paused": "‖",
    "stopped": "■",
    "current": "▶",
    "skipped": "·",
}
"""As reports have them."""
ASCII_SIGNS: Mapping[Sign, str] = dict(zip(SIGNS, "+%x?-^v=!>=#>.", strict=True))
"""The same where nothing else can be shown."""


@dataclass(frozen=True)
class Span:
    """Some text, what it means, and a mark before it."""

    text: str
    role: Role = ""
    sign: Sign = ""
    is_strong: bool = False
    """Beside its role."""
    address: str | None = None
    """Web address that it leads to where a medium has links."""
    share: tuple[int, int] | None = None
    """(part, whole) of what it says: a screen draws a bar behind it."""
    bar: int = 20
    """Cells of that bar."""

    def __bool__(self) -> bool:
        return bool(self.text or self.sign or self.share)


EMPTY = Span("")


@dataclass(frozen=True)
class Prose:
    """Spans that flow together; none = an empty line."""

    spans: tuple[Span, ...] = ()
    level: int = 0
    """How far it is set in under what it belongs to."""
    hangs: bool = True
    """Further lines of it are set in more than the first."""
    width: int | None = None
    """Cells of the one line that a screen gives it, its last span cut; None = all."""


@dataclass(frozen=True)
class Fields:
    """A value to each label, one below the other."""

    rows: tuple[tuple[str, Prose], ...]


TEXT_ONLY = 1_000_000
"""`Column.least` of what a screen says in another place."""


@dataclass(frozen=True)
class Column:
    """Of a table."""

    title: str
    align: Literal["left", "right"] = "left"
    width: int | None = None
    """Cells on a screen; None = what the others leave."""
    least: int = 0
    """A screen narrower than this is without it; text and files have it always."""
    is_optional: bool = False
    """Left out of text and files where no row has a value in it."""


Cell = Span | Prose
Row = Sequence[Cell]


def spans_of(cell: Cell) -> tuple[Span, ...]:
    """The spans of a cell."""
    return (cell,) if isinstance(cell, Span) else cell.spans


@dataclass(frozen=True)
class Table:
    """Rows of cells; a screen may ask for the cells of a row when it is seen."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]

    def without(self, *titles: str) -> Table:
        """Without the columns of these titles."""
        places = [n for n, c in enumerate(self.columns) if c.title not in titles]
        return self._only(places)

    @property
    def filled(self) -> Table:
        """Without optional columns that no row has a value in."""
        kept = [
            place
            for place, column in enumerate(self.columns)
            if not column.is_optional
            or any(any(spans_of(row[place])) for row in self.rows)
        ]
        return self._only(kept)

    def _only(self, places: Sequence[int]) -> Table:
        return Table(
            tuple(self.columns[place] for place in places),
            tuple(tuple(row[place] for place in places) for row in self.rows),
        )


@dataclass(frozen=True)
class Section:
    """A heading and what stands below it."""

    title: Prose
    parts: tuple[Part, ...]
    is_list: bool = False
    """Its parts are entries."""
    left: int = 0
    """Further entries, which are not shown."""


Part = Prose | Fields | Table | Section


def line(
    *parts: str | Span, level: int = 0, hangs: bool = True, width: int | None = None
) -> Prose:
    """Prose of these parts; what is empty falls away."""
    spans = (Span(part) if isinstance(part, str) else part for part in parts)
    return Prose(tuple(span for span in spans if span), level, hangs, width)


def list_section(title: str | Span, entries: Iterable[Part], left: int = 0) -> Section:
    """A list of entries under a heading. left: how many more there are."""
    return Section(line(title), tuple(entries), is_list=True, left=left)


def row(*cells: str | Cell) -> Row:
    """The cells of a row."""
    return tuple(Span(cell) if isinstance(cell, str) else cell for cell in cells)


# --- what is said everywhere ----------------------------------------------------

LABELS: Mapping[Label, Sign] = {
    Label.SUPPORTED: "supported",
    Label.CONTRADICTED: "contradicted",
    Label.NOT_ENOUGH_INFO: "not_enough_info",
    Label.UNSCORED: "unscored",
}
PASSED: Mapping[bool | None, Sign] = {
    True: "supported",
    False: "contradicted",
    None: "unscored",
}


def sign_span(text: str, meaning: Sign) -> Span:
    """A text with the sign and the role of one meaning."""
    roles: Mapping[Sign, Role] = {
        "supported": "supported",
        "likely": "likely",
        "contradicted": "contradicted",
        "not_enough_info": "not_enough_info",
        "unscored": "unscored",
    }
    return Span(text, roles.get(meaning, ""), meaning)


def verdict_sign(verdict: Verdict) -> Sign:
    """Its label's, or its own where it is only likely."""
    return "likely" if verdict.is_likely else LABELS[verdict.label]


def verdict_span(verdict: Verdict) -> Span:
    """Sign and word of a verdict."""
    return sign_span(verdict.word, verdict_sign(verdict))


def label_span(label: Label) -> Span:
    """Sign and word of a label."""
    return sign_span(WORDS[label], LABELS[label])


def error_line(error: ClaimscopeError) -> Prose:
    """What went wrong, and what to do about it."""
    hint = Span(f" {error.hint}" if error.hint else "", "faint")
    return line(sign_span("", "contradicted"), error.message, hint)


def outcome_span(passed: bool | None) -> Span:
    """Sign and word of what became of a sample."""
    return sign_span(OUTCOMES[passed], PASSED[passed])
