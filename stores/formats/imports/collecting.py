"""What an import gave: cases, answers, and where each field went.

Importers put fields here one at a time; what a row holds beside them is counted as
having no place, so that no importer can forget to say so.
"""

from __future__ import annotations

import ast
import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

MOST_DEEP = 6
"""Levels of a nested context that are written out."""
LONGEST_CONTEXT = 200_000
"""Characters of one nested context; lists of a YAML file may hold one another."""


@dataclass
class Row:
    """A row of another tool while its fields are taken out."""

    place: str
    fields: dict[str, Any]
    into: Collector
    case: dict[str, Any] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)

    def text(self, *names: str) -> str | None:
        """The first of these fields that holds text, a number or a yes-or-no."""
        for name in names:
            value = self.fields.get(name)
            if isinstance(value, bool) or not isinstance(value, str | int | float):
                continue
            if str(value).strip():
                self.used.add(name)
                return str(value)
        return None

    def take(self, target: str, *names: str) -> str | None:
        """Moves the first of these fields into a field of the case."""
        value = self.text(*names)
        if value is not None and target not in self.case:
            self.case[target] = value
            self.into.took(next(n for n in names if n in self.used), f"case.{target}")
        return value

    def take_contexts(self, *names: str, separator: str | None = None) -> None:
        """Moves the first of these lists of passages into the case."""
        for name in names:
            found = passages(self.fields.get(name), separator)
            if found:
                self.used.add(name)
                self.case["contexts"] = found
                self.into.took(name, "case.contexts")
                return

    def take_difficulty(self, *names: str) -> None:
        """Moves a difficulty that is one of ours; another one has no place."""
        for name in names:
            value = str(self.fields.get(name) or "").strip().lower()
            if value in ("easy", "medium", "hard"):
                self.used.add(name)
                self.case["difficulty"] = value
                self.into.took(name, "case.difficulty")
                return

    def answer(self, text: str | None, source: str, **more: Any) -> None:
        """An answer to this row's case, if there is one."""
        if text is None:
            return
        self.into.answers.append(
            (self.place, {"case_id": self.case["id"], "text": text, **more})
        )
        self.into.took(source, "answer.text")

    def no_place(self, name: str, why: str) -> None:
        """Says of a field, or a part of one, that nothing became of it."""
        self.used.add(name)
        self.into.left[(name, why)] += 1

    def close(self) -> None:
        """Ends the row: the case is there, the rest of its fields is counted."""
        for name, value in self.fields.items():
            if name not in self.used and value not in (None, "", [], {}):
                self.into.left[(str(name)[:60], "no field of a suite")] += 1
        self.into.cases.append((self.place, self.case))


@dataclass
class Collector:
    """The result of an import, as it grows."""

    cases: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    answers: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    taken: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How often a field of theirs became a field of ours."""
    left: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How often a field had no place, and why."""
    problems: list[str] = field(default_factory=list)
    """Rows that could not be taken, with place and reason."""
    rows: int = 0

    def row(
        self, place: str, fields: dict[str, Any], case_id: str | None = None
    ) -> Row:
        """A new row; its id is `case_id`, else its number."""
        self.rows += 1
        row = Row(place, {str(name): value for name, value in fields.items()}, self)
        row.case["id"] = case_id or f"case-{self.rows:04}"
        return row

    def took(self, source: str, target: str) -> None:
        """Counts a field that found its place."""
        self.taken[(source, target)] += 1

    def skip(self, place: str, why: str) -> None:
        """A row that cannot be a case."""
        self.rows += 1
        self.problems.append(f"{place}: {why}")


def passages(value: Any, separator: str | None = None) -> list[str]:
    """Passages as texts, from a text, a list of texts, a JSON list in a cell, or
    objects: their text, else their fields written out."""
    if isinstance(value, str):
        listed = _listed(value)
        if listed is not None:
            return passages(listed)
        parts = value.split(separator) if separator else [value]
        return [part for part in parts if part.strip()]
    items = value if isinstance(value, list) else [value]
    texts = (_passage(item) for item in items)
    return [text for text in texts if text.strip()]


def _listed(value: str) -> list[Any] | None:
    """The list that a cell holds, as JSON or as Python prints it; None if none."""
    if not value.lstrip().startswith("[") or len(value) > LONGEST_CONTEXT:
        return None
    for parse in (json.loads, ast.literal_eval):
        try:
            found = parse(value.strip())
        except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
            continue
        return found if isinstance(found, list) else None
    return None


def _passage(item: Any) -> str:
    if isinstance(item, dict):
        for name in ("text", "content", "page_content", "passage"):
            if isinstance(item.get(name), str):
                return str(item[name])
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
    elif isinstance(value, str | int | float) and not isinstance(value, bool):
        lines.append(f"{name}: {value}" if name else str(value))
