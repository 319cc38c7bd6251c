"""Numbers of a claim that follow from others: sums, differences, products.

Only what a reader would work out too: two quantities of one kind, a number of things
times one of them, a rate times an amount.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations, permutations

from claimscope.core.text.quantities.quantity import Quantity
from claimscope.core.verify.rules.comparison import Laid
from claimscope.core.verify.token_alignment import AlignedText

_SUM = re.compile(
    r"(?i)\b(?:together|combined|altogether|in all|in total|total of|come to|the two)\b"
)
_TOGETHER = re.compile(
    r"(?i)\b(?:total|together|combined|altogether|sum|in all|overall|both|each|times"
    r"|twice|double|difference|more than|less than|longer|shorter|cheaper|remaining"
    r"|left|add up|adds up)\b"
)

_AGE = re.compile(r"(?i)\b(?:age|aged|old|when)\b")
YEAR = 31557600.0
"""Seconds."""


def derivation_of(
    quantity: Quantity,
    side: AlignedText,
    laid: Sequence[Laid],
    given: Sequence[Quantity] = (),
) -> str | None:
    """How a number follows from others, in words; None when it does not.

    Operands are the claim's and the question's own numbers and those of one window;
    for sums also those of one page, and of several where the claim says "together".
    """
    if quantity.kind not in ("number", "fraction"):
        return None
    spanned = _span(quantity, side, laid)
    if spanned or _is_trivial(quantity):
        return spanned
    mine = [*(other for other in side.quantities if other != quantity), *given]
    pools = [list(mine)]
    for one in laid[:4]:
        for theirs in (one.window.sentence, one.window.context):
            pools.append([*mine, *theirs.quantities])
    for pool in pools:
        found = _within(pool, quantity)
        if found:
            return found
    is_joint = _TOGETHER.search(side.text) is not None
    pages = {one.window.evidence.page_id for one in laid[:6]}
    groups = [None] if is_joint else sorted(pages)
    for page_id in groups:
        sums = [
            other
            for one in laid[:6]
            if page_id in (None, one.window.evidence.page_id)
            for other in one.window.sentence.quantities
            if _is_like(quantity, other)
        ]
        pairs = combinations(dict.fromkeys([*mine, *sums]), 2)
        found = next((f for a, b in pairs if (f := _adds_up(a, b, quantity))), None)
        if found:
            return found
    return None


def _span(quantity: Quantity, side: AlignedText, laid: Sequence[Laid]) -> str | None:
    """Years between two years of one text ("from 1900 to 1950"), an age, or how many
    times one figure is another."""
    is_age = quantity.unit is None and _AGE.search(side.text) is not None
    unit = quantity.unit
    is_years = unit is not None and unit.dimension == "time" and unit.family != "clock"
    for one in laid[:4]:
        text = one.window.sentence
        if quantity.is_multiple:
            found = _ratio(quantity, text.quantities)
        elif is_age or (is_years and unit is not None and unit.per is None):
            years = unit.base(quantity.low) / YEAR if unit else quantity.low
            found = _years_apart(years, [*side.years, *text.years], is_age)
        else:
            return None
        if found:
            return found
    return None


def _years_apart(years: float, known: Sequence[int], is_age: bool) -> str | None:
    """An age may be a year less: the birthday was still to come."""
    for a, b in combinations(sorted(set(known)), 2):
        if b - a == years or (is_age and b - a - 1 == years):
            return f"{b} - {a}"
    return None


def _ratio(quantity: Quantity, known: Sequence[Quantity]) -> str | None:
    for a, b in permutations(known, 2):
        if not a.comparable(b) or a.is_range or b.is_range or a.kind != b.kind:
            continue
        x, y = a.base(a.low), b.base(b.low)
        if y and abs(x / y - quantity.low) <= 0.05 * quantity.low:
            return f"{a.text} / {b.text}"
    return None


def is_sum(side: AlignedText) -> bool:
    """Whether a claim says that it adds something up."""
    return _SUM.search(side.text) is not None


def _is_trivial(quantity: Quantity) -> bool:
    """Small whole numbers are the sum of something too often."""
    if quantity.dimension == "points":  # only differences of shares make them
        return False
    return quantity.high < 5 and quantity.high == int(quantity.high)


def _is_like(quantity: Quantity, other: Quantity) -> bool:
    """Of one unit, or the same thing counted."""
    if not quantity.comparable(other):
        return False
    if quantity.unit is not None:
        return True
    return bool(set(quantity.noun.split()[:1]) & set(other.noun.split()[:1]))


def _within(pool: Sequence[Quantity], target: Quantity) -> str | None:
    """Two quantities of a pool that make the target, or two products that add up to
    it ("two adults at 18 and a child at 9")."""
    unique = list(dict.fromkeys(pool))[:12]
    for a, b in combinations(unique, 2):
        found = _makes(a, b, target)
        if found:
            return found
    if target.unit is None or target.is_range:
        return None
    counts = [q for q in unique if q.unit is None and q.kind == "number"]
    prices = [q for q in unique if q.dimension == target.dimension]
    sought = target.base(target.low)
    for count in counts:
        for price, other in permutations(prices, 2):
            total = count.low * price.base(price.low) + other.base(other.low)
            if count.low >= 2 and _equal(total, sought):
                return f"{count.text} x {price.text} + {other.text}"
    return None


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
    if not a.dimension == b.dimension:
        return None
    is_points = target.dimension == "points" and a.dimension == "percent"
    if not is_points and a.dimension != target.dimension:
        return None
    x, y, sought = (q.base(q.low) for q in (a, b, target))
    if _equal(x + y, sought) and not is_points:
        return f"{a.text} + {b.text}"
    if _equal(abs(x - y), sought):
        larger, smaller = (a, b) if x > y else (b, a)
        return f"{larger.text} - {smaller.text}"
    return None


def _equal(left: float, right: float) -> bool:
    return abs(left - right) <= 1e-6 * max(abs(left), abs(right))
