"""The keys of a screen on at most two lines at the bottom.

Textual's Footer is one line and hides what does not fit; a person over SSH at 80
columns has to see the keys.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.cells import cell_len
from textual.binding import Binding
from textual.geometry import Size
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

from claimscope.tui.widgets.flow import Line, Piece
from claimscope.tui.widgets.styled import CLASSES, strip_of

LINES = 2


class KeyBar(Widget):
    """Shows the bindings with `show=True`, the first key of each."""

    COMPONENT_CLASSES = CLASSES
    _drawn: Sequence[Line] = ()

    def on_mount(self) -> None:
        """Follows the bindings of the screen."""
        self.screen.bindings_updated_signal.subscribe(self, self._changed)

    def _changed(self, screen: Screen[object]) -> None:
        lines = self._lines(self.size.width) if self.is_attached else self._drawn
        if lines != self._drawn:
            self._drawn = lines
            self.refresh(layout=True)

    def _entries(self) -> list[tuple[str, str]]:
        """(keys, description), those of one group together."""
        seen: set[str] = set()
        entries: list[tuple[str, str]] = []
        last: Binding.Group | None = None
        for binding in sorted(self._shown(), key=_is_general):
            if binding.action in seen:
                continue
            seen.add(binding.action)
            pressed = self.app.get_key_display(binding)
            if binding.group is not None and binding.group == last:
                entries[-1] = (f"{entries[-1][0]}/{pressed}", last.description)
            else:
                group = binding.group
                text = group.description if group else binding.description
                entries.append((pressed, text))
            last = binding.group
        return entries

    def _shown(self) -> Iterable[Binding]:
        for active in self.screen.active_bindings.values():
            if active.binding.show and active.enabled:
                yield active.binding

    def _lines(self, width: int) -> list[Line]:
        lines: list[list[Piece]] = [[]]
        used = 0
        for pressed, text in self._entries():
            size = cell_len(pressed) + 1 + cell_len(text)
            if used and used + size > width:
                if len(lines) == LINES:
                    break
                lines.append([])
                used = 0
            lines[-1] += (Piece(pressed, "key"), Piece(f" {text}  "))
            used += size + 2
        return [tuple(line) for line in lines]

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """One or two lines."""
        return len(self._lines(width))

    def render_line(self, y: int) -> Strip:
        """One line of keys."""
        lines = self._lines(self.size.width)
        return strip_of(self, lines[y] if y < len(lines) else (), self.size.width)


def _is_general(binding: Binding) -> bool:
    """What every screen has comes last."""
    return (binding.id or "").startswith("view.") or binding.key == "tab"
