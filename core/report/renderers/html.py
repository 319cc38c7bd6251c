"""Views as HTML: every text is made inert and escaped; a role is a class of the style
sheet of the reports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from urllib.parse import urlsplit

from claimscope.core.report.view import (
    SIGNS,
    Cell,
    Column,
    Fields,
    Part,
    Prose,
    Role,
    Section,
    Span,
    Table,
    spans_of,
)
from claimscope.core.text.sanitising import sanitise

CLASSES: Mapping[Role, str] = {
    "faint": "dim",
    "supported": "good",
    "likely": "open",
    "contradicted": "bad",
    "not_enough_info": "weak",
    "unscored": "open",
    "human": "dim",
    "conflict": "bad",
}
"""Of templates/report.css; a role without one looks like other text."""


def view_html(
    parts: Iterable[Part], *, head: int = 2, is_list: bool = False
) -> Iterator[str]:
    """Markup of every part. head: depth of the headings. is_list: prose is an entry of
    a list."""
    is_open = False
    for part in parts:
        is_item = isinstance(part, Prose) and part.level + is_list > 0
        if is_item != is_open:
            yield "<ul>\n" if is_item else "</ul>\n"
            is_open = is_item
        match part:
            case Prose(spans=spans):
                tag = "li" if is_item else "p"
                yield f'<{tag} dir="auto">{_spans(spans)}</{tag}>\n'
            case Fields(rows=rows):
                yield "<dl>\n"
                for name, value in rows:
                    yield f"<dt>{_text(name)}</dt>"
                    yield f'<dd dir="auto">{_spans(value.spans)}</dd>\n'
                yield "</dl>\n"
            case Table():
                yield from table(part)
            case Section(title=title, parts=inner):
                yield f'<h{head} dir="auto">{_spans(title.spans)}</h{head}>\n'
                yield from view_html(inner, head=head + 1, is_list=part.is_list)
                if part.left:
                    yield f"<p>… and {part.left:,} more</p>\n"
    if is_open:
        yield "</ul>\n"


def table(found: Table) -> Iterator[str]:
    """Titles and rows; figures stand to the right."""
    found = found.filled
    heads = "".join(f"<th{_side(c)}>{_text(c.title)}</th>" for c in found.columns)
    yield f'<div class="wide"><table>\n<tr>{heads}</tr>\n'
    for cells in found.rows:
        shown = "".join(
            f"<td{_side(column) or _AUTO}>{_cell(cell)}</td>"
            for column, cell in zip(found.columns, cells, strict=True)
        )
        yield f"<tr>{shown}</tr>\n"
    yield "</table></div>\n"


_AUTO = ' dir="auto"'


def _side(column: Column) -> str:
    return ' class="n"' if column.align == "right" else ""


def badge(span: Span) -> str:
    """A word in a box."""
    return f'<span class="badge {class_of(span)}">{_plain(span)}</span>'


def class_of(span: Span) -> str:
    """The class of what it means; may be empty."""
    return CLASSES.get(span.role, "")


def mark(span: Span) -> str:
    """Its sign."""
    return SIGNS[span.sign] if span.sign else ""


def _cell(cell: Cell) -> str:
    return "".join(map(_plain, spans_of(cell)))


def _spans(spans: Sequence[Span]) -> str:
    return "".join(map(_span, spans))


def _span(span: Span) -> str:
    shown = _plain(span)
    if address := web_address(span.address):
        target = f'href="{_text(address)}" rel="noreferrer noopener"'
        shown = f"<a {target}>{shown}</a>"
    if span.is_strong or span.role in ("strong", "heading"):
        shown = f"<b>{shown}</b>"
    name = class_of(span)
    return f'<span class="{name}">{shown}</span>' if name else shown


def web_address(url: str | None) -> str | None:
    """The address of a page if a browser may follow it; never a script's."""
    if url is None:
        return None
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        return None
    return url.strip() if parts.scheme in ("http", "https") and parts.netloc else None


def _plain(span: Span) -> str:
    return f"{mark(span)} {_text(span.text)}" if span.sign else _text(span.text)


def _text(text: str) -> str:
    return escape(sanitise(text))
