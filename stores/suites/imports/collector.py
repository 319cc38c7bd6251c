"""What an import gave: cases, answers, and where each field went.

Importers put fields here one at a time; what a row holds beside them is counted as
having no place, so that no importer can forget to say so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from claimscope.stores.pages.parsing.missing_values import (
    is_blank,
    missing_as_written,
    missing_in_cell,
)
from claimscope.stores.suites.formats.cell_lists import UnreadableList
from claimscope.stores.suites.formats.contexts import Passages, passages, passages_of

NEEDED = ("question", "reference", "contexts")
"""Fields of a case whose absence is said, however it is written."""


@dataclass
class ImportedRow:
    """A row of another tool while its fields are taken out."""

    place: str
    fields: dict[str, Any]
    into: Collector
    case: dict[str, Any] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    gone: dict[str, str] = field(default_factory=dict)
    """Fields without a value, as that is written."""
    refused: str = ""
    """Why the row cannot be taken."""

    def __post_init__(self) -> None:
        for name, value in self.fields.items():
            shown = (
                missing_in_cell(value, name)
                if self.into.cells
                else missing_as_written(value)
            )
            if shown:
                self.gone[name] = shown
                self.fields[name] = None

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
        elif value is None and target in NEEDED:
            self._miss(names)
        return value

    def take_contexts(self, *names: str, separator: str | None = None) -> None:
        """Moves the first of these lists of passages into the case."""
        for name in names:
            try:
                found = passages_of(self.fields.get(name), separator)
            except UnreadableList as error:
                self.refused = f"field {name}: {error}"
                return
            if self.fields.get(name) is not None:
                self._miss_passages(name, found)
            if found.texts:
                self.used.add(name)
                self.case["contexts"] = found.texts
                self.into.took(name, "case.contexts")
                return
        self._miss(names)

    def _miss_passages(self, name: str, found: Passages) -> None:
        self.used.add(name)
        for number, shown in found.lost:
            self.into.miss(f"{name}[{number}]", self.place, shown)
        if not found.texts and not found.lost:
            self.into.miss(name, self.place, "an empty list")

    def texts(self, name: str) -> list[str]:
        """The texts of a field that holds several; a list that cannot be read is the
        end of the row."""
        value = self.fields.get(name)
        try:
            return passages(value) if isinstance(value, str | list) else []
        except UnreadableList as error:
            self.refused = f"field {name}: {error}"
            return []

    def take_texts(
        self, name: str, target: str, part: str, texts: Iterable[str]
    ) -> None:
        """Makes objects of the case of these texts of a field, each under `part`."""
        if found := [{part: text} for text in texts]:
            self.used.add(name)
            self.case[target] = found
            self.into.took(name, f"case.{target}")

    def take_answer(self, *names: str, **more: Any) -> None:
        """Moves the first of these fields into an answer to this row's case."""
        text = self.text(*names)
        if text is None:
            self._miss(names)
        else:
            self.answer(text, next(n for n in names if n in self.used), **more)

    def _miss(self, names: Iterable[str]) -> None:
        """Says of fields that are there that they hold no value."""
        for name in names:
            if name in self.gone:
                self.into.miss(name, self.place, self.gone.pop(name))

    def take_difficulty(self, *names: str) -> None:
        """Moves a difficulty that is one of ours; another one has no place."""
        for name in names:
            value = str(self.fields.get(name) or "").strip().lower()
            if value in ("easy", "medium", "hard"):
                self.used.add(name)
                self.case["difficulty"] = value
                self.into.took(name, "case.difficulty")
                return

    def answer(self, text: str, source: str, **more: Any) -> None:
        """An answer to this row's case."""
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
        if self.refused:
            self.into.problems.append(f"{self.place}: {self.refused}")
            return
        self._miss([n for n, shown in self.gone.items() if not is_blank(shown)])
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
    missing: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    """(place, how no value is written) of each field of theirs."""
    about: dict[str, Any] = field(default_factory=dict)
    """What the file says of itself, for the suite's metadata."""
    rows: int = 0
    cells: bool = False
    """Whether every value is text, as in a table."""

    def row(
        self, place: str, fields: dict[str, Any], case_id: str | None = None
    ) -> ImportedRow:
        """A new row; its id is `case_id`, else its number."""
        self.rows += 1
        row = ImportedRow(
            place, {str(name): value for name, value in fields.items()}, self
        )
        row.case["id"] = case_id or f"case-{self.rows:04}"
        return row

    def took(self, source: str, target: str) -> None:
        """Counts a field that found its place."""
        self.taken[(source, target)] += 1

    def note(self, values: Mapping[str, Any], *names: str) -> None:
        """Keeps these fields of the file itself, where they hold text or a number."""
        for name in names:
            value = values.get(name)
            if isinstance(value, str | int | float) and str(value).strip():
                self.about[name] = value
                self.took(name, f"suite.metadata.{name}")

    def miss(self, source: str, place: str, shown: str) -> None:
        """Notes a field that holds no value."""
        self.missing.setdefault(source, []).append((place, shown))

    def skip(self, place: str, why: str) -> None:
        """A row that cannot be a case."""
        self.rows += 1
        self.problems.append(f"{place}: {why}")
