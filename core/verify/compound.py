"""A claim that says several things at once is as good as the weakest of them.

Claims of answers come one fact at a time (decomposition.py). Those that people write,
required claims and rows of other tools, often do not: "The park has 40 pitches and
closes at ten". Read whole, a right half hides a wrong one: of 39 such claims with one
false part the witnesses let 9 pass, of their parts 2, at as many true claims found
(benchmarks/quality/everyday).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from claimscope.core.models import Label, Testimony, Verdict
from claimscope.core.verify.decomposition import decompose
from claimscope.core.verify.resolve import SHOWN, WORDED
from claimscope.core.verify.witnesses.without_model import ENTAILMENT

LONGEST = 400
"""Characters of a claim that is taken apart; longer ones are texts."""
_JOINED = re.compile(
    r"(?i)[,;:]|\b(?:and|but|while|whereas|although|though|nor|who|which|whose)\b"
)
"""Without any of them a claim states one fact."""
_COMPARED = re.compile(r"(?i)\b(?:more|less|fewer|\w+er)\b")
"""A part that compares: "A is bigger than B and has more rooms" is one comparison."""
_STRENGTH = {
    "contradicted": 0,
    "unscored": 1,
    "not enough info": 2,
    "likely": 3,
    "supported": 4,
}
"""Words of verdicts, the weakest first."""


@lru_cache(maxsize=4096)
def parts_of(claim: str) -> tuple[str, ...]:
    """The facts that a claim states, each by itself; none where it states only one.

    >>> parts_of("The park has 40 pitches and closes at ten.")
    ('The park has 40 pitches', 'The park closes at ten.')
    >>> parts_of("The park has 40 pitches.")
    ()
    """
    if len(claim) > LONGEST or not _JOINED.search(claim):
        return ()
    parts = tuple(dict.fromkeys(one.text for one in decompose(claim).claims))
    is_cut = any(_COMPARED.search(one) and " than " not in one for one in parts)
    if len(parts) < 2 or (" than " in claim and is_cut):
        return ()
    return parts


def _doubts(verdicts: Sequence[Verdict]) -> Iterator[Testimony]:
    """What is said against the other parts: whoever reads the claim as a whole has to
    hear it."""
    for verdict in verdicts:
        for one in verdict.testimony:
            if one.says in ("doubts", "contradicts") and one.witness != ENTAILMENT:
                yield one.model_copy(update={"says": "doubts", "decisive": False})


def join_verdicts(
    whole: Verdict, parts: Sequence[str], verdicts: Sequence[Verdict]
) -> Verdict:
    """The verdict of a claim by those of its parts: the weakest, which names its part.
    What is said of the whole stands where a witness has all its words before it, and
    where it is contradicted and no part is held to be so by itself."""
    if any(one.decisive and one.witness in WORDED for one in whole.testimony):
        return whole
    number = min(range(len(parts)), key=lambda n: _STRENGTH[verdicts[n].word])
    weakest = verdicts[number]
    if whole.label is Label.CONTRADICTED and weakest.label is not Label.SUPPORTED:
        return whole
    others = [one for n, one in enumerate(verdicts) if n != number]
    shown = [one.evidence[:1] for one in others]
    evidence = dict.fromkeys((*weakest.evidence[:1], *(x for xs in shown for x in xs)))
    evidence.update(dict.fromkeys(weakest.evidence))
    supports = [one.support for one in verdicts if one.support is not None]
    reason = weakest.reason
    if weakest.label is not Label.SUPPORTED:
        reason = f"“{parts[number].rstrip('.')}”: {reason}"
    return weakest.model_copy(
        update={
            "support": min(supports, default=None),
            "evidence": tuple(evidence)[:SHOWN],
            "testimony": (*weakest.testimony, *_doubts(others)),
            "rules": tuple(rule for one in verdicts for rule in one.rules),
            "reason": reason,
        }
    )
