"""What the lines of a journal add up to, kept in memory.

A journal is told of each line as it is read or appended; where the records then live
is the business of its state. This one holds them all, which suits small journals and
the store in memory; that of a run leaves them on disk (stores/runs/record_index.py).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence

from claimscope.stores.runs.journal_lines import Place, Row, encode
from claimscope.stores.runs.migrations import Change

Tables = dict[str, dict[int, Row]]


class State(ABC):
    """The tables of a journal, wherever their records are."""

    changes = 0
    """Changes taken so far, those that later ones undid too."""

    @abstractmethod
    def attach(self, descriptor: int, is_busy: bool) -> tuple[int, int]:
        """A file to follow, from its beginning or from where an index of it ends.

        `is_busy`: an engine writes it now. Returns (byte to read on from, version).
        Raises JournalDamaged.
        """

    @abstractmethod
    def take(self, changes: Sequence[Change], place: Place) -> None:
        """Carries out the changes of a line that lies there."""

    @abstractmethod
    def names(self) -> Sequence[str]:
        """Tables with records."""

    @abstractmethod
    def table(self, name: str) -> Mapping[int, Row]:
        """Records of a table by id; empty when there is none."""

    @abstractmethod
    def lines(self) -> Iterator[bytes]:
        """The lines of a journal that says the same, without what no longer counts."""

    def last_id(self, name: str) -> int:
        """The highest id of a table; 0 when it is empty."""
        return max(self.table(name), default=0)

    @property
    def live(self) -> int:
        """Records that count."""
        return sum(len(self.table(name)) for name in self.names())

    @property
    def is_worn(self) -> bool:
        """Whether to attach again would make it smaller."""
        return False

    def save(self) -> None:
        """A good moment to write down what was not yet; never fails."""
        return

    def close(self) -> None:
        """Gives files back; harmless when done before."""
        return


class MemoryState(State):
    """All records in memory."""

    def __init__(self) -> None:
        self.tables: Tables = {}

    def attach(self, descriptor: int, is_busy: bool) -> tuple[int, int]:
        """Always from the beginning."""
        self.tables.clear()
        self.changes = 0
        return 0, 1

    def take(self, changes: Sequence[Change], place: Place) -> None:
        """Keeps the documents that it is given."""
        self.changes += len(changes)
        for change in changes:
            kind, name = change[0], change[1]
            if kind == "p":
                self.tables.setdefault(name, {})[change[2]] = change[3]
            elif kind == "d":
                self.tables.get(name, {}).pop(change[2], None)
            else:
                self.tables.pop(name, None)

    def names(self) -> Sequence[str]:
        """Tables with records."""
        return tuple(self.tables)

    def table(self, name: str) -> Mapping[int, Row]:
        """The records themselves, not copies."""
        return self.tables.get(name, {})

    def lines(self) -> Iterator[bytes]:
        """One line a record."""
        for name, table in self.tables.items():
            yield from (encode([["p", name, i, row]]) for i, row in table.items())
