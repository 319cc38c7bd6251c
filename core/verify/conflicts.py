"""How a claim counts of which the pages disagree (METRICS F).

Where one page says it and another, as near, says otherwise, no verdict is right
without a person. So it is left unscored, with both sentences; who knows that in their
pages the older ones are corrected by others may let it count.
"""

from __future__ import annotations

from claimscope.core.models import Label, Verdict
from claimscope.core.settings import SourceConflicts

SOURCES_CONFLICT = "sources conflict"
"""`unscored_reason` of such a verdict."""


def resolve_source_conflict(verdict: Verdict, counting: SourceConflicts) -> Verdict:
    """The verdict as it counts; both sentences stay with it, and a person is still
    sent there (band `review`). Other verdicts are left as they are."""
    if verdict.unscored_reason != SOURCES_CONFLICT or counting == "unscored":
        return verdict
    pro, contra = verdict.evidence, verdict.conflicting
    is_for = counting == "supported"
    return verdict.model_copy(
        update={
            "label": Label(counting),
            "evidence": pro if is_for else contra,
            "conflicting": contra if is_for else pro,
            "band": "review",
            "unscored_reason": None,
            "reason": f"{verdict.reason} By the setting source_conflicts it counts as "
            f"{counting}.",
        }
    )
