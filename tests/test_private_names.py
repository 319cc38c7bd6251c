"""Tests go in by the doors that others use: none reads a name that begins with `_`.

What a test reads of the inside holds the inside as it is. Doors that are missing are
made in the code; the few places that stay are listed, each with its reason.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PRIVATE = re.compile(r"_[A-Za-z]\w*(?<!_)$")
OWN = {"self", "cls"}
PATCHING = {"setattr", "delattr", "getattr", "hasattr", "object"}
PAINTED = "what is painted: Textual gives cells and paintings in no public way"
SCREEN = "a screen that has no public way to it yet"
FAULT = "a fault is put where no double reaches yet"
EXCEPTIONS = {
    ("core/backends/ollama/test_server_contents.py", "_json"): FAULT,
    ("core/text/injection/test_injection.py", "_parser"): "of Python: reads patterns",
    ("program/test_cluster.py", "_answer"): FAULT,
    ("program/test_language_server.py", "_server"): "of pygls: its process",
    ("stores/runs/test_record_index.py", "_connection"): FAULT,
    ("stores/runs/test_record_index.py", "_keys"): "switches the slower way off",
    ("tui/app/test_theme_contrast.py", "_compositor"): PAINTED,
    ("tui/cli/test_completion.py", "_actions"): "of argparse: the flags of a parser",
    ("tui/hostile.py", "_compositor"): PAINTED,
    ("tui/pictures.py", "_background_screens"): PAINTED,
    ("tui/pictures.py", "_compositor"): PAINTED,
    ("tui/pilot.py", "_compositor"): PAINTED,
    ("tui/pilot.py", "_wait"): "of Textual: how often it looks whether all is at rest",
    ("tui/pilot.py", "_notifications"): "of Textual: what it tells for a moment",
    ("tui/screens/test_compare.py", "_cells"): SCREEN,
    ("tui/screens/test_home.py", "_look"): SCREEN,
    ("tui/screens/test_home.py", "_next"): SCREEN,
    ("tui/screens/test_home.py", "_path"): SCREEN,
    ("tui/screens/test_home.py", "_run_in_hand"): SCREEN,
    ("tui/screens/test_live.py", "_compositor"): PAINTED,
    ("tui/screens/test_live.py", "_display"): PAINTED,
    ("tui/screens/test_live.py", "_run"): SCREEN,
    ("tui/screens/test_results.py", "_cells"): SCREEN,
    ("tui/screens/test_results.py", "_sample"): SCREEN,
    ("tui/screens/test_stepper.py", "_reader"): FAULT,
    ("tui/screens/test_stepper_repair.py", "_reader"): FAULT,
    ("tui/screens/test_stepper_ways.py", "_made"): SCREEN,
    ("tui/services/pages/test_search.py", "_answer"): FAULT,
}
"""File of tests/ and name: why the name is read all the same."""


def names_read(tree: ast.AST) -> Iterator[str]:
    """Private names of others that a module reads, replaces or imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and PRIVATE.match(node.attr):
            if not (isinstance(node.value, ast.Name) and node.value.id in OWN):
                yield node.attr
        elif isinstance(node, ast.ImportFrom):
            yield from (one.name for one in node.names if PRIVATE.match(one.name))
        elif isinstance(node, ast.Call):
            called = node.func
            name = called.attr if isinstance(called, ast.Attribute) else ""
            name = called.id if isinstance(called, ast.Name) else name
            if name in PATCHING:
                yield from named(node)


def named(call: ast.Call) -> Iterator[str]:
    """Private names among the words of a call such as `setattr(module, "_name", …)`."""
    for argument in call.args:
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
            last = argument.value.rpartition(".")[2]
            if PRIVATE.match(last):
                yield last


@lru_cache(maxsize=1)
def found() -> set[tuple[str, str]]:
    return {
        (path.relative_to(ROOT / "tests").as_posix(), name)
        for path in sorted((ROOT / "tests").rglob("*.py"))
        for name in names_read(ast.parse(path.read_text("utf-8")))
    }


def test_no_test_reads_a_private_name() -> None:
    new = found() - EXCEPTIONS.keys()
    assert not new, "test it by its public way, or make one"


def test_no_exception_is_left_over() -> None:
    assert not EXCEPTIONS.keys() - found()


def test_each_way_to_a_private_name_is_seen() -> None:
    text = (
        "from a import _b\n"
        "c._d()\n"
        "self._own = cls._own = __file__\n"
        "monkeypatch.setattr(e, '_f', 1)\n"
        "monkeypatch.setattr('g.h._i', 1)\n"
        "patch.object(j, '_k')\n"
        "x.__class__, x._repr_html_, print('_l')\n"
        "m._Kind\n"
    )
    assert sorted(names_read(ast.parse(text))) == [
        "_Kind",
        "_b",
        "_d",
        "_f",
        "_i",
        "_k",
    ]
