"""Plots: plotext draws on its canvas, the theme gives the colours.

Plotext's own colours are fixed shades, which 16 colours and NO_COLOR cannot show; so
only its signs are taken, and each gets a role as every other text does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from math import ceil, floor, log10

from textual import events
from textual.geometry import Region, Size
from textual.strip import Strip
from textual.widget import Widget

from claimscope.tui.widgets.flow import Line, Piece
from claimscope.tui.widgets.glyphs import UNICODE, Glyphs
from claimscope.tui.widgets.styled import CLASSES, strip_of

LEAST_WIDTH, LEAST_HEIGHT = 24, 5
"""Below, a plot shows nothing that can be read."""
ROOM = 0.05
"""Share of the range left free above and below."""
TICKS = 6
"""Steps of the vertical axis, about."""
NARROWEST = 0.05
"""Of the scale: a smaller range would make noise look like a mountain."""
_PLAIN = str.maketrans("─│┌┐└┘├┤┬┴┼", "-|+++++++++")
_AXES = "─│┌┐└┘├┤┬┴┼"


@dataclass(frozen=True)
class Dot:
    """A value with its interval at a place on the horizontal axis."""

    x: float
    y: float
    low: float | None = None
    high: float | None = None
    sign: str = ""
    """In place of the usual one."""
    role: str = "heading"


@dataclass(frozen=True)
class Picture:
    """What a plot shows."""

    dots: Sequence[Dot]
    x_range: tuple[float, float]
    y_range: tuple[float, float]
    x_ticks: Sequence[tuple[float, str]]
    diagonal: bool = False
    """Draws y = x, where a calibrated judge would lie."""
    is_joined: bool = True


def range_of(dots: Sequence[Dot], scale: tuple[float, float]) -> tuple[float, float]:
    """The part of a scale that dots and their intervals lie in, with some room."""
    ends = [v for dot in dots for v in (dot.y, dot.low, dot.high) if v is not None]
    if not ends:
        return scale
    low, high = min(ends), max(ends)
    least = (scale[1] - scale[0]) * NARROWEST
    room = max((high - low) * ROOM, (least - (high - low)) / 2)
    # A metric of another package may give values outside its scale.
    bottom = max(low - room, min(scale[0], low))
    top = min(high + room, max(scale[1], high))
    if top <= bottom:
        return bottom - 1, top + 1
    step = step_of(bottom, top)
    return floor(bottom / step + 1e-9) * step, ceil(top / step - 1e-9) * step


def step_of(low: float, high: float) -> float:
    """A step of 1, 2 or 5 times a power of ten that divides a range in about TICKS."""
    rough = (high - low) / TICKS
    power = 10.0 ** floor(log10(rough))
    return next(n * power for n in (1, 2, 5, 10) if n * power >= rough * 0.99)


def load_canvas() -> None:
    """Imports plotext, which takes a moment: to be called in a thread."""
    import_module("textual_plotext")


def plot_lines(picture: Picture, width: int, height: int, glyphs: Glyphs) -> list[Line]:
    """`height` lines of `width` cells; none where there is too little room."""
    if width < LEAST_WIDTH or height < LEAST_HEIGHT or not picture.dots:
        return []
    from textual_plotext import Plot

    plot = Plot()
    plot.theme("clear")
    plot.plotsize(width, height)
    plot._set_size(width, height)  # plotsize goes no further than the terminal
    plot.xlim(*picture.x_range)
    plot.ylim(*picture.y_range)
    plot.xticks([x for x, _ in picture.x_ticks], [word for _, word in picture.x_ticks])
    low, high = picture.y_range
    step = step_of(low, high)
    ticks = [low + n * step for n in range(round((high - low) / step) + 1)]
    places = max(0, -floor(log10(step) + 1e-9))
    plot.yticks(ticks, [f"{tick:.{places}f}" for tick in ticks])
    plot.xaxes(True, False)
    plot.yaxes(True, False)
    light = glyphs.skipped
    if picture.diagonal:
        ends = list(picture.x_range)
        plot.plot(ends, ends, marker=light)
    if picture.is_joined:
        plot.plot(
            [dot.x for dot in picture.dots],
            [dot.y for dot in picture.dots],
            marker=light,
        )
    for dot in picture.dots:
        if dot.low is not None and dot.high is not None:
            plot.plot([dot.x, dot.x], [dot.low, dot.high], marker="│")
    for dot in picture.dots:
        plot.scatter([dot.x], [dot.y], marker=dot.sign or glyphs.point)
    text = plot.uncolorize(plot.build())
    signs = {dot.sign or glyphs.point: dot.role for dot in picture.dots}
    lines = text.rstrip("\n").split("\n")
    return [_line(line, signs, glyphs) for line in lines[:height]]


def _line(text: str, signs: dict[str, str], glyphs: Glyphs) -> Line:
    """Pieces of one role each: values, intervals, all the rest."""
    pieces: list[Piece] = []
    axis = next((n for n, sign in enumerate(text) if sign in _AXES), len(text))
    for n, sign in enumerate(text):
        role = "dim"
        if n > axis and text[axis] in "┤│":
            role = signs.get(sign, "citation" if sign == "│" else "dim")
        if glyphs is not UNICODE:
            sign = sign.translate(_PLAIN)
        if pieces and pieces[-1].roles == role:
            pieces[-1] = Piece(pieces[-1].text + sign, role)
        else:
            pieces.append(Piece(sign, role))
    return tuple(pieces)


class PlotPane(Widget):
    """Shows a picture in the room there is; repaints the lines that changed."""

    COMPONENT_CLASSES = CLASSES
    ALLOW_MAXIMIZE = False

    def __init__(
        self, glyphs: Glyphs, *, id: str | None = None, classes: str | None = None
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._glyphs = glyphs
        self._picture: Picture | None = None
        self._empty = ""
        self._lines: list[Line] = []

    def show(self, picture: Picture | None, empty: str = "") -> None:
        """empty: said where there is nothing to draw."""
        self._picture, self._empty = picture, empty
        self._draw()

    def _draw(self) -> None:
        before, size = self._lines, self.content_size
        self._lines = []
        if self._picture is not None:
            self._lines = plot_lines(
                self._picture, size.width, size.height, self._glyphs
            )
        if not self._lines:
            self._lines = [(Piece(self._empty, "dim"),)]
        for y in range(max(len(before), len(self._lines))):
            old = before[y] if y < len(before) else ()
            new = self._lines[y] if y < len(self._lines) else ()
            if old != new:
                self.refresh(Region(0, y, size.width, 1))

    def on_resize(self, event: events.Resize) -> None:
        self._draw()
        self.refresh()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self._lines)

    def render_line(self, y: int) -> Strip:
        line = self._lines[y] if y < len(self._lines) else ()
        return strip_of(self, line, self.content_size.width)
