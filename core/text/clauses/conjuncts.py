"""Lists of a sentence: things joined by "and", where its members begin and end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

# spaCy's objects are untyped here: Doc and Token appear as Any.

KINDS = frozenset({"NOUN", "PROPN", "ADJ", "VERB", "ADP"})
"""Parts of speech whose lists can be told apart."""


_BETWEEN = frozenset({",", "and", "also", "both", "as", "well"})
_BEFORE_LAST = (
    ["and"],
    [",", "and"],
    [",", "and", "also"],
    ["as", "well", "as"],
    [",", "as", "well", "as"],
)


@dataclass(frozen=True)
class List:
    """Members of a list by the indices of their tokens."""

    heads: tuple[Any, ...]
    members: tuple[range, ...]

    @property
    def span(self) -> range:
        """All of it, with what stands between the members."""
        return range(self.members[0].start, self.members[-1].stop)


def list_at(doc: Any, head: Any) -> List | None:
    """The list that begins with a word, where its form is plain: A and B; A, B(,) and
    C. Whatever else is joined is no list that could be told apart."""
    if head.dep_ == "conj" or head.pos_ not in KINDS | {"NUM"}:
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
        while at > 0 and doc[at - 1].lower_ in _BETWEEN:
            at -= 1
        members.append(range(edges[before], at))
        between = [token.lower_ for token in doc[at:edge]]
        if one is heads[-1]:
            if between not in _BEFORE_LAST:
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
