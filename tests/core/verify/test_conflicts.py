"""Pages that disagree: unscored, unless the setting lets them count."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from claimscope.core.backends.onnx.entailment import shipped_model
from claimscope.core.models import Answer, Case, ClaimResult, Label, SampleKey
from claimscope.core.run.plan import SampleTask
from claimscope.core.run.sample import Services, evaluate
from claimscope.core.settings import Settings, SourceConflicts
from claimscope.core.verify.conflicts import resolve_source_conflict
from claimscope.core.verify.verifier import EvidenceVerifier
from tests.doubles import fakes

SAYS = "The Halm reservoir holds 4.2 million cubic metres."
DENIES = "The Halm reservoir holds 3.7 million cubic metres."


async def judged(counting: SourceConflicts) -> tuple[ClaimResult, bool | None]:
    """The claim of a sample whose two passages disagree, and whether it passed."""
    embedder = fakes.FakeEmbedder()
    reader = EvidenceVerifier(embedder, shipped_model())
    settings = Settings(source_conflicts=counting)
    result = await evaluate(
        SampleTask(
            SampleKey(case_id="c", provider="p"),
            Case(id="c", question="How much does it hold?", contexts=(SAYS, DENIES)),
            Answer(case_id="c", provider="p", text=SAYS),
        ),
        Services(embedder, reader, settings, reader=reader),
    )
    (claim,) = result.claims
    return claim, result.passed


@pytest.mark.parametrize(
    ("counting", "label", "passes"),
    [
        ("unscored", Label.UNSCORED, None),
        ("supported", Label.SUPPORTED, True),
        ("contradicted", Label.CONTRADICTED, False),
    ],
)
async def test_a_claim_counts_as_the_setting_says(
    counting: SourceConflicts, label: Label, passes: bool | None
) -> None:
    result, passed = await judged(counting)
    assert (result.verdict.label, passed) == (label, passes)


@pytest.mark.parametrize("counting", ["unscored", "supported", "contradicted"])
async def test_both_sentences_stay_and_a_person_is_sent_there(
    counting: SourceConflicts,
) -> None:
    verdict = (await judged(counting))[0].verdict
    shown = {one.text for one in (*verdict.evidence, *verdict.conflicting)}
    assert shown == {SAYS, DENIES}
    assert verdict.band == "review"
    assert verdict.evidence[0].text == (DENIES if counting == "contradicted" else SAYS)
    assert ("source_conflicts" in verdict.reason) is (counting != "unscored")


def test_other_verdicts_are_left_as_they_are() -> None:
    verdict = fakes.claim_result("The mill has six wheels.").verdict
    assert resolve_source_conflict(verdict, "contradicted") == verdict


def test_a_value_that_is_none_of_them_is_refused() -> None:
    with pytest.raises(ValidationError, match="source_conflicts"):
        Settings.model_validate({"source_conflicts": "maybe"})
