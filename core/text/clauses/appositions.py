"""What a sentence says in passing of a thing it names.

"The ferry, which carries 40 cars, sails every hour"; "Tarn, the oldest mill, burned
down"; "Founded in 1931, Tarn Press has a shop"; "Tarn is a mill that grinds oats", "a
mill built in 1931", "One mill that grinds oats is Tarn". Only what is set off
by commas, or said of "a" thing that the sentence is about, holds by itself: "the cars
that run on gas" are some cars.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from claimscope.core.text.clauses.assembly import assemble, splice
from claimscope.core.text.clauses.elaborations import OF_ALL
from claimscope.core.text.linguistics import (
    HELPING,
    SUBJECTS,
    has_dependent,
    holds_together,
    is_plural,
    parse,
    root_of,
    subject_of,
)
from claimscope.core.text.readable import MappedText

_FINITE = re.compile(
    r"(?:[a-z]{2,}(?:s|ed)|can|could|will|would|may|might|must|had|have|are|were|won"
    r"|ran|became|began|took|made|led|wrote|built|lost|left|held|came|went) "
)
_ASIDE = re.compile(r"([^,;:()]{2,80}), (?:which|who) ([^,;:()]{3,160}), (?=[a-z])")
"""A subject with a clause on it. Parsers read the verb behind it into the clause."""
_YEAR = re.compile(r"1\d{3}|20\d\d")
_FORMS_OF_BE = frozenset({"is", "are", "was", "were"})
_PAST = {"is": "was", "are": "were"}
_ANY = frozenset("no any every each few neither none except".split())
_STANDING = frozenset(
    "located situated based set known called named born headquartered".split()
)
"""Participles that say what a thing is like at all times."""
_NAMING = frozenset({"a", "an", "the", "its", "their", "his", "her", "one"})


def split_aside(text: str) -> tuple[MappedText, ...]:
    """(the rest, what is said) of a subject with a clause on it, by their pattern."""
    found = _ASIDE.match(text)
    if found is None or not _FINITE.match(text, found.end()):
        return ()
    whole = MappedText(text, tuple(range(len(text))))
    subject = whole.part(0, found.end(1))
    rest = splice(subject, " ", whole.part(found.end(), len(text)))
    said = splice(subject, " ", whole.part(found.start(2), found.end(2)))
    return (rest, said) if _subject_ends(said.text, found.end(1)) else ()


def _subject_ends(text: str, end: int) -> bool:
    """Is `text[:end]` the subject of the sentence, and a verb behind it?"""
    root = root_of(parse(text))
    if root is None or root.idx < end:
        return False
    subject = subject_of(root)
    if subject is None or subject.pos_ == "PRON":
        return False
    last = subject.right_edge
    return bool(last.idx + len(last.text) == end)


def split_inverted(doc: Any, root: Any) -> tuple[MappedText, ...]:
    """ "One mill that grinds oats is Tarn": what Tarn is, and what it does."""
    subject = subject_of(root)
    names = [child for child in root.children if child.dep_ == "attr"]
    if subject is None or root.lower_ not in {"is", "was"} or len(names) != 1:
        return ()
    name = list(doc[names[0].left_edge.i : names[0].right_edge.i + 1])
    clauses = [child for child in subject.rights if child.dep_ == "relcl"]
    is_name = all(token.pos_ == "PROPN" for token in name) and name[0].i > root.i
    if not is_name or len(clauses) != 1 or holds_together(list(doc)):
        return ()
    first, last = clauses[0].left_edge, clauses[0].right_edge
    kind = list(doc[subject.left_edge.i : first.i])
    is_some = kind[0].i == 0 and kind[0].lower_ in {"one", "another", "a", "an"}
    ends = last.i + 1 == root.i and all(t.is_punct for t in doc[name[-1].i + 1 :])
    if not (is_some and ends and subject.i == first.i - 1):
        return ()
    if not _is_relative_subject(first):
        return ()
    return (
        assemble([*name, root, kind[0].lower_, *kind[1:], "."]),
        assemble([*name, *doc[first.i + 1 : last.i + 1], "."]),
    )


def split_kind(doc: Any, root: Any) -> tuple[MappedText, ...]:
    """ "Tarn is a mill that grinds oats": what it is, and what it does."""
    subject = subject_of(root)
    nouns = [child for child in root.children if child.dep_ == "attr"]
    if subject is None or root.lower_ not in _FORMS_OF_BE or len(nouns) != 1:
        return ()
    noun = nouns[0]
    is_bare = (
        subject.dep_ == "nsubj"
        and subject.pos_ != "PRON"
        and subject.i < root.i
        and root.i - 1 == subject.right_edge.i
    )
    is_one = any(child.lower_ in {"a", "an"} for child in noun.lefts)
    verbs = [child for child in noun.rights if child.dep_ in {"relcl", "acl"}]
    if len(verbs) != 1 or not (is_one and is_bare) or holds_together(list(doc)):
        return ()
    first, last = verbs[0].left_edge, verbs[0].right_edge
    is_last = all(token.is_punct for token in doc[last.i + 1 :])
    if not is_last or noun.i + 1 != first.i:
        return ()
    name = list(doc[subject.left_edge.i : subject.right_edge.i + 1])
    rest = list(doc[first.i : len(doc)])
    if verbs[0].dep_ == "acl":
        if verbs[0].tag_ != "VBN":
            return ()
        rest = [_was_then(root, rest), *rest]
    elif not _is_relative_subject(first):
        return ()
    else:
        rest = rest[1:]
    return assemble([*doc[: first.i], "."]), assemble([*name, *rest])


def _was_then(root: Any, rest: Sequence[Any]) -> Any:
    """ "is a mill built in 1931": it was built then."""
    is_then = any(_YEAR.fullmatch(t.text) or t.lower_ in {"by", "ago"} for t in rest)
    return _PAST.get(root.lower_, root) if is_then else root


def _is_relative_subject(first: Any) -> bool:
    is_pronoun = first.lower_ in {"that", "who", "which"}
    return bool(is_pronoun and first.dep_ in SUBJECTS)


SetOff = tuple[set[int], list[MappedText]]
"""Tokens that leave the sentence, and what these say."""


def relative_clauses(doc: Any, root: Any) -> SetOff:
    """Relative clauses set off by commas."""
    cut: set[int] = set()
    said: list[MappedText] = []
    for verb in doc:
        if verb.dep_ != "relcl" or verb.head.pos_ not in {"NOUN", "PROPN"}:
            continue
        first, last = verb.left_edge, verb.right_edge
        pronoun = [c for c in verb.children if c.lower_ in {"which", "who"}]
        if not (_is_set_off(doc, first, last) and pronoun and pronoun[0].i == first.i):
            continue
        is_which = pronoun[0].lower_ == "which"
        if pronoun[0].dep_ not in SUBJECTS or (is_which and verb.lower_ in OF_ALL):
            continue
        if verb.i - first.i < 1 or first.i in cut or not _is_meant(doc, verb, is_which):
            continue
        name = doc[verb.head.left_edge.i : first.i - 1]
        if verb.head.i >= first.i or any(t.i in cut or t.text == "," for t in name):
            continue
        after = last.i + 1
        # ", having won": what follows the object has its own comma
        has_comma = verb.head.i < root.i and after < len(doc) and doc[after].text == ","
        cut |= set(range(first.i - 1, after + has_comma))
        begins = name[0].is_lower
        said.append(assemble([*name, *doc[first.i + 1 : after]], begins=begins))
    return cut, said


def _is_set_off(doc: Any, first: Any, last: Any) -> bool:
    ends = last.i + 1 >= len(doc) or doc[last.i + 1].text in ",.;!?"
    return bool(first.i > 1 and doc[first.i - 1].text == "," and ends)


def _is_meant(doc: Any, verb: Any, is_which: bool) -> bool:
    """Is it clear which noun a relative clause is about?"""
    noun = verb.head
    if is_which and noun.head.dep_ != "ROOT" and not _agrees_alone(doc, verb, noun):
        return False  # "bus 27 to Skerra Lane, which": either may run
    if noun.dep_ == "conj" and sum(one.dep_ == "relcl" for one in doc) < 2:
        return False  # "Ana Ruiz and Bo Lind, who": one or both
    # "25 micrograms, which equals": said of the figure where it is
    name = doc[noun.left_edge.i : verb.left_edge.i - 1]
    return not any(token.like_num or token.lower_ in _ANY for token in name)


def _agrees_alone(doc: Any, verb: Any, noun: Any) -> bool:
    """Is it the only noun behind the main verb that has the number of the clause's
    verb? "the work of many crews, which control"."""
    forms = {token.tag_ for token in (verb, *verb.children)}
    words = {token.lower_ for token in (verb, *verb.children)}
    is_one = "VBZ" in forms or "was" in words
    is_several = "VBP" in forms or "were" in words
    root = next(token for token in doc if token.dep_ == "ROOT")
    if is_one == is_several or root.i > noun.i:
        return False
    fitting = [
        token.i
        for token in doc[root.i + 1 : verb.left_edge.i]
        if token.pos_ in {"NOUN", "PROPN"}
        and token.dep_ not in {"compound", "nmod", "conj"}
        and is_plural(token) == is_several
    ]
    return fitting == [noun.i]


def participles(doc: Any, root: Any) -> SetOff:
    """ "Founded in 1931, Tarn Press prints maps": what it was. "Taken with food, the
    pill works faster" says when; only a year or a lasting state is a fact."""
    subject = subject_of(root)
    if subject is None or subject.pos_ == "PRON" or subject.i > root.i:
        return set(), []
    for verb in doc[: root.i]:
        first, last = verb.left_edge, verb.right_edge
        is_of_subject = verb.head.i in {root.i, subject.i}
        is_bare = verb.tag_ == "VBN" and not any(
            child.dep_ in SUBJECTS | HELPING for child in verb.children
        )
        if not (is_bare and is_of_subject and verb.dep_ in {"advcl", "acl"}):
            continue
        own = list(doc[first.i : last.i + 1])
        is_fact = verb.lower_ in _STANDING or any(_YEAR.fullmatch(t.text) for t in own)
        if not is_fact or holds_together(own) or doc[last.i + 1].text != ",":
            continue
        if first.i == 0 and last.i + 2 == subject.left_edge.i:
            cut = set(range(last.i + 2))
            name = list(doc[subject.left_edge.i : subject.right_edge.i + 1])
        elif first.i == subject.i + 2 and doc[subject.i + 1].text == ",":
            cut = set(range(subject.i + 1, last.i + 2))
            name = list(doc[subject.left_edge.i : subject.i + 1])
        else:
            continue
        be = _form_of_be(root, _is_said_of_several(root, subject))
        if any(_YEAR.fullmatch(token.text) for token in own):
            be = _PAST.get(be, be)
        rest = [token if token.i else token.lower_ for token in own]
        return cut, [assemble([*name, be, *rest], begins=name[0].is_lower)]
    return set(), []


def apposition(doc: Any, root: Any) -> SetOff:
    """ "Tarn, the oldest mill, burned down": what Tarn was, in the time of the verb."""
    for noun in doc:
        head = noun.head
        if noun.dep_ != "appos" or noun.pos_ not in {"NOUN", "PROPN"}:
            continue
        first, last = noun.left_edge, noun.right_edge
        name = list(doc[head.left_edge.i : first.i - 1])
        is_clear = (
            _is_set_off(doc, first, last)
            and (_is_kind_of_name(first, head) or _is_name_of_kind(noun, head))
            and (
                head.dep_ in SUBJECTS
                or not any(t.like_num for t in doc[first.i : last.i + 1])
            )
            and head.i < first.i
            and not any(
                child.dep_ == "conj" for child in (*noun.children, *head.children)
            )
            and head.dep_ != "conj"
            and is_plural(noun) == is_plural(head)
            and not any(token.text in ",()" or token.like_num for token in name[:-1])
        )
        if not is_clear or not name:
            continue
        after = last.i + 1
        has_comma = after < len(doc) and doc[after].text == ","
        be = _form_of_be(root, is_plural(noun))
        said = assemble([*name, be, *doc[first.i : after]], begins=name[0].is_lower)
        return set(range(first.i - 1, after + has_comma)), [said]
    return set(), []


def _is_said_of_several(root: Any, subject: Any) -> bool:
    """By the verb, where its form tells: "Marrow & Pike is" one thing."""
    words = {token.lower_ for token in (root, *root.children) if token.pos_ == "AUX"}
    if root.tag_ == "VBZ" or words & {"is", "was", "has"}:
        return False
    return root.tag_ == "VBP" or bool(words & {"are", "were"}) or is_plural(subject)


def _is_kind_of_name(first: Any, head: Any) -> bool:
    """ "Tarn, the oldest mill"."""
    return bool(first.lower_ in _NAMING and head.pos_ == "PROPN")


def _is_name_of_kind(noun: Any, head: Any) -> bool:
    """ "The oldest mill, Tarn": there is one of that kind."""
    is_the = any(child.lower_ == "the" for child in head.lefts)
    is_only = is_the or has_dependent(head, "poss")
    is_name = noun.pos_ == "PROPN" and noun.left_edge.pos_ == "PROPN"
    return bool(is_name and is_only and head.pos_ == "NOUN" and head.dep_ in SUBJECTS)


def _form_of_be(root: Any, plural: bool) -> str:
    is_past = root.tag_ == "VBD" or any(
        child.tag_ == "VBD" for child in root.children if child.dep_.startswith("aux")
    )
    return ("were" if plural else "was") if is_past else "are" if plural else "is"


ASIDES: tuple[Callable[[Any, Any], SetOff], ...] = (
    relative_clauses,
    apposition,
    participles,
)
