"""Clauses and subjects of a sentence, by spaCy, loaded when first needed.

Only claim decomposition asks for this: where a sentence holds two statements, what its
subject is, its main verb, and what may hold for all of its parts. Without spaCy or its
English model the first questions are answered more coarsely by patterns; nothing fails.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any

from claimscope.core.text.code_names import begins_with_code, marked_in
from claimscope.core.text.english import doc_of, doc_with_verb

# spaCy's objects are untyped here: Doc, Token and Language appear as Any.

_SUBJECTS = frozenset({"nsubj", "nsubjpass", "expl", "csubj"})
_JOINING = frozenset({"and", "but", "so", "while", "whereas"})
_CONDITIONS = frozenset({"if", "unless", "when", "whenever", "until", "once"})
_VERB = re.compile(
    r"(?i)\b(?:is|are|was|were|be|been|has|have|had|can|could|will|would|may|might"
    r"|must|shall|should|does|do|did|\w{3,}(?:ed|es))\b"
)
_PRONOUN = re.compile(r"(?i)(it|its|they|their|he|his|she|her)\b")
_BEHIND_BEGINNING = re.compile(
    r"[A-Z][^,;:()?]{1,80}, (it|its|they|their|he|his|she|her)\b"
)
_STATES = re.compile(r"(?i)it(?:['’]s| is| was) (?!\w+ed\b)")
"""An "it" that may be the weather, or what it is like in a place."""
_BEGINNINGS = frozenset(
    """in on at as by after before during since from until between over within
    throughout today later originally initially eventually currently now then soon
    afterwards additionally also furthermore moreover overall meanwhile finally instead
    however therefore thus consequently typically usually often sometimes
    generally""".split()
)
"""Words that a beginning may open with which is no name for what follows."""
# "It is not true that", "It takes an hour to": the pronoun stands for no thing.
_EMPTY_IT = re.compile(
    r"(?i)it(?:['’]s| is| was| (?:would|will|may|can) be)(?: \w+){1,3} (?:that|to"
    r"|whether|how|if)\b|it (?:seems|appears|follows|turns out|rains|snows)\b"
    r"|it (?:takes .{1,30} to [a-z]{2,})"
)
_SEMICOLON = re.compile(r";\s+")
LONGEST = 2000
"""Characters of a sentence that is parsed; a longer one is read by patterns."""
_PLURAL_PRONOUNS = frozenset({"they", "their"})
_PERSON_PRONOUNS = frozenset({"he", "his", "she", "her"})
_BE = frozenset({"is", "was"})
_NUMBERS = frozenset({"nummod", "appos", "nmod"})
_TRIES = 3
"""Words of a sentence that are read as its verb, at most."""
_SINGULAR = frozenset({"NN", "NNP"})
_FINITE = frozenset({"VBZ", "VBD", "VBP", "MD"})
_POSSESSIVES = frozenset({"its", "their", "his", "her"})
SUBJECTS = frozenset({"nsubj", "nsubjpass", "expl", "csubj", "csubjpass"})
HELPING = frozenset({"aux", "auxpass"})
_TOGETHER = re.compile(
    r"(?i)\b(?:either|neither|nor|both|not only|never|hardly|no longer|only|together"
    r"|respectively|each)\b"
)
"""Words that may reach over all parts."""
_SUBORDINATORS = frozenset(
    "if unless when whenever until once before after while because since".split()
)
"""The same where a clause stands behind them: "until midnight" is a time."""
_ADVERBS = frozenset("once before after since".split())
_CLAUSES = frozenset("advcl ccomp relcl acl pcomp csubj".split())


@dataclass(frozen=True)
class Cut:
    """A place between two statements: `text[:end]` and `text[start:]` stand apart."""

    end: int
    start: int
    subject: str | None = None
    """What a pronoun at `start` stands for, when that is clear."""


@dataclass(frozen=True)
class Subject:
    """What a sentence speaks of."""

    text: str
    is_plural: bool
    is_name: bool
    is_single_name: bool
    """A name of one thing, whatever its form."""
    is_alone: bool
    """No other noun of its number could be meant by a following pronoun."""
    is_only_name: bool = True
    """No other person could be meant."""
    is_group: bool = False
    """A name of one thing that "they" may mean, as nothing else is several."""


def clause_cuts(text: str) -> tuple[Cut, ...]:
    """Cuts before conjuncts that have a subject and a verb of their own.

    A sentence with a condition or an introductory phrase stays whole: what is said
    first may hold for both parts.
    """
    if not re.search(r"(?i);|\b(?:and|but|so)\b", text):
        return ()
    doc = parse(text)
    if doc is None:
        return _cuts_by_pattern(text)
    return _cuts_by_parse(doc)


def has_clause(text: str) -> bool:
    """Whether a verb with its own subject stands in the text."""
    doc = parse(text)
    if doc is None:
        return _VERB.search(text) is not None
    return any(_is_clause(token) for token in doc)


def is_phrase(text: str) -> bool:
    """Whether the main word of a text has no subject: "Full - copies what changed"."""
    doc = parse(text)
    if doc is None:
        return _VERB.search(text) is None
    return not any(_is_clause(token) for token in doc if token.dep_ == "ROOT")


def last_part(text: str) -> str | None:
    """Kind of the last word (VERB, ADP, NOUN …); None without a model."""
    doc = parse(text)
    return str(doc[-1].pos_) if doc is not None and len(doc) else None


def main_subject(text: str) -> Subject | None:
    """The subject of the main clause; None when there is none or it is a pronoun."""
    doc = parse(text)
    if doc is None:
        return None
    roots = [token for token in doc if token.dep_ == "ROOT"]
    if len(roots) != 1:
        return None
    return _named_last(roots[0]) or _subject_of(roots[0])


def _named_last(root: Any) -> Subject | None:
    """ "One mayor of Tarn was Ana Ruiz.": what follows speaks of Ana Ruiz."""
    nouns = [child for child in root.children if child.dep_ in {"nsubj", "attr"}]
    if root.lower_ not in _BE or [child.dep_ for child in nouns] != ["nsubj", "attr"]:
        return None
    kind, name = nouns
    is_name = name.pos_ == "PROPN" and not any(True for _ in name.rights)
    if kind.pos_ != "NOUN" or not is_name or is_plural(kind) or is_plural(name):
        return None
    phrase = name.doc[name.left_edge.i : name.i + 1]
    if phrase[0].pos_ != "PROPN":
        return None
    return Subject(phrase.text, False, True, True, True, is_group=True)


def stands_for_nothing(text: str, start: int) -> bool:
    """Whether the pronoun at `start` is the "it" of "it is true that", "it rains"."""
    return _EMPTY_IT.match(text, start) is not None


def resolve_pronoun(text: str, known: Subject) -> str | None:
    """`text` with the pronoun it opens with, or that is the subject behind a beginning
    ("In 1954, it won"), replaced; None when it does not agree."""
    place = pronoun_place(text)
    if place is None:
        return None
    pronoun = text[place[0] : place[1]].casefold()
    if not _agrees(pronoun, known):
        return None
    name = known.text
    if place[0] == 0:
        name = name if begins_with_code(name) else name[:1].upper() + name[1:]
    else:
        name = lower_article(name)
    return text[: place[0]] + named_for(pronoun, name) + text[place[1] :]


def resolve_clear_pronoun(text: str, known: Subject) -> str | None:
    """The same, only where nothing else in the sentence before could be meant."""
    place = pronoun_place(text)
    if place is None:
        return None
    pronoun = text[place[0] : place[1]].casefold()
    is_only_person = pronoun in _PERSON_PRONOUNS and known.is_only_name
    is_only_group = pronoun in _PLURAL_PRONOUNS and known.is_group
    is_clear = known.is_alone or is_only_person or is_only_group
    return resolve_pronoun(text, known) if is_clear else None


def pronoun_place(text: str) -> tuple[int, int] | None:
    """Where the pronoun stands that is the subject of a text, or owns it."""
    match = _PRONOUN.match(text)
    if match is None:
        match = _BEHIND_BEGINNING.match(text)
        if match is None or not _is_beginning(text, match.start(1)):
            return None
    start, end = match.span(1)
    return None if _EMPTY_IT.match(text, start) else (start, end)


def named_for(pronoun: str, name: str) -> str:
    """A name in the form of the pronoun it stands for."""
    if pronoun.casefold() not in _POSSESSIVES:
        return name
    return name + ("'" if name.endswith("s") else "'s")


def lower_article(name: str) -> str:
    """A name as it reads behind other words."""
    is_article = name.partition(" ")[0] in {"The", "A", "An", "This", "Its", "Their"}
    return name[0].lower() + name[1:] if is_article else name


def _agrees(pronoun: str, known: Subject) -> bool:
    # A name may look plural ("Saltlines") and be one thing.
    is_plural = pronoun in _PLURAL_PRONOUNS
    if is_plural != known.is_plural and not (
        known.is_group if is_plural else known.is_single_name
    ):
        return False
    return pronoun not in _PERSON_PRONOUNS or known.is_name


def _is_beginning(text: str, start: int) -> bool:
    """Does a time, a place or an adverb stand in front of a pronoun, and no clause or
    thing that it may be?"""
    doc = parse(text)
    root = root_of(doc)
    if doc is None or root is None or _STATES.match(text, start):
        return False
    own = next((token for token in doc if token.idx == start), None)
    subject = subject_of(root)
    if own is None or subject is None or own.i not in {subject.i, subject.left_edge.i}:
        return False
    before = doc[: own.i]
    if before[0].lower_ not in _BEGINNINGS:
        return False
    if any(token.dep_ in _SUBJECTS or token.tag_ in _FINITE for token in before):
        return False
    nouns = [token for token in before if token.pos_ in {"NOUN", "PROPN"}]
    if own.lower_ in _PLURAL_PRONOUNS:
        return not any(map(is_plural, nouns))
    return own.lower_ not in _PERSON_PRONOUNS or not any(
        token.pos_ == "PROPN" and token.head.i != before[0].i for token in nouns
    )


# --- by patterns ------------------------------------------------------------


def _cuts_by_pattern(text: str) -> tuple[Cut, ...]:
    cuts: list[Cut] = []
    stops = list(_SEMICOLON.finditer(text))
    ends = [text.find(";", stop.end()) for stop in stops]
    has_verb = False
    last = 0
    for stop, end in zip(stops, ends, strict=True):
        # What is in front is looked at once, however many stops it holds.
        has_verb = has_verb or _VERB.search(text, last, stop.start()) is not None
        last = stop.end()
        if has_verb and _VERB.search(text, last, end if end >= 0 else len(text)):
            cuts.append(Cut(_skip_blanks_back(text, stop.start()), last))
            has_verb = False
    return tuple(cuts)


def _skip_blanks_back(text: str, end: int) -> int:
    while end and text[end - 1].isspace():
        end -= 1
    return end


# --- by spaCy ---------------------------------------------------------------


def parse(text: str) -> Any | None:
    """spaCy's Doc; None without a model, and for what is too long for a sentence: to
    parse a list or code would take seconds and say nothing."""
    return _parse_cached(text, marked_in(text)) if len(text) <= LONGEST else None


@lru_cache(maxsize=4096)
def _parse_cached(text: str, marked: tuple[str, ...]) -> Any | None:
    return doc_of(text, marked)


def parse_statement(text: str) -> Any | None:
    """The Doc of what is a whole sentence by its stop: where the parser finds no main
    verb, the first word that may be one ("costs", "prints") is read as one."""
    return _parse_statement_cached(text, marked_in(text))


@lru_cache(maxsize=4096)
def _parse_statement_cached(text: str, _marked: tuple[str, ...]) -> Any | None:
    doc = parse(text)
    is_sentence = text.endswith(".") and text[:1].isupper()
    if doc is None or not is_sentence or root_of(doc) is not None:
        return doc
    for token in islice(filter(_may_be_verb, doc[1:-2]), _TRIES):
        read = doc_with_verb(doc, token.i)
        subject = subject_of(read[token.i])
        if read[token.i].dep_ != "ROOT" or subject is None:
            continue
        if subject.left_edge.i == 0 and subject.i == token.i - 1:
            return read
    return doc


def _may_be_verb(token: Any) -> bool:
    """ "prints" behind one thing, with something behind it."""
    before, after = token.nbor(-1), token.nbor(1)
    is_plural_form = token.tag_ == "NNS" and token.is_lower
    goes_on = not after.is_punct and after.lower_ not in {"of", "and", "or"}
    return bool(is_plural_form and goes_on and before.tag_ in _SINGULAR)


def _is_clause(token: Any) -> bool:
    # "its use has been limited": an adjective by its form, a verb by what helps it.
    is_verb = token.pos_ in {"VERB", "AUX"} or has_dependent(token, "auxpass")
    return is_verb and any(child.dep_ in _SUBJECTS for child in token.children)


def _cuts_by_parse(doc: Any) -> tuple[Cut, ...]:
    conditions = {
        token.idx
        for token in doc
        if token.lower_ in _CONDITIONS and token.dep_ in {"mark", "advmod"}
    }
    cuts = [cut for token in doc if (cut := _cut_before(doc, token)) is not None]
    cuts.extend(_semicolon_cuts(doc))
    ordered: list[Cut] = []
    for cut in sorted(cuts, key=lambda item: item.start):
        if not ordered or cut.end > ordered[-1].start:
            ordered.append(cut)
    if not conditions:
        return tuple(ordered)
    # "…, and once the ice is thick, skaters come": it holds for the last part alone.
    is_of_last = ordered and conditions == {ordered[-1].start}
    return tuple(ordered) if is_of_last else ()


def _cut_before(doc: Any, token: Any) -> Cut | None:
    """The cut before a conjunct of the main verb that is a clause of its own."""
    if token.dep_ != "conj" or not (_is_clause(token) and _is_clause(token.head)):
        return None
    if head_of(token.head).dep_ != "ROOT" or has_introduction(token.head):
        return None
    if token.pos_ == "AUX" and all(after.is_punct for after in doc[token.i + 1 :]):
        return None  # "dogs may not enter, but guide dogs may"
    first = _misread(token) or token.left_edge
    at = first.i - 1
    while at >= 0 and (doc[at].is_punct or doc[at].is_space):
        at -= 1
    if at < 0 or doc[at].lower_ not in _JOINING or _depth(doc, first.i) > 0:
        return None
    end = at
    while end > 0 and (doc[end - 1].is_punct and doc[end - 1].text in ",;-–—"):
        end -= 1
    if end < 2 or len(doc) - first.i < 3:
        return None
    known = _subject_of(token.head)
    return Cut(
        _end_offset(doc, end - 1),
        first.idx,
        _fitting_subject(doc[first.i :].text, known),
    )


def _misread(verb: Any) -> Any | None:
    """Where a clause begins whose subject was read together with what the verb before
    says: in "RR was 19/min and the pulse rose" it is not "19/min and the pulse"."""
    nouns = [child for child in verb.children if child.dep_ in _SUBJECTS]
    if len(nouns) != 1 or nouns[0].left_edge.i != verb.head.i + 1:
        return None
    joined = [child for child in nouns[0].children if child.dep_ == "conj"]
    return joined[0].left_edge if len(joined) == 1 else None


def _semicolon_cuts(doc: Any) -> list[Cut]:
    stops = [token.i for token in doc if token.text == ";" and not _depth(doc, token.i)]
    edges = [-1, *stops, len(doc)]
    cuts: list[Cut] = []
    for before, at, after in zip(edges, edges[1:], edges[2:], strict=False):
        left, right = doc[before + 1 : at], doc[at + 1 : after]
        if not (_has_own_clause(left) and _has_own_clause(right)):
            continue
        known = _subject_of(left.root)
        start = right[1] if right[0].is_space and len(right) > 1 else right[0]
        cuts.append(
            Cut(
                _end_offset(doc, at - 1), start.idx, _fitting_subject(right.text, known)
            )
        )
    return cuts


def _has_own_clause(part: Any) -> bool:
    return len(part) > 2 and any(
        token.dep_ in _SUBJECTS
        and token.head.pos_ in {"VERB", "AUX"}
        and part.start <= token.head.i < part.end
        for token in part
    )


def has_introduction(verb: Any) -> bool:
    """Whether a phrase before the subject may hold for the conjuncts too."""
    subjects = [child for child in verb.children if child.dep_ in _SUBJECTS]
    edge = min((child.left_edge.i for child in subjects), default=verb.i)
    return any(
        child.i < edge
        and child.dep_ not in {"cc", "punct", "intj"}
        and len(list(child.subtree)) > 1
        for child in verb.children
    )


def _depth(doc: Any, index: int) -> int:
    """Open brackets before a token."""
    before: str = doc[:index].text
    return sum(before.count(left) for left in "([") - sum(
        before.count(right) for right in ")]"
    )


def _end_offset(doc: Any, index: int) -> int:
    token = doc[index]
    return int(token.idx + len(token.text))


def _fitting_subject(following: str, known: Subject | None) -> str | None:
    place = pronoun_place(following[:1].upper() + following[1:])
    if place is None or known is None or not known.is_alone:
        return None
    pronoun = following[place[0] : place[1]].casefold()
    if not _agrees(pronoun, known):
        return None
    return named_for(pronoun, lower_article(known.text))


def _subject_of(verb: Any) -> Subject | None:
    found = subject_phrase(verb)
    return found[0] if found else None


def subject_phrase(verb: Any) -> tuple[Subject, Any] | None:
    """The subject of a verb and its words; None where it is several or a pronoun."""
    nouns = [c for c in verb.children if c.dep_ in {"nsubj", "nsubjpass"}]
    if len(nouns) != 1 or nouns[0].pos_ not in {"NOUN", "PROPN"}:
        return None
    noun = nouns[0]
    is_several = is_plural(noun)
    last = noun.i
    for child in noun.rights:
        # "Windows 11", "the SM U-30": what stands right behind a name is part of it
        is_of_name = child.left_edge.i == last + 1 and child.dep_ in _NUMBERS
        if child.dep_ not in {"prep", "cc", "conj"} and not is_of_name:
            break
        last = child.right_edge.i
    if any(child.dep_ == "conj" and child.i > last for child in noun.rights):
        return None  # "Ana Ruiz (27) and Bo Lind": the first alone is not meant
    phrase = noun.doc[noun.left_edge.i : last + 1]
    if not 0 < len(phrase) <= 10:
        return None
    # What a phrase or a relative clause mentions in passing is no rival.
    others = [
        child
        for child in verb.children
        if child.dep_ in {"dobj", "dative", "pobj"}
        and (child.pos_ == "PRON" or is_plural(child) == is_several)
        and child.pos_ in {"NOUN", "PROPN", "PRON"}
    ]
    is_name = noun.pos_ == "PROPN"
    is_single = is_name and not any(child.dep_ == "conj" for child in noun.children)
    is_group = is_single and not any(
        is_plural(token) or token.dep_ == "conj"
        for token in noun.doc
        if token.pos_ in {"NOUN", "PROPN", "PRON"}
        and not phrase.start <= token.i <= last
    )
    is_only_name = all(child.pos_ == "NOUN" for child in others)
    subject = Subject(
        phrase.text, is_several, is_name, is_single, not others, is_only_name, is_group
    )
    return subject, phrase


def root_of(doc: Any) -> Any | None:
    """The main verb of a sentence that has one, and a subject to it."""
    if doc is None:
        return None
    roots = [token for token in doc if token.dep_ == "ROOT"]
    if len(roots) != 1 or roots[0].pos_ not in {"VERB", "AUX"}:
        return None
    is_told = any(child.dep_ in SUBJECTS for child in roots[0].children)
    return roots[0] if is_told else None


def subject_of(root: Any) -> Any | None:
    """The one subject of a verb; None where there are more or none."""
    subjects = [child for child in root.children if child.dep_ in SUBJECTS]
    return subjects[0] if len(subjects) == 1 else None


def holds_together(tokens: Sequence[Any]) -> bool:
    """Whether something in a sentence may hold for all of its parts."""
    text = "".join(token.text_with_ws for token in tokens)
    return _TOGETHER.search(text) is not None or is_conditional(tokens)


def is_conditional(tokens: Iterable[Any], besides: Any = None) -> bool:
    """Whether a clause says when, or on what condition, the rest holds."""
    return any(
        token.lower_ in _SUBORDINATORS
        and (token.dep_ == "mark" or (token.dep_ == "advmod" and _opens_clause(token)))
        and (besides is None or token.i != besides.i)
        for token in tokens
    )


def _opens_clause(token: Any) -> bool:
    """A "since" in "has since grown" is no condition, a "when" is one."""
    return token.lower_ not in _ADVERBS or token.head.dep_ in _CLAUSES


def head_of(token: Any) -> Any:
    """The first of the words that a word is joined to by "and"."""
    while token.dep_ == "conj":
        token = token.head
    return token


def is_plural(noun: Any) -> bool:
    """By its form, or as it is several things."""
    return "Plur" in noun.morph.get("Number") or any(
        child.dep_ == "conj" for child in noun.children
    )


def has_dependent(token: Any, relation: str) -> bool:
    """Whether something depends on a word in that way."""
    return any(child.dep_ == relation for child in token.children)
