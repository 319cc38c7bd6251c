"""Texts and sentence spans of a corpus: with the vectors, all that an index is made
of. ChromaDB can be lost at any time and is built again from here.

SQLite in WAL mode: pages change all together or not at all, and a reader in another
process keeps the state it began with, however long it reads.
"""

from __future__ import annotations

import sqlite3
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from pydantic import ValidationError

from claimscope.core.errors import IndexBroken, StoreError
from claimscope.core.models import Evidence, Page, Sentence
from claimscope.stores.index.lexical import LexicalIndex
from claimscope.stores.index.sqlite_file import SqliteFile

_SCHEMA = """
CREATE TABLE IF NOT EXISTS pages (
    page_id TEXT PRIMARY KEY, content_hash TEXT NOT NULL, data TEXT NOT NULL,
    spans BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS indexed (page_id TEXT PRIMARY KEY, at TEXT NOT NULL);
"""
_SPAN = struct.Struct("<ii")
"""Start and end of a sentence in the text of its page."""


@dataclass
class CorpusTexts:
    """Pages and their sentences in memory, each sentence with a row number.

    Rows are in order of (page id, sentence index), so they do not depend on the
    order in which pages were indexed.
    """

    pages: dict[str, Page]
    sentences: list[Sentence] = field(default_factory=list)
    spans: dict[str, range] = field(default_factory=dict)
    """Rows of each page."""
    indexed: dict[str, str] = field(default_factory=dict)
    """When each page came into the index, UTC, ISO 8601; not known of old ones."""
    _lexical: LexicalIndex | None = None

    @classmethod
    def of(cls, entries: Iterable[tuple[Page, Sequence[Sentence]]]) -> CorpusTexts:
        texts = cls({})
        for page, sentences in sorted(entries, key=lambda entry: entry[0].page_id):
            first = len(texts.sentences)
            texts.pages[page.page_id] = page
            texts.sentences.extend(sentences)
            texts.spans[page.page_id] = range(first, len(texts.sentences))
        return texts

    def of_page(self, page_id: str) -> Sequence[Sentence]:
        """All sentences of a page; empty when there is no such page."""
        rows = self.spans.get(page_id, range(0))
        return tuple(self.sentences[rows.start : rows.stop])

    def row(self, page_id: str, index: int) -> int | None:
        """Row of a sentence; None when there is no such sentence."""
        rows = self.spans.get(page_id, range(0))
        return rows[index] if 0 <= index < len(rows) else None

    def allowed(self, sources: Sequence[str]) -> list[range] | None:
        """Row ranges of the pages whose source is one of `sources`, or whose id begins
        with one; None when all are allowed."""
        if not sources:
            return None
        wanted = set(sources)
        prefixes = tuple(sources)
        return [
            rows
            for page_id, rows in self.spans.items()
            if self.pages[page_id].source in wanted or page_id.startswith(prefixes)
        ]

    def lexical(self) -> LexicalIndex:
        """BM25 over all sentences, built at first use."""
        if self._lexical is None:
            self._lexical = LexicalIndex([s.text for s in self.sentences])
        return self._lexical

    def evidence(self, row: int) -> Evidence:
        """A sentence as evidence, with its true neighbours; not yet scored."""
        sentence = self.sentences[row]
        page = self.pages[sentence.page_id]
        rows = self.spans[sentence.page_id]
        return Evidence(
            page_id=sentence.page_id,
            index=sentence.index,
            text=sentence.text,
            start=sentence.start,
            end=sentence.end,
            before=self.sentences[row - 1].text if row > rows.start else None,
            after=self.sentences[row + 1].text if row + 1 < rows.stop else None,
            title=page.title,
            url=page.url,
        )


@dataclass(frozen=True)
class PageEntry:
    """A page with its sentences, as it is to be stored."""

    page: Page
    content_hash: str
    sentences: Sequence[Sentence]


@dataclass(frozen=True)
class ArchiveContents:
    """The state of an archive."""

    texts: CorpusTexts
    hashes: dict[str, str]
    """Content hash of each page."""
    facts: dict[str, str]
    """What sentences and vectors were made with: model, splitter."""


class PageArchive(SqliteFile):
    """The pages of one corpus on disk; made when missing. Raises IndexBroken."""

    def _open(self) -> sqlite3.Connection:
        connection = self._connect(make=True)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.executescript(_SCHEMA)
        return connection

    def _failure(self, error: Exception) -> StoreError:
        if isinstance(error, sqlite3.OperationalError):
            return StoreError(
                f"{self.path}: cannot be used: {error}.",
                "If another process uses it, wait for its end and try again.",
            )
        return IndexBroken(
            f"{self.path}: the stored pages cannot be read: {error}.",
            "Delete the corpus's folder and index the pages again; what was "
            "embedded is kept elsewhere and used again.",
        )

    def contents(self) -> ArchiveContents:
        """Everything, as of one moment. Raises IndexBroken."""
        query = "SELECT page_id, content_hash, data, spans FROM pages"
        with self._errors():
            self._connection.execute("BEGIN")
            try:
                rows = self._connection.execute(query).fetchall()
                facts = dict(self._connection.execute("SELECT name, value FROM facts"))
                times = dict(
                    self._connection.execute("SELECT page_id, at FROM indexed")
                )
            finally:
                self._connection.execute("COMMIT")
        try:
            texts = CorpusTexts.of(
                _page_of_row(data, spans) for _, _, data, spans in rows
            )
        except (ValidationError, ValueError, struct.error) as error:
            raise IndexBroken(
                f"{self.path}: a stored page cannot be read.",
                "Delete the corpus's folder and index the pages again.",
            ) from error
        texts.indexed = times
        return ArchiveContents(texts, {row[0]: row[1] for row in rows}, facts)

    def entry(self, page_id: str) -> tuple[Page, Sequence[Sentence]] | None:
        """A page and its sentences, without reading the others; None when there is
        no such page. Raises IndexBroken."""
        query = "SELECT data, spans FROM pages WHERE page_id = ?"
        with self._errors():
            row = self._connection.execute(query, (page_id,)).fetchone()
        try:
            return _page_of_row(*row) if row else None
        except (ValidationError, ValueError, struct.error) as error:
            raise IndexBroken(
                f"{self.path}: the page {page_id} cannot be read.",
                "Index the pages again; what was embedded is used again.",
            ) from error

    def indexed_at(self, page_id: str) -> str | None:
        """When a page came into the index; None where that is not known."""
        query = "SELECT at FROM indexed WHERE page_id = ?"
        with self._errors():
            row = self._connection.execute(query, (page_id,)).fetchone()
        return None if row is None else str(row[0])

    def change(
        self,
        put: Iterable[PageEntry] = (),
        delete: Iterable[str] = (),
        facts: dict[str, str] | None = None,
    ) -> None:
        """Stores and removes pages, all or none; durable when it returns."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        with self._transaction():
            many = self._connection.executemany
            gone, rows = [(i,) for i in delete], list(map(_page_row, put))
            for table in ("pages", "indexed"):
                many(f"DELETE FROM {table} WHERE page_id = ?", gone)
            many("INSERT OR REPLACE INTO pages VALUES (?, ?, ?, ?)", rows)
            many(
                "INSERT OR REPLACE INTO indexed VALUES (?, ?)",
                ((row[0], now) for row in rows),
            )
            many("INSERT OR REPLACE INTO facts VALUES (?, ?)", (facts or {}).items())


def open_archive(path: Path, *, anew: bool) -> PageArchive:
    """The archive of a file; `anew`: one that cannot be read is thrown away. Raises
    IndexBroken."""
    try:
        return PageArchive(path)
    except IndexBroken:
        if not anew:
            raise
        for file in path.parent.glob(f"{path.name}*"):
            file.unlink()
        return PageArchive(path)


def _page_row(entry: PageEntry) -> tuple[str, str, str, bytes]:
    spans = b"".join(_SPAN.pack(s.start, s.end) for s in entry.sentences)
    data = entry.page.model_dump_json(exclude_none=True)
    return entry.page.page_id, entry.content_hash, data, spans


def _page_of_row(data: str, spans: bytes) -> tuple[Page, Sequence[Sentence]]:
    page = Page.model_validate_json(data)
    return page, [
        # Spans of our own making: validating 100,000 sentences would take a second.
        Sentence.model_construct(
            page_id=page.page_id,
            index=index,
            text=page.text[start:end],
            start=start,
            end=end,
        )
        for index, (start, end) in enumerate(_SPAN.iter_unpack(spans))
    ]
