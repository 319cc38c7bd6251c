"""How a language model leans, measured before its word counts in a verdict.

Models of one family and form answer the same question in their own ways: one says Yes
to most claims, one says it of half of them whatever they are. Weights fitted with one
model would make wrong verdicts, confidently, of another's word. So each model is first
asked the planted claims of the probe, by the calls that the run itself makes: where its
answers lie, how far true and false claims stand apart, and whether they do at all. A
model that cannot tell them apart is not asked any further.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import TYPE_CHECKING, Protocol

from claimscope.core.verify.witnesses.fusion import Leaning, log_odds

if TYPE_CHECKING:
    from claimscope.core.verify.witnesses.reading_rates import ReadingRates

LEAST_T = 2.0
"""Standard errors the gap must be wide, or it may be chance."""
SURE_T = 4.0
"""From so many on, the word counts in full: the model of the weights has 4.3."""


class KeptRates(Protocol):
    """Rates of earlier runs, so that each model is asked the hard claims once. A key is
    of everything that they follow from: weights, cases, prompts, way of asking."""

    def known(self, key: str) -> ReadingRates | None: ...

    def keep(self, key: str, rates: ReadingRates) -> None: ...


@dataclass
class Leanings:
    """Of the models of a run by name, so that each is measured once."""

    known: dict[str, Leaning] = field(default_factory=dict)
    rates: dict[str, ReadingRates | None] = field(default_factory=dict)
    """How well those read that give verdicts; None where that was not asked."""
    kept: KeptRates | None = None
    """Those of earlier runs; None = each run counts for itself."""


def leaning_of(true: Sequence[float], false: Sequence[float]) -> Leaning:
    """From probabilities of Yes on true and on false claims.

    trust = (1 - (2 / t)^2) / (1 - (2 / 4)^2), within [0, 1], with t the two-sample
    t statistic of the log-odds (pooled variance): the shrinking factor of James and
    Stein's positive-part estimator, with a gap below two standard errors taken for
    none. Fewer than two claims of a kind: nothing is known, trust 0.
    """
    if min(len(true), len(false)) < 2:
        return Leaning(0.0, 0.0, trust=0.0)
    yes, no = [log_odds(p) for p in true], [log_odds(p) for p in false]
    gap = fmean(yes) - fmean(no)
    center = (fmean(yes) + fmean(no)) / 2
    spread = sum((x - fmean(yes)) ** 2 for x in yes)
    spread += sum((x - fmean(no)) ** 2 for x in no)
    variance = spread / (len(yes) + len(no) - 2)
    error = math.sqrt(variance * (1 / len(yes) + 1 / len(no)))
    errors = sum(x < center for x in yes) + sum(x >= center for x in no)
    return Leaning(center, gap, math.sqrt(variance), _trust(gap, error), errors)


def _trust(gap: float, error: float) -> float:
    if gap <= LEAST_T * error:
        return 0.0
    share = 1 - (LEAST_T * error / gap) ** 2
    return min(1.0, share / (1 - (LEAST_T / SURE_T) ** 2))


def note(model: str, leaning: Leaning) -> str | None:
    """What people are told about it; None when its word counts in full."""
    if leaning.trust >= 1:
        return None
    if leaning.trust == 0:
        return (
            f"{model} cannot tell true claims from false ones on planted documents, so "
            "it is not asked: verdicts on claims are made without it. Choose another "
            "model; `claimscope models probe` shows what one can do."
        )
    return (
        f"{model}: on planted claims its word is not always to be relied on; it counts "
        f"{leaning.trust:.0%} beside the evidence."
    )
