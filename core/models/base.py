"""What every thing of the vocabulary has in common."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

Markup = Literal["text", "markdown"]
Difficulty = Literal["easy", "medium", "hard"]
Importance = Literal["required", "expected", "optional"]
JsonValue = str | int | float | bool | None


class Model(BaseModel):
    """Base of the vocabulary: immutable, and strict about unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")
