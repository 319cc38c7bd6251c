"""The runs of a suite in time: figures, and how each moved since the run before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from claimscope.core.analysis.compare.differences import FigureDifference
from claimscope.core.analysis.statistics.intervals import Interval
from claimscope.core.analysis.summary.iterations import PASS_RATE
from claimscope.core.analysis.trends import Point, Trend
from claimscope.core.report.text import minute_of
from claimscope.core.report.view import (
    EMPTY,
    Column,
    Part,
    Prose,
    Row,
    Section,
    Span,
    Table,
    line,
    row,
)
from claimscope.core.report.views.comparison import WIDE, change_text, judgement
from claimscope.core.report.views.spreads import counts_text
from claimscope.core.report.words import interval_text, number
from claimscope.core.text.plurals import counted_noun

ONE_RUN = "One finished run: a trend takes two. n on Home starts another."


@dataclass(frozen=True)
class Step:
    """One figure of one run, and how it moved since the run before."""

    point: Point
    name: str
    value: float | None
    interval: Interval | None
    n: int
    """Samples the figure is over."""
    total: int
    """Samples it applies to."""
    scale: tuple[float, float]
    tier: str | None
    moved: FigureDifference | None
    """None: the first run, or the one before does not have the figure."""


def steps(trend: Trend, figure: str) -> list[Step]:
    """The runs of a trend by one figure: `pass_rate` or a metric."""
    return [step_of(point, figure) for point in trend.points]


def step_of(point: Point, figure: str) -> Step:
    """One figure of a run; without a value where the run does not have it."""
    step = point.step
    if figure == PASS_RATE:
        return Step(
            point=point,
            name=figure,
            value=point.pass_rate,
            interval=point.pass_interval,
            n=point.judged,
            total=point.total_samples,
            scale=(0.0, 1.0),
            tier=None,
            moved=step.pass_rate if step else None,
        )
    mean = next((m for m in point.means if m.metric == figure), None)
    metrics = step.metrics if step else ()
    return Step(
        point=point,
        name=figure,
        value=mean.mean if mean else None,
        interval=mean.interval if mean else None,
        n=mean.n if mean else 0,
        total=mean.total if mean else 0,
        scale=mean.scale if mean else (0.0, 1.0),
        tier=mean.tier if mean else None,
        moved=next((f for f in metrics if f.name == figure), None),
    )


# --- a figure of every run ------------------------------------------------------

RUNS = (
    Column("#", "right", 3),
    Column("begun (UTC)", width=16),
    Column("value", "right", 6),
    Column("95% interval", width=14),
    Column("n", "right", 9),
    Column("change", "right", 7),
)


def run_columns(*, wide: bool) -> tuple[Column, ...]:
    """Of a line a run."""
    if not wide:
        return (*RUNS, Column("since before"))
    changed = Column("not the same as before", least=WIDE)
    return (*RUNS, Column("since before", width=18), changed)


def run_row(number_of: int, step: Step, *, wide: bool) -> Row:
    """One run: its value with interval and n, the move with its verdict."""
    shown = row(
        str(number_of), minute_of(step.point.created), *_figure(step), _since(step)
    )
    if not wide:
        return shown
    since = step.point.step
    changed = ", ".join(change.what for change in since.changes) if since else ""
    return (*shown, Span(changed, "faint"))


def _figure(step: Step) -> Iterator[Span]:
    if step.value is None:
        yield Span("–", "unscored")
    else:
        yield Span(number(step.value, step.scale), "strong")
    yield Span(interval_text(step.interval, step.scale))
    yield Span(f"{step.n}/{step.total}")
    moved = step.moved.difference if step.moved else None
    yield Span(number(moved, step.scale, sign=True))


def _since(step: Step) -> Span:
    since = step.point.step
    if since is None:
        return Span("first run", "faint")
    if not since.pairs:
        return Span("none in common", "unscored", "unscored")
    if step.moved is None:
        return Span("new figure", "unscored", "unscored")
    return judgement(step.moved)


def head(trend: Trend, figure: str, unread: Sequence[str], older: int) -> Prose:
    """Suite, runs, and what is left out."""
    text = f"  {_run_count(trend)}"
    text += f", {older} older (a: all)" if older else ""
    text += f", {len(trend.left_out)} not finished" if trend.left_out else ""
    text += f", {len(unread)} unreadable" if unread else ""
    return line(Span(trend.suite_id, "strong"), text, Span(f"   {figure}", "heading"))


def _run_count(trend: Trend) -> str:
    return counted_noun(len(trend.points), "finished run")


def details(trend: Trend, row_of: int, unread: Sequence[str]) -> Iterator[Prose]:
    """The run under the cursor and what makes it less comparable."""
    point = trend.points[row_of]
    yield line(Span(f"{row_of + 1}  run {point.run_id}", "strong"), *_since_run(point))
    yield from _changed(point)
    if len(trend.points) == 1:
        yield line(Span(ONE_RUN, "faint"))
    for problem in unread:
        yield line(Span("", "contradicted", "contradicted"), problem)


def _since_run(point: Point) -> Iterator[Span]:
    unscored = point.samples - point.judged
    yield Span(f"  {point.passed} of {point.judged} passed, {unscored} unscored")
    if point.step is not None:
        text = (
            f"; {counted_noun(point.step.pairs, 'sample')} in common with the "
            f"run before"
        )
        text += f", {counted_noun(point.step.answers_changed, 'answer')} changed"
        yield Span(text, "faint")


def _changed(point: Point) -> Iterator[Prose]:
    if point.step is not None and point.step.changes:
        changes = "; ".join(map(change_text, point.step.changes))
        head = "not the same as before: "
        yield line(Span(head, "not_enough_info", "disputed"), changes)


# --- every figure of every run --------------------------------------------------

FIGURES = (
    Column("figure"),
    Column("value", "right"),
    Column("95% interval"),
    Column("n", "right"),
    Column("change", "right", is_optional=True),
    Column("since before", is_optional=True),
    Column("tier", is_optional=True),
    Column("samples by tier", is_optional=True),
)


def trend_view(
    trend: Trend, metrics: Sequence[str] = (), domain: str | None = None
) -> Iterator[Part]:
    """Run by run, oldest first; of `metrics` only, when any is named."""
    of = f" with domain {domain}" if domain else ""
    yield line(f"suite {trend.suite_id}: {_run_count(trend)}{of}")
    for point in trend.points:
        yield line()
        yield Section(
            line(f"{point.run_id}  {point.created[:16]}", *_since_run(point)),
            (*_changed(point), _table(point, metrics)),
        )
    if trend.left_out:
        yield line()
        yield line(f"not finished, not counted: {', '.join(trend.left_out)}")


def _table(point: Point, metrics: Sequence[str]) -> Table:
    names = [
        mean.metric
        for mean in point.means
        if mean.total and (not metrics or mean.metric in metrics)
    ]
    tiers = {spread.metric: counts_text(spread) for spread in point.spreads}
    return Table(
        FIGURES,
        tuple(
            row(
                name,
                *_figure(step),
                _since(step) if point.step is not None else EMPTY,
                step.tier or "",
                tiers.get(name, ""),
            )
            for name in (PASS_RATE, *names)
            for step in [step_of(point, name)]
        ),
    )
