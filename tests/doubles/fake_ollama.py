"""A double of Ollama on loopback: true shapes, scripted faults.

It speaks HTTP on a real socket, so that what is tested is the client as it runs. The
shapes are those of Ollama 0.33; tests/ollama/test_contract.py holds it to a real one.
This is its face; the parts are in tests/doubles/ollama.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.doubles.ollama.models import (
    DIGEST,
    OTHER_DIGEST,
    Loaded,
    embedder,
    model,
)
from tests.doubles.ollama.replies import (
    BUSY,
    CREATED,
    INPUT_TOO_LONG,
    LAYERS,
    LONGER,
    NAN,
    NO_EMBEDDINGS,
    TOO_LONG,
    Reply,
    as_line,
    broke_off,
    chose,
    embedded,
    failed,
    html,
    last,
    line,
    missing,
    page,
    pull_failed,
    pulling,
    said,
    too_long,
)
from tests.doubles.ollama.server import VERSION, FakeOllama
from tests.doubles.ollama.speech import speaking, tokens

__all__ = [
    "BUSY",
    "CREATED",
    "DIGEST",
    "INPUT_TOO_LONG",
    "LAYERS",
    "LONGER",
    "NAN",
    "NO_EMBEDDINGS",
    "OTHER_DIGEST",
    "TOO_LONG",
    "VERSION",
    "FakeOllama",
    "Loaded",
    "Reply",
    "as_line",
    "broke_off",
    "chose",
    "contents",
    "embedded",
    "embedder",
    "failed",
    "html",
    "last",
    "line",
    "missing",
    "model",
    "page",
    "pull_failed",
    "pulling",
    "said",
    "speaking",
    "too_long",
    "tokens",
]


def contents(chats: Sequence[dict[str, Any]]) -> list[str]:
    """The last message of each chat call."""
    return [chat["messages"][-1]["content"] for chat in chats]
