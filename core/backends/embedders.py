"""Which embedding model the settings name, behind which library."""

from __future__ import annotations

from pathlib import Path

from claimscope.core.backends.onnx import weights
from claimscope.core.backends.onnx.embedding import OnNote, OnnxEmbedder
from claimscope.core.backends.onnx.export import exported_model
from claimscope.core.caches import cache_folder
from claimscope.core.ports import Embedder


def default_embedder(
    cache_dir: Path | None = None,
    device: str | None = None,
    on_note: OnNote | None = None,
) -> Embedder:
    """all-MiniLM-L6-v2: on onnxruntime, or on a GPU when a device is named.

    Nothing is loaded or exported before the first `embed`. `on_note` is told about
    the export. Both ways give the same vectors, so the same `model_id`.
    """
    if device not in (None, "cpu"):
        from claimscope.core.backends.transformers.embedding import (
            SentenceTransformerEmbedder,
        )

        return SentenceTransformerEmbedder(
            weights.model_folder(), device, name=weights.NAME
        )
    return OnnxEmbedder(lambda: exported_model(cache_dir or cache_folder(), on_note))


def embedder_for(
    setting: str | None,
    *,
    device: str | None = None,
    cache_dir: Path | None = None,
    on_note: OnNote | None = None,
    ollama_host: str | None = None,
    offline: bool = True,
) -> Embedder:
    """The embedder a setting names: None or the default model's name, `ollama:NAME`,
    else a folder (or a model already in the local Hugging Face cache) for
    sentence-transformers. `ollama_host`, `offline`: only for the second.

    Raises EmbeddingError at first use when there is no such model.
    """
    if setting in (None, "", "default", weights.NAME):
        return default_embedder(cache_dir, device, on_note)
    assert setting is not None
    if setting.startswith("ollama:"):
        from claimscope.core.backends.ollama.embedding import PREFIX, OllamaEmbedder

        name = setting.removeprefix(PREFIX)
        return OllamaEmbedder(name, ollama_host, offline=offline)
    from claimscope.core.backends.transformers.embedding import (
        SentenceTransformerEmbedder,
    )

    return SentenceTransformerEmbedder(setting, device)
