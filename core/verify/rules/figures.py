"""The numbers of a claim: which stand in the evidence, which stand against it.

A number elsewhere is no conflict unless it stands in the same place of a sentence on
the same thing: of one kind and size, with the same words beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from claimscope.core.text.quantities.numbers import identifiers
from claimscope.core.text.quantities.qualifiers import role_of_date
from claimscope.core.text.quantities.quantity import Quantity
from claimscope.core.verify.rules.arithmetic import derivation_of, is_sum
from claimscope.core.verify.rules.comparison import (
    AGREED,
    NEAR,
    Laid,
    WindowFinding,
    finding_of,
    is_about,
    same_subject,
    share_words_beside,
)
from claimscope.core.verify.rules.quantity_relations import (
    counted_words,
    equal,
    excludes,
    is_small,
    says,
)
from claimscope.core.verify.token_alignment import AlignedText, AlignedWindow

REACH = 0.4
"""Part of the best alignment that a window needs for its figures to count."""
SAME_PAGE = 0.4
"""How much less aligned a sentence of the same page may be that undoes a conflict."""
_LIST_MARK = re.compile(r"\d+[.)](?=\s|$)")
_FIGURE = re.compile(r"\d[\d,]*(?:\.\d+)?")
_PAST = re.compile(r"(?i)\b(?:was|were|had|did|\w+ed)\b")
_ONCE = re.compile(
    r"(?i)\W*(?:in|by|until)\s+(?:the year\s+)?\d{4}\b.*\b(?:was|were|had|\w+ed)\b"
)
"""What was so in a year denies nothing of what is so."""
_SPACED = re.compile(r"(?<=\d)\s?([,.])\s(?=\d)")
Rival = tuple[Quantity, Laid, bool]
"""(the other quantity, where, is it the unit that differs)"""


def quantities_to_check(side: AlignedText) -> Iterator[Quantity]:
    """Quantities to check: "one" and "first" alone are seldom figures."""
    for quantity in side.quantities:
        if is_small(quantity):
            continue
        if quantity.kind == "ordinal" and quantity.is_word and quantity.high <= 1:
            continue
        if _LIST_MARK.match(side.text, quantity.start) and not quantity.start:
            continue
        yield quantity


def numbers(
    side: AlignedText, laid: Sequence[Laid], given: Sequence[Quantity]
) -> Iterator[WindowFinding]:
    """A finding for each quantity that the claim states."""
    for quantity in quantities_to_check(side):
        yield number(quantity, side, laid, given)


def number(
    quantity: Quantity,
    side: AlignedText,
    laid: Sequence[Laid],
    given: Sequence[Quantity],
) -> WindowFinding:
    """The finding of one quantity of the claim; `given` are those of the question."""
    against = rival(quantity, side, laid)
    least = REACH * laid[0].alignment
    near = [one for one in laid if one.alignment >= least]
    match = next((x for x in near if stands(quantity, side, x.window)), None)
    if against is not None:
        match = next((x for x in laid if _undoes(x, against[1], quantity, side)), None)
    text = quantity.text
    if match is not None:
        message = f"{text} stands in the evidence."
        return finding_of("number", "match", text, None, message, match.window)
    is_unit = against is not None and against[2]
    follows = None if is_unit else derivation_of(quantity, side, laid, given)
    if follows:
        message = f"{text} follows from the evidence: {follows}."
        return finding_of("number", "match", text, follows, message, None)
    if any(quantity.same(other) for other in given):
        message = f"{text} stands in the question."
        return finding_of("number", "match", text, None, message, None)
    # A sum may need more steps than are tried: no conflict then.
    if against is not None and not is_sum(side):
        other, one, _ = against
        message = f"The claim says {text}, the page says {other.text}."
        rule = "unit" if is_unit else "number"
        return finding_of(
            rule, "conflict", text, other.text, message, one.window, veto=True
        )
    is_figure = not _may_be_counted(quantity)
    elsewhere = next((x.window for x in laid if _is_there(quantity, x.window)), None)
    message = f"{text} stands in none of the candidate sentences."
    if elsewhere is not None:
        message = f"{text} stands in none of the sentences that fit."
    return finding_of(
        "number", "missing", text, None, message, elsewhere, veto=is_figure
    )


def _is_there(quantity: Quantity, window: AlignedWindow) -> bool:
    """The figure itself stands in a sentence, whatever it is said of."""
    return any(equal(quantity, other) for other in window.sentence.quantities)


def _undoes(one: Laid, other: Laid, quantity: Quantity, side: AlignedText) -> bool:
    """A window with the claim's figure undoes a conflict in another: on the same page,
    or as near to the claim and about the same names."""
    if other.alignment >= AGREED:
        said = stands_in(quantity, side, one.window.sentence)
        is_same_page = one.window.evidence.page_id == other.window.evidence.page_id
        reach = SAME_PAGE if is_same_page else NEAR
        return said and one.alignment >= other.alignment - reach
    if not stands(quantity, side, one.window):
        return False
    if one.window.evidence.page_id == other.window.evidence.page_id:
        return one.alignment >= other.alignment / 2
    return one.alignment >= other.alignment - NEAR and same_subject(side, one)


def _may_be_counted(quantity: Quantity) -> bool:
    """Small numbers of things, which a reader may have counted ("two players")."""
    if quantity.kind == "ordinal":
        return True
    if quantity.is_multiple:
        return False
    is_count = quantity.unit is None or quantity.dimension.startswith("count")
    return is_count and quantity.kind == "number" and quantity.high <= 4


def stands(quantity: Quantity, side: AlignedText, window: AlignedWindow) -> bool:
    """Whether a quantity of the claim stands in a window, its neighbours included."""
    return any(
        stands_in(quantity, side, text) for text in (window.sentence, window.context)
    )


def stands_in(quantity: Quantity, side: AlignedText, text: AlignedText) -> bool:
    """Whether a text says a quantity: equal, rounded, or kept by a range or bound."""
    if any(
        says(other, quantity, is_placed=_is_placed(quantity, other, side, text))
        for other in text.quantities
    ):
        return True
    return _range_apart(quantity, text) or _as_text(quantity, text)


def _is_placed(
    mine: Quantity, other: Quantity, side: AlignedText, text: AlignedText
) -> bool:
    """The same things counted, or the same words beside a measure."""
    if counted_words(mine) & counted_words(other):
        return True
    if mine.unit is None and mine.kind != "fraction":
        return False
    return share_words_beside(side, mine, text, other)


def _range_apart(quantity: Quantity, side: AlignedText) -> bool:
    """Both ends of a range stand in one text: "500 mg to 1 g" for 0.5 to 1 g."""
    if not quantity.is_range:
        return False
    ends = [
        replace(quantity, low=end, high=end) for end in (quantity.low, quantity.high)
    ]
    return all(any(equal(end, other) for other in side.quantities) for end in ends)


def _as_text(quantity: Quantity, side: AlignedText) -> bool:
    """A year within a date, a figure within an identifier."""
    if quantity.kind == "year":
        return any(says(year, quantity) for year in years_of_days(side))
    if quantity.is_word or quantity.is_range:
        return False
    figure = _FIGURE.search(quantity.text)
    if figure is None:
        return False
    if any(figure[0] in name for name, _, _ in identifiers(side.text)):
        return True
    # Tokenized text has "3, 800" and "7. 8".
    plain, count = _SPACED.subn(r"\1", side.text)
    if not count:
        return False
    plain = plain.replace(",", "")
    digits = re.escape(figure[0].replace(",", ""))
    return bool(re.search(rf"(?<![\d.]){digits}(?![\d]|\.\d)", plain))


def years_of_days(side: AlignedText) -> list[Quantity]:
    """The years of a text's dates, as figures."""
    return [
        Quantity(
            day.text,
            day.start,
            day.end,
            day.year,
            day.year,
            kind="year",
            role=role_of_date(side.text[: day.start]),
        )
        for day in side.days
        if day.year is not None
    ]


def rival(quantity: Quantity, side: AlignedText, laid: Sequence[Laid]) -> Rival | None:
    """A quantity that stands where the claim's should, in the best aligned window
    that speaks of the same thing."""
    best = laid[0].alignment
    for one in laid:
        if one.alignment < best - 0.25 or not is_about(side, one):
            continue
        sentence = one.window.sentence
        if stands_in(quantity, side, sentence):
            continue
        for other in (*sentence.quantities, *years_of_days(sentence)):
            if _is_known(other, side):
                continue
            # "At least one year" is not said in the place of "at least 19".
            if quantity.unit is None and other.is_word and other.high <= 1:
                continue
            if _rivals(quantity, other, side, sentence):
                return other, one, False
            if _differs_in_unit(quantity, other):
                return other, one, True
    return None


def is_of_another(side: AlignedText, sentence: AlignedText) -> bool:
    """Whether the sentence tells of another year or another of a row ("the second
    edition") with another figure: what it says of that one denies nothing of this."""
    figures = [one for one in side.quantities if one.kind in ("number", "fraction")]
    apart = [
        one
        for one in figures
        if not stands_in(one, side, sentence)
        and any(_rivals(one, other, side, sentence) for other in sentence.quantities)
    ]
    if not apart:
        return False
    if side.years and sentence.years and not {*side.years} & {*sentence.years}:
        return True
    if not side.years and not _PAST.search(side.text) and _ONCE.match(sentence.text):
        return True
    mine, theirs = ordinals_by_noun(side), ordinals_by_noun(sentence)
    return any(
        noun in theirs and not places & theirs[noun] for noun, places in mine.items()
    )


def ordinals_by_noun(side: AlignedText) -> dict[str, set[float]]:
    """By stem of what follows an ordinal: which of them are named."""
    found: dict[str, set[float]] = {}
    for one in side.quantities:
        if one.kind == "ordinal":
            for noun in counted_words(one):
                found.setdefault(noun, set()).add(one.low)
    return found


def _differs_in_unit(mine: Quantity, other: Quantity) -> bool:
    """The same figure with another unit."""
    is_equal = (mine.low, mine.high) == (other.low, other.high)
    if not is_equal or mine.unit is None or other.unit is None:
        return False
    return mine.bound == other.bound and not mine.same(other)


def _is_known(other: Quantity, side: AlignedText) -> bool:
    """Whether the claim says this quantity too: then it answers to that one."""
    return any(says(other, mine, is_placed=True) for mine in side.quantities)


def _rivals(
    mine: Quantity, other: Quantity, side: AlignedText, sentence: AlignedText
) -> bool:
    """They exclude each other, in the same place: words beside them agree."""
    if not excludes(other, mine):
        return False
    if (
        mine.unit is None
        and mine.kind == "number"
        and counted_words(mine) & counted_words(other)
    ):
        return True
    return share_words_beside(side, mine, sentence, other)
