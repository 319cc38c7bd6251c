"""Search in the claim stepper: from match to match, round and round, with the count.

The next match is found by seeking; how many there are is counted behind it, since the
samples may be many and on disk.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from functools import partial
from time import monotonic

from textual import work
from textual.worker import get_current_worker

from claimscope.core.models import SampleResult
from claimscope.tui.dialogs.note import NoteDialog
from claimscope.tui.faults import told
from claimscope.tui.item_text import holds
from claimscope.tui.screens.stepper_moves import Moves, Step
from claimscope.tui.seeking import Place, Rows
from claimscope.tui.stepping import Item
from claimscope.tui.widgets.flow import clip, plain

PAUSE = 1.0
"""Seconds between two looks at how far the count is: each repaints a line."""
LONGEST_NEEDLE = 16
"""Cells of the header for what is looked for."""
Spot = tuple[int, int]
"""Sample and item, as in a Place."""


class Searching(Moves):
    """Looks for a text in claims, evidence, citations and reasons."""

    _needle = ""
    _matches: tuple[Spot, ...] = ()
    """All that are known, in order."""
    _is_counted = False

    def action_search(self) -> None:
        """Asks for a text to look for in claims, evidence, citations and reasons."""
        title = "Find in claims, evidence, citations, reasons"
        self.app.push_screen(NoteDialog(title, self._needle), self._search)

    def _search(self, text: str | None) -> None:
        if text is None:
            return
        self._needle, self._matches, self._is_counted = text, (), False
        self.workers.cancel_group(self, "count")
        self.redraw()
        if text:
            self._count(text)
            self._find(Place(self.place.sample, self.place.item - 1), 1)

    def action_match(self, step: Step) -> None:
        """Next or previous item with the text that was looked for."""
        if self._needle:
            self._find(self.place, step)
        else:
            self.action_search()

    def _find(self, at: Place, step: Step) -> None:
        """From the last match on to the first, and back."""
        nothing = f"Nothing has “{self._needle}” in it."
        around = partial(self._around, step, nothing)
        self._seek(at, step, self._fits(), nothing, otherwise=around)

    def _around(self, step: Step, nothing: str) -> None:
        last = len(self._samples) - 1
        end = Place(0, -1) if step == 1 else Place(last, len(self._row_of(last)))
        self._seek(end, step, self._fits(), nothing)

    def _fits(self) -> Callable[[SampleResult, Item], bool]:
        needle = self._needle.casefold()
        return lambda sample, item: holds(sample, item, needle)

    # --- how many there are ---

    @work(thread=True, exclusive=True, group="count", exit_on_error=False)
    def _count(self, needle: str) -> None:
        worker, fits = get_current_worker(), self._fits()
        rows = Rows(self._samples, self._unstable)  # not that of the screen's thread
        found: list[Spot] = []
        said = monotonic()
        try:
            for number in range(len(rows)):
                if worker.is_cancelled:
                    return
                sample, row = rows.sample(number), rows[number]
                found += [(number, n) for n, i in enumerate(row) if fits(sample, i)]
                if monotonic() - said >= PAUSE:
                    self.from_thread(self._counted, needle, tuple(found), False)
                    said = monotonic()
        except Exception as error:
            self.from_thread(self.tell_error, told(error))
            return
        self.from_thread(self._counted, needle, tuple(found), True)

    def _counted(self, needle: str, found: tuple[Spot, ...], is_all: bool) -> None:
        if needle == self._needle:
            self._matches, self._is_counted = found, is_all
            self.redraw()

    def searched(self) -> str:
        """What is looked for, which match is in hand and of how many."""
        if not self._needle:
            return ""
        glyphs = self.setting.glyphs
        needle = clip(plain(self._needle), LONGEST_NEEDLE, glyphs.more)
        here = (self.place.sample, self.place.item)
        at = bisect_left(self._matches, here)
        is_match = at < len(self._matches) and self._matches[at] == here
        many = f"{len(self._matches)}{'' if self._is_counted else glyphs.more}"
        count = f"{at + 1} of {many}" if is_match else f"{many} found"
        return f"find: {needle} {count} (< >)"
