"""Claims beside short texts, kind by kind: rounding, bounds, roles, hedges …

`python -m benchmarks.quality.claim_pairs` measures the same pairs with the real
        embedding
model.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from claimscope.core.models import Label, Verdict
from claimscope.core.ports import Question
from claimscope.core.verify.evidence import candidates_from_text
from claimscope.core.verify.verifier import EvidenceVerifier
from tests.doubles import fakes

PAIRS = Path(__file__).with_name("pairs")
LIMITS = {
    # The two sentences share "the Brae ferry" and the year: too little to be sure
    # that they speak of one thing, so the turn from "until" to "since" only forbids.
    "The Brae ferry has run since 2019.",
    # Times without morning or evening are no times of day to the reader of dates.
    "The library of Colm is open from 9 to 5.",
    # A time that keeps "before noon" is not taken for saying it.
    "The Penn coach leaves before noon.",
    # Few words in common: the real embedding model supports it, hashed words do not.
    "Children under 16 are not admitted to the Marl mine.",
}
"""Claims that are told less sharply than a reader would: known limits."""


def rows() -> list[dict[str, str]]:
    """The pairs of all files."""
    return [
        json.loads(line)
        for path in sorted(PAIRS.glob("*.jsonl"))
        for line in path.read_text("utf-8").splitlines()
    ]


@cache
def verdicts() -> list[Verdict]:
    """One verdict a pair, in order."""
    embedder = fakes.FakeEmbedder()
    questions = [
        Question(
            row["claim"],
            candidates_from_text(row["claim"], [row["evidence"]], embedder),
        )
        for row in rows()
    ]
    # What the rules see is tried here; what the entailment model adds, in verify/.
    return EvidenceVerifier(embedder, None).verify_now(questions)


def cases() -> list[object]:
    """(place, row) of each pair; those beyond the rules must still be beyond them."""
    return [
        pytest.param(
            place,
            row,
            id=f"{row['kind']}-{place}",
            marks=[pytest.mark.xfail(strict=True)] if row["claim"] in LIMITS else [],
        )
        for place, row in enumerate(rows())
    ]


@pytest.mark.parametrize(("place", "row"), cases())
def test_verdict_is_what_the_text_makes_of_the_claim(
    place: int, row: dict[str, str]
) -> None:
    verdict = verdicts()[place]
    assert verdict.label is Label(row["right"]), verdict.reason


def test_no_limit_is_a_wrong_verdict_that_looks_sure() -> None:
    for row, verdict in zip(rows(), verdicts(), strict=True):
        if row["claim"] in LIMITS:
            assert verdict.label is Label.NOT_ENOUGH_INFO
