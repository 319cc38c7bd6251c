"""The keys of Compare."""

from __future__ import annotations

from textual.binding import BindingType

from claimscope.tui.screens.base.view import key

KEYS: list[BindingType] = [
    key(
        "enter",
        "open(False)",
        "open B",
        "Step through the flip in the new run, B",
        id="compare.open",
        key_display="enter",
    ),
    key(
        "o",
        "open(True)",
        "open A",
        "Step through the flip in the old run, A",
        id="compare.old",
    ),
    key(
        "w",
        "choose",
        "other runs",
        "Compare with another run or provider",
        id="compare.choose",
    ),
    key("s", "swap", "swap", "A becomes B and B becomes A", id="compare.swap"),
    key("f", "filter", "filter", "Only one kind of flip", id="compare.filter"),
    key(
        "slash",
        "search",
        "find",
        "Only flips with a text in them",
        id="compare.find",
        key_display="/",
        opens_line=True,
    ),
    key(
        "v",
        "details",
        "verdicts/figures",
        "Both verdicts in place of the figures, on a narrow screen",
        id="compare.verdicts",
    ),
    key("e", "export", "export", "Write all of it to a file", id="compare.export"),
    key("r", "reload", "reload", "Read both runs again", id="compare.reload"),
    key("tab", "app.focus_next", "pane", "Next pane", id="compare.tab"),
]
