"""JSON lines: one page a line, as abstracts and exports of other tools come.

Fields: id | page_id | pmid, text | abstract | content | body, title, url, source,
journal, published | date, authors, doi; others are left aside.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from claimscope.core.errors import PageError
from claimscope.core.models import Page
from claimscope.stores.sources.decoding import decode
from claimscope.stores.sources.fields import metadata, page, page_id, text_field

_MOST_NAMED = 10


class JsonLinesReader:
    """Gives every good line; raises at the end when there were bad ones."""

    suffixes: tuple[str, ...] = (".jsonl", ".ndjson")

    def read(self, data: bytes, path: str) -> Iterator[Page]:
        problems: list[PageError] = []
        number = 0
        for number, line in enumerate(decode(data, path).split("\n"), start=1):
            if not line.strip():
                continue
            try:
                yield _page(line, path, number)
            except PageError as error:
                problems.append(error)
        if problems:
            raise _summary(problems)
        if not data.strip():
            raise PageError(f"{path}: the file is empty.", "Remove it, or add pages.")


def _page(line: str, path: str, number: int) -> Page:
    place = f"{path}, line {number}"
    try:
        fields = json.loads(line)
    except json.JSONDecodeError as error:
        raise PageError(
            f"{place}, column {error.colno}: not JSON: {error.msg}.",
            "Write one JSON object a line.",
        ) from error
    except (RecursionError, ValueError) as error:
        raise PageError(
            f"{place}: cannot be read: {error}.", "Write one flat JSON object a line."
        ) from error
    if not isinstance(fields, dict):
        raise PageError(
            f"{place}: not a JSON object.", 'Write {"id": …, "text": …} on each line.'
        )
    values: dict[str, Any] = {
        "page_id": page_id(fields, f"{path}#{number}"),
        "text": _text(fields),
        "path": path,
        **metadata(fields),
    }
    markup = text_field(fields, "markup")
    if markup is not None:
        values["markup"] = markup
    return page(place, values)


def _text(fields: dict[str, Any]) -> str:
    """The text, its white space kept."""
    for name in ("text", "abstract", "content", "body"):
        value = fields.get(name)
        if isinstance(value, str) and value.strip():
            return value
    return ""


def _summary(problems: list[PageError]) -> PageError:
    named = [problem.message for problem in problems[:_MOST_NAMED]]
    if len(problems) > _MOST_NAMED:
        named.append(f"… and {len(problems) - _MOST_NAMED:,} more lines")
    return PageError("\n".join(named), problems[0].hint)


READER = JsonLinesReader()
