"""Records of tables and exports, whatever file they stand in, into pages.

JSON, JSON lines and CSV name the same things by the same words: id | page_id | pmid;
text | abstract | content | body; title, url, source, journal, published | date,
authors, doi, domain, markup. Other fields are left aside. What names its text otherwise
is read when somebody says the name (`--text-field body.plain`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from claimscope.core.errors import PageError
from claimscope.core.models import Page
from claimscope.stores.pages.parsing.metadata import metadata, page, page_id, text_field
from claimscope.stores.pages.parsing.missing_values import missing_as_written

TEXT_FIELDS = ("text", "abstract", "content", "body")
_MOST_NAMED = 10
Part = TypeVar("Part")


class RecordReader(Protocol):
    """A reader of records, which can be told the name of their text."""

    suffixes: tuple[str, ...]
    holds_records: bool

    def read(
        self, data: bytes, path: str, text_name: str | None = None
    ) -> Iterator[Page]:
        """As a PageReader does; `text_name`: the field of the text, a point between
        names leads inwards."""


def record_page(
    fields: Mapping[str, Any],
    place: str,
    default_id: str,
    path: str,
    text_name: str | None = None,
) -> Page:
    """The page of one record. Raises PageError naming `place`."""
    text = _text(fields) if text_name is None else _named_text(fields, text_name)
    if not text and not any(name in fields for name in TEXT_FIELDS):
        raise _nameless(fields, place, text_name)
    values: dict[str, Any] = {
        "page_id": page_id(fields, default_id),
        "text": text,
        "path": path,
        **metadata(fields),
    }
    markup = text_field(fields, "markup")
    if markup is not None:
        values["markup"] = markup
    return page(place, values)


def record_pages(
    records: Iterable[tuple[str, str, Any]], path: str, text_name: str | None = None
) -> Iterator[Page]:
    """Pages of (place, default id, record), as `good_pages` gives them."""

    def page_of(record: tuple[str, str, Any]) -> Page:
        place, default_id, fields = record
        if not isinstance(fields, dict):
            raise PageError(
                f"{place}: not a JSON object.",
                'Write each record as {"id": …, "text": …}.',
            )
        return record_page(fields, place, default_id, path, text_name)

    return good_pages(records, page_of)


def good_pages(
    parts: Iterable[Part], page_of: Callable[[Part], Page], noun: str = "more"
) -> Iterator[Page]:
    """The page of each part of a file. Gives every good one, then raises PageError
    naming the parts that gave none."""
    problems: list[PageError] = []
    for part in parts:
        try:
            yield page_of(part)
        except PageError as error:
            problems.append(error)
    if problems:
        raise summary(problems, noun)


def summary(problems: Sequence[PageError], noun: str = "more") -> PageError:
    """One error for several; the first ten are named."""
    named = [problem.message for problem in problems[:_MOST_NAMED]]
    if len(problems) > _MOST_NAMED:
        named.append(f"… and {len(problems) - _MOST_NAMED:,} {noun}")
    return PageError("\n".join(named), problems[0].hint)


def text_names(text_name: str | None) -> tuple[str, ...]:
    """The names by which a column of text is known."""
    return TEXT_FIELDS if text_name is None else (text_name.strip().lower(),)


def _named_text(fields: Mapping[str, Any], name: str) -> str:
    """The text of a field by its name, else by its path; a list is its paragraphs."""
    value: Any = fields.get(name)
    if value is None:
        value = fields.get(name.strip().lower())
    if value is None:
        value = fields
        for part in name.split("."):
            value = value.get(part) if isinstance(value, Mapping) else None
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        value = "\n\n".join(value)
    return value if isinstance(value, str) and not missing_as_written(value) else ""


def _nameless(
    fields: Mapping[str, Any], place: str, text_name: str | None
) -> PageError:
    sought = text_name or "text"
    names = ", ".join(str(name)[:40] for name in list(fields)[:_MOST_NAMED]) or "none"
    return PageError(
        f"{place}: no text in a field named {sought} (fields: {names}).",
        f"Say which holds the text (--text-field NAME), or name it one of: "
        f"{', '.join(TEXT_FIELDS)}.",
    )


def _text(fields: Mapping[str, Any]) -> str:
    """The text, its white space kept."""
    for name in TEXT_FIELDS:
        value = fields.get(name)
        if isinstance(value, str) and not missing_as_written(value):
            return value
    return ""
