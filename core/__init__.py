"""What the words mean and how answers are judged: no database, no screen.

The names of the Python API are in `claimscope`; from here they can be had for one more
release.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

API = (
    "Answer",
    "Case",
    "CaseClaim",
    "ClaimscopeError",
    "Evaluated",
    "Evaluation",
    "Event",
    "Page",
    "Settings",
    "Suite",
    "evaluate",
    "evaluate_sync",
    "read_run",
    "score_row",
    "score_rows",
)


def __getattr__(name: str) -> Any:
    if name in API:
        return getattr(import_module("claimscope"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
