"""The user's own keys: which can be used, and what is wrong with the others.

Textual takes a map of binding ids to keys and says nothing of a name it does not know;
a person who mistyped an id would wonder why nothing happens. The table of bindings here
is also what `claimscope show keys` prints.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from textual.app import App
from textual.binding import Binding
from textual.dom import DOMNode
from textual.keys import KEY_TO_UNICODE_NAME, Keys, _character_to_key

from claimscope.tui.screens.base.view import View
from claimscope.tui.screens.catalog import listed_screens
from claimscope.tui.widgets.document import Document, Reader
from claimscope.tui.widgets.table import ScreenTable

_NAMED = {key.value for key in Keys} | {"space", "slash", "backslash"}
LIST, TEXT, READER = "a focused list", "a focused text", "a focused reader"
PANES = {LIST: "list", TEXT: "text", READER: "reader"}
_MODIFIERS = ("ctrl", "shift", "alt", "super", "meta", "hyper")


@dataclass(frozen=True)
class Action:
    """An action with its keys, one line of the table."""

    id: str
    where: str
    """Name of the screen, or of what is focused."""
    keys: tuple[str, ...]
    text: str

    def with_keys(self, keys: tuple[str, ...]) -> Action:
        """The same on other keys."""
        return Action(self.id, self.where, keys, self.text)


def actions(app: type[App[None]]) -> list[Action]:
    """Every action of app, screens and widgets, each id once, in that order."""
    places: list[tuple[str, type[DOMNode]]] = [
        ("everywhere", app),
        ("every screen", View),
        *((screen.NAME, screen) for screen in listed_screens()),
        (LIST, ScreenTable),
        (TEXT, Document),
        (READER, Reader),
    ]
    found: dict[str, Action] = {}
    for where, owner in places:
        own = owner.__dict__.get("BINDINGS", ())
        for binding in Binding.make_bindings(own):
            if binding.id is None:
                continue
            known = found.get(binding.id)
            keys = (*known.keys, binding.key) if known else (binding.key,)
            text = binding.tooltip or binding.description
            found[binding.id] = Action(binding.id, where, keys, text)
    return list(found.values())


def usable(
    wanted: Mapping[str, str], known: Sequence[Action]
) -> tuple[dict[str, str], list[str]]:
    """(keymap, problems): the entries that can be used, and why others cannot."""
    by_id = {action.id: action for action in known}
    keymap: dict[str, str] = {}
    problems: list[str] = []
    for id, text in wanted.items():
        keys = [key.strip() for key in _parts(text)]
        bad = [key for key in keys if not _is_key(key)]
        if id not in by_id:
            problems.append(_unknown(id, by_id))
        elif bad:
            problems.append(
                f"keys of {id}: {bad[0]!r} is no key; write a, A, ctrl+a, f5, enter …"
            )
        else:
            keymap[id] = ",".join(_named(key) for key in keys)
    # One left out has its old keys again, which another may have taken meanwhile.
    while (clash := next(_clashes(keymap, known), None)) is not None:
        id, other, key = clash
        del keymap[id]
        problems.append(
            f"keys of {id}: {key} is the key of {other} ({by_id[other].text}); "
            f"give {other} another key first"
        )
    return keymap, problems


def _parts(text: str) -> list[str]:
    return [","] if text == "," else text.split(",")


def _unknown(id: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(id, known, 1)
    remedy = f"did you mean {near[0]}?" if near else "`claimscope show keys` lists them"
    return f"keys of {id}: there is no such action; {remedy}"


def _named(key: str) -> str:
    return _character_to_key(key) if len(key) == 1 else key


def _is_key(key: str) -> bool:
    if len(key) == 1:
        return key.isprintable() and not key.isspace()
    *modifiers, last = key.split("+")
    if not all(part in _MODIFIERS for part in modifiers) or not last:
        return False
    if len(last) == 1:
        return last.isprintable()
    return last in _NAMED or key in _NAMED or last.isidentifier() and _names(last)


def _names(last: str) -> bool:
    """Whether it is the long name of a character, e.g. question_mark."""
    import unicodedata

    name = KEY_TO_UNICODE_NAME.get(last, last.replace("_", " ").upper())
    try:
        unicodedata.lookup(name)
    except KeyError:
        return False
    return True


def _clashes(
    keymap: Mapping[str, str], known: Sequence[Action]
) -> Iterator[tuple[str, str, str]]:
    """(id, other, key): actions on one key in one place that were not so before."""
    now = [
        action.with_keys(tuple(keymap[action.id].split(",")))
        if action.id in keymap
        else action
        for action in known
    ]
    before = {action.id: set(action.keys) for action in known}
    for first in now:
        if first.id not in keymap:
            continue
        for second in now:
            if first.id == second.id or not _meet(first.where, second.where):
                continue
            for key in set(first.keys) & set(second.keys):
                if not {key} <= before[first.id] & before[second.id]:
                    yield first.id, second.id, key


def _meet(first: str, second: str) -> bool:
    """Whether both are at hand at the same time."""
    places, focused = {first, second}, {first, second} & PANES.keys()
    if len(places) == 2 and LIST in places and len(focused) == 2:
        return False  # only one has the focus
    screens = [screen for screen in listed_screens() if screen.NAME in places]
    if len(focused) == len(screens) == 1:
        return PANES[focused.pop()] in screens[0].PANES
    return len(screens) < 2
