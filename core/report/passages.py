"""An answer cut at the borders of its claims, for showing what was judged in place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from claimscope.core.models import ClaimResult, Label, SampleResult
from claimscope.core.text.sanitising import sanitise

GRAVITY = (Label.CONTRADICTED, Label.NOT_ENOUGH_INFO, Label.UNSCORED, Label.SUPPORTED)
"""Where claims overlap, the first of these is shown."""


@dataclass(frozen=True)
class AnswerPassage:
    """A piece of an answer; the pieces in order are the whole answer."""

    text: str
    label: Label | None
    """None outside all claims."""
    ending: tuple[ClaimResult, ...]
    """Claims that end with this piece: where their signs go."""


def answer_passages(sample: SampleResult) -> Iterator[AnswerPassage]:
    """Pieces of the answer, its text made inert, which keeps its length."""
    text = sanitise(sample.answer.text)
    claims = [
        (result, max(0, result.claim.start), min(len(text), result.claim.end))
        for result in sample.claims
    ]
    claims = [(result, start, end) for result, start, end in claims if start < end]
    borders = {0, len(text)} | {edge for _, *edges in claims for edge in edges}
    cuts = sorted(borders)
    for start, end in zip(cuts, cuts[1:], strict=False):
        over = [r.verdict.label for r, first, last in claims if first < end <= last]
        yield AnswerPassage(
            text=text[start:end],
            label=min(over, key=GRAVITY.index) if over else None,
            ending=tuple(r for r, _, last in claims if last == end),
        )
