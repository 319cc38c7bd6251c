"""What one quantity says of another: that it is so, that it cannot be so, or nothing.

"More than 200" is said by 240, cannot be where there are 150, and is left open by
"more than 100". The same words may be an estimate ("at least 20 came") or a rule
("must be at least 20"): of a rule only the same figure says the same.
"""

from __future__ import annotations

from dataclasses import replace

from claimscope.core.text.quantities.quantity import Quantity, Role, is_rounded
from claimscope.core.verify.word_forms import STOP, stem

ABOUT = 0.05
"""Part of a number by which "about" may miss it."""
FAR = 0.1
"""Part of a number from which "about" excludes another."""
ALIKE = 20
"""Factor beyond which two figures are not of one thing."""

TURNED: tuple[set[Role], ...] = (
    {"since", "until"},
    {"since", "before"},
    {"after", "until"},
    {"after", "before"},
    {"by", "to"},
    {"from", "to"},
)
"""What one year, or one figure of a change, cannot be to one thing."""


def is_small(one: Quantity) -> bool:
    """ "One" and "first" alone are seldom figures."""
    return one.is_word and not one.unit and one.high <= 1


def equal(mine: Quantity, other: Quantity) -> bool:
    """The same, or the same figure with one unit left out."""
    return mine.same(other) or bare_equal(mine, other)


def says(other: Quantity, mine: Quantity, *, is_placed: bool = False) -> bool:
    """Whether a text that says `other` says `mine`. Only of figures that stand in one
    place (`is_placed`) does 240 say "more than 200"."""
    if mine.role and other.role and mine.role != other.role:
        return False
    if mine.role in ("before", "after") and other.role is None:
        is_past = (
            other.low > mine.low if mine.role == "after" else other.high < mine.low
        )
        return other.kind == "year" and is_past
    if mine.is_exact and (other.bound or other.is_about):
        return False
    is_equal = equal(mine, other)
    if mine.is_turned or other.is_turned:
        return is_equal
    if is_equal and (_lies_beyond(mine, other) or _lies_beyond(other, mine)):
        return False
    if mine.bound is not None:
        return _says_bound(other, mine, is_equal, is_placed)
    if other.bound is not None:
        if is_equal:
            return not (other.is_strict and _counts_alike(mine, other))
        return other.is_limit and _keeps(mine, other)
    return is_equal or _says_value(other, mine)


def _lies_beyond(bound: Quantity, value: Quantity) -> bool:
    """ "Just under half" is not "over half", nor at it."""
    lean = {"least": "under", "most": "over"}.get(bound.bound or "")
    return lean is not None and value.lean == lean


def _counts_alike(mine: Quantity, other: Quantity) -> bool:
    """The same things are counted: "more than 12 people", "12 people"."""
    return bool(counted_words(mine) & counted_words(other)) and not mine.is_about


def _says_value(other: Quantity, mine: Quantity) -> bool:
    if other.is_era or mine.is_era:  # 1926 is in the 1920s; what else was is not said
        return mine.is_era and other.kind == "year" and _lies_in(other, mine)
    if mine.within(other):
        return not mine.is_exact
    if is_rounded(mine, other) and _leans(mine, other):
        return True
    if mine.is_about and _is_near(mine, other, ABOUT) and _leans(mine, other):
        return True
    if mine.kind == other.kind == "year" and mine.high - mine.low == 1:
        return other.low in (mine.low, mine.high)  # a season
    is_end = mine.low in (other.low, other.high)
    return other.is_range and not mine.is_range and not mine.unit and is_end


def _says_bound(
    other: Quantity, mine: Quantity, is_equal: bool, is_placed: bool
) -> bool:
    if other.bound is None:
        if is_equal:
            return not (mine.is_strict and _counts_alike(mine, other))
        if mine.is_limit:
            return mine.comparable(other) and _at_end(other, mine)
        return is_placed and is_alike(mine, other) and _keeps(other, mine)
    if other.bound != mine.bound:
        return False
    if is_equal:
        return True
    if mine.is_limit or other.is_limit or not mine.comparable(other):
        return False
    return is_placed and is_alike(mine, other) and _keeps(other, mine)


def excludes(other: Quantity, mine: Quantity) -> bool:
    """Whether `other`, said of the same thing, cannot be true with `mine`; both must
    be of one kind and size."""
    if not mine.comparable(other) or mine.kind != other.kind:
        return False
    if says(other, mine, is_placed=True) or says(mine, other, is_placed=True):
        return False
    if mine.is_turned or other.is_turned:
        return False
    if mine.role and other.role and mine.role != other.role:
        is_turned = {mine.role, other.role} in TURNED
        return is_turned and (mine.low, mine.high) == (other.low, other.high)
    if mine.role in ("before", "after") and other.role is None:
        is_past = (
            other.high < mine.low if mine.role == "after" else other.low > mine.low
        )
        return is_past
    if mine.kind != "year" and not (is_alike(mine, other) or _is_shifted(mine, other)):
        return False
    if mine.bound is None and other.bound is None:
        return _excludes_value(other, mine)
    if mine.bound is None or other.bound is None:
        bound, value = (other, mine) if other.bound else (mine, other)
        if _lies_beyond(bound, value):
            return value.same(bound)
        return not value.is_about and _is_outside(value, bound)
    if mine.bound == other.bound:
        return mine.is_limit and other.is_limit and not mine.same(other)
    least, most = (mine, other) if mine.bound == "least" else (other, mine)
    return least.base(least.low) >= most.base(most.low)


def _excludes_value(other: Quantity, mine: Quantity) -> bool:
    if mine.is_era or other.is_era:
        era, year = (mine, other) if mine.is_era else (other, mine)
        return year.high < era.low or year.low > era.high
    if mine.is_about or other.is_about:
        return not _is_near(mine, other, FAR)
    if mine.is_range and other.is_range:
        return not mine.same(other)
    if mine.is_range or other.is_range:
        if mine.kind == "year":
            return False
        return _apart(mine, other)
    return True


def is_alike(mine: Quantity, other: Quantity) -> bool:
    """Within a factor of twenty."""
    a, b = abs(mine.base(mine.low)), abs(other.base(other.low))
    return min(a, b) * ALIKE >= max(a, b)


def bare_equal(left: Quantity, right: Quantity) -> bool:
    """Equal figures, one of them without a unit: a table cell, "costs 30"."""
    if left.unit is not None and right.unit is not None:
        return False
    if "ordinal" in (left.kind, right.kind) and left.kind != right.kind:
        return False
    if (left.unit is None) != (right.unit is None):
        measured, bare = (right, left) if left.unit is None else (left, right)
        if _counts_things(bare, measured):
            return False
    return (left.low, left.high) == (right.low, right.high)


def _counts_things(bare: Quantity, measured: Quantity) -> bool:
    """ "Seven of them" and "7 participants" are not 7 %."""
    if bare.kind == "year":
        return False
    if measured.dimension.startswith("count") and counted_words(bare):
        return False  # "six a year", "six grants each year"
    is_share = measured.dimension in ("percent", "points")
    is_counted = bare.noun.startswith("of ") or bool(is_share and counted_words(bare))
    return bare.is_word or is_counted


def _is_shifted(mine: Quantity, other: Quantity) -> bool:
    """The same digits in another size: 1.2 million for 1.2 billion, 125 for 12.5."""
    if mine.is_range or other.is_range or not mine.low or not other.low:
        return False
    if mine.low == other.low:
        return False
    left, right = (f"{abs(one.low):.6e}".partition("e")[0] for one in (mine, other))
    return left == right and len(left.replace(".", "").rstrip("0")) >= 2


def _lies_in(one: Quantity, era: Quantity) -> bool:
    return era.low <= one.low and one.high <= era.high


def _is_near(mine: Quantity, other: Quantity, part: float) -> bool:
    if not mine.comparable(other) or mine.is_range or other.is_range:
        return False
    a, b = mine.base(mine.low), other.base(other.low)
    return abs(a - b) <= part * max(abs(a), abs(b))


def _leans(mine: Quantity, other: Quantity) -> bool:
    """ "Nearly 500" is at most 500, "just over 500" at least."""
    if mine.lean is None or not mine.comparable(other):
        return True
    gap = other.base(other.low) - mine.base(mine.low)
    return gap <= 0 if mine.lean == "under" else gap >= 0


def _keeps(value: Quantity, bound: Quantity) -> bool:
    """A value, range or narrower bound that lies within a bound."""
    if not bound.comparable(value):
        return False
    end = bound.base(bound.low)
    if bound.bound == "least":
        reached = value.base(value.low)
        return reached > end or (reached == end and not bound.is_strict)
    reached = value.base(value.high)
    return reached < end or (reached == end and not bound.is_strict)


def _is_outside(value: Quantity, bound: Quantity) -> bool:
    end = bound.base(bound.low)
    if bound.bound == "least":
        return value.base(value.high) < end * (1 - 1e-9)
    return value.base(value.low) > end * (1 + 1e-9)


def _at_end(value: Quantity, bound: Quantity) -> bool:
    """The end of a range that a rule names: "30 to 50" for "up to 50"."""
    if not value.is_range:
        return False
    end = value.low if bound.bound == "least" else value.high
    return bound.same(replace(value, low=end, high=end))


def _apart(left: Quantity, right: Quantity) -> bool:
    a, b = left.base(left.low), left.base(left.high)
    c, d = right.base(right.low), right.base(right.high)
    return b < c * (1 - 1e-9) or d < a * (1 - 1e-9)


def counted_words(quantity: Quantity) -> frozenset[str]:
    """Stems of what is counted: the words after a figure up to one without content."""
    found: set[str] = set()
    for word in quantity.noun.split():
        if word in STOP:
            if found:
                break
            continue
        found.add(stem(word))
    return frozenset(found)
