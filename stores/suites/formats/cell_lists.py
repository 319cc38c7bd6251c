"""Lists as programs write them into the cell of a table.

JSON is one way; `str()` of a Python list, tuple or numpy array, and of LangChain's
documents, are others. numpy writes no commas, and Python would read two texts side by
side as one. What begins like a list and cannot be read as one is refused: taken for a
text, brackets and quotation marks would become part of the ground truth.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

TEXT_FIELDS = ("text", "content", "page_content", "passage")
MOST_DEEP = 20
_STRING = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_TOKEN = re.compile(
    rf"""\s*(?:(?P<string>[uUrR]?(?:{_STRING}))
    |(?P<number>[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w.]))
    |(?P<name>-?[A-Za-z_][\w.]*|<NA>)
    |(?P<cut>\.\.\.|…)
    |(?P<mark>[\[\](){{}},:=]))""",
    re.S | re.X,
)
_BEGINS = re.compile(
    rf"""\s*(?:\[+\s*['"]|\[\s*\{{\s*['"]|\[\s*(?:[\w.]+\.)?(?:array|str_|[A-Z]\w*)\(
    |\[\s*<[\w.]+\ object\ at|(?:np\.|numpy\.)?array\(\s*\[|Document\(\w+=
    |\(\s*(?:{_STRING})\s*,)""",
    re.S | re.X,
)
_MAY_BEGIN = re.compile(r"\s*(?:\[|\(|(?:np\.|numpy\.)?array\(|[A-Z]\w*\(\w+=)")
_ESCAPE = re.compile(
    r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.S
)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_SIGN = re.compile(r"\s*(\S)")
_LONGEST_NUMBER = 400
"""Digits; Python itself reads no longer whole numbers than some thousand."""
_NO_VALUE = {"none", "nan", "null", "nat", "<na>", "inf", "-inf", "-nan"}


class UnreadableList(ValueError):
    """Why a cell that begins like a list cannot be read as one."""


@dataclass(frozen=True)
class PrintedObject:
    """An object of a program, printed, in which no text was found."""

    name: str


def parse_list(cell: str) -> list[Any] | None:
    """The values of the list that a cell holds; None when it is plain text. Raises
    UnreadableList."""
    if not _MAY_BEGIN.match(cell):
        return None
    try:
        found = json.loads(cell)
    except (ValueError, RecursionError):
        pass
    else:
        return found if isinstance(found, list) else None
    try:
        value = _Reader(cell).whole()
    except UnreadableList as error:
        if _BEGINS.match(cell):
            raise UnreadableList(
                f"the cell begins like a list and cannot be read as one: {error}; "
                "write the list as JSON (json.dumps)"
            ) from None
        return None
    if isinstance(value, dict):
        return [value]
    return value if isinstance(value, list) else None


@dataclass
class _Reader:
    """Takes the printed value apart, one token after the other."""

    text: str
    at: int = 0
    kind: str = ""
    token: str = ""
    _depth: int = field(default=0)

    def whole(self) -> Any:
        """The value. Raises UnreadableList."""
        self._next()
        value = self._value()
        if self.kind:
            raise UnreadableList(
                f"something follows its end at character {self._place()}"
            )
        return value

    def _place(self) -> int:
        return self.at - len(self.token) + 1

    def _next(self) -> None:
        match = _TOKEN.match(self.text, self.at)
        if match is None:
            if self.text[self.at :].strip():
                raise UnreadableList(f"it is no list at character {self.at + 1}")
            self.kind = self.token = ""
            return
        self.at = match.end()
        self.kind = match.lastgroup or ""
        self.token = match[self.kind]
        if self.kind == "cut":
            raise UnreadableList(f"values were left out at '{self.token}'")

    def _takes(self, mark: str) -> bool:
        if self.kind == "mark" and self.token == mark:
            self._next()
            return True
        return False

    def _follows(self, *marks: str) -> bool:
        """Whether one of these comes after the token that is looked at."""
        match = _SIGN.match(self.text, self.at)
        return match is not None and match[1] in marks

    def _value(self) -> Any:
        kind, token = self.kind, self.token
        if not kind:
            raise UnreadableList("it breaks off")
        self._depth += 1
        if self._depth > MOST_DEEP:
            raise UnreadableList(f"it is nested more than {MOST_DEEP} levels deep")
        try:
            self._next()
            if kind == "string":
                return _unquote(token)
            if kind == "number":
                return _number(token)
            if kind == "name":
                return self._read_named(token)
            return self._read_bracketed(token)
        finally:
            self._depth -= 1

    def _read_bracketed(self, mark: str) -> Any:
        if mark == "[":
            return self._items("]")[0]
        if mark == "(":
            values, commas = self._items(")")
            if not commas or not any(isinstance(v, str | dict) for v in values):
                raise UnreadableList("it is a remark in brackets")
            return values
        if mark == "{":
            return self._pairs()
        raise UnreadableList(f"'{mark}' stands where a value belongs")

    def _items(self, end: str) -> tuple[list[Any], int]:
        """Values up to `end`, with or without commas, and how many commas there are."""
        values: list[Any] = []
        commas = 0
        while not self._takes(end):
            values.append(self._value())
            commas += self._takes(",")
        return values, commas

    def _pairs(self) -> Any:
        """A dictionary; a set is its values."""
        found: dict[str, Any] = {}
        values: list[Any] = []
        while not self._takes("}"):
            key = self._value()
            if self._takes(":"):
                found[str(key)] = self._value()
            else:
                values.append(key)
            self._takes(",")
        return found or values

    def _read_named(self, name: str) -> Any:
        if self._takes("("):
            return self._read_call(name)
        if name.lower().removeprefix("np.") in _NO_VALUE:
            return None
        if name in ("True", "False", "true", "false"):
            return name.lower() == "true"
        raise UnreadableList(f"{name[:40]!r} is no value")

    def _read_call(self, name: str) -> Any:
        """`array([…], dtype=object)` is its list, `Document(page_content=…)` has a
        text."""
        values: list[Any] = []
        named: dict[str, Any] = {}
        while not self._takes(")"):
            if self.kind == "name" and self._follows("="):
                key = self.token
                self._next()
                self._next()
                named[key] = self._read_argument()
            else:
                values.append(self._value())
            self._takes(",")
        inner = [v for v in named.values() if isinstance(v, dict)]
        for one in (named, *inner):
            if any(isinstance(one.get(key), str) for key in TEXT_FIELDS):
                return one
        return values[0] if len(values) == 1 else PrintedObject(name)

    def _read_argument(self) -> Any:
        """A value, or the bare name of one such as `object`."""
        if self.kind == "name" and self._follows(",", ")"):
            name = self.token
            self._next()
            return None if name.lower() in _NO_VALUE else name
        return self._value()


def _unquote(token: str) -> str:
    raw = token[:1] in "rR"
    body = token.lstrip("uUrR")[1:-1]
    return body if raw else _ESCAPE.sub(_character, body)


def _character(match: re.Match[str]) -> str:
    code = match[1] or match[2] or match[3]
    if code:
        return chr(int(code, 16)) if int(code, 16) <= 0x10FFFF else match[0]
    if match[4] in "\\'\"":
        return match[4]
    return "" if match[4] == "\n" else _ESCAPED.get(match[4], match[0])


def _number(token: str) -> int | float:
    plain = token.replace("_", "")
    if len(plain) > _LONGEST_NUMBER:
        raise UnreadableList(f"it holds a number of {len(plain):,} digits")
    return int(plain) if plain.lstrip("+-").isdigit() else float(plain)
