"""Verification, decomposition and grades end to end on a real, very small model.

Its answers are poor; that each ends as a verdict, a grade or a stated reason is what
is tested.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from claimscope.core.backends.ollama.server import OllamaChat
from claimscope.core.calls.journalled import CallMeter, JournalledChat
from claimscope.core.grade.grades import ModelGrader
from claimscope.core.models import CallRecord, Case, Evidence, Label, RuleFinding
from claimscope.core.ports import Question
from claimscope.core.prompts.templates import rubric
from claimscope.core.text.clauses.facts import added_words, lost_words
from claimscope.core.verify.decomposition_by_model import ModelDecomposer
from claimscope.core.verify.witnesses.language_model import WORDINGS, ModelVerifier

pytestmark = pytest.mark.ollama

TEXTS = (
    "The Lindal light stands on a skerry two miles from the shore.",
    "It shows two white flashes every ten seconds.",
    "The keeper's house was given up in 1971.",
)
EVIDENCE = tuple(
    Evidence(page_id="light", index=i, text=text, start=0, end=len(text))
    for i, text in enumerate(TEXTS)
)
ANSWER = (
    "The Lindal light, which stands on a skerry, shows two white flashes and is "
    "no longer lived in. Visitors are welcome."
)


class Calls:
    """Finished calls in memory."""

    def __init__(self) -> None:
        self.records: dict[str, CallRecord] = {}

    def call(self, key: str) -> CallRecord | None:
        return self.records.get(key)

    def save_call(self, record: CallRecord) -> None:
        self.records[record.key] = record


def no_rules(claim: str, evidence: Sequence[Evidence]) -> Sequence[RuleFinding]:
    """The model's word alone."""
    return ()


async def test_claims_get_a_support_and_the_calls_behind_it(chat: OllamaChat) -> None:
    calls, meter = Calls(), CallMeter()
    verifier = ModelVerifier(JournalledChat(chat, calls, meter), find_rules=no_rules)
    claims = ("The light stands on a skerry.", "The light is green.")
    asked = [Question(claim, EVIDENCE) for claim in claims]
    meter.begin()
    verdicts = await verifier.verify(asked)
    for verdict in verdicts:
        assert verdict.label in (Label.SUPPORTED, Label.NOT_ENOUGH_INFO)
        assert verdict.support is not None and 0 < verdict.support < 1
        assert all(key in calls.records for key in verdict.call_keys)
    spent = meter.take()
    assert spent.calls == len(calls.records)
    assert 2 <= spent.calls <= 2 * len(WORDINGS)
    assert await verifier.verify(asked) == verdicts
    assert meter.take().calls == 0, "the second time nothing is asked"


async def test_an_answer_keeps_its_facts_when_taken_apart(chat: OllamaChat) -> None:
    found = await ModelDecomposer(chat)(ANSWER)
    assert len(found.claims) >= 2
    assert lost_words([claim.text for claim in found.claims], ANSWER) == []
    for claim in found.claims:
        assert added_words(claim.text, ANSWER) == []


async def test_grades_are_given_or_unscored_with_a_reason(chat: OllamaChat) -> None:
    case = Case(id="c1", question="What does the Lindal light show?")
    grader = ModelGrader(chat, rubric("general"), lambda text: ())
    for grade in await grader(case, ANSWER, TEXTS):
        assert (grade.value is None) == bool(grade.unscored_reason)
        assert grade.value in (None, 1, 2, 3, 4, 5)
        assert grade.model == chat.name
