"""What a claim counts, adds up, divides or measures, worked out from the page.

"Five kinds of leave" is settled by counting the items of the list that names them,
"€535 altogether" by adding the prices of what the claim names, "most of the volunteers"
by 31 of 48, "lasted nine days" by the two dates. The working is shown. Where it is not
clear which items, figures or dates are meant, nothing is said.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from claimscope.core.models import Testimony
from claimscope.core.ports import Question
from claimscope.core.text.quantities.dates import Day
from claimscope.core.text.quantities.number_words import number_word
from claimscope.core.text.quantities.quantity import Quantity
from claimscope.core.verify.normalisation import canonical
from claimscope.core.verify.passages import Passage, StatedCandidate
from claimscope.core.verify.statements import item_lists
from claimscope.core.verify.token_alignment import AlignedText, aligned_text
from claimscope.core.verify.witnesses.proof import proof
from claimscope.core.verify.witnesses.table import (
    TableCell,
    is_near,
    table_words,
    tables,
)
from claimscope.core.verify.word_forms import stem

WORKING = "working"
LONGEST = 30
"""Words of a claim: longer ones say more than a figure."""
DAYS = {"day": 1, "week": 7, "month": 30.44, "year": 365.25}
_TOTAL = re.compile(
    r"(?i)\b(?:together|altogether|in total|combined|in all|sum of|total of|add up|adds"
    r" up|added up)\b"
)
_LASTED = re.compile(
    r"(?i)\b(?:last(?:s|ed)?|t(?:akes?|ook)|(?:goes|go|went|runs?|ran|continued) on for"
    r"|runs? for|ran for|open for|closed for|stay(?:s|ed)? (?:\w+ )?for|continued for"
    r"|stretched over|spread over|is over in|between)\b"
)
_DENIED = re.compile(
    r"(?i)\b(?:not|no|never|without|except|n't|other than|if|unless)\b"
)
_PLAIN = """
    is are was were be been being has have had do does did come comes came get gets got
    take takes took of in on at with for to by from the a an than any other and that
    those these this its it their there ever whole one ones who which what you will
    would can more less as through over under up there's list lists listed total
    together altogether combined sum number count in all different various following
    someone anyone everyone who people person pay pays paid cost costs buy buys only
    just exactly last lasts lasted go goes went run runs ran continue continued
    between said say says them they he she his her our your offer offers offered
    provide provides provided include includes support supports choose available name
    names named mention mentions give gives given contain contains consist consists kind
    fewer nearly almost about roughly around exactly least most little bit
    kinds type types sort sorts item items thing things
""".split()
_EMPTY = frozenset((*_PLAIN, *map(stem, _PLAIN)))

Interval = tuple[float, float]
_SHARES: tuple[tuple[str, Interval, Interval], ...] = (
    # How it is said, the shares of which it is true, those of which it may be.
    (r"(?:the )?(?:great|vast|overwhelming|large) majority of", (0.7, 1), (0.55, 1)),
    (r"(?:nearly|almost|virtually|practically) all(?: of)?", (0.85, 1), (0.7, 1)),
    (r"(?:nearly|almost|virtually|practically) none of", (0, 0.1), (0, 0.25)),
    (r"most(?: of)?|(?:the|a) majority of", (0.501, 1), (0.5, 1)),
    (r"(?:only )?a small (?:minority|fraction|part|share) of", (0, 0.25), (0, 0.4)),
    (r"(?:only |just )?a minority of", (0.0, 0.499), (0, 0.5)),
    (r"(?:hardly|scarcely) any(?: of)?|very few(?: of)?", (0, 0.15), (0, 0.3)),
    (r"(?:only |just )?(?:a )?few(?: of)?", (0.001, 0.25), (0.0001, 0.45)),
    (r"all(?: of)?|every(?: one of| single)?|each of", (1, 1), (0.999, 1)),
    (r"none of|not one of", (0, 0), (0, 0.001)),
    (r"some of", (0.0001, 0.5), (0.0001, 1)),
)
_SHARE_OF = tuple(
    (re.compile(rf"(?i)\b(?:{said})\b"), true, may) for said, true, may in _SHARES
)


@dataclass(frozen=True)
class _Claim:
    """A claim taken apart."""

    text: str
    side: AlignedText

    def rest(self, *said: str) -> frozenset[str]:
        """Stems of what it says besides some of its words."""
        gone = {word.stem for text in said for word in aligned_text(text).words}
        return frozenset(word.stem for word in self.side.words) - gone - _EMPTY


def by_working(question: Question, passage: Passage) -> list[Testimony]:
    """The first thing that can be worked out of a claim, for or against it."""
    text = canonical(question.claim).rstrip(". ")
    claim = _Claim(text, aligned_text(text))
    if len(claim.side.words) > LONGEST:
        return []
    marked = _marked(claim, question)
    if marked is not None:
        return [marked]
    if _DENIED.search(text):
        return []
    for work in (_total, _count):
        found = work(claim, question)
        if found is not None:
            return [found]
    for look in (_share, _duration):
        found = look(claim, passage)
        if found is not None:
            return [found]
    return []


def _testimony(holds: bool, place: str, reason: str) -> Testimony:
    return proof(WORKING, "entails" if holds else "contradicts", place, reason)


def _covers(rest: frozenset[str], known: frozenset[str]) -> bool:
    return all(any(is_near(word, other) for other in known) for word in rest)


def _fits(value: float, figure: Quantity) -> bool:
    """Whether a value is what a figure says, its bound and "about" kept."""
    low, high = figure.base(figure.low), figure.base(figure.high)
    if figure.bound == "least":
        return value > low if figure.is_strict else value >= low
    if figure.bound == "most":
        return value < high if figure.is_strict else value <= high
    slack = 0.05 * high if figure.is_about else 1e-6 * max(abs(high), 1.0)
    return low - slack <= value <= high + slack


def _place(question: Question, page_id: str, start: int) -> str:
    """The candidate that something stands in; the page's best where it is none."""
    own = [one for one in question.evidence if one.page_id == page_id]
    inside = (one.sentence_id for one in own if one.start <= start < one.end)
    return next(inside, own[0].sentence_id if own else "")


# --- the items of a list ---


def _count(claim: _Claim, question: Question) -> Testimony | None:
    """ "Five file types": as many items as the list under "these file types:" has."""
    counts = [
        one
        for one in claim.side.quantities
        if one.unit is None and one.kind == "number" and one.noun and one.high < 100
    ]
    if len(counts) != 1 or len(claim.side.quantities) != 1:
        return None
    (figure,) = counts
    if figure.low != int(figure.low) or figure.noun.startswith(("of ", "to ", "times")):
        return None
    noun = frozenset(table_words(figure.noun.split()[0])) | frozenset(
        table_words(figure.noun)
    )
    rest = claim.rest(figure.text)
    for page_id, page in question.documents:
        for one in item_lists(page):
            lead, items = one.lead, one.items
            if not lead.endswith(":") or _SOME.search(lead):
                continue
            words = frozenset(table_words(lead)) | aligned_text(lead).stems
            named = any(is_near(a, b) for a in noun for b in words | _ANYTHING)
            if not named or not _covers(rest - noun, words):
                continue
            place = _place(question, page_id, items[0].start)
            return _testimony(
                _fits(len(items), figure),
                place,
                f"{place}: the list has {len(items)} items.",
            )
    return None


_ANYTHING = frozenset(map(stem, "things items pieces parts steps points".split()))
"""Words for the items of any list."""
_SOME = re.compile(r"(?i)\b(?:includ\w+|such as|for example|e\.g\.|among|some of)\b")
"""What stands over a list that is not whole."""


# --- marks in a column ---

_YES = frozenset(("yes", "true", "✓", "included", "available", "pass", "on"))
_NO = frozenset(("no", "false", "✗", "not included", "none", "fail", "off"))
_HOW_MANY = re.compile(
    r"(?i)\b(?:(?P<but>all but (?P<few>\w+)|all except (?P<save>\w+))"
    r"|(?P<both>both|all|every|each)|(?P<none>none|neither|not one)"
    r"|(?:(?:just|only|exactly) )?(?P<some>\w+)(?= (?:of|out of|[a-z]+s)\b))"
)
_LACKS = re.compile(r"(?i)\b(?:no|not|without|lacks?|lacking|fail(?:s|ed)?|miss\w*)\b")


def _marked(claim: _Claim, question: Question) -> Testimony | None:
    """ "Two of the rooms have no projector", by the column of yes and no."""
    for page_id, page in question.documents:
        kinds = {cell.table: cell.kind for table in tables(page) for cell in table}
        for table in tables(page):
            for column in _columns(table):
                marks = [_mark(one.value) for one in column]
                if None in marks or column[0].table > 0:
                    continue
                kind = kinds.get(-column[0].table, "")
                key = table_words(column[0].key)
                own = frozenset(table_words(claim.text))
                if not key or not all(any(is_near(a, b) for b in own) for a in key):
                    continue
                asked = _number_asked(claim, len(marks))
                if asked is None or any(_is_named(one, claim) for one in column):
                    continue
                number, text = asked
                about = " ".join((column[0].key, kind, column[0].lead))
                rest = claim.rest(text, about, str(len(marks))) - _MARKING
                if not _covers(rest, frozenset(table_words(about))):
                    continue
                lacks = _LACKS.search(claim.text.replace(text, "", 1)) is not None
                count = sum(mark is not lacks for mark in marks)
                place = _place(question, page_id, column[0].start)
                shown = (
                    f"{place}: {column[0].key} is {', '.join(x.value for x in column)}."
                )
                return _testimony(count == number, place, shown)
    return None


_MARKING = frozenset(
    map(
        stem,
        "no not without lack lacks lacking with have comes come fail failed".split(),
    )
) | frozenset(("no", "not", "without"))


def _mark(value: str) -> bool | None:
    plain = value.strip(" .*").lower()
    return True if plain in _YES else False if plain in _NO else None


def _number_asked(claim: _Claim, total: int) -> tuple[int, str] | None:
    """(how many the claim says, in which words) of so many."""
    match = _HOW_MANY.search(claim.text)
    if match is None:
        return None
    if match["but"]:
        few = _number(match["few"] or match["save"])
        return (total - few, match.group()) if few is not None else None
    if match["both"]:
        return total, match.group()
    if match["none"]:
        return 0, match.group()
    some = _number(match["some"])
    return (some, match.group()) if some is not None else None


def _number(word: str) -> int | None:
    said = "1" if word.lower() == "one" else number_word(word.lower()) or word
    return int(said) if said.isdecimal() else None


# --- sums ---


def _total(claim: _Claim, question: Question) -> Testimony | None:
    """ "The battery and the charger cost €480 together": the figures of what the claim
    names, in one column, added up."""
    cue = _TOTAL.search(claim.text)
    figures = [one for one in claim.side.quantities if not one.is_range]
    if cue is None or len(figures) != 1:
        return None
    (figure,) = figures
    found: list[tuple[bool, str, str]] = []
    for page_id, page in question.documents:
        for table in tables(page):
            for column in _columns(table):
                named = [one for one in column if _is_named(one, claim)]
                values = [_value(one, figure) for one in named]
                if len(named) < 2 or None in values:
                    continue
                heads = " ".join(one.head for one in named)
                others = {x for one in column if one not in named for x in _words(one)}
                if others & set(table_words(claim.text)) - set(table_words(heads)):
                    continue  # "Battery 500 Wh" may be the claim's battery
                about = " ".join((column[0].key, column[0].kind, column[0].lead))
                rest = claim.rest(figure.text, heads, about)
                if rest and not _covers(rest, aligned_text(page).stems):
                    continue
                value = sum(x for x in values if x is not None)
                shown = " + ".join(one.value for one in named)
                place = _place(question, page_id, named[0].start)
                found.append((_fits(value, figure), place, shown))
    if len({holds for holds, _, _ in found}) != 1:
        return None
    holds, place, shown = found[0]
    return _testimony(holds, place, f"{place}: it is {shown}.")


def _columns(table: Sequence[TableCell]) -> list[list[TableCell]]:
    """Cells that are values of one kind for several things: the things are heads."""
    rows: dict[int | str, list[TableCell]] = {}
    for cell in table:
        rows.setdefault(cell.row, []).append(cell)
    return [row for row in rows.values() if len(row) > 1]


def _words(cell: TableCell) -> list[str]:
    """What the cell's thing is called, without figures."""
    return [word for word in table_words(cell.head) if not word[0].isdigit()]


def _is_named(cell: TableCell, claim: _Claim) -> bool:
    words = _words(cell)
    return bool(words) and all(
        any(is_near(word, other) for other in table_words(claim.text)) for word in words
    )


def _value(cell: TableCell, figure: Quantity) -> float | None:
    known = aligned_text(canonical(cell.value)).quantities
    if len(known) != 1 or known[0].is_range or known[0].bound:
        return None
    if figure.unit is not None and not known[0].comparable(figure):
        return None
    return known[0].base(known[0].low)


# --- shares ---


def _share(claim: _Claim, passage: Passage) -> Testimony | None:
    """ "Most of the volunteers" by "31 of the 48", "a quarter of" by 25 %."""
    said = next(
        (
            (m, true, may)
            for how, true, may in _SHARE_OF
            if (m := how.search(claim.text))
        ),
        None,
    )
    fraction = next(
        (x for x in claim.side.quantities if x.dimension == "percent"),
        None,
    )
    is_percent = fraction is not None and fraction.kind != "fraction"
    others = [x for x in claim.side.quantities if x is not fraction]
    if others or (said is None) == (fraction is None):
        return None
    text = said[0].group() if said else fraction.text if fraction else ""
    rest = claim.rest(text)
    for candidate in passage.near[:3]:
        for statement in candidate.statements:
            side = aligned_text(statement.text)
            known = _shares_of(side)
            # The same percentage in two sentences is compared by those who read.
            if is_percent and any(x.dimension == "percent" for x in side.quantities):
                continue
            if len(known) != 1 or _DENIED.search(statement.text):
                continue
            if not rest or not _covers(rest, side.stems):
                continue
            share, shown = known[0]
            place = candidate.evidence.sentence_id
            if said is not None:
                _, true, may = said
                if true[0] <= share <= true[1]:
                    return _testimony(True, place, f"{place} has {shown}.")
                if not may[0] <= share <= may[1]:
                    return _testimony(False, place, f"{place} has {shown}.")
                return None
            assert fraction is not None
            holds = _fits(share * 100, fraction)
            if fraction.bound is None and not holds:
                gap = abs(share * 100 - fraction.base(fraction.low))
                if gap < 3:
                    return None
            return _testimony(holds, place, f"{place} has {shown}.")
    return None


_OF = re.compile(
    r"(?i)\s+(?:out )?of\s+(?:(?:the|its|our|their|all|\w+['’]s)\s+){0,2}$"
)


_OF_ALL = re.compile(r"(?i)(?:^|[:;,] )(?:out )?of (?:the |its |our |all )*$")


def _shares_of(side: AlignedText) -> list[tuple[float, str]]:
    """Shares that a sentence gives: 7 %, 9 of the 120."""
    plain = [
        x
        for x in side.quantities
        if not (x.bound or x.is_range or x.is_about)
        and x.kind in ("number", "fraction")
    ]
    if len(plain) != len(side.quantities):
        return []
    percents = [x for x in plain if x.dimension == "percent"]
    if percents:
        return [(x.base(x.low) / 100, x.text) for x in percents]
    found = []
    total = plain[0] if len(plain) > 1 else None
    if total is not None and _OF_ALL.search(side.text[: total.start]):
        parts = [x for x in plain[1:] if x.unit is None and x.low <= total.low]
        share = [(x.low / total.low, f"{x.text} of {total.text}") for x in parts]
        return share if total.low > 1 and len(share) == len(plain) - 1 else []
    for one, other in zip(plain, plain[1:], strict=False):
        between = side.text[one.end : other.start]
        if one.unit is None and other.unit is None and _OF.fullmatch(between):
            if 0 <= one.low <= other.low and other.low > 1:
                shown = side.text[one.start : other.end]
                found.append((one.low / other.low, shown))
    return found


# --- between two dates ---


def _duration(claim: _Claim, passage: Passage) -> Testimony | None:
    """ "Lasted nine days" by "from 4 to 12 June"."""
    figures = claim.side.quantities
    if len(figures) != 1 or not _LASTED.search(claim.text) or claim.side.days:
        return None
    (figure,) = figures
    unit = _calendar(figure)
    if unit is None or figure.is_range:
        return None
    rest = claim.rest(figure.text)
    for candidate in passage.near[:3]:
        for statement in candidate.statements:
            side = aligned_text(statement.text)
            span = _span(side.days)
            if span is None or not rest or not _covers(rest, side.stems):
                continue
            return _compared(span, figure, unit, candidate, side)
    return None


def _compared(
    span: int,
    figure: Quantity,
    unit: str,
    candidate: StatedCandidate,
    side: AlignedText,
) -> Testimony | None:
    """Both ends may count or not; months and years are not of one length."""
    place = candidate.evidence.sentence_id
    shown = f"{side.days[0].text} to {side.days[1].text}: {span} days"
    length = DAYS[unit]
    ways = {(span + more) / length for more in (0, 1)}
    slack = {"day": 0.0, "week": 0.15, "month": 0.2, "year": 0.04}[unit]
    near = [way for way in ways if abs(way - figure.low) <= slack]
    holds = (
        bool(near)
        if not figure.bound
        else all(_fits(way * figure.base(1.0), figure) for way in ways)
    )
    far = all(abs(way - figure.low) > 3 * slack for way in ways)
    if not holds and not far:
        return None
    return _testimony(holds, place, f"{place} has {shown}.")


def _calendar(figure: Quantity) -> str | None:
    """Day, week, month or year; None for other units."""
    if figure.unit is None or figure.dimension != "time":
        return None
    days = figure.unit.factor / 86400
    return next((unit for unit, n in DAYS.items() if abs(days / n - 1) < 0.01), None)


def _span(days: Sequence[Day]) -> int | None:
    """Days between the two dates of a sentence, in its order; None where there are
    others, or one is no full date."""
    if len(days) != 2:
        return None
    first, last = days
    if None in (first.day, first.month, last.day, last.month):
        return None
    year = first.year or last.year or 2001
    try:
        one = date(year, first.month or 1, first.day or 1)
        other = date(last.year or year, last.month or 1, last.day or 1)
    except ValueError:
        return None
    span = (other - one).days
    return span if span > 0 else None
