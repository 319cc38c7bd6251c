"""The keys of a screen on one line at the bottom.

Textual's Footer cuts off what does not fit, and what it cuts first is the key for help.
Here the keys that come first are shown, then those that every screen has and the way
out; when some have no room, the key for help says that there are more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from rich.cells import cell_len
from textual import events
from textual.binding import Binding
from textual.geometry import Size
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

from claimscope.tui.widgets.flow import Line, Piece
from claimscope.tui.widgets.styled import CLASSES, strip_of

LINES = 1
HELP = "view.help"
MORE = "more keys"
GAP = 2


class KeyEntry(NamedTuple):
    """A key, or several of one group, and what they do."""

    keys: str
    text: str
    is_general: bool
    is_help: bool
    press: str = ""
    """The first of its keys, which a click presses."""


class KeyBar(Widget):
    """Shows the bindings with `show=True`, the first key of each."""

    COMPONENT_CLASSES = CLASSES
    _drawn: Sequence[Line] = ()

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._changed)

    def _changed(self, screen: Screen[object]) -> None:
        lines = self._lines(self.size.width) if self.is_attached else self._drawn
        if lines != self._drawn:
            self._drawn = lines
            self.refresh(layout=True)

    def _entries(self) -> list[KeyEntry]:
        """Those of one group together."""
        seen: set[str] = set()
        entries: list[KeyEntry] = []
        last: Binding.Group | None = None
        for binding in sorted(self._visible(), key=_is_general):
            if binding.action in seen:
                continue
            seen.add(binding.action)
            pressed = self.app.get_key_display(binding)
            if binding.group is not None and binding.group == last:
                keys = f"{entries[-1].keys}/{pressed}"
                entries[-1] = entries[-1]._replace(keys=keys)
            else:
                group = binding.group
                text = group.description if group else binding.description
                is_help = binding.id == HELP
                general = _is_general(binding)
                entries.append(KeyEntry(pressed, text, general, is_help, binding.key))
            last = binding.group
        return entries

    def _visible(self) -> Iterable[Binding]:
        """In the order in which the screen names them, whatever keys a person gave
        them; those of what is focused first."""
        shown = [
            active.binding
            for active in self.screen.active_bindings.values()
            if active.binding.show and active.enabled
        ]
        order = _order(type(self.screen))
        return sorted(shown, key=lambda binding: order.get(binding.id, -1))

    def _fitting(self, width: int) -> list[KeyEntry]:
        """As many as fit, those of every screen always."""
        entries = self._entries()
        if _cells(entries) > width:
            general = [_more(entry) for entry in entries if entry.is_general]
            room = width - _cells(general) - GAP
            own = [entry for entry in entries if not entry.is_general]
            while own and _cells(own) > room:
                own.pop()
            entries = own + general
        return entries

    def on_click(self, event: events.Click) -> None:
        end = 0
        for entry in self._fitting(self.size.width):
            end += _cells([entry])
            if event.x < end:
                self.app.simulate_key(entry.press)
                return
            end += GAP

    def _lines(self, width: int) -> list[Line]:
        """The line; none when there is no key."""
        pieces: list[Piece] = []
        for entry in self._fitting(width):
            pieces += (Piece(entry.keys, "key"), Piece(f" {entry.text}" + " " * GAP))
        return [tuple(pieces)] if pieces else []

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """One line, none when there is no key."""
        return len(self._lines(width))

    def render_line(self, y: int) -> Strip:
        lines = self._lines(self.size.width)
        return strip_of(self, lines[y] if y < len(lines) else (), self.size.width)


@cache
def _order(screen: type) -> Mapping[str | None, int]:
    """The place of each binding's id among those that a screen's classes name."""
    ids = [
        binding.id
        for owner in screen.__mro__
        for binding in Binding.make_bindings(owner.__dict__.get("BINDINGS", ()))
    ]
    return {id: n for n, id in reversed(list(enumerate(ids)))}


def _cells(entries: Sequence[KeyEntry]) -> int:
    """Width of entries beside each other."""
    words = sum(cell_len(e.keys) + 1 + cell_len(e.text) for e in entries)
    return words + GAP * max(len(entries) - 1, 0)


def _more(entry: KeyEntry) -> KeyEntry:
    return entry._replace(text=MORE) if entry.is_help else entry


def _is_general(binding: Binding) -> bool:
    """What every screen has, and the way out, come last and always have room."""
    is_shared = (binding.id or "").startswith("view.") or binding.key == "tab"
    return is_shared or binding.action == "app.quit"
