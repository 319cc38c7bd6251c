"""What a JSON answer states: its fields, with their places.

Models are asked for JSON as often as for prose. Each field is a statement that a page
can settle, under the names above it ("fees: adult: 8"); the fields of one object in a
list belong together as the cells of a row do. A sentence under a name that only says
that it is the answer stands by itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from claimscope.core.text.linguistics import has_clause

_ANSWER = frozenset(
    """answer response text output result content message reply summary
    explanation""".split()
)
"""Names of a field that say nothing of what stands in it."""
_ABOUT_ANSWER = frozenset(
    """source sources citation citations reference references context contexts documents
    confidence reasoning thought thoughts question query""".split()
)
"""Names of fields that tell of the answer and not of its subject."""
_TOKEN = re.compile(
    r"(?P<string>\"(?:[^\"\\]|\\.)*\")|(?P<scalar>-?\d[\d.eE+-]*|true|false|null)"
    r"|(?P<mark>[{}\[\]:,])",
    re.S,
)
JOINT = ": "
"""Between the names above a value: "fees: adult: 8"."""
LONGEST = 50_000
"""Characters of a text that is read as JSON."""


class JsonField(NamedTuple):
    """`text[start:end]`, and what it states; "" where it states nothing."""

    start: int
    end: int
    text: str
    is_prose: bool = False
    """It is an answer in sentences."""


def json_fields(text: str) -> tuple[JsonField, ...] | None:
    """The fields of a text that is an object, or a list of them; None for any other."""
    bare = text.strip()
    if len(bare) > LONGEST or bare[:1] not in ("{", "["):
        return None
    try:
        known = json.loads(bare, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    items = known if isinstance(known, list) else [known]
    if not items or not all(isinstance(one, dict) for one in items):
        return None
    reading = _Reading(list(_TOKEN.finditer(text)))
    try:
        found = tuple(reading.value("", is_listed=False))
    except RecursionError:
        return None
    return found if any(field.text for field in found) else None


def _refuse(constant: str) -> None:
    """NaN and Infinity are no JSON."""
    raise ValueError(constant)


class _Reading:
    """A reader of tokens that are known to be JSON."""

    def __init__(self, tokens: list[re.Match[str]]) -> None:
        self._tokens = tokens
        self._at = 0

    def _next(self) -> re.Match[str]:
        self._at += 1
        return self._tokens[self._at - 1]

    def value(self, path: str, *, is_listed: bool) -> Iterator[JsonField]:
        """The fields of the value that comes next."""
        token = self._next()
        if token["mark"] == "{":
            yield from self._object(path, is_listed=is_listed)
        elif token["mark"] == "[":
            while self._tokens[self._at]["mark"] != "]":
                yield from self.value(path, is_listed=True)
                self._pass(",")
            self._at += 1
        else:
            yield _field(token, path)

    def _object(self, path: str, *, is_listed: bool) -> Iterator[JsonField]:
        fields: list[JsonField] = []
        is_row = is_listed
        while self._tokens[self._at]["mark"] != "}":
            key = self._next()
            name = _whole(json.loads(key[0]))
            self._pass(":")
            is_deep = bool(self._tokens[self._at]["mark"])
            is_row = is_row and not is_deep
            over = (
                name if is_listed and not is_about_answer(path) else joined(path, name)
            )
            for one in self.value(over, is_listed=False):
                is_own = not is_deep and not one.is_prose
                fields.append(one._replace(start=key.start()) if is_own else one)
            self._pass(",")
        self._at += 1
        said = [one for one in fields if one.text]
        is_row = is_row and not any(one.is_prose for one in said)
        if is_row and len(said) > 1:
            row = "; ".join(one.text for one in said)
            row = f"{path}: {row}" if path else row
            yield JsonField(said[0].start, said[-1].end, row)
            return
        if is_listed and len(said) > 1 and not any(one.is_prose for one in said):
            # What lies deeper is said of what the first field names.
            name = f"{path}: {said[0].text}" if path else said[0].text
            fields = [
                one._replace(text=f"{name}; {one.text}") if one in said[1:] else one
                for one in fields
            ]
        yield from fields

    def _pass(self, mark: str) -> None:
        if self._tokens[self._at]["mark"] == mark:
            self._at += 1


def joined(path: str, name: str) -> str:
    """The names above a field, and its own."""
    return JOINT.join(filter(None, (path, name)))


def is_about_answer(path: str) -> bool:
    """Whether one of the names says that its fields tell of the answer."""
    return not _ABOUT_ANSWER.isdisjoint(path.casefold().split(JOINT))


def _said(token: re.Match[str]) -> str:
    if not token["string"]:
        return {"true": "yes", "false": "no", "null": ""}.get(token[0], token[0])
    return " ".join(_whole(json.loads(token[0])).split())


def _whole(text: str) -> str:
    """Half a surrogate pair, which JSON may hold, is no text."""
    return "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text)


def _field(token: re.Match[str], path: str) -> JsonField:
    said = _said(token)
    names = path.casefold().split(JOINT)
    if not said or is_about_answer(path):
        return JsonField(token.start(), token.end(), "")
    if names[-1] in _ANSWER and has_clause(said):
        return JsonField(token.start() + 1, token.end() - 1, said, is_prose=True)
    text = f"{path.replace('_', ' ')}: {said}" if path else said
    return JsonField(token.start(), token.end(), text)
