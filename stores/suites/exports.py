"""Answers as files of ragas, DeepEval and promptfoo, which those tools load.

What `claimscope suite import` reads of them is what was written: cases with their ids
(ragas has none), references, contexts and answers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from claimscope.core.models import Answer, Case, RetrievedText, SampleResult


@dataclass(frozen=True)
class AnsweredCase:
    """A case and one answer to it, if there is one."""

    case: Case
    answer: Answer | None
    retrieved: tuple[str, ...] = ()
    """Texts that the answer was given with, else the evidence that a run found."""

    @property
    def contexts(self) -> tuple[str, ...]:
        """The case's own ground truth, else what was retrieved."""
        return self.case.contexts or self.retrieved


def answered_in_suite(
    cases: Iterable[Case], answers: Iterable[Answer]
) -> Iterator[AnsweredCase]:
    """One an answer; a case without an answer stands there once."""
    given: dict[str, list[Answer]] = {}
    for answer in answers:
        given.setdefault(answer.case_id, []).append(answer)
    for case in cases:
        found = given.get(case.id)
        if not found:
            yield AnsweredCase(case, None)
        for one in found or ():
            yield AnsweredCase(case, one, _retrieved_texts(one))


def answered_in_run(samples: Iterable[SampleResult]) -> Iterator[AnsweredCase]:
    """One an answer, however many iterations."""
    seen: set[tuple[str, str]] = set()
    for sample in samples:
        key = (sample.key.case_id, sample.key.provider)
        if key in seen:
            continue
        seen.add(key)
        evidence = dict.fromkeys(
            one.text for claim in sample.claims for one in claim.verdict.evidence
        )
        given = _retrieved_texts(sample.answer) if sample.answer else ()
        yield AnsweredCase(sample.case, sample.answer, given or tuple(evidence))


def _retrieved_texts(answer: Answer) -> tuple[str, ...]:
    return tuple(
        one.text
        for one in answer.retrieved or ()
        if isinstance(one, RetrievedText) and one.text
    )


Row = dict[str, Any]


def ragas_row(one: AnsweredCase) -> Row:
    """Fields of its `SingleTurnSample`; none is written that has no value."""
    return _with_values(
        user_input=one.case.question,
        response=one.answer and one.answer.text,
        retrieved_contexts=list(one.contexts),
        reference=one.case.reference,
        reference_context_ids=[cited.page_id for cited in one.case.citations],
    )


def deepeval_row(one: AnsweredCase) -> Row:
    """Fields of its `Golden`."""
    return _with_values(
        input=one.case.question,
        actual_output=one.answer and one.answer.text,
        expected_output=one.case.reference,
        context=list(one.case.contexts),
        retrieval_context=list(one.retrieved),
        comments=one.case.rationale or None,
        additional_metadata=_facts(one),
    )


def promptfoo_test(one: AnsweredCase) -> Row:
    """A test case with the answer as `providerOutput`: no provider is asked."""
    reference = one.case.reference
    truth = {"type": "factuality", "value": reference}
    return _with_values(
        vars=_with_values(question=one.case.question, context=list(one.contexts)),
        description=one.case.rationale or None,
        **{"assert": None if reference is None else [truth]},
        providerOutput=one.answer and one.answer.text,
        # Else promptfoo makes a test of each passage.
        options={"disableVarExpansion": True},
        metadata=_facts(one),
    )


def _facts(one: AnsweredCase) -> Row:
    return _with_values(
        case_id=one.case.id,
        provider=one.answer and one.answer.provider,
        category=one.case.category or None,
        difficulty=str(one.case.difficulty or "") or None,
    )


def _with_values(**fields: Any) -> Row:
    """The fields that have one; an empty text is one, an empty list is none."""
    return {name: value for name, value in fields.items() if value not in (None, [])}


ROWS: dict[str, Callable[[AnsweredCase], Row]] = {
    "ragas": ragas_row,
    "deepeval": deepeval_row,
    "promptfoo": promptfoo_test,
}
"""What an answer becomes, by the tool."""


def rows_for(tool: str, answered: Iterable[AnsweredCase]) -> list[Row]:
    return [ROWS[tool](one) for one in answered]


def file_text(tool: str, rows: Sequence[Row]) -> str:
    """The file of a tool: JSON lines, a JSON list, or a configuration in YAML."""
    if tool == "ragas":
        return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
    if tool == "deepeval":
        return json.dumps(rows, ensure_ascii=False, indent=2) + "\n"
    import yaml

    config = {"prompts": ["{{question}}"], "providers": ["echo"], "tests": [*rows]}
    return yaml.safe_dump(config, allow_unicode=True, sort_keys=False, width=88)
