"""Claimscope from a Python program: each name is imported when it is first used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from claimscope.core.errors import ClaimscopeError as ClaimscopeError
    from claimscope.core.events import Event as Event
    from claimscope.core.models import (
        Answer as Answer,
    )
    from claimscope.core.models import (
        Case as Case,
    )
    from claimscope.core.models import (
        CaseClaim as CaseClaim,
    )
    from claimscope.core.models import (
        Page as Page,
    )
    from claimscope.core.models import (
        Suite as Suite,
    )
    from claimscope.core.services.evaluation import (
        Evaluated as Evaluated,
    )
    from claimscope.core.services.evaluation import (
        Evaluation as Evaluation,
    )
    from claimscope.core.services.scoring import score_rows as score_rows
    from claimscope.core.settings import Settings as Settings
    from claimscope.tui.api import (
        check as check,
    )
    from claimscope.tui.api import (
        evaluate as evaluate,
    )
    from claimscope.tui.api import (
        evaluate_sync as evaluate_sync,
    )
    from claimscope.tui.api import (
        read_run as read_run,
    )
    from claimscope.tui.api import (
        score_row as score_row,
    )

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
    "core.errors": ("ClaimscopeError",),
    "core.events": ("Event",),
    "core.models": (
        "Answer",
        "Case",
        "CaseClaim",
        "Page",
        "Suite",
    ),
    "core.services.evaluation": (
        "Evaluated",
        "Evaluation",
    ),
    "core.services.scoring": ("score_rows",),
    "core.settings": ("Settings",),
    "tui.api": (
        "check",
        "evaluate",
        "evaluate_sync",
        "read_run",
        "score_row",
    ),
}


def __getattr__(name: str) -> object:
    # Not imported above: `claimscope --help` must not wait for pydantic and numpy.
    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"claimscope.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
