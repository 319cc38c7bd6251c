"""A cited sentence as it reads by itself.

A citation is held against its own sentence. What stands around it lends it no fact, but
says what it is about: the heads of a table, the lead-in of a list, the heading, and
what "It" or "They" stands for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from claimscope.core.models import Sentence
from claimscope.core.text.linguistics import (
    main_subject,
    resolve_pronoun,
    stands_for_nothing,
)
from claimscope.core.verify.normalisation import canonical
from claimscope.core.verify.statements import statements

FARTHEST = 4
"""Sentences before it in which what a reference stands for is looked for."""
_REFERS = re.compile(
    r"(?i)(?:it|its|they|their|he|his|she|her|this|these|those|both|such"
    r"|the (?:former|latter))\b"
)
_PRONOUN = re.compile(r"(?i)\b(?:it|they|he|she)\b")
_STRUCTURED = re.compile(
    r"\s*(?:\||[-*+•‣◦▪·–]\s|\(?\d{1,3}[.)]\s|```|~~~|[\w./-]+\s*[:=])"
)


def own_words(
    sentence: Sentence, page: Sequence[Sentence], text: str, claim: str
) -> tuple[str, str]:
    """(the sentence with its references resolved, the heading it stands under; "" when
    there is none). `text`: of the whole page; `claim`: what it is cited for."""
    said = sentence.text.strip()
    stated = [
        one.text
        for one in statements(text)
        if one.start < sentence.end and sentence.start < one.end and not one.is_head
    ]
    heading = ""
    if stated:
        plain = canonical(sentence.text)
        read = " ".join(stated)
        if _STRUCTURED.match(sentence.text) and read != plain:
            return read, ""
        if len(stated) == 1 and read.endswith(plain):
            heading = read[: len(read) - len(plain)].rstrip(" :")
    return with_referent(said, sentence.index, page, claim), heading


def states_something(sentence: Sentence, text: str) -> bool:
    """Whether it is more than a heading, a table's head or a lead-in."""
    return any(
        not one.is_head
        for one in statements(text)
        if one.start < sentence.end and sentence.start < one.end
    )


def with_referent(said: str, index: int, page: Sequence[Sentence], claim: str) -> str:
    """`said` with the thing named that its pronoun stands for, where it is clear."""
    if not refers(said):
        return said
    for number in range(index - 1, max(-1, index - 1 - FARTHEST), -1):
        before = canonical(page[number].text)
        named = named_by(said, before, claim)
        if named is not None:
            return named
        if not refers(before):
            break
    return said


def named_by(said: str, before: str, claim: str) -> str | None:
    """`said` with what `before` speaks of in place of its pronoun. The claim's subject
    where `before` names it and its own subject cannot be meant or was not found."""
    known, meant = main_subject(before), main_subject(claim)
    if known is not None and _REFERS.match(known.text):
        known = None
    found = resolve_pronoun(said, known) if known is not None else None
    if found is not None:
        return found
    if meant is not None:
        bare = re.sub(r"^(?:the|a|an)\s+", "", meant.text.casefold())
        if bare in before.casefold():
            return resolve_pronoun(said, meant) or f"{meant.text}: {said}"
    return f"{known.text}: {said}" if known is not None else None


def refers(text: str) -> bool:
    """Whether it cannot be understood without the sentence before it."""
    if stands_for_nothing(text, 0):
        return False
    if _REFERS.match(text):
        return True
    return _PRONOUN.search(text) is not None and main_subject(text) is None
