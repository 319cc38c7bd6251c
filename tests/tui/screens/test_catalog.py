"""Screens are opened by name: each name is in the table, each call fits its screen."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest

from claimscope.tui import screens
from claimscope.tui.screens.base.view import View
from claimscope.tui.screens.catalog import LISTED, UNLISTED, listed_screens, maker_of

TUI = Path(screens.__file__).parents[1]


def openings() -> Iterator[tuple[str, str, ast.Call]]:
    """(place, name, call) of each call of open_screen with a name in it."""
    for path in sorted(TUI.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr == "open_screen"
                and isinstance(node.args[0], ast.Constant)
            ):
                place = f"{path.relative_to(TUI)}:{node.lineno}"
                yield place, str(node.args[0].value), node


@pytest.mark.parametrize("name", [*LISTED, *UNLISTED])
def test_each_name_of_the_table_is_a_screen_made_of_a_context(name: str) -> None:
    parameters = list(inspect.signature(maker_of(name)).parameters)
    assert parameters[0] == "context"


def test_listed_are_screens_with_a_name_and_a_purpose() -> None:
    found = listed_screens()
    assert len(found) == len(LISTED) > 20
    assert all(issubclass(kind, View) and kind.NAME and kind.PURPOSE for kind in found)


def test_every_screen_is_opened_with_what_it_takes() -> None:
    found = list(openings())
    assert len(found) > 25
    for place, name, call in found:
        named = {word.arg: None for word in call.keywords if word.arg}
        given = [None] * len(call.args)  # the name stands where the context goes
        try:
            inspect.signature(maker_of(name)).bind(*given, **named)
        except (KeyError, TypeError) as error:
            pytest.fail(f"{place}: {name}: {error}")
    never = {*LISTED, *UNLISTED} - {name for _, name, _ in found}
    assert never == set()
