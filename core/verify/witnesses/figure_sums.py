"""What the figures of a passage come to, for a model that cannot calculate.

"Proving and baking takes 70 minutes" beside "45 minutes" and "25 minutes": a small
model sees figures that differ, and no more. What they come to is known without a model.
So the claim is given with "70 minutes = 45 minutes + 25 minutes" behind it. Such a line
proves nothing: many figures come out of some sum. The model has learned from claims
with such lines whether the working is the claim's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, islice, permutations, product

from claimscope.core.text.quantities.dates import Clock
from claimscope.core.text.quantities.quantity import Quantity
from claimscope.core.text.quantities.units import Unit, unit_named
from claimscope.core.verify.rules.arithmetic import YEAR
from claimscope.core.verify.token_alignment import AlignedText, aligned_text
from claimscope.core.verify.witnesses.value_rendering import (
    LONGEST,
    plain_figures,
    stands_in,
)

MOST_OPERANDS = 12
"""Figures of a text that are worked with, the first ones."""
MOST_WORKINGS = 2
"""Of one figure."""
MOST_LINES = 3
FEW = 2
"""Parts of a whole, or prices in a basket: at least so many."""
GROUP = 6
"""Figures that are added up, at most."""
DAY = 1440
"""Minutes."""
_PER = frozenset("per a an each every".split())


@dataclass(frozen=True)
class _Operand:
    """A figure with its value in the base of its dimension."""

    text: str
    value: float
    dimension: str
    is_year: bool = False
    per: Unit | None = None
    """Of "€12 per hour": the hour."""

    @property
    def is_count(self) -> bool:
        return not self.dimension and not self.is_year


@dataclass(frozen=True)
class _Working:
    """A sum with its result."""

    text: str
    value: float
    dimension: str


@dataclass(frozen=True)
class FigureSums:
    """What comes to the figures of a claim."""

    lines: tuple[str, ...] = ()
    worked: tuple[str, ...] = ()
    """Figures of the claim that come out of a working."""
    missing: tuple[str, ...] = ()
    """Figures of the claim that the passage does not have; the worked ones are among
    them."""

    def behind(self, claim: str) -> str:
        """The claim as the model reads it, with the lines behind it."""
        text = " ".join(f"{line}." for line in self.lines)
        return f"{claim} ({text})" if text else claim


def with_sums(claim: str, passage: str) -> str:
    """A claim as the model reads it beside a passage, both in canonical form."""
    return figure_sums(claim, passage).behind(claim)


@lru_cache(maxsize=8192)
def figure_sums(claim: str, passage: str) -> FigureSums:
    """What of a passage comes to the figures of a claim that it does not have; both
    texts in canonical form."""
    if len(passage) > LONGEST:
        return FigureSums()
    mine, theirs = aligned_text(claim), aligned_text(passage)
    own, known = _operands(mine), _operands(theirs)
    found: list[tuple[str, str, str]] = []
    missing: list[str] = []
    for figure in plain_figures(mine):
        is_known = any(figure.same(x) for x in theirs.quantities)
        if is_known or _is_odd(figure) or stands_in(figure.text, passage):
            continue
        missing.append(figure.text)
        about = "about " if figure.is_about else ""
        workings = _of_figure(figure, known, own, theirs)
        found += [(about, figure.text, one) for one in workings]
    for clock in mine.clocks:
        if not any(clock.agrees(x) for x in theirs.clocks):
            missing.append(clock.text)
            workings = _of_clock(clock, (*known, *own), theirs)
            found += [("", clock.text, one) for one in workings]
    kept = list(dict.fromkeys(found))[:MOST_LINES]
    # What is worked out of a figure that is missing itself follows from nothing.
    sound = {
        figure
        for _, figure, working in kept
        if not any(stands_in(x, working) for x in missing)
    }
    return FigureSums(
        tuple(f"{about}{figure} = {working}" for about, figure, working in kept),
        tuple(dict.fromkeys(one for one in missing if one in sound)),
        tuple(dict.fromkeys(missing)),
    )


def _operands(side: AlignedText) -> list[_Operand]:
    """The plain figures of a text, each value once: no ranges, bounds, places, dates
    and times of day, no degrees (which do not add up) and no years before Christ."""
    found: dict[tuple[float, str, bool], _Operand] = {}
    for x in plain_figures(side):
        if x.is_range or x.bound or _is_odd(x) or _has_offset(x):
            continue
        one = _operand(x)
        found.setdefault((one.value, one.dimension, one.is_year), one)
    return list(found.values())[:MOST_OPERANDS]


def _operand(figure: Quantity) -> _Operand:
    link, _, word = figure.noun.partition(" ")
    per = unit_named(word) if link in _PER else None
    value = figure.base(figure.low)
    is_year = figure.kind == "year"
    return _Operand(figure.text, value, figure.dimension, is_year, per)


def _is_odd(figure: Quantity) -> bool:
    """A figure that is worked with in other ways: "twice", below nought, before Christ;
    or none, as in "one of them"."""
    is_article = figure.is_word and figure.unit is None and figure.high <= 1
    return is_article or figure.is_multiple or figure.low < 0


def _of_figure(
    figure: Quantity,
    known: Sequence[_Operand],
    own: Sequence[_Operand],
    theirs: AlignedText,
) -> Iterator[str]:
    """Workings that come to a figure."""
    if figure.bound or figure.is_range or _has_offset(figure):
        return
    others = [one for one in own if one.text != figure.text]
    workings = (
        one.text for one in _workings(known, others, theirs) if _is_result(figure, one)
    )
    yield from islice(dict.fromkeys(workings), MOST_WORKINGS)


def _has_offset(figure: Quantity) -> bool:
    return figure.dimension == "temperature"


def _is_result(figure: Quantity, working: _Working) -> bool:
    """Whether a working comes to a figure, rounded as the figure is."""
    is_points = figure.dimension == "points" and working.dimension == "percent"
    is_same = figure.dimension == working.dimension or is_points
    is_years = working.dimension == "years" and (
        figure.dimension == "time" or (figure.kind == "number" and not figure.unit)
    )
    if figure.kind == "year":
        return working.dimension == "year" and figure.low == working.value
    if not (is_same or is_years):
        return False
    if is_years and figure.unit is not None:
        wanted = figure.base(figure.low) / YEAR
    else:
        wanted = figure.base(figure.low)
    scale = figure.unit.scale if figure.unit is not None else 1.0
    step = 0.5 * 10.0 ** -max(figure.digits, 0) * scale
    is_rounded = figure.digits > 0 or working.dimension == "percent"
    room = max(
        step if is_rounded else 0.0,
        0.05 * abs(wanted) if figure.is_about else 0.0,
        1e-6 * abs(wanted),
    )
    return abs(wanted - working.value) <= room


def _workings(
    known: Sequence[_Operand], own: Sequence[_Operand], theirs: AlignedText
) -> Iterator[_Working]:
    """What a reader may work out of figures, the simplest first."""
    figures = [x for x in (*known, *own) if not x.is_year]
    # What only the claim has follows from nothing.
    pairs = [(a, b) for a, b in permutations(figures, 2) if a in known or b in known]
    yield from _sums(pairs, figures)
    yield from _of_times(theirs)
    yield from _of_years(known)
    yield from _products(pairs)
    yield from _shares(pairs)
    yield from _long_sums([x for x in known if not x.is_year])
    yield from _baskets(known, own)


def _sums(
    pairs: Sequence[tuple[_Operand, _Operand]], figures: Sequence[_Operand]
) -> Iterator[_Working]:
    for a, b in pairs:
        if a.dimension != b.dimension or a.value < b.value:
            continue
        if figures.index(a) < figures.index(b):
            yield _Working(f"{a.text} + {b.text}", a.value + b.value, a.dimension)
        else:
            yield _Working(f"{b.text} + {a.text}", a.value + b.value, a.dimension)
        yield _Working(f"{a.text} - {b.text}", a.value - b.value, a.dimension)
    for one in figures:
        if one.dimension == "percent":
            yield _Working(f"100% - {one.text}", 100 - one.value, "percent")


def _of_times(theirs: AlignedText) -> Iterator[_Working]:
    """Minutes between two times of day, whole years between two dates."""
    clocks = theirs.clocks[:MOST_OPERANDS]
    for a, b in permutations(clocks, 2):
        if a.minutes != b.minutes and a.is_vague == b.is_vague:
            minutes = (b.minutes - a.minutes) % DAY
            yield _Working(f"{b.text} - {a.text}", minutes * 60.0, "time")
    for first, last in permutations(theirs.days[:MOST_OPERANDS], 2):
        if first.year and last.year and first.year < last.year:
            years = last.year - first.year
            if first.month and last.month:
                early = (last.month, last.day or 31) < (first.month, first.day or 1)
                years -= early
            yield _Working(f"{last.text} - {first.text}", float(years), "years")


def _of_years(known: Sequence[_Operand]) -> Iterator[_Working]:
    """Years between two years, and the year some years before or after one."""
    years = [x for x in known if x.is_year]
    for a, b in combinations(years, 2):
        more, less = (a, b) if a.value >= b.value else (b, a)
        yield _Working(f"{more.text} - {less.text}", more.value - less.value, "years")
    for year, span in product(years, known):
        count = span.value / YEAR if span.dimension == "time" else span.value
        if span.is_year or span.dimension not in ("", "time") or count > 500:
            continue
        count = round(count, 3)
        yield _Working(f"{year.text} + {span.text}", year.value + count, "year")
        yield _Working(f"{year.text} - {span.text}", year.value - count, "year")


def _products(pairs: Sequence[tuple[_Operand, _Operand]]) -> Iterator[_Working]:
    """A number of times a figure, a part of it, a rate times what it is of."""
    for a, b in pairs:
        if a.is_count and a.value not in (0, 1) and b.value not in (0, 1):
            if not b.is_count or a.value >= b.value:
                yield _Working(f"{a.text} x {b.text}", a.value * b.value, b.dimension)
            yield _Working(f"{b.text} / {a.text}", b.value / a.value, b.dimension)
        if a.dimension == "percent" and b.dimension != "percent":
            part = b.value * a.value / 100
            yield _Working(f"{a.text} of {b.text}", part, b.dimension)
            yield _Working(f"{b.text} - {a.text}", b.value - part, b.dimension)
            yield _Working(f"{b.text} + {a.text}", b.value + part, b.dimension)
        of, _, per = a.dimension.partition("/")
        if per and per == b.dimension:
            yield _Working(f"{a.text} x {b.text}", a.value * b.value, of)
        if a.per is not None and a.per.dimension == b.dimension:
            value = a.value * b.value / a.per.factor
            yield _Working(f"{a.text} x {b.text}", value, a.dimension)


def _shares(pairs: Sequence[tuple[_Operand, _Operand]]) -> Iterator[_Working]:
    """One figure as a share of another, how many times it is, a rate of two."""
    for a, b in pairs:
        if not b.value:
            continue
        if a.dimension == b.dimension:
            yield _Working(f"{a.text} of {b.text}", 100 * a.value / b.value, "percent")
            if a.dimension and a.value > b.value:
                yield _Working(f"{a.text} / {b.text}", a.value / b.value, "")
        elif a.dimension and b.dimension:
            rate = f"{a.dimension}/{b.dimension}"
            yield _Working(f"{a.text} per {b.text}", a.value / b.value, rate)


def _long_sums(known: Sequence[_Operand]) -> Iterator[_Working]:
    """Sums of three and more; what is left of a whole; a share of one."""
    for dimension in dict.fromkeys(x.dimension for x in known):
        some = [x for x in known if x.dimension == dimension][:GROUP]
        for count in range(3, len(some) + 1):
            groups = combinations(some, count)
            for group in groups if count == 3 else (some[:count], some[-count:]):
                text = " + ".join(x.text for x in group)
                yield _Working(text, sum(x.value for x in group), dimension)
        for group in combinations(some, 3):
            whole, *rest = sorted(group, key=lambda x: -x.value)
            text = " - ".join(x.text for x in (whole, *rest))
            left = whole.value - sum(x.value for x in rest)
            yield _Working(text, left, dimension)
        for group in permutations(some, 3):
            a, b, c = group
            if a.value > b.value > c.value:
                text = f"{a.text} + {b.text} - {c.text}"
                yield _Working(text, a.value + b.value - c.value, dimension)
                text = f"{a.text} - {b.text} + {c.text}"
                yield _Working(text, a.value - b.value + c.value, dimension)
        total = sum(x.value for x in some)
        if len(some) >= FEW and total and dimension != "percent":
            text = " + ".join(x.text for x in some)
            for one in some:
                share = 100 * one.value / total
                yield _Working(f"{one.text} of {text}", share, "percent")


def _baskets(known: Sequence[_Operand], own: Sequence[_Operand]) -> Iterator[_Working]:
    """Two prices, each times a number of the claim: two adults and three children."""
    counts = [x for x in own if x.is_count]
    prices = [x for x in known if not x.is_year and x.dimension][:GROUP]
    if len(counts) < FEW:
        return
    for (m, n), (a, b) in product(combinations(counts, 2), permutations(prices, 2)):
        if a.dimension == b.dimension:
            text = f"{m.text} x {a.text} + {n.text} x {b.text}"
            value = m.value * a.value + n.value * b.value
            yield _Working(text, value, a.dimension)


def _of_clock(
    clock: Clock, figures: Sequence[_Operand], theirs: AlignedText
) -> Iterator[str]:
    """Workings that come to a time of day: another one and a span."""
    known = [x for x in theirs.clocks[:MOST_OPERANDS] if x.is_vague == clock.is_vague]
    spans = [x for x in figures if x.dimension == "time"]
    found: list[str] = []
    for other, span in product(known, spans):
        count = span.value / 60
        if 0 < count < DAY and (other.minutes + count - clock.minutes) % DAY == 0:
            found.append(f"{other.text} + {span.text}")
        elif 0 < count < DAY and (other.minutes - count - clock.minutes) % DAY == 0:
            found.append(f"{other.text} - {span.text}")
    yield from found[:MOST_WORKINGS]
