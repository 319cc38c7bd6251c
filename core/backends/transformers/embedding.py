"""Any sentence-transformers model from a local folder, on CPU or GPU.

Slow to import, so it is used only where the default model on onnxruntime does not
do: another model, or a graphics processor. Nothing is downloaded.
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from claimscope.core.backends.onnx import weights
from claimscope.core.backends.text_windows import (
    mean_vectors,
    window_spans,
    word_starts,
)
from claimscope.core.errors import EmbeddingError
from claimscope.core.ports import Floats
from claimscope.core.run.meters import meters
from claimscope.core.telemetry import switch_off

PRECISIONS = {"float32": "fp32", "float16": "fp16", "bfloat16": "bf16"}
BATCH = 32


class SentenceTransformerEmbedder:
    """An Embedder on sentence-transformers; loaded at first use."""

    def __init__(
        self,
        path_or_name: Path | str,
        device: str | None = None,
        name: str | None = None,
    ) -> None:
        """`path_or_name`: a model folder, or a name in the local Hugging Face cache.
        `name` is what `model_id` shows (default: the folder's own name)."""
        self._wanted = str(path_or_name)
        self._device = device
        self._name = name
        self._lock = threading.Lock()
        self._model: Any = None

    @cached_property
    def folder(self) -> Path:
        """Where the model's files are. Raises EmbeddingError when nowhere."""
        path = Path(self._wanted).expanduser()
        if path.is_dir():
            return path
        switch_off()
        try:
            from huggingface_hub import snapshot_download

            return Path(snapshot_download(self._wanted, local_files_only=True))
        except Exception as error:  # a bad name and a missing one differ by version
            raise EmbeddingError(
                f"There is no embedding model {self._wanted!r}: no folder of this "
                "name, and not in the local Hugging Face cache.",
                "Give the folder of a sentence-transformers model; nothing is "
                "downloaded at run time.",
            ) from error

    @cached_property
    def model_id(self) -> str:
        name = self._name or Path(self._wanted).name
        if name == weights.NAME:
            path = self.folder / "model.safetensors"
            weights.check(path, weights.WEIGHTS_SHA256)
            found = weights.WEIGHTS_SHA256
        else:
            found = weights.folder_sha256(self.folder)
        return f"{name}@{found[:8]}/{self._precision()}"

    @property
    def dimensions(self) -> int:
        model = self._loaded()
        # Renamed in sentence-transformers 5.4; the old name warns.
        known = getattr(model, "get_embedding_dimension", None)
        return int(known() if known else model.get_sentence_embedding_dimension())

    def embed(self, texts: Sequence[str]) -> Floats:
        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        model = self._loaded()
        pieces: list[str] = []
        owners: list[int] = []
        for owner, text in enumerate(texts):
            for piece in self._pieces(text.encode("utf-8", "replace").decode()):
                pieces.append(piece)
                owners.append(owner)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            vectors = model.encode(
                pieces,
                batch_size=BATCH,
                normalize_embeddings=True,
                show_progress_bar=False,
            )
        meters().embedded.add(len(texts), self._tokens(pieces))
        return mean_vectors(np.asarray(vectors, dtype=np.float32), owners, len(texts))

    def _tokens(self, pieces: list[str]) -> int:
        found = self._loaded().tokenizer(pieces, verbose=False)["input_ids"]
        return sum(map(len, found))

    def _pieces(self, text: str) -> list[str]:
        """The text, or the parts of it that the model's window holds."""
        model = self._loaded()
        window = model.max_seq_length
        if window is None or len(text) < window:
            return [text]
        found = model.tokenizer(
            text,
            add_special_tokens=False,
            truncation=False,
            return_offsets_mapping=True,
            verbose=False,
        )
        offsets = found["offset_mapping"]
        room = max(1, window - model.tokenizer.num_special_tokens_to_add())
        spans = window_spans(word_starts(found.word_ids()), room)
        if len(spans) == 1:
            return [text]
        return [text[offsets[begin][0] : offsets[end - 1][1]] for begin, end in spans]

    def _precision(self) -> str:
        dtype = str(next(self._loaded().parameters()).dtype).removeprefix("torch.")
        return PRECISIONS.get(dtype, dtype)

    def _loaded(self) -> Any:
        with self._lock:
            if self._model is None:
                self._model = self._load()
            return self._model

    def _load(self) -> Any:
        folder = self.folder
        switch_off()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from sentence_transformers import SentenceTransformer
            from transformers.utils import logging as progress

            quiet: Any = progress.disable_progress_bar
            quiet()  # stderr belongs to the caller
            try:
                return SentenceTransformer(
                    str(folder), device=self._device, local_files_only=True
                )
            except Exception as error:  # whatever the libraries raise
                raise EmbeddingError(
                    f"{folder}: the embedding model cannot be loaded ({error}).",
                    "Give the folder of a sentence-transformers model (config.json, "
                    "modules.json, tokenizer and weights), and a device that exists.",
                ) from error
