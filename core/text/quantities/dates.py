"""Calendar days, months, years and times of day in a text, in any usual order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from claimscope.core.text.quantities.number_words import ORDINALS

MONTHS = (
    "january february march april may june july august september october november"
    " december"
).split()
WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()

HOURS = "one two three four five six seven eight nine ten eleven twelve".split()
_HOURS = "|".join(HOURS)
_MONTH = (
    r"(?P<m{0}>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_ORDINAL_DAYS = (
    *ORDINALS,
    *(f"twenty-{one}" for one in islice(ORDINALS, 9)),
    "thirtieth",
    "thirty-first",
)
_DAY = r"(?P<d{0}>[0-3]?\d)(?:st|nd|rd|th)?"
_YEAR = r"(?P<y{0}>[12]\d{{3}})"
_DATE = re.compile(
    rf"\b(?:{_DAY.format(1)}\s+(?:of\s+)?{_MONTH.format(1)}(?:,?\s+{_YEAR.format(1)})?"
    rf"|{_MONTH.format(2)}\s+{_DAY.format(2)}\b(?!\s*(?:%|per\b|:))(?:,?\s+{_YEAR.format(2)})?"
    rf"|{_MONTH.format(3)},?\s+{_YEAR.format(3)}"
    rf"|(?P<word>{'|'.join(reversed(_ORDINAL_DAYS))})\s+of\s+{_MONTH.format(4)}"
    rf"(?:,?\s+{_YEAR.format(4)})?"
    r"|(?P<iso>[12]\d{3}[-/](?:0?[1-9]|1[0-2])[-/](?:0?[1-9]|[12]\d|3[01]))"
    r"|(?P<my>(?:0?[1-9]|1[0-2])/[12]\d{3})"
    r"|(?P<dmy>(?:[0-3]?\d)[./](?:[0-3]?\d)[./][12]\d{3}))\b",
    re.I,
)
_FROM_DAY = re.compile(
    r"(?i)(?<![\w.,:/-])([0-3]?\d)(?:st|nd|rd|th)?\s?(?:-|–|to|until|through)\s?$"
)
_TO_DAY = re.compile(
    r"(?i)\s?(?:-|–|to|until|through)\s?([0-3]?\d)\b(?![\s,]*[12]\d{3}|[.:/%]\d)"
)
_MINUTES = {"five": 5, "ten": 10, "twenty": 20, "twenty-five": 25}
_PARTS = r"twenty-five|twenty|ten|five|[1-5]?\d"
_TIME = re.compile(
    r"\b(?:(?P<h>[01]?\d|2[0-4])[:.](?P<min>[0-5]\d)(?:\s?(?P<half>[ap])\.?m\b\.?|\s(?P<named>noon|midnight)\b)?"
    r"|(?P<h2>1[0-2]|0?\d)(?:\s?(?P<half2>[ap])\.?m\b\.?"
    r"|\s+in\s+the\s+(?P<part>morning|afternoon|evening)\b)"
    r"|(?P<h3>1[3-9]|2[0-3])h(?P<min3>[0-5]\d)?\b"
    r"|(?:12\s)?(?P<word>noon|midnight)\b"
    rf"|(?P<past>half|quarter)\s+(?P<way>past|to)\s+(?P<hour>{_HOURS}|\d{{1,2}})\b"
    # "ten to twelve" may be a range: of figures only "ten past" is a time, "ten to
    # midnight" and "ten minutes to twelve".
    rf"|(?:(?P<some>{_PARTS})\s+(?:past|(?:minutes\s+)?to(?=\s+(?:noon|midnight)))"
    rf"|(?P<some2>{_PARTS})\s+minutes\s+(?:past|to))\s+"
    rf"(?P<hour2>{_HOURS}|\d{{1,2}}|noon|midnight)\b"
    rf"|(?P<sharp>{_HOURS}|\d{{1,2}})\s+o['’]clock\b)",
    re.I,
)
_HALVES = {"morning": "a", "afternoon": "p", "evening": "p"}
_CUE = re.compile(r"(?i)\b(?:from|at|between|until|till|opens?|begins?|starts?)\s$")
_CUED_HEAD = re.compile(
    r"(?i)\b(?:from|at|between)\s\d{1,2}[.]\d\d\s?(?:to|until|–|-)\s?$"
)
_TAIL = re.compile(r"\s?(?:-|–|to|until|and)\s?\d{1,2}(?:[.:]\d\d|\s?[ap]\.?m)", re.I)
_UNTIL = re.compile(
    rf"\s?(?:-|–|—|to|until|till|and)\s?(?P<hour>{_HOURS}|1[0-2]|\d)\b(?![:.]\d|\s?[%°])",
    re.I,
)


@dataclass(frozen=True)
class Day:
    """A day, or as much of it as is said; None = not said."""

    text: str
    start: int
    end: int
    year: int | None
    month: int | None
    day: int | None
    swapped: tuple[int, int] | None = None
    """(day, month) in the other reading of 03/04/2021."""

    def agrees(self, other: Day) -> bool:
        """Whether both may be one day: what both say is the same."""
        mine = [(self.day, self.month)] + ([self.swapped] if self.swapped else [])
        theirs = [(other.day, other.month)] + ([other.swapped] if other.swapped else [])
        years = _agree(self.year, other.year)
        return years and any(
            _agree(a[0], b[0]) and _agree(a[1], b[1]) for a in mine for b in theirs
        )

    def overlaps(self, other: Day) -> bool:
        """Whether both say one of the same parts, so that they can be compared."""
        return any(
            mine is not None and theirs is not None
            for mine, theirs in (
                (self.year, other.year),
                (self.month, other.month),
                (self.day, other.day),
            )
        )


@dataclass(frozen=True)
class Clock:
    """A time of day in minutes after midnight."""

    text: str
    start: int
    end: int
    minutes: int
    is_vague: bool = False
    """Morning or evening is not said."""

    def agrees(self, other: Clock) -> bool:
        """The same time; of the twelve-hour clock when one does not say which half."""
        if self.minutes == other.minutes:
            return True
        return (self.is_vague or other.is_vague) and (
            self.minutes % 720 == other.minutes % 720
        )


def _agree(left: int | None, right: int | None) -> bool:
    return left is None or right is None or left == right


def month_number(name: str) -> int:
    """1-12 of a month's name or abbreviation."""
    return next(n for n, m in enumerate(MONTHS, 1) if m.startswith(name[:3].lower()))


def days(text: str) -> Iterator[Day]:
    """Dates that name at least a month and a day, or a month and a year."""
    for match in _DATE.finditer(text):
        found = _day_of(match)
        if found is not None:
            other = _other_end(text, found)
            yield from sorted(
                (one for one in (found, other) if one), key=lambda one: one.start
            )


def _other_end(text: str, found: Day) -> Day | None:
    """The 5 of "5 to 19 March", and the 19 of "March 5-19"."""
    if found.day is None or found.month is None:
        return None
    if found.text[:1].isdigit():
        end = _FROM_DAY.search(text, max(0, found.start - 12), found.start)
    else:
        end = _TO_DAY.match(text, found.end)
    if end is None or not 1 <= int(end[1]) <= 31:
        return None
    start, stop = end.span(1)
    return Day(text[start:stop], start, stop, found.year, found.month, int(end[1]))


def _day_of(match: re.Match[str]) -> Day | None:
    groups = match.groupdict()
    swapped = None
    if groups["iso"]:
        year, month, day = (int(part) for part in re.split("[-/]", groups["iso"]))
    elif groups["my"]:
        month, year = (int(part) for part in groups["my"].split("/"))
        return Day(match.group(), *match.span(), year, month, None)
    elif groups["dmy"]:
        day, month, year = (int(part) for part in re.split("[./]", groups["dmy"]))
        if month > 12:
            day, month = month, day
        elif day <= 12 and day != month and "/" in groups["dmy"]:
            swapped = (month, day)
    else:
        number = next(n for n in "1234" if groups.get(f"m{n}"))
        month = month_number(groups[f"m{number}"])
        said_day, said_year = groups.get(f"d{number}"), groups.get(f"y{number}")
        if groups["word"]:
            said_day = str(_ORDINAL_DAYS.index(groups["word"].lower()) + 1)
        word = groups[f"m{number}"]
        if word.lower() in ("may", "march", "mar") and word.islower():
            return None
        if said_day is not None and not 1 <= int(said_day) <= 31:
            return None
        return Day(
            match.group(),
            match.start(),
            match.end(),
            int(said_year) if said_year else None,
            month,
            int(said_day) if said_day else None,
        )
    if not (1 <= day <= 31 and 1 <= month <= 12):
        return None
    return Day(match.group(), match.start(), match.end(), year, month, day, swapped)


def clocks(text: str) -> Iterator[Clock]:
    """Times of day: 18:30, 6.30 pm, half past six, noon, and the end of "6:30 to 9".

    A dot needs am or pm, or a time after "to".
    """
    for match in _TIME.finditer(text):
        found = _clock_of(match, text)
        if found is None:
            continue
        yield found
        until = _UNTIL.match(text, found.end)
        if until is not None and _TIME.match(text, until.start("hour")) is None:
            minutes = _hour(until["hour"]) % 24 * 60
            start, end = until.span("hour")
            yield Clock(text[start:end], start, end, minutes, found.is_vague)


def _clock_of(match: re.Match[str], text: str) -> Clock | None:
    span = match.start(), match.end()
    if match["word"]:
        return Clock(
            match.group(), *span, 720 if match["word"].lower() == "noon" else 0
        )
    if match["past"]:
        part = 30 if match["past"].lower() == "half" else 15
        part = part if match["way"].lower() == "past" else -part
        return Clock(
            match.group(), *span, (_hour(match["hour"]) * 60 + part) % 720, True
        )
    part_said = match["some"] or match["some2"]
    if part_said:
        return _beside_the_hour(match, part_said)
    if match["sharp"]:
        return Clock(match.group(), *span, _hour(match["sharp"]) % 24 * 60, True)
    if match["h3"]:
        return Clock(
            match.group(), *span, int(match["h3"]) * 60 + int(match["min3"] or 0)
        )
    half = match["half"] or match["half2"] or _HALVES.get((match["part"] or "").lower())
    if match["named"]:
        half = "p" if match["named"].lower() == "noon" else "a"
    is_dotted = match["h"] is not None and ":" not in match.group()
    before = text[max(0, span[0] - 20) : span[0]]
    cued = _CUE.search(before) and _TAIL.match(text, span[1])
    cued = cued or _CUED_HEAD.search(before)
    if is_dotted and not half and not cued:
        return None
    hours = int(match["h"] or match["h2"])
    minutes = hours % 24 * 60 + int(match["min"] or 0)
    if half and hours <= 12:
        minutes = (hours % 12 + 12 * (half.lower() == "p")) * 60 + int(
            match["min"] or 0
        )
    is_vague = not half and 1 <= hours <= 12 and not match.group().startswith("0")
    return Clock(match.group(), *span, minutes, is_vague)


def _beside_the_hour(match: re.Match[str], part_said: str) -> Clock:
    """ "Ten to midnight", "5 minutes past nine"."""
    low = part_said.lower()
    part = _MINUTES[low] if low in _MINUTES else int(low)
    hour = match["hour2"].lower()
    is_named = hour in ("noon", "midnight")
    whole = (720 if hour == "noon" else 0) if is_named else _hour(hour) * 60
    is_past = re.search(r"(?i)\bpast\b", match.group()) is not None
    minutes = whole + part if is_past else whole - part
    span = match.start(), match.end()
    return Clock(
        match.group(), *span, minutes % (1440 if is_named else 720), not is_named
    )


def _hour(word: str) -> int:
    return int(word) if word.isdigit() else HOURS.index(word.lower()) + 1
