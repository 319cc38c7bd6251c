"""A claim, its verdict and what that rests on; a failure with the claim it is about."""

from __future__ import annotations

from collections.abc import Iterator

from claimscope.core.models import ClaimResult, Failure, Label, SampleResult
from claimscope.core.report.terms import FAILURES, WORDS
from claimscope.core.report.view import Part, Prose, Section, Span, line, verdict_span
from claimscope.core.report.words import page_name


def claim_line(result: ClaimResult, level: int = 0) -> Prose:
    """`[supported 0.93] The dam is 38 metres high.`"""
    share = result.verdict.support
    text = "" if share is None else f" {share:.2f}"
    verdict = verdict_span(result.verdict)
    return line("[", verdict, f"{text}] ", result.claim.text, level=level)


def grounds(result: ClaimResult, level: int = 0, shown: int = 1) -> Iterator[Prose]:
    """The best evidence, what conflicts, why it is not supported, what each judge said.
    shown: sentences of evidence."""
    verdict = result.verdict
    for evidence in verdict.evidence[:shown]:
        name = Span(page_name(evidence), "citation")
        yield line(name, f": “{evidence.text}”", level=level)
    for rule in verdict.rules:
        if rule.outcome == "conflict" and rule.message not in verdict.reason:
            yield line(rule.message, level=level)
    if verdict.reason and verdict.label is not Label.SUPPORTED:
        yield line(verdict.reason, level=level)
    if verdict.unscored_reason:
        yield line(verdict.unscored_reason, level=level)
    for vote in verdict.votes:
        support = f" {vote.support:.2f}" if vote.support is not None else ""
        why = f": {vote.unscored_reason}" if vote.unscored_reason else ""
        text = f"{vote.judge}: {WORDS[vote.label]}{support}{why}"
        yield line(text, level=level)


def failures(sample: SampleResult) -> Iterator[Section]:
    """Each failure with the claim it is about and what speaks against it."""
    for failure in sample.failures:
        title = line(f"{FAILURES[failure.kind]}: ", failure.message)
        yield Section(title, tuple(_about(failure, title, sample)))


def _about(failure: Failure, title: Prose, sample: SampleResult) -> Iterator[Part]:
    for result in sample.claims:
        if result.claim.index == failure.claim_index:
            yield claim_line(result)
            told = grounds(result, level=1)
            yield from (one for one in told if one.spans != title.spans[-1:])
