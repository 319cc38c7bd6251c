"""Search in the claim stepper: as one types, from match to match, round and round.

The samples may be many and on disk, so a thread looks through them: it goes to the
nearest match first, then counts all.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import partial
from time import monotonic

from textual import work
from textual.widgets import Input
from textual.worker import get_current_worker

from claimscope.tui.process.faults import told
from claimscope.tui.review.answer_search import MANY, REST, stopped_within
from claimscope.tui.review.cursor import Place, Rows
from claimscope.tui.review.item_text import holds
from claimscope.tui.screens.stepper.navigation import Fits, Moves, Step
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
    _begun = Place(0, 0)
    """Where the search began, to go back to."""
    _before = ""
    """What was looked for before it."""

    def action_search(self) -> None:
        """Opens the line for a text; the place follows what is typed."""
        line = self._line
        self._begun, self._before = self.place, self._needle
        line.value = self._needle
        self.open_line(line)

    @property
    def _line(self) -> Input:
        return self.query_one("#step-search", Input)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Looks for what stands there so far, from where the search began."""
        if self._line.has_class("-open") and event.value.strip() != self._needle:
            self.place = self._begun
            self._look_for(event.value.strip())

    def _look_for(self, text: str) -> None:
        self._needle, self._matches, self._is_counted = text, (), False
        self.workers.cancel_group(self, "count")
        self.redraw()
        if text:
            self._count(text, self.place)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Stays where the search came to; an empty line ends it."""
        self._close_line()
        if self._needle and self._is_counted and not self._matches:
            self._tell_nothing()

    def action_leave(self) -> None:
        """From the line back to where the search began, else from the screen."""
        if not self._line.has_class("-open"):
            super().action_leave()
            return
        self._close_line()
        self.place = self._begun
        if self._needle == self._before:
            self.redraw()
        else:
            needle, self._needle = self._before, ""
            self._look_for(needle)

    def _close_line(self) -> None:
        self._line.remove_class("-open")
        self.set_focus(self.query_one("#step-finding"))

    def action_match(self, step: Step) -> None:
        """Next or previous item with the text that was looked for."""
        if self._needle:
            self._find(self.place, step)
        else:
            self.action_search()

    def _find(self, at: Place, step: Step) -> None:
        """From the last match on to the first, and back."""
        nothing = self._nothing_found
        around = partial(self._around, step, nothing)
        self._seek(at, step, self._fits(), nothing, otherwise=around)

    @property
    def _nothing_found(self) -> str:
        return f"Nothing has “{self._needle}” in it."

    def _tell_nothing(self) -> None:
        self.tell(self._nothing_found)

    def _around(self, step: Step, nothing: str) -> None:
        last = len(self._samples) - 1
        end = Place(0, -1) if step == 1 else Place(last, len(self._row_of(last)))
        self._seek(end, step, self._fits(), nothing)

    def _fits(self) -> Fits:
        needle = self._needle.casefold()
        return lambda sample, item: holds(sample, item, needle)

    # --- how many there are ---

    @work(thread=True, exclusive=True, group="count", exit_on_error=False)
    def _count(self, needle: str, begun: Place) -> None:
        """Goes to the nearest match at or behind `begun`, round the end, then counts
        on: one pass over the samples does for both."""
        worker, fits = get_current_worker(), self._fits()

        def is_stopped() -> bool:
            return worker.is_cancelled

        rows = Rows(self._samples, self._unstable)  # not that of the screen's thread
        here = (begun.sample, begun.item)
        if len(rows) > MANY and stopped_within(REST, is_stopped):
            return
        earlier: list[Spot] = []
        later: list[Spot] = []
        is_there, said = False, monotonic()
        try:
            for number in (*range(begun.sample, len(rows)), *range(begun.sample)):
                if is_stopped():
                    return
                spots = _spots(rows, number, fits)
                (earlier if number < begun.sample else later).extend(spots)
                behind = [s for s in spots if s >= here or number < begun.sample]
                if behind and not is_there:
                    is_there = True
                    self.from_thread(self._came_to, needle, Place(*behind[0]))
                if monotonic() - said >= PAUSE:
                    self._say_count(needle, earlier + later, False)
                    said = monotonic()
        except Exception as error:
            self.from_thread(self.tell_error, told(error))
            return
        if later and not is_there:  # in the sample in hand, before `begun`
            self.from_thread(self._came_to, needle, Place(*later[0]))
        self._say_count(needle, earlier + later, True)

    def _say_count(self, needle: str, found: list[Spot], is_all: bool) -> None:
        self.from_thread(self._counted, needle, tuple(found), is_all)

    def _came_to(self, needle: str, place: Place) -> None:
        if needle == self._needle:
            self._go(place)

    def _counted(self, needle: str, found: tuple[Spot, ...], is_all: bool) -> None:
        if needle != self._needle:
            return
        self._matches, self._is_counted = found, is_all
        self.redraw()
        if is_all and not found and not self._line.has_class("-open"):
            self._tell_nothing()

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


def _spots(rows: Rows, number: int, fits: Fits) -> list[Spot]:
    """The items of a sample that fit."""
    sample, row = rows.sample(number), rows[number]
    return [(number, n) for n, item in enumerate(row) if fits(sample, item)]
