"""Probes for tests: of a good model, of a bad one."""

from __future__ import annotations

from typing import Any

from claimscope.core.grade.probe import (
    Probe,
    ProbeCase,
    reasons,
    separation,
    worst_fitness,
)
from claimscope.core.models import Usage
from claimscope.core.verify import planted_cases as planted
from claimscope.core.verify.planted_cases import Kind

DIGEST = "f" * 64


def claim_case(
    kind: Kind, is_true: bool, probability: float | None, **fields: Any
) -> ProbeCase:
    """A claim on a short document, with a threshold of 0.5."""
    said = probability is not None and probability >= 0.5
    known: dict[str, Any] = {
        "text": f"a {kind} claim",
        "document": "ferry",
        "expected": "Yes" if is_true else "No",
        "got": "Yes" if said else "No",
        "right": probability is not None and said == is_true,
    }
    return ProbeCase(
        kind=kind, is_true=is_true, probability=probability, **{**known, **fields}
    )


def other_case(kind: Kind, right: bool = True, **fields: Any) -> ProbeCase:
    """A case that is no claim."""
    known = {"text": kind, "expected": "this", "got": "this" if right else "that"}
    return ProbeCase(kind=kind, right=right, **{**known, **fields})


def cases(true: float = 0.9, false: float = 0.1) -> list[ProbeCase]:
    """All 30, with one probability for true claims and one for false ones."""
    asked = [
        claim_case(
            one.kind,
            one.is_true,
            true if one.is_true else false,
            text=one.claim,
            document=one.document,
        )
        for one in planted.CLAIMS
    ]
    long = [
        claim_case(
            "long", is_true, true if is_true else false, document="long", text=text
        )
        for is_true, text in ((False, "absent"), (True, "start"), (True, "middle"),
                              (True, "end"))
    ]  # fmt: skip
    kinds: tuple[Kind, ...] = (
        "citation", "citation", "schema", "grading", "injection", "abstention",
        "context", "context", "thinking",
    )  # fmt: skip
    ordered = claim_case("injection", False, false, document="ordered")
    return [*asked, ordered, *long, *(other_case(kind) for kind in kinds)]


def probe(found: list[ProbeCase] | None = None, **fields: Any) -> Probe:
    """What came out, with the verdict the rules give."""
    found = cases() if found is None else found
    why = reasons(found)
    known: dict[str, Any] = {
        "model": "m:1b",
        "digest": DIGEST,
        "asked_tokens": 4096,
        "context_tokens": 4096,
        "long_tokens": 1638,
        "server_version": "0.33.3",
        "planted": "p1",
        "started": "2026-11-27T12:00:00+00:00",
        "seconds": 95.0,
        "usage": Usage(calls=68, prompt_tokens=32_693, completion_tokens=412),
        "cases": tuple(found),
        "separation": separation(found),
        "verdict": worst_fitness(why),
        "reasons": why,
    }
    return Probe(**{**known, **fields})
