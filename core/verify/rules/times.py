"""Dates, times of day and weekdays of a claim against those of the evidence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from claimscope.core.text.quantities.dates import MONTHS, WEEKDAYS, Clock, Day
from claimscope.core.text.quantities.qualifiers import role_of_date
from claimscope.core.verify.rules.comparison import (
    ALIGNED,
    NEAR,
    Laid,
    WindowFinding,
    beside,
    finding_of,
    is_about,
    near_name,
)
from claimscope.core.verify.rules.quantity_relations import TURNED
from claimscope.core.verify.token_alignment import AlignedText, AlignedWindow

_BEYOND = re.compile(r"(?i)\b(?P<word>before|after|by)\s+$")


def dates(side: AlignedText, laid: Sequence[Laid]) -> Iterator[WindowFinding]:
    """One finding for each date and each time of day of the claim."""
    for day in side.days:
        match = next((one for one in laid if _has_day(one.window, day, side)), None)
        other_day = next(
            (
                (other.text, one)
                for one in laid
                if is_about(side, one)
                for other in one.window.sentence.days
                if _excludes(other, day, one.window.sentence, side)
            ),
            None,
        )
        yield _moment(day.text, match, other_day)
    for clock in side.clocks:
        match = next((one for one in laid if _has_clock(one.window, clock)), None)
        yield _moment(clock.text, match, _other_clock(clock, side, laid))


def _excludes(other: Day, day: Day, sentence: AlignedText, side: AlignedText) -> bool:
    """Another day, or the same with "until" for "since"."""
    if day.overlaps(other) and not day.agrees(other):
        return not any(other.agrees(mine) for mine in side.days)
    roles = (
        role_of_date(side.text[: day.start]),
        role_of_date(sentence.text[: other.start]),
    )
    return day.agrees(other) and set(roles) in TURNED


def _has_day(window: AlignedWindow, day: Day, side: AlignedText) -> bool:
    return any(
        any(_says(other, day, text, side) for other in text.days)
        or _in_parts(day, text)
        for text in (window.sentence, window.context)
    )


def _says(other: Day, day: Day, text: AlignedText, side: AlignedText) -> bool:
    """The same day and month; the year may be said elsewhere on the page."""
    is_vague = (day.day is not None and other.day is None) or (
        day.month is not None and other.month is None
    )
    if is_vague or not (day.agrees(other) and day.overlaps(other)):
        return False
    mine, theirs = (
        role_of_date(side.text[: day.start]),
        role_of_date(text.text[: other.start]),
    )
    return not (mine and theirs and mine != theirs)


def _in_parts(day: Day, text: AlignedText) -> bool:
    """Month and year apart, as in a table."""
    if day.day is not None or day.month is None:
        return False
    month = MONTHS[day.month - 1]
    named = any(w.text.lower() in (month, month[:3]) for w in text.words)
    return named and any(q.low == day.year for q in text.quantities)


def _has_clock(window: AlignedWindow, clock: Clock) -> bool:
    return any(
        clock.agrees(other)
        for text in (window.sentence, window.context)
        for other in text.clocks
    )


def _other_clock(
    clock: Clock, side: AlignedText, laid: Sequence[Laid]
) -> tuple[str, Laid] | None:
    """Another time with the same words beside it."""
    mine = beside(side, clock.start, clock.end)
    side_of = _BEYOND.search(side.text[: clock.start])
    for one in laid:
        if not is_about(side, one):
            continue
        sentence = one.window.sentence
        for other in sentence.clocks:
            is_said = any(other.agrees(known) for known in side.clocks)
            if side_of is not None and not _is_past(clock, other, side_of["word"]):
                continue
            if not is_said and mine & beside(sentence, other.start, other.end):
                return other.text, one
    return None


def _is_past(clock: Clock, other: Clock, word: str) -> bool:
    """Whether the page's time lies on the wrong side of "before noon"; None known of
    times that do not say morning or evening."""
    if clock.is_vague or other.is_vague:
        return False
    if word.lower() == "after":
        return other.minutes < clock.minutes
    return other.minutes > clock.minutes


def _moment(
    text: str, match: Laid | None, rival: tuple[str, Laid] | None
) -> WindowFinding:
    """The finding of a date or time."""
    if match is not None and (
        rival is None or match.alignment >= rival[1].alignment - NEAR
    ):
        message = f"{text} stands in the evidence."
        return finding_of("date", "match", text, None, message, match.window)
    if rival is not None:
        other = rival[0]
        message = f"The claim says {text}, the page says {other}."
        return finding_of(
            "date", "conflict", text, other, message, rival[1].window, veto=True
        )
    message = f"{text} stands in none of the candidate sentences."
    return finding_of("date", "missing", text, None, message, None, veto=True)


def weekdays(side: AlignedText, laid: Sequence[Laid]) -> Iterator[WindowFinding]:
    mine = _days_named(side)
    for one in laid:
        theirs = _days_named(one.window.sentence)
        if not mine or one.alignment < ALIGNED or not theirs:
            continue
        if not same_subject_but_days(side, one):
            continue
        if not set(mine) <= set(theirs):
            wrong = next(day for day in mine if day not in theirs)
            right = " and ".join(theirs.values())
            message = f"The claim says {mine[wrong]}, the page says {right}."
            yield finding_of(
                "date", "conflict", mine[wrong], right, message, one.window, veto=True
            )
        return


def _days_named(side: AlignedText) -> dict[str, str]:
    found = {}
    for word in side.words:
        low = word.text.lower().removesuffix("s")
        if low in WEEKDAYS:
            found[low] = word.text
    return found


def same_subject_but_days(side: AlignedText, one: Laid) -> bool:
    everything = one.window.everything
    return all(
        word.stem in everything or near_name(word.stem, everything)
        for word in side.topic
        if word.is_name and word.text.lower().removesuffix("s") not in WEEKDAYS
    )
