"""Choose some of many, each on its own."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from claimscope.tui.dialogs.dialog import Dialog
from claimscope.tui.widgets.flow import plain


class ChecklistDialog(Dialog[list[str]]):
    """Gives the values chosen, in their order; None when left."""

    BINDINGS = [
        Binding(
            "space",
            "change",
            "Change",
            priority=True,
            id="checklist.change",
            tooltip="Choose the line, or no longer",
        )
    ]

    def __init__(
        self, title: str, values: Sequence[str], chosen: Collection[str]
    ) -> None:
        super().__init__(title)
        self._values = values
        self._chosen = set(chosen)

    def compose(self) -> ComposeResult:
        with Vertical():
            yield self.heading()
            yield OptionList(*(Option(self._line(value)) for value in self._values))
            yield self.keys("space: change   enter: done   esc: leave")

    def _line(self, value: str) -> Content:
        sign = "[x]" if value in self._chosen else "[ ]"
        return Content(f"{sign} {plain(value)}")

    def on_mount(self) -> None:
        options = self.query_one(OptionList)
        options.highlighted = 0
        options.focus()

    def action_change(self) -> None:
        options = self.query_one(OptionList)
        if options.highlighted is not None:
            value = self._values[options.highlighted]
            self._chosen ^= {value}
            options.replace_option_prompt_at_index(
                options.highlighted, self._line(value)
            )

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss([value for value in self._values if value in self._chosen])
