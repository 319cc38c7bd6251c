"""claim_completeness from an answer's text to its score, and what never lowers it
(METRICS A; seed A, section Completeness Score). The seed's formula, found / required x
100, has no worked figures; those below are by hand."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimscope.core.metrics.base import Findings
from claimscope.core.metrics.discovery import discover
from claimscope.core.models import CaseClaim, Score
from claimscope.core.text.citations.markers import strip_markers
from claimscope.core.text.sentences import split_sentences
from claimscope.core.verify.required import find_claims
from claimscope.core.verify.rules.findings import findings as rules
from tests.doubles import fakes

CLAIMS = (
    "The Varn reservoir was filled in 1974.",
    "Its dam is 38 metres high.",
    "Two pumps feed a canal to Osmer.",
    "Fishing is free for children under twelve.",
)
ELSE = ("Cows graze nearby.", "Nobody swims.", "Have a good time!")


def score(text: str) -> Score:
    case = fakes.case(claims=tuple(CaseClaim(text=claim) for claim in CLAIMS))
    found = find_claims(
        case.claims,
        text,
        split_sentences(text, "markdown"),
        fakes.FakeEmbedder(dimensions=512),
        rules,
        clean=strip_markers,
    )
    return discover()["claim_completeness"].score(
        Findings(
            case=case,
            answer=fakes.answer(text=text or " "),
            required=found,
            empty=not text,
        )
    )


@pytest.mark.parametrize(
    ("text", "value", "tier"),
    [
        ("", 0, "poor"),
        (ELSE[0], 0, "poor"),
        (CLAIMS[0], 25, "poor"),
        (" ".join(CLAIMS[:2]), 50, "fair"),
        (" ".join(CLAIMS[:3]), 75, "good"),
        (" ".join(CLAIMS), 100, "excellent"),
        # Another number is a conflict: missing, however near.
        (" ".join(CLAIMS).replace("1974", "1979"), 75, "good"),
    ],
)
def test_completeness_is_the_share_of_required_claims_found(
    text: str, value: float, tier: str
) -> None:
    got = score(text)
    assert (got.value, got.tier) == (value, tier)


@given(
    st.lists(st.sampled_from(CLAIMS + ELSE), max_size=6),
    st.sampled_from(CLAIMS),
    st.integers(0, 6),
)
@settings(max_examples=150, deadline=None)
def test_a_supported_claim_more_never_lowers_completeness(
    sentences: list[str], more: str, at: int
) -> None:
    before = score(" ".join(sentences)).value
    after = score(" ".join([*sentences[:at], more, *sentences[at:]])).value
    assert before is not None and after is not None
    assert after >= before
    assert after >= 25
