"""A case that a model wrote, for a person to accept: with where each claim stands."""

from __future__ import annotations

from dataclasses import dataclass

from claimscope.core.models import (
    Case,
    CaseClaim,
    Evidence,
    ExpectedCitation,
    JsonValue,
    digest,
)
from claimscope.core.services.suite_building.material import DIFFICULTY, KINDS, Material
from claimscope.core.services.suite_building.tracing import TracedClaim
from claimscope.core.services.suite_building.writing import Draft

NO_ANSWER = "The pages do not answer this question."


@dataclass(frozen=True)
class CaseCandidate:
    """A draft that stood."""

    draft: Draft
    material: Material
    traced: tuple[TracedClaim, ...] = ()
    answered: float | None = None
    """Of an unanswerable question: probability, by the model, that it has an answer."""

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """All sentences its claims rest on, each once."""
        found = {e.sentence_id: e for one in self.traced for e in one.evidence}
        return tuple(found.values())


def case_of(candidate: CaseCandidate, made_by: dict[str, JsonValue]) -> Case:
    """The candidate as a case that nobody has accepted yet. `made_by` (model, its
    digest, seed) is kept with it, and so is where each claim stands: `trace_<n>`."""
    kind = candidate.material.kind
    traces: dict[str, JsonValue] = {
        f"trace_{number}": "; ".join(_place(one) for one in traced.evidence)
        for number, traced in enumerate(candidate.traced, 1)
    }
    return Case(
        id=f"{kind}-{digest(candidate.draft.question)[:8]}",
        question=candidate.draft.question,
        category=KINDS[kind],
        difficulty=DIFFICULTY[kind],
        reference=candidate.draft.reference or NO_ANSWER,
        claims=tuple(CaseClaim(text=one.claim) for one in candidate.traced),
        citations=tuple(
            ExpectedCitation(
                page_id=one.page_id,
                sentence=one.index,
                key_phrase=" ".join(one.text.split()),
            )
            for one in candidate.evidence
        ),
        rationale=_rationale(candidate),
        metadata={"generated": True, "accepted": None, **made_by, **traces},
    )


def _rationale(candidate: CaseCandidate) -> str:
    if candidate.answered is None:
        return "; ".join(
            f"claim {number} stands in {', '.join(_place(e) for e in one.evidence)}"
            for number, one in enumerate(candidate.traced, 1)
        )
    source = candidate.material.sources[0]
    return (
        f"{candidate.material.subject} says nothing of the kind; "
        f"{source.page_id}, S:{source.index} does, of another subject. Shown the "
        "nearest sentences, the model gave an answer among them a probability of "
        f"{candidate.answered:.2f}. An honest answer says that the pages do not say."
    )


def _place(one: Evidence) -> str:
    return f"{one.page_id}, S:{one.index}"
