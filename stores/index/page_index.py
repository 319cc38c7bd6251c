"""Ground-truth pages, indexed: what is true, found again sentence by sentence.

    index/vectors.sqlite                  vectors of all corpora (embeddings.py)
          <corpus>/pages.sqlite           texts and sentence spans (page_texts.py)
                   chroma-<n>/            ChromaDB, generation n (chroma.py)
                   manifest.json          written last (manifest.py)
                   writer.lock            one process writes

The first two are the truth; ChromaDB is derived from them and rebuilt without
embedding whenever it is found broken. Whoever gets the lock uses ChromaDB; it is not
made for several processes, so everybody else searches a snapshot of texts and vectors
in memory, exactly and for less than 100,000 sentences as fast; so does who has the lock
where there are few sentences.
"""

from __future__ import annotations

import logging
import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from claimscope.core.errors import IndexBroken, StoreError
from claimscope.core.models import Page
from claimscope.core.ports import Embedder, Floats, OnProgress
from claimscope.core.text.sentences import sentences
from claimscope.stores.index import embeddings
from claimscope.stores.index.chroma import (
    PAGES,
    SENTENCES,
    ChromaIndex,
    Collections,
    IndexingProgress,
    checksum,
    is_healthy,
    warm_up,
)
from claimscope.stores.index.chroma_connection import ChromaServer
from claimscope.stores.index.chroma_server import (
    ServerIndex,
    fill_server,
    is_by_another_machine,
    nearest_pages,
    nearest_rows,
)
from claimscope.stores.index.corpus import IndexedCorpus
from claimscope.stores.index.embeddings import CachedEmbedder, VectorStore, text_hash
from claimscope.stores.index.manifest import (
    Manifest,
    as_found,
    mismatch_error,
    new_manifest,
    read_manifest,
)
from claimscope.stores.index.page_texts import PageEntry, open_archive
from claimscope.stores.index.ranking import nearest_in_order
from claimscope.stores.index.update_plan import IndexReport, plan_update
from claimscope.stores.workspace.locks import WriterLock
from claimscope.stores.workspace.paths import close_off, make_private, safe_name

log = logging.getLogger(__name__)
ARCHIVE = "pages.sqlite"
FEW = 20_000
"""Sentences up to which all are compared, 30 MB of vectors; ChromaDB would take 80."""
Cancelled = Callable[[], bool]


def never() -> bool:
    """The answer of somebody who does not cancel."""
    return False


class PageIndex(IndexedCorpus):
    """A corpus on disk (core.ports.Corpus); safe for threads once opened."""

    def __init__(
        self,
        root: Path,
        name: str,
        embedder: Embedder,
        *,
        write: bool = False,
        rebuild: bool = False,
        on_progress: OnProgress | None = None,
        server: ChromaServer | None = None,
    ) -> None:
        """Opens the corpus `name` below `root` (`Workspace.index`).

        With `write` it is made when missing, and the lock is taken or StoreLocked
        raised; without, the lock is taken if it is free. A broken ChromaDB is rebuilt
        here when we have the lock. `rebuild` makes the corpus anew of its stored
        pages, with the model in use. With a `server`, that holds the collections in
        place of the folder; what another machine put there is replaced only with
        `write`. Raises IndexMismatch, IndexBroken, StoreError.
        """
        self._folder = root / safe_name(name)
        if not write and not (self._folder / ARCHIVE).exists():
            raise StoreError(
                f"There is no corpus {name!r} in this workspace.",
                f"Make it with: claimscope pages index FOLDER --name {name}",
            )
        make_private(self._folder)
        super().__init__(name, embedder)
        self._on_progress = on_progress
        self._now = new_manifest(name, embedder)
        self._chroma: Collections | None = None
        self._server = server
        self._writes = write or rebuild
        self._lock = self._take_lock(self._writes)
        try:
            self._vectors = VectorStore(root / embeddings.FILE)
            self._archive = open_archive(self._folder / ARCHIVE, anew=rebuild)
            self._load()
            self._check(rebuild)
        except BaseException:
            self.close()
            raise

    # --- opening ------------------------------------------------------------

    def _take_lock(self, must: bool) -> WriterLock | None:
        what = f"The corpus {self._now.name!r}"
        try:
            return WriterLock(self._folder / "writer", what, 1.0 if must else 0.0)
        except StoreError:
            if must:
                raise
            return None

    def _load(self) -> None:
        """Reads the state of the archive: a snapshot, whoever writes later."""
        contents = self._archive.contents()
        self._hold(contents.texts)
        self._hashes, facts = contents.hashes, contents.facts
        self._manifest = as_found(
            self._now,
            facts,
            read_manifest(self._folder),
            sizes=(len(self._texts.pages), len(self._texts.sentences)),
            hashes=self._hashes,
            place=self._server.url if self._server else "",
        )

    def _check(self, rebuild: bool) -> None:
        if error := mismatch_error(self._manifest, self._now):
            if not rebuild:
                raise error
        if self._lock is None:
            return
        if rebuild:
            self._remake()
        elif self._manifest.generation or self._texts.pages:
            self._repair()

    def _repair(self) -> None:
        """Makes ChromaDB whole again when its last writer did not finish or its files
        are not as that one left them."""
        if self._server is not None:
            served = self._on_server(self._server).facts().get("version", "")
            if not self._writes and is_by_another_machine(served, self._manifest):
                # To read an older copy here must not take the newer from the others.
                self._manifest = self._manifest.model_copy(update={"is_clean": False})
            elif not self._manifest.is_clean or served != self.version:
                self._derive(never, in_place=True)
            return
        folder = self._generation(self._manifest.generation)
        if self._manifest.is_clean and checksum(folder) == self._manifest.files:
            return
        is_sound = self._manifest.generation > 0 and is_healthy(folder)
        self._derive(never, in_place=is_sound)

    def _remake(self) -> None:
        """Splits and embeds the stored pages anew; ChromaDB is built from nothing."""
        pages = self._texts.pages.values()
        entries = [PageEntry(p, self._hashes[p.page_id], sentences(p)) for p in pages]
        texts = [s.text for entry in entries for s in entry.sentences]
        CachedEmbedder(self._embedder, self._vectors, self._on_progress).embed_missing(
            texts
        )
        self._archive.change(entries, facts=self._facts())
        self._load()
        self._derive(never, in_place=False)

    def _facts(self) -> dict[str, str]:
        now = self._now
        return {
            "name": now.name,
            "model_id": now.model_id,
            "dimensions": str(now.dimensions),
            "splitter_id": now.splitter_id,
        }

    # --- reading ------------------------------------------------------------

    @property
    def version(self) -> str:
        return self._manifest.corpus_version

    @property
    def manifest(self) -> Manifest:
        """What the corpus was made with, and its size."""
        return self._manifest

    @property
    def is_writer(self) -> bool:
        """True when this process holds the lock, and so ChromaDB."""
        return self._lock is not None

    def _read_vectors(self, rows: Sequence[int]) -> Floats:
        hashes = [text_hash(self._texts.sentences[row].text) for row in rows]
        model, dimensions = self._manifest.model_id, self._manifest.dimensions
        return self._vectors.matrix(model, hashes, dimensions)

    def _nearest_sentences(self, query: Floats, n: int) -> list[tuple[int, float]]:
        chroma = self._ready_chroma()
        if chroma is None:
            return super()._nearest_sentences(query, n)
        # More than asked for: sentences that are equal come in any order.
        return nearest_in_order(nearest_rows(chroma, self._texts, query, 2 * n), n)

    def _nearest_pages(self, query: Floats, n: int) -> list[tuple[str, float]]:
        chroma = self._ready_chroma()
        if chroma is None:
            return super()._nearest_pages(query, n)
        return nearest_pages(chroma, self._texts, query, n)

    def _ready_chroma(self) -> Collections | None:
        """ChromaDB, opened at first use; None when it is not ours or sentences are few.
        One that lacks rows is rebuilt first. Raises IndexBroken."""
        is_small = self._server is None and len(self._texts.sentences) <= FEW
        with self._guard:
            if self._lock is None or not self._manifest.is_clean or is_small:
                return None
            if self._chroma is None:
                try:
                    self._chroma = self._open_chroma(self._manifest.generation)
                    is_sound = self._chroma.counts() == self._due_counts()
                except IndexBroken as error:
                    log.warning("%s", error.message, exc_info=error)
                    is_sound = False
                if not is_sound:
                    log.warning("the index of %s is rebuilt", self.name)
                    self._derive(never, in_place=False)
            return self._chroma

    def _open_chroma(self, generation: int) -> Collections:
        if self._server is not None:
            return ServerIndex(self._server, self.name)
        return ChromaIndex(self._generation(generation))

    def _on_server(self, server: ChromaServer) -> ServerIndex:
        if not isinstance(self._chroma, ServerIndex):
            self._chroma = ServerIndex(server, self.name)
        return self._chroma

    def _due_counts(self) -> dict[str, int]:
        # A server has the pages without sentences too.
        pages = [p for p, rows in self._texts.spans.items() if rows or self._server]
        return {SENTENCES: len(self._texts.sentences), PAGES: len(pages)}

    # --- indexing -----------------------------------------------------------

    def compare(self, pages: Iterable[Page]) -> IndexReport:
        """What `index_pages` would change; nothing is written or embedded."""
        _, _, report = plan_update(pages, self._hashes, True)
        return replace(report, sentences=len(self._texts.sentences))

    def index_pages(
        self,
        pages: Iterable[Page],
        on_progress: OnProgress | None = None,
        cancelled: Cancelled = never,
        *,
        delete_missing: bool = True,
    ) -> IndexReport:
        """Makes the corpus hold exactly `pages`; only what changed is embedded.

        What was embedded before a cancel or a kill is kept. Needs `write=True`.
        Raises StoreError, EmbeddingError.
        """
        if self._lock is None:
            raise StoreError(
                f"The corpus {self.name!r} was opened for reading only.",
                "Wait until the process that writes it has finished.",
            )
        self._on_progress = on_progress or self._on_progress
        entries, gone, report = plan_update(pages, self._hashes, delete_missing)
        after = {p: self._texts.of_page(p) for p in self._hashes if p not in gone}
        after |= {entry.page.page_id: entry.sentences for entry in entries}
        texts = [s.text for page in after.values() for s in page]
        if entries:
            warm_up()
        embedder = CachedEmbedder(
            self._embedder, self._vectors, self._on_progress, cancelled
        )
        report = replace(report, embedded=embedder.embed_missing(texts))
        total = sum(map(len, after.values()))
        if cancelled():
            return replace(
                report, sentences=len(self._texts.sentences), is_complete=False
            )
        if entries or gone or not self._manifest.is_clean:
            self._save_state(is_clean=False)
            self._archive.change(entries, gone, self._facts())
            self._load()
            done = self._derive(cancelled, in_place=self._manifest.generation > 0)
            report = replace(report, is_complete=done)
        return replace(report, sentences=total)

    def _derive(self, cancelled: Cancelled, *, in_place: bool) -> bool:
        """Makes ChromaDB hold what the archive holds, in the present generation if it
        is sound, else in a new one. False when cancelled."""
        if self._server is not None:
            return self._fill_server(self._server, cancelled, anew=not in_place)
        if in_place:
            try:
                return self._fill(self._manifest.generation, cancelled)
            except IndexBroken as error:
                # It is built anew below, from what is stored.
                log.warning("%s", error.message, exc_info=error)
        self._close_chroma()
        generation = self._manifest.generation + 1
        shutil.rmtree(self._generation(generation), ignore_errors=True)
        return self._fill(generation, cancelled)

    def _fill(self, generation: int, cancelled: Cancelled) -> bool:
        self._save_state(is_clean=False)
        chroma = self._chroma
        if not isinstance(chroma, ChromaIndex):
            self._chroma = chroma = ChromaIndex(self._generation(generation))
        if not self._hold_in(chroma, cancelled):
            return False
        close_off(self._folder)
        self._save_state(
            is_clean=True, generation=generation, files=checksum(chroma.folder)
        )
        for folder in self._folder.glob("chroma-*"):
            if folder != chroma.folder:
                shutil.rmtree(folder, ignore_errors=True)
        if len(self._texts.sentences) <= FEW:  # it is not asked
            self._close_chroma()
        return True

    def _hold_in(self, index: Collections, cancelled: Cancelled) -> bool:
        tell = IndexingProgress(self._on_progress, len(self._texts.sentences))
        vectors = self._all_vectors()
        return index.hold(self._texts, self._hashes, vectors, tell, cancelled)

    def _fill_server(
        self, server: ChromaServer, cancelled: Cancelled, *, anew: bool
    ) -> bool:
        """As `_fill`, on the server. Raises StoreError."""
        self._save_state(is_clean=False)
        is_filled = fill_server(
            self._on_server(server),
            self._manifest,
            lambda index: self._hold_in(index, cancelled),
            anew=anew,
        )
        if is_filled:
            self._save_state(is_clean=True)
        return is_filled

    def _generation(self, number: int) -> Path:
        return self._folder / f"chroma-{number}"

    def _save_state(self, *, is_clean: bool, **changes: int) -> None:
        self._manifest = self._manifest.model_copy(
            update={"is_clean": is_clean, **changes}
        )
        self._manifest.save(self._folder)

    def close(self) -> None:
        """Closes all files and gives the lock back; harmless when done before."""
        self._close_chroma()
        for part in ("_archive", "_vectors"):
            if opened := getattr(self, part, None):
                opened.close()
        if self._lock:
            self._lock.release()
            self._lock = None

    def _close_chroma(self) -> None:
        if not self._chroma:
            return
        self._chroma.close()
        if self._lock and self._manifest.is_clean and self._server is None:
            # Asked for the first time, it moves rows from its log into these files.
            files = checksum(self._generation(self._manifest.generation))
            if files not in (-1, self._manifest.files):
                self._save_state(is_clean=True, files=files)
        self._chroma = None
