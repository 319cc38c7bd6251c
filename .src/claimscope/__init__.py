"""Claimscope from a Python program: each name is imported when it is first used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from claimscope.core.errors import ClaimscopeError
    from claimscope.core.events import Event
    from claimscope.core.models import Answer, Case, CaseClaim, Page, Suite
    from claimscope.core.services.evaluation import Evaluated, Evaluation
    from claimscope.core.services.scoring import score_rows
    from claimscope.core.settings import Settings
    from claimscope.tui.api import check, evaluate, evaluate_sync, read_run, score_row

__all__ = [
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
    "check",
    "evaluate",
    "evaluate_sync",
    "read_run",
    "score_row",
    "score_rows",
]

_HOMES = {
    "ClaimscopeError": "core.errors",
    "Event": "core.events",
    "Answer": "core.models",
    "Case": "core.models",
    "CaseClaim": "core.models",
    "Page": "core.models",
    "Suite": "core.models",
    "Evaluated": "core.services.evaluation",
    "Evaluation": "core.services.evaluation",
    "score_rows": "core.services.scoring",
    "Settings": "core.settings",
    "check": "tui.api",
    "evaluate": "tui.api",
    "evaluate_sync": "tui.api",
    "read_run": "tui.api",
    "score_row": "tui.api",
}


def __getattr__(name: str) -> object:
    # Not imported above: `claimscope --help` must not wait for pydantic and numpy.
    if name in _HOMES:
        return getattr(import_module(f"claimscope.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
