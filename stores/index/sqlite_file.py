"""A SQLite file of the index: shared by threads, its errors told as ours."""

from __future__ import annotations

import sqlite3
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import ClassVar

from claimscope.core.errors import StoreError
from claimscope.stores.workspace.disk_errors import refusal
from claimscope.stores.workspace.paths import make_private_file


class SqliteFile(ABC):
    """An open database; safe for threads."""

    CAUGHT: ClassVar[tuple[type[Exception], ...]] = (sqlite3.Error, OSError)

    def __init__(self, path: Path, timeout: int = 30) -> None:
        """timeout: seconds to wait for another process. Raises StoreError."""
        self.path = path
        self._timeout = timeout
        self._guard = threading.RLock()
        with self._errors():
            self._connection = self._open()

    @abstractmethod
    def _open(self) -> sqlite3.Connection: ...

    @abstractmethod
    def _failure(self, error: Exception) -> StoreError:
        """The error for what SQLite says, where the disk is not why."""

    def _connect(self, *, make: bool) -> sqlite3.Connection:
        """make: a file that is not there, for its user alone."""
        if make:
            make_private_file(self.path)  # SQLite's own would be 0644
        return sqlite3.connect(
            self.path,
            timeout=self._timeout,
            check_same_thread=False,
            isolation_level=None,
        )

    def close(self) -> None:
        """Harmless when done before."""
        with self._guard:
            self._connection.close()

    @contextmanager
    def _errors(self) -> Iterator[None]:
        with self._guard:
            try:
                yield
            except self.CAUGHT as error:
                raise refusal(self.path, error) or self._failure(error) from error

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """What is changed within is kept, all or none."""
        with self._errors():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):  # a full disk has rolled it back
                    self._connection.execute("ROLLBACK")
                raise
