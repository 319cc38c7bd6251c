"""The table from what witnesses say to a verdict: each of its lines."""

from __future__ import annotations

import pytest

from claimscope.core.models import Label, Says, Testimony
from claimscope.core.verify.resolve import policy, resolve
from claimscope.core.verify.witnesses.without_model import with_word


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
        ([MODEL, said("word", "entails")], Label.SUPPORTED, "review"),
        ([MODEL, said("classifier", "entails")], Label.SUPPORTED, "supported"),
        ([MODEL, SILENT], Label.SUPPORTED, "review"),
        ([MODEL, said("derivation", "entails")], Label.SUPPORTED, "review"),
        ([said("derivation", "entails")], Label.SUPPORTED, "review"),
        ([SURE, DOUBT], Label.SUPPORTED, "review"),
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
