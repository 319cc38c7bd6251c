"""Rows of Markdown tables: what each cell says, with its row and its column."""

from __future__ import annotations

import re
from collections.abc import Sequence

from claimscope.core.text.citations.markers import find_markers
from claimscope.core.text.readable import strip_markup

_ROW = re.compile(r"\s*\|")
_RULER = re.compile(r"\n[^\S\n]*\|?[^\S\n]*:?-+:?[^\S\n]*(?:\||$)", re.M)
_CELL_EDGE = re.compile(r"(?<!\\)\|")


def is_row(raw: str, *, in_table: bool) -> bool:
    """Whether a sentence is a row; outer bars may be left out inside a table."""
    text = raw.rstrip()
    if _ROW.match(text) and text.endswith("|") and text.count("|") > 1:
        return True
    return "|" in text.partition("\n")[0] and (in_table or is_head(text))


def is_head(raw: str) -> bool:
    """Whether it is the head of a table: a row with a line of dashes under it."""
    return "|" in raw.partition("\n")[0] and _RULER.search(raw) is not None


_LINE_END = re.compile(r"(?<=[^\s.,;:|])\s*<br\s*/?>\s*(?=[^\s|])", re.I)
"""Between what stands line by line in a cell."""


def cells_of(raw: str) -> tuple[str, ...]:
    """The readable text of each cell of the first line."""
    line = raw.strip().partition("\n")[0].strip()
    line = line.removeprefix("|").removesuffix("|")
    line = _LINE_END.sub(", ", line)
    return tuple(
        strip_markup(cell, (0, len(cell)), find_markers(cell)).text.replace("\\|", "|")
        for cell in _CELL_EDGE.split(line)
    )


def row_claims(heads: Sequence[str], cells: Sequence[str]) -> list[str]:
    """One statement for each cell behind the first, which names the row: "Plan: Pro;
    Price: 20 euros". A row without a name is one statement; one without more, none."""
    heads = [*heads, *[""] * len(cells)]
    named = [
        f"{head}: {cell}" if head else cell
        for head, cell in zip(heads, cells, strict=False)
    ]
    says = [text for text, cell in zip(named, cells, strict=True) if _has_content(cell)]
    if not any(map(_has_content, cells[1:])):
        return []
    if not cells[0]:
        return ["; ".join(says)]
    return [f"{named[0]}; {text}" for text in says if text != named[0]]


def _has_content(cell: str) -> bool:
    """Not empty and not a lone dash."""
    return cell.strip("-–—. ") != ""
