"""Pairs whose claim is near to a statement of the passage, as sentences of real answers
are: a part of it, other words for some of its words, and in half of them one fault.

True and false claims are changed alike, so that a change of words says nothing; what is
false has another figure, an opposite, two things exchanged, or a verb denied besides.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from benchmarks.quality.entailment.material import (
    Pair,
    denied,
    exchanged,
    filled,
    frames,
    is_held_out,
    other_figure,
    said_of,
)
from claimscope.core.verify.normalisation import canonical
from claimscope.core.verify.statements import join_statements, statements
from claimscope.core.verify.witnesses.lexicon import WORDS

_FIGURE = re.compile(
    r"(?<![\w.,-])[€$£]?\d[\d.,:]*\d|(?<![\w.,-])[€$£]?\d(?![\w-]|[.,]\d)"
)
_BRACKETS = re.compile(r"\s*\([^()]{1,60}\)")
_WHICH = re.compile(
    r", (?:which|who)\b[^,;]{3,80},(?= )|, (?:which|who)\b[^,;]{3,80}(?=\.?$)"
)
_LEFT = frozenset("one ones have has had do does did get gets got be there so".split())
"""Words that mostly mean nothing of their own."""
_HEADS = (
    "Overview;Details;Getting started;Requirements;Limits;Prices;Tickets;Opening hours;"
    "Access;Contact;History;Background;Results;Methods;Dosage;Warnings;Storage;Export;"
    "Plans;Rules;Fees;Policies;Working time;Travel;Maintenance;Safety;Settings;Network;"
    "Permissions;Backups;Known limits;Programme;Registration;Exams;Courses;Membership;"
    "Staff;Facilities;Delivery;Returns;Guarantee;Notes;Questions and answers;Summary"
).split(";")


@cache
def table() -> dict[tuple[str, str, str], list[str]]:
    """(kind, tag, word): other words."""
    found: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for line in WORDS.read_text("utf-8").splitlines():
        tag, one, other, kind = line.split("\t")
        found[kind, tag, one].append(other)
    return dict(found)


@cache
def parser() -> Any:
    """The English pipeline that the product uses."""
    import spacy

    from claimscope.core.text.english import model_path

    return spacy.load(str(model_path()), exclude=["ner"])


def replaced(text: str, places: Sequence[tuple[int, int, str]]) -> str:
    """The text with other words at some places, "a" or "an" as they ask."""
    for start, end, other in sorted(places, reverse=True):
        text = text[:start] + other + text[end:]
    text = re.sub(r"\b([Aa])n(?= [^aeiouAEIOU\W])", r"\1", text)
    return re.sub(r"\b([Aa])(?= [aeiouAEIO])", r"\1n", text)


def places(doc: Any, kind: str, chance: random.Random) -> list[tuple[int, int, str]]:
    """Where a word of the table stands, with one for its place."""
    found = []
    for token in doc:
        others = table().get((kind, token.tag_, token.text.lower()))
        if others and token.pos_ != "AUX" and token.text.lower() not in _LEFT:
            other = chance.choice(others)
            if token.text[:1].isupper():
                other = other.capitalize()
            found.append((token.idx, token.idx + len(token), other))
    return found


def shortened(text: str, doc: Any, chance: random.Random) -> str:
    """A part of a statement that says less and is as true."""
    ways = []
    if _BRACKETS.search(text):
        ways.append(_BRACKETS.sub("", text))
    if _WHICH.search(text):
        ways.append(_WHICH.sub("", text))
    for token in doc:
        # "… , and the shop opens at 9": a main clause with its own subject.
        if token.dep_ == "conj" and token.head.dep_ == "ROOT":
            own = [x for x in token.subtree]
            has_subject = any(x.dep_ in ("nsubj", "nsubjpass") for x in token.children)
            if has_subject and len(own) >= 4:
                start = own[0].idx
                ways.append(text[start:].strip())
                before = re.sub(r"[,;]?\s*(?:and|but|while)?\s*$", "", text[:start])
                ways.append(before)
    ways = [way.strip(" ,;") for way in ways if len(way.split()) >= 4]
    if not ways or chance.random() < 0.4:
        return text
    way = chance.choice(ways)
    return way[:1].upper() + way[1:]


def faulty(text: str, premise: str, doc: Any, chance: random.Random) -> str | None:
    ways: list[Callable[[], str | None]] = []
    opposites = places(doc, "opposite", chance)
    if opposites:
        ways += [lambda: replaced(text, [chance.choice(opposites)])] * 3
    figures = list(dict.fromkeys(m.group() for m in _FIGURE.finditer(text)))
    if figures:
        ways += [lambda: other_figure(text, premise, chance)]
        ways += [lambda: exchanged(text, premise, chance)]
    if len(figures) > 1:
        ways += [lambda: turned(text, chance)] * 2
    ways += [lambda: denied(text)]
    ways += [lambda: roles(text, doc, chance)] * 2
    chance.shuffle(ways)
    return next((found for way in ways if (found := way())), None)


def turned(text: str, chance: random.Random) -> str | None:
    """With two figures exchanged."""
    found = list(_FIGURE.finditer(text))
    one, other = sorted(chance.sample(found, 2), key=lambda m: m.start())
    kinds = {m.group()[0] in "€$£" for m in (one, other)}
    if one.group() == other.group() or len(kinds) > 1:
        return None
    if re.search(r"\b(?:and|or|to|x|by)\s*$", text[one.end() : other.start()]):
        return None  # "2 and 3", "from 2 to 3": a sum, or another thing
    return replaced(
        text,
        [
            (one.start(), one.end(), other.group()),
            (other.start(), other.end(), one.group()),
        ],
    )


def roles(text: str, doc: Any, chance: random.Random) -> str | None:
    """With subject and object of a verb exchanged, both of them names."""
    for verb in doc:
        subjects = [x for x in verb.children if x.dep_ == "nsubj" and x.pos_ == "PROPN"]
        objects = [x for x in verb.children if x.dep_ == "dobj" and x.pos_ == "PROPN"]
        if verb.pos_ == "VERB" and subjects and objects:
            spans = [_whole(x) for x in (subjects[0], objects[0])]
            if spans[0][1] <= spans[1][0]:
                (a, b), (c, d) = spans
                return replaced(text, [(a, b, text[c:d]), (c, d, text[a:b])])
    return None


def _whole(token: Any) -> tuple[int, int]:
    """Where a name stands, with the names it is made of."""
    parts = [x for x in token.children if x.dep_ == "compound"] + [token]
    last = max(parts, key=lambda x: x.i)
    return min(x.idx for x in parts), last.idx + len(last)


def headed(said: Sequence[str], chance: random.Random) -> str:
    """Statements as one premise, under the title and heading of a page."""
    turn = chance.random()
    if turn < 0.5:
        return join_statements(said)
    head = chance.choice(_HEADS)
    title = chance.choice(_HEADS)
    path = head if turn < 0.75 else f"{title} - {head}"
    return join_statements([f"{path}: {said[0]}", *said[1:]])


def near_copies(seed: int, most: int) -> list[Pair]:
    """Up to `most` pairs, in twins on one premise, from the passages of all frames."""
    chance = random.Random(seed)
    taken = [one for one in frames() if not is_held_out(one)]
    chance.shuffle(taken)
    found: list[Pair] = []
    for frame in taken:
        values = filled(frame, chance)
        if values is None:
            continue
        passage = said_of(chance.choice(frame["evidence"]), values)
        said = [one.text for one in statements(passage) if not one.is_head]
        if said:
            found += twins(said, chance)
        if len(found) >= most:
            break
    return found


def twins(said: Sequence[str], chance: random.Random) -> Iterator[Pair]:
    """A true and a false claim on some statements of a passage."""
    premise = headed(said, chance)
    for text in said:
        if not 4 <= len(text.split()) <= 40 or re.search(r"\?$|\n|^#", text):
            continue
        doc = parser()(text)
        part = shortened(text, doc, chance)
        wrong = faulty(part, premise, parser()(part), chance)
        if wrong is not None:
            yield Pair(premise, reworded(wrong, chance), 1, "near copy")
        if wrong is not None or chance.random() < 0.3:
            part = shortened(text, doc, chance)
            yield Pair(premise, reworded(part, chance), 0, "near copy")


def reworded(claim: str, chance: random.Random) -> str:
    """The claim with up to two words replaced by others that mean the same."""
    same = places(parser()(claim), "same", chance)
    chosen = chance.sample(same, min(len(same), chance.randrange(3)))
    claim = canonical(replaced(claim, chosen))
    return claim.rstrip(".") if chance.random() < 0.3 else claim


def titled(pairs: Sequence[Pair], chance: random.Random) -> list[Pair]:
    """The pairs, a quarter of the premises under a heading, as pages have them."""
    paths = {
        one: f"{chance.choice(_HEADS)}: {one}" if chance.random() < 0.25 else one
        for one in dict.fromkeys(pair.premise for pair in pairs)
    }
    return [replace(pair, premise=paths[pair.premise]) for pair in pairs]
