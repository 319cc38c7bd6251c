"""Imports of a library without another one that it would take along.

spaCy's thinc imports torch wherever torch is installed and uses it for nothing in the
models that we run: 330 MB and four seconds. It does without where that import fails.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec
from types import ModuleType


class _Absent:
    """A finder that says to one thread that a module is not installed. Others, who may
    import it at the same time, are let through."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._thread = threading.get_ident()

    def find_spec(
        self,
        name: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        if name == self._name and threading.get_ident() == self._thread:
            raise ModuleNotFoundError(f"{name} is not wanted here", name=name)
        return None


@contextmanager
def importing_without(name: str) -> Iterator[None]:
    """Imports of this thread that ask for that module do not find it, unless it is
    loaded already."""
    finder = _Absent(name)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
