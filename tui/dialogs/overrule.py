"""Give a claim another verdict than the machine's, with a note if one likes."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList
from textual.widgets import Label as TextLabel
from textual.widgets.option_list import Option

from claimscope.core.models import Label
from claimscope.tui.glyphs import WORDS, Glyphs

_LETTERS = {
    Label.SUPPORTED: "s",
    Label.CONTRADICTED: "c",
    Label.NOT_ENOUGH_INFO: "n",
    Label.UNSCORED: "x",
}
Overruling = tuple[Label, str]
"""The person's label and note."""


class OverruleDialog(ModalScreen[Overruling | None]):
    """Gives label and note, None when left. A letter saves at once."""

    BINDINGS = [
        Binding(
            "escape", "leave", "Leave", id="overrule.leave", tooltip="Change nothing"
        )
    ]

    def __init__(self, machine: Label, glyphs: Glyphs) -> None:
        super().__init__(classes="dialog")
        self._machine = machine
        self._glyphs = glyphs
        self._labels = [label for label in Label if label != machine]

    def compose(self) -> ComposeResult:
        """The three other labels and a line for the note."""
        with Vertical():
            machine = f"{self._glyphs.label(self._machine)} {WORDS[self._machine]}"
            yield TextLabel(
                Content(f"The machine says {machine}. You say:"),
                classes="dialog-title",
            )
            yield OptionList(*(self._option(label) for label in self._labels))
            yield Input(placeholder="note (tab to get here)", id="overrule-note")
            yield TextLabel(
                Content("letter or enter: save   tab: note   esc: leave"),
                classes="dialog-keys",
            )

    def _option(self, label: Label) -> Option:
        sign = self._glyphs.label(label)
        return Option(Content(f"{_LETTERS[label]}  {sign} {WORDS[label]}"))

    def on_mount(self) -> None:
        """Letters work at once."""
        options = self.query_one(OptionList)
        options.highlighted = 0
        options.focus()

    def on_key(self, event: events.Key) -> None:
        """A letter saves, except while the note is written."""
        if not isinstance(self.focused, OptionList):
            return
        for label in self._labels:
            if event.character == _LETTERS[label]:
                event.stop()
                self._save(label)
                return

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Enter in the list saves."""
        self._save(self._labels[event.option_index])

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter in the note saves."""
        self._save(self._labels[self.query_one(OptionList).highlighted or 0])

    def _save(self, label: Label) -> None:
        self.dismiss((label, self.query_one(Input).value.strip()))

    def action_leave(self) -> None:
        """Changes nothing."""
        self.dismiss(None)
