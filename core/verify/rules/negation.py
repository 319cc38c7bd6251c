"""Does a sentence say the opposite of a claim? By negation or by an opposite word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from claimscope.core.verify.rules.comparison import (
    Laid,
    WindowFinding,
    finding_of,
    same_subject,
)
from claimscope.core.verify.token_alignment import AlignedText
from claimscope.core.verify.word_forms import Word, directions, opposites, stem

ABOUT = 0.6
"""Least alignment of a sentence that may deny the claim."""
NEAR_COPY = 0.7
"""Alignment from which opposite words speak of one thing."""
SAME_BUT_NOT = 0.85
"""Alignment from which a negation on the claim's side alone turns it."""
_PLAIN = frozenset(("not", "never", "cannot", "don't", "doesn't", "isn't", "aren't"))
_LIMIT = re.compile(r"(?i)\b(?:only|but|while|whereas|than)\b")
_CONTRAST = re.compile(r"(?i)(?:,\s+(?:(?:and|but)\s+)?|\bbut\s+)not\b(?! only\b)")
"""What is so is said first; what is not so the page need not say ("17, not 18")."""
_RELATIONS = frozenset(
    stem(word)
    for word in (
        "before after north south east west above below left right upper lower earlier"
        " later older younger higher more less fewer longer shorter larger smaller"
        " husband wife father mother son daughter buy sell better worse faster slower"
    ).split()
)
"""Words that relate two things: with these exchanged, the opposite says the same."""
_EXCEPTION = re.compile(
    r"(?i)\b(?:except|apart from|unless|other than|rather than|instead"
    r"|nearest|closest|not true|false|myth|no evidence|untrue|until)\b"
)


def denials(side: AlignedText, laid: Sequence[Laid]) -> Iterator[WindowFinding]:
    """The nearest sentence denies the claim, or says the opposite."""
    one = laid[0]
    if one.alignment < ABOUT or not same_subject(side, one):
        return
    pair = opposite_words(side, one.window.sentence, one.alignment)
    if pair is not None:
        mine, theirs = pair
        message = f"The claim says “{mine}”, the page says “{theirs}”."
        is_open = _are_bounds_turned(side, one.window.sentence) or (
            mine.lower().startswith("not ") and _CONTRAST.search(side.text)
        )
        outcome = "missing" if is_open else "conflict"
        yield finding_of(
            "negation", outcome, mine, theirs, message, one.window, veto=True
        )


def _are_bounds_turned(side: AlignedText, sentence: AlignedText) -> bool:
    """ "Not for children under 12", "for children over 12": two ways to say one."""
    return any(
        mine.bound
        and other.bound
        and mine.bound != other.bound
        and mine.low == other.low
        for mine in side.quantities
        for other in sentence.quantities
    )


def opposite_words(
    claim: AlignedText, sentence: AlignedText, alignment: float = 1.0
) -> tuple[str, str] | None:
    """(words of the claim, words of the sentence) that exclude each other; None when
    nothing does.

    Only one of them may negate at all: two negations can say one thing in many ways.
    A word that both say counts when just one negates it; a word that only the claim
    says counts when the sentence says its opposite. `alignment` is how much of the
    claim the sentence has.
    """
    mine = [word for word in claim.words if word.is_negator]
    theirs = [word for word in sentence.words if word.is_negator]
    if _EXCEPTION.search(claim.text) or _EXCEPTION.search(sentence.text):
        return None
    if bool(mine) != bool(theirs):
        found = _negated(claim, sentence)
        is_plain = mine and mine[0].text.lower() in _PLAIN
        is_plain = is_plain and not _CONTRAST.search(claim.text)
        is_same = alignment >= SAME_BUT_NOT and _shared(claim, sentence) >= 3
        if found is None and is_plain and is_same:
            found = claim.text[mine[0].start :], sentence.text
        return found
    is_limited = _LIMIT.search(claim.text) or _LIMIT.search(sentence.text)
    if not mine and alignment >= NEAR_COPY and not is_limited:
        return _opposite(claim, sentence)
    return None


def _is_plain(claim: AlignedText, sentence: AlignedText, word: Word) -> bool:
    """The negator denies ("not", "no", "never"), it is no "without" or "hardly"."""
    for side in (claim, sentence):
        for other in side.content:
            if other.stem == word.stem and other.negated:
                place = side.words.index(other)
                last = next(w for w in reversed(side.words[:place]) if w.is_negator)
                low = last.text.lower()
                return low in ("not", "no", "never", "cannot") or low.endswith("t")
    return False


def _shared(claim: AlignedText, sentence: AlignedText) -> int:
    return len({word.stem for word in claim.content} & sentence.stems)


def _negated(claim: AlignedText, sentence: AlignedText) -> tuple[str, str] | None:
    known = {word.stem: word for word in sentence.content}
    for word in claim.content:
        other = known.get(word.stem)
        if other is not None and word.negated != other.negated:
            if _is_clear(claim, sentence, word) and _is_plain(claim, sentence, word):
                return _phrase(claim, word), _phrase(sentence, other)
    return None


def _opposite(claim: AlignedText, sentence: AlignedText) -> tuple[str, str] | None:
    known = {word.stem: word for word in sentence.content}
    for word in claim.content:
        if word.stem in known:
            continue
        for opposite in _opposites_of(word.stem):
            found = known.get(opposite)
            if found is None or opposite in claim.stems:
                continue
            if _goes_along(word.stem, known) or _is_turned(
                claim, word, sentence, found
            ):
                continue
            return word.text, found.text
    return None


def _goes_along(stem: str, known: Mapping[str, Word]) -> bool:
    """A word of the same direction is there: "imports grew" and "exports fell, imports
    rose"."""
    return any(stem in group and group & known.keys() for group in directions())


def _is_turned(
    claim: AlignedText, word: Word, sentence: AlignedText, other: Word
) -> bool:
    """ "A before B" and "B after A": the two sides of a relation have changed places,
    which makes it the same, or not clear."""
    if word.stem not in _RELATIONS:
        return False
    before, after = _sides(claim, word)
    left, right = _sides(sentence, other)
    if before & right and after & left:
        return True
    crossing = len(before & right) + len(after & left)
    return crossing > 0 and crossing >= len(before & left) + len(after & right)


def _sides(side: AlignedText, word: Word) -> tuple[set[str], set[str]]:
    """Content words before and after one."""
    before = {w.stem for w in side.content if w.end <= word.start}
    return before, {w.stem for w in side.content if w.start >= word.end}


def _is_clear(claim: AlignedText, sentence: AlignedText, word: Word) -> bool:
    """The negated word is the first one under its negator, and it stands once."""
    for side in (claim, sentence):
        same = [other for other in side.content if other.stem == word.stem]
        if len(same) != 1:
            return False
        if same[0].negated and not _is_first(side, same[0]):
            return False
    return True


def _is_first(side: AlignedText, word: Word) -> bool:
    place = side.words.index(word)
    for before in reversed(side.words[:place]):
        if before.is_negator:
            return True
        if not before.is_stop:
            return False
    return False


def _phrase(side: AlignedText, word: Word) -> str:
    """The word with its negator."""
    if not word.negated:
        return word.text
    place = side.words.index(word)
    start = next(
        (w.start for w in reversed(side.words[:place]) if w.is_negator), word.start
    )
    return side.text[start : word.end]


def _opposites_of(stem: str) -> list[str]:
    found = list(opposites().get(stem, ()))
    for prefix in ("un", "non"):
        if stem.startswith(prefix) and len(stem) - len(prefix) >= 4:
            found.append(stem.removeprefix(prefix))
        if len(stem) >= 4:
            found.append(prefix + stem)
    return found
