"""JSON lines: one page a line, as abstracts and exports of other tools come."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from claimscope.core.errors import PageError
from claimscope.core.models import Page
from claimscope.stores.pages.parsing.decoding import decode
from claimscope.stores.pages.parsing.records import good_pages, record_page


class JsonLinesReader:
    """Gives every good line; raises at the end when there were bad ones."""

    suffixes: tuple[str, ...] = (".jsonl", ".ndjson")

    holds_records = True

    def read(
        self, data: bytes, path: str, text_name: str | None = None
    ) -> Iterator[Page]:
        def page_of(numbered: tuple[int, str]) -> Page:
            number, line = numbered
            place = f"{path}, line {number}"
            fields = _object(line, place)
            return record_page(fields, place, f"{path}#{number}", path, text_name)

        lines = enumerate(decode(data, path).split("\n"), start=1)
        full = (numbered for numbered in lines if numbered[1].strip())
        yield from good_pages(full, page_of, "more lines")


def _object(line: str, place: str) -> dict[str, Any]:
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
    return fields


READER = JsonLinesReader()
