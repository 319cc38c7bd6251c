"""Comparisons of a claim, held against what the page compares and against its figures.

"The Wren is lighter than the Max" follows from "168 g" and "212 g" as well as from "the
Max is heavier"; "the cheapest of the plans" from a column of prices. Readers see such
things worst of all, code works them out and shows the figures. Where the figure of a
side is not clear, or the claim says more than it compares, nothing is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from claimscope.core.models import Testimony
from claimscope.core.ports import Question
from claimscope.core.text.quantities.quantity import Quantity
from claimscope.core.verify.normalisation import canonical
from claimscope.core.verify.passages import Passage
from claimscope.core.verify.scales import (
    OPEN,
    ORDER,
    Comparison,
    Scale,
    base_of,
    comparisons,
    scale_of,
)
from claimscope.core.verify.statements import item_lists
from claimscope.core.verify.token_alignment import AlignedText, aligned_text
from claimscope.core.verify.witnesses.proof import Proves, proof
from claimscope.core.verify.witnesses.table import (
    TOTALS,
    TableCell,
    candidate_at,
    columns,
    covers,
    is_near,
    table_words,
)
from claimscope.core.verify.word_forms import stem

COMPARISON, COMPARED = "comparison", "compared"
"""Witnesses: one that proves, and one for figures of which the claim says more."""
LONGEST = 30
"""Words of a claim: longer ones say more than they compare."""
HALF = 0.5
"""Part of a name's words in another up to which they are two names."""
NEARBY = 20
"""Characters from the first to the second comparing word: "more expensive"."""
RIVALS = 3
"""Figures of a group in which one can be the most."""
_PLAIN = """
    is are was were be been being has have had do does did come comes came get gets got
    take takes took make makes made given of in on with for by the a an than any other
    all both that those these this its it their there ever among overall whole list
    lists table page today one ones thing things who which what you and as stand stands
    rank ranks how but while whereas yet though although occur occurs occurred happen
    happens happened
""".split()
_COUNTS = frozenset(map(stem, ("number", "count", "total", "figure", "amount")))
_EMPTY = frozenset((*_PLAIN, *map(stem, _PLAIN))) | _COUNTS
"""Words that change nothing of a comparison."""
_CUT = re.compile(
    r"[;,](?!\d)|\b(?:and|but|while|whereas|versus|against|compared)\b", re.I
)


_PERIODS = frozenset(
    map(
        stem,
        "month monthly year yearly annual week weekly day daily hour hourly".split(),
    )
)
_PER = frozenset(("per", "each"))
_TIMES = frozenset(("second", "minute", "hour", "day"))
_LINKED = re.compile(
    r"(?:for|in|at|on|of|by|and|to|per|with|from|against|or|as|than)\b"
)
_COUNTED = ("level", "number", "size")


@dataclass(frozen=True)
class Valued:
    """A thing's figure on a scale."""

    kind: str
    """Only figures of one kind are compared: their dimension, or "date"."""
    value: float
    """In the base of its dimension; greater = more of the scale."""
    figure: Quantity
    place: str
    words: frozenset[str]
    """Stems of what is said there."""
    told: frozenset[str] = frozenset()
    """Stems of what the figure is said of: its head, or the rest of its sentence."""
    source: str = ""
    """The headings and columns of its table; "" of sentences."""


def by_comparison(question: Question, passage: Passage) -> list[Testimony]:
    """The claim's comparison by the page's own ones and by its figures."""
    text = canonical(question.claim).rstrip(". ")
    side = aligned_text(text)
    mine = comparisons(text)
    if not mine or len(side.words) > LONGEST:
        return []
    taken = frozenset[str]().union(*(one.taken for one in mine))
    rest = frozenset(word.stem for word in side.words) - taken - _EMPTY
    found: list[list[Testimony]] = []
    for one in mine:
        amount = _amount(one, side)
        if amount is not None:
            rest -= {word.stem for word in aligned_text(amount.text).words}
        said = _by_statements(one, rest, question, passage, amount)
        figures = [] if said else _by_figures(one, rest, question, passage, amount)
        found.append([said] if said else figures)
    against = [said for said in found if said and said[0].says == "contradicts"]
    return next(iter(against), found[0] if all(found) else [])


def _amount(one: Comparison, side: AlignedText) -> Quantity | None:
    """By how much: the figure before the comparing word."""
    return next(
        (
            x
            for x in side.quantities
            if x.end <= one.start and not side.text[x.end : one.start].strip()
        ),
        None,
    )


# --- what the page compares ---


_TAKEN_BACK = re.compile(r"(?i)\W*(?:this|that|these|no|not|wrong|false|only)\b")
"""How a sentence begins that takes back or restricts the one before it."""


def lead_words(lead: str, question: Question) -> frozenset[str]:
    """Stems of the headings over a statement, but for the title of its page: "On large
    files" is part of what stands under it."""
    titles = {_title(text) for _, text in question.documents}
    heads = [one for one in lead.split(" - ") if canonical(one) not in titles]
    return frozenset(w.stem for x in heads for w in aligned_text(x).words) - _EMPTY


@lru_cache(maxsize=256)
def _title(page: str) -> str:
    """The first heading where it is the only one of the first level and limits nothing,
    as "Prices at weekends" does; else empty."""
    heads = _HEADINGS.findall(page)
    levels = [len(marks) for marks, _ in heads]
    if levels[:1] != [1] or levels.count(1) != 1:
        return ""
    title = canonical(heads[0][1]).strip()
    return "" if _LIMITING.search(title) else title


_HEADINGS = re.compile(r"(?m)^\s{0,3}(#{1,6})\s+(.*?)\s*#*\s*$")
_LIMITING = re.compile(
    r"(?i)\b(?:in|at|for|during|until|from|on|with|without|before|after|to)\b"
)


def _by_statements(
    mine: Comparison,
    rest: frozenset[str],
    question: Question,
    passage: Passage,
    amount: Quantity | None,
) -> Testimony | None:
    """A proof only where each says no more than the other: a restriction on the page
    ("on large files", "of the plans with a contract") makes it another comparison."""
    claimed = mine.taken | rest
    for candidate in passage.near:
        after = candidate.evidence.after or ""
        for statement in candidate.statements:
            text = statement.own
            heads = lead_words(statement.lead, question)
            sentence = aligned_text(text)
            if not covers(rest, sentence.stems):
                continue
            for theirs in comparisons(text.rstrip(". ")):
                holds = _agree(mine, theirs)
                if holds is None or not covers(
                    mine.noun - _names(mine), sentence.stems
                ):
                    continue
                if holds and amount is not None:
                    known = _amount(theirs, aligned_text(text.rstrip(". ")))
                    is_turned = mine.sign != theirs.sign
                    if known is None or not known.comparable(amount):
                        continue
                    if known.dimension == "percent" and is_turned:
                        continue  # 20 % cheaper is 25 % dearer
                    holds = known.same(amount)
                place = candidate.evidence.sentence_id
                shown = f"“{text[:120]}”"
                more = _more_of(theirs, text) | heads
                is_whole = covers(more, claimed) and not _TAKEN_BACK.match(after)
                if holds:
                    if not is_whole:
                        continue
                    return proof(COMPARISON, "entails", place, f"{place}: {shown}.")
                reason = f"{place} has it the other way round: {shown}."
                if is_whole and not (mine.is_superlative and mine.sign == theirs.sign):
                    return proof(COMPARISON, "contradicts", place, reason)
                # Another name may be another name of the same thing.
                return _doubt(place, reason)
    return None


def _doubt(place: str, reason: str) -> Testimony:
    return Testimony(witness=COMPARED, says="doubts", place=place, reason=reason)


def _names(one: Comparison) -> frozenset[str]:
    """Words that name the scale, as "price" does for the lowest price."""
    return scale_of(one).names if one.scale != ORDER else frozenset[str]()


_CLAUSE = re.compile(
    r"(?i);|,?\s*\b(?:but|while|whereas|yet|though|although)\b|,\s*and\b"
)


_RESTRICTED = re.compile(r"(?i)\b(?:only|not|except|unless|if|with|for|on)\b")


def _more_of(theirs: Comparison, text: str) -> frozenset[str]:
    """What the page's clause says besides that it compares its two sides."""
    cuts = [0, *(m.start() for m in _CLAUSE.finditer(text)), len(text)]
    clause = next(text[a:b] for a, b in pairwise(cuts) if a <= theirs.start <= b)
    if _RESTRICTED.search(text):
        clause = text
    side = aligned_text(clause)
    amount = _amount(theirs, aligned_text(text))
    gone = {w.stem for w in aligned_text(amount.text).words} if amount else set[str]()
    begin = theirs.start
    compared = frozenset(
        word.stem
        for word in aligned_text(text).words
        if begin <= word.start < begin + NEARBY and base_of(word.text)
    )
    return frozenset(word.stem for word in side.words) - compared - gone - _EMPTY


def _agree(mine: Comparison, theirs: Comparison) -> bool | None:
    """Whether two comparisons say the same; None where they are of other things."""
    if mine.scale != theirs.scale or mine.rank != theirs.rank:
        return None
    if mine.is_past != theirs.is_past:
        return None
    is_counted = mine.scale == "number"
    if is_counted and not _meet(mine.noun, theirs.noun):
        return None
    if mine.noun and theirs.noun and not _meet(mine.noun, theirs.noun):
        return None
    if mine.is_superlative:
        shared = len(mine.left & theirs.left) / min(len(mine.left), len(theirs.left))
        if mine.sign == theirs.sign:
            return True if shared == 1 else False if shared <= HALF else None
        return False if shared == 1 else None
    if mine.of_two and theirs.right:
        first, second = mine.left <= theirs.left, mine.left <= theirs.right
        return None if first == second else (mine.sign == theirs.sign) is first
    if not theirs.right or not mine.right:
        return None
    ours = mine.left - mine.right, mine.right - mine.left
    other = theirs.left - theirs.right, theirs.right - theirs.left
    is_straight = bool(ours[0] & other[0]) and bool(ours[1] & other[1])
    is_crossed = bool(ours[0] & other[1]) and bool(ours[1] & other[0])
    if is_straight == is_crossed:
        return None
    return (mine.sign == theirs.sign) is is_straight


def _meet(mine: frozenset[str], theirs: frozenset[str]) -> bool:
    return any(is_near(a, b) for a in mine for b in theirs)


# --- its figures ---


def _by_figures(
    one: Comparison,
    rest: frozenset[str],
    question: Question,
    passage: Passage,
    amount: Quantity | None,
) -> list[Testimony]:
    """By the figures of both sides, one testimony for each place; or by all of a
    group."""
    if one.scale == ORDER:
        return []
    asked = _Asked(one, scale_of(one), rest)
    if one.is_superlative or not one.right:
        group = None if amount else _by_group(asked, question, passage)
        return [group] if group else []
    sides = [
        list(_values(own, other, asked, question, passage))
        for own, other in ((one.left, one.right), (one.right, one.left))
    ]
    pairs = [(a, b) for a in sides[0] for b in sides[1] if a.kind == b.kind]
    verdicts = {(a.value > b.value) - (a.value < b.value) for a, b in pairs}
    if len(verdicts) != 1:
        return []
    (order,) = verdicts
    a, b = pairs[0]
    if a.source != b.source:
        return []
    if not (covers(one.left, a.words) and covers(one.right, b.words)):
        return []  # "Roofing materials" are not the course "Roofing"
    if amount is not None:
        if not amount.comparable(a.figure):
            return []
        gap = abs(a.value - b.value)
        if abs(gap - amount.base(amount.low)) > 1e-6 * max(gap, 1.0):
            order = 0
    reason = f"{a.place} says {a.figure.text}, {b.place} says {b.figure.text}."
    holds = order == one.sign
    places = dict.fromkeys((a.place, b.place))
    is_whole = asked.is_covered(a.words | b.words) and asked.tells(a, b)
    if is_whole:
        proved: Proves = "entails" if holds else "contradicts"
        return [proof(COMPARISON, proved, place, reason) for place in places]
    if holds or not a.kind or a.kind == "percent":
        return []
    # The figures may be of something else than what the claim compares.
    return [_doubt(place, reason) for place in places]


@dataclass(frozen=True)
class _Asked:
    """What figures are looked for."""

    one: Comparison
    scale: Scale
    rest: frozenset[str]

    @property
    def names(self) -> frozenset[str]:
        """Words of a head or a sentence that tell that a figure is on the scale."""
        if self.scale.name == "number":
            return self.one.noun
        return self.scale.names | self.measured

    @property
    def measured(self) -> frozenset[str]:
        """What has more or less, where the scale does not tell: profits, shares."""
        is_open = self.scale.name in _COUNTED
        return self.one.noun if is_open else frozenset[str]()

    @property
    def class_of(self) -> frozenset[str]:
        """What the things are of which it is the most, if the claim says it: "the
        nearest station" is no nearest village."""
        is_of_figure = self.scale.name in _COUNTED or self.one.of_two
        names = self.one.noun - self.scale.names - _COUNTS
        return frozenset[str]() if is_of_figure else names

    @property
    def known(self) -> frozenset[str]:
        """All that the claim says, and the words of its scale."""
        return self.one.taken | self.rest | self.scale.names | _PERIODS

    def is_covered(self, words: frozenset[str], besides: str = "") -> bool:
        """All that the claim says besides stands there too."""
        return covers(self.rest - self.scale.names - {besides}, words)

    def tells(self, *sides: Valued) -> bool:
        """Nothing but what the claim compares stands with the figures: no deposit where
        it compares prices, no reach where it compares lengths, no other period."""
        known = self.one.taken | self.rest | self.scale.names | self.measured
        periods = {frozenset(one.told & _PERIODS) for one in sides}
        return len(periods) == 1 and all(
            covers(one.told - _EMPTY - _PERIODS - self.scale.names, known)
            for one in sides
        )

    def value_of(
        self, figure: Quantity, words: frozenset[str]
    ) -> tuple[str, float] | None:
        """(kind, value), greater = more of the scale, of a figure that stands among
        some words; None where it is not on the scale."""
        if figure.is_range or figure.kind == "ordinal" or figure.is_about:
            return None
        if figure.bound is not None or figure.role is not None:
            return None
        if set(table_words(figure.text)) <= self.one.left | self.one.right:
            return None  # the 7 of "Lumen 7"
        value = figure.base(figure.low)
        if figure.kind == "year":
            if "date" not in self.scale.dimensions or not _meet(self.names, words):
                return None
            return "date", -value if self.scale.name == "age" else value
        if self.scale.name == "number":
            counted = frozenset(table_words(figure.noun)) or words
            is_counted = figure.unit is None and _meet(self.names, counted)
            return ("", value) if is_counted else None
        is_rate = bool(words & _PER) and bool(words & _TIMES) and figure.unit is None
        if self.scale.name == "slowness" and is_rate:
            return figure.dimension, -value
        dimension = figure.dimension.partition("/")[0]
        sign = self.scale.dimensions.get(dimension, 0) if dimension else 0
        if not sign and ("*" in self.scale.dimensions or not dimension):
            sign = int(_meet(self.names, words))
        return (figure.dimension, sign * value) if sign else None


def _values(
    own: frozenset[str],
    other: frozenset[str],
    asked: _Asked,
    question: Question,
    passage: Passage,
) -> Iterator[Valued]:
    """The figure of a side, where only one can be meant."""
    for candidate in passage.near:
        place = candidate.evidence.sentence_id
        for statement in candidate.statements:
            words = aligned_text(statement.text).stems
            if statement.row:
                key = frozenset(table_words(statement.row[0][1]))
                is_named = _is_of(own, other, key) or (
                    bool(key) and covers(key, own) and not covers(key, other)
                )
                source = "|".join((statement.lead, *(x for x, _ in statement.row)))
                lead = lead_words(statement.lead, question)
                if is_named:
                    for one in _of_row(statement.row, asked, place, words):
                        yield replace(one, source=source, told=one.told | lead)
                elif key and covers(key, asked.rest):
                    # "Riverside had more loans in April than in March"
                    heads = [
                        one
                        for one in statement.row[1:]
                        if _is_of(own, other, frozenset(table_words(one[0])))
                    ]
                    if len(heads) == 1:
                        row = (statement.row[0], *heads)
                        for one in _of_row(row, asked, place, words):
                            yield replace(one, told=one.told | lead)
            elif _is_of(own, frozenset(), words) and not OPEN.search(statement.own):
                lead = lead_words(statement.lead, question)
                for one in _of_sentence(statement.text, own, other, asked, place):
                    yield replace(one, told=one.told | lead)


def _of_row(
    row: Sequence[tuple[str, str]], asked: _Asked, place: str, words: frozenset[str]
) -> Iterator[Valued]:
    found = []
    for head, cell in row[1:]:
        context = frozenset(table_words(head)) | _raw(head)
        for figure in aligned_text(canonical(cell)).quantities[:1]:
            valued = asked.value_of(figure, context)
            if valued is not None:
                nearness = _nearness(asked, context)
                is_rate = bool(context & _PER) and figure.unit is None
                told = _told(cell, figure.text)
                told |= frozenset[str]() if is_rate else _told(head, figure.text)
                one = Valued(*valued, figure, place, words, told)
                found.append((nearness, one))
    best = max((one for one, _ in found), default=0)
    chosen = [one for nearness, one in found if nearness == best]
    if len(chosen) == 1:
        yield chosen[0]


def _told_with(
    side: AlignedText, figure: Quantity, own: frozenset[str]
) -> frozenset[str]:
    """What is said with a figure of a sentence: not with its other figures, nor what
    the thing is, behind its name."""
    told: set[str] = set()
    is_named = False
    for part in _parts(side.text):
        inside = aligned_text(part)
        is_own = figure.text in part
        if is_named and not is_own and inside.quantities:
            continue
        is_named = is_named or any(is_near(x, y) for x in inside.stems for y in own)
        figures = {word.stem for word in aligned_text(figure.text).words}
        before = ""
        for word in inside.words:
            if word.stem not in figures and not any(is_near(before, x) for x in own):
                told.add(word.stem)
            before = word.stem
    return frozenset(told)


def _told(text: str, figure: str) -> frozenset[str]:
    """Stems of a text without those of a figure of it."""
    plain = canonical(text).replace(figure, " ", 1)
    return frozenset(word.stem for word in aligned_text(plain).words)


def _nearness(asked: _Asked, head: frozenset[str]) -> int:
    """Words of the claim that a head has."""
    own = asked.names | asked.rest
    return sum(any(is_near(word, other) for other in head) for word in own)


def _of_sentence(
    text: str, own: frozenset[str], other: frozenset[str], asked: _Asked, place: str
) -> Iterator[Valued]:
    """The figure of a side in a sentence; where both sides stand there, the one beside
    it: after it or before it, as the sentence begins."""
    side = aligned_text(canonical(text))
    is_foreign = bool(other - own) and covers(other - own, side.stems)
    known = _on_scale(side, asked, is_listing=is_foreign)
    telling, foreign = own - other or own, other - own
    if not is_foreign:
        wanted = asked.rest | asked.measured
        if len(known) > 1 and wanted:
            # "Sales of 38 million and a profit of 4": what else the claim says tells.
            parts = [p for p in _parts(side.text) if covers(wanted, _in(p))]
            known = [x for x in known if any(x[0].text in part for part in parts)]
        if len(known) == 1:
            figure, kind, value = known[0]
            told = _told_with(side, figure, telling)
            yield Valued(kind, value, figure, place, side.stems, told)
        return
    marks: list[tuple[int, str, int]] = [
        (one[0].start, "figure", n) for n, one in enumerate(known)
    ]
    for words, name in ((telling, "own"), (foreign, "other")):
        places = [x.start for x in side.words if any(is_near(x.stem, y) for y in words)]
        marks += [(place, name, -1) for place in places[:1]]
    marks.sort()
    names = [name for _, name, _ in marks]
    if len(marks) != 4 or names.count("figure") != 2:
        return
    beside = names.index("own") + (-1 if names[0] == "figure" else 1)
    if 0 <= beside < len(marks) and marks[beside][1] == "figure":
        figure, kind, value = known[marks[beside][2]]
        figures = frozenset(
            w.stem for x in known for w in aligned_text(x[0].text).words
        )
        told = side.stems - figures
        yield Valued(kind, value, figure, place, side.stems, told)


def _in(part: str) -> frozenset[str]:
    return aligned_text(part).stems


def _on_scale(
    side: AlignedText, asked: _Asked, *, is_listing: bool
) -> list[tuple[Quantity, str, float]]:
    """The figures of a sentence that are on the scale. `is_listing`: of several things;
    "74 dB, the other 81": a bare figure has the unit of the others."""
    found = []
    units = list(dict.fromkeys(x.unit for x in side.quantities if x.unit is not None))
    for figure in side.quantities:
        is_bare = figure.unit is None and figure.kind == "number"
        if is_listing and is_bare and len(units) == 1:
            is_counted = bool(figure.noun) and not _LINKED.match(figure.noun)
            if not is_counted:
                figure = replace(figure, unit=units[0])
        valued = asked.value_of(figure, side.stems)
        if valued is not None:
            found.append((figure, *valued))
    if any(kind for _, kind, _ in found):
        found = [one for one in found if one[1]]
    return found


def _is_of(own: frozenset[str], other: frozenset[str], words: frozenset[str]) -> bool:
    """What is said with these words is said of the one side, not of the other: "Wren 5
    Max" has a word more than "Wren 5"."""
    telling, foreign = own - other, other - own
    is_other = bool(foreign) and covers(foreign, words)
    return covers(telling or own, words) and not is_other


def _parts(text: str) -> list[str]:
    """A sentence cut where another thing may come."""
    cuts = [0, *(m.start() for m in _CUT.finditer(text)), len(text)]
    return [text[a:b] for a, b in pairwise(cuts) if b - a > 3]


def _raw(text: str) -> frozenset[str]:
    return frozenset(text.lower().split())


# --- the most of a group ---


@dataclass(frozen=True)
class _Member:
    """One of a group with its figure."""

    words: frozenset[str]
    valued: Valued


def _under(
    group: Sequence[_Member], told: frozenset[str], source: str
) -> list[_Member]:
    """The group with what else is said of its figures, and what it stands under."""
    return [
        replace(x, valued=replace(x.valued, told=x.valued.told | told, source=source))
        for x in group
    ]


def _by_group(asked: _Asked, question: Question, passage: Passage) -> Testimony | None:
    """A superlative by all figures of a column or of a list."""
    found = []
    groups = (*_columns(asked, question), *_items(asked, question))
    for group in (*groups, *_lists(asked, question, passage)):
        standing = _standing(asked.one, group)
        if standing is not None:
            found.append((*standing, group))
    if len({holds for holds, _, _ in found}) != 1:
        return None
    holds, at, group = found[0]
    own = group[at].valued
    # A word that only some of them have is no word of the group: "paid" of paid plans.
    words = group[0].valued.words.intersection(*(one.valued.words for one in group))
    if not asked.is_covered(words, besides=str(len(group))):
        return None
    if not covers(asked.class_of, words):
        return None
    told = (one.valued.told - _EMPTY for one in group)
    if not all(covers(words, asked.known) for words in told):
        return None
    if " and " in own.source or " or " in own.source:
        return None  # "Free and paid plans" are two groups
    figures = ", ".join(one.valued.figure.text for one in group)
    reason = f"{own.place} says {own.figure.text}, of {figures}."
    return proof(COMPARISON, "entails" if holds else "contradicts", own.place, reason)


def _standing(one: Comparison, group: Sequence[_Member]) -> tuple[bool, int] | None:
    """(has the thing the place that the claim gives it, its number in the group)."""
    least = 2 if one.of_two else RIVALS
    named = [n for n, x in enumerate(group) if covers(one.left, x.words)]
    is_one_kind = len({x.valued.kind for x in group}) == 1
    if len(group) < least or (one.of_two and len(group) != least) or not is_one_kind:
        return None
    if len(named) != 1:
        return None
    values = [x.valued.value * one.sign for x in group]
    if values.count(values[named[0]]) > 1:
        return None
    rank = sum(x > values[named[0]] for x in values) + 1
    if any(x.words & TOTALS for x in group) or _has_sum(values):
        return None  # a row of totals is none of them
    return rank == (one.rank or 1), named[0]


def _has_sum(values: Sequence[float]) -> bool:
    """One of several is the sum or the mean of the others."""
    if len(values) < RIVALS:
        return False
    for value in values:
        rest = sum(values) - value
        if value in (rest, rest / (len(values) - 1)) and len(values) > RIVALS:
            return True
    return False


def _columns(asked: _Asked, question: Question) -> Iterator[list[_Member]]:
    """Columns of tables and lists of terms: each thing with its figure."""
    for page_id, text in question.documents:
        for kind, known in columns(text):
            groups = []
            for column in known:
                key, lead = column[0].key, column[0].lead
                context = frozenset(table_words(key)) | _raw(key)
                about = frozenset(table_words(f"{lead} {kind}"))
                group = _group_of(column, context, about, asked, page_id, question)
                if group:
                    group = _under(group, lead_words(lead, question), lead)
                    groups.append((_nearness(asked, context), group))
            most = max((near for near, _ in groups), default=0)
            best = [group for near, group in groups if near == most]
            if len(best) == 1:
                yield best[0]


def _group_of(
    row: Sequence[TableCell],
    context: frozenset[str],
    lead: frozenset[str],
    asked: _Asked,
    page_id: str,
    question: Question,
) -> list[_Member]:
    """Cells as things under their heads; empty where one has no figure. `context`: the
    words of their row's head, `lead`: what the table stands under."""
    group = []
    for cell in row:
        figure = next(iter(aligned_text(canonical(cell.value)).quantities), None)
        valued = asked.value_of(figure, context | lead) if figure else None
        if figure is None or valued is None:
            return []
        words = frozenset(table_words(cell.head))
        place = candidate_at(question, page_id, cell.start)
        about = words | context | lead
        told = frozenset(table_words(row[0].key))
        one = Valued(*valued, figure, place, about, told)
        group.append(_Member(words, one))
    return group


def _items(asked: _Asked, question: Question) -> Iterator[list[_Member]]:
    """Items of a list: "- Bell: 1911", "- Bell (opened 1911)"."""
    for page_id, text in question.documents:
        for one in item_lists(text):
            group = []
            for item in one.items:
                side = aligned_text(item.text)
                lead = len(one.lead)
                known = [
                    (value, figure)
                    for figure in side.quantities
                    if figure.start >= lead
                    and (value := asked.value_of(figure, side.stems))
                ]
                if len(known) != 1:
                    break
                value, figure = known[0]
                place = candidate_at(question, page_id, item.start)
                words = _in(item.text[lead:])
                group.append(_Member(words, Valued(*value, figure, place, side.stems)))
            if len(group) == len(one.items):
                heads = lead_words(one.lead.rstrip(":").replace(": ", " - "), question)
                common = group[0].words.intersection(*(x.words for x in group))
                yield _under(group, heads | common, one.lead)


def _lists(
    asked: _Asked, question: Question, passage: Passage
) -> Iterator[list[_Member]]:
    """Sentences that give a figure to each of several things."""
    for candidate in passage.near:
        for statement in candidate.statements:
            if statement.row or OPEN.search(statement.own):
                continue
            side = aligned_text(canonical(statement.own))
            known = _on_scale(side, asked, is_listing=True) or _bare_figures(
                side, asked
            )
            words = aligned_text(statement.text).stems
            place = candidate.evidence.sentence_id
            group = []
            for part in _parts(side.text):
                own = [one for one in known if one[0].text in part]
                if len(own) == 1:
                    figure, kind, value = own[0]
                    valued = Valued(kind, value, figure, place, words)
                    group.append(_Member(_in(part), valued))
            taken = {w.stem for x in known for w in aligned_text(x[0].text).words}
            taken |= {y for x in known for y in table_words(x[0].noun)}
            plain = {w.stem for w in side.words if not w.is_name} - taken
            told = frozenset(plain) | lead_words(statement.lead, question)
            if len(group) == len(known):
                yield _under(group, told, statement.lead)


def _bare_figures(
    side: AlignedText, asked: _Asked
) -> list[tuple[Quantity, str, float]]:
    """ "Machines sold by region: East 410, West 385": figures of what the sentence says
    in its first words."""
    if asked.one.scale not in _COUNTED:
        return []
    if not covers(asked.one.noun - _COUNTS, side.stems):
        return []
    return [
        (x, x.dimension, x.base(x.low))
        for x in side.quantities
        if x.kind == "number"
        and not x.is_range
        and (x.unit is None or asked.scale.name != "number")
    ]
