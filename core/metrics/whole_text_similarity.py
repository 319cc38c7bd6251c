"""How near two texts are as wholes: one cosine for every metric that asks for it."""

from __future__ import annotations

from claimscope.core.metrics.base import Embed


def cosine(text: str, other: str, embed: Embed) -> float:
    """cosine(text, other), clipped to [0, 1]. A text longer than the model's window is
    chunked by the embedder, never cut. Raises EmbeddingError."""
    vectors = embed([text, other])
    return min(1.0, max(0.0, float(vectors[0] @ vectors[1])))
