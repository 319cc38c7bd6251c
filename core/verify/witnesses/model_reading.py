"""What a language model said on one question so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from claimscope.core.errors import (
    PromptTooLong,
    ReplyIncomplete,
    ReplyTimeout,
    ReplyUnreadable,
)
from claimscope.core.models import Evidence
from claimscope.core.ports import Question
from claimscope.core.verify.quotation import Quote, find_quote
from claimscope.core.verify.witnesses.fusion import mean_probability
from claimscope.core.verify.witnesses.model_windows import ModelWindow, place

STRONG = 0.9
"""A window that supports a claim so clearly ends the search."""
EVEN = 0.5
LEAST_QUOTED = 5
"""Words of a quotation that names a sentence, where the sentence has as many."""
HURTS_ONE = (ReplyIncomplete, ReplyTimeout, ReplyUnreadable, PromptTooLong)
"""Errors that concern one call; any other ends the verification."""


@dataclass
class ModelReading:
    """What the model said on one question so far."""

    question: Question
    windows: tuple[ModelWindow, ...]
    support: float | None = None
    """Highest probability of Yes over the windows, each the mean of its wordings."""
    window: ModelWindow | None = None
    """The window it was highest on."""
    keys: list[str] = field(default_factory=list)
    problem: str | None = None
    times: int = 0
    """Windows on which it gave one."""
    unread: int = 0
    """Windows on which the model gave no answer at all."""
    quote: Quote | None = None
    """What the model quoted against the claim, where it stands in the window."""
    is_everyones: bool = False
    """As ChatRequest.is_everyones."""
    denial: float | None = None
    """Probability with which a proven reader says that the window rules the claim out;
    None = not asked."""
    settling: Quote | None = None
    """The sentence of the window that a proven reader says settles it."""
    is_quoted: bool = False
    """It was asked for that sentence."""

    def take(self, probabilities: Sequence[float], window: ModelWindow) -> None:
        """Notes the answers on one window."""
        if not probabilities:
            self.unread += 1
            return
        self.times += 1
        support = mean_probability(probabilities)
        if self.support is None or support > self.support:
            self.support, self.window = support, window

    def note_key(self, key: str | None) -> None:
        """Notes a call that was made for it."""
        if key:
            self.keys.append(key)

    @property
    def read(self) -> ModelWindow:
        """The window that the model's word is of."""
        return self.window or self.windows[0]

    @property
    def is_decided(self) -> bool:
        """No further window can change much."""
        return self.support is not None and self.support >= STRONG

    def holding(self, quote: Quote | None) -> Evidence | None:
        """The candidate in which a quotation stands."""
        if quote is None:
            return None
        return next(
            (
                one
                for one in self.question.evidence
                if find_quote(one.text, quote.text) is not None
            ),
            None,
        )

    @property
    def settled_by(self) -> Evidence | None:
        """The candidate that a proven reader says settles it: of the page it has read,
        and most of a sentence, not the claim said again."""
        quote = self.settling
        if quote is None or find_quote(quote.text, self.question.claim) is not None:
            return None
        for one in self.question.evidence:
            if place(one) in self.read.places and find_quote(one.text, quote.text):
                is_most = len(quote.text.split()) >= min(
                    LEAST_QUOTED, len(one.text.split())
                )
                return one if is_most else None
        return None

    @property
    def is_denied(self) -> bool:
        return self.denial is not None and self.denial >= EVEN
