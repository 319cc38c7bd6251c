"""Rule checks: claim and evidence side by side, by the rules of the registry.

Free of any model: a rule names the words of the claim and the words of a sentence that
stand against each other. Precision first: a doubtful conflict is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from claimscope.core.models import Evidence, RuleFinding
from claimscope.core.text.quantities.quantity import Quantity
from claimscope.core.verify.evidence import units_of
from claimscope.core.verify.rules.comparison import (
    AGREED,
    Laid,
    WindowFinding,
    as_doubt,
    is_sound,
    same_subject,
)
from claimscope.core.verify.rules.figures import (
    is_of_another,
    quantities_to_check,
    rival,
    stands,
)
from claimscope.core.verify.rules.registry import RULES, Rule
from claimscope.core.verify.token_alignment import AlignedText, AlignedWindow
from claimscope.core.verify.word_forms import rarity


def findings(claim: str, evidence: Sequence[Evidence]) -> tuple[RuleFinding, ...]:
    """What the rules see in claim and candidates, in order of the claim."""
    windows = [AlignedWindow(one) for one in evidence]
    return tuple(finding.shown for finding in inspect(claim, windows))


def inspect(
    claim: str,
    windows: Sequence[AlignedWindow],
    question: str | None = None,
    rules: Sequence[Rule] = RULES,
) -> tuple[WindowFinding, ...]:
    """The findings with their windows; each sentence of a long claim on its own.
    Numbers of the question are given, not claimed."""
    given = AlignedText(question).quantities if question else ()
    return tuple(
        finding
        for unit in units_of(claim)
        for finding in _inspect(AlignedText(unit), windows, given, rules)
    )


def _inspect(
    side: AlignedText,
    windows: Sequence[AlignedWindow],
    given: Sequence[Quantity],
    rules: Sequence[Rule],
) -> Iterator[WindowFinding]:
    laid = sorted(
        (Laid(window, window.alignment(side.topic, rarity)) for window in windows),
        key=lambda one: -one.alignment,
    )
    if not laid:
        return
    for rule in rules:
        for found in rule.find(side, laid, given):
            kept = found if rule.is_exact else _kept(found, side, laid)
            if kept is not None:
                yield _of(rule, kept)


def _of(rule: Rule, finding: WindowFinding) -> WindowFinding:
    """With the rule's id."""
    shown = finding.shown.model_copy(update={"id": rule.id})
    return WindowFinding(shown, finding.window)


def _kept(
    finding: WindowFinding, side: AlignedText, laid: Sequence[Laid]
) -> WindowFinding | None:
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
    return as_doubt(finding, is_whole=where.alignment >= AGREED)


def sources_conflict(
    claim: str, windows: Sequence[AlignedWindow]
) -> tuple[Evidence, Evidence] | None:
    """(for, against) when one page says what the claim says and another page, as near
    to it, says another figure of the same named thing; None otherwise."""
    side = AlignedText(claim)
    if not side.quantities or not any(word.is_name for word in side.topic):
        return None
    laid = [
        one
        for one in (Laid(w, w.alignment(side.topic, rarity)) for w in windows)
        if one.alignment >= AGREED and same_subject(side, one)
    ]
    for pro in laid:
        if not all(stands(q, side, pro.window) for q in quantities_to_check(side)):
            continue
        for contra in laid:
            if contra.window.evidence.page_id == pro.window.evidence.page_id:
                continue
            if any(rival(q, side, [contra]) for q in quantities_to_check(side)):
                return pro.window.evidence, contra.window.evidence
    return None
