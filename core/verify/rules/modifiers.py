"""What the words agree on and the manner does not: which measure, denied.

A mean depth and a maximum depth of one lake share all words but one. Such a sentence
does not prove the claim; it forbids "supported" and contradicts nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from claimscope.core.verify.rules.comparison import (
    NEAR,
    Laid,
    WindowFinding,
    forbidding,
)
from claimscope.core.verify.rules.quantity_relations import says
from claimscope.core.verify.token_alignment import AlignedText

ALIKE = 0.5
"""Alignment from which a sentence may be what a claim rests on."""
BEFORE = 40
"""Letters before a figure in which its measure is named."""
_MEASURE = re.compile(
    r"(?i)\b(?:(?P<mean>mean|averag\w+)|(?P<median>median)|(?P<most>maximum|max|top|peak)"
    r"|(?P<least>minimum|min))\b"
)
_JOINT = re.compile(r"[;,](?!\d)|\b(?:and|but|while|whereas|or)\b", re.I)
_NOBODY = re.compile(
    r"(?i)^\s*(?:nobody|no one|no-one|nothing|none|neither)\b"
    r"|\b(?:has|have|had|is|are|was|were) no\b(?! (?:more|less|fewer|longer)\b)"
)
_FORBIDDEN = re.compile(
    r"(?i)\b(?:(?:must|may|should|can) not|cannot|not (?:allowed|permitted|safe))\b"
)
_PERMITTED = re.compile(
    r"(?i)\b(?:safe(?:ly)?|can|may|allowed|permitted|suitable|free to)\b"
)
_DENIES = re.compile(
    r"(?i)\b(?:all|every\w*|each|only|except|unless|until|avoid\w*|refus\w+|reject\w+"
    r"|closed|prohibit\w*|forbid\w*|ban(?:s|ned)?|exempt|free|zero|rather than"
    r"|un(?:able|safe|suitable)|dangerous|harm\w*|illegal|too)\b"
)


def measures(side: AlignedText, laid: Sequence[Laid]) -> Iterator[WindowFinding]:
    """The mean for the median, the most for the least."""
    return _unlike(_measure, side, laid)


def one_sided_denials(
    side: AlignedText, laid: Sequence[Laid]
) -> Iterator[WindowFinding]:
    """Nobody, nothing, must not: on one side and not on the other."""
    return _unlike(_without_denial, side, laid)


def _unlike(
    reason: Callable[[AlignedText, AlignedText], str | None],
    side: AlignedText,
    laid: Sequence[Laid],
) -> Iterator[WindowFinding]:
    """What forbids support in the nearest sentences, all of them; nothing when one of
    them says it as the claim does."""
    one = laid[0]
    if one.alignment < ALIKE:
        return iter(())
    near = [x for x in laid if x.alignment >= one.alignment - NEAR]
    return forbidding(
        reason,
        side,
        near,
        lambda words: f"The page says “{words}”, which the claim does not.",
    )


def _measure(side: AlignedText, sentence: AlignedText) -> str | None:
    """The figure stands there as another measure: a maximum for a mean."""
    for quantity in side.quantities:
        mine = _measures(side.text, quantity.start)
        if not mine:
            continue
        places = [one.start for one in sentence.quantities if says(one, quantity)]
        theirs = [_measures(sentence.text, start) for start in places]
        if (
            theirs
            and all(theirs)
            and not any(mine.keys() & one.keys() for one in theirs)
        ):
            return next(iter(theirs[0].values()))
    return None


def _measures(text: str, start: int) -> dict[str, str]:
    """What a figure is a measure of, by the words of its part before it."""
    part = _JOINT.split(text[max(0, start - BEFORE) : start])[-1]
    return {m.lastgroup: m.group() for m in _MEASURE.finditer(part) if m.lastgroup}


def _without_denial(side: AlignedText, sentence: AlignedText) -> str | None:
    """Nobody, or must not, where the sentence denies nothing."""
    if any(word.is_negator for word in sentence.words):
        return None
    if _DENIES.search(sentence.text):
        return None
    is_nobody = _NOBODY.search(side.text) is not None
    permitted = _PERMITTED.search(sentence.text)
    if is_nobody or (_FORBIDDEN.search(side.text) and permitted):
        return sentence.text.strip()
    return None
