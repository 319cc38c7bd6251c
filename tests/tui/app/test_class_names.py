"""What goes by the name of a class has the name: the stylesheet, handlers of messages.

Textual says nothing of a rule or a handler of a name that is gone.
"""

from __future__ import annotations

import re
from pathlib import Path

import textual.widgets

from claimscope.tui import screens
from claimscope.tui.app.themes import SHIPPED
from claimscope.tui.screens.base.view import AskNewRun, OpenRun
from claimscope.tui.screens.catalog import LISTED, UNLISTED, maker_of
from claimscope.tui.widgets.document import Document, Reader
from claimscope.tui.widgets.keybar import KeyBar
from claimscope.tui.widgets.plot import PlotPane
from claimscope.tui.widgets.table import ScreenTable

TUI = Path(screens.__file__).parents[1]
OWN = {kind.__name__ for kind in (Document, Reader, KeyBar, PlotPane, ScreenTable)}
TEXTUAL = {
    "Screen",
    "Vertical",
    "SelectOverlay",
    "ToastRack",
    *vars(textual.widgets)["__all__"],
}


def test_every_type_in_the_stylesheet_is_a_class() -> None:
    css = re.sub(
        r"/\*.*?\*/", "", (SHIPPED / "claimscope.tcss").read_text(), flags=re.S
    )
    selectors = re.findall(r"([^{};]+)\{", css)
    named = {
        word
        for selector in selectors
        for word in re.findall(r"(?<![\w#.$:-])[A-Z]\w+", selector)
    }
    shown = {maker_of(name).__name__ for name in (*LISTED, *UNLISTED)}
    assert OWN <= named
    assert named - OWN - TEXTUAL - shown == set()


def test_every_handler_of_our_messages_is_called_by_its_name() -> None:
    own = (
        OpenRun,
        AskNewRun,
        Document.Clicked,
        ScreenTable.Moved,
        ScreenTable.Selected,
    )
    names = {message.handler_name for message in own}
    source = "".join(path.read_text() for path in TUI.rglob("*.py"))
    assert {name for name in names if f"def {name}(" not in source} == set()
    handled = set(re.findall(r"def (on_\w*(?:table|document)_\w+)\(", source))
    assert handled <= names
