"""What the words mean and how answers are judged: no database, no screen.

The names of the Python API are in `claimscope`; from here they can be had for one more
release.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


def __getattr__(name: str) -> Any:
    package = import_module("claimscope")
    if name in package.__all__:
        return getattr(package, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
