"""Pass, fail or unscored: what the findings of a sample add up to, and why.

Only what was judged can fail: an unscored claim or grade makes the sample unscored
unless something else already failed it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from claimscope.core.metrics.base import Findings
from claimscope.core.models import Case, CitationState, Failure, FailureKind, Label
from claimscope.core.settings import PassRule, Settings
from claimscope.core.text.non_factual import is_abstention
from claimscope.core.verify.decomposition import decompose

CITATION_FAILURES = {
    CitationState.BROKEN: FailureKind.BROKEN_CITATION,
    CitationState.MISATTRIBUTED: FailureKind.MISATTRIBUTED,
}


def failures_of(
    findings: Findings, planted: Sequence[tuple[int, int]], settings: Settings
) -> tuple[Failure, ...]:
    """Every reason why a sample does not pass, in reading order of the answer;
    reasons without a place come last."""
    found = [*_planted_failures(findings, planted)]
    if settings.pass_rule == "grades":
        found += _empty_failure(findings)
    else:
        found += [*_whole_failures(findings), *claim_failures(findings, settings)]
        found += [*_citation_failures(findings), *required_failures(findings, settings)]
    if settings.pass_rule != "claims":
        found += _grade_failures(findings, settings)
    return tuple(sorted(found, key=lambda f: (f.start is None, f.start or 0)))


def passed(
    findings: Findings, failures: Sequence[Failure], rule: PassRule = "both"
) -> bool | None:
    """False when anything failed, None when something could not be judged, else
    True. An answer without a claim passes only as a correct abstention; by grades
    alone it needs grades."""
    if any(failure.kind is not FailureKind.UNSCORED for failure in failures):
        return False
    if failures:
        return None
    if rule == "grades":
        return True if findings.grades else None
    if not findings.claims and not findings.abstained:
        return None
    return True


def expects_abstention(case: Case) -> bool:
    """Does the right answer say that the pages do not tell? So says a required claim
    that abstains, or a reference that does, if beside facts none may be required."""
    required = [c.text for c in case.claims if c.importance == "required"]
    if any(is_abstention(text) for text in required):
        return True
    if not case.reference:
        return False
    taken = decompose(case.reference)
    partly = any(skipped.reason == "abstention" for skipped in taken.skipped)
    return taken.abstained or (partly and not required)


def _planted_failures(
    findings: Findings, planted: Sequence[tuple[int, int]]
) -> Iterator[Failure]:
    for start, end in planted:
        yield Failure(
            kind=FailureKind.PLANTED_GRADE,
            message="The answer gives the judge a grade or an order: "
            f"“{findings.answer.text[start:end]}”",
            start=start,
            end=end,
        )


def _empty_failure(findings: Findings) -> Iterator[Failure]:
    if findings.empty:
        yield Failure(kind=FailureKind.EMPTY, message="The answer is empty.")


def _whole_failures(findings: Findings) -> Iterator[Failure]:
    if findings.empty:
        yield from _empty_failure(findings)
        return
    expected = expects_abstention(findings.case)
    if findings.abstained and not expected:
        yield _abstention_failure(findings.case)
    elif expected and findings.claims and not findings.partly_abstained:
        yield Failure(
            kind=FailureKind.WRONG_ABSTENTION,
            message="The answer gives facts where the pages do not tell.",
        )
    elif not findings.claims and not findings.abstained:
        yield Failure(
            kind=FailureKind.UNSCORED, message="No claim was found in the answer."
        )


def _abstention_failure(case: Case) -> Failure:
    """What is wrong with an abstention that was not expected. A case that says
    nothing of its right answer leaves it open: silence must not pass by default."""
    if case.reference or case.claims or case.citations:
        return Failure(
            kind=FailureKind.WRONG_ABSTENTION,
            message="The answer says that it does not know, and the pages do.",
        )
    return Failure(
        kind=FailureKind.UNSCORED,
        message="The answer says that it does not know, and the case does not say "
        "whether the pages do.",
    )


def claim_failures(findings: Findings, settings: Settings) -> Iterator[Failure]:
    """Those that verdicts of claims are the reason of."""
    if settings.pass_rule == "grades":
        return
    kinds = {Label.CONTRADICTED: FailureKind.CONTRADICTED}
    kinds[Label.UNSCORED] = FailureKind.UNSCORED
    if settings.unsupported_fails:
        kinds[Label.NOT_ENOUGH_INFO] = FailureKind.NOT_SUPPORTED
    for result in findings.claims:
        kind = kinds.get(result.verdict.label)
        if kind is not None:
            yield Failure(
                kind=kind,
                message=result.verdict.reason or result.verdict.unscored_reason or "",
                claim_index=result.claim.index,
                start=result.claim.start,
                end=result.claim.end,
            )


def _citation_failures(findings: Findings) -> Iterator[Failure]:
    for number, citation in enumerate(findings.citations):
        kind = CITATION_FAILURES.get(citation.state)
        if kind is not None:
            yield Failure(
                kind=kind,
                message=citation.reason,
                citation_index=number,
                start=citation.start,
                end=citation.end,
            )


def required_failures(findings: Findings, settings: Settings) -> Iterator[Failure]:
    """Those that a required claim is the reason of."""
    is_open = settings.require_all_required and settings.pass_rule != "grades"
    if not is_open or findings.empty or findings.abstained:
        return
    for result in findings.required:
        if result.importance == "required" and not (result.found or result.stated):
            if result.unscored_reason:
                yield Failure(
                    kind=FailureKind.UNSCORED,
                    message=f"A required claim, “{result.text}”: "
                    f"{result.unscored_reason}",
                )
                continue
            what = f"A required claim is missing: “{result.text}”"
            if result.conflicts_with:
                what += f" (the answer says “{result.conflicts_with}”)"
            yield Failure(
                kind=FailureKind.MISSING_CLAIM,
                message=what,
                start=result.start,
                end=result.end,
            )


def _grade_failures(findings: Findings, settings: Settings) -> Iterator[Failure]:
    bounds = dict(
        zip(("faithfulness", "completeness"), settings.pass_grades, strict=True)
    )
    for grade in findings.grades:
        if grade.value is None:
            yield Failure(
                kind=FailureKind.UNSCORED,
                message=f"No grade for {grade.name}: {grade.unscored_reason}",
            )
        elif grade.value < bounds[grade.name]:
            yield Failure(
                kind=FailureKind.LOW_GRADE,
                message=f"The judge gave {grade.value:.3g} of 5 for {grade.name}: "
                f"{grade.reason}",
            )


def pass_words(settings: Mapping[str, object], *, judge: bool) -> str:
    """`passed by claims and grades (4 or more)`: what decides, of a run's settings."""
    rule = settings.get("pass_rule", "both")
    usual = settings.get("pass_grade", 4)
    least = [settings.get(f"pass_{name}") or usual for name in GRADES]
    bound = f"{least[0]} or more"
    if least[0] != least[1]:
        bound = f"faithfulness {least[0]}, completeness {least[1]} or more"
    grades = f"grades ({bound})"
    if rule == "grades":
        return f"passed by {grades}"
    return (
        f"passed by claims and {grades}"
        if rule == "both" and judge
        else ("passed by claims")
    )


GRADES = ("faithfulness", "completeness")
