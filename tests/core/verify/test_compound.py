"""Claims of several facts: as good as the weakest."""

from __future__ import annotations

import pytest

from claimscope.core.models import Evidence, Label, Testimony, Verdict
from claimscope.core.models.verdicts import Band, Says
from claimscope.core.ports import Question
from claimscope.core.verify.compound import join_verdicts, parts_of
from claimscope.core.verify.evidence import candidates_from_text
from claimscope.core.verify.verifier import EvidenceVerifier
from tests.doubles.fakes import FakeEmbedder

PARTS = ("The park has 40 pitches", "The park closes at ten.")
CLAIM = "The park has 40 pitches and closes at ten."
PAGE = "The park has 40 pitches. The park closes at ten."


def verdict(
    label: Label, band: Band = "supported", *, witness: str = "", support: float = 0.5
) -> Verdict:
    """A verdict that rests on one witness."""
    says: Says = "contradicts" if label is Label.CONTRADICTED else "entails"
    by = (Testimony(witness=witness, says=says, decisive=True),) if witness else ()
    place = Evidence(page_id=label.value, index=0, text="A sentence.", start=0, end=11)
    return Verdict(
        label=label,
        band=band,
        support=support,
        evidence=(place,),
        reason="So it is.",
        testimony=by,
    )


SUPPORTED = verdict(Label.SUPPORTED, support=0.9)
LIKELY = verdict(Label.SUPPORTED, "review", support=0.7)
OPEN = verdict(Label.NOT_ENOUGH_INFO, "not_supported", support=0.2)
CONTRADICTED = verdict(Label.CONTRADICTED, "not_supported", support=0.1)


@pytest.mark.parametrize(
    ("claim", "parts"),
    [
        (CLAIM, PARTS),
        ("The park has 40 pitches.", ()),
        ("The Aldo is lighter than the Bree and has more rooms.", ()),
        ("The park has 40 pitches and closes at ten. " * 12, ()),
    ],
)
def test_the_facts_of_a_claim(claim: str, parts: tuple[str, ...]) -> None:
    assert parts_of(claim) == parts


@pytest.mark.parametrize(
    ("verdicts", "word"),
    [
        ((SUPPORTED, SUPPORTED), "supported"),
        ((SUPPORTED, LIKELY), "likely"),
        ((OPEN, SUPPORTED), "not enough info"),
        ((OPEN, CONTRADICTED), "contradicted"),
    ],
)
def test_the_weakest_part_decides(verdicts: tuple[Verdict, Verdict], word: str) -> None:
    found = join_verdicts(SUPPORTED, PARTS, verdicts)
    assert found.word == word
    assert found.support == min(one.support or 0 for one in verdicts)


def test_the_reason_names_the_part_and_its_evidence_stands_first() -> None:
    found = join_verdicts(SUPPORTED, PARTS, (SUPPORTED, OPEN))
    assert found.reason == "“The park closes at ten”: So it is."
    assert [one.page_id for one in found.evidence] == ["not_enough_info", "supported"]


def test_what_a_witness_has_all_words_of_stands() -> None:
    whole = verdict(Label.SUPPORTED, witness="wording")
    assert join_verdicts(whole, PARTS, (SUPPORTED, OPEN)) is whole


def test_a_contradiction_of_the_whole_stands_unless_every_part_is_held_true() -> None:
    whole = verdict(Label.CONTRADICTED, "not_supported", witness="entailment")
    assert join_verdicts(whole, PARTS, (SUPPORTED, OPEN)) is whole
    assert join_verdicts(whole, PARTS, (SUPPORTED, LIKELY)).word == "likely"


def test_the_verifier_judges_fact_by_fact() -> None:
    verifier = EvidenceVerifier(FakeEmbedder(), None)
    claims = (CLAIM, CLAIM.replace("40", "55"))
    questions = [
        Question(one, candidates_from_text(one, [PAGE], FakeEmbedder()))
        for one in claims
    ]
    right, wrong = verifier.verify_now(questions)
    assert right.word == "supported"
    assert wrong.label is Label.CONTRADICTED
