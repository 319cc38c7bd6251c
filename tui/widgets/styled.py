"""Roles to colours: the one place where a role meets the theme."""

from __future__ import annotations

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from claimscope.tui.widgets.flow import Line

ROLES = tuple(
    """strong dim supported likely contradicted not_enough_info unscored skipped
    citation place current matched conflict heading key human cursor found""".split()
)
CLASSES = {f"text--{role}" for role in ROLES}


def strip_of(widget: Widget, line: Line, width: int, fill: str = "") -> Strip:
    """A line of `width` cells; `fill` is a role for the whole of it."""
    base = _style(widget, fill, widget.rich_style)
    segments = [
        Segment(piece.text, _style(widget, piece.roles, base)) for piece in line
    ]
    return Strip(segments).adjust_cell_length(width, base)


def _style(widget: Widget, roles: str, base: Style) -> Style:
    for role in roles.split():
        base += widget.get_component_rich_style(f"text--{role}", partial=True)
    return base
