"""Rule checks: claim and evidence side by side, numbers, dates, names, negation.

Free of any model, and the only way to "contradicted": a rule names the words of the
claim and the words of a sentence that stand against each other. Precision first: a
number elsewhere is no conflict unless the sentence speaks of the same thing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from claimscope.core.models import Evidence, RuleFinding
from claimscope.core.text.dates import WEEKDAYS
from claimscope.core.text.numbers import Quantity, identifiers, is_rounded
from claimscope.core.verification.calibrate import rarity
from claimscope.core.verification.evidence import units_of
from claimscope.core.verification.negation import opposed
from claimscope.core.verification.windows import Side, Window
from claimscope.core.verification.wording import STOP, Word, stem

ALIGNED = 0.5
"""Least share of the claim's topic that a sentence must have to speak against it."""
AGREED = 0.85
"""Alignment from which two pages speak of the very same thing."""
NEAR = 0.12
"""A match in a window less aligned by more than this does not undo a conflict."""
_TOGETHER = re.compile(
    r"(?i)\b(?:total|together|combined|altogether|sum|in all|overall|both|each|times"
    r"|twice|double|difference|more than|less than|longer|shorter|cheaper|remaining"
    r"|left|add up|adds up)\b"
)
_LIST_MARK = re.compile(r"\d+[.)](?=\s|$)")
_FIGURE = re.compile(r"\d[\d,]*(?:\.\d+)?")
_SPACED = re.compile(r"(?<=\d)\s?([,.])\s(?=\d)")
_QUOTE = re.compile(r"[\"“”]([^\"“”]{8,400})[\"“”]")


@dataclass(frozen=True)
class Laid:
    """A window with its alignment to the claim."""

    window: Window
    alignment: float


@dataclass(frozen=True)
class Finding:
    """A finding with the window it was made in; None when in none."""

    shown: RuleFinding
    window: Window | None = None


def findings(claim: str, evidence: Sequence[Evidence]) -> tuple[RuleFinding, ...]:
    """What the rules see in claim and candidates, in order of the claim."""
    return tuple(finding.shown for finding in inspect(claim, evidence))


def inspect(claim: str, evidence: Sequence[Evidence]) -> tuple[Finding, ...]:
    """The findings with their windows; each sentence of a long claim on its own."""
    windows = [Window(one) for one in evidence]
    return tuple(
        finding for unit in units_of(claim) for finding in _inspect(unit, windows)
    )


def _inspect(claim: str, windows: Sequence[Window]) -> tuple[Finding, ...]:
    side = Side(claim)
    laid = sorted(
        (Laid(window, window.alignment(side.topic, rarity)) for window in windows),
        key=lambda one: -one.alignment,
    )
    if not laid:
        return ()
    return (
        *(_number(quantity, side, laid) for quantity in _asked(side)),
        *_dates(side, laid),
        *_names(side, laid),
        *_negation(side, laid),
        *_quotes(side, laid),
    )


def _asked(side: Side) -> Iterator[Quantity]:
    """Quantities to check: "one" and "first" alone are seldom figures."""
    for quantity in side.quantities:
        if quantity.is_word and not quantity.unit and quantity.high <= 1:
            continue
        if quantity.kind == "ordinal" and quantity.is_word and quantity.high <= 1:
            continue
        if _LIST_MARK.match(side.text, quantity.start) and not quantity.start:
            continue
        yield quantity


def _number(quantity: Quantity, side: Side, laid: Sequence[Laid]) -> Finding:
    conflict = _rival(quantity, side, laid)
    match = next((x for x in laid if _stands(quantity, x.window)), None)
    if conflict is not None:
        match = next((x for x in laid if _undoes(x, conflict[1], quantity, side)), None)
    if match is not None:
        message = f"{quantity.text} stands in the evidence."
        return _finding("number", "match", quantity.text, None, message, match.window)
    derived = _derived(quantity, side, laid)
    if derived:
        message = f"{quantity.text} follows from the evidence: {derived}."
        return _finding("number", "match", quantity.text, derived, message, None)
    if conflict is not None:
        rival, one, is_unit = conflict
        message = f"The claim says {quantity.text}, the page says {rival.text}."
        rule = "unit" if is_unit else "number"
        return _finding(
            rule, "conflict", quantity.text, rival.text, message, one.window, veto=True
        )
    message = f"{quantity.text} stands in none of the candidate sentences."
    return _finding(
        "number",
        "missing",
        quantity.text,
        None,
        message,
        None,
        veto=not _may_be_counted(quantity),
    )


def _undoes(one: Laid, other: Laid, quantity: Quantity, side: Side) -> bool:
    """A window with the claim's figure undoes a conflict in another: on the same page,
    or as near to the claim and about the same names."""
    if not _stands(quantity, one.window):
        return False
    if one.window.evidence.page_id == other.window.evidence.page_id:
        return one.alignment >= other.alignment / 2
    return one.alignment >= other.alignment - NEAR and _same_subject(side, one)


def _may_be_counted(quantity: Quantity) -> bool:
    """Small numbers of things, which a reader may have counted ("two players")."""
    if quantity.kind == "ordinal":
        return True
    return quantity.unit is None and quantity.kind == "number" and quantity.high <= 4


def _stands(quantity: Quantity, window: Window) -> bool:
    """Whether a quantity stands in a window, its neighbours included."""
    for side in (window.sentence, window.context):
        for other in side.quantities:
            if quantity.same(other) or _bare_equal(quantity, other):
                return True
            if quantity.within(other) or is_rounded(quantity, other):
                return True
            if other.allows(quantity):
                return True
            if other.is_range and quantity.is_range is False:
                if quantity.low in (other.low, other.high) and not quantity.unit:
                    return True
        if _range_apart(quantity, side) or _as_text(quantity, side):
            return True
    return quantity.is_word and quantity.text.lower() in window.sentence.text.lower()


def _bare_equal(left: Quantity, right: Quantity) -> bool:
    """Equal figures, one of them without a unit: a table cell, "costs 30"."""
    if left.unit is not None and right.unit is not None:
        return False
    if "ordinal" in (left.kind, right.kind) and left.kind != right.kind:
        return False
    return (left.low, left.high) == (right.low, right.high)


def _range_apart(quantity: Quantity, side: Side) -> bool:
    """Both ends of a range stand in one text: "500 mg to 1 g" for 0.5 to 1 g."""
    if not quantity.is_range:
        return False
    ends = [
        replace(quantity, low=end, high=end) for end in (quantity.low, quantity.high)
    ]
    return all(
        any(end.same(other) or _bare_equal(end, other) for other in side.quantities)
        for end in ends
    )


def _as_text(quantity: Quantity, side: Side) -> bool:
    """A year within a date, a figure within an identifier."""
    if quantity.kind == "year":
        return any(day.year == quantity.low for day in side.days)
    if quantity.is_word or quantity.is_range:
        return False
    figure = _FIGURE.search(quantity.text)
    if figure is None:
        return False
    if any(figure[0] in name for name, _, _ in identifiers(side.text)):
        return True
    # Tokenized text has "3, 800" and "7. 8".
    plain = _SPACED.sub(r"\1", side.text).replace(",", "")
    digits = re.escape(figure[0].replace(",", ""))
    return bool(re.search(rf"(?<![\d.]){digits}(?![\d]|\.\d)", plain))


Rival = tuple[Quantity, Laid, bool]
"""(the other quantity, where, is it the unit that differs)"""


def _rival(quantity: Quantity, side: Side, laid: Sequence[Laid]) -> Rival | None:
    """A quantity that stands where the claim's should, in the best aligned window
    that speaks of the same thing."""
    best = laid[0].alignment
    for one in laid:
        if one.alignment < best - 0.25 or not _is_about(side, one):
            continue
        for other in one.window.sentence.quantities:
            if _stands(quantity, one.window) or _is_known(other, side):
                continue
            if _rivals(quantity, other, side, one.window.sentence):
                return other, one, False
            if (
                quantity.low == other.low
                and quantity.high == other.high
                and quantity.unit is not None
                and other.unit is not None
            ):
                return other, one, True
    return None


def _is_about(side: Side, one: Laid) -> bool:
    """The sentence itself speaks of what the claim speaks of."""
    shared = {word.stem for word in side.topic} & one.window.sentence.stems
    whole = len(shared) == len({word.stem for word in side.topic})
    return (
        one.alignment >= ALIGNED
        and (len(shared) >= 2 or whole)
        and _same_subject(side, one)
    )


def _is_known(other: Quantity, side: Side) -> bool:
    """Whether the claim says this quantity too: then it answers to that one."""
    return any(
        other.same(mine) or other.within(mine) or _bare_equal(other, mine)
        for mine in side.quantities
    )


def _rivals(mine: Quantity, other: Quantity, side: Side, sentence: Side) -> bool:
    """Of one kind, of like size, and in the same place: words beside them agree."""
    if not mine.comparable(other) or mine.kind != other.kind:
        return False
    if other.bound != mine.bound or mine.is_range != other.is_range:
        return False
    if mine.kind != "year" and not _alike(mine, other):
        return False
    if mine.unit is None and mine.kind == "number" and _counted(mine) & _counted(other):
        return True
    shared = _beside(side, mine.start, mine.end) & _beside(
        sentence, other.start, other.end
    )
    return bool(shared)


def _alike(mine: Quantity, other: Quantity) -> bool:
    """Within a factor of twenty."""
    a, b = abs(mine.base(mine.low)), abs(other.base(other.low))
    return min(a, b) * 20 >= max(a, b)


def _beside(side: Side, start: int, end: int) -> frozenset[str]:
    """Stems of the content words within five words before and four after a place."""
    before = [word for word in side.words if word.end <= start][-5:]
    after = [word for word in side.words if word.start >= end][:4]
    return frozenset(
        word.stem
        for word in (*before, *after)
        if not word.is_stop and not word.is_number
    )


def _counted(quantity: Quantity) -> set[str]:
    return {stem(word) for word in quantity.noun.split() if len(word) > 2} - STOP


def _same_subject(side: Side, one: Laid) -> bool:
    """No name of the claim is missing around the sentence."""
    everything = one.window.everything
    return all(
        word.stem in everything or _near_name(word.stem, everything)
        for word in side.topic
        if word.is_name
    )


def _near_name(name: str, known: frozenset[str]) -> bool:
    """An inflected or shortened form: Norwegian for Norway."""
    head = name[: max(4, len(name) - 3)]
    return any(other.startswith(head) for other in known if len(other) >= 4)


def _derived(quantity: Quantity, side: Side, laid: Sequence[Laid]) -> str | None:
    """How a number follows from two others, in words: a sum or a difference of the
    same kind, a number of things times one, a rate times an amount."""
    if quantity.kind != "number" or quantity.is_range and not quantity.unit:
        return None
    if quantity.high < 5:
        return None
    mine = [other for other in side.quantities if other != quantity]
    for one in laid[:4]:
        for theirs in (one.window.sentence, one.window.context):
            pool = dict.fromkeys([*mine, *theirs.quantities])
            for a, b in combinations(pool, 2):
                found = _makes(a, b, quantity)
                if found:
                    return found
    sums = [
        other
        for one in laid[:6]
        for other in one.window.sentence.quantities
        if other.comparable(quantity)
    ]
    if not _TOGETHER.search(side.text):
        return None
    return next(
        (
            found
            for a, b in combinations(dict.fromkeys([*mine, *sums]), 2)
            if (found := _adds_up(a, b, quantity))
        ),
        None,
    )


def _makes(a: Quantity, b: Quantity, target: Quantity) -> str | None:
    """Sum, difference or product of two quantities that is the target."""
    found = _adds_up(a, b, target)
    if found:
        return found
    for rate, times in ((a, b), (b, a)):
        if times.is_range or times.low < 2 or rate.low == times.low:
            continue
        by_count = rate.dimension == target.dimension and times.unit is None
        by_amount = rate.dimension == f"{target.dimension}/{times.dimension}"
        if not (by_count and (rate.unit is not None) or by_amount):
            continue
        factor = times.base(times.low)
        if _equal(rate.base(rate.low) * factor, target.base(target.low)) and _equal(
            rate.base(rate.high) * factor, target.base(target.high)
        ):
            return f"{rate.text} x {times.text}"
    return None


def _adds_up(a: Quantity, b: Quantity, target: Quantity) -> str | None:
    if a.is_range or b.is_range or target.is_range:
        return None
    if not a.dimension == b.dimension == target.dimension:
        return None
    x, y, sought = (q.base(q.low) for q in (a, b, target))
    if _equal(x + y, sought):
        return f"{a.text} + {b.text}"
    if _equal(abs(x - y), sought):
        larger, smaller = (a, b) if x > y else (b, a)
        return f"{larger.text} - {smaller.text}"
    return None


def _equal(left: float, right: float) -> bool:
    return abs(left - right) <= 1e-6 * max(abs(left), abs(right))


def _dates(side: Side, laid: Sequence[Laid]) -> Iterator[Finding]:
    for day in side.days:
        match = next(
            (
                one
                for one in laid
                for text in (one.window.sentence, one.window.context)
                if any(day.agrees(d) and day.overlaps(d) for d in text.days)
                or (day.day is None and any(q.low == day.year for q in text.quantities))
            ),
            None,
        )
        rival = next(
            (
                (other, one)
                for one in laid
                if _is_about(side, one)
                for other in one.window.sentence.days
                if day.overlaps(other) and not day.agrees(other)
                if not any(other.agrees(mine) for mine in side.days)
            ),
            None,
        )
        yield _moment(day.text, match, rival)
    for clock in side.clocks:
        found = next(
            (
                one
                for one in laid
                for text in (one.window.sentence, one.window.context)
                if any(clock.agrees(c) for c in text.clocks)
            ),
            None,
        )
        other_time = next(
            (
                (other, one)
                for one in laid
                if _is_about(side, one)
                for other in one.window.sentence.clocks
                if not any(other.agrees(mine) for mine in side.clocks)
                if _beside(side, clock.start, clock.end)
                & _beside(one.window.sentence, other.start, other.end)
            ),
            None,
        )
        yield _moment(clock.text, found, other_time)


def _moment(
    text: str, match: Laid | None, rival: tuple[object, Laid] | None
) -> Finding:
    """The finding of a date or time."""
    if match is not None and (
        rival is None or match.alignment >= rival[1].alignment - NEAR
    ):
        message = f"{text} stands in the evidence."
        return _finding("date", "match", text, None, message, match.window)
    if rival is not None:
        other = str(getattr(rival[0], "text", ""))
        message = f"The claim says {text}, the page says {other}."
        return _finding(
            "date", "conflict", text, other, message, rival[1].window, veto=True
        )
    message = f"{text} stands in none of the candidate sentences."
    return _finding("date", "missing", text, None, message, None, veto=True)


def _names(side: Side, laid: Sequence[Laid]) -> Iterator[Finding]:
    yield from _weekdays(side, laid)
    known = frozenset().union(*(one.window.everything for one in laid))
    for word in side.topic:
        if not word.is_name or word.text.lower() in WEEKDAYS:
            continue
        if word.stem in known or _near_name(word.stem, known):
            continue
        message = f"{word.text} stands in none of the candidate sentences."
        is_code = any(c.isdigit() for c in word.text)
        yield _finding("name", "missing", word.text, None, message, None, veto=is_code)
    for word, other, one in swaps(side, laid):
        message = f"The claim says {word.text}, the page says {other.text}."
        yield _finding(
            "name", "conflict", word.text, other.text, message, one.window, veto=True
        )


def _weekdays(side: Side, laid: Sequence[Laid]) -> Iterator[Finding]:
    mine = _days_named(side)
    for one in laid:
        theirs = _days_named(one.window.sentence)
        if not mine or one.alignment < ALIGNED or not theirs:
            continue
        if not _same_subject_but_days(side, one):
            continue
        if not set(mine) <= set(theirs):
            wrong = next(day for day in mine if day not in theirs)
            right = " and ".join(theirs.values())
            message = f"The claim says {mine[wrong]}, the page says {right}."
            yield _finding(
                "date", "conflict", mine[wrong], right, message, one.window, veto=True
            )
        return


def _days_named(side: Side) -> dict[str, str]:
    found = {}
    for word in side.words:
        low = word.text.lower().removesuffix("s")
        if low in WEEKDAYS:
            found[low] = word.text
    return found


def _same_subject_but_days(side: Side, one: Laid) -> bool:
    everything = one.window.everything
    return all(
        word.stem in everything or _near_name(word.stem, everything)
        for word in side.topic
        if word.is_name and word.text.lower().removesuffix("s") not in WEEKDAYS
    )


def swaps(side: Side, laid: Sequence[Laid]) -> Iterator[tuple[Word, Word, Laid]]:
    """A name of the claim where a near copy of it has another.

    Names may differ with one neighbour equal; other rare words, and names that stand
    elsewhere on the page, need both.
    """
    one = laid[0]
    sentence = one.window.sentence
    lost = [word for word in side.topic if word.stem not in sentence.stems]
    lost = [word for word in lost if not _near_name(word.stem, sentence.stems)]
    for name in lost:
        rest = [word for word in side.topic if word is not name]
        if len(rest) < 2 or one.window.alignment(rest, rarity) < 0.75:
            continue
        if not name.is_name and rarity(name.stem) < 0.9:
            continue
        is_elsewhere = name.stem in one.window.everything
        for other in sentence.topic:
            if other.stem in side.stems or other.stem in one.window.subject:
                continue
            both = other.is_name and name.is_name and not is_elsewhere
            if _fits(side, name, sentence, other) >= (1 if both else 2):
                if rarity(other.stem) > 0.7:
                    yield name, other, one
                    return


def _fits(side: Side, mine: Word, sentence: Side, other: Word) -> int:
    """How many of the words beside them are equal, 0-2."""
    before, after = _neighbours(side, mine)
    left, right = _neighbours(sentence, other)
    return bool(before and before == left) + bool(after and after == right)


def _neighbours(side: Side, word: Word) -> tuple[str, str]:
    """Stems of the words before and after."""
    place = side.words.index(word)
    before = side.words[place - 1].stem if place else ""
    after = side.words[place + 1].stem if place + 1 < len(side.words) else ""
    return before, after


def _negation(side: Side, laid: Sequence[Laid]) -> Iterator[Finding]:
    one = laid[0]
    if one.alignment < 0.6 or not _same_subject(side, one):
        return
    pair = opposed(side, one.window.sentence, one.alignment)
    if pair is not None:
        mine, theirs = pair
        message = f"The claim says “{mine}”, the page says “{theirs}”."
        yield _finding(
            "negation", "conflict", mine, theirs, message, one.window, veto=True
        )


def _quotes(side: Side, laid: Sequence[Laid]) -> Iterator[Finding]:
    for match in _QUOTE.finditer(side.text):
        quote = match[1]
        if len(quote.split()) < 3:
            continue
        found = next((x for x in laid if _verbatim(quote, x.window)), None)
        if found is not None:
            message = "The quoted words stand in the evidence."
            yield _finding("quote", "match", quote, quote, message, found.window)
        else:
            message = "The quoted words stand in none of the candidate sentences."
            yield _finding("quote", "missing", quote, None, message, None)


def _verbatim(quote: str, window: Window) -> bool:
    flat = " ".join(word.text.lower() for word in Side(quote).words)
    evidence = window.evidence
    whole = " ".join(
        part for part in (evidence.before, evidence.text, evidence.after) if part
    )
    return flat in " ".join(word.text.lower() for word in Side(whole).words)


def _finding(
    rule: str,
    outcome: str,
    claim_text: str,
    evidence_text: str | None,
    message: str,
    window: Window | None,
    *,
    veto: bool = False,
) -> Finding:
    shown = RuleFinding.model_validate(
        {
            "rule": rule,
            "outcome": outcome,
            "claim_text": claim_text,
            "evidence_text": evidence_text,
            "message": message,
            "veto": veto,
        }
    )
    return Finding(shown, window)


def sources_conflict(
    claim: str, evidence: Sequence[Evidence]
) -> tuple[Evidence, Evidence] | None:
    """(for, against) when one page says what the claim says and another page, as near
    to it, says another figure of the same named thing; None otherwise."""
    side = Side(claim)
    if not side.quantities or not any(word.is_name for word in side.topic):
        return None
    laid = [
        one
        for one in (
            Laid(w, w.alignment(side.topic, rarity)) for w in map(Window, evidence)
        )
        if one.alignment >= AGREED and _same_subject(side, one)
    ]
    for pro in laid:
        if not all(_stands(q, pro.window) for q in _asked(side)):
            continue
        for contra in laid:
            if contra.window.evidence.page_id == pro.window.evidence.page_id:
                continue
            if any(_rival(q, side, [contra]) for q in _asked(side)):
                return pro.window.evidence, contra.window.evidence
    return None
