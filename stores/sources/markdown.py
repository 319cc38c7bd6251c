"""Markdown with optional YAML front matter (id, title, source, url, date …)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from claimscope.core.errors import PageError
from claimscope.core.models import Page
from claimscope.stores.sources.decoding import decode
from claimscope.stores.sources.fields import metadata, page, page_id

_FRONT_MATTER = re.compile(
    r"---[^\S\r\n]*\r?\n(.*?)(?:^---|^\.\.\.)[^\S\r\n]*(?:\r?\n|\Z)", re.S | re.M
)
# What is around the words is taken off afterwards: left to the pattern, a heading of
# many blanks takes minutes.
_HEADING = re.compile(r"^#{1,2}[^\S\n]([^\n]*)$", re.M)
_CLOSING = re.compile(r"(?:^|(?<=\s))#+$")


class MarkdownReader:
    """The text of the page is what follows the front matter, exactly as written."""

    suffixes: tuple[str, ...] = (".md", ".markdown")

    def read(self, data: bytes, path: str) -> Iterator[Page]:
        text = decode(data, path)
        fields: dict[str, Any] = {}
        match = _FRONT_MATTER.match(text)
        if match is not None:
            fields = _front_matter(match.group(1), path)
            text = text[match.end() :].lstrip("\r\n") if fields else text
        found = metadata(fields)
        if found["title"] is None:
            found["title"] = _first_heading(text)
        yield page(
            path,
            {
                "page_id": page_id(fields, path),
                "text": text,
                "markup": "markdown",
                "path": path,
                **found,
            },
        )


def _first_heading(text: str) -> str | None:
    """Words of the first heading of level 1 or 2 that has some; `C#` keeps its sign."""
    lines = (match.group(1).strip() for match in _HEADING.finditer(text))
    words = (_CLOSING.sub("", line).rstrip() for line in lines)
    return next(filter(None, words), None)


def _front_matter(block: str, path: str) -> dict[str, Any]:
    import yaml

    try:
        fields = yaml.safe_load(block)
    except RecursionError:
        raise PageError(
            f"{path}: the front matter is nested too deeply.", "Write flat fields."
        ) from None
    except (yaml.YAMLError, ValueError, TypeError, KeyError, AttributeError) as error:
        mark = getattr(error, "problem_mark", None)
        place = f"{path}, line {mark.line + 2}" if mark else path
        problem = getattr(error, "problem", None) or str(error)
        raise PageError(
            f"{place}: the front matter cannot be read: {problem}.",
            'Put values with a colon or quotes in "quotation marks".',
        ) from error
    # A rule at the top of a text without front matter is text.
    return fields if isinstance(fields, dict) else {}


READER = MarkdownReader()
