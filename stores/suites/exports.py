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
    row: Row = {"user_input": one.case.question}
    if one.answer is not None:
        row["response"] = one.answer.text
    if one.contexts:
        row["retrieved_contexts"] = list(one.contexts)
    if one.case.reference is not None:
        row["reference"] = one.case.reference
    if one.case.citations:
        row["reference_context_ids"] = [c.page_id for c in one.case.citations]
    return row


def deepeval_row(one: AnsweredCase) -> Row:
    """Fields of its `Golden`."""
    row: Row = {"input": one.case.question}
    if one.answer is not None:
        row["actual_output"] = one.answer.text
    if one.case.reference is not None:
        row["expected_output"] = one.case.reference
    if one.case.contexts:
        row["context"] = list(one.case.contexts)
    if one.retrieved:
        row["retrieval_context"] = list(one.retrieved)
    if one.case.rationale:
        row["comments"] = one.case.rationale
    row["additional_metadata"] = _facts(one)
    return row


def promptfoo_test(one: AnsweredCase) -> Row:
    """A test case with the answer as `providerOutput`: no provider is asked."""
    variables: Row = {"question": one.case.question}
    if one.contexts:
        variables["context"] = list(one.contexts)
    test: Row = {"vars": variables}
    if one.case.rationale:
        test["description"] = one.case.rationale
    if one.case.reference is not None:
        test["assert"] = [{"type": "factuality", "value": one.case.reference}]
    if one.answer is not None:
        test["providerOutput"] = one.answer.text
    # Else promptfoo makes a test of each passage.
    test["options"] = {"disableVarExpansion": True}
    test["metadata"] = _facts(one)
    return test


def _facts(one: AnsweredCase) -> Row:
    facts: Row = {"case_id": one.case.id}
    if one.answer is not None:
        facts["provider"] = one.answer.provider
    if one.case.category:
        facts["category"] = one.case.category
    if one.case.difficulty:
        facts["difficulty"] = str(one.case.difficulty)
    return facts


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
