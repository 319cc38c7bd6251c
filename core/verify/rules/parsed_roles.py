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
_IRREGULAR = {
    "sold": "sell",
    "lent": "lend",
    "bought": "buy",
    "got": "get",
    "gotten": "get",
    "gave": "give",
    "given": "give",
    "taught": "teach",
    "learnt": "learn",
    "led": "lead",
    "brought": "bring",
    "made": "make",
    "left": "leave",
    "arose": "arise",
    "arisen": "arise",
}
_SAME = {
    "hand": "give",
    "pass": "give",
    "present": "give",
    "loan": "lend",
    "purchase": "buy",
    "acquire": "buy",
    "get": "receive",
}
"""Verbs that are one act with another."""
_ACTS = {stem(word): stem(act) for word, act in _SAME.items()}
_LIGHT = frozenset(("tak", "took", "taken", "mak", "mad", "hav", "has", "had"))
"""Verbs that mean little: a bus takes pupils, pupils take the bus."""
_BE = frozenset("be is are was were been being 's".split())
_CONVERSES = (
    ("buy", "sell"),
    ("receive", "give"),
    ("borrow", "lend"),
    ("learn", "teach"),
)
CONVERSES = {stem(one): (stem(other), "from") for one, other in _CONVERSES}
"""An act, as the other side does it, and who that is."""


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
    if any(says_so(side.text, one.window.sentence.text) for one in near):
        return
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
    if says_so(claim, sentence):
        return None
    pairs = [(a, b) for a in acts(claim) for b in acts(sentence) if a.verb == b.verb]
    return next(filter(None, (_exchange(mine, theirs) for mine, theirs in pairs)), None)


def says_so(claim: str, sentence: str) -> bool:
    """Whether an act of the claim stands in the sentence as the claim has it."""
    return any(
        mine.verb == theirs.verb and _is_same(mine, theirs)
        for mine in acts(claim)
        for theirs in acts(sentence)
    )


def _is_same(mine: Act, theirs: Act) -> bool:
    """The agent does it to what the claim says, as its object or for its good, or
    before, after, with what the claim says."""
    if not _of(mine, "agent") & _of(theirs, "agent"):
        return False
    sides = set(mine.roles) - {"agent", "patient", "to"}
    beside = any(_of(mine, side) & _of(theirs, side) for side in sides)
    return beside or bool(_objects(mine) & _objects(theirs))


def _of(one: Act, role: str) -> frozenset[str]:
    return one.roles.get(role, frozenset())


def _objects(one: Act) -> frozenset[str]:
    return _of(one, "patient") | _of(one, "to")


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
        name = form_of(verb)
        if name in CONVERSES:
            name, roles = _turned(name, roles)
        if len(roles) > 1 and name not in _LIGHT:
            found.append(Act(name, verb.text, roles))
    return tuple(found)


def form_of(verb: Any) -> str:
    """The stem of a verb in all its forms, of verbs for the same act the same."""
    word = _IRREGULAR.get(verb.lower_, verb.lower_)
    base = stem(word)
    return _ACTS.get(base, base)


def is_be(token: Any) -> bool:
    return token.lower_ in _BE


def _turned(
    name: str, roles: dict[str, frozenset[str]]
) -> tuple[str, dict[str, frozenset[str]]]:
    """The act as the other side does it: who buys from somebody is sold it by him."""
    other, source = CONVERSES[name]
    turned = {role: names for role, names in roles.items() if role == "patient"}
    if "agent" in roles:
        turned["to"] = roles["agent"]
    if source in roles:
        turned["agent"] = roles[source]
    return other, turned


def _roles(verb: Any) -> dict[str, frozenset[str]]:
    roles: dict[str, frozenset[str]] = {}
    is_passive = any(child.dep_ == "auxpass" for child in verb.children)
    for child in verb.children:
        if child.dep_ == "dobj" and "patient" in roles and not is_passive:
            # "pays the harbour a fee": the parse calls both of them objects.
            roles.setdefault("to", roles["patient"])
        if child.dep_ == "nsubjpass" or child.dep_ == "dobj":
            roles["patient"] = _names(child)
        elif child.dep_ == "dative" and child.pos_ in _NAMING:
            roles["to"] = _names(child)
        elif child.dep_ in ("prep", "agent", "dative"):
            is_agent = child.dep_ == "agent" or (is_passive and child.lower_ == "by")
            role = "agent" if is_agent else child.lower_
            for thing in child.children:
                if thing.dep_ == "pobj":
                    roles[role] = _names(thing)
    for child in verb.children:
        # "has bought a stake in the mill from Ormsby", "is given a copy by the town":
        # the parse may lay the giver to the thing.
        if child.dep_ == "dobj":
            for name, thing in _sides_of(child):
                role = "agent" if is_passive and name == "by" else name
                roles.setdefault(role, _names(thing))
    subject = subject_of(verb)
    if subject is not None and subject.dep_ != "nsubjpass":
        if not is_passive:
            roles.setdefault("agent", _names(subject))
        else:
            # "is to be given the key": the receiver, else what it is done to.
            roles.setdefault("to" if "patient" in roles else "patient", _names(subject))
    return {role: names for role, names in roles.items() if names}


def _sides_of(thing: Any) -> Iterator[tuple[str, Any]]:
    """("from", "to" or "by", the noun behind it) in what belongs to a noun."""
    for token in thing.subtree:
        if token.dep_ in ("prep", "agent") and token.lower_ in ("from", "to", "by"):
            for name in token.children:
                if name.dep_ == "pobj" and name.pos_ in _NAMING:
                    yield token.lower_, name


def subject_of(verb: Any) -> Any | None:
    """The noun that is the subject of a verb: its own, that of the verb it depends on
    ("has to pay"), or what a "who", "that" or "what" in its place stands for ("it is
    the town that pays", "the town is what pays")."""
    own = next(
        (one for one in verb.children if one.dep_ in ("nsubj", "nsubjpass", "csubj")),
        None,
    )
    if own is None:
        if verb.dep_ == "acl":
            return _misread_subject(verb)
        if verb.dep_ not in ("xcomp", "conj"):
            return None
        subjects = (one for one in verb.head.children if one.dep_.startswith("nsubj"))
        return next(subjects, None)
    if own.lower_ not in ("who", "that", "which", "what"):
        return own
    if verb.dep_ == "relcl":
        named = verb.head
        if named.lower_ in ("one", "ones") and is_be(named.head):
            # "the town is the one that pays"
            others = [one for one in named.head.children if one.dep_ == "nsubj"]
            return next((one for one in others if one.i != named.i), None)
        return named
    if is_be(verb.head):
        others = (one for one in verb.head.children if one.dep_ in ("nsubj", "attr"))
        return next((one for one in others if one.pos_ in _NAMING), None)
    return None


def _misread_subject(verb: Any) -> Any | None:
    """ "A shortage of flour led to the strike" is read as a noun with a participle; it
    is a sentence where there is no other verb."""
    top = verb.head
    while top.dep_ in ("pobj", "prep"):
        top = top.head
    return top if top.dep_ == "ROOT" and top.pos_ in _NAMING else None


def _names(token: Any) -> frozenset[str]:
    """Stems of a noun, of what it is made of, and of what it is also called."""
    found = {stem(token.text.lower())} if token.pos_ in _NAMING else set()
    for child in token.children:
        if child.dep_ in ("compound", "appos", "flat"):
            found |= _names(child)
    return frozenset(found)
