"""A plot of one figure of a trend, a dot a run."""

from __future__ import annotations

from collections.abc import Sequence

from claimscope.core.report.views.comparison import judgement
from claimscope.core.report.views.trends import Step
from claimscope.tui.widgets.glyphs import Glyphs
from claimscope.tui.widgets.plot import Dot, Picture, range_of
from claimscope.tui.widgets.rendered import piece

LEAST_GAP = 6
"""Columns between the numbers below a plot."""


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
    verdict = piece(judgement(step.moved), glyphs)
    return verdict.text.split()[0], verdict.roles
