"""An index on a Chroma server (`chroma run`), shared by several machines.

Each corpus has two collections there, as the index on disk has in its folder. The one
of pages holds their texts and sentence spans, so that a machine without a copy of its
own can read the corpus from the server alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from claimscope.core.errors import IndexBroken, IndexMismatch, StoreError
from claimscope.core.models import Page, Sentence
from claimscope.core.ports import Embedder, Floats
from claimscope.stores.index.chroma import (
    BATCH,
    HNSW,
    PAGES,
    SENTENCES,
    WHOLE_PAGE,
    Collections,
)
from claimscope.stores.index.chroma_connection import ChromaServer, close_client
from claimscope.stores.index.corpus import IndexedCorpus
from claimscope.stores.index.manifest import Manifest, corpus_version, new_manifest
from claimscope.stores.index.page_texts import CorpusTexts
from claimscope.stores.index.ranking import nearest_in_order
from claimscope.stores.workspace.paths import safe_name

WRITING = "writing"
"""In place of a version while the collections do not hold one."""


class ServerIndex(Collections):
    """Both collections of a corpus on a server."""

    with_blank_pages = True

    def __init__(self, server: ChromaServer, corpus: str) -> None:
        """Opens or makes them. Raises StoreError, SettingsError."""
        super().__init__(server.client())
        self.server = server
        stem = f"claimscope-{safe_name(corpus).replace('~', '.')}"
        self.names = {name: f"{stem}-{name}" for name in (SENTENCES, PAGES)}
        try:
            self._open()
        except Exception as error:
            raise self._broken(error) from error

    def _open(self) -> None:
        for name, named in self.names.items():
            self._collections[name] = self._client.get_or_create_collection(
                named, embedding_function=None, configuration={"hnsw": HNSW}
            )

    def _broken(self, error: Exception) -> StoreError:
        return self.server.unusable(error)

    def _lost_rows(self) -> StoreError:
        return self.server.unusable(RuntimeError("it lost rows meanwhile"))

    def facts(self) -> Mapping[str, str]:
        """What the collections hold: version, model_id, splitter_id, dimensions; empty
        when they were never filled. Raises StoreError."""
        try:
            found = self._client.get_collection(
                self.names[PAGES], embedding_function=None
            )
        except Exception as error:
            raise self._broken(error) from error
        return {name: str(value) for name, value in (found.metadata or {}).items()}

    def save_facts(self, facts: Mapping[str, str]) -> None:
        """Replaces them. Raises StoreError."""
        try:
            self._collections[PAGES].modify(metadata=dict(facts))
        except Exception as error:
            raise self._broken(error) from error

    def clear(self) -> None:
        """Makes both anew, empty. Raises StoreError."""
        try:
            for named in self.names.values():
                self._client.delete_collection(named)
            self._open()
        except Exception as error:
            raise self._broken(error) from error

    def close(self) -> None:
        with self._guard:
            close_client(self._client)

    def pages(self) -> list[tuple[str, str]]:
        """(text, JSON of the rest) of the stored pages. Raises StoreError."""
        texts = self._rows(PAGES, "documents")
        wholes = dict(self._rows(PAGES, "metadatas"))
        return [
            (text or "", str((wholes.get(page_id) or {}).get(WHOLE_PAGE)))
            for page_id, text in texts
        ]

    def vectors(self, ids: Sequence[str]) -> dict[str, Floats]:
        import numpy as np

        return {
            row_id: np.asarray(vector, dtype=np.float32)
            for first in range(0, len(ids), BATCH)
            for row_id, vector in self._rows(
                SENTENCES, "embeddings", ids[first : first + BATCH]
            )
        }

    def _rows(
        self, name: str, what: str, ids: Sequence[str] | None = None
    ) -> list[tuple[str, Any]]:
        rows: list[tuple[str, Any]] = []
        try:
            collection = self._collections[name]
            if ids is not None:
                part = collection.get(ids=list(ids), include=[what])
                return list(zip(part["ids"], part[what], strict=True))
            for first in range(0, collection.count(), BATCH):
                part = collection.get(include=[what], limit=BATCH, offset=first)
                rows += zip(part["ids"], part[what], strict=True)
        except Exception as error:
            raise self._broken(error) from error
        return rows


class ServedCorpus(IndexedCorpus):
    """A corpus of a server, read without a copy of its own (core.ports.Corpus)."""

    def __init__(self, server: ChromaServer, name: str, embedder: Embedder) -> None:
        """Reads texts and spans; vectors are read when they are needed. Raises
        StoreError when the server or the corpus is not there, IndexMismatch."""
        super().__init__(name, embedder)
        self._index = ServerIndex(server, name)
        facts = self._index.facts()
        self._version = facts.get("version", "")
        if not self._version or self._version == WRITING:
            what = "is being written" if self._version else "is not"
            raise StoreError(
                f"The corpus {name!r} {what} on the Chroma server {server.url}.",
                f"Index it where its pages are, with the same chroma_url: claimscope "
                f"index FOLDER --name {name}",
            )
        check_model(name, facts, embedder)
        self._known: dict[str, Floats] = {}
        self._hold(self._read(facts))

    def _read(self, facts: Mapping[str, str]) -> CorpusTexts:
        entries, hashes, times = [], {}, {}
        for text, whole in self._index.pages():
            try:
                row = json.loads(whole)
                page = Page.model_validate({**row["page"], "text": text})
                spans = [(int(start), int(end)) for start, end in row["spans"]]
                hashes[page.page_id] = page.content_hash
                if row.get("indexed_at"):
                    times[page.page_id] = str(row["indexed_at"])
            except (ValueError, KeyError, TypeError, ValidationError):
                raise self._changed_meanwhile() from None
            entries.append((page, sentences_of(page, spans)))
        found = corpus_version(facts["model_id"], facts["splitter_id"], hashes)
        if found != self._version:
            raise self._changed_meanwhile()
        texts = CorpusTexts.of(entries)
        texts.indexed = times
        return texts

    def _changed_meanwhile(self) -> IndexBroken:
        return IndexBroken(
            f"The corpus {self.name!r} on the Chroma server is not what it says it is: "
            "it was changed meanwhile, or in another way.",
            "Try again when nobody indexes it; else index it again.",
        )

    @property
    def version(self) -> str:
        """As it was when it was opened."""
        return self._version

    def _read_vectors(self, rows: Sequence[int]) -> Floats:
        import numpy as np

        ids = [self._texts.sentences[row].sentence_id for row in rows]
        with self._guard:
            missing = [i for i in dict.fromkeys(ids) if i not in self._known]
            if missing:
                self._known |= self._index.vectors(missing)
            if any(i not in self._known for i in missing):
                raise self._changed_meanwhile()
            if not ids:
                return np.zeros((0, self._embedder.dimensions), dtype=np.float32)
            return np.stack([self._known[i] for i in ids])

    def _nearest_sentences(self, query: Floats, n: int) -> list[tuple[int, float]]:
        return nearest_in_order(nearest_rows(self._index, self._texts, query, 2 * n), n)

    def _nearest_pages(self, query: Floats, n: int) -> list[tuple[str, float]]:
        return nearest_pages(self._index, self._texts, query, n)

    def close(self) -> None:
        self._index.close()


def fill_server(
    index: ServerIndex,
    manifest: Manifest,
    hold: Callable[[ServerIndex], bool],
    *,
    anew: bool,
) -> bool:
    """Makes a server hold a corpus, by `hold`; `anew`: from nothing. False when
    cancelled. Raises StoreError."""
    made = {"model_id": manifest.model_id, "splitter_id": manifest.splitter_id}
    before = index.facts()
    if anew or {name: before.get(name) for name in made} != made:
        index.clear()
    index.save_facts({**made, "version": WRITING})
    if not hold(index):
        return False
    index.save_facts({**made, "version": manifest.corpus_version})
    return True


def is_by_another_machine(served: str, held: Manifest) -> bool:
    """Did another machine put there what a server holds? `served`: its version."""
    if served in ("", held.corpus_version):
        return False
    return held.is_clean or served != WRITING  # else we were ended while we wrote


def nearest_rows(
    index: Collections, texts: CorpusTexts, query: Floats, n: int
) -> list[tuple[int, float]]:
    """Rows of the n nearest sentences with their cosine."""
    found = []
    for sentence_id, similarity in index.nearest(SENTENCES, query, n):
        page_id, _, number = sentence_id.rpartition(":S:")
        row = texts.row(page_id, int(number))
        if row is not None:
            found.append((row, similarity))
    return found


def nearest_pages(
    index: Collections, texts: CorpusTexts, query: Floats, n: int
) -> list[tuple[str, float]]:
    """Ids of the nearest pages that have sentences, n at most, with their cosine."""
    found = index.nearest(PAGES, query, n)
    return [(page_id, cosine) for page_id, cosine in found if texts.spans.get(page_id)]


def sentences_of(page: Page, spans: Sequence[tuple[int, int]]) -> list[Sentence]:
    """The sentences of a page at these places. Raises ValidationError."""
    return [
        Sentence(
            page_id=page.page_id,
            index=index,
            text=page.text[start:end],
            start=start,
            end=end,
        )
        for index, (start, end) in enumerate(spans)
    ]


def check_model(name: str, facts: Mapping[str, str], embedder: Embedder) -> None:
    """Raises IndexMismatch when another model or splitter made it."""
    now = new_manifest(name, embedder)
    for fact, here, what in (
        ("model_id", now.model_id, "embedding model"),
        ("splitter_id", now.splitter_id, "splitter"),
    ):
        if facts.get(fact) != here:
            raise IndexMismatch(
                f"The corpus {name!r} on the Chroma server was made with the {what} "
                f"{facts.get(fact)}; the one in use is {here}.",
                "Use the same one, or index the pages again where they are.",
            )
