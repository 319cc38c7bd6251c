"""Answers beside what they were judged by, for files of other tools."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from claimscope.core.models import Answer, Case, RetrievedText, SampleResult


@dataclass(frozen=True)
class Answered:
    """A case and one answer to it, if there is one."""

    case: Case
    answer: Answer | None
    retrieved: tuple[str, ...] = ()
    """Texts that the answer was given with, else the evidence that a run found."""

    @property
    def contexts(self) -> tuple[str, ...]:
        """The case's own ground truth, else what was retrieved."""
        return self.case.contexts or self.retrieved


def of_suite(cases: Iterable[Case], answers: Iterable[Answer]) -> Iterator[Answered]:
    """One an answer; a case without an answer stands there once."""
    given: dict[str, list[Answer]] = {}
    for answer in answers:
        given.setdefault(answer.case_id, []).append(answer)
    for case in cases:
        found = given.get(case.id)
        if not found:
            yield Answered(case, None)
        for one in found or ():
            yield Answered(case, one, _retrieved(one))


def of_run(samples: Iterable[SampleResult]) -> Iterator[Answered]:
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
        given = _retrieved(sample.answer) if sample.answer else ()
        yield Answered(sample.case, sample.answer, given or tuple(evidence))


def _retrieved(answer: Answer) -> tuple[str, ...]:
    return tuple(
        one.text
        for one in answer.retrieved or ()
        if isinstance(one, RetrievedText) and one.text
    )
