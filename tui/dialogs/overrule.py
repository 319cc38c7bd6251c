"""Give a claim another verdict than the machine's, with a note if one likes."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from claimscope.core.models import Label
from claimscope.core.report.terms import REQUIRED_WORDS, WORDS
from claimscope.tui.dialogs.dialog import Dialog
from claimscope.tui.review.items import Overruling
from claimscope.tui.widgets.glyphs import Glyphs

_LETTERS = {
    Label.SUPPORTED: "s",
    Label.CONTRADICTED: "c",
    Label.NOT_ENOUGH_INFO: "n",
    Label.UNSCORED: "x",
}
_OF_REQUIRED = {Label.SUPPORTED: "s", Label.NOT_ENOUGH_INFO: "m", Label.UNSCORED: "x"}
_NO_FACT = "f"


class OverruleDialog(Dialog[Overruling]):
    """Gives label and note, None when left. A letter saves at once."""

    def __init__(
        self, machine: Label, glyphs: Glyphs, *, required: bool = False
    ) -> None:
        """required: it is on a claim that the case requires of the answer."""
        words = REQUIRED_WORDS if required else WORDS
        verdict = f"{glyphs.label(machine)} {words[machine]}"
        super().__init__(f"The machine says {verdict}. You say:")
        self._glyphs, self._words = glyphs, words
        letters = _OF_REQUIRED if required else _LETTERS
        self._choices = [
            (letter, Overruling(label))
            for label, letter in letters.items()
            if label != machine
        ]
        if not required:
            no_fact = Overruling(Label.UNSCORED, is_claim=False)
            self._choices.append((_NO_FACT, no_fact))

    def compose(self) -> ComposeResult:
        with Vertical():
            yield self.heading()
            yield OptionList(*(self._option(*choice) for choice in self._choices))
            yield Input(placeholder="note (tab to get here)", id="overrule-note")
            yield self.keys("letter or enter: save   tab: note   esc: leave")

    def _option(self, letter: str, said: Overruling) -> Option:
        sign, word = self._glyphs.label(said.label), self._words[said.label]
        if not said.is_claim:
            sign, word = self._glyphs.skipped, "states no fact: not a claim"
        return Option(Content(f"{letter}  {sign} {word}"))

    def on_mount(self) -> None:
        options = self.query_one(OptionList)
        options.highlighted = 0
        options.focus()

    def on_key(self, event: events.Key) -> None:
        if not isinstance(self.focused, OptionList):
            return
        for letter, said in self._choices:
            if event.character == letter:
                event.stop()
                self._save(said)
                return

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self._save(self._choices[event.option_index][1])

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self._save(self._choices[self.query_one(OptionList).highlighted or 0][1])

    def _save(self, said: Overruling) -> None:
        self.dismiss(said._replace(note=self.query_one(Input).value.strip()))
