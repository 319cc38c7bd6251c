"""What goes to the terminal: only the cells that differ from what it shows.

Textual repaints whole widgets, and each piece of a line with all its colours: 12 KB to
move a cursor in a list. On a slow line that is what one waits for. So the app keeps
what the terminal shows and sends the difference, with no colour said twice.

A terminal that something else has written on can be painted whole again (`forget`).
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from rich.cells import cell_len
from rich.color import ColorSystem
from rich.console import Console
from rich.style import Style
from textual._compositor import ChopsUpdate, CompositorUpdate, LayoutUpdate
from textual.strip import SGR_STYLES, Strip

ANY = "*"
"""What cannot be seen on a space: its ink, and whether it is bold."""
NEAR = 4
"""So many cells of no change are sent again: moving over them costs as much."""
LEAST = 12
"""Spaces that are erased, not written."""
_INKED = frozenset({"4", "7", "9", "21", "51", "52", "53"})
"""Attributes that show on a space: lines, reverse, frames."""
_ENDS = {
    **{"1": "22", "2": "22", "3": "23", "4": "24", "21": "24", "5": "25", "6": "25"},
    **{"7": "27", "8": "28", "9": "29", "51": "54", "52": "54", "53": "55"},
}
"""What takes an attribute back (ECMA-48, 8.3.117)."""
_ERASING = ("xterm", "tmux", "alacritty", "foot", "kitty", "rxvt", "wezterm", "vte")


def erases_in_colour(environment: Mapping[str, str]) -> bool:
    """Whether a terminal is known to leave its background colour where it erases."""
    if "STY" in environment and "TMUX" not in environment:
        return False  # GNU screen leaves black
    return environment.get("TERM", "").startswith(_ERASING) or "TMUX" in environment


class Look(NamedTuple):
    """How a cell looks, as codes of SGR."""

    attributes: frozenset[str] | None = frozenset()
    """None = those that do not show on a space."""
    ink: str = "39"
    paper: str = "49"


class Cell(NamedTuple):
    """One place of the screen; the second place of a wide sign has no text."""

    text: str
    look: Look


Row = list[Cell | None]
"""None: nobody knows what is there."""
Placed = tuple[int, int, Strip]
"""Line, column, what is painted there."""


class Changes(CompositorUpdate):
    """An update that is worked out already."""

    def __init__(self, sequence: str) -> None:
        self.sequence = sequence

    def render_segments(self, console: Console) -> str:
        return self.sequence


class Painter:
    """Knows what a terminal shows, and what to write to change it."""

    def __init__(self, *, erases: bool = False) -> None:
        """erases: see `erases_in_colour`."""
        self._erases = erases
        self._rows: list[Row] = []
        self._size = (0, 0)
        self._looks: dict[Style | None, tuple[Look, Look]] = {}
        self._system: ColorSystem | None = None

    def forget(self) -> None:
        """Nothing is known of the terminal any more: all is painted again."""
        self._rows = []
        self._size = (0, 0)

    def changes(
        self, update: CompositorUpdate, size: tuple[int, int], console: Console
    ) -> CompositorUpdate | None:
        """The update without what is there already; None when nothing is left. size:
        columns, lines of the terminal."""
        if size != self._size:
            self._size = size
            self._rows = [[None] * size[0] for _ in range(size[1])]
        system = console._color_system or ColorSystem.TRUECOLOR
        if system != self._system:
            self._system, self._looks = system, {}
        if isinstance(update, LayoutUpdate):
            placed = _of_layout(update)
        elif isinstance(update, ChopsUpdate):
            placed = _of_chops(update)
        else:
            self.forget()
            return update
        lines = list(placed)
        if any(s.style and s.style._link for _, _, strip in lines for s in strip):
            self.forget()  # links are written as Textual writes them
            return update
        sequence = "".join(self._written(lines))
        return Changes(sequence) if sequence else None

    def _written(self, placed: Iterable[Placed]) -> Iterator[str]:
        width, height = self._size
        wanted: dict[int, Row] = {}
        for y, x, strip in placed:
            if 0 <= y < height:
                if y not in wanted:
                    wanted[y] = list(self._rows[y])
                self._put(wanted[y], x, strip)
        pen = Pen(erases=self._erases)
        for y in sorted(wanted):
            before, after = self._rows[y], wanted[y]
            if before != after:
                yield from _line(y, before, after, pen)
                self._rows[y] = after
        if pen.has_written:
            yield "\x1b[0m"

    def _put(self, row: Row, x: int, strip: Strip) -> None:
        width = len(row)
        for text, style, _ in strip:
            look, blank = self._look(style)
            if text.isascii() and text.isprintable():
                cells = [Cell(sign, blank if sign == " " else look) for sign in text]
                room = max(width - x, 0)
                row[x : x + min(len(cells), room)] = cells[:room]
                x += len(cells)
                continue
            for sign in text:
                size = cell_len(sign)
                if size == 0:
                    _join(row, x, sign)
                elif x < width:
                    row[x] = Cell(sign, look)
                    if size == 2 and x + 1 < width:
                        row[x + 1] = Cell("", look)
                x += size

    def _look(self, style: Style | None) -> tuple[Look, Look]:
        """How a sign and how a space of a style look."""
        known = self._looks.get(style)
        if known is None:
            known = self._looks[style] = _looks(style, self._system)
        return known


def _of_layout(update: LayoutUpdate) -> Iterator[Placed]:
    for y, line in enumerate(update.strips, update.region.y):
        x = update.region.x
        for strip in line:
            yield y, x, strip
            x += strip.cell_length


def _of_chops(update: ChopsUpdate) -> Iterator[Placed]:
    """The parts of lines that Textual would write."""
    for y, begin, end in update.spans:
        ends = update.chop_ends[y]
        for stop, (x, strip) in zip(ends, update.chops[y].items(), strict=False):
            if strip is not None and x <= end and stop > begin:
                yield y, x, strip if stop <= end else strip.crop(0, end - x)


def _join(row: Row, x: int, sign: str) -> None:
    """A sign without width belongs to the one before it."""
    place = x - 1
    while place > 0 and (cell := row[place]) is not None and not cell.text:
        place -= 1
    if 0 <= place < len(row) and (cell := row[place]) is not None:
        row[place] = cell._replace(text=cell.text + sign)


def _looks(style: Style | None, system: ColorSystem | None) -> tuple[Look, Look]:
    if style is None:
        return Look(), Look(None, ANY)
    given = style._attributes & style._set_attributes
    names = frozenset(code for n, code in enumerate(SGR_STYLES) if given & (1 << n))
    ink, paper = "39", "49"
    wanted = system or ColorSystem.TRUECOLOR
    if style.color is not None:
        ink = ";".join(style.color.downgrade(wanted).get_ansi_codes())
    if style.bgcolor is not None:
        paper = ";".join(style.bgcolor.downgrade(wanted).get_ansi_codes(False))
    look = Look(names, ink, paper)
    return look, look if names & _INKED else Look(None, ANY, paper)


# --- one line -------------------------------------------------------------------


class Pen:
    """Writes signs with as few codes as their looks need."""

    def __init__(self, *, erases: bool = False) -> None:
        self._erases = erases
        self.has_written = False
        # Each update ends with the pen as it was when the terminal was switched on.
        self._attributes: frozenset[str] = frozenset()
        self._ink, self._paper = "39", "49"

    def codes(self, look: Look) -> str:
        """What changes the pen to this look."""
        self.has_written = True
        before, wanted = self._attributes, look.attributes
        if wanted is None:
            wanted = before - _INKED
        ends = {_ENDS[code] for code in before - wanted}
        # Bold and dim, for one, end together.
        begun = {c for c in wanted if c not in before or _ENDS[c] in ends}
        parts = [*sorted(ends), *sorted(begun)]
        self._attributes = wanted
        if look.ink not in (ANY, self._ink):
            parts.append(look.ink)
            self._ink = look.ink
        if look.paper != self._paper:
            parts.append(look.paper)
            self._paper = look.paper
        return f"\x1b[{';'.join(parts)}m" if parts else ""

    def write(self, cells: Sequence[Cell | None]) -> Generator[str, None, int]:
        """Signs beside each other, the cursor being at the first; gives how many cells
        it then stands before their end."""
        place = 0
        while place < len(cells):
            cell = cells[place]
            place += 1
            if cell is None:
                continue
            yield self.codes(cell.look)
            blanks = _blanks(cells, place - 1) if self._erases else 0
            if blanks < LEAST:
                yield cell.text
                continue
            place += blanks - 1
            yield f"\x1b[{blanks}X"
            if place == len(cells):
                return blanks  # erasing does not move the cursor
            yield f"\x1b[{blanks}C"
        return 0


def _line(y: int, before: Row, after: Row, pen: Pen) -> Iterator[str]:
    """What makes `after` of `before`."""
    if not (_is_simple(before) and _is_simple(after)):
        # How wide a terminal makes such signs is its own affair: nothing of the line
        # is left to chance.
        spans = list(_known(after))
    else:
        spans = list(_differing(before, after))
    place: int | None = None
    for begin, end in spans:
        if place is None:
            yield f"\x1b[{y + 1};{begin + 1}H"
        elif begin > place:
            yield f"\x1b[{begin - place}C"
        place = end - (yield from pen.write(after[begin:end]))


def _is_simple(row: Row) -> bool:
    """One sign a cell."""
    return all(cell is None or len(cell.text) == 1 for cell in row)


def _differing(before: Row, after: Row) -> Iterator[tuple[int, int]]:
    """Where the two differ; near ones are one."""
    begin = end = -1
    for place, (old, new) in enumerate(zip(before, after, strict=True)):
        if old == new:
            continue
        if begin < 0:
            begin = place
        elif place - end > NEAR or not _is_alike(after, end, place):
            yield begin, end
            begin = place
        end = place + 1
    if begin >= 0:
        yield begin, end


def _is_alike(row: Row, begin: int, end: int) -> bool:
    """Whether cells look like the one before them, so that they need no codes."""
    model = row[begin - 1]
    return model is not None and all(
        cell is not None
        and (
            cell.look == model.look
            or (cell.look.attributes is None and cell.look.paper == model.look.paper)
        )
        for cell in row[begin:end]
    )


def _blanks(cells: Sequence[Cell | None], begin: int) -> int:
    """How many cells from there on are spaces of one background, with nothing on
    them."""
    first = cells[begin]
    if first is None or first.text != " " or first.look.attributes is not None:
        return 0
    end = begin
    while end < len(cells) and cells[end] == first:
        end += 1
    return end - begin


def _known(row: Row) -> Iterator[tuple[int, int]]:
    """Stretches of which it is known what is there."""
    begin = 0
    for place, cell in enumerate([*row, None]):
        if cell is None:
            if begin < place:
                yield begin, place
            begin = place + 1
