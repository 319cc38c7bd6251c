"""Who does it to whom, by the parse of claim and sentence.

"Tarn Mills was bought by Ormsby" has the roles of "Ormsby bought the old Tarn Mills
from the town", and "Tarn Mills bought Ormsby" has them exchanged, however many other
words stand between. Told only where both have the same verb, and two things of the
claim stand in each other's role.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from claimscope.core.text.english import doc_of
from claimscope.core.verify.rules.comparison import Laid, WindowFinding, finding_of
from claimscope.core.verify.rules.exchanged_roles import SYMMETRIC
from claimscope.core.verify.token_alignment import AlignedText
from claimscope.core.verify.word_forms import stem

ALIGNED = 0.45
"""Least share of the claim's topic in a sentence that is parsed."""
LONGEST = 400
"""Characters of a sentence that is parsed."""
_NAMING = frozenset(("NOUN", "PROPN"))


@dataclass(frozen=True)
class Act:
    """A verb with who has which part in it."""

    verb: str
    """Its stem."""
    text: str
    """As it is written."""
    roles: dict[str, frozenset[str]]
    """"agent", "patient" or a preposition: stems of the names and nouns there."""


@dataclass(frozen=True)
class Turned:
    """Two things of a claim in each other's role."""

    verb: str
    one: str
    other: str


def role_findings(side: AlignedText, laid: Sequence[Laid]) -> Iterator[WindowFinding]:
    """A finding in the first of the nearest sentences that has the claim's verb with
    two of its parts exchanged, and no act as the claim has it."""
    if SYMMETRIC.search(side.text) or len(side.text) > LONGEST:
        return
    near = [
        one
        for one in laid[:3]
        if one.alignment >= ALIGNED and len(one.window.sentence.text) <= LONGEST
    ]
    for one in near:
        found = exchanged_arguments(side.text, one.window.sentence.text)
        if found is not None:
            message = (
                f"“{found.verb}”: {found.one} and {found.other} have each other's part"
                " on the page."
            )
            yield finding_of(
                "name",
                "conflict",
                found.one,
                found.other,
                message,
                one.window,
                veto=True,
            )
            return


def exchanged_arguments(claim: str, sentence: str) -> Turned | None:
    """What stands in exchanged roles; None where nothing does, or where the sentence
    also has it as the claim has ("A pays B, and B pays A")."""
    found: Turned | None = None
    said = acts(sentence)
    for mine in acts(claim):
        own = [one for one in said if one.verb == mine.verb]
        if any(_is_same(mine, theirs) for theirs in own):
            return None
        found = found or next(filter(None, (_exchange(mine, x) for x in own)), None)
    return found


def _is_same(mine: Act, theirs: Act) -> bool:
    """The agent does it to what the claim says, as its object or for its good."""
    agents = mine.roles.get("agent", frozenset()) & theirs.roles.get(
        "agent", frozenset()
    )
    return bool(agents) and bool(_objects(mine) & _objects(theirs))


def _objects(one: Act) -> frozenset[str]:
    both = (one.roles.get(role, frozenset()) for role in ("patient", "to"))
    return frozenset().union(*both)


def _exchange(mine: Act, theirs: Act) -> Turned | None:
    """Of the parts that are not the same in both, two that changed places."""
    shared = [
        role
        for role, names in mine.roles.items()
        if role in theirs.roles and not names & theirs.roles[role]
    ]
    for at, role in enumerate(shared):
        for other in shared[at + 1 :]:
            one = mine.roles[role] & theirs.roles[other]
            two = mine.roles[other] & theirs.roles[role]
            if one and two:
                return Turned(mine.text, min(one), min(two))
    return None


@lru_cache(maxsize=2048)
def acts(text: str) -> tuple[Act, ...]:
    """The verbs of a text with their parts; none without spaCy's English model."""
    doc = doc_of(text)
    if doc is None:
        return ()
    found = []
    for verb in doc:
        roles = _roles(verb) if verb.pos_ == "VERB" else {}
        if len(roles) > 1:
            found.append(Act(stem(verb.text.lower()), verb.text, roles))
    return tuple(found)


def _roles(verb: Any) -> dict[str, frozenset[str]]:
    roles: dict[str, frozenset[str]] = {}
    for child in verb.children:
        if child.dep_ == "nsubj":
            roles["agent"] = _names(child)
        elif child.dep_ in ("nsubjpass", "dobj"):
            roles["patient"] = _names(child)
        elif child.dep_ == "dative" and child.pos_ in _NAMING:
            roles["to"] = _names(child)
        elif child.dep_ in ("prep", "agent", "dative"):
            role = "agent" if child.dep_ == "agent" else child.text.lower()
            for thing in child.children:
                if thing.dep_ == "pobj":
                    roles[role] = _names(thing)
    if "agent" not in roles and verb.dep_ in ("xcomp", "conj"):
        # "has to pay", "came and paid": the subject is the other verb's.
        for child in verb.head.children:
            if child.dep_ == "nsubj":
                roles["agent"] = _names(child)
    return {role: names for role, names in roles.items() if names}


def _names(token: Any) -> frozenset[str]:
    """Stems of a noun, of what it is made of, and of what it is also called."""
    found = {stem(token.text.lower())} if token.pos_ in _NAMING else set()
    for child in token.children:
        if child.dep_ in ("compound", "appos", "flat"):
            found |= _names(child)
    return frozenset(found)
