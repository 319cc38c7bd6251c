"""What a run comes to beside its figures: grades, iterations, failures with what to do
about them, what moved since the run before, and cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from claimscope.core.analysis.summary.cost import Cost
from claimscope.core.analysis.summary.failures import FailureAnalysis
from claimscope.core.analysis.summary.iterations import (
    GRADES,
    Delta,
    GradeFigures,
    GradeSummary,
    Iterations,
    PassGrade,
    grade_summary,
)
from claimscope.core.models import FailureKind, SampleResult
from claimscope.core.report.terms import FAILURES, OUTCOMES
from claimscope.core.report.view import (
    Column,
    Prose,
    Row,
    Section,
    Span,
    Table,
    line,
    list_section,
    row,
)
from claimscope.core.text.plurals import counted_noun

GROUPS: dict[str, Callable[[SampleResult], str | None]] = {
    "provider": lambda s: s.key.provider,
    "category": lambda s: s.case.category,
    "difficulty": lambda s: s.case.difficulty,
    "domain": lambda s: s.case.domain,
}
GRADE_COLUMNS = (
    Column("of"),
    Column("grade"),
    Column("average", "right"),
    Column("passed", "right"),
    Column("share", "right"),
    Column("unscored", "right"),
)


def grades(samples: Sequence[SampleResult], pass_grade: PassGrade) -> Iterator[Section]:
    """Averages and pass rates, of all and of each group; nothing without grades."""
    if any(sample.grades for sample in samples):
        rows = [*_grade_rows("all", grade_summary(samples, pass_grade))]
        for by, key in GROUPS.items():
            values = sorted({v for s in samples if (v := key(s)) is not None})
            for value in values if len(values) > 1 else ():
                part = [s for s in samples if key(s) == value]
                found = grade_summary(part, pass_grade)
                rows += _grade_rows(f"{by} {value}", found)
        title = f"Grades (1-5; pass: {bounds_text(pass_grade)})"
        yield Section(line(title), (Table(GRADE_COLUMNS, tuple(rows)),))


def _grade_rows(of: str, found: GradeSummary) -> Iterator[Row]:
    for name in (*GRADES, "overall"):
        one: GradeFigures = getattr(found, name)
        if one.average is None or one.pass_rate is None:
            yield row(of, name, "–", "–", "–", str(one.unscored))
        else:
            passed, share = f"{one.passed} of {one.n}", f"{one.pass_rate:.0%}"
            yield row(of, name, f"{one.average:.2f}", passed, share, str(one.unscored))


def bounds_text(pass_grade: PassGrade) -> str:
    """`4 or more`, or what each grade must reach."""
    if not isinstance(pass_grade, tuple):
        return f"{pass_grade:g} or more"
    faithfulness, completeness = pass_grade
    if faithfulness == completeness:
        return f"{faithfulness:g} or more"
    return f"faithfulness {faithfulness:g}, completeness {completeness:g} or more"


def iterations(found: Iterations) -> Iterator[Section]:
    """Mean and spread; nothing for a run of one iteration."""
    if len(found.iterations) < 2:
        return
    parts = []
    for figure in found.figures:
        if figure.mean is not None:
            sd = "no sd" if figure.sd is None else f"sd {figure.sd:.3f}"
            values = ("-" if v is None else f"{v:.3f}" for v in figure.per_iteration)
            text = f"{figure.name}: {figure.mean:.3f}, {sd} ({', '.join(values)})"
            parts.append(line(text))
    for noise in found.noise:
        text = (
            f"noise floor of {noise.metric}: {noise.floor_mean:.3f} between means of "
            f"{noise.n}, {noise.floor_one:.3f} between two scores of a sample (sd "
            f"within samples {noise.sd:.3f})"
        )
        parts.append(line(text))
    unstable = f"unstable: {len(found.unstable)} of {found.compared} compared"
    parts.append(line(unstable))
    for one in found.unstable:
        words = ", ".join(OUTCOMES[word] for word in one.passed)
        parts.append(line(f"{one.case_id} {one.provider}: {words}", level=1))
    yield list_section(f"Over {len(found.iterations)} iterations", parts)


def failures(found: FailureAnalysis) -> Section:
    """Kinds, patterns and what to do."""
    title = f"Failures: {found.failed} of {found.judged} judged, {found.unscored} "
    return list_section(f"{title}unscored", _failures(found))


def _failures(found: FailureAnalysis) -> Iterator[Prose]:
    for category in found.categories:
        if category.n:
            text = f"{category.name}: {len(category.samples)} of {category.n} graded"
            yield line(text)
    for kind, count in found.kinds.items():
        yield line(f"{FAILURES[FailureKind(kind)]}: {count}")
    for pattern in found.patterns:
        text = (
            f"pattern: {pattern.by} {pattern.value}: {pattern.failed} of {pattern.n} "
            f"failed ({pattern.rate:.0%}, 95% {pattern.low:.0%}-{pattern.high:.0%}; "
            f"base {pattern.base_rate:.0%}, lift {pattern.lift:.2f})"
        )
        yield line(text)
    if found.failed and not found.patterns:
        yield line("no pattern stands out with enough samples")


def advice(found: FailureAnalysis) -> Iterator[Section]:
    """What to do about them; nothing where nothing failed."""
    if found.recommendations:
        yield list_section(
            "What to do",
            (
                line(one.text, Span(f" ({one.evidence})", "faint"))
                for one in found.recommendations
            ),
        )


def since(before: str | None, deltas: Sequence[Delta]) -> Iterator[Section]:
    """Against the previous run of the suite."""
    if before is not None:
        moved = [
            f"{delta.metric}: {delta.delta:+.3f} ({delta.before:.3f}, over "
            f"{delta.n_before} -> {delta.now:.3f}, over {delta.n_now})"
            for delta in deltas
        ]
        told = moved or ["no metric that both runs have"]
        yield list_section(f"Since {before}", map(line, told))


def cost(found: Cost) -> Prose:
    """Tokens, calls, time and money."""
    usage = found.usage
    return line(
        f"Cost: {found.amount:.4f} {found.currency}; "
        f"{counted_noun(usage.calls, 'call')}, "
        f"{usage.prompt_tokens} prompt + {usage.completion_tokens} completion tokens, "
        f"{usage.model_seconds:.1f} s of models, {usage.wall_seconds:.1f} s in all; "
        f"{counted_noun(found.samples, 'sample')}, {found.unscored} unscored"
    )
