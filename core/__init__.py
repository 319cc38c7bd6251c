"""What the words mean and how answers are judged: no database, no screen.

The names a program needs are here; each is imported when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from claimscope.core.errors import ClaimscopeError
    from claimscope.core.events import Event
    from claimscope.core.models import Answer, Case, CaseClaim, Page, Suite
    from claimscope.core.services.evaluation import (
        Evaluated,
        Evaluation,
        evaluate,
        evaluate_sync,
        read_run,
    )
    from claimscope.core.services.scoring import score_row, score_rows
    from claimscope.core.settings import Settings

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
    "evaluate",
    "evaluate_sync",
    "read_run",
    "score_row",
    "score_rows",
]

_HOMES = {
    "errors": ("ClaimscopeError",),
    "evaluation": ("Evaluated", "Evaluation", "evaluate", "evaluate_sync", "read_run"),
    "events": ("Event",),
    "models": ("Answer", "Case", "CaseClaim", "Page", "Suite"),
    "scoring": ("score_row", "score_rows"),
    "settings": ("Settings",),
}


def __getattr__(name: str) -> object:
    # Not imported above: `claimscope --help` must not wait for pydantic and numpy.
    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
