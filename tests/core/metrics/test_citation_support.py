"""citation_support after ALCE: sentences carried together, citations left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from claimscope.core.metrics.base import Findings
from claimscope.core.metrics.discovery import discover
from claimscope.core.models import (
    Answer,
    Case,
    ExpectedCitation,
    Label,
    Page,
    SampleKey,
    SampleResult,
    Score,
    Verdict,
)
from claimscope.core.models.findings import CitedSentence
from claimscope.core.ports import Question
from claimscope.core.run.plan import SampleTask
from claimscope.core.run.sample import Services, evaluate
from claimscope.core.settings import Settings
from claimscope.stores.index.memory_corpus import MemoryCorpus
from tests.doubles import fakes

METRICS = ("citation_support_recall", "citation_support_precision")
PAGE = Page(
    page_id="mill:1",
    text="The mill grinds oats. The mill has two wheels. Geese live by the pond.",
)
CLAIM = "The mill grinds oats and has two wheels."


class WordVerifier:
    """Supports a claim when all its words stand in the evidence together."""

    name = "words"

    def __init__(self, unscored: bool = False) -> None:
        self.unscored = unscored
        self.asked: list[Question] = []

    async def verify(self, questions: Sequence[Question]) -> Sequence[Verdict]:
        self.asked += questions
        return [self.judge(one) for one in questions]

    def judge(self, one: Question) -> Verdict:
        if self.unscored:
            return Verdict(label=Label.UNSCORED, unscored_reason="cut off")
        known = {w.strip(".").lower() for e in one.evidence for w in e.text.split()}
        wanted = {w.strip(".").lower() for w in one.claim.split()} - {"and"}
        label = Label.SUPPORTED if wanted <= known else Label.NOT_ENOUGH_INFO
        return Verdict(label=label)


async def judged(
    text: str, verifier: WordVerifier | None = None, **case: object
) -> tuple[Score, Score]:
    result = await sample(text, verifier or WordVerifier(), **case)
    recall, precision = result.scores
    return recall, precision


async def sample(text: str, verifier: WordVerifier, **fields: object) -> SampleResult:
    case = Case.model_validate({"id": "mill", "question": "What mill?", **fields})
    task = SampleTask(
        SampleKey(case_id="mill", provider="a"),
        case,
        Answer(case_id="mill", provider="a", text=text),
    )
    services = Services(
        embedder=fakes.FakeEmbedder(),
        verifier=verifier,
        settings=Settings(),
        corpus=MemoryCorpus("mill", [PAGE], fakes.FakeEmbedder()),
        metrics=METRICS,
    )
    return await evaluate(task, services)


async def test_two_citations_that_carry_it_only_together_are_both_of_use() -> None:
    recall, precision = await judged(
        "The mill grinds oats and two wheels [mill:1, S:0] [mill:1, S:1]."
    )
    assert recall.value == 1
    assert precision.value == 1


async def test_a_citation_that_others_do_without_is_of_no_use() -> None:
    recall, precision = await judged(
        "The mill grinds oats [mill:1, S:0] [mill:1, S:2]."
    )
    assert recall.value == 1
    assert precision.value == 0.5
    assert precision.details == {"supported": 1, "citations": 2, "unscored": 0}
    assert precision.evidence[0].note == (
        "[mill:1, S:0] of use; [mill:1, S:2] of no use"
    )


async def test_leaving_one_of_three_out_is_asked_of_the_other_two_together() -> None:
    """S:0 and S:1 carry it only together; S:2 adds nothing: 2 of 3 are of use."""
    verifier = WordVerifier()
    recall, precision = await judged(
        "The mill grinds oats and two wheels [mill:1, S:0] [mill:1, S:1] "
        "[mill:1, S:2].",
        verifier,
    )
    assert recall.value == 1
    assert precision.value == pytest.approx(2 / 3)
    pairs = [{e.index for e in one.evidence} for one in verifier.asked[-3:]]
    assert pairs == [{1, 2}, {0, 2}, {0, 1}]


async def test_sentences_without_a_citation_lower_recall_and_not_precision() -> None:
    recall, precision = await judged(
        "The mill grinds oats [mill:1, S:0]. Geese live by the pond."
    )
    assert recall.value == 0.5
    assert precision.value == 1
    assert [span.kind for span in recall.evidence] == ["carried", "not carried"]
    assert recall.evidence[1].note == "it cites nothing"


async def test_citations_of_a_sentence_they_do_not_carry_are_of_no_use() -> None:
    recall, precision = await judged("The mill grinds rye [mill:1, S:0] [mill:9].")
    assert (recall.value, precision.value) == (0, 0)


async def test_without_any_citation_it_is_not_applicable_unless_one_is_expected() -> (
    None
):
    text = "The mill grinds oats."
    recall, precision = await judged(text)
    assert (recall.value, recall.applicable) == (None, False)
    assert (precision.value, precision.applicable) == (None, False)
    expected = (ExpectedCitation(page_id="mill:1", sentence=0),)
    recall, precision = await judged(text, citations=expected)
    assert recall.value == 0
    assert not precision.applicable


async def test_what_nobody_could_judge_is_unscored_and_not_0() -> None:
    scores = await judged("The mill grinds oats [mill:1, S:0].", WordVerifier(True))
    for score in scores:
        assert (score.value, score.applicable) == (None, True)
        assert "could be judged" in score.reason


@pytest.mark.parametrize("metric", METRICS)
def test_empty_and_abstaining_answers_are_not_applicable(metric: str) -> None:
    case = Case(id="mill", question="What mill?")
    answer = Answer(case_id="mill", text="")
    blank = Findings(case=case, answer=answer)
    for findings in (replace(blank, empty=True), replace(blank, abstained=True)):
        assert not discover()[metric].score(findings).applicable


def test_figures_by_hand() -> None:
    """Three sentences, one open: 1 of 2 carried. Five citations, one open: 3 of 4."""
    found = [
        CitedSentence(0, 5, True, [True, True, True], ["a", "b", "c"]),
        CitedSentence(5, 9, False, [False], ["d"]),
        CitedSentence(9, 12, None, [None], ["e"]),
    ]
    findings = Findings(
        case=Case(id="mill", question="What mill?"),
        answer=Answer(case_id="mill", text="x" * 12),
        cited_support=found,
    )
    recall, precision = (discover()[name].score(findings) for name in METRICS)
    assert recall.value == 0.5
    assert precision.value == 0.75
