"""The leaves of a printed document as one text: headings and tables as in Markdown,
running titles dropped, cut words joined, a blank line where a paragraph ends.

A PDF knows glyphs and places, not paragraphs. Without this a heading runs into the
sentence below it, a word is cut in two, a value loses its row and its column, and the
name of the journal stands in the middle of a claim's evidence.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from claimscope.stores.pages.layout.aligned import MOST_HEADS, with_tables
from claimscope.stores.pages.layout.leaves import Cell, Grid, Leaf
from claimscope.stores.pages.layout.words import YEAR, Line, room_for, top_of
from claimscope.stores.pages.markup.tables import TableRow, write_table

LARGER = 1.12
"""Times the usual size that a heading is printed in, at least."""
LONGEST_HEAD = 120
"""Characters of a heading."""
DEEPEST = 6
"""Level of a heading."""
APART = 1.35
"""Times the usual distance of two lines at which a paragraph ends."""
KNOWN_WORD = 2.5
"""How often a word is used, at least, that is one: of 10⁹ words the logarithm."""
NEAR = 8
"""Lines before and after one that show how wide its column is."""
ROOM = 0.6
"""Font sizes of white space before a word that would have had room."""
APART_TITLE = 0.8
"""Font sizes between the number of a leaf and its text, at least."""
_EDGE = 2
"""Lines at the head and foot of a leaf that may be running titles."""
# Begins where letters begin, and gives none back: in a long run of letters each would
# otherwise be tried as the first, and each to the end of the run.
_CUT = re.compile(r"(?<![^\W\d_])([^\W\d_]{2,}+)[-\u2010\u00ad]\n([a-zà-ÿ]{2,})")
_WHOLE = re.compile(r"(?<!\w)([^\W\d_]{2,}+)(?=-([^\W\d_]{2,}+)(?!\w))")
_DIGITS = re.compile(r"\d+")
_NUMBERED = re.compile(
    r"(?i)[–—-]?\s*(?:page|p\.|seite)?\s*\d{1,3}\s*(?:(?:of|/)\s*\d{1,4})?\s*[–—-]?"
)
"""The number of a leaf."""
_ENDS = re.compile(r"[.!?:;…。！？][\"”’)\]]*(?:\s*\[\d+\])?$")
_OPENS = re.compile(r"[\"“‘(\[]?[A-Z0-9À-Þ•‣▪–-]")
_ITEM = re.compile(r"(?:[•‣◦▪·–*-]|\(?\d{1,3}[.)]|\(?[a-z]\))\s")
_SENTENCES = re.compile(r"[a-z]{3}[.!?]\s+[A-Z]")
_LETTER = re.compile(r"[^\W\d_]")

Look = tuple[bool, str]
"""Is bold, and colour."""


def text_of(leaves: Sequence[Leaf]) -> str:
    """One text; "" when nothing is printed on them."""
    parts = [list(with_tables(leaf.parts, leaf.rules)) for leaf in leaves]
    usual = _usual_size(parts)
    parts = _with_whole_tables(_without_running_titles(parts, usual))
    lines = [part for leaf in parts for part in leaf if isinstance(part, Line)]
    levels = _heading_levels(lines, usual)
    blocks: list[str] = []
    run: list[Line] = []
    for part in (part for leaf in parts for part in leaf):
        if isinstance(part, Line):
            run.append(part)
            continue
        blocks += _read_lines(run, levels, before_table=True)
        blocks += write_table(list(_table_rows(part)))
        run = []
    blocks += _read_lines(run, levels)
    return join_cut_words("\n\n".join(blocks)).strip()


def _usual_size(parts: Sequence[Sequence[Line | Grid]]) -> float:
    """The size of most characters."""
    sizes: Counter[float] = Counter()
    for line in _all_lines(parts):
        for word in line.words:
            sizes[word.style.size] += len(word.text)
    return max(sizes, key=lambda size: (sizes[size], -size), default=10.0)


def _all_lines(parts: Sequence[Sequence[Line | Grid]]) -> Iterator[Line]:
    for leaf in parts:
        for part in leaf:
            if isinstance(part, Line):
                yield part
            else:
                yield from _lines_in(part)


def _without_running_titles(
    leaves: Sequence[Sequence[Line | Grid]], usual: float
) -> list[list[Line | Grid]]:
    """Without numbers of leaves, set apart at their edges, and lines, digits aside,
    that stand at the edge of most leaves, of three or more; of two, the same ones."""
    edges = [_edge_of(leaf, usual, len(leaves)) for leaf in leaves]
    full = [edge for edge in edges if edge.is_full]
    if len(full) == 2:
        repeated = {
            mask
            for mask, line in full[0].masks.items()
            if mask in full[1].masks
            and line.size <= usual
            and _are_numbered(line, full[1].masks[mask])
        }
    else:
        seen = Counter(mask for edge in full for mask in edge.masks)
        least = len(full) // 2 + 1
        repeated = {x for x, count in seen.items() if count >= least and len(full) > 2}
    return [
        [
            part
            for part in leaf
            if not isinstance(part, Line)
            or (
                id(part) not in edge.numbers
                and not (id(part) in edge.lines and _mask(part) in repeated)
            )
        ]
        for leaf, edge in zip(leaves, edges, strict=True)
    ]


def _are_numbered(line: Line, other: Line) -> bool:
    """Whether two lines say the same at one height, or one number more."""
    ours, theirs = (
        [int(one) for one in _DIGITS.findall(x.text)] for x in (line, other)
    )
    steps = [b - a for a, b in zip(ours, theirs, strict=True) if a != b]
    return steps in ([], [1]) and abs(line.top - other.top) < line.size


@dataclass(frozen=True)
class _Edges:
    """What stands at the head and the foot of a leaf."""

    lines: frozenset[int]
    """Ids of the lines there, of which none is part of a table."""
    masks: dict[str, Line]
    """The same by what they say, digits aside."""
    numbers: frozenset[int]
    """Ids of those that are only the number of a leaf, apart from the text."""
    is_full: bool
    """There is text between."""


def _edge_of(leaf: Sequence[Line | Grid], usual: float, count: int) -> _Edges:
    lines = sorted((one for one in leaf if isinstance(one, Line)), key=top_of)
    below = [one for part in leaf if isinstance(part, Grid) for one in _lines_in(part)]
    edge = [*lines[:_EDGE], *lines[-_EDGE:]]
    numbers = set()
    for one in (*lines[:1], *lines[-1:]):
        near = min(
            (
                max(other.top - one.bottom, one.top - other.bottom)
                for other in (*lines, *below)
                if other is not one
            ),
            default=0.0,
        )
        is_plain = one.size <= usual and not one.is_bold
        is_apart = near > APART_TITLE * one.size
        if is_plain and is_apart and _is_number_of_leaf(one.text.strip(), count):
            numbers.add(id(one))
    return _Edges(
        frozenset(map(id, edge)),
        {_mask(one): one for one in edge},
        frozenset(numbers),
        len(lines) + len(below) > 2 * _EDGE,
    )


def _is_number_of_leaf(text: str, count: int) -> bool:
    if _NUMBERED.fullmatch(text) is None:
        return False
    number = int(_DIGITS.findall(text)[0])
    return count > 1 or number == 1 or not text.strip("–—- ").isdigit()


def _lines_in(grid: Grid) -> Iterator[Line]:
    for row in grid.rows:
        for cell in row:
            yield from cell.lines


def _mask(line: Line) -> str:
    return _DIGITS.sub("#", line.text)


def _with_whole_tables(
    leaves: Sequence[Sequence[Line | Grid]],
) -> list[list[Line | Grid]]:
    """A table that goes on at the head of the next leaf is one."""
    found: list[list[Line | Grid]] = []
    for leaf in leaves:
        parts = list(leaf)
        last = found[-1][-1] if found and found[-1] else None
        first = parts[0] if parts else None
        if (
            isinstance(last, Grid)
            and isinstance(first, Grid)
            and last.columns == first.columns
        ):
            same = _texts(first.rows[0]) == _texts(last.rows[0])
            if same or not _head_rows(first.rows, first.columns):
                rows = (*last.rows, *first.rows[same:])
                found[-1][-1] = Grid(rows, last.columns, last.heads)
                parts = parts[1:]
        if parts or not found:
            found.append(parts)
    return found


def _texts(row: Sequence[Cell]) -> list[str]:
    return [cell.text for cell in row]


def _table_rows(grid: Grid) -> Iterator[TableRow]:
    """The rows of a table, what spans several columns said in each of them."""
    heads = grid.heads or _head_rows(grid.rows, grid.columns)
    looks = _looks_of(grid.rows[heads:])
    for number, row in enumerate(grid.rows):
        filled = [cell for cell in row if cell.lines]
        if not filled:
            continue
        is_across = len(filled) == 1 and filled[0].first == 0
        is_section = is_across and (filled[0].last > 0 or _is_set_off(row, looks))
        cells = _row_texts(filled, grid.columns)
        yield TableRow(tuple(cells), number < heads, is_section and number >= heads)


def _row_texts(row: Sequence[Cell], columns: int) -> list[str]:
    """What stands in each column. Where two cells of a row reach into one, each is said
    in its first column alone."""
    reach = Counter(place for cell in row for place in range(cell.first, cell.last + 1))
    found: list[list[str]] = [[] for _ in range(columns)]
    for cell in row:
        text = join_cut_words(cell.text).replace("\n", " ")
        places = range(cell.first, cell.last + 1)
        is_alone = all(reach[place] == 1 for place in places)
        for place in places if is_alone else places[:1]:
            found[place].append(text)
    return [" ".join(texts) for texts in found]


def _head_rows(rows: Sequence[Sequence[Cell]], columns: int) -> int:
    """How many rows are heads: those printed otherwise than all others; or one that
    has nothing in its first column, has words over figures, or years."""
    for count in range(min(MOST_HEADS, len(rows) - 1), 0, -1):
        looks = {look for row in rows[:count] for look in _looks(row)}
        others = {look for row in rows[count:] for look in _looks(row[1:])}
        are_wide = all(
            sum(bool(cell.lines) for cell in row) > 1 for row in rows[:count]
        )
        if len(looks) == 1 and others and looks.isdisjoint(others) and are_wide:
            return count
    first, second = ([cell for cell in row if cell.lines] for row in rows[:2])
    if len(first) < 2 or not second or second[0].first > 0:
        return 0
    if first[0].first > 0:
        return int(len(first) == columns - 1)
    texts = [cell.text for cell in first]
    if all(YEAR.fullmatch(text) for text in texts[1:]) and len(texts) > 2:
        return 1
    if any(_DIGITS.search(text) for text in texts) or 3 * len(texts) < 2 * columns:
        return 0
    return int(any(_has_figures(rows[1:], column) for column in range(1, columns)))


def _has_figures(rows: Sequence[Sequence[Cell]], column: int) -> bool:
    """Whether nearly all cells of a column have figures."""
    texts = [
        cell.text for row in rows for cell in row if cell.first == column and cell.lines
    ]
    figures = sum(_DIGITS.search(text) is not None for text in texts)
    return len(texts) > 1 and 10 * figures > 7 * len(texts)


def _looks_of(rows: Sequence[Sequence[Cell]]) -> Counter[Look]:
    """Of all cells right of the first column."""
    return Counter(look for row in rows for look in _looks(row[1:]))


def _is_set_off(row: Sequence[Cell], looks: Counter[Look]) -> bool:
    """Whether a row is printed in a way, bold or in colour, in which nothing is in the
    other rows right of their first column."""
    own = _looks(row)
    there = Counter(_looks(row[1:]))
    return len(set(own)) == 1 and looks[own[0]] == there[own[0]]


def _looks(cells: Sequence[Cell]) -> list[Look]:
    return [_look(line) for cell in cells for line in cell.lines]


def _look(line: Line) -> Look:
    return line.is_bold, line.words[0].style.color


def _heading_levels(lines: Sequence[Line], usual: float) -> dict[float, int]:
    """Levels of headings by their size, the largest first."""
    sizes = {
        line.size
        for line in lines
        if line.size >= LARGER * usual
        and len(line.text) <= LONGEST_HEAD
        and _LETTER.search(line.text)
    }
    ordered = sorted(sizes, reverse=True)
    return {size: min(n, DEEPEST - 1) for n, size in enumerate(ordered, start=1)}


def _read_lines(
    lines: Sequence[Line], levels: dict[float, int], *, before_table: bool = False
) -> list[str]:
    """Headings and paragraphs."""
    blocks: list[str] = []
    number = 0
    apart = _usual_distance(lines)
    edges = _right_edges(lines)
    while number < len(lines):
        end = number + 1
        level = _level(lines, number, levels, apart, before_table)
        if level:
            while end < len(lines) and _is_same_head(lines[end - 1], lines[end]):
                end += 1
            text = join_cut_words("\n".join(one.text for one in lines[number:end]))
            if _is_title(text):
                blocks.append("#" * level + " " + text.replace("\n", " "))
                number = end
                continue
        while (
            end < len(lines)
            and not _level(lines, end, levels, apart, before_table)
            and not _ends(lines[end - 1], lines[end], apart, edges[end - 1])
        ):
            end += 1
        blocks.append("\n".join(_marked(one) for one in lines[number:end]))
        number = end
    return blocks


def _is_title(text: str) -> bool:
    """Not a sentence or several, however large or bold."""
    is_sentence = text[-1] in ".;" and not text.endswith("...")
    return len(text) <= 2 * LONGEST_HEAD and not (
        (is_sentence and len(text.split()) > 4) or _SENTENCES.search(text)
    )


def _level(
    lines: Sequence[Line],
    number: int,
    levels: dict[float, int],
    apart: float,
    before_table: bool,
) -> int:
    """The level of a heading; 0 for other lines. A heading is larger than the text, or
    a short line in bold over one that is not, or over a table."""
    line = lines[number]
    if not _LETTER.search(line.text) or len(line.text) > LONGEST_HEAD:
        return 0
    if line.size in levels:
        return levels[line.size]
    if not line.is_bold or line.text[-1] in ".,;" or _ITEM.match(line.text):
        return 0
    after = lines[number + 1] if number + 1 < len(lines) else None
    before = lines[number - 1] if number else None
    heads = before_table if after is None else not after.is_bold
    if not heads and not (after is not None and _is_same_head(line, after)):
        return 0
    starts = before is None or before.is_bold or _is_apart(before, line, apart)
    starts = starts or _ENDS.search(before.text if before else "") is not None
    return min(DEEPEST, len(levels) + 1) if starts else 0


def _is_same_head(line: Line, after: Line) -> bool:
    return (
        line.size == after.size
        and line.is_bold == after.is_bold
        and 0 < after.top - line.top < 2 * line.size
    )


def _usual_distance(lines: Sequence[Line]) -> float:
    """Between two lines of a paragraph, in font sizes."""
    found = [
        (after.top - line.top) / line.size
        for line, after in zip(lines, lines[1:], strict=False)
        if line.size == after.size and 0 < after.top - line.top < 2.5 * line.size
    ]
    return median(found) if found else 1.2


def _is_apart(line: Line, after: Line, apart: float) -> bool:
    return after.top - line.top > APART * apart * line.size


def _marked(line: Line) -> str:
    """A line with its bold words marked, unless all of it is bold."""
    return line.text if line.is_bold else line.marked


def _right_edges(lines: Sequence[Line]) -> list[float]:
    """How far the lines around each reach, of those that stand in its column."""
    found = []
    for number, line in enumerate(lines):
        near = lines[max(0, number - NEAR) : number + NEAR + 1]
        column = [one.x1 for one in near if one.x0 < line.x1 and line.x0 < one.x1]
        found.append(max(column, default=line.x1))
    return found


def _ends(line: Line, after: Line, apart: float, edge: float) -> bool:
    """Whether a paragraph ends with a line: the next one is set apart, or its first
    word would have had room on this one."""
    if _OPENS.match(after.text) is None:
        return _is_apart(line, after, apart) and bool(_ENDS.search(line.text))
    needs = room_for(after, ROOM * line.size)
    return _is_apart(line, after, apart) or line.x1 + needs < edge


def join_cut_words(text: str) -> str:
    """Cut words made whole. The hyphen stays where the text elsewhere writes the word
    with it (`well-known`), and where both parts are words and the whole is none
    (`hand-built`)."""
    known = {f"{m[1]}-{m[2]}".casefold() for m in _WHOLE.finditer(text)}

    def whole(match: re.Match[str]) -> str:
        first, rest = match.groups()
        keeps = f"{first}-{rest}".casefold() in known
        if not keeps and first + rest not in text:
            keeps = _is_compound(first, rest)
        return f"{first}-{rest}" if keeps else first + rest

    joined = _CUT.sub(whole, text)
    while joined != text:  # a long word is cut twice in a narrow column
        text, joined = joined, _CUT.sub(whole, joined)
    return joined


def _is_compound(first: str, rest: str) -> bool:
    from wordfreq import zipf_frequency

    whole = zipf_frequency(first + rest, "en")
    parts = min(zipf_frequency(first, "en"), zipf_frequency(rest, "en"))
    return parts >= KNOWN_WORD > whole
