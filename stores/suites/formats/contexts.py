"""Passages of ground truth, in whatever a tool wraps them."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import Any

from claimscope.stores.pages.parsing.missing_values import (
    missing_as_written,
    missing_in_cell,
)
from claimscope.stores.suites.formats.cell_lists import (
    TEXT_FIELDS,
    PrintedObject,
    UnreadableList,
    parse_list,
)

MOST_DEEP = 6
"""Levels of a nested context that are written out."""
LONGEST_CONTEXT = 200_000
"""Characters of one nested context; lists of a YAML file may hold one another."""
_JOINED = re.compile(r"(?<=[.!?]);(?=\S)")
"""Between two sentences without a space: nobody writes so, programs join so."""
_MARKED = re.compile(r"\s*(?:[#>|*+-]|\d+[.)]|```)")


@dataclass
class Passages:
    """The passages of a field."""

    texts: list[str] = field(default_factory=list)
    lost: list[tuple[int, str]] = field(default_factory=list)
    """(place from 1, how no value is written) of those that are missing."""


def passages(value: Any, separator: str | None = None) -> list[str]:
    return passages_of(value, separator).texts


def passages_of(value: Any, separator: str | None = None) -> Passages:
    """Passages from a text, a list of texts, a list in a cell, or objects: their text,
    else their fields written out. Raises UnreadableList."""
    if isinstance(value, str):
        items = parse_list(value)
        if items is None:
            parts = value.split(separator) if separator else _parts(value)
            return Passages([part for part in parts if not missing_as_written(part)])
        value = items
    found = Passages()
    for number, item in enumerate(value if isinstance(value, list) else [value], 1):
        if isinstance(item, PrintedObject):
            raise UnreadableList(
                f"{item.name[:40]}(…) has no text; write the texts as JSON"
            )
        text = _passage(item)
        if shown := missing_as_written(text):
            found.lost.append((number, missing_as_written(item) or shown))
        else:
            found.texts.append(text)
    return found


def _parts(text: str) -> list[str]:
    """Passages that a program joined: by `;` without a space, or one a line where each
    line is whole and none is markup."""
    joined = _JOINED.split(text)
    if len(joined) > 1:
        return joined
    lines = [line for line in text.splitlines() if line.strip()]
    whole = all(
        line.rstrip()[-1] in ".!?" and not _MARKED.match(line) for line in lines
    )
    return lines if len(lines) > 1 and whole else [text]


def _passage(item: Any) -> str:
    if isinstance(item, dict):
        for name in TEXT_FIELDS:
            if isinstance(item.get(name), str):
                return str(item[name])
            if name in item and missing_in_cell(item[name]):
                return ""
    lines: list[str] = []
    _write_out(item, "", lines, 0)
    return "\n".join(lines)


def _write_out(value: Any, name: str, lines: list[str], depth: int) -> None:
    """`skill: Python` a line; bounded in depth and length."""
    if depth > MOST_DEEP or sum(map(len, lines)) > LONGEST_CONTEXT:
        return
    if isinstance(value, dict):
        for key, inner in value.items():
            _write_out(inner, str(key), lines, depth + 1)
    elif isinstance(value, list):
        for inner in value:
            _write_out(inner, name, lines, depth + 1)
    elif isinstance(value, float) and not math.isfinite(value):
        return
    elif isinstance(value, str | int | float) and not isinstance(value, bool):
        lines.append(f"{name}: {value}" if name else str(value))
