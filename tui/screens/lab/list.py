"""Lab: all sweeps of the workspace, where they stand, and the way to a new one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.app import ComposeResult

from claimscope.core.report.views.lab import LABS, lab_axes, lab_row
from claimscope.tui.screens.base.view import ScreenContext, View
from claimscope.tui.widgets.bindings import key
from claimscope.tui.widgets.document import Document
from claimscope.tui.widgets.keybar import KeyBar
from claimscope.tui.widgets.rendered import columns
from claimscope.tui.widgets.table import ScreenTable

if TYPE_CHECKING:
    from claimscope.core.run.lab import Lab

NO_LABS = """\
No labs yet. A lab has several models, temperatures, top_p and system prompts
answer the same cases, judges all of it, and says what is better beyond noise.
  n                                                  a new lab
  claimscope answers sweep SUITE --models A,B --temperatures 0,0.7"""


class LabsScreen(View):
    """Labs, newest first."""

    NAME = "Lab"
    PURPOSE = "Sweep model, temperature, top_p and system prompt; see what is better."
    AUTO_FOCUS = "#labs-list"
    BINDINGS = [
        key("enter", "labs.open", "open", "Open the matrix of the lab"),
        key("n", "labs.new", "new lab", "Start a new lab", action="new_lab"),
        key("r", "labs.reload", "reload", "Read everything again"),
    ]

    def __init__(self, context: ScreenContext) -> None:
        super().__init__(context)
        self._labs: Sequence[Lab] = ()

    def compose(self) -> ComposeResult:
        yield self.list_pane("labs-list", columns(LABS, 0))
        yield Document(id="labs-details", classes="pane", can_focus=False)
        yield KeyBar()

    def on_mount(self) -> None:
        self.title_panes(labs_list="labs", labs_details="what it varies")
        self.action_reload()

    def on_screen_resume(self) -> None:
        """Coming back from a lab: it got on."""
        self.action_reload()

    def action_reload(self) -> None:
        gateway = self.context.gateway.labs
        self.in_background(
            lambda: (list(gateway.labs()), list(gateway.problems())),
            self._show,
            group="read",
        )

    def _show(self, found: tuple[Sequence[Lab], Sequence[str]]) -> None:
        self._labs, problems = found
        self.show_rows("labs-list", list(map(lab_row, self._labs)), LABS, NO_LABS)
        for problem in problems:
            self.tell(problem, warning=True)
        self._show_details()
        self.refresh_bindings()

    @property
    def _current(self) -> Lab | None:
        return self.under_cursor("labs-list", self._labs)

    def _show_details(self) -> None:
        lab = self._current
        self.show_parts("labs-details", lab_axes(lab) if lab else ())

    def on_screen_table_moved(self, event: ScreenTable.Moved) -> None:
        self._show_details()

    def on_screen_table_selected(self, event: ScreenTable.Selected) -> None:
        self.action_open()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Nothing to open where there is no lab."""
        if action == "open":
            return self.is_mounted and bool(self._labs)
        return super().check_action(action, parameters)

    def action_open(self) -> None:
        if (lab := self._current) is not None:
            self.open_screen("sweep", lab)

    def action_new_lab(self) -> None:
        """The form; the lab that it starts is shown."""

        def started(lab: Lab | None) -> None:
            if lab is not None:
                self.open_screen("sweep", lab)

        self.open_screen("new-sweep", started)
