"""All keys and what they do, read from the bindings themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from claimscope.core.models import Label
from claimscope.core.report.terms import LIKELY, WORDS
from claimscope.tui.screens.base.view import ScreenContext, TextScreen
from claimscope.tui.widgets.flow import Paragraph, Piece, para, safe_piece
from claimscope.tui.widgets.glyphs import Glyphs

MEANINGS = {
    Label.SUPPORTED: "the pages say so: a proof, or two witnesses",
    Label.CONTRADICTED: "a sentence of the pages says otherwise",
    Label.NOT_ENOUGH_INFO: "the pages say neither",
    Label.UNSCORED: "it could not be judged: neither pass nor fail",
}
LIKELY_MEANS = "likely: one witness says so and no proof; a person should look"


class HelpKeys(NamedTuple):
    """Keys that belong together."""

    title: str
    keys: list[tuple[str, str]]
    """(key, what it does), in order."""


class HelpScreen(TextScreen):
    """Help for the screen one came from, then for all others."""

    NAME = "Help"
    PURPOSE = "Keys and signs."
    TEXT = "help-text"
    AUTO_FOCUS = "#help-text"

    def __init__(
        self,
        context: ScreenContext,
        keys: Sequence[HelpKeys],
        screens: Sequence[tuple[str, str]],
    ) -> None:
        super().__init__(context)
        self._keys = keys
        self._screens = screens

    def on_mount(self) -> None:
        self.reader.border_title = "help"
        self.reader.show(list(self._text(self.context.glyphs)))

    def _text(self, glyphs: Glyphs) -> Iterator[Paragraph]:
        for section in self._keys:
            yield para(safe_piece(section.title, "heading"))
            for pressed, meaning in section.keys:
                yield para(
                    Piece(f"{pressed:>12}", "key"), Piece(f"  {meaning}"), hanging=14
                )
            yield para()
        yield para(Piece("Signs", "heading"))
        for label, meaning in MEANINGS.items():
            yield para(
                Piece(f"{glyphs.label(label):>12}", label.value),
                Piece(f"  {WORDS[label]}: {meaning}"),
            )
            if label is Label.SUPPORTED:
                yield para(
                    Piece(f"{glyphs.likely:>12}", LIKELY), Piece(f"  {LIKELY_MEANS}")
                )
        yield para()
        yield para(Piece("Screens", "heading"))
        for name, purpose in self._screens:
            yield para(Piece(f"{name:>15}", "strong"), Piece(f"  {purpose}"))
