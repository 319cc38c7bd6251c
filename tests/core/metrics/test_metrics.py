"""Metrics on findings whose figures were worked out by hand (METRICS A to D)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.metrics.base import Findings, missing_need
from claimscope.core.metrics.discovery import discover
from claimscope.core.metrics.tiers import tier
from claimscope.core.models import (
    Answer,
    Case,
    CaseClaim,
    CitationResult,
    CitationState,
    Claim,
    ClaimResult,
    ExpectedCitation,
    Grade,
    Importance,
    Label,
    RequiredClaimResult,
    Score,
    Verdict,
)
from claimscope.core.settings import Settings
from claimscope.core.text.phrase_match import contains_phrase

VALID = CitationState.VALID
PLAIN_CASE = Case(id="lamp", question="How far does the lamp reach?")
STATES = st.sampled_from(list(CitationState))
LABELS = st.sampled_from(list(Label))


def findings(
    *,
    case: Case = PLAIN_CASE,
    labels: Sequence[Label] = (),
    required: Sequence[tuple[Importance, bool]] = (),
    citations: Sequence[CitationResult] = (),
    cited_texts: Sequence[tuple[str, str]] = (),
    grades: Sequence[Grade] = (),
    abstained: bool = False,
    empty: bool = False,
    judged: bool = False,
) -> Findings:
    return Findings(
        case=case,
        answer=Answer(case_id=case.id, text="It reaches 21 sea miles."),
        claims=[claim(number, label) for number, label in enumerate(labels)],
        required=[
            RequiredClaimResult(text="a claim", importance=importance, found=found)
            for importance, found in required
        ],
        citations=citations,
        cited_texts=cited_texts,
        grades=grades,
        abstained=abstained,
        empty=empty,
        judged=judged,
    )


def claim(index: int, label: Label) -> ClaimResult:
    return ClaimResult(
        claim=Claim(
            index=index,
            text="It reaches 21 sea miles.",
            start=0,
            end=24,
            sentence_start=0,
            sentence_end=24,
        ),
        verdict=Verdict(label=label),
    )


def citation(
    state: CitationState = VALID,
    page_id: str | None = "lamp-log",
    sentence: int | None = 0,
) -> CitationResult:
    return CitationResult(
        text="[…]", start=0, end=3, page_id=page_id, sentence=sentence, state=state
    )


def expecting(*citations: ExpectedCitation) -> Case:
    return PLAIN_CASE.model_copy(update={"citations": citations})


def score(metric: str, found: Findings) -> Score:
    return discover()[metric].score(found)


def test_all_metrics_are_discovered_under_their_own_ids() -> None:
    metrics = discover()
    own = [name for name, one in metrics.items() if not hasattr(one, "package")]
    assert own == [
        "claim_support",
        "hallucination_rate",
        "factual_correctness",
        "answer_correctness",
        "accuracy",
        "semantic_similarity",
        "claim_completeness",
        "attribution",
        "highlights",
        "citation_existence",
        "citation_precision",
        "citation_recall",
        "citation_f1",
        "citation_support_recall",
        "citation_support_precision",
        "recall_at_1",
        "recall_at_3",
        "recall_at_5",
        "recall_at_10",
        "judge_faithfulness",
        "judge_completeness",
        "coherence",
        "prompt_completeness",
        "length",
        "structure",
        "vocabulary",
        "overall_quality",
        "overall",
    ]
    for name, metric in metrics.items():
        assert metric.id == name
        assert metric.title


# --- claim_support and hallucination_rate -----------------------------------


def test_shares_are_over_verified_claims_only() -> None:
    found = findings(
        labels=[
            Label.SUPPORTED,
            Label.SUPPORTED,
            Label.SUPPORTED,
            Label.CONTRADICTED,
            Label.NOT_ENOUGH_INFO,
            Label.UNSCORED,
        ]
    )
    support = score("claim_support", found)
    rate = score("hallucination_rate", found)
    assert support.value == pytest.approx(0.6)
    assert rate.value == pytest.approx(0.4)
    assert support.details == {
        "supported": 3,
        "contradicted": 1,
        "not_enough_info": 1,
        "unscored": 1,
    }


def test_claims_nobody_could_judge_give_no_value_and_not_0() -> None:
    found = findings(labels=[Label.UNSCORED, Label.UNSCORED])
    for metric in ("claim_support", "hallucination_rate"):
        got = score(metric, found)
        assert got.value is None
        assert got.applicable
        assert "none of 2 claims" in got.reason


def test_an_answer_without_claims_is_unscored_neither_perfect_nor_0() -> None:
    got = score("claim_support", findings())
    assert (got.value, got.applicable) == (None, True)
    assert got.reason == "no claim was found in the answer"


@pytest.mark.parametrize("metric", ["claim_support", "hallucination_rate"])
def test_claim_shares_keep_abstentions_and_empty_answers_out(metric: str) -> None:
    for found, word in (
        (findings(abstained=True), "abstains"),
        (findings(empty=True), "empty"),
    ):
        got = score(metric, found)
        assert (got.value, got.applicable) == (None, False)
        assert word in got.reason


@given(st.lists(LABELS, max_size=12))
def test_support_and_hallucination_share_out_what_was_verified(
    labels: list[Label],
) -> None:
    found = findings(labels=labels)
    support = score("claim_support", found).value
    rate = score("hallucination_rate", found).value
    verified = [label for label in labels if label is not Label.UNSCORED]
    if not verified:
        assert support is None and rate is None
        return
    assert support == verified.count(Label.SUPPORTED) / len(verified)
    assert rate is not None
    assert support + rate == pytest.approx(1)


# --- claim_completeness -----------------------------------------------------


def test_completeness_counts_required_claims_only() -> None:
    got = score(
        "claim_completeness",
        findings(
            required=[
                ("required", True),
                ("required", True),
                ("required", False),
                ("expected", False),
                ("optional", True),
            ]
        ),
    )
    assert got.value == pytest.approx(200 / 3)
    assert got.scale == (0, 100)
    assert got.tier == "fair"
    assert got.details == {
        "found": 2,
        "required": 3,
        "stated_in_other_words": 0,
    }


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (100, "excellent"),
        (85, "excellent"),
        (84.9, "good"),
        (70, "good"),
        (69.9, "fair"),
        (50, "fair"),
        (49.9, "poor"),
        (0, "poor"),
    ],
)
def test_tiers_of_completeness(value: float, name: str) -> None:
    assert tier(value, Settings()) == name


def test_completeness_of_an_empty_answer_is_0() -> None:
    got = score(
        "claim_completeness", findings(empty=True, required=[("required", False)])
    )
    assert (got.value, got.tier) == (0, "poor")


def test_completeness_does_not_apply_without_required_claims() -> None:
    got = score("claim_completeness", findings(required=[("expected", True)]))
    assert (got.value, got.applicable) == (None, False)
    assert "no required claims" in got.reason


# --- citations --------------------------------------------------------------


def test_precision_counts_every_state_the_unverifiable_too() -> None:
    found = findings(citations=[citation(state) for state in CitationState])
    got = score("citation_precision", found)
    assert got.value == pytest.approx(1 / 6)
    assert got.details == {"valid": 1, "total": 6, "unverifiable": 1, "likely": 0}


def test_existence_and_support_are_two_figures() -> None:
    found = findings(citations=[citation(state) for state in CitationState])
    got = score("citation_existence", found)
    assert got.value == pytest.approx(4 / 6)
    assert got.details == {"existing": 4, "total": 6, "unverifiable": 1}
    titles = {m.id: m.title for m in discover().values()}
    assert titles["citation_existence"] == "citations that exist"
    assert titles["citation_precision"] == "citations that exist and support"


def test_precision_has_no_value_without_a_citation() -> None:
    got = score("citation_precision", findings())
    assert (got.value, got.applicable) == (None, False)
    assert got.reason == "the answer has no citation"


def test_precision_has_no_value_when_no_citation_could_be_verified() -> None:
    got = score(
        "citation_precision", findings(citations=[citation(CitationState.UNVERIFIABLE)])
    )
    assert (got.value, got.applicable) == (None, True)
    assert "none of 1 citations" in got.reason


def test_precision_of_broken_citations_is_a_true_0() -> None:
    got = score(
        "citation_precision", findings(citations=[citation(CitationState.BROKEN)])
    )
    assert got.value == 0


@given(st.lists(STATES, max_size=12))
def test_precision_is_valid_over_total(states: list[CitationState]) -> None:
    got = score("citation_precision", findings(citations=[citation(s) for s in states]))
    if all(state == "unverifiable" for state in states):
        assert got.value is None
    else:
        assert got.value == states.count(VALID) / len(states)


def test_recall_by_page_by_sentence_and_by_key_phrase() -> None:
    case = expecting(
        ExpectedCitation(page_id="lamp-log"),  # hit: the page is cited
        ExpectedCitation(page_id="tide-log", sentence=4),  # missed: sentence 3 is
        ExpectedCitation(page_id="fog-log", key_phrase="four blasts a minute"),  # hit
        ExpectedCitation(page_id="buoy-log"),  # missed: not cited
    )
    found = findings(
        case=case,
        citations=[
            citation(page_id="lamp-log", sentence=7),
            citation(page_id="tide-log", sentence=3),
            citation(page_id="fog-log", sentence=0),
        ],
        cited_texts=[
            ("lamp-log", "The lens was ground in 1874."),
            ("tide-log", "High water stood at 4.2 m."),
            ("fog-log", "The horn gives FOUR  blasts a minute in fog."),
        ],
    )
    got = score("citation_recall", found)
    assert got.value == pytest.approx(0.5)
    assert got.details == {"hit": 2, "expected": 4}


def test_recall_takes_sentence_or_key_phrase_when_the_case_gives_both() -> None:
    expected = ExpectedCitation(page_id="fog-log", sentence=2, key_phrase="four blasts")
    by_sentence = findings(
        case=expecting(expected),
        citations=[citation(page_id="fog-log", sentence=2)],
        cited_texts=[("fog-log", "It sounds every quarter of a minute.")],
    )
    by_phrase = findings(
        case=expecting(expected),
        citations=[citation(page_id="fog-log", sentence=9)],
        cited_texts=[("fog-log", "Four blasts are given.")],
    )
    neither = findings(
        case=expecting(expected),
        citations=[citation(page_id="fog-log", sentence=9)],
        cited_texts=[("fog-log", "It sounds every quarter of a minute.")],
    )
    assert score("citation_recall", by_sentence).value == 1
    assert score("citation_recall", by_phrase).value == 1
    assert score("citation_recall", neither).value == 0


def test_a_phrase_on_another_page_or_a_broken_citation_is_no_hit() -> None:
    case = expecting(ExpectedCitation(page_id="fog-log", key_phrase="four blasts"))
    elsewhere = findings(
        case=case,
        citations=[citation(page_id="horn-log"), citation(page_id="fog-log")],
        cited_texts=[("horn-log", "Four blasts."), ("fog-log", "Fog in May.")],
    )
    broken = findings(
        case=expecting(ExpectedCitation(page_id="fog-log", sentence=99)),
        citations=[citation(CitationState.BROKEN, "fog-log", 99)],
    )
    assert score("citation_recall", elsewhere).value == 0
    assert score("citation_recall", broken).value == 0


def test_a_page_cited_as_a_whole_does_not_hit_a_sentence_of_it() -> None:
    found = findings(
        case=expecting(ExpectedCitation(page_id="fog-log", sentence=2)),
        citations=[citation(page_id="fog-log", sentence=None)],
        cited_texts=[("fog-log", "Fog in May.")],
    )
    assert score("citation_recall", found).value == 0


def test_an_answer_that_cites_nothing_misses_all_that_was_expected() -> None:
    found = findings(case=expecting(ExpectedCitation(page_id="fog-log")))
    assert score("citation_recall", found).value == 0
    assert score("citation_f1", found).value is None


@given(
    st.lists(st.integers(0, 5), min_size=1, max_size=6),
    st.lists(st.integers(0, 5), max_size=6),
)
def test_recall_is_expected_citations_hit_over_expected(
    expected: list[int], cited: list[int]
) -> None:
    """METRICS C, property 5."""
    found = findings(
        case=expecting(
            *(ExpectedCitation(page_id="fog-log", sentence=n) for n in expected)
        ),
        citations=[citation(page_id="fog-log", sentence=n) for n in cited],
    )
    hit = sum(n in cited for n in expected)
    assert score("citation_recall", found).value == hit / len(expected)


@pytest.mark.parametrize(
    ("text", "phrase", "is_in"),
    [
        ("The horn gives four blasts a minute.", "Four Blasts", True),
        ("The horn gives four blast a minute.", "four blasts a minute", True),
        ("The horn gives four-blasts.", "four blasts", True),
        ("The lens weighs 1,412 kg in all.", "weighs 1412 kg", True),
        ("The lens weighs 1,413 kg in all.", "weighs 1412 kg", False),
        ("It was lit for 412 nights.", "413 nights", False),
        ("The horn gives two calls an hour.", "four blasts a minute", False),
        ("Four", "four blasts a minute", False),
    ],
)
def test_key_phrases_are_found_fuzzily(text: str, phrase: str, is_in: bool) -> None:
    assert contains_phrase(text, phrase) is is_in


def test_f1_is_the_harmonic_mean_of_both() -> None:
    found = findings(
        case=expecting(
            *(ExpectedCitation(page_id="fog-log", sentence=n) for n in (0, 1, 2, 3))
        ),
        citations=[
            citation(page_id="fog-log", sentence=0),
            citation(CitationState.UNSUPPORTED, "tide-log", 0),
        ],
    )
    # precision 1/2, recall 1/4: 2 * (1/8) / (3/4) = 1/3
    got = score("citation_f1", found)
    assert got.value == pytest.approx(1 / 3)
    assert got.details == {
        "valid": 1,
        "total": 2,
        "unverifiable": 0,
        "likely": 0,
        "hit": 1,
        "expected": 4,
    }


def test_f1_is_0_when_both_are_and_does_not_apply_without_expectations() -> None:
    nothing_right = findings(
        case=expecting(ExpectedCitation(page_id="fog-log")),
        citations=[citation(CitationState.BROKEN, "tide-log", 1)],
    )
    assert score("citation_f1", nothing_right).value == 0
    got = score("citation_f1", findings(citations=[citation()]))
    assert (got.value, got.applicable) == (None, False)


@pytest.mark.parametrize(
    "metric", ["citation_precision", "citation_recall", "citation_f1"]
)
def test_citation_figures_keep_abstentions_and_empty_answers_out(metric: str) -> None:
    case = expecting(ExpectedCitation(page_id="fog-log"))
    for found in (
        findings(case=case, abstained=True),
        findings(case=case, empty=True),
    ):
        got = score(metric, found)
        assert (got.value, got.applicable) == (None, False)
        assert got.reason


# --- grades of the judge ----------------------------------------------------


def test_grades_are_taken_by_name() -> None:
    found = findings(
        judged=True,
        grades=[
            Grade(name="faithfulness", value=5),
            Grade(name="completeness", value=2),
        ],
    )
    faithfulness = score("judge_faithfulness", found)
    assert (faithfulness.value, faithfulness.scale) == (5.0, (1, 5))
    assert score("judge_completeness", found).value == 2.0


def test_a_grade_that_could_not_be_read_is_unscored_with_its_reason() -> None:
    found = findings(
        judged=True,
        grades=[Grade(name="faithfulness", unscored_reason="the reply was cut off")],
    )
    got = score("judge_faithfulness", found)
    assert (got.value, got.applicable) == (None, True)
    assert got.reason == "the reply was cut off"
    assert score("judge_completeness", found).reason == "the judge was not asked"


def test_grades_do_not_apply_without_a_judge_or_an_answer() -> None:
    for found in (findings(), findings(judged=True, empty=True)):
        got = score("judge_faithfulness", found)
        assert (got.value, got.applicable) == (None, False)


# --- needs ------------------------------------------------------------------


def test_needs_that_a_case_cannot_meet_are_named() -> None:
    metrics = discover()
    judge = metrics["judge_faithfulness"]
    assert "judge" in (missing_need(judge, PLAIN_CASE, judge=False) or "")
    assert missing_need(judge, PLAIN_CASE, judge=True) is None
    completeness = metrics["claim_completeness"]
    optional = PLAIN_CASE.model_copy(
        update={"claims": (CaseClaim(text="It is lit.", importance="optional"),)}
    )
    assert "required" in (missing_need(completeness, optional, judge=True) or "")
    needed = PLAIN_CASE.model_copy(update={"claims": (CaseClaim(text="It is lit."),)})
    assert missing_need(completeness, needed, judge=True) is None
    recall = metrics["citation_recall"]
    assert "citations" in (missing_need(recall, PLAIN_CASE, judge=True) or "")
    assert (
        missing_need(
            recall, expecting(ExpectedCitation(page_id="fog-log")), judge=False
        )
        is None
    )
