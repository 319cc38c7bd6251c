"""What a witness says that can point at the words: proof, for or against."""

from __future__ import annotations

from typing import Literal

from claimscope.core.models import Testimony

Proves = Literal["entails", "contradicts"]


def proof(witness: str, says: Proves, place: str, reason: str) -> Testimony:
    """The testimony of a witness that is sure; what entails needs no second one."""
    return Testimony(
        witness=witness,
        says=says,
        strength=1.0,
        place=place,
        reason=reason,
    )
