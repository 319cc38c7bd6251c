"""Which cases of a suite a run may judge by: not what a model wrote and nobody read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from claimscope.core.models import Case, Suite
from claimscope.core.text.plurals import counted_noun

ACCEPT = (
    "accept them on the Suite screen (`claimscope run --include-unreviewed` takes them "
    "in as they are)"
)


@dataclass(frozen=True)
class ReviewedSuite:
    """A suite without the cases that nobody has accepted, and the ids of those."""

    suite: Suite
    waiting: tuple[str, ...] = ()
    """A model wrote them, and no person has looked at them."""
    refused: tuple[str, ...] = ()
    """A person dropped them (`accepted: false`)."""

    @property
    def left_out(self) -> frozenset[str]:
        return frozenset((*self.waiting, *self.refused))

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know before a run."""
        said = []
        if self.waiting:
            said.append(
                f"left out: {counted_cases(len(self.waiting))} that a model wrote and "
                f"nobody has accepted; {ACCEPT}"
            )
        if self.refused:
            said.append(
                f"left out: {counted_cases(len(self.refused))} that a person dropped"
            )
        return tuple(said)


CaseChoice = Literal["all", "not_dropped", "accepted"]
"""All cases of a file; those a person may still accept; those written or accepted by
one."""


def accepted_cases(suite: Suite, which: CaseChoice = "accepted") -> ReviewedSuite:
    """The suite with those cases alone. Without generated cases it is the same one."""
    waiting = _ids(suite, is_waiting) if which == "accepted" else ()
    refused = _ids(suite, is_refused) if which != "all" else ()
    if not waiting and not refused:
        return ReviewedSuite(suite)
    left_out = {*waiting, *refused}
    kept = tuple(case for case in suite.cases if case.id not in left_out)
    return ReviewedSuite(suite.model_copy(update={"cases": kept}), waiting, refused)


def is_waiting(case: Case) -> bool:
    """Whether a model wrote it and no person has decided."""
    return _is_generated(case) and case.metadata.get("accepted") is None


def is_refused(case: Case) -> bool:
    """Whether a model wrote it and a person dropped it."""
    return _is_generated(case) and case.metadata.get("accepted") is False


def counted_cases(count: int) -> str:
    """`1 case`, `3 cases`."""
    return counted_noun(count, "case")


def _is_generated(case: Case) -> bool:
    return case.metadata.get("generated") is True


def _ids(suite: Suite, test: Callable[[Case], bool]) -> tuple[str, ...]:
    return tuple(case.id for case in suite.cases if test(case))
