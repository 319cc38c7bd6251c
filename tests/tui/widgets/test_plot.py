"""Plots: whatever the values, they lie in the picture, in the signs of the terminal."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimscope.tui.widgets.flow import line_text
from claimscope.tui.widgets.glyphs import ASCII, UNICODE, Glyphs
from claimscope.tui.widgets.plot import Dot, Picture, plot_lines, range_of

SHARES = st.floats(0, 1)


@settings(max_examples=30, deadline=None)
@given(st.lists(SHARES, min_size=1, max_size=8), st.sampled_from([UNICODE, ASCII]))
def test_every_value_is_drawn_once(values: list[float], glyphs: Glyphs) -> None:
    dots = [Dot(n + 1, value) for n, value in enumerate(values)]
    ticks = [(n + 1, str(n + 1)) for n in range(len(values))]
    picture = Picture(dots, (0.5, len(values) + 0.5), range_of(dots, (0, 1)), ticks)
    lines = plot_lines(picture, 76, 12, glyphs)
    pieces = [piece for line in lines for piece in line if "heading" in piece.roles]
    assert sum(len(piece.text) for piece in pieces) == len(values)
    assert len(lines) == 12
    assert all(len(line_text(line)) <= 76 for line in lines)
    if glyphs is ASCII:
        assert "".join(map(line_text, lines)).isascii()


@given(st.lists(st.floats(-1e3, 1e3), min_size=1), st.floats(-1e3, 1e3))
def test_a_range_has_all_values_in_it(values: list[float], low: float) -> None:
    dots = [Dot(n, value, value - 1, value + 1) for n, value in enumerate(values)]
    bottom, top = range_of(dots, (low, low + 1))
    slack = (top - bottom) * 1e-6
    assert bottom - slack <= min(values) - 1
    assert max(values) + 1 <= top + slack


def test_a_small_range_is_not_blown_up() -> None:
    bottom, top = range_of([Dot(1, 0.5), Dot(2, 0.5001)], (0, 1))
    assert top - bottom >= 0.05


@pytest.mark.parametrize(("width", "height"), [(10, 10), (80, 3), (0, 0)])
def test_too_little_room_shows_nothing(width: int, height: int) -> None:
    picture = Picture([Dot(1, 0.5)], (0, 2), (0, 1), [(1, "1")])
    assert plot_lines(picture, width, height, UNICODE) == []


def test_an_interval_stands_through_its_dot() -> None:
    picture = Picture([Dot(1, 0.5, 0.2, 0.8)], (0, 2), (0, 1), [(1, "1")])
    lines = plot_lines(picture, 40, 12, UNICODE)
    column = line_text(next(ln for ln in lines if "●" in line_text(ln))).index("●")
    signs = [line_text(line).ljust(40)[column] for line in lines]
    at = signs.index("●")
    assert signs[at - 1] == signs[at + 1] == "│"
