"""Claims of a case in an answer: near enough, and not said differently."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.models import (
    CaseClaim,
    Evidence,
    Label,
    RequiredClaimResult,
    RuleFinding,
    Verdict,
)
from claimscope.core.ports import Floats, Question
from claimscope.core.text.citations.markers import strip_markers
from claimscope.core.text.sentences import split_sentences
from claimscope.core.verify.required import (
    find_claims,
    look_again,
    windows_of,
)
from tests.doubles.fakes import FakeEmbedder

CLAIM = CaseClaim(text="The lens was ground in 1874.")
Outcomes = Sequence[RuleFinding]


class PlaneEmbedder:
    """Gives each known text its cosine to the claims; unknown texts are far."""

    model_id = "plane@1"
    dimensions = 2

    def __init__(self, cosines: dict[str, float]) -> None:
        self.cosines = cosines

    def embed(self, texts: Sequence[str]) -> Floats:
        rows = []
        for text in texts:
            cosine = 1.0 if text == CLAIM.text else self.cosines.get(text, 0.0)
            rows.append([cosine, (1 - cosine * cosine) ** 0.5])
        return np.array(rows, dtype=np.float32)


def no_rules(claim: str, evidence: Sequence[Evidence]) -> Outcomes:
    return ()


def look_for(
    answer: str, cosines: dict[str, float], claim: CaseClaim = CLAIM
) -> RequiredClaimResult:
    (result,) = find_claims(
        [claim], answer, split_sentences(answer), PlaneEmbedder(cosines), no_rules
    )
    return result


def test_a_claim_near_a_sentence_is_found_with_its_place() -> None:
    answer = "It stands on a rock. Its lens dates from 1874. It is red."
    result = look_for(answer, {"Its lens dates from 1874.": 0.9})
    assert result.found
    assert result.matched_text == "Its lens dates from 1874."
    assert result.start is not None and result.end is not None
    assert answer[result.start : result.end] == result.matched_text
    assert result.similarity == pytest.approx(0.9)
    assert result.conflicts_with is None


def test_found_means_strictly_above_the_threshold() -> None:
    answer = "Its lens dates from 1874."
    at, above = look_for(answer, {answer: 0.75}), look_for(answer, {answer: 0.7501})
    assert not at.found
    assert at.similarity == 0.75
    assert (at.matched_text, at.start, at.end) == (None, None, None)
    assert above.found


def test_two_neighbouring_sentences_may_say_it_together() -> None:
    answer = "It is old. The lens was ground. That was in 1874. It is red."
    pair = "The lens was ground. That was in 1874."
    result = look_for(answer, {"The lens was ground.": 0.6, pair: 0.93})
    assert result.found
    assert result.matched_text == pair
    assert result.start == answer.index(pair)


def test_sentences_that_are_no_neighbours_are_not_put_together() -> None:
    assert windows_of([(0, 3), (4, 6), (7, 9)]) == [
        (0, 3),
        (4, 6),
        (7, 9),
        (0, 6),
        (4, 9),
    ]
    assert windows_of([]) == []


def rule(name: str, outcome: str, evidence_text: str | None = "1884") -> RuleFinding:
    return RuleFinding.model_validate(
        {
            "rule": name,
            "outcome": outcome,
            "claim_text": "1874",
            "evidence_text": evidence_text,
            "message": "another year",
        }
    )


def judged_by(finding: RuleFinding) -> RequiredClaimResult:
    answer = "The lens was ground in 1884."
    asked: list[tuple[str, str]] = []

    def rules(claim: str, evidence: Sequence[Evidence]) -> Outcomes:
        asked.extend((claim, one.text) for one in evidence)
        return (finding,)

    (result,) = find_claims(
        [CLAIM], answer, split_sentences(answer), PlaneEmbedder({answer: 0.97}), rules
    )
    assert asked == [(CLAIM.text, answer)]
    return result


@pytest.mark.parametrize("name", ["number", "unit", "date", "negation"])
def test_a_conflict_makes_a_near_claim_missing_and_is_shown(name: str) -> None:
    result = judged_by(rule(name, "conflict"))
    assert not result.found
    assert result.conflicts_with == "1884"
    assert result.matched_text == "The lens was ground in 1884."
    assert result.start == 0
    assert result.similarity == pytest.approx(0.97)


@pytest.mark.parametrize(
    ("name", "outcome"),
    [("number", "match"), ("number", "missing"), ("name", "conflict")],
)
def test_what_is_no_conflict_does_not_make_a_claim_missing(
    name: str, outcome: str
) -> None:
    result = judged_by(rule(name, outcome))
    assert result.found
    assert result.conflicts_with is None


def test_a_conflict_without_a_text_shows_the_sentence() -> None:
    result = judged_by(rule("negation", "conflict", None))
    assert result.conflicts_with == "The lens was ground in 1884."


def test_a_conflict_of_something_far_is_not_shown() -> None:
    answer = "The tower was built in 1884."
    (result,) = find_claims(
        [CLAIM],
        answer,
        split_sentences(answer),
        PlaneEmbedder({answer: 0.4}),
        lambda claim, evidence: (rule("date", "conflict"),),
    )
    assert not result.found
    assert result.conflicts_with is None


def test_citation_markers_are_taken_out_before_comparing() -> None:
    answer = "Its lens dates from 1874 [lamp-log, S:2]. It is red."
    embedder = PlaneEmbedder({"Its lens dates from 1874.": 0.9})
    (result,) = find_claims(
        [CLAIM],
        answer,
        split_sentences(answer),
        embedder,
        no_rules,
        clean=strip_markers,
    )
    assert result.found
    assert result.matched_text == "Its lens dates from 1874 [lamp-log, S:2]."


def test_every_claim_gets_a_result_in_order_with_its_importance() -> None:
    other = CaseClaim(text="It is white.", importance="optional")
    answer = "Its lens dates from 1874."
    results = find_claims(
        [other, CLAIM],
        answer,
        split_sentences(answer),
        PlaneEmbedder({answer: 0.9}),
        no_rules,
    )
    assert [(r.text, r.importance, r.found) for r in results] == [
        ("It is white.", "optional", False),
        (CLAIM.text, "required", True),
    ]


@pytest.mark.parametrize("answer", ["", "  \n "])
def test_nothing_is_found_in_an_empty_answer(answer: str) -> None:
    result = look_for(answer, {})
    assert not result.found
    assert result.similarity is None


@given(st.text(alphabet="ab .\n", max_size=60), st.floats(0, 1))
def test_a_found_claim_always_stands_in_the_answer(answer: str, cosine: float) -> None:
    cosines = {answer[start:end]: cosine for start, end in split_sentences(answer)}
    result = look_for(answer, cosines)
    assert result.found == (result.start is not None)
    if result.found:
        assert result.similarity is not None and result.similarity > 0.75
        assert result.start is not None and result.end is not None
        assert answer[result.start : result.end] == result.matched_text
    if result.similarity is not None:
        assert 0 <= result.similarity <= 1


class Reads:
    """A verifier that finds support for given claims."""

    name = "reads"

    def __init__(self, *, is_proved: bool = True, **supports: float) -> None:
        self.is_proved = is_proved
        self.supports = supports
        self.asked: list[Question] = []

    async def verify(self, questions: Sequence[Question]) -> Sequence[Verdict]:
        self.asked += questions
        return [
            Verdict(
                label=Label.SUPPORTED if support >= 0.5 else Label.NOT_ENOUGH_INFO,
                support=support,
                band="supported" if self.is_proved else "review",
            )
            for question in questions
            for support in [
                self.supports[
                    "titled" if question.evidence[0].title else "as_it_stands"
                ]
            ]
        ]


@pytest.mark.parametrize(
    ("as_it_stands", "titled", "stated"),
    [(0.5, 0.1, True), (0.4, 0.6, True), (0.4, 0.59, False), (0.1, 0.1, False)],
)
async def test_a_claim_said_in_other_words_is_stated_not_found(
    as_it_stands: float, titled: float, stated: bool
) -> None:
    missing_one = RequiredClaimResult(
        text="It meets on Tuesdays.", importance="required", found=False
    )
    reader = Reads(as_it_stands=as_it_stands, titled=titled)
    (result,) = await look_again(
        [missing_one],
        "You would come each Tuesday.",
        "When does it meet?",
        FakeEmbedder(),
        reader,
    )
    assert (result.found, result.stated) == (False, stated)
    assert [q.evidence[0].title for q in reader.asked] == [None, "When does it meet?"]


async def test_a_claim_that_is_only_likely_in_the_answer_is_missing() -> None:
    missing_one = RequiredClaimResult(
        text="The port is 7410.", importance="required", found=False
    )
    reader = Reads(is_proved=False, as_it_stands=0.9, titled=0.9)
    (result,) = await look_again(
        [missing_one], "The port is 7411.", "Which port?", FakeEmbedder(), reader
    )
    assert (result.found, result.stated) == (False, False)


async def test_a_conflict_is_not_looked_at_again() -> None:
    wrong = RequiredClaimResult(
        text="It meets on Tuesdays.",
        importance="required",
        found=False,
        conflicts_with="Fridays",
    )
    reader = Reads(as_it_stands=0.9, titled=0.9)
    (result,) = await look_again(
        [wrong], "It meets on Fridays.", "When?", FakeEmbedder(), reader
    )
    assert not result.stated and not reader.asked
