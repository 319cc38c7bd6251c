"""What a server knows of its models, and which of them it holds in memory."""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import dataclass
from typing import Any

from tests.doubles.ollama.replies import CREATED

DIGEST = "f" * 64
OTHER_DIGEST = "e" * 64
DEFAULT_CONTEXT = 4096
"""What a server gives to a call that asks for no num_ctx."""
REMOTE = ("remote_host", "remote_model")
EXPIRES = "2026-01-02T03:34:05.000000001Z"


def model(**changes: object) -> dict[str, Any]:
    """What /api/show says of a model."""
    shown: dict[str, Any] = {
        "modelfile": "FROM tiny\n",
        "parameters": 'stop                           "<|im_end|>"',
        "template": "{{ .Prompt }}",
        "details": {
            "parent_model": "",
            "format": "gguf",
            "family": "tiny",
            "families": ["tiny"],
            "parameter_size": "1B",
            "quantization_level": "Q4_0",
        },
        "model_info": {
            "general.architecture": "tiny",
            "general.parameter_count": 1_000_000_000,
            "tiny.context_length": 8192,
            "tiny.embedding_length": 16,
        },
        "tensors": [{"name": "output.weight", "type": "Q4_0", "shape": [16, 32]}],
        "capabilities": ["completion"],
        "modified_at": CREATED,
    }
    return {**shown, **changes}


def embedder(**changes: object) -> dict[str, Any]:
    """A model that makes vectors and cannot chat."""
    return model(**{"capabilities": ["embedding"], **changes})


def info(shown: dict[str, Any], what: str) -> int | None:
    """A figure of the model's architecture: context_length or embedding_length."""
    known = shown.get("model_info") or {}
    value = known.get(f"{known.get('general.architecture')}.{what}")
    return int(value) if value else None


def listed(name: str, shown: dict[str, Any], digest: str) -> dict[str, Any]:
    """A model in /api/tags."""
    details = dict(shown["details"])
    for what in ("context_length", "embedding_length"):
        if (value := info(shown, what)) is not None:
            details[what] = value
    return {
        "name": name,
        "model": name,
        **{key: shown[key] for key in REMOTE if shown.get(key)},
        "modified_at": shown.get("modified_at", CREATED),
        "size": 1000,
        "digest": digest,
        "details": details,
        "capabilities": shown.get("capabilities") or [],
    }


@dataclass(frozen=True)
class Loaded:
    """A model in memory. Another value of any of these loads it anew."""

    context: int
    """What was really given, in tokens."""
    asked: int
    shift: bool = True
    embeds: bool = False


def running(
    name: str, shown: dict[str, Any], digest: str, state: Loaded
) -> dict[str, Any]:
    """A model in /api/ps."""
    return {
        "name": name,
        "model": name,
        "size": 1000,
        "digest": digest,
        "details": dict(shown["details"]),
        "expires_at": EXPIRES,
        "size_vram": 1000,
        "context_length": state.context,
    }


def vector(text: str, dimensions: int) -> list[float]:
    """A vector of length 1 that depends on the text alone."""
    values: list[float] = []
    while len(values) < dimensions:
        state = json.dumps([text, len(values)]).encode("utf-8", "surrogatepass")
        values += [byte - 127.5 for byte in hashlib.sha256(state).digest()]
    norm = math.hypot(*values[:dimensions])
    return [value / norm for value in values[:dimensions]]
