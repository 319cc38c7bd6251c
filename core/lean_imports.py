"""Imports of a library without others that it would take along.

spaCy's thinc imports torch wherever torch is installed and uses it for nothing in the
models that we run: 330 MB and four seconds. It does without where that import fails.
bm25s does so without scipy, 0.14 s. spaCy's own command line, 0.2 s and 18 MB, is
imported for one function that nobody here calls; something else stands in its place.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any


class _Absent:
    """A finder that says to one thread that modules are not installed. Others, who may
    import them at the same time, are let through."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._thread = threading.get_ident()

    def find_spec(
        self,
        name: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        if name in self._names and threading.get_ident() == self._thread:
            raise ModuleNotFoundError(f"{name} is not wanted here", name=name)
        return None


@contextmanager
def importing_without(*names: str) -> Iterator[None]:
    """Imports of this thread that ask for those modules do not find them, unless they
    are loaded already."""
    finder = _Absent(names)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


@contextmanager
def standing_in(package: str, module: str, function: str) -> Iterator[None]:
    """While `package` is not loaded, something else stands in its place and in that of
    its `module`, with a `function` that loads the real one when it is called."""
    name = f"{package}.{module}"
    if package in sys.modules:
        yield
        return

    def called(*values: Any, **named: Any) -> Any:
        return getattr(import_module(name), function)(*values, **named)

    outer, inner = ModuleType(package), ModuleType(name)
    outer.__path__ = []
    setattr(inner, function, called)
    sys.modules[package], sys.modules[name] = outer, inner
    try:
        yield
    finally:
        for stand_in in (outer, inner):
            if sys.modules.get(stand_in.__name__) is stand_in:
                del sys.modules[stand_in.__name__]
