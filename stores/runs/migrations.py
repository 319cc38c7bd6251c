"""From one version of the journal to the next: an ordered list of functions.

The first line of a journal names its version. A writer that opens an older one
rewrites it; a reader, who may not write, has each line changed as it is read. Version
n becomes n + 1 by MIGRATIONS[n - 1]; a new one goes to the end, none is ever changed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Change = list[Any]
"""See stores/runs/journal_lines.py."""
Migration = Callable[[list[Change]], list[Change]]
"""Takes the changes of one line as one version wrote them, gives those of the next."""

MIGRATIONS: tuple[Migration, ...] = ()
"""Empty: there has been one version so far."""


def current_version() -> int:
    """The version that is written."""
    return 1 + len(MIGRATIONS)


def migrated(changes: list[Change], version: int) -> list[Change]:
    """Changes of a line of that version, as they would be written today."""
    for migration in MIGRATIONS[version - 1 :]:
        changes = migration(changes)
    return changes
