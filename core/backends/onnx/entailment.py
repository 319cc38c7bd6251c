"""The entailment model that ships: does a premise state a claim, or rule it out?

A cross-encoder of six layers, trained for this project on pairs made from frames
(benchmarks/quality/entailment, model card beside the weights). It sees what words in
common do not: polarity, roles, whose figure it is. It reads premises of a few
statements; its word is one witness among others, never the only reason for
"contradicted".
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np

from claimscope.core.backends.onnx import weights
from claimscope.core.caches import cache_folder
from claimscope.core.ports import Floats

FOLDER = Path(__file__).with_name("entailment_model")
MODEL_FILE = FOLDER / "model.onnx"
LONGEST = 192
"""Tokens of premise and claim together, as in training."""
CLS, SEP = 101, 102
Pair = tuple[str, str]
"""(premise, claim), both in canonical form."""


class EntailmentModel:
    """Probabilities that a premise entails, contradicts or says nothing of a claim.
    Loaded at first use; equal pairs are read once."""

    def __init__(self, path: Path = MODEL_FILE) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._parts: tuple[Any, Any] | None = None

    @cached_property
    def digest(self) -> str:
        return weights.file_sha256(self._path)

    def judge(self, pairs: Sequence[Pair]) -> Floats:
        """Shape (len(pairs), 3): entails, contradicts, silent; each row adds up to 1.
        A premise that is too long is cut at its end. Raises EmbeddingError."""
        distinct = list(dict.fromkeys(pairs))
        if not distinct:
            return np.zeros((0, 3), dtype=np.float32)
        session, tokenizer = self._loaded()
        read = [self._tokens(tokenizer, *pair) for pair in distinct]
        # One at a time: weights in eight bits are scaled by all that is read together,
        # so a verdict would depend on what else is asked. It takes no longer, as
        # nothing is padded.
        found = np.concatenate([_run(session, [one]) for one in read])
        rows = {pair: row for row, pair in enumerate(distinct)}
        return found[[rows[pair] for pair in pairs]]

    def length(self, text: str) -> int:
        _, tokenizer = self._loaded()
        return len(tokenizer.encode(_safe(text), add_special_tokens=False).ids)

    @staticmethod
    def _tokens(tokenizer: Any, premise: str, claim: str) -> tuple[list[int], int]:
        """(token ids, where the claim begins)."""
        left, right = (
            tokenizer.encode(_safe(text), add_special_tokens=False).ids
            for text in (premise, claim)
        )
        right = right[: LONGEST // 2]
        left = left[: LONGEST - 3 - len(right)]
        return [CLS, *left, SEP, *right, SEP], len(left) + 2

    def _loaded(self) -> tuple[Any, Any]:
        with self._lock:
            if self._parts is None:
                self._parts = _load(self._path)
            return self._parts


def _safe(text: str) -> str:
    """Lone surrogates are no text; the tokenizer would refuse them."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _load(path: Path) -> tuple[Any, Any]:
    from claimscope.core.backends.onnx.embedding import load_onnx
    from claimscope.core.backends.onnx.export import memory_mapped

    # Half of it are vectors of words; few of them are used.
    graph = memory_mapped(path, cache_folder())
    remedy = "Install Claimscope again: the file is part of it."
    return load_onnx(graph, "the entailment model", remedy)


def _run(session: Any, read: Sequence[tuple[list[int], int]]) -> Floats:
    shape = (len(read), max(len(ids) for ids, _ in read))
    ids = np.zeros(shape, dtype=np.int64)
    mask = np.zeros(shape, dtype=np.int64)
    sides = np.zeros(shape, dtype=np.int64)
    for row, (tokens, begin) in enumerate(read):
        ids[row, : len(tokens)] = tokens
        mask[row, : len(tokens)] = 1
        sides[row, begin : len(tokens)] = 1
    types = token_types(ids, mask, sides)
    inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}
    (logits,) = session.run(["logits"], inputs)
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), dtype=np.float32)


def token_types(ids: Any, mask: Any, sides: Any) -> Any:
    """0 premise, 1 claim, and 2 more where the token stands on the other side too.
    `ids`, `mask`, `sides` (0 premise, 1 claim): integers, shape (batch, tokens)."""
    same = ids[:, :, None] == ids[:, None, :]
    across = sides[:, :, None] != sides[:, None, :]
    real = (mask[:, :, None] * mask[:, None, :]).astype(bool)
    special = (ids == CLS) | (ids == SEP)
    shared = (same & across & real).any(axis=2) & ~special
    return sides + 2 * shared


@cache
def shipped_model() -> EntailmentModel | None:
    """The model that ships; None in a checkout without its weights."""
    return EntailmentModel() if MODEL_FILE.is_file() else None
