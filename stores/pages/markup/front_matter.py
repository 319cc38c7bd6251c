"""What stands above the text of a page: YAML, TOML or JSON, as site generators take it.

Front matter that cannot be read costs a page its title, not its text: templates and
broken YAML are common there, and no reader of the site ever sees them.
"""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any, NamedTuple

_YAML = re.compile(
    r"---[^\S\r\n]*\r?\n(.*?)(?:^---|^\.\.\.)[^\S\r\n]*(?:\r?\n|\Z)", re.S | re.M
)
_TOML = re.compile(
    r"\+\+\+[^\S\r\n]*\r?\n(.*?)^\+\+\+[^\S\r\n]*(?:\r?\n|\Z)", re.S | re.M
)
VALUES_IN_QUOTES = 'Put values with a colon or quotes in "quotation marks".'
"""What to do about front matter that cannot be read."""
_FIELD = re.compile(r"[\w-]+\s*:")
_KEY = re.compile(r"\{\s*\"")


class FrontMatter(NamedTuple):
    """The fields, the text below them, and why there are none though there should."""

    fields: dict[str, Any]
    body: str
    note: str = ""


def front_matter(text: str, path: str) -> FrontMatter:
    """The front matter of a page; what has none is all body."""
    if match := _TOML.match(text):
        return _read(match[1], text[match.end() :], path, _toml)
    if match := _YAML.match(text):
        found = _read(match[1], text[match.end() :], path, _yaml)
        # A rule at the top of a text without front matter is text.
        if found.fields or found.note:
            return found
    elif _KEY.match(text):
        return _json(text)
    return FrontMatter({}, text)


class _Unreadable(Exception):
    def __init__(self, line: int | None, problem: str) -> None:
        self.line, self.problem = line, problem


def _read(block: str, body: str, path: str, reader: Any) -> FrontMatter:
    body = body.lstrip("\r\n")
    try:
        fields = reader(block)
    except _Unreadable as error:
        if not _FIELD.search(block) and reader is _yaml:
            return FrontMatter({}, body)  # text between two rules
        place = f"{path}, line {error.line + 1}" if error.line else path
        return FrontMatter(
            {}, body, f"{place}: the front matter was set aside: {error.problem}."
        )
    return FrontMatter(fields if isinstance(fields, dict) else {}, body)


def _yaml(block: str) -> Any:
    import yaml

    try:
        return yaml.safe_load(block)
    except RecursionError:
        raise _Unreadable(None, "it is nested too deeply") from None
    except (yaml.YAMLError, ValueError, TypeError, KeyError, AttributeError) as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or str(error)
        raise _Unreadable(mark.line + 1 if mark else None, problem) from error


def _toml(block: str) -> Any:
    try:
        return tomllib.loads(block)
    except RecursionError:
        raise _Unreadable(None, "it is nested too deeply") from None
    except ValueError as error:
        found = re.search(r" \(at line (\d+), column \d+\)$", str(error))
        problem = str(error)[: found.start()] if found else str(error)
        raise _Unreadable(int(found[1]) if found else None, problem) from error


def _json(text: str) -> FrontMatter:
    try:
        fields, end = json.JSONDecoder().raw_decode(text)
    except (RecursionError, ValueError):
        return FrontMatter({}, text)
    is_above = isinstance(fields, dict) and text[end : end + 1] in ("\r", "\n")
    return (
        FrontMatter(fields, text[end:].lstrip()) if is_above else FrontMatter({}, text)
    )
