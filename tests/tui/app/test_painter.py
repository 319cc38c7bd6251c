"""What is sent makes a terminal show what Textual painted, and little is sent."""

from __future__ import annotations

import io

import pyte
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual._compositor import ChopsUpdate, CompositorUpdate, LayoutUpdate
from textual.geometry import Region
from textual.strip import Strip

from claimscope.tui.app.painter import Painter, erases_in_colour

WIDTH, HEIGHT = 20, 3
STYLES = [
    Style.parse(text)
    for text in (
        "#d8dce2 on #14171c",
        "bold #e7746a on #14171c",
        "dim #d8dce2 on #14171c",
        "reverse #d8dce2 on #14171c",
        "underline #7aa2d6 on #303a4b",
        "italic",
    )
]
CONSOLE = Console(
    file=io.StringIO(), force_terminal=True, color_system="truecolor", width=WIDTH
)
NARROW = "ab  ✔━…é"


@st.composite
def strips(draw: st.DrawFn, width: int = WIDTH, signs: str = NARROW) -> Strip:
    """A line of that width in pieces of several looks."""
    texts = st.text(st.sampled_from(signs), min_size=1, max_size=WIDTH)
    pieces = draw(st.lists(st.tuples(texts, st.sampled_from(STYLES)), max_size=4))
    strip = Strip([Segment(text, style) for text, style in pieces])
    return strip.adjust_cell_length(width, draw(st.sampled_from(STYLES)))


def screens(signs: str = NARROW) -> st.SearchStrategy[list[Strip]]:
    return st.lists(strips(signs=signs), min_size=HEIGHT, max_size=HEIGHT)


wide_screens = screens(NARROW + "水😀")
parts = st.integers(0, WIDTH - 5)


def layout(lines: list[Strip]) -> CompositorUpdate:
    return LayoutUpdate([[line] for line in lines], Region(0, 0, WIDTH, HEIGHT))


def part(y: int, x: int, strip: Strip) -> CompositorUpdate:
    """One piece of a line, as Textual writes it."""
    end = x + strip.cell_length
    chops: list[dict[int, Strip | None]] = [{} for _ in range(HEIGHT)]
    ends: list[list[int]] = [[] for _ in range(HEIGHT)]
    chops[y], ends[y] = {0: None, x: strip, end: None}, [x, end, WIDTH]
    if x == 0:
        chops[y], ends[y] = {0: strip, end: None}, [end, WIDTH]
    return ChopsUpdate(chops, [(y, x, end)], ends)


def terminal() -> tuple[pyte.Screen, pyte.Stream]:
    screen = pyte.Screen(WIDTH, HEIGHT)
    screen.reset_mode(pyte.modes.DECAWM)
    return screen, pyte.Stream(screen)


def shown(screen: pyte.Screen) -> list[list[object]]:
    """Each cell; the ink of a space that shows none is left out."""
    cells = []
    for y in range(HEIGHT):
        row: list[object] = []
        for x in range(WIDTH):
            cell = screen.buffer[y][x]
            if cell.data == " " and not (cell.reverse or cell.underscore):
                row.append((" ", cell.bg))
            else:
                row.append(cell)
        cells.append(row)
    return cells


def send(painter: Painter, stream: pyte.Stream, update: CompositorUpdate) -> int:
    changes = painter.changes(update, (WIDTH, HEIGHT), CONSOLE)
    text = changes.render_segments(CONSOLE) if changes else ""
    stream.feed(text)
    return len(text.encode())


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.one_of(
            screens().map(layout),
            st.builds(part, st.integers(0, HEIGHT - 1), parts, strips(width=5)),
        ),
        max_size=5,
    ),
    screens(),
    st.booleans(),
)
def test_a_terminal_shows_what_was_painted(
    updates: list[CompositorUpdate], first: list[Strip], erases: bool
) -> None:
    check([layout(first), *updates], erases=erases)


@settings(max_examples=60, deadline=None)
@given(st.lists(wide_screens.map(layout), min_size=1, max_size=4))
def test_wide_signs_are_shown_as_they_were_painted(
    updates: list[CompositorUpdate],
) -> None:
    check(updates)


def check(updates: list[CompositorUpdate], *, erases: bool = False) -> None:
    """A terminal that gets differences and one that gets it all show the same."""
    ours, stream = terminal()
    theirs, whole = terminal()
    painter = Painter(erases=erases)
    for update in updates:
        send(painter, stream, update)
        whole.feed(update.render_segments(CONSOLE).replace("\n", ""))
        assert shown(ours) == shown(theirs)
        assert send(painter, stream, update) == 0


def test_what_comes_behind_erased_blanks_is_in_its_place() -> None:
    """Erasing does not move the cursor; the next change on the line is counted from
    where it stands."""
    lines = [
        Strip([Segment(text.ljust(WIDTH, "."), STYLES[0])])
        for text in ("c" * 12 + "defghiX", " " * 12 + "defghiY")
    ]
    check([layout([line] * HEIGHT) for line in lines], erases=True)


def test_one_sign_costs_a_few_bytes() -> None:
    _, stream = terminal()
    painter = Painter()
    line = Strip([Segment("abcdefghijklmnopqrst", STYLES[0])])
    assert send(painter, stream, layout([line] * HEIGHT)) > 60
    other = Strip([Segment("abcdeXghijklmnopqrst", STYLES[0])])
    assert send(painter, stream, layout([line, other, line])) < 60


@pytest.mark.parametrize(
    ("environment", "erases"),
    [
        ({"TERM": "xterm-256color"}, True),
        ({"TERM": "screen", "STY": "1.pts"}, False),
        ({"TERM": "screen-256color", "TMUX": "/run/tmux,1,0"}, True),
        ({"TERM": "vt100"}, False),
        ({}, False),
    ],
)
def test_only_terminals_that_keep_their_colour_are_erased(
    environment: dict[str, str], erases: bool
) -> None:
    assert erases_in_colour(environment) is erases


def test_what_was_forgotten_is_painted_again() -> None:
    screen, stream = terminal()
    painter = Painter()
    lines = [Strip([Segment("abcdefghijklmnopqrst", STYLES[0])])] * HEIGHT
    send(painter, stream, layout(lines))
    before = shown(screen)
    stream.feed("\x1b[1;1Hsomebody wrote here")
    assert shown(screen) != before
    painter.forget()
    send(painter, stream, layout(lines))
    assert shown(screen) == before
