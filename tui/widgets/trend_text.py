"""A trend as the screen shows it: a plot of one figure, and a line a run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from claimscope.core.analysis.compare.differences import Figure
from claimscope.core.analysis.statistics.intervals import Interval
from claimscope.core.analysis.summary.iterations import PASS_RATE
from claimscope.core.analysis.trends import Point, Trend
from claimscope.core.report.comparison_text import change_text
from claimscope.tui.widgets.comparison_text import interval, judgement, number
from claimscope.tui.widgets.flow import Paragraph, Piece, para, said
from claimscope.tui.widgets.glyphs import Glyphs
from claimscope.tui.widgets.plot import Dot, Picture, range_of
from claimscope.tui.widgets.table import Column

ONE_RUN = "One finished run: a trend takes two. n on Home starts another."
LEAST_GAP = 6
"""Columns between the numbers below a plot."""


@dataclass(frozen=True)
class Step:
    """One figure of one run, and how it moved since the run before."""

    point: Point
    value: float | None
    interval: Interval | None
    n: int
    """Samples the figure is over."""
    total: int
    """Samples it applies to."""
    scale: tuple[float, float]
    moved: Figure | None
    """None: the first run, or the one before does not have the figure."""


def steps(trend: Trend, figure: str) -> list[Step]:
    """The runs of a trend by one figure: `pass_rate` or a metric."""
    return [_step(point, figure) for point in trend.points]


def _step(point: Point, figure: str) -> Step:
    step = point.step
    if figure == PASS_RATE:
        return Step(
            point=point,
            value=point.pass_rate,
            interval=point.pass_interval,
            n=point.judged,
            total=point.total_samples,
            scale=(0.0, 1.0),
            moved=step.pass_rate if step else None,
        )
    mean = next((m for m in point.means if m.metric == figure), None)
    metrics = step.metrics if step else ()
    return Step(
        point=point,
        value=mean.mean if mean else None,
        interval=mean.interval if mean else None,
        n=mean.n if mean else 0,
        total=mean.total if mean else 0,
        scale=mean.scale if mean else (0.0, 1.0),
        moved=next((f for f in metrics if f.name == figure), None),
    )


def picture(
    shown: Sequence[Step], chosen: int, width: int, glyphs: Glyphs
) -> Picture | None:
    """Values with their intervals, numbered as in the table; None without a value."""
    dots = []
    for n, step in enumerate(shown):
        if step.value is None:
            continue
        low, high = (
            (step.interval.low, step.interval.high) if step.interval else (None, None)
        )
        sign, role = _mark(step, glyphs)
        if n == chosen:
            sign, role = glyphs.chosen, f"{role} current"
        dots.append(Dot(n + 1, step.value, low, high, sign, role))
    if not dots:
        return None
    scale = next(step.scale for step in shown if step.value is not None)
    every = max(1, -(-len(shown) * LEAST_GAP // max(width, 1)))
    ticks = [(n, str(n)) for n in range(1, len(shown) + 1, every)]
    ends = (0.5, len(shown) + 0.5)
    return Picture(dots, ends, range_of(dots, scale), ticks)


def _mark(step: Step, glyphs: Glyphs) -> tuple[str, str]:
    """A move beyond noise has a sign of its own."""
    if step.moved is None or step.moved.within_noise or not step.moved.difference:
        return glyphs.point, "heading"
    verdict = judgement(step.moved, glyphs)
    return verdict.text.split()[0], verdict.roles


# --- table --------------------------------------------------------------------


def columns(*, wide: bool) -> list[Column]:
    """Of a line a run."""
    fixed = [
        Column("#", 3, "right"),
        Column("begun (UTC)", 16),
        Column("value", 6, "right"),
        Column("95% interval", 14),
        Column("n", 9, "right"),
        Column("change", 7, "right"),
    ]
    if not wide:
        return [*fixed, Column("since before")]
    return [*fixed, Column("since before", 18), Column("not the same as before")]


def cells(number_of: int, step: Step, glyphs: Glyphs, *, wide: bool) -> list[Piece]:
    """One run: its value with interval and n, the move with its verdict."""
    moved = step.moved.difference if step.moved else None
    value = (
        f"{glyphs.unscored}" if step.value is None else number(step.value, step.scale)
    )
    shown = [
        Piece(str(number_of)),
        Piece(step.point.created.replace("T", " ")[:16]),
        Piece(value, "unscored" if step.value is None else "strong"),
        Piece(interval(step.interval, step.scale)),
        Piece(f"{step.n}/{step.total}"),
        Piece("" if moved is None else number(moved, step.scale, sign=True)),
        _since(step, glyphs),
    ]
    if wide and step.point.step is not None:
        changed = ", ".join(change.what for change in step.point.step.changes)
        shown.append(said(changed, "dim"))
    return shown


def _since(step: Step, glyphs: Glyphs) -> Piece:
    if step.point.step is None:
        return Piece("first run", "dim")
    if not step.point.step.pairs:
        return Piece(f"{glyphs.unscored} none in common", "unscored")
    if step.moved is None:
        return Piece(f"{glyphs.unscored} new figure", "unscored")
    return judgement(step.moved, glyphs)


# --- lines around -------------------------------------------------------------


def head(trend: Trend, figure: str, unread: Sequence[str], older: int) -> Paragraph:
    """Suite, runs, and what is left out."""
    count = len(trend.points)
    text = f"  {count} finished run{'' if count == 1 else 's'}"
    text += f", {older} older (a: all)" if older else ""
    text += f", {len(trend.left_out)} not finished" if trend.left_out else ""
    text += f", {len(unread)} unreadable" if unread else ""
    return para(
        said(trend.suite_id, "strong"), Piece(text), said(f"   {figure}", "heading")
    )


def details(
    trend: Trend, row: int, unread: Sequence[str], glyphs: Glyphs
) -> Iterator[Paragraph]:
    """The run under the cursor and what makes it less comparable."""
    point = trend.points[row]
    yield para(said(f"{row + 1}  run {point.run_id}", "strong"), *_since_run(point))
    if point.step is not None and point.step.changes:
        changes = "; ".join(map(change_text, point.step.changes))
        yield para(
            Piece(f"{glyphs.disputed} not the same as before: ", "not_enough_info"),
            said(changes),
            hanging=2,
        )
    if len(trend.points) == 1:
        yield para(Piece(ONE_RUN, "dim"))
    for problem in unread:
        yield para(
            Piece(f"{glyphs.contradicted} ", "contradicted"), said(problem), hanging=2
        )


def _since_run(point: Point) -> Iterator[Piece]:
    unscored = point.samples - point.judged
    yield Piece(f"  {point.passed} of {point.judged} passed, {unscored} unscored")
    if point.step is not None:
        step = point.step
        text = f"; {step.pairs} samples in common with the run before"
        yield Piece(f"{text}, {step.answers_changed} answers changed", "dim")
