"""Rule checks: claim and evidence side by side, numbers, dates, names, negation.

Free of any model, and the only way to "contradicted": a rule names the words of the
claim and the words of a sentence that stand against each other. Precision first: a
doubtful conflict is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from claimscope.core.models import Evidence, RuleFinding
from claimscope.core.text.quantity import Quantity
from claimscope.core.verification.calibrate import rarity
from claimscope.core.verification.comparison import (
    AGREED,
    Finding,
    Laid,
    doubted,
    finding_of,
    is_sound,
    same_subject,
)
from claimscope.core.verification.evidence import units_of
from claimscope.core.verification.figures import (
    asked,
    is_of_another,
    number,
    rival,
    stands,
)
from claimscope.core.verification.manner import manners
from claimscope.core.verification.moments import dates, weekdays
from claimscope.core.verification.naming import names
from claimscope.core.verification.negation import opposed
from claimscope.core.verification.parallels import crossings
from claimscope.core.verification.roles import exchanges
from claimscope.core.verification.scope import scopes
from claimscope.core.verification.windows import Side, Window

_QUOTE = re.compile(r"[\"“”]([^\"“”]{8,400})[\"“”]")


def findings(claim: str, evidence: Sequence[Evidence]) -> tuple[RuleFinding, ...]:
    """What the rules see in claim and candidates, in order of the claim."""
    windows = [Window(one) for one in evidence]
    return tuple(finding.shown for finding in inspect(claim, windows))


def inspect(
    claim: str, windows: Sequence[Window], question: str | None = None
) -> tuple[Finding, ...]:
    """The findings with their windows; each sentence of a long claim on its own.
    Numbers of the question are given, not claimed."""
    given = Side(question).quantities if question else ()
    return tuple(
        finding
        for unit in units_of(claim)
        for finding in _inspect(Side(unit), windows, given)
    )


def _inspect(
    side: Side, windows: Sequence[Window], given: Sequence[Quantity]
) -> tuple[Finding, ...]:
    laid = sorted(
        (Laid(window, window.alignment(side.topic, rarity)) for window in windows),
        key=lambda one: -one.alignment,
    )
    if not laid:
        return ()
    found = (
        *(number(quantity, side, laid, given) for quantity in asked(side)),
        *crossings(side, laid),
        *dates(side, laid),
        *weekdays(side, laid),
        *names(side, laid),
        *_negation(side, laid),
        *scopes(side, laid),
        *manners(side, laid),
        *_quotes(side, laid),
    )
    kept = (_kept(one, side, laid) for one in found)
    # An exchange is told only in a sentence that is the claim word for word: that is
    # more than is asked of other conflicts.
    return (*(one for one in kept if one is not None), *exchanges(side, laid))


def _kept(finding: Finding, side: Side, laid: Sequence[Laid]) -> Finding | None:
    """A finding, a conflict only when it is sound."""
    if finding.shown.outcome != "conflict":
        return finding
    is_year = any(
        quantity.kind == "year" and quantity.text == finding.shown.claim_text
        for quantity in side.quantities
    )
    where = next(one for one in laid if one.window is finding.window)
    is_elsewhere = finding.shown.rule in ("number", "date") and is_of_another(
        side, where.window.sentence
    )
    if not is_elsewhere and is_sound(finding.shown, is_year, side, where, laid):
        return finding
    return doubted(finding, is_whole=where.alignment >= AGREED)


def _negation(side: Side, laid: Sequence[Laid]) -> Iterator[Finding]:
    one = laid[0]
    if one.alignment < 0.6 or not same_subject(side, one):
        return
    pair = opposed(side, one.window.sentence, one.alignment)
    if pair is not None:
        mine, theirs = pair
        message = f"The claim says “{mine}”, the page says “{theirs}”."
        is_turned = _are_bounds_turned(side, one.window.sentence)
        outcome = "missing" if is_turned else "conflict"
        yield finding_of(
            "negation", outcome, mine, theirs, message, one.window, veto=True
        )


def _are_bounds_turned(side: Side, sentence: Side) -> bool:
    """ "Not for children under 12", "for children over 12": two ways to say one."""
    return any(
        mine.bound
        and other.bound
        and mine.bound != other.bound
        and mine.low == other.low
        for mine in side.quantities
        for other in sentence.quantities
    )


def _quotes(side: Side, laid: Sequence[Laid]) -> Iterator[Finding]:
    for match in _QUOTE.finditer(side.text):
        quote = match[1]
        if len(quote.split()) < 3:
            continue
        found = next((x for x in laid if _verbatim(quote, x.window)), None)
        if found is not None:
            message = "The quoted words stand in the evidence."
            yield finding_of("quote", "match", quote, quote, message, found.window)
        else:
            message = "The quoted words stand in none of the candidate sentences."
            yield finding_of("quote", "missing", quote, None, message, None)


def _verbatim(quote: str, window: Window) -> bool:
    flat = " ".join(word.text.lower() for word in Side(quote).words)
    evidence = window.evidence
    whole = " ".join(
        part for part in (evidence.before, evidence.text, evidence.after) if part
    )
    return flat in " ".join(word.text.lower() for word in Side(whole).words)


def sources_conflict(
    claim: str, windows: Sequence[Window]
) -> tuple[Evidence, Evidence] | None:
    """(for, against) when one page says what the claim says and another page, as near
    to it, says another figure of the same named thing; None otherwise."""
    side = Side(claim)
    if not side.quantities or not any(word.is_name for word in side.topic):
        return None
    laid = [
        one
        for one in (Laid(w, w.alignment(side.topic, rarity)) for w in windows)
        if one.alignment >= AGREED and same_subject(side, one)
    ]
    for pro in laid:
        if not all(stands(q, side, pro.window) for q in asked(side)):
            continue
        for contra in laid:
            if contra.window.evidence.page_id == pro.window.evidence.page_id:
                continue
            if any(rival(q, side, [contra]) for q in asked(side)):
                return pro.window.evidence, contra.window.evidence
    return None
