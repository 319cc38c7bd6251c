"""Rows of ragas from suites and runs, for people who compare with it.

Fields of its `SingleTurnSample`; none is written that has no value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from claimscope.core.models import Answer, Case, SampleResult


def suite_rows(
    cases: Iterable[Case], answers: Iterable[Answer]
) -> Iterator[dict[str, object]]:
    """A row an answer; a case without one has a row without `response`."""
    given: dict[str, list[Answer]] = {}
    for answer in answers:
        given.setdefault(answer.case_id, []).append(answer)
    for case in cases:
        for one in given.get(case.id, [None]):
            yield _row(case, one, case.contexts)


def run_rows(samples: Iterable[SampleResult]) -> Iterator[dict[str, object]]:
    """A row an answer, once however many iterations. Contexts are the case's own,
    else the sentences that the answer's claims were held against."""
    seen: set[tuple[str, str]] = set()
    for sample in samples:
        key = (sample.key.case_id, sample.key.provider)
        if key in seen:
            continue
        seen.add(key)
        evidence = dict.fromkeys(
            one.text for claim in sample.claims for one in claim.verdict.evidence
        )
        contexts = sample.case.contexts or tuple(evidence)
        yield _row(sample.case, sample.answer, contexts)


def _row(
    case: Case, answer: Answer | None, contexts: tuple[str, ...]
) -> dict[str, object]:
    row: dict[str, object] = {"user_input": case.question}
    if answer is not None:
        row["response"] = answer.text
    if contexts:
        row["retrieved_contexts"] = list(contexts)
    if case.reference is not None:
        row["reference"] = case.reference
    if case.citations:
        row["reference_context_ids"] = [one.page_id for one in case.citations]
    return row
