"""Hard planted claims: a model that reads gets them right, one that goes by words not.

Six invented documents, each with claims that it states, rules out and leaves open, most
of them twins that differ in a row, a role, an order, a condition or a quantifier. They
were written by somebody who knew neither rules nor prompts; the data are
`hard_cases.json` beside this file. A model's rates on them say how far its word counts
(core/verify/witnesses/reading_rates.py).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from claimscope.core.models import Label, digest

FILE = Path(__file__).with_name("hard_cases.json")


@dataclass(frozen=True)
class HardClaim:
    """A claim on a hard document."""

    claim: str
    gold: Label
    kind: str
    """What is hard about it, in a word or two."""

    @property
    def is_true(self) -> bool:
        return self.gold is Label.SUPPORTED


@dataclass(frozen=True)
class HardDocument:
    """A document with its claims."""

    name: str
    text: str
    claims: Sequence[HardClaim]


@cache
def hard_documents() -> tuple[HardDocument, ...]:
    """All of them, in the order in which a model is asked."""
    data: list[Mapping[str, object]] = json.loads(FILE.read_text(encoding="utf-8"))
    return tuple(
        HardDocument(
            str(one["name"]),
            str(one["text"]),
            tuple(
                HardClaim(row["claim"], Label(row["gold"]), row["kind"])
                for row in one["claims"]  # type: ignore[attr-defined]
            ),
        )
        for one in data
    )


@cache
def hard_digest() -> str:
    """Changes with the cases: rates on two are not comparable."""
    return digest(FILE.read_text(encoding="utf-8"))
