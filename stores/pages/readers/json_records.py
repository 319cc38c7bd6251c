"""JSON: a list of records, such a list inside an object, or one record."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from claimscope.core.errors import PageError
from claimscope.core.models import Page
from claimscope.stores.pages.parsing.decoding import decode
from claimscope.stores.pages.parsing.records import TEXT_FIELDS, record_pages

LISTS = ("pages", "documents", "articles", "records", "items", "results", "data")
"""Names under which files keep their list of records, in order of preference."""


class JsonReader:
    """Gives every good record; raises at the end when there were bad ones."""

    suffixes: tuple[str, ...] = (".json",)

    holds_records = True

    def read(
        self, data: bytes, path: str, text_name: str | None = None
    ) -> Iterator[Page]:
        records = _records(_value(data, path), path, text_name)
        if isinstance(records, dict):
            one = [(path, path, records)]
            yield from record_pages(one, path, text_name=text_name)
            return
        yield from record_pages(
            (
                (f"{path}, record {number}", f"{path}#{number}", record)
                for number, record in enumerate(records, start=1)
            ),
            path,
            text_name=text_name,
        )


def _value(data: bytes, path: str) -> Any:
    try:
        return json.loads(decode(data, path))
    except json.JSONDecodeError as error:
        raise PageError(
            f"{path}, line {error.lineno}, column {error.colno}: not JSON:"
            f" {error.msg}.",
            "Look there for a missing comma, quotation mark or bracket.",
        ) from error
    except (RecursionError, ValueError) as error:
        raise PageError(f"{path}: not JSON: {error}.", "Check the file.") from error


def _records(
    value: Any, path: str, text_name: str | None
) -> list[Any] | dict[str, Any]:
    if isinstance(value, list) and value:
        return value
    if isinstance(value, dict):
        if isinstance(value.get("cases"), list):
            raise PageError(
                f"{path}: it is a suite, not pages.",
                "Keep suites outside the folder of pages, or --exclude it.",
            )
        names = (*TEXT_FIELDS, text_name) if text_name else TEXT_FIELDS
        if any(isinstance(value.get(name), str) for name in names):
            return value
        for name in LISTS:
            if isinstance(value.get(name), list) and value[name]:
                return list(value[name])
    raise PageError(
        f"{path}: there is no page in it.",
        'Write a list of {"id": …, "text": …}, or --exclude the file.',
    )


READER = JsonReader()
