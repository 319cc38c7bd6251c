"""Vectors by (model, text): the costliest thing we make, so it is kept for good.

Indexes are built from here and can be built again in seconds; embedding takes a
hundred times longer. SQLite in WAL mode rather than array files: a kill loses only
the batch in flight, several processes may use it at once, and 10,000 vectors are
written in 0.2 s and read in 0.1 s, 70 s of embedding apart.
"""

from __future__ import annotations

import hashlib
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from claimscope.core.errors import EmbeddingError, StoreError
from claimscope.core.ports import Embedder, Floats, OnProgress, Progress
from claimscope.stores.index.manifest import read_manifest
from claimscope.stores.index.sqlite_file import SqliteFile
from claimscope.stores.workspace.paths import make_private, safe_name

BATCH = 128
"""Texts an embedder gets at once: four of its own batches, so that it is kept busy
(with one at a time it needs a tenth more processor time)."""
BATCH_CHARACTERS = 16_000
"""Fewer texts when they are long, so that progress and cancel take about a second."""
FILE = "vectors.sqlite"
_PATIENCE = 30
"""Seconds to wait for another process that writes."""
_LOOKUP = 500
"""Keys a statement; SQLite's oldest limit is 999."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS models (id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL);
CREATE TABLE IF NOT EXISTS vectors (
    model INTEGER NOT NULL, hash BLOB NOT NULL, vector BLOB NOT NULL,
    PRIMARY KEY (model, hash));
"""


def text_hash(text: str) -> bytes:
    """Key of a text: its sha256, 32 bytes."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


class VectorStore(SqliteFile):
    """Vectors on disk, float32, added and never changed; safe for threads."""

    def __init__(self, path: Path) -> None:
        """`path`: the file; made when missing. Raises StoreError."""
        make_private(path.parent)
        self._model_rows: dict[str, int] = {}
        super().__init__(path)

    def _open(self) -> sqlite3.Connection:
        connection = self._connect(make=True)
        _keep_log_ahead(connection)
        # A power cut may lose the last batches, never what was there before.
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.executescript(_SCHEMA)
        return connection

    def _failure(self, error: Exception) -> StoreError:
        return StoreError(
            f"{self.path}: the stored vectors cannot be used: {error}.",
            "If nothing else uses it, delete this file and index again: all "
            "sentences will be embedded anew.",
        )

    def get(self, model_id: str, hashes: Iterable[bytes]) -> dict[bytes, Floats]:
        """Known vectors by text hash; each of shape (dimensions,)."""
        import numpy as np

        found: dict[bytes, Floats] = {}
        wanted = list(dict.fromkeys(hashes))
        with self._errors():
            model = self._model(model_id)
            for keys in _key_chunks(wanted):
                marks = ",".join("?" * len(keys))
                query = (
                    "SELECT hash, vector FROM vectors "
                    f"WHERE model = ? AND hash IN ({marks})"
                )
                for key, blob in self._connection.execute(query, (model, *keys)):
                    found[key] = np.frombuffer(blob, dtype="<f4")
        return found

    def missing(self, model_id: str, hashes: Iterable[bytes]) -> set[bytes]:
        """Text hashes without a vector."""
        wanted = set(hashes)
        with self._errors():
            model = self._model(model_id)
            for keys in _key_chunks(list(wanted)):
                marks = ",".join("?" * len(keys))
                query = (
                    f"SELECT hash FROM vectors WHERE model = ? AND hash IN ({marks})"
                )
                rows = self._connection.execute(query, (model, *keys))
                wanted.difference_update(key for (key,) in rows)
        return wanted

    def matrix(self, model_id: str, hashes: Sequence[bytes], dimensions: int) -> Floats:
        """Vectors of hashes in order, shape (len(hashes), dimensions).

        Raises StoreError when one is missing or of another size.
        """
        import numpy as np

        known = self.get(model_id, hashes)
        matrix = np.zeros((len(hashes), dimensions), dtype=np.float32)
        for row, key in enumerate(hashes):
            vector = known.get(key)
            if vector is None or vector.shape != (dimensions,):
                raise StoreError(
                    f"{self.path}: the vector of a text is missing.",
                    "Index the pages again: what is missing will be embedded.",
                )
            matrix[row] = vector
        return matrix

    def put(self, model_id: str, hashes: Sequence[bytes], vectors: Floats) -> None:
        """Saves vectors, shape (len(hashes), dimensions), together. What is known
        already is kept. Raises StoreError, EmbeddingError for a vector of no number."""
        import numpy as np

        if not np.isfinite(vectors).all():
            raise EmbeddingError(
                f"The model {model_id} gave a vector that is not a number.",
                "Its file may be damaged: install the model again.",
            )
        rows = np.ascontiguousarray(vectors, dtype="<f4")
        with self._errors():
            model = self._model(model_id)
            with self._transaction():
                self._connection.executemany(
                    "INSERT OR IGNORE INTO vectors VALUES (?, ?, ?)",
                    (
                        (model, key, row.tobytes())
                        for key, row in zip(hashes, rows, strict=True)
                    ),
                )

    def _model(self, name: str) -> int:
        if name not in self._model_rows:
            self._connection.execute(
                "INSERT OR IGNORE INTO models (name) VALUES (?)", (name,)
            )
            (row,) = self._connection.execute(
                "SELECT id FROM models WHERE name = ?", (name,)
            ).fetchone()
            self._model_rows[name] = int(row)
        return self._model_rows[name]


def _keep_log_ahead(connection: sqlite3.Connection) -> None:
    """Switches a new file to WAL.

    Here SQLite does not wait as long as it was told to: while another process writes
    its first rows, the switch is refused at once. So it is asked for again.
    """
    try:
        connection.execute("PRAGMA journal_mode=WAL")
    except sqlite3.OperationalError as error:
        if not _is_busy(error):
            raise
    else:
        return
    from tenacity import Retrying, retry_if_exception, stop_after_delay
    from tenacity.wait import wait_random_exponential

    for attempt in Retrying(
        retry=retry_if_exception(_is_busy),
        stop=stop_after_delay(_PATIENCE),
        wait=wait_random_exponential(multiplier=0.01, max=0.5),
        reraise=True,
    ):
        with attempt:
            connection.execute("PRAGMA journal_mode=WAL")


def _is_busy(error: BaseException) -> bool:
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF == sqlite3.SQLITE_BUSY


def _key_chunks(keys: Sequence[bytes]) -> Iterator[Sequence[bytes]]:
    for first in range(0, len(keys), _LOOKUP):
        yield keys[first : first + _LOOKUP]


def _text_batches(
    keys: Sequence[bytes], lengths: Sequence[int]
) -> Iterator[list[bytes]]:
    """Keys in order, in batches bounded by texts and by characters."""
    batch: list[bytes] = []
    characters = 0
    for key, length in zip(keys, lengths, strict=True):
        is_full = len(batch) == BATCH or characters + length > BATCH_CHARACTERS
        if batch and is_full:
            yield batch
            batch, characters = [], 0
        batch.append(key)
        characters += length
    if batch:
        yield batch


class CachedEmbedder:
    """An embedder that computes each text once, ever (core.ports.Embedder)."""

    def __init__(
        self,
        embedder: Embedder,
        store: VectorStore,
        on_progress: OnProgress | None = None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> None:
        """`on_progress` hears of the texts that have to be computed; when
        `cancelled` says so, `embed_missing` ends early."""
        self._embedder = embedder
        self._store = store
        self._on_progress = on_progress
        self._cancelled = cancelled

    @property
    def model_id(self) -> str:
        return self._embedder.model_id

    @property
    def dimensions(self) -> int:
        return self._embedder.dimensions

    def embed(self, texts: Sequence[str]) -> Floats:
        """Vectors, shape (len(texts), dimensions), stored or computed now."""
        self.embed_missing(texts)
        hashes = [text_hash(text) for text in texts]
        return self._store.matrix(self.model_id, hashes, self.dimensions)

    def embed_missing(self, texts: Iterable[str]) -> int:
        """Computes and stores what is not known; how many that were.

        Sorted by length, so that a batch has little padding; longest first, so that
        the rate only rises and the rest is never longer than announced.
        """
        by_hash = {text_hash(text): text for text in texts}
        unknown = self._store.missing(self.model_id, by_hash)
        todo = sorted(unknown, key=lambda key: (len(by_hash[key]), key), reverse=True)
        meter = _Meter(len(todo), sum(len(by_hash[key]) for key in todo))
        done = 0
        for keys in _text_batches(todo, [len(by_hash[key]) for key in todo]):
            if self._cancelled():
                break
            chosen = [by_hash[key] for key in keys]
            self._store.put(self.model_id, keys, self._embedder.embed(chosen))
            done += len(keys)
            meter.add(len(keys), sum(map(len, chosen)))
            if self._on_progress and meter.is_due(done):
                self._on_progress(meter.progress(done))
        return done


class _Meter:
    """Rate and time left; the time by characters, which cost more evenly."""

    def __init__(self, total: int, characters: int) -> None:
        self._total = total
        self._left = characters
        self._begin = self._told = time.monotonic()
        self._characters = 0

    def add(self, texts: int, characters: int) -> None:
        self._characters += characters
        self._left -= characters

    def is_due(self, done: int) -> bool:
        """About twice a second, and at the end."""
        now = time.monotonic()
        if done < self._total and now - self._told < 0.5:
            return False
        self._told = now
        return True

    def progress(self, done: int) -> Progress:
        spent = max(time.monotonic() - self._begin, 1e-6)
        eta = self._left * spent / self._characters if self._characters else None
        return Progress("embedding", done, self._total, done / spent, eta)


class UnavailableEmbedder:
    """The model of a corpus by name alone (core.ports.Embedder)."""

    def __init__(self, root: Path, corpus: str, error: EmbeddingError) -> None:
        """Raises `error` where it is not known what the corpus was made with."""
        manifest = read_manifest(root / safe_name(corpus))
        if manifest is None:
            raise error
        self._error = error
        self.model_id = manifest.model_id
        self.dimensions = manifest.dimensions

    def embed(self, texts: Sequence[str]) -> Floats:
        """Raises why the model is lost."""
        raise self._error
