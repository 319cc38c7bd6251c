"""What led to what: a claim that turns cause and effect round."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from claimscope.core.models import Evidence, Label
from claimscope.core.ports import Floats
from claimscope.core.verify.evidence import questions_of_rows
from claimscope.core.verify.rules.causes import cause_findings, causes, is_reversed
from claimscope.core.verify.rules.comparison import Laid
from claimscope.core.verify.token_alignment import AlignedText, AlignedWindow
from claimscope.core.verify.verifier import EvidenceVerifier
from claimscope.core.verify.word_forms import stem
from tests.doubles import fakes

BROKE = "The dam at Sedge broke in March, so the mill stood still for a year."


@pytest.mark.parametrize(
    ("sentence", "true", "false"),
    [
        (
            BROKE,
            "The mill stood still because the dam had broken.",
            "The dam broke because the mill had stood still.",
        ),
        (
            "A blocked filter caused the pump to overheat.",
            "The overheating of the pump was due to a blocked filter.",
            "The blocked filter was the result of the pump overheating.",
        ),
        (
            "A shortage of hops led to the closure of the brewery.",
            "The closure of the brewery was brought about by a shortage of hops.",
            "The closure of the brewery led to a shortage of hops.",
        ),
        (
            "The ferry was cancelled because of the strike at the docks.",
            "The strike at the docks was the reason the ferry was cancelled.",
            "The strike at the docks resulted from the ferry being cancelled.",
        ),
        (
            "Poor light was behind the children's tired eyes.",
            "Poor light made the children's eyes tire.",
            "The children's tired eyes were what caused the poor light.",
        ),
    ],
)
def test_direction_is_told_in_any_wording(sentence: str, true: str, false: str) -> None:
    assert causes(sentence)
    assert is_reversed(false, sentence)
    assert not is_reversed(true, sentence)


@pytest.mark.parametrize(
    "claim",
    [
        "The dam did not break because the mill stood still.",
        "The dam may have broken because the mill stood still.",
        "The dam broke because a ship had hit it.",
        "The dam broke in March, before the mill stood still.",
        "",
    ],
)
def test_what_is_denied_open_or_of_another_cause_is_not_reversed(claim: str) -> None:
    evidence = Evidence(page_id="p", index=0, text=BROKE, start=0, end=len(BROKE))
    laid = [Laid(AlignedWindow(evidence), 1.0)]
    assert list(cause_findings(AlignedText(claim), laid)) == []


def test_what_is_made_is_no_effect() -> None:
    assert causes("The works at Sedge made clocks.") == ()


def test_a_page_that_says_it_both_ways_reverses_nothing() -> None:
    page = "Dust led to rust, and rust led to dust."
    assert not is_reversed("Dust led to rust.", page)


def test_phrases_are_stems_of_what_they_name() -> None:
    (found,) = causes("The frost caused the burst pipe.")
    assert found.cause == {stem("frost")}
    assert found.effect == {stem("burst"), stem("pipe")}


def test_the_doubt_holds_against_a_model_that_is_sure() -> None:
    embedder = fakes.FakeEmbedder()
    claims = (
        "The dam broke because the mill had stood still.",
        "The mill stood still because the dam had broken.",
    )
    asked = questions_of_rows([(claim, BROKE, None) for claim in claims], embedder)
    model: object = Sure()
    verdicts = EvidenceVerifier(embedder, model).verify_now(asked)  # type: ignore[arg-type]
    assert [one.label for one in verdicts] == [Label.NOT_ENOUGH_INFO, Label.SUPPORTED]
    assert "other way about" in verdicts[0].reason


class Sure:
    """An entailment model that finds everything stated."""

    digest = "sure"

    def judge(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        return np.tile(np.array([0.95, 0.02, 0.03], dtype=np.float32), (len(pairs), 1))

    def length(self, text: str) -> int:
        return len(text.split())
