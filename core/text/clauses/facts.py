"""Sentences with several facts, taken apart by their grammar.

"The ferry, which carries 40 cars, sails every hour and costs 12 crowns" says three
things, each true or false by itself. What is taken apart here shares its subject, its
verb or both: clauses and names set off by commas, verbs and things joined by "and".
Each statement is read again until it says one thing. What may hold for all parts (a
condition, an introduction, a "never", an "either") keeps them together.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from claimscope.core.text.clauses.appositions import ASIDES, aside, kind
from claimscope.core.text.clauses.assembly import assemble, within
from claimscope.core.text.clauses.contrast import contrast
from claimscope.core.text.clauses.coordination import coordinated_statements
from claimscope.core.text.clauses.grammar import root_of
from claimscope.core.text.clauses.joined_verbs import verbs_of
from claimscope.core.text.linguistics import LONGEST, parse
from claimscope.core.text.readable import Plain

# spaCy's objects are untyped here: Doc and Token appear as Any.

MOST = 20
"""Facts of a sentence; one with more is a list, and stays whole."""
DEPTH = 5
"""How often what was taken apart is read again."""


@lru_cache(maxsize=4096)
def facts(text: str) -> tuple[Plain, ...]:
    """Statements that say together what `text` says; it alone where it says one thing
    or nothing can be told apart. Words are those of the text, but for a form of "to
    be"; origins are offsets in it."""
    whole = Plain(text, tuple(range(len(text))))
    if len(text) > LONGEST:
        return (whole,)
    found = _apart(whole, DEPTH)
    return found if len(found) <= MOST else (whole,)


def _apart(whole: Plain, depth: int) -> tuple[Plain, ...]:
    found = _once(whole.text) if depth else ()
    if len(found) < 2 or any(one.text == whole.text for one in found):
        return (whole,)
    told: list[Plain] = []
    for one in found:
        told += _apart(within(one, whole), depth - 1)
    return tuple(told)


def _once(text: str) -> tuple[Plain, ...]:
    """What one reading tells apart; nothing or one statement where it tells nothing."""
    beside = aside(text)
    if beside is not None:
        return beside
    doc: Any = parse(text)
    root = root_of(doc)
    if root is None:
        return ()
    for rule in (kind, _by_verbs, contrast, coordinated_statements):
        found = rule(doc, root)
        if len(found) > 1:
            return found
    return ()


def _by_verbs(doc: Any, root: Any) -> tuple[Plain, ...]:
    """What is said in passing, and the verbs that share the subject."""
    cut: set[int] = set()
    said: list[Plain] = []
    for read in ASIDES:
        tokens, more = read(doc, root)
        if cut.isdisjoint(tokens):
            cut |= tokens
            said += more
    if root.i in cut:
        return ()
    parts = list(verbs_of(doc, root, cut))
    parts = parts or [assemble([token for token in doc if token.i not in cut])]
    return tuple(part for part in (*parts, *said) if part.text)
