"""Verbs that share a subject: "sails every hour and costs 12 crowns" is two facts.

What may hold for all of them (a condition, an introduction, a "never", an "either")
keeps them together.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from claimscope.core.text.clauses.assembly import assemble
from claimscope.core.text.linguistics import (
    HELPING,
    SUBJECTS,
    has_introduction,
    head_of,
    holds_together,
)
from claimscope.core.text.readable import MappedText

_CLAUSES = frozenset({"relcl", "ccomp", "advcl", "acl", "csubj", "parataxis"})
_BORN_AND = frozenset("raised educated baptised baptized buried brought bred".split())
_SPANS = frozenset("second minute hour day night week month year person".split())
_JOINING = frozenset({"and", "but"})


def split_joined_verbs(doc: Any, root: Any, cut: set[int]) -> Iterator[MappedText]:
    """One statement for each verb joined to the main one that shares its subject."""
    subjects = [child for child in root.children if child.dep_ in SUBJECTS]
    kept = [token for token in doc if token.i not in cut]
    if len(subjects) != 1 or subjects[0].pos_ == "PRON":
        return
    subject = subjects[0]
    name = [t for t in kept if subject.left_edge.i <= t.i <= subject.right_edge.i]
    is_first = not any(t.pos_ in {"ADP", "SCONJ"} for t in doc[: name[0].i])
    is_plain = is_first and subject.right_edge.i < root.i
    is_plain = is_plain and all(t.text != "," for t in name)
    if not is_plain or has_introduction(root) or holds_together(kept):
        return
    verbs = _find_joined_verbs(doc, root, cut)
    if not all(_agrees(doc, verb, subject) for verb in verbs):
        return
    is_denied = any(child.dep_ == "neg" for child in root.children)
    if not verbs or (is_denied and not all(map(_stands_alone, verbs))):
        return
    helping = [c for c in root.children if c.dep_ in HELPING and c.i > subject.i]
    starts = [_start(doc, verb) for verb in verbs]
    ends = [_end_of_part(doc, start) for start in starts]
    if not any(doc[start - 1].lower_ in _JOINING for start in starts):
        return  # "keeps encrypted, deduplicated copies"
    pieces = [[t for t in kept if t.i < ends[0]]]
    for verb, start, end in zip(verbs, starts, [*ends[1:], len(doc)], strict=True):
        shared = [] if _stands_alone(verb) else helping
        if not shared and not _stands_alone(verb):
            return
        own = [t for t in kept if start <= t.i < end]
        pieces.append([*name, *shared, *own])
    begins = name[0].is_lower and name[0].i > 0
    edges = [root.i, *(verb.i for verb in verbs)]
    limits = [*ends, len(doc)]
    if all(
        _has_content(doc, verb, end) for verb, end in zip(edges, limits, strict=True)
    ):
        yield assemble(pieces[0], begins=begins and pieces[0][0].i == name[0].i)
        for piece in pieces[1:]:
            yield assemble(piece, begins=begins)


def _find_joined_verbs(doc: Any, root: Any, cut: set[int]) -> list[Any]:
    """Verbs behind a comma or an "and" that share the subject of the main verb."""
    clauses = [t for t in doc if t.i not in cut and t.dep_ in _CLAUSES]
    if any(token.dep_ == "ccomp" for token in clauses):
        return []  # "data shows dogs fall ill and cough"
    found: list[Any] = []
    for token in doc[root.i + 1 :]:
        if token.i in cut or token.dep_ in HELPING or not _opens_part(doc, token):
            continue
        if any(child.dep_ in SUBJECTS and child.i < token.i for child in token.lefts):
            return []  # a clause of its own: what follows may belong to it
        is_joined = token.dep_ == "conj" and head_of(token).i == root.i
        if is_joined and token.pos_ in {"VERB", "AUX"}:
            found.append(token)
        elif not clauses and root.tag_ == "VBZ" and _looks_finite(doc, token):
            found.append(token)  # "costs" and the like are often read as nouns
    return found


def _opens_part(doc: Any, token: Any) -> bool:
    """Is it the first of its part, but for an adverb or helping verbs?"""
    at = token.i - 1
    while at > 0 and _is_auxiliary(doc[at]):
        at -= 1
    return bool(doc[at].text == "," or doc[at].lower_ in _JOINING)


def _looks_finite(doc: Any, token: Any) -> bool:
    if token.tag_ == "VBZ":
        return True
    following = doc[token.i + 1] if token.i + 1 < len(doc) else None
    if token.tag_ != "NNS" or following is None:
        return False
    is_rate = following.lower_ in {"a", "an", "each", "per"} and any(
        after.lower_ in _SPANS for after in doc[following.i + 1 : following.i + 2]
    )
    is_the = following.pos_ == "DET" and following.lower_ not in {"a", "an"}
    is_object = following.like_num or following.pos_ == "NUM" or is_the
    return bool(is_object and not is_rate)


def _agrees(doc: Any, verb: Any, subject: Any) -> bool:
    """Whether a word is a verb of the subject: "the role they played, and still play"
    is none of one website, "by Bill and artist Bob Kane" has no second participle."""
    is_one = "Sing" in subject.morph.get("Number") and not any(
        child.dep_ == "conj" for child in subject.children
    )
    if verb.tag_ == "VBP" and is_one and not _has_auxiliary(verb):
        return bool(head_of(verb).tag_ == "VB")
    is_passive = any(child.dep_ == "auxpass" for child in head_of(verb).children)
    if is_passive and not _has_auxiliary(verb) and verb.tag_ in {"VB", "VBN"}:
        follows = doc[verb.i + 1].pos_ if verb.i + 1 < len(doc) else ""
        return bool(verb.tag_ == "VBN" and follows not in {"PROPN", "NOUN"})
    return True


def _start(doc: Any, verb: Any) -> int:
    at = verb.i
    while _is_auxiliary(doc[at - 1]):
        at -= 1
    return int(at)


def _is_auxiliary(token: Any) -> bool:
    """An adverb, a helping verb, the "since" of "has since moved"."""
    return token.pos_ in {"ADV", "AUX", "PART"} or token.dep_ == "advmod"


def _end_of_part(doc: Any, start: int) -> int:
    """Where the part in front of a verb ends: before "and" or a comma."""
    at = start
    while at > 0 and (doc[at - 1].text == "," or doc[at - 1].lower_ in _JOINING):
        at -= 1
    return at


def _stands_alone(verb: Any) -> bool:
    """Needs no help of another verb; "share" behind "does not store" is no verb."""
    if head_of(verb).lower_ == "born":  # "was born in Tarn and served as a clerk"
        return verb.lower_ not in _BORN_AND or _has_auxiliary(verb)
    own = {"VBZ", "VBD", "MD", "NNS"}
    helping = [c.lower_ for c in head_of(verb).children if c.dep_ == "auxpass"]
    if helping and any(map(_names_doer, verb.children)):
        return _has_auxiliary(verb)  # "was built and lent to Tarn by the town"
    if helping and helping[0] in {"is", "are"} and verb.tag_ == "VBD":
        return _has_auxiliary(verb)  # "is bounded by hills and crossed by a road"
    is_base = head_of(verb).tag_ == "VB"
    return _has_auxiliary(verb) or verb.tag_ in (own if is_base else {*own, "VBP"})


def _names_doer(child: Any) -> bool:
    """A "by" behind a passive; "rose by 5 marks" is none."""
    return child.lower_ == "by" and not any(t.like_num for t in child.subtree)


def _has_auxiliary(verb: Any) -> bool:
    return any(child.dep_ in HELPING for child in verb.children)


def _has_content(doc: Any, verb: int, end: int) -> bool:
    """Whether a part says something of its own: "opens and closes at 9" is one fact."""
    return any(token.is_alpha or token.like_num for token in doc[verb + 1 : end])
