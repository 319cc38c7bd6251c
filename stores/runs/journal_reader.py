"""A viewer's side of a journal: reads without the lock, then what was appended.

Nothing here writes, so a viewer can neither block an engine nor harm what it saves.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO

from claimscope.core.errors import StoreError
from claimscope.stores.runs.journal_lines import Row, replay
from claimscope.stores.runs.journal_state import MemoryState, State
from claimscope.stores.workspace.locks import is_held
from claimscope.stores.workspace.regular_files import open_regular


class JournalReader:
    """Follows a journal. The file may not exist yet; `refresh` looks again."""

    def __init__(self, path: Path, state: State | None = None) -> None:
        self.path = path
        self.state = state or MemoryState()
        self.replaced = 0
        """How often the file was found replaced, and all was read again."""
        self.torn = 0
        """Bytes behind the last whole line, when it was read last."""
        self._offset = 0
        self._version = 1
        self._inode: int | None = None

    @property
    def tables(self) -> dict[str, Mapping[int, Row]]:
        """All tables with records, as last read."""
        return {name: self.state.table(name) for name in self.state.names()}

    def refresh(self) -> bool:
        """Reads on; True when there was something new. A last line that is not yet
        whole is left for later. Raises JournalDamaged, StoreError."""
        try:
            with open_regular(self.path) as file:
                before = self.state.changes
                is_new = self._place(file)
                if os.fstat(file.fileno()).st_size > self._offset:
                    self._offset, self._version = replay(
                        self.path, file, self.state.take, self._offset, self._version
                    )
                self.torn = max(0, os.fstat(file.fileno()).st_size - self._offset)
                return is_new or self.state.changes != before
        except FileNotFoundError:
            return False
        except OSError as error:
            raise StoreError(
                f"{self.path}: cannot be read: {error.strerror}.",
                "Check who may read it, and whether the disk is there.",
            ) from error

    def _place(self, file: BinaryIO) -> bool:
        """Finds where to read on; True when what was known is gone."""
        state = os.fstat(file.fileno())
        is_replaced = state.st_ino != self._inode or state.st_size < self._offset
        if not is_replaced and not self.state.is_worn:
            return False
        self.replaced += is_replaced and self._inode is not None
        before = self.state.changes
        self._inode = None  # until the state has taken the file
        self._offset, self._version = self.state.attach(
            file.fileno(), is_held(self.path)
        )
        self._inode = state.st_ino
        return is_replaced and self.state.changes != before
