"""Sentences with several facts, taken apart by their grammar.

"The ferry, which carries 40 cars, sails every hour and costs 12 crowns" says three
things, each true or false by itself. What is taken apart here shares its subject, its
verb or both: clauses, names and participles set off by commas, clauses set against each
other, what is added to a fact, items behind a colon, verbs and things joined by "and".
Each statement is read again until it says one thing. What may hold for all parts (a
condition, an introduction, a "never", an "either") keeps them together.

A fact may name what a word stands for and must neither add nor lose anything else:
words that were added or lost are counted here.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache
from typing import Any

from claimscope.core.text.clauses.appositions import (
    ASIDES,
    split_aside,
    split_inverted,
    split_kind,
)
from claimscope.core.text.clauses.assembly import assemble, map_origins
from claimscope.core.text.clauses.coordination import coordinated_statements
from claimscope.core.text.clauses.elaborations import elaborations
from claimscope.core.text.clauses.inline_lists import split_inline_list
from claimscope.core.text.clauses.joined_verbs import split_joined_verbs
from claimscope.core.text.linguistics import (
    LONGEST,
    SUBJECTS,
    is_conditional,
    parse_statement,
    resolve_clear_pronoun,
    root_of,
    subject_phrase,
)
from claimscope.core.text.readable import MappedText

_OBJECTS = frozenset({"dobj", "attr"})
_LEANING = frozenset(
    """one ones so same other others it its they them their he him his she her this that
    these those""".split()
)
"""Words that stand for what the other clause names."""
_AGAINST = frozenset({"whereas", "although", "though"})
MOST = 20
"""Facts of a sentence; one with more is a list, and stays whole."""
DEPTH = 5
"""How often what was taken apart is read again."""
_WORD = re.compile(r"[^\W_]+(?:[.,]\d+)*")  # an underscore may be a mark of emphasis
_FUNCTION_WORDS = frozenset(
    """a an the and but so or of to in on at by for with from as is are was were be been
    it its they their he his she her this that these those which who whom whose while
    whereas although though even also then there""".split()
)
_COPULAS = frozenset("is are was were has a an s".split())
"""Words that a statement may need of its own."""


@lru_cache(maxsize=4096)
def split_facts(text: str) -> tuple[MappedText, ...]:
    """Statements that say together what `text` says; it alone where it says one thing
    or nothing can be told apart. Words are those of the text, but for a form of "to
    be"; origins are offsets in it."""
    whole = MappedText(text, tuple(range(len(text))))
    if len(text) > LONGEST:
        return (whole,)
    found = _split_again(whole, DEPTH)
    return found if len(found) <= MOST else (whole,)


def _split_again(whole: MappedText, depth: int) -> tuple[MappedText, ...]:
    if not depth:
        return (whole,)
    found = _split_once(whole.text)
    if found:
        told: list[MappedText] = []
        for one in found:
            told += _split_again(map_origins(one, whole), depth - 1)
        return tuple(told)
    doc: Any = parse_statement(whole.text)
    root = root_of(doc)
    added = None if root is None else elaborations(doc, root)
    if added is not None:
        core = _split_again(map_origins(added.core, whole), depth - 1)
        others = [*added.others]
        for text, start in added.listing:
            others += _told_apart_behind(text, start)
        return (*core, *(map_origins(one, whole) for one in others))
    members = () if root is None else coordinated_statements(doc, root)
    if len(members) < 2:
        return (whole,)
    return tuple(
        part
        for one in members
        for part in _split_again(map_origins(one, whole), depth - 1)
    )


def _told_apart_behind(one: MappedText, start: int) -> tuple[MappedText, ...]:
    """One statement for each thing that an addition lists; it alone where it lists
    none."""
    doc: Any = parse_statement(one.text)
    root = root_of(doc)
    found = () if root is None else coordinated_statements(doc, root, behind=start)
    return tuple(map_origins(fact, one) for fact in found) or (one,)


def _split_once(text: str) -> tuple[MappedText, ...]:
    """What one reading tells apart; empty where it tells nothing."""
    for read in (split_aside, split_inline_list):
        told = read(text)
        if told:
            return told
    doc: Any = parse_statement(text)
    root = root_of(doc)
    if root is None:
        return ()
    for rule in (split_kind, split_inverted, _by_verbs, split_contrast):
        found = rule(doc, root)
        if len(found) > 1 and not any(one.text == text for one in found):
            return found
    return ()


def _by_verbs(doc: Any, root: Any) -> tuple[MappedText, ...]:
    """What is said in passing, and the verbs that share the subject."""
    cut: set[int] = set()
    said: list[MappedText] = []
    for read in ASIDES:
        tokens, more = read(doc, root)
        if cut.isdisjoint(tokens):
            cut |= tokens
            said += more
    if root.i in cut:
        return ()
    parts = list(split_joined_verbs(doc, root, cut))
    kept = [token for token in doc if token.i not in cut]
    parts = parts or [assemble(kept, begins=kept[0].i > 0 and kept[0].is_lower)]
    return tuple(part for part in (*parts, *said) if part.text)


def split_contrast(doc: Any, root: Any) -> tuple[MappedText, ...]:
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
    first, last = clause.left_edge.i, clause.right_edge.i
    own = list(doc[mark.i + 1 : last + 1])
    name = _name_of_pronoun(root, own) if first else []
    if _needs_other_clause(clause, own[: bool(name)]):
        return ()
    if is_conditional(doc, besides=mark):
        return ()
    own = [*name, *own[bool(name) :]]
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


def _name_of_pronoun(root: Any, own: list[Any]) -> list[Any]:
    """Words of the main subject, where the clause opens with a pronoun for it."""
    known = subject_phrase(root)
    if known is None or own[0].tag_ != "PRP":
        return []
    subject, phrase = known
    text = own[0].text.capitalize() + " " + own[-1].text
    return list(phrase) if resolve_clear_pronoun(text, subject) else []


def _needs_other_clause(clause: Any, named: list[Any]) -> bool:
    """Does a clause need the other to be understood? "it did not", "the other 1.4"."""
    subjects = [child for child in clause.children if child.dep_ in SUBJECTS]
    return (
        len(subjects) != 1
        or (subjects[0].pos_ in {"PRON", "NUM", "DET", "ADJ"} and not named)
        or all(child.dep_ in {"neg", "punct"} for child in clause.rights)
        or any(
            (token.pos_ == "NUM" and token.dep_ in _OBJECTS) or token.lower_ in _LEANING
            for token in clause.subtree
            if token not in named
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


def added_words(claim: str, source: str) -> list[str]:
    """Numbers and names of a claim that do not occur in the text it was taken from."""
    known = {word.casefold() for word in _WORD.findall(source)}
    return [
        word
        for place, word in enumerate(_WORD.findall(claim))
        if (word[0].isdigit() or (place and word[0].isupper()))
        and word.casefold() not in known
    ]


def claim_key(claim: str) -> str:
    """Equal for equal claims: case, stops and emphasis aside; signs and units count."""
    words = (word.strip(".,;:!?…\"'“”‘’*_`") for word in claim.casefold().split())
    return " ".join(word for word in words if word)


def lost_words(claims: Collection[str], source: str) -> list[str]:
    """Content words of a sentence that none of its claims keeps."""
    kept = {word.casefold() for claim in claims for word in _WORD.findall(claim)}
    return [
        word
        for word in _WORD.findall(source)
        if word.casefold() not in kept and word.casefold() not in _FUNCTION_WORDS
    ]


def split_without_loss(text: str) -> tuple[MappedText, ...]:
    """The facts of a text; itself where one of its words would be lost or new."""
    found = split_facts(text)
    known = {word.casefold() for word in _WORD.findall(text)}
    told = {word.casefold() for one in found for word in _WORD.findall(one.text)}
    is_kept = not (
        told - known - _COPULAS or lost_words([one.text for one in found], text)
    )
    return found if is_kept else (MappedText(text, tuple(range(len(text)))),)
