"""Records of tables and exports, whatever file they stand in, into pages.

JSON, JSON lines and CSV name the same things by the same words: id | page_id | pmid;
text | abstract | content | body; title, url, source, journal, published | date,
authors, doi, domain, markup. Other fields are left aside.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from claimscope.core.errors import PageError
from claimscope.core.models import Page
from claimscope.stores.missing import written
from claimscope.stores.sources.fields import metadata, page, page_id, text_field

TEXT_FIELDS = ("text", "abstract", "content", "body")
_MOST_NAMED = 10


def record_page(
    fields: Mapping[str, Any], place: str, default_id: str, path: str
) -> Page:
    """The page of one record. Raises PageError naming `place`."""
    values: dict[str, Any] = {
        "page_id": page_id(fields, default_id),
        "text": _text(fields),
        "path": path,
        **metadata(fields),
    }
    markup = text_field(fields, "markup")
    if markup is not None:
        values["markup"] = markup
    return page(place, values)


def record_pages(
    records: Iterable[tuple[str, str, Any]],
    path: str,
    problems: Sequence[PageError] = (),
) -> Iterator[Page]:
    """Pages of (place, default id, record). Gives every good one, then raises
    PageError naming those that were not, after the `problems` found before."""
    found = list(problems)
    for place, default_id, fields in records:
        try:
            if not isinstance(fields, dict):
                raise PageError(
                    f"{place}: not a JSON object.",
                    'Write each record as {"id": …, "text": …}.',
                )
            yield record_page(fields, place, default_id, path)
        except PageError as error:
            found.append(error)
    if found:
        raise summary(found)


def summary(problems: Sequence[PageError], noun: str = "more") -> PageError:
    """One error for several; the first ten are named."""
    named = [problem.message for problem in problems[:_MOST_NAMED]]
    if len(problems) > _MOST_NAMED:
        named.append(f"… and {len(problems) - _MOST_NAMED:,} {noun}")
    return PageError("\n".join(named), problems[0].hint)


def _text(fields: Mapping[str, Any]) -> str:
    """The text, its white space kept."""
    for name in TEXT_FIELDS:
        value = fields.get(name)
        if isinstance(value, str) and not written(value):
            return value
    return ""
