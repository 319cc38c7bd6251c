"""What a sentence adds to what it says: a reason, a result, a circumstance.

"Tarn is quiet because the road is closed" says that Tarn is quiet, and why. What is
added says nothing without what it is added to, so that it stays with it: the fact alone
is one claim, the fact with each thing added another. To leave such a part out says less
and never more. A condition, a time, an exception and a comparison are no additions:
what they are said of need not hold without them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from claimscope.core.text.clauses.assembly import assemble
from claimscope.core.text.clauses.coordination import KEEPS_WHOLE
from claimscope.core.text.linguistics import (
    HELPING,
    SUBJECTS,
    has_dependent,
    resolve_pronoun,
    subject_phrase,
)
from claimscope.core.text.readable import MappedText

OF_ALL = frozenset(
    """means meant makes made allows allowed leads led causes caused results resulted
    helps helped enables enabled gives gave lets ensures ensured""".split()
)
"""Verbs of a "which" that stands for all that was said: ", which means that"."""
_REASONS = frozenset({"because", "since", "as"})
_DUE = frozenset({"due", "because", "owing"})
_LIMITS = frozenset(
    """assuming supposing providing given considering depending excluding barring
    pending counting starting beginning ending ranging including concerning regarding
    following during according speaking judging""".split()
)
"""Participles that say when or for what something holds, or are prepositions."""
_THIRD = re.compile(r"(?i)(?:it|its|they|them|their|he|him|his|she|her|one|ones)$")
_PERCEIVED = re.compile(r"(?i)(?:over)?hear|sees?$|seen$|saw$|watch|catch|caught")
"""Verbs whose object does what a participle says."""
_QUOTED = re.compile(r"[\"“”]|:\s|;")
_EXAMPLES = frozenset({"including", "such"})
_STOPS = frozenset(".!")
_NOTHING_SAID = frozenset({"this", "that", "it", "these", "those"})


class Elaborated(NamedTuple):
    """A sentence without what it adds, and with each addition."""

    core: MappedText
    others: tuple[MappedText, ...]
    listing: tuple[tuple[MappedText, int], ...]
    """Others that may end with a list of their own; where the addition begins."""


def elaborations(doc: Any, root: Any) -> Elaborated | None:
    """None where a sentence adds nothing that may be left out."""
    found = sorted(_additions(doc, root), key=lambda part: part.start)
    if not found or _QUOTED.search(doc.text) or doc.text.endswith("?"):
        return None
    added = {at for part in found for at in part}
    if not _says_something(root, added):
        return None
    first = found[0] if found[0].start == 0 else None
    kept = [token for token in doc if token.i not in added]
    name = _name(doc, root, first, kept) if first is not None else []
    if name is None:
        return None
    core = [*name, *kept[bool(name) :]]
    others: list[MappedText] = []
    listing: list[tuple[MappedText, int]] = []
    for part in found:
        own = list(doc[part.start : part.stop])
        if part is first:
            others.append(assemble([*own, *kept]))
            continue
        text = assemble(_put_in(core, own), begins=core[0].is_lower)
        opens = own[own[0].text == ","]
        if opens.lower_ in _EXAMPLES or opens.tag_ in {"VBG", "RB"}:
            length = len(doc[part.start : len(doc)].text)
            listing.append((text, len(text.text) - length))
        else:
            others.append(text)
    begins = core[0].is_lower and core[0].i > 0
    return Elaborated(assemble(core, begins=begins), tuple(others), tuple(listing))


def _put_in(core: list[Any], own: list[Any]) -> list[Any]:
    """An addition behind the core, in front of its stop."""
    end = len(core)
    while end and core[end - 1].text in _STOPS:
        end -= 1
    return [*core[:end], *own, *core[end:]]


def _additions(doc: Any, root: Any) -> Iterator[range]:
    """Where each addition stands, with its comma."""
    end = len(doc)
    while end and doc[end - 1].is_punct and doc[end - 1].text in _STOPS:
        end -= 1
    for child in reversed(list(_adjuncts(root))):
        first, last = child.left_edge.i, child.right_edge.i
        if first == 0 and _is_reason(doc, root, child):
            if last + 1 < end and doc[last + 1].text == ",":
                yield range(last + 2)
        elif last + 1 == end and first > root.i and _is_added(doc, root, child):
            comma = doc[first - 1].text == ","
            end = first - comma
            yield range(end, last + 1)


def _adjuncts(root: Any) -> Iterator[Any]:
    """What may be added to the main verb, and to the noun that a "which" follows."""
    for token in root.doc:
        is_own = token.head.i == root.i and token.dep_ in {"advcl", "prep"}
        is_cause = token.dep_ == "prep" and token.lower_ in _DUE
        is_cause = is_cause and token.head.pos_ in {"VERB", "AUX", "ADJ"}
        is_of_all = token.dep_ in {"relcl", "advcl"} and token.lower_ in OF_ALL
        is_kind = token.dep_ == "relcl" and _is_of_kind(root, token)
        is_likeness = token.dep_ == "amod" and token.i > token.head.i
        is_of_all = is_of_all or _is_result(root, token)
        is_example = token.dep_ == "prep" and token.left_edge.lower_ in _EXAMPLES
        is_of_all = is_of_all or is_kind
        if is_own or is_cause or is_of_all or is_likeness or is_example:
            yield token


def _is_of_kind(root: Any, clause: Any) -> bool:
    """ "Osk is a method where oil is heated": it is a method, whichever."""
    noun = clause.head
    is_some = any(child.lower_ in {"a", "an"} for child in noun.lefts)
    is_what = noun.dep_ == "attr" and noun.head.i == root.i
    opens = clause.left_edge.lower_ in {"where", "in", "by", "through", "whose"}
    return bool(clause.dep_ == "relcl" and is_some and is_what and opens)


def _is_result(root: Any, token: Any) -> bool:
    """A participle of the main verb, or of the verb of what is said: "held that it is
    valid, finding that"."""
    head = token.head
    is_said = head.dep_ in {"ccomp", "xcomp"} and head.head.i == root.i
    return bool(is_said and token.tag_ == "VBG" and token.dep_ == "advcl")


def _is_added(doc: Any, root: Any, child: Any) -> bool:
    first = child.left_edge
    is_behind_comma = doc[first.i - 1].text == ","
    if _is_of_kind(root, child):
        return KEEPS_WHOLE.search(doc[: first.i].text) is None
    if first.lower_ == "which":
        return bool(is_behind_comma and child.lower_ in OF_ALL)
    if child.dep_ == "amod":
        is_of_object = child.head.head.i == root.i
        return bool(is_behind_comma and is_of_object and first.i == child.i)
    if child.dep_ == "prep" and first.lower_ in _EXAMPLES:
        return bool(is_behind_comma and not _makes_up_figure(child))
    if child.dep_ == "prep" and child.lower_ == "with":
        return is_behind_comma and _has_doer(child)
    if child.tag_ == "VBG" and child.dep_ == "advcl":
        opens = doc[first.i : child.i]
        is_bare = all(token.tag_ == "RB" for token in opens)
        is_seen = _PERCEIVED.match(root.text) is not None  # "heard Bo, saying that"
        is_added = is_behind_comma and is_bare and not is_seen
        return bool(is_added and child.lower_ not in _LIMITS)
    return _is_reason(doc, root, child)


def _makes_up_figure(child: Any) -> bool:
    """ "90 marks, including tax" is no price of 90 marks; "16 towns, including Osk" are
    16 towns."""
    before = child.doc[child.head.left_edge.i : child.left_edge.i]
    things = [token for token in child.children if token.dep_ == "pobj"]
    is_named = bool(things) and things[0].pos_ == "PROPN"
    return any(token.like_num for token in before) and not is_named


def _has_doer(child: Any) -> bool:
    """ ", with higher figures showing more": what is no clause, and what excepts or
    denies, may say for what something holds."""
    text = " ".join(token.lower_ for token in child.subtree)
    is_clause = any(
        token.tag_ == "VBG" and token.head.dep_ in {"prep", "pobj"}
        for token in child.subtree
    )
    return is_clause and not (KEEPS_WHOLE.search(text) or "exce" in text)


def _is_reason(doc: Any, root: Any, child: Any) -> bool:
    """A clause or a thing that says why. What denies or limits may reach over it: "did
    not close because it rained" does not say that it did not close."""
    first = child.left_edge
    if KEEPS_WHOLE.search(doc[: first.i].text) or _is_joined(root):
        return False
    if len({token in child.subtree for token in doc if token.like_num}) > 1:
        return False  # "four come in free, because one does for every eight pupils"
    if child.dep_ == "prep":
        is_cause = child.lower_ in _DUE and child.i == first.i
        return bool(is_cause and not (first.i and _may_own(doc[first.i - 1])))
    own = [token for token in child.children if token.dep_ in SUBJECTS]
    if first.lower_ not in _REASONS or first.dep_ != "mark" or not own:
        return False
    if first.lower_ == "as":
        return bool(first.i > 0 and doc[first.i - 1].text == ",")
    is_perfect = any(c.lower_ in {"has", "have", "had"} for c in root.children)
    return first.lower_ == "because" or not is_perfect


def _may_own(token: Any) -> bool:
    """ "covers delays due to rain": only those. What has an article is one thing."""
    is_noun = token.pos_ == "NOUN" and token.dep_ in {"dobj", "pobj", "attr"}
    return bool(is_noun and not has_dependent(token, "det"))


def _is_joined(root: Any) -> bool:
    return any(token.dep_ == "conj" for token in root.children)


def _says_something(root: Any, added: set[int]) -> bool:
    """Not "This is because …", and a subject that is no addition."""
    own = [child for child in root.children if child.i not in added]
    subjects = [child for child in own if child.dep_ in SUBJECTS]
    if not subjects:
        return False
    is_be = root.pos_ == "AUX"
    said = [
        child for child in own if child.dep_ not in {*SUBJECTS, *HELPING, "punct", "cc"}
    ]
    is_bare = subjects[0].lower_ in _NOTHING_SAID and all(
        child.dep_ in {"advmod", "neg"} for child in said
    )
    return not is_bare and not (is_be and not said)


def _name(doc: Any, root: Any, first: range, rest: list[Any]) -> list[Any] | None:
    """Whom the rest behind a reason speaks of, where it begins with a pronoun; None
    where it speaks of something that only the reason names."""
    clause = [c for c in root.children if c.dep_ == "advcl" and c.i in first]
    behind = doc[rest[0].i :].text
    others = rest
    name: list[Any] = []
    known = subject_phrase(clause[0]) if clause else None
    if known is not None:
        subject, phrase = known
        named = resolve_pronoun(behind, subject) if subject.is_alone else None
        if named is not None:
            name, others = list(phrase), rest[1:]
            if rest[0].tag_ == "PRP$":
                name.append("'" if phrase[-1].text.endswith("s") else "'s")
    return None if any(_THIRD.match(token.text) for token in others) else name
