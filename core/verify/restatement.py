"""Whether statements say neither more nor less than the sentence they restate.

A model that takes a sentence apart bends numbers, drops a condition, or repeats a
fragment ("The score is three") that nothing can prove or disprove. Each of these is
told by code here, and then the sentence itself stands (METRICS F).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from claimscope.core.text.clauses.facts import added_words, lost_words
from claimscope.core.text.quantities.number_words import number_word
from claimscope.core.text.quantities.numbers import quantities
from claimscope.core.text.quantities.quantity import Quantity
from claimscope.core.verify.word_forms import STOP

PRONOUN = re.compile(
    r"(?:it|its|they|them|their|he|him|his|she|her|hers|this|that|these|those)\b", re.I
)
_NEGATION = re.compile(
    r"\b(?:no|not|never|none|neither|nor|without|cannot)\b|n[’']t\b", re.I
)
_WORD = re.compile(r"\w+(?:[.,]\d+)*")
_STEM = 5
"""Letters by which forms of one word are known as such."""
_JOINTS = frozenset("also been does from have into that there were with".split())
"""Longer words without content that a statement may need of its own."""

_QUALIFIERS = frozenset("all any can if may up".split())
"""Small words that change what is said."""


def restatement_problem(texts: Sequence[str], sentence: str, answer: str) -> str | None:
    """Why statements may not stand for their sentence (METRICS F); None: they may.

    Numbers must be the sentence's and keep what they count, names its own or the
    answer's (a pronoun resolved); no negation or other word is added; no content word
    is lost.
    """
    if not texts:
        return "the model found no fact in it"
    for text in texts:
        problem = _added_problem(text, sentence, answer) or _number_problem(
            text, sentence
        )
        if problem is not None:
            return problem
    missing = _lost_content(texts, sentence)
    if missing:
        return f"the model lost {missing[0]!r}"
    if len(_NEGATION.findall(sentence)) > sum(
        len(_NEGATION.findall(text)) for text in texts
    ):
        return "the model lost a negation"
    return None


def _added_problem(text: str, sentence: str, answer: str) -> str | None:
    numbers = [w for w in added_words(text, sentence) if w[0].isdigit()]
    said = {word.casefold() for word in _WORD.findall(sentence)}
    numbers += [
        word
        for word in _WORD.findall(text)
        if number_word(word.casefold()) is not None and word.casefold() not in said
    ]
    names = [w for w in added_words(text, answer) if not w[0].isdigit()]
    new = [*numbers, *names, *_new_words(text, answer)]
    if new:
        return f"the model added {new[0]!r}"
    if _NEGATION.search(text) and not _NEGATION.search(sentence):
        return "the model added a negation"
    pronoun = PRONOUN.match(text)
    if pronoun is not None and PRONOUN.match(sentence) is None:
        return f"the model left open what {pronoun[0]!r} stands for"
    return None


def _number_problem(text: str, sentence: str) -> str | None:
    """A number that lost its unit or what it counts: "three" of "three stars"."""
    known = quantities(sentence)
    for one in quantities(text):
        twins = [o for o in known if (o.low, o.high) == (one.low, one.high)]
        if not twins:
            return f"the model added {one.text!r}"
        if not any(_keeps_unit_or_noun(one, twin) for twin in twins):
            return f"the model left {one.text!r} without what it counts"
    return None


def _keeps_unit_or_noun(one: Quantity, twin: Quantity) -> bool:
    """Whether a statement's number has the unit, or the noun, that it had."""
    if twin.unit is not None:
        return one.unit is not None and one.unit.key == twin.unit.key
    counted = _counted_stems(twin)
    return not counted or one.unit is not None or bool(counted & _counted_stems(one))


def _counted_stems(one: Quantity) -> set[str]:
    """Stems of the words after a number, up to a word without content."""
    found: set[str] = set()
    for word in one.noun.split():
        if word in STOP or number_word(word) is not None:
            break
        found.add(_stem(word))
    return found if one.kind != "year" else set()


def _lost_content(texts: Sequence[str], sentence: str) -> list[str]:
    """Content words of the sentence of which no form is in any statement."""
    kept = {_stem(word) for text in texts for word in _WORD.findall(text)}
    return [
        word
        for word in lost_words(texts, sentence)
        if not PRONOUN.fullmatch(word)
        and (word[0].isdigit() or _has_content(word))
        and _stem(word) not in kept
    ]


def _new_words(text: str, known: str) -> list[str]:
    """Content words of a text of which no form occurs in another."""
    stems = {_stem(word) for word in _WORD.findall(known)}
    return [
        word
        for word in _WORD.findall(text)
        if _has_content(word) and _stem(word) not in stems
    ]


def _has_content(word: str) -> bool:
    """Not of the small words that may come and go with a new sentence; negations,
    pronouns and numbers are looked at apart."""
    low = word.casefold()
    if len(low) > 3:
        return low not in _JOINTS
    return low in _QUALIFIERS or (
        len(low) > 1 and low not in STOP and _NEGATION.fullmatch(low) is None
    )


def _stem(word: str) -> str:
    return word.casefold().removesuffix("s")[:_STEM]
