"""Lab: all sweeps of the workspace, where they stand, and the way to a new one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual import work
from textual.app import ComposeResult

from claimscope.tui.process.faults import told
from claimscope.tui.screens.base.view import Setting, View, key
from claimscope.tui.widgets.document import Document
from claimscope.tui.widgets.flow import Piece, para, said
from claimscope.tui.widgets.keybar import KeyBar
from claimscope.tui.widgets.table import ScreenColumn, ScreenTable

if TYPE_CHECKING:
    from claimscope.core.run.lab import Lab

NO_LABS = """\
No labs yet. A lab has several models, temperatures, top_p and system prompts
answer the same cases, judges all of it, and says what is better beyond noise.
  n                                                  a new lab
  claimscope answers sweep SUITE --models A,B --temperatures 0,0.7"""
ROLES = {"failed": "contradicted", "stopped": "not_enough_info"}


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

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self._labs: Sequence[Lab] = ()

    def compose(self) -> ComposeResult:
        """One list, and what a lab varies."""
        yield ScreenTable(
            [
                ScreenColumn("lab"),
                ScreenColumn("suite", 14),
                ScreenColumn("state", 11),
                ScreenColumn("cells", 7, "right"),
                ScreenColumn("cases", 5, "right"),
                ScreenColumn("begun (UTC)", 16),
            ],
            id="labs-list",
            classes="pane",
            empty="Reading",
            more=self.setting.glyphs.more,
        )
        yield Document(id="labs-details", classes="pane")
        yield KeyBar()

    def on_mount(self) -> None:
        """Reads in the background."""
        self.query_one("#labs-list").border_title = "labs"
        details = self.query_one("#labs-details")
        details.border_title = "what it varies"
        details.can_focus = False
        self.action_reload()

    def on_screen_resume(self) -> None:
        """Coming back from a lab: it got on."""
        self.action_reload()

    def action_reload(self) -> None:
        """Reads all labs again."""
        self._read()

    @work(thread=True, exclusive=True, group="read", exit_on_error=False)
    def _read(self) -> None:
        desk = self.setting.desk.lab_desk
        try:
            labs, problems = list(desk.labs()), list(desk.problems())
        except Exception as error:
            self.from_thread(self.tell_error, told(error))
            return
        self.from_thread(self._show, labs, problems)

    def _show(self, labs: Sequence[Lab], problems: Sequence[str]) -> None:
        self._labs = labs
        self.query_one("#labs-list", ScreenTable).show(
            len(labs), self._cells, empty=NO_LABS
        )
        for problem in problems:
            self.tell(problem, warning=True)
        self._show_details()
        self.refresh_bindings()

    def _cells(self, row: int) -> list[Piece]:
        lab, glyphs = self._labs[row], self.setting.glyphs
        done = sum(cell.state == "finished" for cell in lab.cells)
        return [
            said(lab.lab_id),
            said(lab.suite_id),
            Piece(f"{glyphs.state(lab.state)} {lab.state}", ROLES.get(lab.state, "")),
            Piece(f"{done}/{len(lab.cells)}"),
            Piece(str(len(lab.cases))),
            Piece(lab.created.replace("T", " ")[:16]),
        ]

    @property
    def _current(self) -> Lab | None:
        row = self.query_one("#labs-list", ScreenTable).cursor
        return self._labs[row] if row < len(self._labs) else None

    def _show_details(self) -> None:
        lab = self._current
        lines = []
        if lab is not None:
            axes = lab.axes
            parts = [
                ("models", ", ".join(axes.models)),
                ("temperature", ", ".join(f"{one:g}" for one in axes.temperatures)),
                ("top_p", ", ".join(f"{p:g}" for p in axes.top_ps) or "the server's"),
                ("prompts", ", ".join(p.name for p in axes.prompts) or "none"),
            ]
            lines = [
                para(Piece(f"{name:<12}", "dim"), said(text), hanging=12)
                for name, text in parts
            ]
            if lab.error:
                sign = Piece(f"{self.setting.glyphs.contradicted} ", "contradicted")
                lines.insert(0, para(sign, said(lab.error), hanging=2))
        self.query_one("#labs-details", Document).show(lines)

    def on_screen_table_moved(self, event: ScreenTable.Moved) -> None:
        """The details follow the cursor."""
        self._show_details()

    def on_screen_table_selected(self, event: ScreenTable.Selected) -> None:
        """A double click on a row."""
        self.action_open()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Nothing to open where there is no lab."""
        if action == "open":
            return self.is_mounted and bool(self._labs)
        return super().check_action(action, parameters)

    def action_open(self) -> None:
        """The matrix of the lab under the cursor."""
        if (lab := self._current) is not None:
            self.open_screen("sweep", lab)

    def action_new_lab(self) -> None:
        """The form; the lab that it starts is shown."""

        def started(lab: Lab | None) -> None:
            if lab is not None:
                self.open_screen("sweep", lab)

        self.open_screen("new-sweep", started)
