"""What the passage has in the claim's place: to fill in, without a language model.

"The blade for tile is the Tavi", of a page on the Renn, Marl and Tavi blades: with
each other name of the passage in the claim's place the entailment model is asked again.
Where it says "Marl" far more readily, the claim has taken a neighbour's name or figure.
Read by itself, a claim is compared with the passage; here it is compared with what else
could have been claimed of it, which small models judge better (as filling in is easier
for them than saying yes or no).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

from claimscope.core.models import Testimony
from claimscope.core.text.linguistics import parse
from claimscope.core.text.quantities.dates import MONTHS, WEEKDAYS
from claimscope.core.text.quantities.numbers import identifiers
from claimscope.core.verify.resolve import Policy
from claimscope.core.verify.rules.arithmetic import is_sum
from claimscope.core.verify.rules.quantity_relations import equal, excludes, is_small
from claimscope.core.verify.token_alignment import aligned_text
from claimscope.core.verify.witnesses.fusion import log_odds

SUBSTITUTION = "substitution"
"""Name of the witness."""
MOST = 8
"""Substitutes of a claim that are asked about."""
LONGEST = 4
"""Words of a name: longer runs are titles, or what is left of a menu."""
_CALENDAR = frozenset((*MONTHS, *WEEKDAYS))
_QUOTED = re.compile(r"\"[^\"]{2,80}\"|(?<!\w)'[^']{2,80}'(?!\w)")
_JOINED = r"(?:,?\s+(?:and|or|&)\s+|,\s+|/)"
_LISTED = re.compile(r"\brespectively\b|\bin (?:that|this|the same) order\b", re.I)


class Substitute(NamedTuple):
    """The claim with something else of the passage in one place."""

    claim: str
    own: str
    other: str


@dataclass(frozen=True)
class Rival:
    """What the passage has in the claim's place, as the model sees it."""

    own: str
    other: str
    entails: float
    """Probability that the passage states the claim with `other` for `own`."""


def substitutes(claim: str, passage: str) -> tuple[Substitute, ...]:
    """At most MOST of them, figures before names; both texts in canonical form."""
    found = (*_of_figures(claim, passage), *_of_names(claim, passage))
    return tuple(islice(dict.fromkeys(found), MOST))


def _of_figures(claim: str, passage: str) -> Iterator[Substitute]:
    """Another figure of one kind that cannot be true with the claim's own. A total
    stands nowhere, and may be right."""
    side, theirs = aligned_text(claim), aligned_text(passage).quantities
    is_total = is_sum(side)
    for mine in side.quantities:
        stands = any(equal(mine, one) for one in theirs)
        if is_small(mine) or (is_total and not stands):
            continue
        for other in theirs:
            if is_small(other) or other.text in claim:
                continue
            if mine.kind == other.kind and excludes(other, mine):
                yield _substitute(claim, mine.start, mine.end, other.text)


def _of_names(claim: str, passage: str) -> Iterator[Substitute]:
    """Another name, or another identifier, or another day or month, in the place of one
    that stands in the passage."""
    named = _names(passage)
    low = claim.lower()
    for start, end in _names(claim):
        own = claim[start:end]
        if own.lower() not in passage.lower() or _is_quoted(claim, start, end):
            continue
        for begin, stop in named:
            other = passage[begin:stop]
            if _is_part(other.lower(), own.lower()) or other.lower() in low:
                continue
            if _kind(own) == _kind(other) and not _side_by_side(own, other, passage):
                yield _substitute(claim, start, end, other)


def _names(text: str) -> list[tuple[int, int]]:
    """Spans of names, and of identifiers: runs of proper nouns by the parse, without
    units of measure and without a word that heads several of them ("Room Alder")."""
    taken = [(start, end) for _, start, end in identifiers(text)]
    found = list(taken)
    taken += [(one.start, one.end) for one in aligned_text(text).quantities]
    runs: list[list[Any]] = [[]]
    for token in parse(text) or ():
        end = token.idx + len(token)
        is_free = not any(a < end and token.idx < b for a, b in taken)
        if token.pos_ == "PROPN" and is_free:
            runs[-1].append(token)
        elif runs[-1]:
            runs.append([])
    firsts = Counter(run[0].text for run in runs if len(run) > 1)
    for run in runs:
        named = run[1:] if len(run) > 1 and firsts[run[0].text] > 1 else run
        words = [one.text for one in named]
        is_odd = len(words) > LONGEST or len({*words}) < len(words)
        if named and not is_odd and not _is_capitalised_noun(named):
            found.append((named[0].idx, named[-1].idx + len(named[-1])))
    return sorted(found)


def _is_capitalised_noun(run: Sequence[Any]) -> bool:
    """ "Shoe rental is 5 euros": a noun before another, large by its place alone."""
    first = run[0]
    is_alone = len(run) == 1 and first.is_sent_start
    return is_alone and first.dep_ == "compound" and first.head.pos_ == "NOUN"


def _is_part(one: str, other: str) -> bool:
    return one in other or other in one


def _kind(name: str) -> str:
    """What it may change places with."""
    low = name.lower()
    if low in _CALENDAR or low.removesuffix("s") in _CALENDAR:
        return "calendar"
    return "code" if any(char.isdigit() for char in name) else "name"


def _side_by_side(own: str, other: str, passage: str) -> bool:
    """Whether the passage says the same of both: "A and B", but not where a list has a
    partner for each."""
    if _LISTED.search(passage):
        return False
    pair = "|".join(
        rf"{re.escape(a)}{_JOINED}{re.escape(b)}"
        for a, b in ((own, other), (other, own))
    )
    return re.search(pair, passage, re.I) is not None


def _is_quoted(text: str, start: int, end: int) -> bool:
    """Whether it is part of a title in quotation marks."""
    return any(
        a < end and start < b for a, b in (m.span() for m in _QUOTED.finditer(text))
    )


def _substitute(claim: str, start: int, end: int, other: str) -> Substitute:
    own = claim[start:end]
    return Substitute(claim[:start] + other + claim[end:], own, other)


def by_rival(
    rivals: Sequence[Rival],
    entails: float,
    contradicts: float,
    place: str,
    policy: Policy,
    *,
    may_deny: bool,
) -> list[Testimony]:
    """What the passage has in the claim's place. `entails`, `contradicts`: of the claim
    itself, on the same passage. Where the model may deny, rules the claim out and has
    the rival stated, that contradicts; else it is a doubt, and so is a rival that
    outdoes the claim."""
    best = max(rivals, key=lambda one: one.entails, default=None)
    if best is None or best.entails < policy.rival:
        return []
    is_against = contradicts >= policy.ruled_out
    ahead = log_odds(best.entails) - log_odds(entails)
    if not is_against and ahead < policy.outdone:
        return []
    return [
        Testimony(
            witness=SUBSTITUTION,
            says="contradicts" if is_against and may_deny else "doubts",
            strength=best.entails,
            place=place,
            reason=f"The page has “{best.other}” where the claim has “{best.own}”.",
        )
    ]
