"""Where a person is among the samples and items of a run, and every way on from there.

The search is in `stepper_search.py`, the panes are in `stepper.py`, what a person says
of claims in `stepper_words.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal

from textual import work
from textual.worker import get_current_worker

from claimscope.core.errors import ClaimscopeError
from claimscope.core.models import SampleResult
from claimscope.core.ports import RunReader
from claimscope.core.text.plurals import counted_noun
from claimscope.tui.dialogs.choice import Choice, ChoiceDialog
from claimscope.tui.process.faults import told
from claimscope.tui.review.cursor import Place, Rows, next_failure, seek, unstable
from claimscope.tui.review.item_text import main_page, rests_on
from claimscope.tui.review.items import (
    BESIDE,
    CONFLICT,
    DISPUTED,
    KIND_WORDS,
    LIKELY,
    PROPOSED,
    UNSTABLE,
    Item,
    Wanted,
    first_failure,
    wanted_of,
)
from claimscope.tui.screens.base.view import Setting, View

Step = Literal[1, -1]
_ALL = "all"
SOON = 200
"""Samples that are read before a search goes on in the background."""
_SOUGHT: dict[Wanted | None, str] = {
    None: "failure",
    DISPUTED: "claim or grade that judges disagree on",
    LIKELY: "claim that is only likely",
    PROPOSED: "citation that could be repaired",
    CONFLICT: "claim that sources disagree on",
    UNSTABLE: "sample that passes in one iteration and fails in another",
}
Fits = Callable[[SampleResult, Item], bool]


class Moves(View):
    """A place among samples, and the moves from it."""

    def __init__(
        self,
        setting: Setting,
        reader: RunReader,
        samples: Sequence[SampleResult],
        wanted: Wanted | None,
    ) -> None:
        super().__init__(setting)
        self._reader = reader
        self._samples = samples
        many = reader.status().header.iterations > 1
        self._unstable = unstable(reader.rows()) if many else frozenset()
        self._rows = Rows(samples, self._unstable)
        self._wanted = wanted
        self.problem: ClaimscopeError | None = None
        """Why the sample in hand cannot be read."""
        self.place = Place(0, 0)

    # --- what is in hand ---

    @property
    def sample(self) -> SampleResult | None:
        """The sample in hand; None when there is none, or it cannot be read."""
        if not self._samples:
            return None
        try:
            return self._rows.sample(self.place.sample)
        except ClaimscopeError as error:
            self.problem = error
            return None

    @property
    def row(self) -> Sequence[Item]:
        """The items of the sample in hand."""
        return self._rows[self.place.sample] if self.sample is not None else ()

    @property
    def item(self) -> Item | None:
        """The item in hand; None when the sample has none."""
        row = self.row
        return row[self.place.item] if self.place.item < len(row) else None

    def redraw(self) -> None:
        """Draws what is in hand."""
        raise NotImplementedError

    def _go(self, place: Place) -> None:
        self.place = place
        self.redraw()

    # --- to what fits ---

    def _seek(
        self,
        at: Place,
        step: Step,
        fits: Fits,
        nothing: str,
        wanted: Wanted | None = None,
        *,
        by_rows: bool = False,
        otherwise: Callable[[], None] | None = None,
    ) -> None:
        """Goes to the nearest item that fits. When there is none it does what
        `otherwise` says, else says `nothing`.

        by_rows: it is an item of kind `wanted`, so that light rows tell where not.
        """
        otherwise = otherwise or partial(self.tell, nothing)

        rows = self._rows

        def may(number: int) -> bool:
            return not by_rows or rows.may_hold(number, wanted)

        try:
            sighting = seek(
                rows, at, step, lambda n, i: fits(rows.sample(n), i), may, SOON
            )
        except ClaimscopeError as error:
            self.tell_error(error)
            return
        if sighting.rest is None:
            self._landed(sighting.found, otherwise)
        else:
            self.tell("Looking through the further samples.")
            self._seek_on(sighting.rest, step, fits, otherwise, may)

    @work(thread=True, exclusive=True, group="seek", exit_on_error=False)
    def _seek_on(
        self,
        at: Place,
        step: Step,
        fits: Fits,
        otherwise: Callable[[], None],
        may: Callable[[int], bool],
    ) -> None:
        worker = get_current_worker()
        rows = Rows(self._samples, self._unstable)  # not that of the screen's thread
        rest: Place | None = at
        found: Place | None = None
        try:
            while rest is not None and not worker.is_cancelled:
                found, rest = seek(
                    rows, rest, step, lambda n, i: fits(rows.sample(n), i), may, SOON
                )
        except Exception as error:
            self.from_thread(self.tell_error, told(error))
            return
        self.from_thread(self._landed, found, otherwise)

    def _landed(self, found: Place | None, otherwise: Callable[[], None]) -> None:
        if found is None:
            otherwise()
        else:
            self._go(found)

    @property
    def _sought(self) -> str:
        """What is stepped through, as a noun."""
        return _SOUGHT.get(self._wanted) or KIND_WORDS[self._wanted or DISPUTED]

    def action_failure(self, step: Step) -> None:
        """Next or previous failure, across samples."""
        self._to_failure(step, f"No {_further(step)} {self._sought}.")

    def _to_failure(self, step: Step, nothing: str) -> None:
        wanted = self._wanted
        self._seek(
            self.place,
            step,
            lambda _, item: item.matches(wanted),
            nothing,
            wanted,
            by_rows=True,
        )

    def action_likely(self, step: Step) -> None:
        """Next or previous claim that is only likely, whatever is stepped through."""
        self._seek(
            self.place,
            step,
            lambda _, item: item.is_likely,
            f"No {_further(step)} {_SOUGHT[LIKELY]}.",
            LIKELY,
            by_rows=True,
        )

    def action_same_page(self, step: Step) -> None:
        """Next or previous claim that rests on the page of the one in hand."""
        sample, item = self.sample, self.item
        page = main_page(sample, item) if sample and item else None
        if page is None:
            self.tell("What is in hand rests on no page.")
            return
        self._seek(
            self.place,
            step,
            lambda sample, item: rests_on(sample, item, page),
            f"No {_further(step)} claim rests on {page}.",
        )

    # --- step by step ---

    def action_item(self, step: Step) -> None:
        """Next or previous item, on into the neighbouring sample."""
        number = self.place.item + step
        if 0 <= number < len(self.row):
            self._go(Place(self.place.sample, number))
            return
        other = self.place.sample + step
        if 0 <= other < len(self._samples):
            last = 0 if step == 1 else max(len(self._row_of(other)) - 1, 0)
            self._go(Place(other, last))
        else:
            self.tell(f"This is the {'last' if step == 1 else 'first'} item.")

    def action_sample(self, step: Step) -> None:
        """Next or previous sample, at its first failure."""
        other = self.place.sample + step
        if 0 <= other < len(self._samples):
            self._go(Place(other, first_failure(self._row_of(other), self._wanted)))
        else:
            self.tell(f"This is the {'last' if step == 1 else 'first'} sample.")

    def _row_of(self, number: int) -> Sequence[Item]:
        """Its items; none when it cannot be read, which is told when it is drawn."""
        try:
            return self._rows[number]
        except ClaimscopeError:
            return ()

    # --- one kind only ---

    def action_filter(self) -> None:
        """Asks which kind of failure to step through."""
        try:
            counts = self._rows.counts()
        except ClaimscopeError as error:
            self.tell_error(error)
            return
        many = self._rows.are_many
        failures = sum(n for kind, n in counts.items() if kind not in BESIDE)
        choices = [Choice(_ALL, "all failures" + ("" if many else f" ({failures})"))]
        choices += [
            Choice(str(kind), f"{KIND_WORDS[kind]} ({_number(count, many)})")
            for kind, count in counts.items()
        ]
        if many:  # light rows do not tell
            choices += [Choice(kind, KIND_WORDS[kind]) for kind in (CONFLICT, PROPOSED)]
        chosen = str(self._wanted or _ALL)
        title = "Step through which failures?"
        self.app.push_screen(ChoiceDialog(title, choices, chosen), self._filtered)

    def _filtered(self, value: str | None) -> None:
        if value is None:
            return
        self._wanted = None if value == _ALL else wanted_of(value)
        here = self.item
        if here is None or not here.matches(self._wanted):
            try:
                found = next_failure(self._rows, self.place, 1, self._wanted)
                again = next_failure(self._rows, Place(0, -1), 1, self._wanted)
            except ClaimscopeError as error:
                self.tell_error(error)
                return
            self.place = found or again or self.place
        self.redraw()


def _number(count: int, many: bool) -> str:
    """How often a kind is there: items, or of many samples those that have it."""
    if not many:
        return str(count)
    return f"in {counted_noun(count, 'sample')}"


def _further(step: Step) -> str:
    return "further" if step == 1 else "earlier"
