"""The ChromaDB part of an index: pages and sentences as collections.

Any Chroma client reads a corpus from them: `documents` are the texts, `metadatas` say
where they are from, and that of a page holds, as JSON under `page`, all that Claimscope
knows of it. But ChromaDB is never the only place of anything: a kill while it writes
can break a collection for good, now and then so badly that reading it ends the process.
Hence `is_healthy`, which looks in a process of its own, and `synchronise`, which makes
the collections equal to what they should hold whatever they hold now.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import threading
import time
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from claimscope.core.errors import IndexBroken, StoreError
from claimscope.core.lean_imports import importing_without, standing_in
from claimscope.core.ports import Floats, OnProgress, Progress
from claimscope.core.telemetry import switch_off
from claimscope.stores.index.page_texts import CorpusTexts
from claimscope.stores.index.ranking import page_vectors
from claimscope.stores.workspace.disk_errors import refusal
from claimscope.stores.workspace.regular_files import open_regular

SENTENCES = "sentences"
PAGES = "pages"
BATCH = 1000
"""Rows a call: ChromaDB takes at most 5,461, and a person sees progress."""
PROBE_SECONDS = 120
HNSW: Any = {"space": "cosine", "ef_construction": 40, "ef_search": 200}
"""Less care while building, more while searching: on 10,000 clustered vectors of 384
dimensions a third less work than with ChromaDB's 100 and 100, and recall of the 50
nearest 0.96 instead of 0.95."""
WHOLE_PAGE = "page"
"""What the metadata of a page keeps all of it under, but its text."""
Metadata = dict[str, str | int]


@dataclass(frozen=True)
class ChromaRow:
    """A row of a collection. `stamp` changes whenever the row does."""

    id: str
    stamp: str
    row: int
    """Row of its vector in the matrix given to `synchronise`."""
    metadata: Metadata
    document: str | None = None


def sentence_records(texts: CorpusTexts, hashes: Mapping[str, str]) -> list[ChromaRow]:
    """All sentences of a texts. `hashes`: content hash of each page."""
    records = []
    carried: dict[str, Metadata] = {}
    for row, s in enumerate(texts.sentences):
        own = carried.get(s.page_id)
        if own is None:
            own = carried[s.page_id] = page_metadata(texts, s.page_id)
        metadata: Metadata = {"page_id": s.page_id, "index": s.index, **own}
        stamp = stamp_of(texts, hashes, s.page_id)
        records.append(ChromaRow(s.sentence_id, stamp, row, metadata, s.text))
    return records


def page_records(
    texts: CorpusTexts, hashes: Mapping[str, str], ids: Sequence[str]
) -> list[ChromaRow]:
    """The pages with these ids, in this order, each with its text and the places of
    its sentences: a machine without a copy of its own reads the corpus from them."""
    records = []
    for row, page_id in enumerate(ids):
        page = texts.pages[page_id]
        whole = {
            "page": page.model_dump(mode="json", exclude={"text"}, exclude_none=True),
            "spans": [(s.start, s.end) for s in texts.of_page(page_id)],
            "indexed_at": texts.indexed.get(page_id),
        }
        metadata = page_metadata(texts, page_id)
        metadata[WHOLE_PAGE] = json.dumps(whole, ensure_ascii=False)
        stamp = f"{stamp_of(texts, hashes, page_id)} with text"
        records.append(ChromaRow(page_id, stamp, row, metadata, page.text))
    return records


def page_metadata(texts: CorpusTexts, page_id: str) -> Metadata:
    """What each sentence carries of its page: where it is from, of when, by whom."""
    page = texts.pages[page_id]
    shown = {
        "title": page.title,
        "source": page.source,
        "url": page.url,
        "domain": page.domain,
        "journal": page.journal,
        "date": page.published,
        "authors": "; ".join(page.authors),
        "doi": page.doi,
        "indexedAt": texts.indexed.get(page_id),
    }
    return {name: text for name, text in shown.items() if text}


def stamp_of(texts: CorpusTexts, hashes: Mapping[str, str], page_id: str) -> str:
    """Changes with anything that the page's sentences carry."""
    return f"{hashes[page_id][:16]} {texts.indexed.get(page_id, '')}"


class Collections(ABC):
    """Both collections, wherever they are; every vector is given, none is made here.

    Errors below are those of `_broken`.
    """

    def __init__(self, client: Any) -> None:
        self._client = client
        self._collections: dict[str, Any] = {}
        self._guard = threading.RLock()

    with_blank_pages: ClassVar[bool]
    """Whether pages without sentences are held as well."""

    @abstractmethod
    def _broken(self, error: Exception) -> StoreError:
        """The error for whatever ChromaDB says."""

    @abstractmethod
    def _lost_rows(self) -> StoreError:
        """The error when what was written is not there."""

    def counts(self) -> dict[str, int]:
        with self._guard:
            try:
                return {name: c.count() for name, c in self._collections.items()}
            except Exception as error:
                raise self._broken(error) from error

    def nearest(self, name: str, query: Floats, n: int) -> list[tuple[str, float]]:
        """Ids of the n nearest rows with their cosine, best first."""
        with self._guard:
            try:
                found = self._collections[name].query(
                    query_embeddings=[query], n_results=n, include=["distances"]
                )
            except Exception as error:
                raise self._broken(error) from error
        distances = (found["distances"] or [[]])[0]
        pairs = zip(found["ids"][0], distances, strict=True)
        return [(row_id, 1.0 - float(distance)) for row_id, distance in pairs]

    def synchronise(
        self,
        name: str,
        wanted: Sequence[ChromaRow],
        vectors: Floats,
        on_batch: Callable[[int], None] = lambda rows: None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> bool:
        """Adds, replaces and removes rows until the collection holds `wanted`.

        `vectors`: shape (rows, dimensions). False when it was cancelled.
        """
        try:
            have = self._stamps(name)
            want = {record.id: record for record in wanted}
            gone = [
                i
                for i, stamp in have.items()
                if i not in want or want[i].stamp != stamp
            ]
            new = [record for i, record in want.items() if have.get(i) != record.stamp]
            for first in range(0, len(gone), BATCH):
                with self._guard:
                    self._collections[name].delete(ids=gone[first : first + BATCH])
            for first in range(0, len(new), BATCH):
                if cancelled():
                    return False
                self._add(name, new[first : first + BATCH], vectors)
                on_batch(min(BATCH, len(new) - first))
        except Exception as error:
            raise self._broken(error) from error
        return True

    def hold(
        self,
        texts: CorpusTexts,
        hashes: Mapping[str, str],
        vectors: Floats,
        on_batch: Callable[[int], None],
        cancelled: Callable[[], bool],
    ) -> bool:
        """Makes both collections hold a corpus, by what differs; `vectors`: of all its
        sentences, shape (n, dimensions). False when cancelled."""
        import numpy as np

        ids, of_pages = page_vectors(texts, vectors)
        if self.with_blank_pages:
            # Without sentences a page is nowhere near, but it is one of the version's.
            blank = [page_id for page_id, rows in texts.spans.items() if not rows]
            nowhere = np.zeros((len(blank), of_pages.shape[1]), dtype=np.float32)
            ids, of_pages = [*ids, *blank], np.concatenate([of_pages, nowhere])
        pages, wanted = (
            page_records(texts, hashes, ids),
            sentence_records(texts, hashes),
        )
        if not (
            self.synchronise(PAGES, pages, of_pages)
            and self.synchronise(SENTENCES, wanted, vectors, on_batch, cancelled)
        ):
            return False
        if self.counts() != {SENTENCES: len(wanted), PAGES: len(pages)}:
            raise self._lost_rows()
        return True

    def _add(self, name: str, records: Sequence[ChromaRow], vectors: Floats) -> None:
        documents = [r.document or "" for r in records]
        metadatas: list[Any] = [{**r.metadata, "stamp": r.stamp} for r in records]
        with self._guard:
            self._collections[name].add(
                ids=[record.id for record in records],
                embeddings=vectors[[record.row for record in records]],
                metadatas=metadatas,
                documents=documents if any(documents) else None,
            )

    def _stamps(self, name: str) -> dict[str, str]:
        stamps: dict[str, str] = {}
        with self._guard:
            total = self._collections[name].count()
            for first in range(0, total, 5 * BATCH):
                part = self._collections[name].get(
                    include=["metadatas"], limit=5 * BATCH, offset=first
                )
                metadatas: Any = part["metadatas"] or []
                for row_id, metadata in zip(part["ids"], metadatas, strict=True):
                    stamps[row_id] = str((metadata or {}).get("stamp"))
        return stamps

    def close(self) -> None:
        """Closes files and connections; harmless when done before."""
        with self._guard:
            self._client.close()


class ChromaIndex(Collections):
    """Both collections in one folder. Raises IndexBroken."""

    with_blank_pages = False

    def __init__(self, folder: Path) -> None:
        """Opens or makes the folder."""
        self.folder = folder
        try:
            super().__init__(_client(folder))
            for name in (SENTENCES, PAGES):
                self._collections[name] = self._client.get_or_create_collection(
                    name,
                    # Its default function would download a model.
                    embedding_function=None,
                    configuration={"hnsw": HNSW},
                )
        except Exception as error:  # its errors have no common base
            raise broken_error(folder, error) from error

    def _broken(self, error: Exception) -> StoreError:
        return broken_error(self.folder, error)

    def _lost_rows(self) -> StoreError:
        return IndexBroken(f"{self.folder}: ChromaDB lost rows while writing.")


class IndexingProgress:
    """Tells of rows written, as Progress, about twice a second."""

    def __init__(self, on_progress: OnProgress | None, total: int) -> None:
        self._on_progress = on_progress
        self._total = total
        self._done = 0
        self._begin = time.monotonic()

    def __call__(self, rows: int) -> None:
        self._done += rows
        if self._on_progress:
            rate = self._done / max(time.monotonic() - self._begin, 1e-6)
            left = (self._total - self._done) / rate
            progress = Progress("indexing", self._done, self._total, rate, left)
            self._on_progress(progress)


def warm_up() -> None:
    """Begins to load ChromaDB, which takes a second or two, while others embed."""
    threading.Thread(target=_import_quietly).start()


def load_chromadb() -> Any:
    """The library, without what it would take along and never uses here: 29 MB become
    12. That are gRPC and protobuf, by which it can report what it does to a server,
    httpx's own command line, and Tornado."""
    # It warns by logging; what is broken is reported by us, once.
    logging.getLogger("chromadb").setLevel(logging.CRITICAL)
    switch_off()
    exporter = "opentelemetry.exporter.otlp.proto.grpc"
    with (
        importing_without("click", "tornado"),
        standing_in(exporter, "trace_exporter", "OTLPSpanExporter"),
    ):
        import chromadb
    return chromadb


def _client(folder: Path) -> Any:
    chromadb = load_chromadb()

    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    settings = chromadb.config.Settings(anonymized_telemetry=False)
    return chromadb.PersistentClient(str(folder), settings=settings)


def broken_error(folder: Path, error: Exception) -> StoreError:
    """The error for whatever ChromaDB says about a folder."""
    return refusal(folder, error) or IndexBroken(
        f"{folder}: ChromaDB cannot use this index: {error}.",
        "It is rebuilt from the stored vectors when it is opened for writing.",
    )


def checksum(folder: Path) -> int:
    """Checksum of the vector files of a folder: ChromaDB reads them without looking,
    and a torn one can end the process. They change only when rows do. -1, which none
    has, where something else lies in the place of a file."""
    total = 0
    try:
        for path in sorted(folder.glob("*/*")):
            total = zlib.crc32(path.name.encode(), total)
            with open_regular(path) as file:
                while block := file.read(1 << 20):
                    total = zlib.crc32(block, total)
    except OSError:
        return -1
    return total


def is_healthy(folder: Path) -> bool:
    """Can both collections be counted, read and queried? Looks in a process of its
    own, because a torn file can end the process that reads it."""
    if checksum(folder) < 0:  # a pipe in the place of a file would be waited for
        return False
    # The child must find the same packages, however this process found them.
    path = os.pathsep.join(part for part in sys.path if part)
    environment = {**os.environ, "PYTHONPATH": path}
    try:
        done = subprocess.run(
            [sys.executable, "-m", "claimscope.stores.index.chroma", str(folder)],
            env=environment,
            capture_output=True,
            timeout=PROBE_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _probe(folder: Path) -> int:
    """Exit code of the process that looks: 0 = healthy."""
    if not (folder / "chroma.sqlite3").is_file():
        return 1
    index = ChromaIndex(folder)
    for name, count in index.counts().items():
        if not count:
            continue
        some = index._collections[name].get(limit=3, include=["embeddings"])
        vectors: Any = some["embeddings"]
        for row_id, vector in zip(some["ids"], vectors, strict=True):
            (found, similarity), *_ = index.nearest(name, vector, 1)
            # Another row may say the same; then it is as near.
            if found != row_id and similarity < 0.9999:
                return 1
    index.close()
    return 0


if __name__ == "__main__":
    sys.exit(_probe(Path(sys.argv[1])))


def _import_quietly() -> None:
    # A process that ends meanwhile cannot finish the import; whoever needs the module
    # imports it again and hears of what is really wrong.
    with suppress(Exception):
        load_chromadb()
