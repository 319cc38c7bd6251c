"""What stands for an embedding model that cannot be loaded, so that a corpus made with
it can still be opened and searched by words.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from claimscope.core.errors import EmbeddingError
from claimscope.core.ports import Floats
from claimscope.stores.index.manifest import read_manifest
from claimscope.stores.workspace.paths import safe_name


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
