"""Dates, times of day and weekdays of a claim against those of the evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from claimscope.core.text.dates import WEEKDAYS
from claimscope.core.verification.comparison import (
    ALIGNED,
    NEAR,
    Finding,
    Laid,
    beside,
    finding_of,
    is_about,
    near_name,
)
from claimscope.core.verification.windows import Side


def dates(side: Side, laid: Sequence[Laid]) -> Iterator[Finding]:
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
                if is_about(side, one)
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
                if is_about(side, one)
                for other in one.window.sentence.clocks
                if not any(other.agrees(mine) for mine in side.clocks)
                if beside(side, clock.start, clock.end)
                & beside(one.window.sentence, other.start, other.end)
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
        return finding_of("date", "match", text, None, message, match.window)
    if rival is not None:
        other = str(getattr(rival[0], "text", ""))
        message = f"The claim says {text}, the page says {other}."
        return finding_of(
            "date", "conflict", text, other, message, rival[1].window, veto=True
        )
    message = f"{text} stands in none of the candidate sentences."
    return finding_of("date", "missing", text, None, message, None, veto=True)


def weekdays(side: Side, laid: Sequence[Laid]) -> Iterator[Finding]:
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


def _days_named(side: Side) -> dict[str, str]:
    found = {}
    for word in side.words:
        low = word.text.lower().removesuffix("s")
        if low in WEEKDAYS:
            found[low] = word.text
    return found


def same_subject_but_days(side: Side, one: Laid) -> bool:
    everything = one.window.everything
    return all(
        word.stem in everything or near_name(word.stem, everything)
        for word in side.topic
        if word.is_name and word.text.lower().removesuffix("s") not in WEEKDAYS
    )
