"""What a run is compared with: asked for on the Compare screen."""

from __future__ import annotations

from collections.abc import Sequence

from textual import work

from claimscope.core.errors import ClaimscopeError, InputError
from claimscope.core.models import RunStatus
from claimscope.tui.dialogs.choice import Choice, ChoiceDialog
from claimscope.tui.process.faults import told
from claimscope.tui.review.comparison import Sides, choice_text, choices
from claimscope.tui.screens.base.view import Setting, View
from claimscope.tui.widgets.flow import plain

ALONE = """\
There is nothing to compare this run with: it is the only one of its suite that has
finished samples, and its answers are of one provider."""
ALONE_REMEDY = "Start another run of the suite (n on Home), then come back."
NAMED = 20
"""Runs of a suite that the dialog lists."""


class Choosing(View):
    """Knows what there is to compare a run with, and asks."""

    def __init__(self, setting: Setting, run_id: str, sides: Sides | None) -> None:
        super().__init__(setting)
        self._run_id = run_id
        self._sides = sides
        self._choices: Sequence[Sides] = ()
        self._statuses: dict[str, RunStatus] = {}

    def compare(self) -> object:
        """The sides were chosen."""
        raise NotImplementedError

    def failed(self, error: ClaimscopeError, *, loud: bool = True) -> None:
        """The runs could not be read, or there is nothing to choose."""
        raise NotImplementedError

    @work(thread=True, exclusive=True, group="choices", exit_on_error=False)
    def read_choices(self, *, ask: bool) -> None:
        try:
            statuses = list(self.setting.desk.runs.runs())
            found = choices(statuses, self._run_id)
        except Exception as error:
            self.from_thread(self.failed, told(error))
            return
        self.from_thread(self._got_choices, found, statuses, ask=ask)

    def _got_choices(
        self, found: Sequence[Sides], statuses: Sequence[RunStatus], *, ask: bool
    ) -> None:
        self._choices = found
        self._statuses = {status.header.run_id: status for status in statuses}
        if ask and found:
            self.action_choose()
        elif ask:
            self.failed(InputError(ALONE, ALONE_REMEDY), loud=False)

    def action_choose(self) -> None:
        """Asks what to compare with."""
        if not self._choices:
            self.tell(f"{ALONE} {ALONE_REMEDY}", warning=True)
            return
        runs = [sides for sides in self._choices if sides.providers is None][:NAMED]
        pairs = [sides for sides in self._choices if sides.providers is not None]
        shown = [*runs, *pairs[:NAMED]]
        at = shown.index(self._sides) if self._sides in shown else 0

        def done(value: str | None) -> None:
            if value is not None:
                self._sides = shown[int(value)]
                self.compare()
            elif self._sides is None:
                self.app.pop_screen()

        lines = [
            Choice(str(n), choice_text(sides, self._run_id, self._statuses))
            for n, sides in enumerate(shown)
        ]
        title = f"Compare {plain(self._run_id)} with"
        self.app.push_screen(ChoiceDialog(title, lines, str(at)), done)
