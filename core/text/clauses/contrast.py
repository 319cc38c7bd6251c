"""Two clauses of which the second is set against the first: "A, whereas B"."""

from __future__ import annotations

from typing import Any

from claimscope.core.text.clauses.assembly import assemble
from claimscope.core.text.clauses.grammar import SUBJECTS, is_conditional
from claimscope.core.text.readable import Plain

# spaCy's objects are untyped here: Doc and Token appear as Any.

_OBJECTS = frozenset({"dobj", "attr"})
_LEANING = frozenset(
    """one ones so same other others it its they them their he him his she her this that
    these those""".split()
)
"""Words that stand for what the other clause names."""
_AGAINST = frozenset({"whereas", "although", "though"})


def contrast(doc: Any, root: Any) -> tuple[Plain, ...]:
    """Both clauses, each of which is asserted. A "while" is one only behind a comma:
    "the lamp is red while the pump runs" speaks of a time."""
    found = [
        (child, mark)
        for child in root.children
        if child.dep_ == "advcl" and (mark := _mark(doc, child)) is not None
    ]
    if len(found) != 1:
        return ()
    clause, mark = found[0]
    if _leans(clause) or is_conditional(doc, besides=mark):
        return ()
    first, last = clause.left_edge.i, clause.right_edge.i
    own = list(doc[mark.i + 1 : last + 1])
    if first == 0 and last + 1 < len(doc) and doc[last + 1].text == ",":
        rest = list(doc[last + 2 :])
        return assemble(own, begins=own[0].is_lower), assemble(
            rest, begins=rest[0].is_lower
        )
    if doc[first - 1].text != "," or not all(t.is_punct for t in doc[last + 1 :]):
        return ()
    return (
        assemble(doc[: first - 1]),
        assemble([*own, *doc[last + 1 :]], begins=own[0].is_lower),
    )


def _leans(clause: Any) -> bool:
    """Does a clause need the other to be understood? "it did not", "the other 1.4"."""
    subjects = [child for child in clause.children if child.dep_ in SUBJECTS]
    return (
        len(subjects) != 1
        or subjects[0].pos_ in {"PRON", "NUM", "DET", "ADJ"}
        or all(child.dep_ in {"neg", "punct"} for child in clause.rights)
        or any(
            (token.pos_ == "NUM" and token.dep_ in _OBJECTS) or token.lower_ in _LEANING
            for token in clause.subtree
        )
    )


def _mark(doc: Any, clause: Any) -> Any | None:
    """The word that sets a clause against the main one, at its beginning."""
    first = clause.left_edge
    if first.lower_ == "even" and first.i + 1 < len(doc):
        first = doc[first.i + 1]
    is_behind = first.i > 0 and doc[first.i - 1].text == ","
    if first.lower_ in _AGAINST or (first.lower_ == "while" and is_behind):
        return first if first.dep_ in {"mark", "advmod"} else None
    return None
