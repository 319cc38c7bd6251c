"""How far a sentence says a thing: of all or some, if, perhaps, or as somebody claims.

"If the wind is strong, the ferry is cancelled" has all the words of "the ferry is
cancelled" and does not say it. Such a sentence forbids "supported" and contradicts
nothing; only "none" against "all" of the same things does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from claimscope.core.text.quantities.number_words import ALL_WORDS, number_word
from claimscope.core.verify.rules.comparison import (
    NEAR,
    Laid,
    WindowFinding,
    finding_of,
    forbidding,
)
from claimscope.core.verify.token_alignment import AlignedText
from claimscope.core.verify.word_forms import STOP, rarity, stem

SAME = 0.8
"""Alignment from which a sentence says what the claim says, or nearly."""
_QUANTIFIER = re.compile(
    r"(?i)(?<!not )(?<!nearly )(?<!almost )\b(?P<word>all|every|each|most|many|some"
    r"|several|few|none|no|both|neither)\b"
    r"(?! more\b| less\b| fewer\b| longer\b| one\b)"
    r"(?:\s+of)?(?:\s+(?:the|its|their|his|her|these|those|our))?"
    rf"(?:\s+(?:\d+|{ALL_WORDS})\b)?"
    r"\s+(?P<noun>[a-z]+)(?:\s+(?P<next>[a-z]+))?"
)
_LEVELS = {
    "none": 0, "no": 0, "neither": 0, "few": 1, "some": 1, "several": 1, "many": 1,
    "most": 2, "all": 3, "every": 3, "each": 3, "both": 3,
}  # fmt: skip
_SHARE_OF = re.compile(
    rf"(?i)\b(?P<part>\d+|{ALL_WORDS})\s+(?:out\s+)?of\s+(?:(?:the|its|their|all)\s+)*"
    rf"(?P<whole>\d+|{ALL_WORDS})\s+(?P<noun>[a-z]+)"
)
"""Six of the seven states are not all."""
_PARTS = re.compile(
    r"[;:]|[,.?!](?=\s)|\s(?:and|but|while|whereas|although|though|because|which|who)\s"
)
_CONDITION = re.compile(
    r"(?i)(?:\b(?:only if|if|unless|provided that|as long as|on condition that"
    r"|in case|except when|only when)\b|(?<=, )provided\b)"
    r"(?! you(?: want| wish| like|['’]d like| would like| prefer| plan| need)\b)"
)
_CONDITIONED = re.compile(
    r"(?i)\b(?:if|unless|provided|when|as long as|condition|depend\w*|sometimes"
    r"|may|can|could|might|would|possibl[ey])\b"
)
_HEDGE = re.compile(
    r"\b(?:may|might|could)\b(?! not\b)|(?i:\b(?:possibly|perhaps|maybe|presumably"
    r"|(?<!more )(?<!less )(?<!most )(?<!as )(?<!equally )likely"
    r"|probably|appears? to|seems? to|is thought to|are thought to"
    r"|is believed to|are believed to|is expected to|are expected to|is planned"
    r"|are planned|plans? to|hopes? to|intends? to|it is unclear whether"
    r"|it is not known whether|whether or not)\b)"
)
_HEDGED = re.compile(
    r"(?i)\b(?:may|might|can|could|would|possibl[ey]|perhaps|maybe|probabl[ey]|likely"
    r"|presumably|appears?|seems?|thought|believed|expected|plan(?:s|ned)?|hopes?"
    r"|intends?|allow(?:s|ed)?|permit(?:s|ted)?|unclear|unknown|not known|suggests?"
    r"|risk|potential(?:ly)?|free to|able|able to|eligible|welcome|optional(?:ly)?)\b"
)
_ATTRIBUTED = re.compile(
    r"(?i)\b(?:(?:claim(?:s|ed)?|alleg(?:es?|ed|ation)|believe[sd]?|beliefs?|argue[sd]?"
    r"|rumou?r(?:s|ed)?|speculat(?:es?|ed|ion)|suspects?|suspected|hypothesi[sz]e[sd]?"
    r"|hypothesis|myth|insists?|insisted|boast(?:s|ed)?|pretends?|pretended"
    r"|dream(?:s|t|ed)?|accusations?) that|legend (?:has it|says|tells)|some say)\b"
)
_SUPPOSED = re.compile(
    r"(?i)\b(?:allegedly|supposedly|purportedly|reputedly|(?:is|are|was|were) (?:said|"
    r"rumou?red|alleged|reputed|claimed|supposed) to)\b"
)
_REPORTED = re.compile(
    r"(?i)\b(?:claim\w*|alleg\w*|belie\w+|argu\w+|suppos\w+|purport\w*|rumou?r\w*|said"
    r"|say(?:s|ing)?|legend|speculat\w*|suspect\w*|hypothes\w*|according|report\w*"
    r"|myth|insist\w*|accus\w*|boast\w*|pretend\w*|dream\w*|think|thought|opinion"
    r"|view|falsely)\b"
)


def quantifiers(side: AlignedText, laid: Sequence[Laid]) -> Iterator[WindowFinding]:
    """Another quantifier of the same thing, where no sentence as near says enough."""
    # "All" at the start of a claim counts as a word of its topic.
    rest = [word for word in side.topic if word.text.lower() not in _LEVELS]
    like = [x for x in laid if x.alignment >= laid[0].alignment - NEAR]
    near = [x for x in like if x.alignment >= SAME]
    yield from _quantified(
        side,
        near or [x for x in like if x.window.alignment(rest, rarity) >= SAME],
    )


def hedges(side: AlignedText, laid: Sequence[Laid]) -> Iterator[WindowFinding]:
    """What the page says with less certainty than the claim."""
    return _left_open(_hedge, side, laid)


def conditions(side: AlignedText, laid: Sequence[Laid]) -> Iterator[WindowFinding]:
    """What the page says under a condition of which the claim has no word."""
    return _left_open(_condition, side, laid)


def attributions(side: AlignedText, laid: Sequence[Laid]) -> Iterator[WindowFinding]:
    """What the page only reports and the claim states."""
    return _left_open(_attribution, side, laid)


def _left_open(
    reason: Callable[[AlignedText, AlignedText], str | None],
    side: AlignedText,
    laid: Sequence[Laid],
) -> Iterator[WindowFinding]:
    """What the nearest sentence leaves open that the claim states as so; nothing when
    another sentence as near states it plainly."""
    near = [
        x
        for x in laid
        if x.alignment >= laid[0].alignment - NEAR and x.alignment >= SAME
    ]
    if not near or len(side.topic) < 2:
        return iter(())
    return forbidding(
        reason,
        side,
        near,
        lambda words: f"The page says it with “{words}”, the claim without.",
    )


def _hedge(side: AlignedText, sentence: AlignedText) -> str | None:
    """The word that leaves it open in the part of the sentence that says it."""
    if _HEDGED.search(side.text):
        return None
    part = _nearest_part(side, sentence)
    match = _HEDGE.search(part) if _share(side, part) >= SAME else None
    return match.group() if match else None


def _condition(side: AlignedText, sentence: AlignedText) -> str | None:
    """The condition, unless the claim has words of it."""
    match = _CONDITION.search(sentence.text)
    if match is None or _CONDITIONED.search(side.text):
        return None
    before, rest = sentence.text[: match.start()], sentence.text[match.start() :]
    clause, _, after = rest.partition(",") if not before.strip() else (rest, "", "")
    cue = AlignedText(match.group()).stems
    told = {
        word.stem
        for word in AlignedText(clause).words
        if not (word.is_stop or word.is_name or word.stem in cue)
    }
    is_new = bool(told) and not told & side.stems
    if is_new and _share(side, before + after) >= SAME:
        return clause.strip(" .")
    return None


def _attribution(side: AlignedText, sentence: AlignedText) -> str | None:
    """Who says so, where the words of the claim are what is said."""
    if _REPORTED.search(side.text):
        return None
    match = _ATTRIBUTED.search(sentence.text)
    if match is not None and _share(side, sentence.text[match.end() :]) >= SAME:
        return match.group()
    part = _nearest_part(side, sentence)
    match = _SUPPOSED.search(part) if _share(side, part) >= SAME else None
    return match.group() if match else None


def _share(side: AlignedText, text: str) -> float:
    """Part of the claim's content words, by rarity, that a text has, [0, 1]."""
    known = AlignedText(text).stems
    total = sum(rarity(word.stem) for word in side.content)
    found = sum(rarity(word.stem) for word in side.content if word.stem in known)
    return found / total if total else 0.0


def _nearest_part(side: AlignedText, sentence: AlignedText) -> str:
    """The part of a sentence with most of the claim's words."""
    parts = [part for part in _PARTS.split(sentence.text) if part and part.strip()]
    return max(parts, key=lambda part: _share(side, part), default=sentence.text)


def _quantified(side: AlignedText, near: Sequence[Laid]) -> Iterator[WindowFinding]:
    mine = quantifiers_by_noun(side)
    for noun, (word, level) in mine.items():
        said = [
            ((other, said_level), x)
            for x in near
            for of, other, said_level in _levels(x.window.sentence)
            if of == noun
        ]
        if not said or any(_is_enough(found[1], level) for found, _ in said):
            continue
        (other, other_level), one = said[0]
        message = f"The claim says {word} {noun}, the page says {other}."
        is_denied = 0 in (level, other_level) and {level, other_level} != {0, 1}
        is_sure = one.alignment >= SAME and len(side.topic) > 1
        if is_denied and not is_sure:
            continue  # "none failed" and "all passed" may be one
        if is_denied:
            yield finding_of(
                "negation", "conflict", word, other, message, one.window, veto=True
            )
        else:
            yield finding_of(
                "scope", "missing", word, other, message, one.window, veto=True
            )


def _is_enough(said: int, claimed: int) -> bool:
    """Of all follows of most and of some; of none only of none."""
    return said == claimed == 0 or (said >= claimed > 0)


def quantifiers_by_noun(side: AlignedText) -> dict[str, tuple[str, int]]:
    """By stem of what is quantified: the word, and 0 none, 1 some, 2 most, 3 all."""
    found: dict[str, tuple[str, int]] = {}
    for noun, word, level in _levels(side):
        found.setdefault(noun, (word, level))
    return found


def _levels(side: AlignedText) -> list[tuple[str, str, int]]:
    """(stem of what is quantified, the words, level), each time it is."""
    found = []
    for match in _QUANTIFIER.finditer(side.text):
        word = match["word"].lower()
        noun = match["noun"].lower()
        if noun in STOP and match["next"]:
            noun = match["next"].lower()
        if noun not in STOP:
            found.append((stem(noun), word, _LEVELS[word]))
    for match in _SHARE_OF.finditer(side.text):
        part, whole = (_value(match[name]) for name in ("part", "whole"))
        if 0 < part < whole:
            level = 2 if part > whole / 2 else 1
            found.append((stem(match["noun"].lower()), match.group(), level))
    return found


def _value(word: str) -> float:
    """Of digits or a word; "one" and "zero" are no part of all that tells much."""
    digits = number_word(word.lower()) or word
    return float(digits) if digits.isdecimal() else 0.0
