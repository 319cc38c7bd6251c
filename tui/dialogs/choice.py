"""Choose one of a few, by cursor or by its letter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from claimscope.tui.dialogs.dialog import Dialog
from claimscope.tui.widgets.flow import plain


@dataclass(frozen=True)
class Choice:
    """One thing to choose; `letter` chooses it at once."""

    value: str
    text: str
    letter: str = ""


class ChoiceDialog(Dialog[str]):
    """Gives the value chosen, None when left."""

    def __init__(
        self, title: str, choices: Sequence[Choice], chosen: str | None = None
    ) -> None:
        super().__init__(title)
        self._choices = choices
        self._chosen = chosen

    def compose(self) -> ComposeResult:
        with Vertical():
            yield self.heading()
            yield OptionList(*(self._option(choice) for choice in self._choices))
            has_letters = any(choice.letter for choice in self._choices)
            keys = "enter or its letter" if has_letters else "enter"
            yield self.keys(f"{keys}: choose   esc: leave")

    def _option(self, choice: Choice) -> Option:
        letter = f"{choice.letter}  " if choice.letter else ""
        return Option(Content(letter + plain(choice.text)))

    def on_mount(self) -> None:
        options = self.query_one(OptionList)
        values = [choice.value for choice in self._choices]
        options.highlighted = (
            values.index(self._chosen) if self._chosen in values else 0
        )
        options.focus()

    def on_key(self, event: events.Key) -> None:
        for choice in self._choices:
            if choice.letter and event.character == choice.letter:
                event.stop()
                self.dismiss(choice.value)
                return

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._choices[event.option_index].value)
