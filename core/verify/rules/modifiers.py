"""What the words agree on and the manner does not: how often, which measure, denied.

"Once a week" and "once daily for a week" share all words, and so do a mean depth and a
maximum depth. Such a sentence does not prove the claim; it forbids "supported" and
contradicts nothing.
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
from claimscope.core.verify.rules.figures import ordinals_by_noun
from claimscope.core.verify.rules.quantity_relations import says
from claimscope.core.verify.token_alignment import AlignedText

ALIKE = 0.5
"""Alignment from which a sentence may be what a claim rests on."""
BEFORE = 40
"""Letters before a figure in which its measure is named."""
_OFTEN = re.compile(
    r"(?i)\b(?P<count>once|twice|thrice|\w+ times)\s+(?:(?:a|an|per|each|every)\s+)?"
    r"(?P<span>hour|hourly|day|daily|week|weekly|month|monthly|year|yearly|annually)\b"
)
_SPANS = {"daily": "day", "annually": "year"}
_COUNTS = {"two times": "twice", "2 times": "twice", "three times": "thrice"}
_COUNTS |= {"3 times": "thrice", "one time": "once"}
_MEASURE = re.compile(
    r"(?i)\b(?:(?P<mean>mean|averag\w+)|(?P<median>median)|(?P<most>maximum|max|top|peak)"
    r"|(?P<least>minimum|min))\b"
)
_JOINT = re.compile(r"[;,](?!\d)|\b(?:and|but|while|whereas|or)\b", re.I)
_EITHER = re.compile(r"(?i)\bwith or without\s+(?:(?:an?|the|any)\s+)?(?P<what>[a-z]+)")
_PARTS = re.compile(r";\s|,\s+but\s|\sbut\s|\swhereas\s|\swhile\s")
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


def frequencies(side: AlignedText, laid: Sequence[Laid]) -> Iterator[WindowFinding]:
    """Another number of times, or in another span."""
    return _unlike(_often, side, laid)


def measures(side: AlignedText, laid: Sequence[Laid]) -> Iterator[WindowFinding]:
    """The mean for the median, the most for the least."""
    return _unlike(_measure, side, laid)


def orders(side: AlignedText, laid: Sequence[Laid]) -> Iterator[WindowFinding]:
    """A comparison turned round."""
    return _unlike(_order, side, laid)


def alternatives(side: AlignedText, laid: Sequence[Laid]) -> Iterator[WindowFinding]:
    """ "With or without" taken for one of both."""
    return _unlike(_either, side, laid)


def denied_parts(side: AlignedText, laid: Sequence[Laid]) -> Iterator[WindowFinding]:
    """A part of the sentence that it denies."""
    return _unlike(_denied_part, side, laid)


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


def _often(side: AlignedText, sentence: AlignedText) -> str | None:
    """Another number of times, or in another span."""
    mine, theirs = _rates(side.text), _rates(sentence.text)
    if not mine or not theirs or mine.keys() & theirs.keys():
        return None
    return next(iter(theirs.values()))


def _rates(text: str) -> dict[tuple[str, str], str]:
    found = {}
    for match in _OFTEN.finditer(text):
        count, span = match["count"].lower(), match["span"].lower()
        span = _SPANS.get(span) or span.removesuffix("ly")
        found[_COUNTS.get(count, count), span] = match.group()
    return found


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


def _order(side: AlignedText, sentence: AlignedText) -> str | None:
    """Another of a row: the second edition for the first."""
    mine, theirs = ordinals_by_noun(side), ordinals_by_noun(sentence)
    for noun, places in mine.items():
        if noun in theirs and not places & theirs[noun]:
            return next(
                f"{one.text} {one.noun}".strip()
                for one in sentence.quantities
                if one.kind == "ordinal" and one.low in theirs[noun]
            )
    return None


def _either(side: AlignedText, sentence: AlignedText) -> str | None:
    """With or without it, where the claim says one of both."""
    for match in _EITHER.finditer(sentence.text):
        what = rf"(?i)\bwith(?:out)?\s+(?:(?:an?|the|any)\s+)?{match['what']}\b"
        if re.search(what, side.text) and not _EITHER.search(side.text):
            return match.group()
    return None


def _denied_part(side: AlignedText, sentence: AlignedText) -> str | None:
    """A part of the sentence that denies it in the claim's own words: "it does not
    support X" beside "supports Y"."""
    if any(word.is_negator for word in side.words):
        return None
    parts = _PARTS.split(sentence.text)
    for part in parts if len(parts) > 1 else ():
        denied = [word for word in AlignedText(part).content if word.negated]
        if len(denied) >= 2 and all(word.stem in side.stems for word in denied):
            return part.strip(" .")
    return None


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
