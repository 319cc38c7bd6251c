"""Texts to vectors with the default model, without torch.

all-MiniLM-L6-v2 runs on onnxruntime from the file that core/backends/onnx/export.py
makes once; any other model, or a GPU, goes through sentence-transformers.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from claimscope.core.backends.onnx import weights
from claimscope.core.backends.onnx.session import BoundedSession
from claimscope.core.backends.text_windows import (
    mean_vectors,
    window_spans,
    word_starts,
)
from claimscope.core.errors import EmbeddingError
from claimscope.core.ports import Floats
from claimscope.core.run.meters import meters
from claimscope.core.telemetry import switch_off

BATCH = 32
"""256 is half as fast: activations fall out of the processor's cache."""
WINDOW = 254
"""Tokens a piece may have: the model's 256 less [CLS] and [SEP]."""
CLS, SEP = 101, 102
DIMENSIONS = 384
SLAB = 2048
"""Texts tokenized at a time, so that a million of them do not fill the memory."""
MANY = 512
"""Texts for which a copy of a process loads a model that uses all cores."""
OnNote = Callable[[str], None]


class OnnxEmbedder:
    """all-MiniLM-L6-v2 on onnxruntime; loaded at first use, safe for threads."""

    def __init__(self, graph: Callable[[], Path]) -> None:
        """`graph` gives the ONNX file; it is called once, at first use."""
        self._graph = graph
        self._lock = threading.Lock()
        self._parts: tuple[Any, Any] | None = None

    @property
    def model_id(self) -> str:
        return f"{weights.NAME}@{weights.WEIGHTS_SHA256[:8]}/fp32"

    @property
    def dimensions(self) -> int:
        return DIMENSIONS

    def embed(self, texts: Sequence[str]) -> Floats:
        """Vectors, shape (len(texts), 384). Equal texts are computed once."""
        rows = {text: row for row, text in enumerate(dict.fromkeys(texts))}
        unique = list(rows)
        vectors = [
            self._embed_slab(unique[i : i + SLAB]) for i in range(0, len(unique), SLAB)
        ]
        if not vectors:
            return np.zeros((0, DIMENSIONS), dtype=np.float32)
        return np.concatenate(vectors)[[rows[text] for text in texts]]

    def _embed_slab(self, texts: Sequence[str]) -> Floats:
        session, tokenizer = self._loaded(len(texts))
        encodings = tokenizer.encode_batch(
            # Lone surrogates are no text; the tokenizer would refuse all the batch.
            [text.encode("utf-8", "replace").decode("utf-8") for text in texts],
            add_special_tokens=False,
        )
        pieces: list[list[int]] = []
        owners: list[int] = []
        for owner, encoding in enumerate(encodings):
            ids = encoding.ids
            for begin, end in window_spans(word_starts(encoding.word_ids), WINDOW):
                pieces.append([CLS, *ids[begin:end], SEP])
                owners.append(owner)
        vectors = np.zeros((len(pieces), DIMENSIONS), dtype=np.float32)
        order = sorted(range(len(pieces)), key=lambda i: len(pieces[i]))
        for first in range(0, len(order), BATCH):
            chosen = order[first : first + BATCH]
            vectors[chosen] = _run(session, [pieces[i] for i in chosen])
        meters().embedded.add(len(texts), sum(map(len, pieces)))
        return mean_vectors(vectors, owners, len(texts))

    def _loaded(self, texts: int) -> tuple[Any, Any]:
        with self._lock:
            if _single_threaded.is_outgrown(texts):
                self._parts = None
                held_sessions.clear()
            if self._parts is None:
                self._parts = _load_once(self._graph())
            return self._parts


def load_onnx(
    graph: Path, what: str, remedy: str, threads: int = 1, *, splits: bool = False
) -> tuple[BoundedSession, Any]:
    """The session of a model that reads MiniLM's tokens, and their tokenizer. `what` it
    is and the `remedy` stand in the message; `threads` and `splits` are those of
    BoundedSession. Raises EmbeddingError."""
    switch_off()
    tokenizer = _tokenizer()
    try:
        session = BoundedSession(graph, threads, physical_cores(), splits=splits)
    except Exception as error:  # onnxruntime has no common base of its errors
        raise EmbeddingError(
            f"{graph}: {what} cannot be loaded ({type(error).__name__}).", remedy
        ) from error
    return session, tokenizer


@cache
def _tokenizer() -> Any:
    """One for all models; it cuts nothing and fills nothing up. Raises
    EmbeddingError."""
    from tokenizers import Tokenizer

    path = weights.model_folder() / "tokenizer.json"
    weights.check(path, weights.TOKENIZER_SHA256)
    tokenizer: Any = Tokenizer.from_file(str(path))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def _load_graph(graph: Path) -> tuple[BoundedSession, Any]:
    remedy = "Delete this file: it is made again at the next use."
    # Texts come in slabs: one run on all cores ends before several side by side.
    threads = 1 if _single_threaded.process else physical_cores()
    return load_onnx(graph, "the exported model", remedy, threads, splits=True)


@dataclass
class SingleThreaded:
    """Whether the model runs in the thread that asks, whatever the cores: a process
    that is forked leaves its threads behind. The vectors are the same, bit for bit."""

    process: int | None = None
    texts: int = 0
    """Embedded since the fork."""

    def is_outgrown(self, texts: int) -> bool:
        """True once, when a copy has enough to do for all cores."""
        if self.process in (None, os.getpid()):
            return False
        self.texts += texts
        if self.texts > MANY:
            self.process = None
        return self.process is None


def load_single_threaded() -> None:
    """What is loaded from now on can be used in copies of this process."""
    _single_threaded.process = os.getpid()


_single_threaded = SingleThreaded()


def _load_once(graph: Path) -> tuple[BoundedSession, Any]:
    """A process that judges again and again holds the model in memory."""
    with _loading:
        if graph not in held_sessions:
            held_sessions.clear()
            held_sessions[graph] = _load_graph(graph)
        return held_sessions[graph]


_loading = threading.Lock()
held_sessions: dict[Path, tuple[BoundedSession, Any]] = {}


def _run(session: Any, pieces: Sequence[Sequence[int]]) -> Floats:
    """Mean-pooled, normalised vectors of pieces of about equal length."""
    shape = (len(pieces), max(len(piece) for piece in pieces))
    ids = np.zeros(shape, dtype=np.int64)
    mask = np.zeros(shape, dtype=np.int64)
    for row, piece in enumerate(pieces):
        ids[row, : len(piece)] = piece
        mask[row, : len(piece)] = 1
    inputs = {
        "input_ids": ids,
        "attention_mask": mask,
        "token_type_ids": np.zeros(shape, dtype=np.int64),
    }
    (states,) = session.run(["states"], inputs)
    weight = mask[:, :, None].astype(np.float32)
    means = (states * weight).sum(axis=1) / weight.sum(axis=1)
    return np.asarray(means / np.linalg.norm(means, axis=1, keepdims=True))


def physical_cores() -> int:
    """Cores this process may use; two threads of one core count once."""
    allowed = (
        os.sched_getaffinity(0)
        if hasattr(os, "sched_getaffinity")
        else set(range(os.cpu_count() or 1))
    )
    cores = set()
    for cpu in allowed:
        path = Path(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list")
        try:
            cores.add(path.read_text().strip())
        except OSError:
            cores.add(str(cpu))
    return max(1, len(cores))
