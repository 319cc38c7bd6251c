"""What a sentence compares: "A is lighter than B", "C has the most seats of all".

Read from spaCy's parse: the scale (weight, price, number of seats), which side has more
of it, and by how much. "B is heavier than A" and "A is lighter than B" are one
comparison, "A is less heavy than B" too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any, Literal

from claimscope.core.text.english import doc_of
from claimscope.core.verify.word_forms import stem, words

LONGEST = 300
"""Characters of a sentence that is parsed."""

# scale | what has more of it | what has less | nouns and verbs that name it | units
_SCALES = """
price | expensive dear costly pricey | cheap inexpensive | price cost fare fee rate charge | dollar euro pound pounds yen franc
weight | heavy | light lightweight | weight weigh mass | mass
size | large big great spacious roomy | small tiny compact | size area capacity volume hold | *
length | long | short brief | length duration time last take run | length time
height | tall | | height altitude elevation rise stand | length
depth | deep | shallow | depth | length
width | wide broad | narrow | width breadth | length
thickness | thick | thin | thickness | length
distance | far distant | near close | distance | length
level | high steep | low | level rate share score | *
slowness | slow | fast quick rapid speedy swift | finish | time -speed
age | old ancient | young new recent modern | built founded opened launched born made introduced dated date erected established completed finished oldest newest youngest | date time
lateness | late | early | date time year start begin open close leave arrive end | date
warmth | hot warm | cold cool chilly | temperature | temperature
noise | loud noisy | quiet silent | noise sound level | *
power | powerful strong | weak | power output | *
number | many much numerous | few little | number count | *
frequency | often frequent common | rare seldom rarely | | *
"""  # noqa: E501 - one scale a line
_IRREGULAR = {
    "more": "many",
    "most": "many",
    "fewer": "few",
    "fewest": "few",
    "less": "little",
    "least": "little",
    "farther": "far",
    "further": "far",
    "farthest": "far",
    "furthest": "far",
    "elder": "old",
    "eldest": "old",
    "latest": "recent",
    "latter": "",
}
ORDER = "order"
"""The scale of before and after; it has no figures."""
_ORDER = {"before": -1, "after": 1}
_MORE, _LESS = frozenset(("more", "most")), frozenset(("less", "least"))
_SUBJECTS = frozenset(("nsubj", "nsubjpass", "csubj", "csubjpass"))
_NAMING = frozenset(("NOUN", "PROPN", "ADJ", "NUM", "X", "VERB", "SYM"))
_PLACED = re.compile(
    r"(?i)\b(second|third|fourth|fifth|2nd|3rd)[ -]+(?:most|least|\w+est)\b"
)
_RANKS = {"second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "fifth": 5}
_NOBODY = frozenset("no none nobody nothing neither".split())
_WEAK = frozenset(
    "one ones that those the a an of in on at any other others else all each two three"
    " four five six both whole".split()
)


@dataclass(frozen=True)
class Scale:
    """What things have more or less of."""

    name: str
    names: frozenset[str]
    """Stems of nouns and verbs that name it."""
    dimensions: dict[str, int]
    """Dimensions of its figures: 1, or -1 where a higher figure is less of it; "*" any,
    "date" a year or day, of which the earlier is more of age."""


@dataclass(frozen=True)
class Comparison:
    """One side has more of a scale than the other, or most of all."""

    scale: str
    sign: Literal[-1, 1]
    """1: the left side has more."""
    noun: frozenset[str]
    """Stems of what is counted or has the property: "fewer seats", "smaller files"."""
    left: frozenset[str]
    """Stems of one side."""
    right: frozenset[str]
    """Stems of the other; empty when it is all the rest."""
    rank: int = 0
    """Of superlatives: 1 for the most, 2 for the second."""
    start: int = 0
    """Where the comparing word stands."""
    taken: frozenset[str] = frozenset()
    """Stems that are accounted for: the sides, the comparing word, its noun."""
    of_two: bool = False
    """"The longer of the two": the other side is not named."""
    is_past: bool = False
    """Its verb stands in the past."""

    @property
    def is_superlative(self) -> bool:
        return self.rank > 0


@cache
def scales() -> dict[str, tuple[Scale, int]]:
    """(scale, sign) by adjective or adverb."""
    found: dict[str, tuple[Scale, int]] = {}
    for line in _SCALES.strip().splitlines():
        name, more, less, names, units = (part.split() for part in line.split("|"))
        dimensions = {one.lstrip("-"): -1 if one[0] == "-" else 1 for one in units}
        scale = Scale(name[0], frozenset(map(stem, names)), dimensions)
        for adjectives, sign in ((more, 1), (less, -1)):
            for word in adjectives:
                found.setdefault(word, (scale, sign))
    return found


def scale_of(one: Comparison) -> Scale:
    """What the sides have more or less of: "the lowest price" is on the scale of
    prices."""
    scale = scale_named(one.scale)
    if one.scale in ("level", "size", "number"):
        others = (x for x, _ in scales().values() if x.name not in _OPEN_SCALES)
        return next((x for x in others if x.names & one.noun), scale)
    return scale


_OPEN_SCALES = ("level", "size", "number", "frequency")


@cache
def scale_named(name: str) -> Scale:
    """The scale of a name that `Comparison.scale` has."""
    return next(one for one, _ in scales().values() if one.name == name)


def base_of(word: str) -> str | None:
    """The positive form of a comparative or superlative that is on a scale.

    >>> base_of("heavier"), base_of("biggest"), base_of("later"), base_of("water")
    ('heavy', 'big', 'late', None)
    """
    low = word.lower()
    if low in _IRREGULAR:
        return _IRREGULAR[low] or None
    if low.endswith("ly") and low.removesuffix("ly") in scales():
        return low.removesuffix("ly")
    for ending in ("est", "er"):
        if low.endswith(ending) and len(low) > len(ending) + 2:
            core = low.removesuffix(ending)
            ways = (core, core + "e", core[:-1], core[:-1] + "y")
            for way in ways:
                if way in scales() and (way != core[:-1] or core[-1:] == core[-2:-1]):
                    return way
    return None


@lru_cache(maxsize=4096)
def comparisons(text: str) -> tuple[Comparison, ...]:
    """What a sentence compares; nothing without spaCy's English model, where it
    denies, or where a side is a figure."""
    if len(text) > LONGEST or not _COMPARES.search(text) or OPEN.search(text):
        return ()
    doc = doc_of(text)
    if doc is None:
        return ()
    found: list[Comparison] = [*_first_or_last(text)]
    for token in doc:
        degree = _degree(token)
        if degree is not None:
            one = _read(token, degree, doc, found)
        elif token.lower_ in _ORDER:
            one = _order(token)
        else:
            continue
        verb = _clause(token)
        if one is None or verb is None or verb.dep_ in _SUBORDINATE:
            continue
        forms = [verb, *(x for x in verb.children if x.dep_ in ("aux", "auxpass"))]
        # "Has been taller": it was, and may not be any more.
        is_past = any(x.tag_ == "VBD" for x in forms) or any(
            x.lower_ in ("has", "have") for x in forms[1:]
        )
        nearby = {x.lower_ for x in doc[token.i : token.i + 2] if base_of(x.lower_)}
        taken = (
            one.taken | (_class_of(doc) - one.left) | {token.lower_, "than"} | nearby
        )
        found.append(replace(one, taken=taken, is_past=is_past))
    return tuple(found)


OPEN = re.compile(
    r"(?i)\b(?:if|unless|when|whenever|whether|until|should|must|may|might|can|could"
    r"|would|will|shall|used to|once|formerly|no longer|rarely|seldom|sometimes|hardly"
    r"|almost|nearly|often|usually|supposedly|allegedly|reportedly|probably|perhaps"
    r"|seems?|appears?|looks?|supposed|far from|(?:has|have|had|needs?|is|are) to"
    r"|becom\w+|getting|gets? \w+er|but one|but for|up to|myth|false|believe\w*"
    r"|doubt\w*|claims?|thinks?|says?|said|feels?|expect\w*"
    r"|than (?:expected|before|usual|planned|ever|necessary|needed))\b|\?"
    r"|\b(?:one|some|two|three|few|several|among|amongst)(?: of)? (?:the|its|our|their)"
    r" (?:[\w-]+ ){0,2}?(?:most|least|\w+est)\b"
)
"""What is compared under a condition, as a rule or hearsay, or as one of several, is no
fact that another sentence can be held against."""
_OF_TWO = re.compile(r"(?i)\bof (?:\S+ ){0,3}(?:two|2)\b")
_AMONG = frozenset(("of", "among", "amongst", "between"))
_HAVING = frozenset(
    "is are was were be been has have had having offers offer offered gives give gave"
    " takes take took gets get got comes come came shows show showed reached reaches"
    " boasts charges charged".split()
)
"""Verbs with which a thing has the property of its object."""
_SUBORDINATE = frozenset(
    ("ccomp", "advcl", "acl", "relcl", "pcomp", "csubj", "parataxis")
)
_COMPARES = re.compile(
    r"(?i)\b(?:than|before|after|more|less|fewer|most|least|\w+er|\w+est|first|last)\b"
)


_ORDERED = re.compile(
    r"(?:^|[,:] )(?P<left>[^,:]+?) (?:is|was|were|are|became) the (?P<place>first|last)"
    r" (?:of (?:the |all )?[\w ]{1,30} )?to (?:be )?(?P<verb>\w+)\b",
    re.I,
)


def _first_or_last(text: str) -> Iterator[Comparison]:
    """ "The mill was the last to open"."""
    for match in _ORDERED.finditer(text):
        left = frozenset(x.stem for x in words(match["left"]) if not x.is_stop)
        if not left:
            continue  # "it was the last to open"
        sign: Literal[-1, 1] = 1 if match["place"].lower() == "last" else -1
        verb = stem(match["verb"])
        taken = left | {stem(match["place"]), match["place"].lower(), verb, "to"}
        yield Comparison(
            "lateness", sign, frozenset((verb,)), left, frozenset(), 1, taken=taken
        )


def _order(token: Any) -> Comparison | None:
    """ "The inner group runs before the outer one": no figures tell, but a page may say
    it the other way round."""
    subject = _subject(token)
    right_tokens = [x for x in token.subtree if x != token]
    is_behind = bool(right_tokens) and right_tokens[0].i > token.i
    if subject is None or subject.i > token.i or not is_behind:
        return None
    own = [x for x in right_tokens if x.lower_ not in _WEAK]
    if any(x.like_num or x.pos_ in ("NUM", "PRON", "VERB") for x in own):
        return None
    left, right = _stems(subject.subtree), _stems(right_tokens)
    if not left or not right or _denies(subject, token):
        return None
    taken = left | right | {token.lower_, stem(token.lower_)}
    sign = _ORDER[token.lower_]
    return Comparison(ORDER, _sign(sign), frozenset(), left, right, taken=taken)


def _class_of(doc: Any) -> frozenset[str]:
    """ "Of the three packages": what the things are that are compared."""
    found = frozenset[str]()
    for token in doc:
        if token.lower_ in _AMONG and token.pos_ == "ADP":
            own = [x for x in token.subtree if x != token]
            if any(x.like_num for x in own[:4]) and len(own) <= 6:
                found |= _stems(own) | {x.lower_ for x in own}
    return found


def _degree(token: Any) -> Literal["more", "most"] | None:
    low = token.text.lower()
    if low in _MORE | _LESS or base_of(low):
        # "more expensive": the adjective follows and is read with it.
        before = token.nbor(-1).lower_ if token.i else ""
        if before in ("at", "no", "not"):  # "at least 5", "no more than 5"
            return None
        if low in ("most", "least") and before != "the":
            return None  # "in most winters"
        if low.endswith("est") or low in ("most", "least", "fewest", "latest"):
            return "most"
        if token.tag_ in ("JJR", "RBR") or low in ("more", "less", "fewer"):
            return "more"
    return None


def _read(
    token: Any, degree: str, doc: Any, before: list[Comparison]
) -> Comparison | None:
    low = token.text.lower()
    words = [token]
    sign = 1
    following = doc[token.i + 1] if token.i + 1 < len(doc) else None
    base = base_of(low)
    if low in _MORE | _LESS and following is not None:
        plain = following.lower_.removesuffix("ly")
        if plain in scales() and following.pos_ in ("ADJ", "ADV"):
            words.append(following)
            base = plain
            sign = -1 if low in _LESS else 1
        elif low in _MORE | _LESS and following.pos_ in ("ADJ", "ADV", "VERB"):
            return None  # "more comfortable": on no scale of ours
    if base is None or base not in scales():
        return None
    scale, turn = scales()[base]
    sign *= turn
    than = next((x for x in doc[token.i : token.i + 14] if x.lower_ == "than"), None)
    noun = _noun_of(words[-1], than, doc)
    if scale.name == "number" and not noun:
        scale = _scale_of_verb(token) or scale
    name = scale.name
    if degree == "most":
        return _superlative(_Compared(token, name, _sign(sign), noun, words))
    if (
        than is None
        and before
        and before[-1].right
        and doc[token.i - 1].lower_ != "the"
    ):
        return _second(token, before[-1], name, sign, noun)
    return _comparative(_Compared(token, name, _sign(sign), noun, words), than)


def _second(
    token: Any, first: Comparison, scale: str, sign: int, noun: frozenset[str]
) -> Comparison | None:
    """ "A is slower than B but gives smaller files": of the same two."""
    subject = _subject(token)
    if subject is None:
        return None
    own = _stems(subject.subtree)
    is_same = bool(own & first.left) or any(
        x.lower_ in ("it", "its", "they", "their") for x in subject.subtree
    )
    if not is_same or _denies(subject, token):
        return None
    noun = noun or (own - first.left)
    sides = first.left | first.right
    taken = noun | sides | {stem(token.lower_)}
    return replace(
        first, scale=scale, sign=_sign(sign), noun=noun, start=token.idx, taken=taken
    )


def _noun_of(word: Any, than: Any | None, doc: Any) -> frozenset[str]:
    """What has the property: the noun that the adjective stands before."""
    if word.dep_ in ("amod", "nmod", "quantmod", "advmod", "compound"):
        head = word.head
        is_after = head.i > word.i and (than is None or head.i < than.i)
        if is_after and head.pos_ in ("NOUN", "PROPN"):
            own = [head, *(x for x in head.children if x.dep_ == "compound")]
            return frozenset(stem(x.lower_) for x in own if x.i > word.i)
    return frozenset()


def _scale_of_verb(token: Any) -> Scale | None:
    """ "Costs more than", "weighs less than"."""
    verb = _clause(token)
    name = stem(verb.lower_) if verb is not None else ""
    known = {one.name: one for one, _ in scales().values()}
    for key in ("price", "weight", "length"):
        if name in known[key].names:
            return known[key]
    return None


def _clause(token: Any) -> Any | None:
    """The verb of its clause: the nearest head with a subject."""
    while True:
        if any(x.dep_ in _SUBJECTS for x in token.children):
            return token
        if token.head == token:
            return None
        token = token.head


def _subject(token: Any) -> Any | None:
    verb = _clause(token)
    if verb is None:
        return None
    return next(x for x in verb.children if x.dep_ in _SUBJECTS)


def _is_object(token: Any) -> bool:
    return bool(token.head.dep_ == "dobj")


def _has(verb: Any, scale: str, noun: frozenset[str]) -> bool:
    """Whether the subject has the property of its object: "recorded the lowest rate",
    "has the oldest clock"."""
    is_measure = bool(noun & scale_named(scale).names)
    return scale in _OPEN_SCALES or is_measure or verb.lower_ in _HAVING


def _whole_name(head: Any) -> list[Any]:
    """A noun with what belongs to it, up to a comma, a bracket or another thing."""
    found: list[Any] = []
    for token in head.subtree:
        is_other = token.dep_ in ("conj", "cc", "appos") and token.i > head.i
        if token.i > head.i and (token.is_punct or is_other):
            break
        found.append(token)
    return found


def _stems(tokens: Any) -> frozenset[str]:
    return frozenset(
        stem(x.lower_.removesuffix("'s"))
        for x in tokens
        if (x.pos_ in _NAMING or x.lower_.isalnum() and not x.is_stop)
        and x.lower_ not in _WEAK | _NOBODY
        and not x.is_punct
    )


@dataclass(frozen=True)
class _Compared:
    """A comparing word, with what it says of which noun."""

    token: Any
    scale: str
    sign: Literal[-1, 1]
    noun: frozenset[str]
    words: list[Any]
    """The word, and the adjective behind "more"."""


def _comparative(of: _Compared, than: Any | None) -> Comparison | None:
    token, scale, sign, noun, words = of.token, of.scale, of.sign, of.noun, of.words
    doc = token.doc
    subject = _subject(token)
    if subject is None:
        return None
    taken = frozenset(stem(x.lower_) for x in words) | noun
    if than is None:
        is_of_two = token.i > 0 and doc[token.i - 1].lower_ == "the"
        is_of_two = is_of_two or _OF_TWO.search(doc.text) is not None
        if not is_of_two or noun or _denies(subject, token):
            return None
        left = _stems(subject.subtree) - taken
        one = Comparison(scale, sign, noun, left, frozenset(), 0, token.idx)
        return replace(one, taken=taken | left, of_two=True) if left else None
    right_tokens = [x for x in than.subtree if x != than]
    if not right_tokens:
        end = next((x.i for x in doc[than.i + 1 :] if x.is_punct), len(doc))
        right_tokens = list(doc[than.i + 1 : end])
    left_tokens = [x for x in subject.subtree if x.i < than.i and x not in words]
    preposition = right_tokens[0] if right_tokens[0].pos_ == "ADP" else None
    if preposition is not None:
        # "larger with A than with B": the sides stand after the prepositions.
        same = [x for x in doc[: than.i] if x.lower_ == preposition.lower_]
        same += [x for x in doc[: than.i] if x.pos_ == "ADP" and not same]
        if not same:
            return None
        side = same[-1]
        left_tokens = [x for x in side.subtree if x != side and x.i < than.i]
        if not noun and side not in list(subject.subtree):
            noun = _stems(subject.subtree)
            taken |= noun
        right_tokens = [x for x in right_tokens if x != preposition]
    else:
        clause = next((x for x in right_tokens if x.dep_ in _SUBJECTS), None)
        if clause is not None:
            right_tokens = list(clause.subtree)
    left, right = _stems(left_tokens) - taken, _stems(right_tokens) - taken
    is_figure = right_tokens[0].like_num or right_tokens[0].pos_ in ("NUM", "SYM")
    if not right or is_figure or (scale == "number" and not noun):
        return None
    if subject.lower_ in _NOBODY or any(x.lower_ in _NOBODY for x in subject.subtree):
        # "No summit is higher than A": A is the highest, or as high as the highest.
        noun = noun or _stems(subject.subtree)
        one = Comparison(scale, sign, noun, right, frozenset(), 1, token.idx)
        return replace(one, taken=taken | right | left | _NOBODY)
    if not left or _denies(subject, token):
        return None
    one = Comparison(scale, sign, noun, left, right, 0, token.idx)
    return replace(one, taken=taken | left | right)


def _superlative(of: _Compared) -> Comparison | None:
    token, scale, noun = of.token, of.scale, of.noun
    subject = _subject(token)
    if subject is None or _denies(subject, token):
        return None
    verb = subject.head
    taken = frozenset(stem(x.lower_) for x in of.words)
    inside = list(subject.subtree)
    if token in inside:
        # "The cheapest plan is A": what it is stands after the verb.
        after = [x for x in verb.children if x.dep_ in ("attr", "oprd", "acomp")]
        left_tokens = _whole_name(after[0]) if after else []
        noun = noun or (_stems(inside) - taken)
    elif _is_object(token) and not _has(verb, scale, noun):
        return None  # "deletes the oldest backup"
    else:
        left_tokens = _whole_name(subject)
    left = _stems(left_tokens) - taken - noun
    place = _PLACED.search(token.doc.text)
    rank = _RANKS[place[1].lower()] if place and place.end() >= token.idx else 1
    if not left or (scale == "number" and not noun):
        return None
    one = Comparison(scale, of.sign, noun, left, frozenset(), rank, token.idx)
    return replace(one, taken=taken | left | noun | frozenset(_RANKS))


def _denies(subject: Any, token: Any) -> bool:
    verb = subject.head
    own = [x.lower_ for x in verb.children if x.dep_ == "neg"]
    return bool(own) or any(x.dep_ == "neg" for x in token.children)


def _sign(sign: int) -> Literal[-1, 1]:
    return 1 if sign > 0 else -1
