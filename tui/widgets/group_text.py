"""The figures of a group of samples in one line: never a mean without its n."""

from __future__ import annotations

from claimscope.core.analysis.statistics.intervals import Interval
from claimscope.core.analysis.summary.summary import Group, Mean
from claimscope.tui.widgets.flow import Paragraph, Piece, para, safe_piece
from claimscope.tui.widgets.glyphs import Glyphs


def group_line(group: Group, glyphs: Glyphs, width: int) -> Paragraph:
    """Name, outcomes, pass rate, and as many means as fit."""
    pieces = [
        safe_piece(f"{group.name}  ", "strong"),
        Piece(f"{glyphs.supported}{group.passed} ", "supported"),
        Piece(f"{glyphs.contradicted}{group.failed} ", "contradicted"),
        Piece(f"{glyphs.unscored}{group.unscored} ", "unscored"),
        Piece(f"of {group.samples}"),
    ]
    used = sum(len(piece.text) for piece in pieces)
    means = [mean for mean in group.means if mean.total]
    for forms in ((_rate(group),), *map(_forms, means)):
        text = next((t for t in forms if used + len(t) + 2 <= width), None)
        if text is None:
            break
        used += len(text) + 2
        pieces.append(Piece(f"  {text}"))
    return para(*pieces)


def _forms(mean: Mean) -> tuple[str, str]:
    """In full, and without the interval: what is not of n was unscored."""
    short = mean_text(mean.model_copy(update={"interval": None}))
    return mean_text(mean), short.replace(f", {mean.unscored} unscored", "")


def _rate(group: Group) -> str:
    if group.pass_rate is None:
        return "pass_rate unscored"
    rate = f"{group.pass_rate:.0%}"
    if group.pass_interval is None:
        return f"pass_rate {rate}"
    low, high = group.pass_interval.low, group.pass_interval.high
    return f"pass_rate {rate} [{low * 100:.0f}-{high * 100:.0f}]"


def mean_text(mean: Mean) -> str:
    """`claim_support 0.83 [0.78-0.88] (20 of 24, 4 unscored)`."""
    digits = 2 if mean.scale[1] <= 1 else 1
    if mean.mean is None:
        value = "unscored"
    else:
        value = f"{mean.mean:.{digits}f}{_interval(mean.interval, digits)}"
        value += f" {mean.tier}" if mean.tier else ""
    unscored = f", {mean.unscored} unscored" if mean.unscored else ""
    return f"{mean.metric} {value} ({mean.n} of {mean.total}{unscored})"


def _interval(interval: Interval | None, digits: int) -> str:
    if interval is None:
        return ""
    return f" [{interval.low:.{digits}f}-{interval.high:.{digits}f}]"
