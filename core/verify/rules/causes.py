"""What led to what, by the parse of claim and sentence.

"The strike was brought about by the shortage" has the direction of "A shortage led to
the strike", and "The shortage was the result of the strike" has the other one, with the
same words. Told only where both name a cause and its effect, and the claim's cause is
the sentence's effect and the other way about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from claimscope.core.verify.rules.comparison import Laid, WindowFinding, finding_of
from claimscope.core.verify.rules.parsed_roles import (
    LONGEST,
    OPEN,
    form_of,
    is_be,
    is_general,
    is_open,
    nearest,
    parsed,
    subject_of,
)
from claimscope.core.verify.token_alignment import AlignedText
from claimscope.core.verify.word_forms import stem

ALIGNED = 0.4
"""Least share of the claim's topic in a sentence that is parsed."""
SHARED = 0.5
"""Least share of words that makes two phrases the same thing."""
APART = 0.5
"""Most of what is shared as the claim has it, of what is shared turned round."""
_CONTENT = frozenset(("NOUN", "PROPN", "VERB", "ADJ", "NUM"))
_CAUSING = frozenset(
    stem(verb) for verb in "cause trigger prompt spark provoke induce".split()
)
"""Verbs whose subject is the cause and whose object is the effect."""
_MAKING = frozenset((stem("make"), stem("made")))
_CAUSING_WITH = {
    stem(verb): particle
    for verb, particle in (
        ("lead", "to"),
        ("result", "in"),
        ("contribute", "to"),
        ("bring", "about"),
        ("set", "off"),
        ("give", "rise"),
    )
}
"""Verbs that are so with a second word."""
_CAUSED_FROM = frozenset(stem(verb) for verb in ("result", "stem", "arise"))
"""Verbs whose subject is the effect, with "from"."""
_BEING = {"behind": True, "responsible": True, "due": False, "owing": False}
"""Behind a form of "be": whether the subject is the cause."""
_NAMES = {
    "cause": True,
    "reason": True,
    "trigger": True,
    "result": False,
    "consequence": False,
    "effect": False,
    "outcome": False,
}
"""Nouns the subject is called: whether it is the cause."""
_OWING = frozenset(("because", "due", "owing", "thanks", "account", "through"))
_FORWARD = re.compile(
    r"(?i)(?:,\s+(?:and\s+)?so\s+(?!that\b|far\b|much\b|many\b|long\b|as\b)"
    r"|[,;]\s+(?:and\s+)?(?:therefore|as a result|consequently|hence|thus"
    r"|which is why|for this reason|because of this),?\s+)"
)
"""Between a cause and its effect."""
_ANOTHER = frozenset(
    stem(word)
    for word in (
        "more less fewer new second another other earlier later end ended repeal fall"
        " withdraw high low higher lower rise rising falling good poor first last"
    ).split()
)
"""Where one side alone has it, it may be another cause or another effect."""
_TOLD = re.compile(
    r"(?i)\b(?:believ|argu|suspect|disagree|hold that|held that|view|myth|reverse"
    r"|opposite|other way|blame)"
)
"""Somebody's opinion, or both directions."""


@dataclass(frozen=True)
class Cause:
    """A cause and its effect, each by the stems of its words."""

    cause: frozenset[str]
    effect: frozenset[str]


def cause_findings(side: AlignedText, laid: Sequence[Laid]) -> Iterator[WindowFinding]:
    """A doubt in the first of the nearest sentences that names the claim's cause as the
    effect of the claim's effect. No conflict: the two may lead to each other in turn,
    and of pairs written to mislead it 15 of 39 findings were wrong."""
    if len(side.text) > LONGEST or OPEN.search(side.text) or is_general(side.text):
        return
    near = nearest(laid, ALIGNED)
    if any(says_so(side.text, one.window.sentence.text) for one in near):
        return
    for one in near:
        sentence = one.window.sentence.text
        if is_reversed(side.text, sentence):
            message = "On the page cause and effect are the other way about."
            yield finding_of(
                "name",
                "missing",
                side.text,
                sentence,
                message,
                one.window,
                veto=True,
            )
            return


def is_reversed(claim: str, sentence: str) -> bool:
    """Whether the sentence has a cause of the claim as the effect of its effect, and
    nowhere as its cause."""
    if says_so(claim, sentence) or _TOLD.search(claim) or _TOLD.search(sentence):
        return False
    return any(_is_turned(a, b) for a in causes(claim) for b in causes(sentence))


def says_so(claim: str, sentence: str) -> bool:
    """Whether a cause of the claim stands in the sentence with its effect."""
    return any(_is_same(a, b) for a in causes(claim) for b in causes(sentence))


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """What two phrases share, of the mean of both (Dice 1945)."""
    return 2 * len(one & other) / max(len(one) + len(other), 1)


def _is_same(mine: Cause, theirs: Cause) -> bool:
    return (
        _overlap(mine.cause, theirs.cause) >= SHARED
        and _overlap(mine.effect, theirs.effect) >= SHARED
    )


def _is_turned(mine: Cause, theirs: Cause) -> bool:
    turned = (_overlap(mine.cause, theirs.effect), _overlap(mine.effect, theirs.cause))
    same = (_overlap(mine.cause, theirs.cause), _overlap(mine.effect, theirs.effect))
    is_another = bool(
        ((mine.cause ^ theirs.effect) | (mine.effect ^ theirs.cause)) & _ANOTHER
    )
    return min(turned) >= SHARED and sum(same) <= APART * sum(turned) and not is_another


@lru_cache(maxsize=2048)
def causes(text: str) -> tuple[Cause, ...]:
    """What a text says led to what; nothing without spaCy's English model, or where it
    is denied or left open."""
    doc = parsed(text)
    if doc is None:
        return ()
    found = [
        Cause(_stems(cause), _stems(effect))
        for token in doc
        for cause, effect in _named_at(token)
        if not is_open(token)
        and not (token.head.pos_ == "VERB" and is_open(token.head))
    ]
    joint = _FORWARD.search(text)
    if joint and not OPEN.search(text):
        left = [one for one in doc if one.idx < joint.start()]
        right = [one for one in doc if one.idx >= joint.end()]
        found.append(Cause(_stems(left), _stems(right)))
    return tuple(one for one in found if one.cause and one.effect)


def _named_at(token: Any) -> Iterator[tuple[list[Any], list[Any]]]:
    """(tokens of the cause, of the effect) named by a verb, or by "because"."""
    if token.pos_ in ("VERB", "AUX"):
        yield from _by_verb(token)
    if token.lower_ == "because" and token.dep_ == "mark":
        clause = list(token.head.subtree)
        yield clause, _without(token.head.head.subtree, clause)
    elif token.lower_ in _OWING and token.dep_ in ("prep", "pcomp", "amod", "acomp"):
        cause = list(token.subtree)
        if any(one.dep_ in ("pobj", "pcomp") for one in cause):
            yield cause, _without(token.head.subtree, cause)


def _by_verb(verb: Any) -> Iterator[tuple[list[Any], list[Any]]]:
    subject = subject_of(verb)
    if subject is None:
        return
    own = list(verb.subtree)
    first = _without(subject.subtree, own if subject not in own else ())
    name = form_of(verb)
    beside = {child.lower_ for child in verb.children}
    rest = [
        token
        for child in verb.children
        if child.dep_ in ("dobj", "prep", "ccomp", "xcomp", "pobj", "agent")
        and child is not subject
        for token in child.subtree
    ]
    rest = _without(rest, first)
    is_passive = any(child.dep_ in ("auxpass", "nsubjpass") for child in verb.children)
    is_causing = name in _CAUSING or _CAUSING_WITH.get(name) in beside
    if name in _MAKING:
        # "Low marks made them sleep badly", and not "It makes clocks".
        is_causing = any(one.dep_ in ("ccomp", "xcomp") for one in verb.children)
    if is_causing and is_passive:
        by = [t for c in verb.children if c.lower_ == "by" for t in c.subtree]
        if by:
            yield by, first
    elif is_causing:
        yield first, rest
    elif name in _CAUSED_FROM and "from" in beside:
        yield rest, first
    elif is_be(verb):
        for child in verb.children:
            kind = _BEING.get(child.lower_, _NAMES.get(child.lower_))
            if kind is None or child.dep_ in ("nsubj", "csubj"):
                continue
            if child.lower_ == "responsible" and "for" not in {
                one.lower_ for one in child.children
            }:
                continue
            other = _without(child.subtree, (*first, child))
            yield (first, other) if kind else (other, first)


def _without(tokens: Any, others: Any) -> list[Any]:
    left_out = {one.i for one in others}
    return [one for one in tokens if one.i not in left_out]


def _stems(tokens: Sequence[Any]) -> frozenset[str]:
    return frozenset(
        stem(one.lower_)
        for one in tokens
        if one.pos_ in _CONTENT and not one.is_stop and one.lower_ not in _OWING
    )
