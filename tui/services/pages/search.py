"""Search as somebody types: a process that reads queries and answers with hits.

A line of JSON in is `{"number": 3, "query": "…", "k": 20}`; lines of JSON out have
the same number, first hits by words, then, once the embedding model is loaded, by
words and meaning together. A query that is followed by another one is left out. The
index is not locked: whoever wants to write it may.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from queue import Empty, Queue
from typing import IO, Literal

import numpy as np

from claimscope.core.errors import ClaimscopeError, StoreError
from claimscope.core.models import Evidence
from claimscope.core.ports import Embedder
from claimscope.core.settings import Settings
from claimscope.stores.index.corpus import SnapshotCorpus
from claimscope.stores.index.embeddings import FILE, VectorStore
from claimscope.stores.index.manifest import Manifest, read_manifest
from claimscope.stores.index.page_index import ARCHIVE
from claimscope.stores.index.page_texts import CorpusTexts, PageArchive
from claimscope.stores.workspace.paths import Workspace, safe_name

Order = Literal["words", "meaning"]
Query = tuple[int, str, int]
"""(number, what was typed, how many hits)."""


class Searcher:
    """A corpus in memory, read again when the index has changed on disk."""

    def __init__(self, workspace: Workspace, name: str, settings: Settings) -> None:
        """Raises StoreError when there is no such corpus."""
        self._workspace, self._name, self._settings = workspace, name, settings
        self._folder = workspace.index / safe_name(name)
        self._store = VectorStore(workspace.index / FILE)
        self._embedder: Embedder | None = None
        self._seen: Manifest | None = None
        self._texts = CorpusTexts({})
        self._folded: list[str] = []
        self._by_meaning: SnapshotCorpus | None = None
        self.fallback: str | None = None
        """Why the last search by meaning was answered by another one."""
        self.read()

    def read(self) -> None:
        """Takes the index as it is now, if it is not what was read last."""
        manifest = read_manifest(self._folder)
        if self._seen is not None and manifest == self._seen:
            return
        self._texts = _texts_in(self._folder / ARCHIVE)
        self._folded = [s.text.casefold() for s in self._texts.sentences]
        self._by_meaning, self._seen = None, manifest

    def by_words(self, query: str, k: int) -> list[Evidence]:
        """The k best sentences by BM25; those that hold the query as it stands come
        after, for a last word that is only begun."""
        scores = self._texts.lexical().scores(query)
        rows = [int(row) for row in np.argsort(-scores, kind="stable")[:k]]
        best = [row for row in rows if scores[row] > 0]
        known, wanted = set(best), " ".join(query.casefold().split())
        for row, text in enumerate(self._folded):
            if len(best) >= k:
                break
            if row not in known and wanted in text:
                best.append(row)
        return [
            self._texts.evidence(row).model_copy(update={"lexical": float(scores[row])})
            for row in best
        ]

    def by_meaning(self, query: str, k: int) -> list[Evidence]:
        """The k best sentences, words and meaning fused; the first call loads the
        model. Raises EmbeddingError, StoreError."""
        if self._embedder is None:
            from claimscope.tui.bootstrap.judges import make_embedder

            self._embedder = make_embedder(self._settings)
        made = self._seen.model_id if self._seen else self._embedder.model_id
        if made != self._embedder.model_id:
            raise StoreError(
                f"{self._name} was indexed with {made}, the model in use is "
                f"{self._embedder.model_id}: words only",
                "index it again",
            )
        if self._by_meaning is None:
            self._by_meaning = SnapshotCorpus(
                self._name, self._texts, self._embedder, self._store
            )
        found = self._by_meaning.search(query, k=k)
        self.fallback = found.fallback
        return list(found.hits)

    def close(self) -> None:
        self._store.close()


def _texts_in(path: Path) -> CorpusTexts:
    if not path.exists():
        raise StoreError(f"{path}: there is no index any more.", "Index it again.")
    with closing(PageArchive(path)) as archive:
        return archive.contents().texts


def answer_lines(
    workspace: Workspace,
    name: str,
    settings: Settings,
    source: Iterable[str],
    out: IO[str],
) -> None:
    """Answers until `source` ends. Raises StoreError when there is no such corpus."""
    asked: Queue[Query | None] = Queue()
    with closing(Searcher(workspace, name, settings)) as searcher:
        _write(out, {"ready": True})
        threading.Thread(target=_listen, args=(source, asked), daemon=True).start()
        while (query := _newest(asked)) is not None:
            _answer(searcher, query, "words", out)
            if asked.empty():
                _answer(searcher, query, "meaning", out)


def _newest(asked: Queue[Query | None]) -> Query | None:
    """Waits for a query and gives the last one there is; None at the end of input."""
    newest = asked.get()
    while newest is not None:
        try:
            newest = asked.get_nowait()
        except Empty:
            break
    return newest


def _listen(source: Iterable[str], asked: Queue[Query | None]) -> None:
    for line in source:
        try:
            words = json.loads(line)
            asked.put((int(words["number"]), str(words["query"]), int(words["k"])))
        except (ValueError, KeyError, TypeError):
            continue
    asked.put(None)


def _answer(searcher: Searcher, query: Query, order: Order, out: IO[str]) -> None:
    number, words, k = query
    try:
        searcher.read()
        find = searcher.by_words if order == "words" else searcher.by_meaning
        hits = [
            hit.model_dump(mode="json", exclude_none=True) for hit in find(words, k)
        ]
    except ClaimscopeError as error:
        problem = f"{error.message} {error.hint}".strip()
        _write(out, {"number": number, "order": order, "problem": problem})
    else:
        answer: dict[str, object] = {"number": number, "order": order, "hits": hits}
        if order == "meaning" and searcher.fallback is not None:
            answer["problem"] = searcher.fallback
        _write(out, answer)


def _write(out: IO[str], value: dict[str, object]) -> None:
    print(json.dumps(value), file=out, flush=True)
