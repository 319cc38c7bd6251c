"""What every thing of the vocabulary has in common."""

from __future__ import annotations

import hashlib
from typing import Literal

from pydantic import BaseModel, ConfigDict

Markup = Literal["text", "markdown"]
Difficulty = Literal["easy", "medium", "hard"]
Importance = Literal["required", "expected", "optional"]
JsonValue = str | int | float | bool | None


class Model(BaseModel):
    """Base of the vocabulary: immutable, and strict about unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def digest(*parts: str) -> str:
    """The sha256 of parts, in hex; parts are length-prefixed so that they cannot
    run into one another."""
    state = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        state.update(str(len(data)).encode() + b":" + data)
    return state.hexdigest()
