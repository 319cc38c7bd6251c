"""Things joined by "and", of each of which the sentence says the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from claimscope.core.text.clauses.assembly import assemble
from claimscope.core.text.clauses.conjuncts import List, list_at
from claimscope.core.text.clauses.distributive import ONE_FOR_MANY, keeps, may_part
from claimscope.core.text.clauses.grammar import SUBJECTS, has
from claimscope.core.text.readable import Plain

# spaCy's objects are untyped here: Doc and Token appear as Any.

_OWN = frozenset({"det", "poss", "nummod", "predet"})


def coordinated_statements(doc: Any, root: Any) -> tuple[Plain, ...]:
    """One statement for each member of the only list of a sentence."""
    if keeps(doc):
        return ()
    found = [one for token in doc if (one := list_at(doc, token)) is not None]
    outer = [one for one in found if not any(_holds(other, one) for other in found)]
    if len(outer) != 1 or not may_part(doc, root, outer[0]):
        return ()
    return tuple(_without_others(doc, outer[0]))


def _holds(outer: List, inner: List) -> bool:
    """Is a list part of a member of another?"""
    return outer is not inner and any(
        inner.span.start in member and inner.span.stop <= member.stop
        for member in outer.members
    )


def _without_others(doc: Any, one: List) -> Iterator[Plain]:
    before = list(doc[: one.span.start])
    after = list(doc[one.span.stop :])
    while before and before[-1].lower_ == "both":
        before.pop()
    is_subject = one.heads[0].dep_ in SUBJECTS
    for head, member in zip(one.heads, one.members, strict=True):
        own = [
            *_lent(one, head),
            *(doc[at] for at in member),
            *_borrowed(doc, one, head),
        ]
        rest: list[Any] = after
        if is_subject:
            rest = [piece for token in after if (piece := _agreeing(token, head))]
        begins = not before and own[0].is_lower
        yield assemble([*before, *own, *rest], begins=begins)


def _lent(one: List, head: Any) -> list[Any]:
    """The article or owner of the first member, where a later one has none."""
    first = one.heads[0]
    if head is first or any(child.dep_ in _OWN for child in head.lefts):
        return []
    if first.tag_ == "VB":
        is_own = any(child.tag_ == "TO" for child in head.lefts)
        return [] if is_own else [c for c in first.lefts if c.tag_ == "TO"]
    is_what = first.dep_ == "attr" and head.tag_ == "NN"
    lent = [
        child
        for child in first.lefts
        if child.dep_ == "poss"
        or (child.dep_ == "det" and (child.lower_ not in {"a", "an"} or is_what))
    ]
    tokens = [token for child in lent for token in child.subtree]
    return [] if head.pos_ == "PROPN" and not has(first, "poss") else tokens


def _borrowed(doc: Any, one: List, head: Any) -> list[Any]:
    """The object of the last of several verbs, where the others have none: "finding
    and attracting staff"."""
    last = one.heads[-1]
    is_verb = head.pos_ == "VERB" or (
        last.pos_ == "VERB" and head.lower_.endswith("ing")
    )
    if head is last or not is_verb:
        return []
    if any(child.dep_ not in {"conj", "cc", "punct"} for child in head.rights):
        return []
    return list(doc[last.i + 1 : one.span.stop])


def _agreeing(token: Any, head: Any) -> Any | None:
    """A word of the predicate as it stands behind one member."""
    if token.lower_ == "all" and token.pos_ in {"ADV", "DET", "PRON"}:
        return None
    if not is_one(head):
        return token
    return (
        ONE_FOR_MANY.get(token.lower_)
        if token.tag_ in {"VBP", "VBD"} and (token.lower_ in ONE_FOR_MANY)
        else token
    )


def is_one(head: Any) -> bool:
    """Is a member one thing?"""
    return "Plur" not in head.morph.get("Number")
