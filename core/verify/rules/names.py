"""Names of a claim: missing everywhere, or another in their place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from claimscope.core.text.quantities.dates import WEEKDAYS
from claimscope.core.verify.rules.comparison import (
    Laid,
    WindowFinding,
    finding_of,
    near_name,
)
from claimscope.core.verify.token_alignment import AlignedText
from claimscope.core.verify.word_forms import Word, rarity

_HEAD = re.compile(r"(?:^(?=.*; )|; )[^:;]+: ")
"""Heads of a row written as a line: "Target: JPEG; Typical size: 310 KB"."""


def missing_names(side: AlignedText, laid: Sequence[Laid]) -> Iterator[WindowFinding]:
    """Names of the claim that no candidate has, nor its neighbours."""
    known = frozenset().union(*(one.window.everything for one in laid))
    for word in side.topic:
        if not word.is_name or _is_weekday(word):
            continue
        if word.stem in known or near_name(word.stem, known):
            continue
        message = f"{word.text} stands in none of the candidate sentences."
        is_code = any(c.isdigit() for c in word.text)
        yield finding_of(
            "name", "missing", word.text, None, message, None, veto=is_code
        )


def other_names(side: AlignedText, laid: Sequence[Laid]) -> Iterator[WindowFinding]:
    """A near copy of the claim with another name in its place."""
    for mine, theirs, one in swaps(side, laid):
        message = f"The claim says {mine}, the page says {theirs}."
        yield finding_of(
            "name", "conflict", mine, theirs, message, one.window, veto=True
        )


def _is_weekday(word: Word) -> bool:
    """Weekdays are compared as dates."""
    return word.text.lower().removesuffix("s") in WEEKDAYS


def swaps(side: AlignedText, laid: Sequence[Laid]) -> Iterator[tuple[str, str, Laid]]:
    """(the claim's name, the sentence's, where) when a near copy has another name.

    Names may differ with one neighbour equal; other rare words, and names that stand
    elsewhere on the page, need both. A subject at the start needs none.
    """
    one = laid[0]
    sentence = one.window.sentence
    lost = [word for word in side.topic if word.stem not in sentence.stems]
    lost = [word for word in lost if not near_name(word.stem, sentence.stems)]
    lost = [word for word in lost if not _is_weekday(word)]
    # People head a column as they like: "Typical size" for "Average size".
    heads = [one.span() for one in _HEAD.finditer(side.text)]
    lost = [w for w in lost if not any(a <= w.start < b for a, b in heads)]
    spare = [word for word in sentence.topic if word.stem not in side.stems]
    for group in _runs(side, lost):
        rest = [word for word in side.topic if word not in group]
        if len(rest) < 2:
            continue
        for other in _runs(sentence, spare):
            least = one.window.alignment(rest, rarity)
            if least < _needed(group, other) or not _fits(one, side, group, other):
                continue
            mine, theirs = _text(side, group), _text(sentence, other)
            if not _is_same_name(mine, theirs):
                yield mine, theirs, one
                return


def _is_same_name(mine: str, theirs: str) -> bool:
    """Another spelling, an abbreviation or the initials of a name."""
    from rapidfuzz import fuzz

    left, right = mine.lower(), theirs.lower()
    has_digits = any(c.isdigit() for c in mine + theirs)
    if not has_digits and fuzz.ratio(left, right) >= 84:
        return True
    short, long = sorted((mine, theirs), key=len)
    is_initials = short.isupper() and len(short) > 1
    if is_initials and len(long.split()) > 1:
        return "".join(word[0] for word in long.split()).upper() in short
    return len(short) <= 3 and short[:1].lower() == long[:1].lower() and not has_digits


def _needed(mine: Sequence[Word], theirs: Sequence[Word]) -> float:
    """Alignment of the rest that is asked for: less where two codes differ."""
    codes = [word.text.rpartition("-")[0] for word in (mine[0], theirs[0])]
    is_code = all(any(c.isdigit() for c in w.text) for w in (mine[0], theirs[0]))
    return 0.55 if is_code and codes[0] == codes[1] else 0.75


def _runs(side: AlignedText, found: Sequence[Word]) -> list[list[Word]]:
    """Neighbouring names together, other words one by one."""
    runs: list[list[Word]] = []
    for word in found:
        last = runs[-1][-1] if runs else None
        joined = last is not None and last.is_name and word.is_name
        if joined and last is not None and word.start - last.end == 1:
            runs[-1].append(word)
        else:
            runs.append([word])
    return runs


def _text(side: AlignedText, run: Sequence[Word]) -> str:
    return side.text[run[0].start : run[-1].end]


def _fits(
    one: Laid, side: AlignedText, mine: Sequence[Word], theirs: Sequence[Word]
) -> bool:
    """Whether they stand in the same place."""
    sentence = one.window.sentence
    names = mine[0].is_name and theirs[0].is_name
    before, after = _neighbours(side, mine)
    left, right = _neighbours(sentence, theirs)
    equal = bool(before and before == left) + bool(after and after == right)
    is_elsewhere = mine[0].stem in one.window.everything
    if names and not is_elsewhere and len(mine) > 1:
        opening = not before and not left
        return equal >= 1 or opening
    if names and not is_elsewhere:
        return equal >= 1
    if not names and any(rarity(w.stem) < 0.9 for w in (mine[0], theirs[0])):
        return names or (equal == 2 and is_elsewhere and _is_rare(mine, theirs))
    return equal == 2


def _is_rare(mine: Sequence[Word], theirs: Sequence[Word]) -> bool:
    return all(rarity(word.stem) > 0.8 for word in (mine[0], theirs[0]))


def _neighbours(side: AlignedText, run: Sequence[Word]) -> tuple[str, str]:
    """Stems of the words before and after."""
    first, last = side.words.index(run[0]), side.words.index(run[-1])
    before = side.words[first - 1].stem if first else ""
    after = side.words[last + 1].stem if last + 1 < len(side.words) else ""
    return before, after
