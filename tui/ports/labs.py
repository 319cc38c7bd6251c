"""What the Lab screens ask of the outside, beside `tui.ports.gateway.Gateway`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from claimscope.core.analysis.compare.matrix import Matrix
    from claimscope.core.ports import Control
    from claimscope.core.run.lab import Lab


@dataclass(frozen=True)
class LabWish:
    """What a lab is to sweep, as a person types it; empty = not given."""

    suite: str
    models: str
    temperatures: str = "0"
    top_ps: str = ""
    prompts: str = ""
    """Files of system prompts."""
    pages: Path | None = None
    metrics: tuple[str, ...] = ()
    """As `--metrics` takes them; empty = all that have something to do."""
    cases: int | None = None
    """So many of the suite, by chance; None = all."""
    iterations: int = 1


@dataclass(frozen=True)
class NewLab(LabWish):
    """What the New lab form asks for: how it is judged as well."""

    verifier: str = "none"
    judge: bool = False
    model: str | None = None
    """That judges; needed by the verifier `model` and for grades."""


class LabGateway(Protocol):
    """Methods may block; all raise ClaimscopeError."""

    def labs(self) -> Sequence[Lab]:
        """Newest first."""

    def problems(self) -> Sequence[str]:
        """A line for each lab that cannot be read."""

    def lab(self, lab_id: str) -> Lab: ...

    def matrix(self, lab: Lab) -> Matrix:
        """The figures of all cells so far; the same object while nothing is new."""

    def start(self, wanted: NewLab) -> str:
        """Checks it, starts the engine, gives the lab's id."""

    def resume(self, lab_id: str) -> None:
        """Starts the engine again on a lab that is not finished."""

    def ask(self, lab_id: str, control: Control) -> None:
        """Leaves a request to the engine."""
