"""Metadata as files spell it, into the fields of a page."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from pydantic import ValidationError

from claimscope.core.errors import PageError
from claimscope.core.models import Page
from claimscope.stores.pages.parsing.missing_values import missing_as_written

_NAMES = {
    "title": ("title",),
    "source": ("source",),
    "url": ("url", "link"),
    "domain": ("domain",),
    "journal": ("journal",),
    "published": ("published", "date", "year"),
    "doi": ("doi",),
}
_SCALAR = (str, int, float)


def text_field(fields: Mapping[str, Any], *names: str) -> str | None:
    """The first of `names` that has a value, as text; dates in ISO form."""
    for name in names:
        value = fields.get(name)
        if isinstance(value, datetime.date):
            return value.isoformat()
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            continue
        if not missing_as_written(value):
            return str(value).strip()
    return None


def page_id(fields: Mapping[str, Any], default: str) -> str:
    """The id a file gives itself, else `default`; a bare PubMed number gets `PMID:`."""
    given = text_field(fields, "id", "page_id")
    if given is not None:
        return given
    pmid = text_field(fields, "pmid")
    if pmid is None:
        return default
    return f"PMID:{pmid}" if pmid.isdigit() else pmid


def metadata(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Page fields found under any of their usual names."""
    found: dict[str, Any] = {
        field: text_field(fields, *names) for field, names in _NAMES.items()
    }
    authors = fields.get("authors") or fields.get("author")
    if isinstance(authors, str):
        authors = [part.strip() for part in authors.split(";")]
    if isinstance(authors, list):
        # Scalars only: the names of a YAML file may be lists that hold one another.
        found["authors"] = tuple(
            str(name).strip() for name in authors if name and isinstance(name, _SCALAR)
        )
    if found["domain"] is None and found["url"]:
        found["domain"] = host_of(found["url"])
    return found


def host_of(url: str) -> str | None:
    """The host name of an address; None when there is none."""
    try:
        return urlsplit(url).hostname
    except ValueError:  # "http://[half/"
        return None


def page(place: str, values: dict[str, Any]) -> Page:
    """A page of these values. Raises PageError naming `place` and the field."""
    if not str(values.get("text") or "").strip():
        raise PageError(
            f"{place}: there is no text in it.", "Add text, or remove the file."
        )
    for field, value in values.items():
        # Such text cannot be stored as UTF-8; it would fail later and elsewhere.
        if isinstance(value, str) and any("\ud800" <= c <= "\udfff" for c in value):
            raise PageError(
                f"{place}, field {field}: it holds half a character.",
                "Write the character whole, or leave it out.",
            )
    try:
        return Page.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"]) or "page"
        raise PageError(
            f"{place}, field {field}: {first['msg']}.", "Correct the field."
        ) from error
