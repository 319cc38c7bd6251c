"""The pages of a corpus as a list: what a screen needs of 100,000 pages, at once.

Reading them all takes seconds and gigabytes. Ids come out of SQLite's own index; the
rest is read for the rows that somebody sees. Takes no lock and changes nothing.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from claimscope.core.errors import StoreError
from claimscope.stores.index.page_index import ARCHIVE
from claimscope.stores.index.sqlite_file import SqliteFile
from claimscope.stores.workspace.paths import safe_name

_AT_ONCE = 500
_SPAN_BYTES = 8
"""Two 32-bit numbers a sentence (stores/index/page_texts.py)."""


@dataclass(frozen=True)
class PageHead:
    """What a list shows of a page."""

    page_id: str
    title: str | None
    source: str | None
    published: str | None
    sentences: int
    characters: int
    path: str | None
    """The file it was read from, relative to the indexed folder."""


class PageList(SqliteFile):
    """The pages of one corpus, by id; safe for threads."""

    CAUGHT = (*SqliteFile.CAUGHT, ValueError)

    def __init__(self, root: Path, corpus: str) -> None:
        """`root`: the folder of all corpora. Raises StoreError."""
        path = root / safe_name(corpus) / ARCHIVE
        self._texts: list[tuple[str, str]] | None = None
        """(id, what a filter looks into), of all pages, once somebody filters."""
        if not path.exists():
            raise StoreError(
                f"There is no corpus {corpus!r} in this workspace.",
                f"Make it with: claimscope pages index FOLDER --name {corpus}",
            )
        super().__init__(path, timeout=10)

    def _open(self) -> sqlite3.Connection:
        # Not mode=ro: a database in WAL mode needs its -shm file made.
        return self._connect(make=False)

    def _failure(self, error: Exception) -> StoreError:
        return StoreError(
            f"{self.path}: the stored pages cannot be read: {error}.",
            "Index the pages again; what was embedded is used again.",
        )

    def ids(self) -> Sequence[str]:
        query = "SELECT page_id FROM pages ORDER BY page_id"
        with self._errors():
            return [row[0] for row in self._connection.execute(query)]

    def matching(self, words: str) -> Sequence[str]:
        """Ids of the pages with these words in id, title or source, whatever their
        case; sorted. Of the pages as they were when it was first asked: a filter that
        is typed asks at every key."""
        wanted = words.casefold()
        query = (
            "SELECT page_id, json_extract(data, '$.title'), "
            "json_extract(data, '$.source') FROM pages ORDER BY page_id"
        )
        with self._errors():
            if self._texts is None:
                self._texts = [
                    (row[0], "\n".join(str(part) for part in row if part).casefold())
                    for row in self._connection.execute(query)
                ]
            texts = self._texts
        return [page_id for page_id, text in texts if wanted in text]

    def heads(self, ids: Sequence[str]) -> dict[str, PageHead]:
        """Heads by id; ids of pages that are gone are left out."""
        found: dict[str, PageHead] = {}
        for first in range(0, len(ids), _AT_ONCE):
            some = ids[first : first + _AT_ONCE]
            marks = ",".join("?" * len(some))
            query = (
                "SELECT page_id, data, length(spans) FROM pages "
                f"WHERE page_id IN ({marks})"
            )
            with self._errors():
                rows = self._connection.execute(query, tuple(some)).fetchall()
            found.update((row[0], _head(*row)) for row in rows)
        return found


def _head(page_id: str, data: str, span_bytes: int) -> PageHead:
    page = json.loads(data)
    return PageHead(
        page_id,
        page.get("title"),
        page.get("source"),
        page.get("published"),
        span_bytes // _SPAN_BYTES,
        len(page.get("text", "")),
        page.get("path"),
    )
