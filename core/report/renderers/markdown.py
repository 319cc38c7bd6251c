"""Views as GitHub-flavoured Markdown: no markup, link, mention or reference comes of a
foreign text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from claimscope.core.report.renderers.plain import text
from claimscope.core.report.view import (
    SIGNS,
    Fields,
    Part,
    Prose,
    Row,
    Section,
    Span,
    Table,
    spans_of,
)

_MARKUP = re.compile(
    r"([!#$&*<>@\[\\\]_`|~]|:(?=[a-zA-Z+-][\w+-]*:|//)|(?<=mailto):|(?<=www)\.)"
)
"""What begins markup inside a line; nothing of ours stands at the start of one. A colon
begins an :emoji: or stands in an address; those of times are left alone."""
_MENTION = re.compile(r"\\([@#])(?=\w)")


def plain(value: object) -> str:
    """Text that Markdown shows as it is, on one line."""
    return _escaped(" ".join(text([Span(str(value))]).split()))


def _escaped(shown: str) -> str:
    # A hub looks for @name and #1 in the finished page, where escapes are gone.
    return _MENTION.sub(r"\\\1<!-- -->", _MARKUP.sub(r"\\\1", shown))


def lines(
    parts: Iterable[Part], *, head: int = 2, is_list: bool = False
) -> Iterator[str]:
    """Every part with an empty line after it. head: depth of the headings. is_list:
    prose is an entry of a list."""
    bullets = False
    for part in parts:
        level = part.level + is_list if isinstance(part, Prose) else 0
        if bullets and not level:
            yield ""
        bullets = level > 0
        match part:
            case Prose(spans=spans) if level:
                yield f"{'  ' * (level - 1)}- {_spans(spans)}"
            case Prose(spans=spans):
                yield _spans(spans)
                yield ""
            case Fields(rows=rows):
                yield from (f"- {plain(name)}: {_spans(p.spans)}" for name, p in rows)
                yield ""
            case Table():
                yield from table(part)
                yield ""
            case Section(title=title, parts=inner):
                yield f"{'#' * head} {_spans(title.spans)}"
                yield ""
                yield from lines(inner, head=head + 1, is_list=part.is_list)
                if part.left:
                    yield from (f"… and {part.left:,} more", "")
    if bullets:
        yield ""


def _spans(spans: Sequence[Span]) -> str:
    return "".join(map(_span, spans)).strip()


def _span(span: Span) -> str:
    shown = _escaped(text([span], SIGNS))
    if not (span.is_strong or span.role == "strong") or not shown.strip():
        return shown
    core = shown.strip()
    before, _, after = shown.partition(core)
    return f"{before}**{core}**{after}"


def table(found: Table) -> Iterator[str]:
    """Titles and rows; the text of every cell is escaped."""
    found = found.filled
    yield from rows_below([column.title for column in found.columns], found.rows)


def rows_below(heads: Sequence[str], rows: Iterable[Row]) -> Iterator[str]:
    """The same, row by row, of any number of them."""
    yield f"| {' | '.join(map(plain, heads))} |"
    yield f"|{'---|' * len(heads)}"
    for cells in rows:
        shown = (
            _escaped(" ".join(text(spans_of(cell), SIGNS).split())) for cell in cells
        )
        yield f"| {' | '.join(shown)} |"
