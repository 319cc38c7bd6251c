"""Things joined by "and" of which one thing is said: "reads PNG, JPEG and TIFF".

To leave members of a list out says less and never more where the rest of the sentence
only asks that there be such a thing. So nothing is taken apart below a denial, a
condition or an "only", where several things are one together (between A and B, a mix of
A and B), where a figure counts them all, in the phrase that says what is spoken of
(shops with A and B are closed), and where two lists may be meant pairwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from claimscope.core.text.clause_grammar import (
    HELPING,
    SUBJECTS,
    is_plural,
    subject_of,
)
from claimscope.core.text.plain import Plain
from claimscope.core.text.statement import told

# spaCy's objects are untyped here: Doc and Token appear as Any.

_KEEPS = re.compile(
    r"""(?ix)\b(?:not|never|no|none|nor|neither|either|nothing|nobody|hardly|barely
    |scarcely|rarely|seldom|few|fewer|little|without|only|solely|just|merely|purely
    |exclusively|alone|except|unless|respectively|together|jointly|each|altogether
    |total|combined|overall|sum|average|between|among|amongst|versus|vs|whether
    |lacks?|lacked|fails?|failed|den(?:y|ies|ied)|refus\w+|reject\w*|avoid\w*
    |unlikely|impossible|doubt\w*|enough|sufficient|simultaneously|alternat\w+|half
    |instead|rather|cannot|both\ of)\b|n[’']t\b|\?"""
)
"""Words that reach over a whole list, or deny it."""
_ONE_TOGETHER = re.compile(
    r"""(?ix)(?:mix|combin|merg|connect|link|join|unit|compar|blend|separat|distin
    |differ|swap|exchang|balanc|divid|match|pair|switch|toggl|cho[io]s|select|rang
    |consist|compris|compos|marr|ratio|sum|relation|trade|collab|interact|interpl
    |conflict|contrast|simil|correl|border|distan|union|intersect
    |couple|team|duo|equal|same|alike|identical|mean$|means$|refer|call|nam(?:e|ed)$
    |know|stand|spell|split|made$|makes?$|making)"""
)
"""Beginnings of words whose things are one together, and of those that give a name."""
_WHOLE = re.compile(r"(?i)(?:sets?|products?|means?)$")
"""The same, of nouns only."""
_SHARED = re.compile(
    r"(?i)(?:meets?|met|shares?|shared|agree|form|work|live|account|make|cost|add)"
)
"""Verbs whose subjects may do together what is said."""
_STEPS = frozenset(
    """dobj pobj attr acomp oprd dative xcomp pcomp prep ccomp acl relcl agent conj
    advcl""".split()
)
_UNLISTED = frozenset("from than as except besides".split())
_KINDS = frozenset({"NOUN", "PROPN", "ADJ", "VERB", "ADP"})
_OWN = frozenset({"det", "poss", "nummod", "predet"})
_BARE = frozenset({"VB", "VBG"})
_ONE_FOR_MANY = {"are": "is", "were": "was", "have": "has"}
MOST = 16


@dataclass(frozen=True)
class List:
    """Members of a list by the indices of their tokens."""

    heads: tuple[Any, ...]
    members: tuple[range, ...]

    @property
    def span(self) -> range:
        """All of it, with what stands between the members."""
        return range(self.members[0].start, self.members[-1].stop)


def listed(doc: Any, root: Any) -> tuple[Plain, ...]:
    """One statement for each member of the only list of a sentence."""
    if _KEEPS.search(doc.text):
        return ()
    found = [one for token in doc if (one := _list_at(doc, token)) is not None]
    outer = [one for one in found if not any(_holds(other, one) for other in found)]
    if len(outer) != 1 or not _may_part(doc, root, outer[0]):
        return ()
    return tuple(_without_others(doc, outer[0]))


def _holds(outer: List, inner: List) -> bool:
    """Is a list part of a member of another?"""
    return outer is not inner and any(
        inner.span.start in member and inner.span.stop <= member.stop
        for member in outer.members
    )


def _list_at(doc: Any, head: Any) -> List | None:
    """The list that begins with a word, where its form is plain: A and B; A, B(,) and
    C. Whatever else is joined is no list that could be told apart."""
    if head.dep_ == "conj" or head.pos_ not in _KINDS | {"NUM"}:
        return None
    heads = [head]
    for one in heads:
        heads += [c for c in one.children if c.dep_ == "conj" and c.i > one.i]
    heads.sort(key=lambda token: token.i)
    if len(heads) < 2:
        return None
    edges = [_edge(one) for one in heads]
    members: list[range] = []
    for before, (one, edge) in enumerate(zip(heads[1:], edges[1:], strict=True)):
        at = edge
        while at > 0 and doc[at - 1].lower_ in {",", "and", "also", "both"}:
            at -= 1
        members.append(range(edges[before], at))
        between = [token.lower_ for token in doc[at:edge]]
        if one is heads[-1]:
            if between not in (["and"], [",", "and"], [",", "and", "also"]):
                return None
        elif between not in ([","], ["and"]):
            return None
    members.append(range(edges[-1], heads[-1].right_edge.i + 1))
    is_whole = all(one.i in member for one, member in zip(heads, members, strict=True))
    return List(tuple(heads), tuple(members)) if is_whole else None


def _edge(head: Any) -> int:
    """Where a member begins: with what belongs to it alone."""
    edge = int(head.left_edge.i)
    while head.doc[edge].lower_ in {"both", ","} and edge < head.i:
        edge += 1
    return edge


# --- whether it may be told apart ---------------------------------------------


def _may_part(doc: Any, root: Any, one: List) -> bool:
    head = one.heads[0]
    kinds = {_kind(token) for token in one.heads}
    if len(kinds) != 1 or head.pos_ not in _KINDS or len(one.heads) > MOST:
        return False
    if head.dep_ == "ROOT" or _are_clauses(one.heads) or _is_title(doc, one):
        return False
    if one.heads[-1].pos_ == "PROPN" and _has(one.heads[-1], "prep"):
        return False  # "to Tarn and Osk on Mondays": said of both
    if _is_inside(doc, one.span.start) or head.right_edge.i + 1 != one.span.stop:
        return False
    if not all(map(_is_counted, one.heads)) and any(map(_is_counted, one.heads)):
        return False
    if head.dep_ in SUBJECTS:
        return head.head.i == root.i and _subjects_part(doc, root, one)
    return _path_parts(root, one)


def _are_clauses(heads: Sequence[Any]) -> bool:
    return any(child.dep_ in SUBJECTS for head in heads for child in head.children) or (
        heads[0].pos_ == "VERB" and any(head.tag_ not in _BARE for head in heads)
    )


def _is_title(doc: Any, one: List) -> bool:
    """A name with "and" in it: "History of Rivers and People", "Peat and Bog is"; or
    "zones A and B", each of which is one of the zones."""
    are_names = all(doc[member.start].text[:1].isupper() for member in one.members)
    first = one.heads[0]
    over = first.head if first.dep_ == "pobj" else None
    is_under_name = over is not None and over.head.pos_ == "PROPN"
    if are_names and first.dep_ in SUBJECTS:
        is_under_name = any(
            verb.tag_ == "VBZ" or verb.lower_ == "was"
            for verb in (first.head, *first.head.children)
        )
    return (are_names and is_under_name) or any(
        child.tag_ in {"NNS", "NNPS"} and child.dep_ in {"compound", "nmod"}
        for child in first.lefts
    )


def _kind(token: Any) -> str:
    return "NOUN" if token.pos_ == "PROPN" else str(token.pos_)


def _is_counted(token: Any) -> bool:
    return any(child.dep_ == "nummod" or child.like_num for child in token.lefts)


def _is_inside(doc: Any, index: int) -> bool:
    """In brackets, in quotation marks or behind a colon."""
    before = doc[:index].text
    depth = sum(
        before.count(left) - before.count(right) for left, right in ("()", "[]")
    )
    quotes = before.count('"') % 2 or before.count("“") > before.count("”")
    return bool(depth or quotes or re.search(r":\s|;", before))


def _subjects_part(doc: Any, root: Any, one: List) -> bool:
    """May what is said of several subjects be said of each?"""
    after = doc[one.span.stop :]
    if any(token.like_num for token in after) or _SHARED.match(root.text):
        return False
    if any(map(_is_one_together, after)):
        return False
    if _has(root, "attr") or _has(root, "expl"):
        return False
    is_be = root.lower_ in _ONE_FOR_MANY and _has(root, "acomp")
    if not (is_be or root.text.endswith("ed") or _helped(root)):
        return False  # "Ana and Bo run the mill": "Ana run"
    return not any(child.lower_ == "of" for child in one.heads[-1].children)


def _helped(root: Any) -> bool:
    return any(
        child.dep_ in HELPING and child.tag_ != "VBP" or (child.lower_ in _ONE_FOR_MANY)
        for child in root.children
    )


def _has(token: Any, relation: str) -> bool:
    return any(child.dep_ == relation for child in token.children)


def _path_parts(root: Any, one: List) -> bool:
    """Does every word from the list up to the main verb allow it?"""
    head = one.heads[0]
    token = head
    while token.i != root.i:
        if token is not head and token.pos_ not in {"ADP", "SCONJ"}:
            if _is_one_together(token) and not all(map(_is_counted, one.heads)):
                return False
        if not _is_step(token, one):
            return False
        token = token.head
    if _has(root, "expl"):
        return False
    is_all = head.dep_ in {"attr", "acomp", "prep"} and _is_many(root)
    return not (is_all or _is_one_together(root) or head.i < root.i)


def _is_one_together(token: Any) -> bool:
    is_noun = token.pos_ in {"NOUN", "PROPN"}
    return _ONE_TOGETHER.match(token.text) is not None or (
        is_noun and _WHOLE.match(token.text) is not None
    )


def _is_many(root: Any) -> bool:
    """ "The colours are red and blue": neither is all."""
    subject = subject_of(root)
    is_be = root.lower_ in {"is", "are", "was", "were"}
    return is_be and subject is not None and is_plural(subject)


def _is_step(token: Any, one: List) -> bool:
    if token.dep_ == "amod":
        noun = token.head
        is_one = token is one.heads[0] and noun.i > one.span.stop - 1
        return bool(is_one and noun.tag_ in {"NN", "NNP"} and _are_plain(one.heads))
    if token.dep_ == "agent":
        return all(head.pos_ != "PROPN" for head in one.heads)
    if token.dep_ == "advcl":
        return any(child.lower_ == "to" for child in token.children)
    if token.dep_ == "prep" and token.lower_ in _UNLISTED:
        return bool(token.lower_ == "as" and token.nbor(-1).lower_ == "such")
    return token.dep_ in _STEPS


def _are_plain(heads: Sequence[Any]) -> bool:
    """No superlative, no figure: "the largest and oldest mill" is one mill."""
    return all(
        head.tag_ not in {"JJS", "RBS"} and not _has(head, "npadvmod") for head in heads
    )


# --- telling it apart ---------------------------------------------------------


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
        yield told([*before, *own, *rest], begins=begins)


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
    return [] if head.pos_ == "PROPN" and not _has(first, "poss") else tokens


def _borrowed(doc: Any, one: List, head: Any) -> list[Any]:
    """The object of the last of several verbs, where the others have none: "finding
    and attracting staff"."""
    last = one.heads[-1]
    if head is last or head.pos_ != "VERB":
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
        _ONE_FOR_MANY.get(token.lower_)
        if token.tag_ in {"VBP", "VBD"} and (token.lower_ in _ONE_FOR_MANY)
        else token
    )


def is_one(head: Any) -> bool:
    """Is a member one thing?"""
    return "Plur" not in head.morph.get("Number")
