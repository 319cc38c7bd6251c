"""What the entailment witness gives its model to read, and what the answer means.

The model itself is behind a port (core.ports.EntailmentReader); the one that ships is
core/backends/onnx/entailment.py.
"""

from __future__ import annotations

from collections.abc import Sequence

from claimscope.core.verify.statements import statements

ENTAILS, CONTRADICTS, SILENT = range(3)
"""Columns of the probabilities."""


def premise_of(passage: str) -> str:
    """A short passage as one premise: its statements in order."""
    return joined([one.text for one in statements(passage) if not one.is_head])


def joined(texts: Sequence[str]) -> str:
    """Statements as one text; each ends with a stop."""
    return " ".join(
        text if text[-1:] in (".", "!", "?") else f"{text}."
        for text in dict.fromkeys(texts)
    )
