"""Figures of a sentence that change places: 12 rooms and 30 beds for 30 rooms and 12
beds.

Both figures stand in the evidence, so each alone looks right. Only where the words
beside them tell clearly which figure is whose is a wrong place called one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from claimscope.core.text.quantities.quantity import Quantity
from claimscope.core.verify.rules.comparison import (
    NEAR,
    Laid,
    WindowFinding,
    finding_of,
    is_about,
)
from claimscope.core.verify.rules.quantity_relations import counted_words, says
from claimscope.core.verify.token_alignment import AlignedText

REACH = 0.4
"""Part of the best alignment that a sentence needs for its figures to count."""
ALIKE = 0.5
"""Least part of the longer sentence's content words, figures apart, that two sentences
of one form have in common."""
_JOINT = re.compile(r"[,;](?!\d)|\b(?:and|but|while|whereas|or|versus|against)\b", re.I)
_LISTED = re.compile(r"\brespectively\b|\bin that order\b", re.I)


def crossings(side: AlignedText, laid: Sequence[Laid]) -> Iterator[WindowFinding]:
    """One finding for each figure of the claim that the nearest sentence has of
    something else, unless another sentence as near has it rightly."""
    one = laid[0]
    if not is_about(side, one):
        return
    near = [x for x in laid[1:] if x.alignment >= one.alignment - NEAR]
    for quantity in side.quantities:
        other = other_figure(quantity, side, one.window.sentence)
        if other is None or any(_has(quantity, side, x.window.sentence) for x in near):
            continue
        yield _conflict(quantity, other, one)


def _conflict(mine: Quantity, theirs: Quantity, one: Laid) -> WindowFinding:
    """The claim's figure, and the one that the sentence gives to its subject."""
    message = f"The claim says {mine.text}, the page says {theirs.text} of that."
    return finding_of(
        "number", "conflict", mine.text, theirs.text, message, one.window, veto=True
    )


def exchanged_figures(
    side: AlignedText, laid: Sequence[Laid]
) -> Iterator[WindowFinding]:
    """A finding where the nearest sentence has all words and figures of the claim and
    no others, or two figures of the claim each beside the other's subject: then
    nothing else can be meant."""
    one = laid[0]
    sentence = one.window.sentence
    if _bag(side) == _bag(sentence):
        yield from crossings(side, laid)
        return
    near = [x.window.sentence for x in laid if x.alignment >= one.alignment - NEAR]
    for pair in combinations(side.quantities, 2):
        found = _exchanged_pair(pair, side, sentence)
        if found is None or any(_keeps(pair, side, x) for x in near):
            continue
        mine, theirs = found
        yield _conflict(mine, theirs, one)
        return


def neighbours_figures(
    side: AlignedText, laid: Sequence[Laid]
) -> Iterator[WindowFinding]:
    """A finding for a measured figure that one sentence gives to a named thing which
    the claim does not name, while another gives another figure to the thing that it
    names: a sentence of the same form, or one on the Tarn 2 beside one on the Tarn 4
    where both have all words of the claim."""
    near = [
        one
        for one in laid
        if one.alignment >= laid[0].alignment * REACH
        and "|" not in one.window.sentence.text
    ]
    for quantity in side.quantities:
        if quantity.unit is None or quantity.is_about or quantity.is_range:
            continue
        said = [x for x in near if _says_one(x, quantity)]
        if len(said) != 1:
            continue
        there = said[0].window.sentence
        for one in near:
            sentence = one.window.sentence
            others = [x for x in sentence.quantities if _is_like(x, quantity)]
            bounds = [x for x in others if x.bound == _bound_of(quantity, there)]
            if one is said[0] or len(bounds) != 1:
                continue
            if not (
                _is_of_neighbour(side, sentence, there)
                or _is_of_sibling(side, sentence, there)
            ):
                continue
            other = bounds[0]
            if other.same(quantity):
                continue
            yield _conflict(quantity, other, one)
            break


def _is_of_neighbour(
    side: AlignedText, sentence: AlignedText, there: AlignedText
) -> bool:
    """Of two sentences of one form, the claim names the thing of the first and not
    that of the second."""
    mine = _names(sentence) - _names(there)
    theirs = _names(there) - _names(sentence)
    is_named = bool(mine & side.stems and theirs and not theirs & side.stems)
    return is_named and _likeness(sentence, there) >= ALIKE


def _is_of_sibling(
    side: AlignedText, sentence: AlignedText, there: AlignedText
) -> bool:
    """The claim speaks of the Tarn 2, as the first sentence does; the second speaks of
    the Tarn 4; and both have all other words of the claim."""
    own = {word.stem for word in side.topic if not word.is_name}
    if not own or not own <= sentence.stems & there.stems:
        return False
    claimed, here, other = (_numbered_names(x) for x in (side, sentence, there))
    stems = {stem for stem, _ in claimed & here}
    has_sibling = any(stem in stems for stem, _ in other - here)
    return has_sibling and not claimed & other


def _likeness(left: AlignedText, right: AlignedText) -> float:
    """Part of the longer one's content words, figures apart, that both have."""
    a, b = ({word.stem for word in one.topic} for one in (left, right))
    return len(a & b) / max(len(a), len(b), 1)


def _says_one(one: Laid, quantity: Quantity) -> bool:
    return any(x.same(quantity) for x in one.window.sentence.quantities)


def _bound_of(quantity: Quantity, sentence: AlignedText) -> str | None:
    """How the sentence bounds the claim's figure."""
    return next((x.bound for x in sentence.quantities if x.same(quantity)), None)


def _names(side: AlignedText) -> frozenset[str]:
    return frozenset(word.stem for word in side.topic if word.is_name)


def _numbered_names(side: AlignedText) -> frozenset[tuple[str, float]]:
    """(stem, number) of each name with a number behind it: the Tarn 2."""
    numbers = {
        one.start: one.low
        for one in side.quantities
        if one.kind == "number" and one.unit is None and one.text.isdecimal()
    }
    return frozenset(
        (word.stem, numbers[word.end + 1])
        for word in side.topic
        if word.is_name and word.end + 1 in numbers and side.text[word.end] in " \u00a0"
    )


def _bag(side: AlignedText) -> Counter[str]:
    return Counter(word.stem for word in side.words if not word.is_stop)


def _exchanged_pair(
    pair: tuple[Quantity, Quantity], side: AlignedText, sentence: AlignedText
) -> tuple[Quantity, Quantity] | None:
    """(a figure of the claim, the sentence's figure for its subject) where two figures
    of one kind have changed subjects."""
    first, second = pair
    if not _is_like(first, second) or first.same(second):
        return None
    own = _own(first, second, side)
    if not all(own) or _LISTED.search(side.text + sentence.text):
        return None
    for here, there in _places(pair, sentence):
        theirs = _own(here, there, sentence)
        crossed = own[0] & theirs[1] and own[1] & theirs[0]
        # The second of two parts leaves out the verb of the first.
        is_left_out = here.start < there.start
        is_straight = own[1] & theirs[1] or (own[0] & theirs[0] and not is_left_out)
        if crossed and not is_straight:
            return first, there
    return None


def _keeps(
    pair: tuple[Quantity, Quantity], side: AlignedText, sentence: AlignedText
) -> bool:
    """A sentence that has both figures as the claim has them."""
    own = _own(*pair, side)
    return any(
        own[0] & theirs[0] and own[1] & theirs[1]
        for here, there in _places(pair, sentence)
        for theirs in (_own(here, there, sentence),)
    )


def _places(
    pair: tuple[Quantity, Quantity], sentence: AlignedText
) -> Iterator[tuple[Quantity, Quantity]]:
    """Where a sentence says both figures."""
    first, second = pair
    for here in sentence.quantities:
        for there in sentence.quantities:
            if here != there and here.same(first) and there.same(second):
                yield here, there


def _has(quantity: Quantity, side: AlignedText, sentence: AlignedText) -> bool:
    said = any(says(other, quantity) for other in sentence.quantities)
    return said and other_figure(quantity, side, sentence) is None


def other_figure(
    quantity: Quantity, side: AlignedText, sentence: AlignedText
) -> Quantity | None:
    """The sentence's figure for what the claim's figure is said of, when the sentence
    has the claim's figure for something else; None when that is not clear."""
    if quantity.kind == "year" or _LISTED.search(side.text + sentence.text):
        return None
    mine = [one for one in side.quantities if _is_like(one, quantity)]
    theirs = [one for one in sentence.quantities if _is_like(one, quantity)]
    same = [one for one in theirs if says(one, quantity)]
    others = [one for one in theirs if not says(one, quantity)]
    if not same or not others:
        return None
    return _by_noun(quantity, same, others) or _by_subject(
        quantity, mine, same, others, side, sentence
    )


def _is_like(one: Quantity, other: Quantity) -> bool:
    return one.kind == other.kind and one.comparable(other)


def _by_noun(
    quantity: Quantity, same: Sequence[Quantity], others: Sequence[Quantity]
) -> Quantity | None:
    """What is counted tells: 12 of beds, 30 of rooms."""
    own = counted_words(quantity)
    if not own or not all(counted_words(one) for one in same):
        return None
    if any(own & counted_words(one) for one in same):
        return None
    fitting = [one for one in others if own & counted_words(one)]
    return fitting[0] if len(fitting) == 1 else None


def _by_subject(
    quantity: Quantity,
    mine: Sequence[Quantity],
    same: Sequence[Quantity],
    others: Sequence[Quantity],
    side: AlignedText,
    sentence: AlignedText,
) -> Quantity | None:
    """Two figures, each with a subject of its own, and each with the other's."""
    if len(mine) != 2 or len(same) != 1 or len(others) != 1:
        return None
    first = quantity
    second = mine[1] if mine[0] == quantity else mine[0]
    here, there = same[0], others[0]
    if not says(there, second):
        return None
    a, b = _own(first, second, side)
    c, d = _own(here, there, sentence)
    is_crossed = a & d and b & c and not a & c and not b & d
    return there if is_crossed else None


def _own(
    one: Quantity, other: Quantity, side: AlignedText
) -> tuple[frozenset[str], frozenset[str]]:
    """Words before each figure, in its part of the sentence, that the other lacks."""
    left, right = _before(one, side), _before(other, side)
    return left - right, right - left


def _before(quantity: Quantity, side: AlignedText) -> frozenset[str]:
    start = max(
        (m.end() for m in _JOINT.finditer(side.text) if m.end() <= quantity.start),
        default=0,
    )
    return frozenset(
        word.stem for word in side.topic if start <= word.start < quantity.start
    )
