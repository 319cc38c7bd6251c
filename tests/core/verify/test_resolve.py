"""The table from what witnesses say to a verdict: each of its lines."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from claimscope.core.backends.onnx.entailment import shipped_model
from claimscope.core.models import (
    Answer,
    Case,
    ClaimResult,
    Label,
    SampleKey,
    Says,
    Testimony,
)
from claimscope.core.run.plan import SampleTask
from claimscope.core.run.sample import Services, evaluate
from claimscope.core.settings import Settings, SourceConflicts
from claimscope.core.verify.resolve import (
    TOGETHER,
    policy,
    resolve,
    resolve_source_conflict,
)
from claimscope.core.verify.verifier import EvidenceVerifier
from claimscope.core.verify.witnesses.without_model import with_word
from tests.doubles import fakes

SAYS = "The Halm reservoir holds 4.2 million cubic metres."
DENIES = "The Halm reservoir holds 3.7 million cubic metres."


def said(witness: str, says: Says, *, is_proof: bool = False) -> Testimony:
    """One testimony with a reason of its own."""
    return Testimony(
        witness=witness,
        says=says,
        place="p:S:1",
        reason=f"{witness} {says}.",
        strength=1.0 if is_proof else None,
    )


RULE = said("rule:number", "contradicts")


DOUBT = said("rule:scope", "doubts")


FIGURE = said("rule:figure", "doubts")


WORDS = said("alignment", "contradicts", is_proof=True)


MODEL = said("entailment", "entails")


SURE = said("entailment", "entails", is_proof=True)


PROOF = said("wording", "entails", is_proof=True)


SILENT = said("likeness", "silent")


@pytest.mark.parametrize(
    ("testimony", "label", "band"),
    [
        ([RULE, SILENT], Label.CONTRADICTED, "not_supported"),
        ([said("entailment", "contradicts")], Label.CONTRADICTED, "not_supported"),
        ([RULE, MODEL], Label.CONTRADICTED, "not_supported"),
        ([RULE, SURE], Label.NOT_ENOUGH_INFO, "review"),
        ([SURE], Label.SUPPORTED, "supported"),
        ([PROOF, SILENT], Label.SUPPORTED, "supported"),
        ([PROOF, said("entailment", "doubts")], Label.SUPPORTED, "supported"),
        ([PROOF, said("entailment", "contradicts")], Label.SUPPORTED, "supported"),
        ([PROOF, RULE], Label.NOT_ENOUGH_INFO, "review"),
        ([SURE, said("rule:cause", "doubts")], Label.NOT_ENOUGH_INFO, "not_supported"),
        ([SURE, said("rule:role", "doubts")], Label.NOT_ENOUGH_INFO, "not_supported"),
        # What reads better with a neighbour's name is open, but not against words.
        (
            [SURE, said("substitution", "doubts")],
            Label.NOT_ENOUGH_INFO,
            "not_supported",
        ),
        ([PROOF, said("substitution", "doubts")], Label.SUPPORTED, "supported"),
        ([PROOF, said("substitution", "contradicts")], Label.SUPPORTED, "supported"),
        ([PROOF, DOUBT], Label.SUPPORTED, "review"),
        ([MODEL, said("word", "entails")], Label.SUPPORTED, "review"),
        ([MODEL, said("classifier", "entails")], Label.SUPPORTED, "supported"),
        ([MODEL, SILENT], Label.SUPPORTED, "review"),
        ([MODEL, said("derivation", "entails")], Label.SUPPORTED, "review"),
        ([said("derivation", "entails")], Label.SUPPORTED, "review"),
        ([SURE, DOUBT], Label.SUPPORTED, "review"),
        # Words outweigh a reader, and so does a figure's doubt, but not words.
        ([WORDS, SURE], Label.CONTRADICTED, "not_supported"),
        ([WORDS, PROOF], Label.NOT_ENOUGH_INFO, "review"),
        ([SURE, FIGURE], Label.NOT_ENOUGH_INFO, "not_supported"),
        ([PROOF, FIGURE], Label.SUPPORTED, "review"),
        ([MODEL, DOUBT], Label.NOT_ENOUGH_INFO, "not_supported"),
        ([DOUBT], Label.NOT_ENOUGH_INFO, "not_supported"),
        ([SILENT], Label.NOT_ENOUGH_INFO, "not_supported"),
        ([], Label.NOT_ENOUGH_INFO, "not_supported"),
    ],
)
def test_each_line_of_the_table(
    testimony: list[Testimony], label: Label, band: str
) -> None:
    found = resolve(testimony)
    assert (found.label, found.band) == (label, band)
    assert len(found.testimony) == len(testimony)


def test_what_the_verdict_rests_on_comes_first_and_gives_the_reason() -> None:
    found = resolve([SILENT, DOUBT, RULE])
    assert found.testimony[0].witness == "rule:number"
    assert [one.decisive for one in found.testimony] == [True, False, False]
    assert found.reason == "rule:number contradicts."


def test_for_and_against_are_both_named() -> None:
    found = resolve([SURE, RULE])
    assert [one.witness for one in found.testimony if one.decisive] == [
        "rule:number",
        "entailment",
    ]


def heard(strength: float, says: Says = "silent") -> Testimony:
    """What the entailment model said."""
    return Testimony(witness="entailment", says=says, strength=strength)


def test_a_word_alone_supports_nothing() -> None:
    found = with_word([heard(0.05), SILENT], 0.99, "m", policy())
    assert resolve(found).label is Label.NOT_ENOUGH_INFO


def test_a_word_beside_a_near_entailment_supports() -> None:
    near = (policy().with_word + policy().entails) / 2
    found = with_word([heard(near)], 0.99, "m", policy())
    assert [one.says for one in found] == ["entails", "entails"]
    assert resolve(found).label is Label.SUPPORTED


def test_a_clear_no_is_a_doubt() -> None:
    unsure = (policy().entails + policy().surely) / 2
    found = with_word([heard(unsure, "entails")], 0.01, "m", policy())
    assert found[0].says == "doubts"
    assert resolve(found).label is Label.NOT_ENOUGH_INFO


def test_a_figure_that_is_there_is_no_proof_beside_a_word_either() -> None:
    found = with_word([said("derivation", "entails")], 0.99, "m", policy())
    outcome = resolve(found)
    assert (outcome.label, outcome.band) == (Label.SUPPORTED, "review")


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


@pytest.mark.parametrize(
    "rule",
    "figure measure date weekday crossing quantifier hedge condition"
    " attribution".split(),
)
def test_doubts_about_figures_and_what_is_left_open_hold(rule: str) -> None:
    found = resolve([SURE, said(f"rule:{rule}", "doubts")])
    assert (found.label, found.band) == (Label.NOT_ENOUGH_INFO, "not_supported")
    assert [one.witness for one in found.testimony if one.decisive] == [f"rule:{rule}"]


@pytest.mark.parametrize(
    "witness",
    "alignment table list rule:exchange rule:exchanged-figure rule:neighbours-figure"
    " rule:role".split(),
)
def test_who_has_the_words_outweighs_who_reads(witness: str) -> None:
    found = resolve([SURE, said(witness, "contradicts")])
    assert found.label is Label.CONTRADICTED
    assert resolve([SURE, RULE]).label is Label.NOT_ENOUGH_INFO


def test_a_proven_reader_supports_what_rules_about_figures_doubt_as_likely() -> None:
    joined = said(TOGETHER, "entails", is_proof=True)
    assert (resolve([joined]).label, resolve([joined]).band) == (
        Label.SUPPORTED,
        "supported",
    )
    found = resolve([joined, FIGURE, said("entailment", "doubts")])
    assert (found.label, found.band) == (Label.SUPPORTED, "review")
    # One that is not sure is held by the same doubt as any other.
    unsure = joined.model_copy(update={"strength": 0.7})
    assert resolve([unsure, FIGURE]).label is Label.NOT_ENOUGH_INFO
    assert resolve([unsure]).band == "review"


def test_the_doubt_of_a_proven_reader_holds_against_readers_and_words() -> None:
    doubt = said(TOGETHER, "doubts")
    assert resolve([SURE, doubt]).label is Label.NOT_ENOUGH_INFO
    found = resolve([PROOF, doubt])
    assert (found.label, found.band) == (Label.NOT_ENOUGH_INFO, "review")
    assert [one.witness for one in found.testimony if one.decisive] == [
        TOGETHER,
        PROOF.witness,
    ]


def test_what_a_model_says_is_ruled_out_contradicts_no_proof() -> None:
    denial = said("denial", "contradicts")
    assert resolve([denial]).label is Label.CONTRADICTED
    assert resolve([denial, PROOF]).label is Label.SUPPORTED
