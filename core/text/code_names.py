"""Names of code in prose: `forget`, --keep-daily, uvicorn.run(), $HOME.

Of "Both `forget` and `prune` need access" a parser takes the commands for verbs, and
flags for dashes. Each name is one thing, whatever words it is made of. Of an answer
the marks tell them; where these are gone, only those are known that look like code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Span = tuple[int, int]

INLINE_CODE = re.compile(r"(?<!`)(`{1,2})(?!`)([^`\n]{1,200})\1(?!`)")
"""`code` of Markdown; its second group is what stands in it."""
_CODE = re.compile(
    r"(?<!\S)--?[A-Za-z][\w-]*(?:=[^\s,;]*[\w'\"])?"
    r"|(?<![\w.$/-])\$?[A-Za-z]\w*_\w+(?:\.\w{2,})*(?:\(\))?"
    r"|(?<![\w.$/-])[A-Za-z]\w*(?:\.\w+)*\(\)"
    r"|(?<![\w.$/@-])[a-z][a-z0-9]+(?:\.[A-Za-z_]\w+)+"
    r"|(?<!\S)(?:~|\.{1,2})?/[\w.-]+(?:/[\w.-]+)*/?(?<![.])"
    r"|(?<!\S)\$[A-Za-z]\w+"
)
"""Flags, snake_case, calls(), dotted.names, paths and $VARIABLES."""
_names: ContextVar[tuple[str, ...]] = ContextVar("names of code", default=())


@contextmanager
def naming(markdown: str) -> Iterator[None]:
    """What stands between backticks there is a name, also where the marks are gone."""
    found = {match[2].strip() for match in INLINE_CODE.finditer(markdown)} - {""}
    token = _names.set(tuple(sorted(found, key=len, reverse=True)))
    try:
        yield
    finally:
        _names.reset(token)


def marked_in(text: str) -> tuple[str, ...]:
    """Those of the sentence that is read (`naming`) that stand in a text."""
    return tuple(name for name in _names.get() if name in text)


def code_spans(text: str, marked: tuple[str, ...] = ()) -> tuple[Span, ...]:
    """Spans of names of code in order, none of which overlap. `marked`: longest
    first."""
    found: list[Span] = []
    taken = bytearray(len(text))
    whole = [rf"(?<![\w-]){re.escape(name)}(?![\w-])" for name in marked]
    patterns = [re.compile("|".join(whole))] if whole else []
    for pattern in (*patterns, _CODE):
        for match in pattern.finditer(text):
            start, end = match.span()
            if not any(taken[start:end]):
                taken[start:end] = b"\1" * (end - start)
                found.append((start, end))
    return tuple(sorted(found))


def begins_with_code(text: str) -> bool:
    """Whether the first word is a name of code: no capital is given to it."""
    spans = code_spans(text, marked_in(text))
    return bool(spans) and spans[0][0] == 0
