"""Grades, iterations, failures, trend and cost of a run as lines for people."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from claimscope.core.analysis.summary.cost import Cost
from claimscope.core.analysis.summary.failures import analyse_failures
from claimscope.core.analysis.summary.iterations import (
    GRADES,
    Delta,
    GradeFigures,
    PassGrade,
    grade_summary,
    over_iterations,
)
from claimscope.core.models import FailureKind, SampleResult
from claimscope.core.report.terms import FAILURES, OUTCOMES
from claimscope.core.report.text import one_line

GROUPS: dict[str, Callable[[SampleResult], str | None]] = {
    "provider": lambda s: s.key.provider,
    "category": lambda s: s.case.category,
    "difficulty": lambda s: s.case.difficulty,
    "domain": lambda s: s.case.domain,
}


def grade_lines(
    samples: Sequence[SampleResult], pass_grade: PassGrade
) -> Iterator[str]:
    """Averages and pass rates, of all and of each group; nothing without grades."""
    if not any(sample.grades for sample in samples):
        return
    yield ""
    yield f"grades (1-5; pass: {bounds_text(pass_grade)})"
    yield from _grades("", samples, pass_grade)
    for by, key in GROUPS.items():
        values = sorted({v for s in samples if (v := key(s)) is not None})
        if len(values) > 1:
            for value in values:
                yield one_line(f"  {by} {value}")
                part = [s for s in samples if key(s) == value]
                yield from _grades("  ", part, pass_grade)


def bounds_text(pass_grade: PassGrade) -> str:
    """`4 or more`, or what each grade must reach."""
    if not isinstance(pass_grade, tuple):
        return f"{pass_grade:g} or more"
    faithfulness, completeness = pass_grade
    if faithfulness == completeness:
        return f"{faithfulness:g} or more"
    return f"faithfulness {faithfulness:g}, completeness {completeness:g} or more"


def _grades(
    indent: str, samples: Sequence[SampleResult], pass_grade: PassGrade
) -> Iterator[str]:
    grades = grade_summary(samples, pass_grade)
    for name in (*GRADES, "overall"):
        figures: GradeFigures = getattr(grades, name)
        if figures.average is None or figures.pass_rate is None:
            yield f"{indent}  {name}: no grade, {figures.unscored} unscored"
            continue
        yield (
            f"{indent}  {name}: average {figures.average:.2f}, passed "
            f"{figures.passed} of {figures.n} ({figures.pass_rate:.0%}), "
            f"{figures.unscored} unscored"
        )


def iteration_lines(
    samples: Sequence[SampleResult], pass_grade: PassGrade
) -> Iterator[str]:
    """Mean and spread; nothing for a run of one iteration."""
    found = over_iterations(samples, pass_grade)
    if len(found.iterations) < 2:
        return
    yield ""
    yield f"over {len(found.iterations)} iterations"
    for figure in found.figures:
        if figure.mean is None:
            continue
        sd = "no sd" if figure.sd is None else f"sd {figure.sd:.3f}"
        each = ", ".join("-" if v is None else f"{v:.3f}" for v in figure.per_iteration)
        yield one_line(f"  {figure.name}: {figure.mean:.3f}, {sd} ({each})")
    for noise in found.noise:
        yield (
            f"  noise floor of {noise.metric}: {noise.floor_mean:.3f} between means of "
            f"{noise.n}, {noise.floor_one:.3f} between two scores of a sample "
            f"(sd within samples {noise.sd:.3f})"
        )
    yield f"  unstable: {len(found.unstable)} of {found.compared} compared"
    for row in found.unstable:
        said = ", ".join(OUTCOMES[word] for word in row.passed)
        yield one_line(f"    {row.case_id} {row.provider}: {said}")


def failure_lines(samples: Sequence[SampleResult]) -> Iterator[str]:
    """Kinds, patterns and what to do."""
    found = analyse_failures(samples)
    yield ""
    yield (
        f"failures: {found.failed} of {found.judged} judged, {found.unscored} unscored"
    )
    for category in found.categories:
        if category.n:
            yield f"  {category.name}: {len(category.samples)} of {category.n} graded"
    for kind, count in found.kinds.items():
        yield f"  {FAILURES[FailureKind(kind)]}: {count}"
    for pattern in found.patterns:
        yield one_line(
            f"  pattern: {pattern.by} {pattern.value}: {pattern.failed} of {pattern.n} "
            f"failed ({pattern.rate:.0%}, 95% {pattern.low:.0%}-{pattern.high:.0%}; "
            f"base {pattern.base_rate:.0%}, lift {pattern.lift:.2f})"
        )
    if found.failed and not found.patterns:
        yield "  no pattern stands out with enough samples"
    for advice in found.recommendations:
        yield one_line(f"  - {advice.text} [{advice.evidence}]")


def trend_lines(before: str | None, deltas: Sequence[Delta]) -> Iterator[str]:
    """Against the previous run of the suite."""
    if before is None:
        return
    yield ""
    yield f"since {before}"
    for delta in deltas:
        yield one_line(
            f"  {delta.metric}: {delta.delta:+.3f} ({delta.before:.3f}, "
            f"over {delta.n_before} -> {delta.now:.3f}, over {delta.n_now})"
        )
    if not deltas:
        yield "  no metric that both runs have"


def cost_lines(found: Cost) -> Iterator[str]:
    """Tokens, calls, time and money."""
    usage = found.usage
    yield ""
    yield one_line(
        f"cost: {found.amount:.4f} {found.currency}; {usage.calls} calls, "
        f"{usage.prompt_tokens} prompt + {usage.completion_tokens} completion tokens, "
        f"{usage.model_seconds:.1f} s of models, {usage.wall_seconds:.1f} s in all; "
        f"{found.samples} samples, {found.unscored} unscored"
    )
