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
from claimscope.core.verify.statements import ItemList, item_lists
from claimscope.core.verify.token_alignment import AlignedText, aligned_text
from claimscope.core.verify.witnesses.comparison import lead_words
from claimscope.core.verify.witnesses.proof import proof
from claimscope.core.verify.witnesses.table import (
    TOTALS,
    TableCell,
    candidate_at,
    columns,
    covers,
    is_near,
    table_words,
)
from claimscope.core.verify.word_forms import stem, words

WORKING = "working"
LONGEST = 30
"""Words of a claim: longer ones say more than a figure."""
FEW = 2
"""Things that a column has at least."""
DAYS = {"day": 1, "week": 7, "month": 30.44, "year": 365.25}
_TOTAL = re.compile(
    r"(?i)\b(?:together|altogether|in total|combined|in all|sum of|total of|add up|adds"
    r" up|added up)\b"
)
_LASTED = re.compile(
    r"(?i)\b(?:last(?:s|ed)?|(?:goes|go|went|runs?|ran|continued) on for"
    r"|runs? for|ran for|open for|closed for|stay(?:s|ed)? (?:\w+ )?for|continued for"
    r"|stretched over|spread over|is over in|between)\b"
)
_DENIED = re.compile(
    r"(?i)\b(?:not|no|never|without|except|n't|other than|if|unless)\b"
)
_PLAIN = """
    is are was were be been being has have had do does did come comes came get gets got
    take takes took of in on at with for to by from the a an than any and that
    those these this its it their there ever whole one ones who which what you will
    would can less as through over under up there's list lists listed total
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

_NOT_ALL = re.compile(r"(?i)\b(?:not|n't|hardly) (?:all|every|each|both|any)\b")
_LATER = re.compile(r"(?i)\b(?:will|would|shall|once|used to|until)\b|\?")
_BOUNDED = re.compile(
    r"(?i)\b(?:at (?:most|least)|up to|fewer than|less than|more than|over|under|about"
    r"|around|roughly|nearly|almost)\b"
)
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
    if _NOT_ALL.search(text) or _LATER.search(text):
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
        found = look(claim, question, passage)
        if found is not None:
            return [found]
    return []


def _testimony(holds: bool, place: str, reason: str) -> Testimony:
    return proof(WORKING, "entails" if holds else "contradicts", place, reason)


def _fits(value: float, figure: Quantity) -> bool:
    """Whether a value is what a figure says, its bound and "about" kept."""
    low, high = figure.base(figure.low), figure.base(figure.high)
    if figure.bound == "least":
        return value > low if figure.is_strict else value >= low
    if figure.bound == "most":
        return value < high if figure.is_strict else value <= high
    slack = 0.05 * high if figure.is_about else 1e-6 * max(abs(high), 1.0)
    return low - slack <= value <= high + slack


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
        stems = claim.side.stems
        like = [one for one in item_lists(page) if _covers_any(noun, one.lead)]
        if len(like) > 1:
            continue  # two lists of such things
        lists = [one for one in item_lists(page) if _is_asked(one, noun, rest, stems)]
        if len(lists) == 1:
            items = lists[0].items
            if _GOES_ON.search(page[items[-1].end : items[-1].end + 120]):
                return None
            place = candidate_at(question, page_id, items[0].start)
            reason = f"{place}: the list has {len(items)} items."
            return _testimony(_fits(len(items), figure), place, reason)
    return None


_SOME = re.compile(
    r"(?i)\b(?:includ\w+|such as|for (?:example|instance)|e\.g\.|among|some of"
    r"|\(from)\b"
)
"""What stands over a list that is not whole."""
_GOES_ON = re.compile(r"(?i)\b(?:also|too|further|other|besides|in addition|only)\b")
"""In what stands behind a list that is not whole."""
_SEVERAL = re.compile(
    r"(?i)^\W*\d|\b(?:and|or|more|etc|others?|each)\b|…|\.\.\.|[/,&(]"
)
"""In an item that is more than one thing."""
_KINDS = frozenset(map(stem, "kinds types sorts formats".split()))
_ANYTHING = frozenset(map(stem, "things items pieces parts steps points".split()))
"""Words for the items of any list."""


def _covers_any(noun: frozenset[str], lead: str) -> bool:
    return any(is_near(a, b) for a in noun for b in aligned_text(lead).stems)


def _is_asked(
    one: ItemList, noun: frozenset[str], rest: frozenset[str], said: frozenset[str]
) -> bool:
    """The list is of what the claim counts: they say the same but for the figure, and
    each item is one thing."""
    own = one.lead.rpartition(": ")[2] if one.lead.count(":") > 1 else one.lead
    if not own.endswith(":") or _SOME.search(one.lead):
        return False
    if any(_SEVERAL.search(item.text[len(one.lead) :]) for item in one.items):
        return False
    words = aligned_text(own).stems - _EMPTY - _LEADING
    is_named = any(is_near(a, b) for a in noun for b in words | _ANYTHING)
    if aligned_text(own).stems & _KINDS and not said & _KINDS:
        return False  # "these file types" are no files
    besides = rest - noun
    context = words | aligned_text(one.lead).stems
    is_covered = covers(besides, context) and covers(words, rest | noun)
    return is_named and bool(besides) and is_covered


_LEADING = frozenset(
    map(
        stem,
        "accepts accept following these no as be can are is each".split(),
    )
)


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
    match = _HOW_MANY.search(claim.text)
    if match is None or _BOUNDED.search(claim.text) or _RELATIVE.search(claim.text):
        return None
    own = frozenset(table_words(claim.text))
    for page_id, page in question.documents:
        for kind, known in columns(page):
            for column in known:
                marks = [_mark(one.value) for one in column]
                if None in marks or column[0].table > 0 or _has_total(column):
                    continue
                key = table_words(column[0].key)
                if len(column) < FEW or not key or not covers(key, own):
                    continue
                asked = _number_asked(claim, match, len(marks))
                if asked is None or any(_is_named(one, claim) for one in column):
                    continue
                number, text = asked
                about = " ".join((column[0].key, kind, column[0].lead))
                rest = claim.rest(text, about, str(len(marks))) - _MARKING
                heads = lead_words(column[0].lead, question)
                if rest or not covers(heads, frozenset(claim.side.stems)):
                    continue
                if " and " in column[0].lead:
                    continue  # "Free and paid plans" are two groups
                plain = claim.text.replace(text, "", 1)
                lacks = _LACKS.search(plain.lower().replace(column[0].key.lower(), " "))
                count = sum(mark is (lacks is None) for mark in marks)
                place = candidate_at(question, page_id, column[0].start)
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


def _number_asked(
    claim: _Claim, match: re.Match[str], total: int
) -> tuple[int, str] | None:
    """(how many the claim says, in which words) of so many. `match`: of _HOW_MANY."""
    said = len(aligned_text(match.group()).quantities)
    totals = sum(x.low == total for x in claim.side.quantities)
    if len(claim.side.quantities) - said - totals > 0:
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
        if _TOTAL.search(page) or _REDUCED.search(page):
            return None  # the page says a total of its own, or another price together
        for _, known in columns(page):
            for column in known:
                if _has_total(column) or len({x.head for x in column}) < len(column):
                    continue
                named = [one for one in column if _is_named(one, claim)]
                values = [_value(one, figure) for one in named]
                if len(named) < FEW or None in values:
                    continue
                heads = " ".join(one.head for one in named)
                others = {x for one in column if one not in named for x in _words(one)}
                if others & set(table_words(claim.text)) - set(table_words(heads)):
                    continue  # "Battery 500 Wh" may be the claim's battery
                about = " ".join((column[0].key, column[0].kind, column[0].lead))
                if claim.rest(figure.text, heads, about):
                    continue
                told = frozenset(table_words(column[0].key))
                told |= lead_words(column[0].lead, question)
                if not covers(told - _PRICES, claim.side.stems):
                    continue
                value = sum(x for x in values if x is not None)
                shown = " + ".join(one.value for one in named)
                place = candidate_at(question, page_id, named[0].start)
                found.append((_fits(value, figure), place, shown))
    if len({holds for holds, _, _ in found}) != 1:
        return None
    holds, place, shown = found[0]
    return _testimony(holds, place, f"{place}: it is {shown}.")


_REDUCED = re.compile(r"(?i)%|\b(?:discount|off|less|save|reduced|free)\b")
_PRICES = frozenset(map(stem, "price prices cost costs fee fees fare".split()))


def _has_total(column: Sequence[TableCell]) -> bool:
    """One of its things is all the others together."""
    return any(TOTALS & set(table_words(cell.head)) for cell in column)


def _words(cell: TableCell) -> list[str]:
    """What the cell's thing is called, without figures."""
    return [word for word in table_words(cell.head) if not word[0].isdigit()]


def _is_named(cell: TableCell, claim: _Claim) -> bool:
    words = _words(cell)
    return bool(words) and covers(words, table_words(claim.text))


def _value(cell: TableCell, figure: Quantity) -> float | None:
    known = aligned_text(canonical(cell.value)).quantities
    if len(known) != 1 or known[0].is_range or known[0].bound:
        return None
    if figure.unit is not None and not known[0].comparable(figure):
        return None
    return known[0].base(known[0].low)


# --- shares ---


_LED_IN = r"(?i)(?:[^,]{3,40}, )?(?:only |just |exactly )?"
_SHARE_AT = tuple(
    (re.compile(rf"{_LED_IN}(?P<said>\b(?:{said})\b)"), true, may)
    for said, true, may in _SHARES
)


def _share(claim: _Claim, question: Question, passage: Passage) -> Testimony | None:
    """ "Most of the volunteers" by "31 of the 48 volunteers", "a quarter of" by 25 %:
    where the same things are counted, and the page says no more of them."""
    said = next(
        (
            (m["said"], true, may)
            for at, true, may in _SHARE_AT
            if (m := at.match(claim.text))
        ),
        None,
    )
    shares = [x for x in claim.side.quantities if x.kind == "fraction"]
    if len(claim.side.quantities) != len(shares) or len(shares) + bool(said) != 1:
        return None
    if _RELATIVE.search(claim.text):
        return None  # "all who passed" are not all
    text = said[0] if said else shares[0].text
    counted = _first_words(claim.text[claim.text.index(text) + len(text) :])
    start = claim.text.index(text)
    end = start + len(text)
    plain = (x for x in claim.side.words if not start <= x.start < end)
    rest = frozenset(word.stem for word in plain) - _SHARING
    found: list[tuple[float, str, str]] = []
    for candidate in passage.near:
        for statement in candidate.statements:
            side = aligned_text(statement.own)
            known = _shares_of(side)
            is_open = _DENIED.search(statement.own) or _LATER.search(statement.own)
            if len(known) != 1 or is_open or not rest:
                continue
            share, shown, noun = known[0]
            figures = {
                w.stem for x in side.quantities for w in aligned_text(x.text).words
            }
            more = side.stems - figures - _SHARING
            more |= lead_words(statement.lead, question)
            is_same = any(is_near(a, b) for a in counted for b in noun)
            if not is_same or not covers(rest, side.stems) or not covers(more, rest):
                continue
            place = candidate.evidence.sentence_id
            found.append((share, place, shown))
    if len({share for share, _, _ in found}) != 1:
        return None
    share, place, shown = found[0]
    holds = _holds(share, said, shares)
    if holds is None:
        return None
    return _testimony(holds, place, f"{place} has {shown}.")


_SHARED = "is are was were the of a an in by than fewer more".split()
_SHARING = frozenset((*_SHARED, *map(stem, _SHARED)))
"""Words that change nothing of a share."""
_RELATIVE = re.compile(r"(?i)\b(?:who|which|that|whose)\b")


def _holds(
    share: float,
    said: tuple[str, Interval, Interval] | None,
    shares: Sequence[Quantity],
) -> bool | None:
    """Whether a share is what is said of it; None where that may be seen either way."""
    if said is not None:
        _, true, may = said
        if true[0] <= share <= true[1]:
            return True
        return None if may[0] <= share <= may[1] else False
    (fraction,) = shares
    holds = _fits(share * 100, fraction)
    gap = abs(share * 100 - fraction.base(fraction.low))
    return None if not holds and fraction.bound is None and gap < 3 else holds


def _first_words(text: str) -> frozenset[str]:
    """Stems of the first one or two words that say what is counted."""
    found: list[str] = []
    for word in aligned_text(text).words:
        if word.is_stop and found:
            break
        if not word.is_stop and word.stem not in _EMPTY:
            found.append(word.stem)
    return frozenset(found[:2])


_OF = re.compile(
    r"(?i)\s+(?:out )?of\s+(?:(?:the|its|our|their|all|\w+['’]s)\s+){0,2}$"
)


_OF_ALL = re.compile(r"(?i)(?:^|[:;,] )(?:out )?of (?:the |its |our |all )*$")


def _shares_of(side: AlignedText) -> list[tuple[float, str, frozenset[str]]]:
    """(share, as it is written, stems of what is counted) of each that a sentence
    gives: 7 % of the parcels, 9 of the 120 participants, of the 60 delegates 47."""
    plain = [
        x
        for x in side.quantities
        if not (x.bound or x.is_range or x.is_about)
        and x.kind in ("number", "fraction")
    ]
    if len(plain) != len(side.quantities) or not plain:
        return []
    if all(x.dimension == "percent" for x in plain):
        return [
            (x.base(x.low) / 100, x.text, _first_words(side.text[x.end + 4 :]))
            for x in plain
            if side.text[x.end : x.end + 4] == " of "
        ]
    if any(x.unit is not None or x.kind == "fraction" for x in plain):
        return []
    total = plain[0]
    noun = frozenset(table_words(total.noun))
    if len(plain) > 1 and _OF_ALL.search(side.text[: total.start]):
        parts = [x for x in plain[1:] if x.low <= total.low and total.low > 1]
        whole = len(parts) == len(plain) - 1
        shares = [(x.low / total.low, f"{x.text} of {total.text}", noun) for x in parts]
        return shares if whole else []
    found = []
    for one, other in zip(plain, plain[1:], strict=False):
        between = side.text[one.end : other.start]
        if _OF.fullmatch(between) and other.low > 1 and 0 <= one.low <= other.low:
            shown_ = side.text[one.start : other.end]
            found.append(
                (one.low / other.low, shown_, frozenset(table_words(other.noun)))
            )
    return found


# --- between two dates ---


_ENDS = frozenset(
    map(
        stem,
        "begin began begins start started starts end ended ends finish finished open"
        " opened close closed called off morning evening day till until ran runs lasts"
        " lasted from to".split(),
    )
) | frozenset(("off", "until", "from", "to"))
"""Words of when something begins and ends."""


_TO = re.compile(r"(?i)[\s,]*(?:to|until|till|through|–|-|and)[\s,]*(?:the )?")
_BEGAN = re.compile(
    r"(?i)\b(?:beg[ai]ns?|began|start(?:s|ed)?|open(?:s|ed)?) (?:[\w ]* )?on\b"
)
_ENDED = re.compile(
    r"(?i)\band (?:was |were )?(?:end(?:s|ed)|finish(?:es|ed)|clos(?:es|ed)"
    r"|called off)\b"
)


def _is_span(side: AlignedText) -> bool:
    """The two dates are the beginning and the end of one thing, and it came about."""
    first, last = side.days
    between = side.text[first.end : last.start]
    if _LATER.search(side.text) or _DENIED.search(side.text):
        return False
    if _TO.fullmatch(between):
        return "called off" not in side.text and "cancel" not in side.text
    began = _BEGAN.search(side.text[: first.start]) is not None
    return began and _ENDED.search(between) is not None


def _duration(claim: _Claim, question: Question, passage: Passage) -> Testimony | None:
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
            if span is None or not _is_span(side):
                continue
            if not rest or not covers(rest, side.stems):
                continue
            dates = [w.stem for x in side.days for w in words(x.text)]
            more = side.stems - frozenset(dates) - _EMPTY - _ENDS
            more |= lead_words(statement.lead, question)
            if not covers(more, rest):
                continue  # the dates may be those of something else about it
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
