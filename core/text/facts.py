"""Sentences with several facts, taken apart by their grammar.

"The ferry, which carries 40 cars, sails every hour and costs 12 crowns" says three
things, each true or false by itself. What is taken apart here shares its subject: a
relative clause set off by commas, and verbs joined by "and" or "but". What may hold for
all parts (a condition, an introduction, a "never", an "either") keeps them together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from claimscope.core.text.linguistics import LONGEST, has_introduction, parsed

# spaCy's objects are untyped here: Doc and Token appear as Any.

_MAY_HOLD_TWO = re.compile(r"(?i)\b(?:and|but|which|who|that)\b")
_TOGETHER = re.compile(
    r"(?i)\b(?:either|neither|nor|both|not only|never|hardly|no longer|only|together"
    r"|respectively|each)\b"
)
"""Words that may reach over all parts."""
_CONDITIONS = frozenset(
    "if unless when whenever until once before after while because since".split()
)
"""The same where a clause stands behind them: "until midnight" is a time."""
_SUBJECTS = frozenset({"nsubj", "nsubjpass", "expl", "csubj", "csubjpass"})
_CLAUSES = frozenset({"relcl", "ccomp", "advcl", "acl", "csubj", "parataxis"})
_HELPING = frozenset({"aux", "auxpass"})
_JOINING = frozenset({"and", "but"})
_OF_ALL = frozenset(
    """means meant makes made allows allowed leads led causes caused results resulted
    helps helped enables enabled gives gave lets ensures ensured""".split()
)
"""Verbs of a "which" that stands for all that was said: ", which means that"."""


_FINITE = re.compile(
    r"(?:[a-z]{2,}(?:s|ed)|can|could|will|would|may|might|must|had|have|are|were|won"
    r"|ran|became|began|took|made|led|wrote|built|lost|left|held|came|went) "
)
_ASIDE = re.compile(r"([^,;:()]{2,80}), (?:which|who) ([^,;:()]{3,160}), (?=[a-z])")
"""A subject with a clause on it. Parsers read the verb behind it into the clause."""


@lru_cache(maxsize=4096)
def facts(text: str) -> tuple[str, ...]:
    """Statements that say together what `text` says; it alone where it says one thing
    or nothing can be told apart. Words are those of the text."""
    if len(text) > LONGEST or not _MAY_HOLD_TWO.search(text):
        return (text,)
    aside = _ASIDE.match(text)
    if aside is not None:
        said, rest = f"{aside[1]} {aside[2]}", f"{aside[1]} {text[aside.end() :]}"
        if _FINITE.match(text, aside.end()) and _subject_ends(said, len(aside[1])):
            return (*_parsed_facts(rest), said)
    return _parsed_facts(text)


def _parsed_facts(text: str) -> tuple[str, ...]:
    doc: Any = parsed(text)
    root = _root(doc)
    if root is None:
        return (text,)
    kind = _kind(doc, root)
    if kind is not None:
        return kind
    cut, told = _relative(doc)
    parts = list(_verbs(doc, root, cut))
    parts = parts or [_sentence([token for token in doc if token.i not in cut])]
    found = [part for part in (*parts, *told) if part]
    return tuple(found) if len(found) > 1 else (text,)


def _root(doc: Any) -> Any | None:
    if doc is None:
        return None
    roots = [token for token in doc if token.dep_ == "ROOT"]
    if len(roots) != 1 or roots[0].pos_ not in {"VERB", "AUX"}:
        return None
    is_told = any(child.dep_ in _SUBJECTS for child in roots[0].children)
    return roots[0] if is_told else None


def _subject_ends(text: str, end: int) -> bool:
    """Is `text[:end]` the subject of the sentence, and a verb behind it?"""
    root = _root(parsed(text))
    if root is None or root.idx < end:
        return False
    subjects = [child for child in root.children if child.dep_ in _SUBJECTS]
    if len(subjects) != 1 or subjects[0].pos_ == "PRON":
        return False
    last = subjects[0].right_edge
    return bool(last.idx + len(last.text) == end)


def _kind(doc: Any, root: Any) -> tuple[str, str] | None:
    """ "Tarn is a mill that grinds oats": what it is, and what it does."""
    subjects = [child for child in root.children if child.dep_ == "nsubj"]
    nouns = [child for child in root.children if child.dep_ == "attr"]
    if root.lemma_ != "be" or len(subjects) != 1 or len(nouns) != 1:
        return None
    (noun,), (subject,) = nouns, subjects
    is_one = any(child.lower_ in {"a", "an"} for child in noun.lefts)
    verbs = [child for child in noun.rights if child.dep_ == "relcl"]
    is_bare = (
        subject.pos_ != "PRON"
        and subject.i < root.i
        and root.i - 1 == (subject.right_edge.i)
    )
    if len(verbs) != 1 or not (is_one and is_bare) or _holds_together(list(doc)):
        return None
    first, last = verbs[0].left_edge, verbs[0].right_edge
    is_last = all(token.is_punct for token in doc[last.i + 1 :])
    opens = first.lower_ in {"that", "who", "which"} and first.dep_ in _SUBJECTS
    if not (is_last and opens) or doc[noun.i + 1].i != first.i:
        return None
    name = list(doc[subject.left_edge.i : subject.right_edge.i + 1])
    what = _sentence(list(doc[: first.i])) + "."
    return what, _sentence([*name, *doc[first.i + 1 : len(doc)]])


def _relative(doc: Any) -> tuple[set[int], list[str]]:
    """Tokens of the relative clauses set off by commas, and what these say."""
    cut: set[int] = set()
    told: list[str] = []
    for verb in doc:
        if verb.dep_ != "relcl" or verb.head.pos_ not in {"NOUN", "PROPN"}:
            continue
        first, last = verb.left_edge, verb.right_edge
        pronoun = [c for c in verb.children if c.lower_ in {"which", "who"}]
        is_set_off = first.i > 1 and doc[first.i - 1].text == ","
        ends = last.i + 1 >= len(doc) or doc[last.i + 1].text in ",.;!?"
        if not (is_set_off and ends and pronoun and pronoun[0].i == first.i):
            continue
        is_which = pronoun[0].lower_ == "which"
        if pronoun[0].dep_ not in _SUBJECTS or (is_which and verb.lower_ in _OF_ALL):
            continue
        if verb.i - first.i < 1 or first.i in cut:
            continue
        noun = verb.head
        name = doc[noun.left_edge.i : first.i - 1]
        if is_which and noun.head.dep_ != "ROOT":
            continue  # "bus 27 to Skerra Lane, which": either may run
        if noun.dep_ == "conj" and sum(one.dep_ == "relcl" for one in doc) < 2:
            continue  # "Ana Ruiz and Bo Lind, who": one or both
        if any(token.like_num for token in name):
            continue  # "25 micrograms, which equals": said of the figure where it is
        if noun.i >= first.i or any(t.i in cut or t.text == "," for t in name):
            continue
        after = last.i + 1
        has_comma = after < len(doc) and doc[after].text == ","
        cut |= set(range(first.i - 1, after + has_comma))
        said = _sentence([*name, *doc[first.i + 1 : after]])
        told.append(said[:1].upper() + said[1:] if name[0].is_lower else said)
    return cut, told


def _verbs(doc: Any, root: Any, cut: set[int]) -> Iterator[str]:
    """One statement for each verb joined to the main one that shares its subject."""
    subjects = [child for child in root.children if child.dep_ in _SUBJECTS]
    kept = [token for token in doc if token.i not in cut]
    if len(subjects) != 1 or subjects[0].pos_ == "PRON":
        return
    subject = subjects[0]
    name = [t for t in kept if subject.left_edge.i <= t.i <= subject.right_edge.i]
    is_plain = subject.right_edge.i < root.i and all(t.text != "," for t in name)
    if not is_plain or has_introduction(root) or _holds_together(kept):
        return
    verbs = _joined(doc, root, cut)
    if not all(_agrees(doc, verb, subject) for verb in verbs):
        return
    is_denied = any(child.dep_ == "neg" for child in root.children)
    if not verbs or (is_denied and not all(map(_stands, verbs))):
        return
    helping = [c for c in root.children if c.dep_ in _HELPING and c.i > subject.i]
    starts = [_start(doc, verb) for verb in verbs]
    ends = [_before(doc, start) for start in starts]
    pieces = [[t for t in kept if t.i < ends[0]]]
    for verb, start, end in zip(verbs, starts, [*ends[1:], len(doc)], strict=True):
        shared = [] if _stands(verb) else helping
        if not shared and not _stands(verb):
            return
        own = [t for t in kept if start <= t.i < end]
        pieces.append([*name, *shared, *own])
    begins = name[0].is_lower and name[0].i > 0
    edges = [root.i, *(verb.i for verb in verbs)]
    limits = [*ends, len(doc)]
    if all(_says(doc, verb, end) for verb, end in zip(edges, limits, strict=True)):
        yield _sentence(pieces[0])
        for piece in map(_sentence, pieces[1:]):
            yield piece[:1].upper() + piece[1:] if begins else piece


def _holds_together(tokens: list[Any]) -> bool:
    """Whether something in a sentence may hold for all of its parts."""
    return _TOGETHER.search(_text(tokens)) is not None or any(
        token.lower_ in _CONDITIONS and token.dep_ in {"mark", "advmod"}
        for token in tokens
    )


def _joined(doc: Any, root: Any, cut: set[int]) -> list[Any]:
    """Verbs behind a comma or an "and" that share the subject of the main verb."""
    clauses = [t for t in doc if t.i not in cut and t.dep_ in _CLAUSES]
    if any(token.dep_ == "ccomp" for token in clauses):
        return []  # "data shows dogs fall ill and cough"
    found: list[Any] = []
    for token in doc[root.i + 1 :]:
        if token.i in cut or not _opens(doc, token):
            continue
        if any(child.dep_ in _SUBJECTS and child.i < token.i for child in token.lefts):
            return []  # a clause of its own: what follows may belong to it
        is_joined = token.dep_ == "conj" and _head_of(token).i == root.i
        if is_joined and token.pos_ in {"VERB", "AUX"}:
            found.append(token)
        elif not clauses and root.tag_ == "VBZ" and _looks_finite(doc, token):
            found.append(token)  # "costs" and the like are often read as nouns
    return found


def _opens(doc: Any, token: Any) -> bool:
    """Is it the first of its part, but for an adverb or helping verbs?"""
    at = token.i - 1
    while at > 0 and doc[at].pos_ in {"ADV", "AUX", "PART"}:
        at -= 1
    return bool(doc[at].text == "," or doc[at].lower_ in _JOINING)


def _looks_finite(doc: Any, token: Any) -> bool:
    if token.tag_ == "VBZ":
        return True
    following = doc[token.i + 1] if token.i + 1 < len(doc) else None
    return (
        token.tag_ == "NNS"
        and following is not None
        and (following.like_num or following.pos_ in {"DET", "NUM"})
    )


def _agrees(doc: Any, verb: Any, subject: Any) -> bool:
    """Whether a word is a verb of the subject: "the role they played, and still play"
    is none of one website, "by Bill and artist Bob Kane" has no second participle."""
    is_one = "Sing" in subject.morph.get("Number") and not any(
        child.dep_ == "conj" for child in subject.children
    )
    if verb.tag_ == "VBP" and is_one and not _own_help(verb):
        return bool(_head_of(verb).tag_ == "VB")
    is_passive = any(child.dep_ == "auxpass" for child in _head_of(verb).children)
    if is_passive and not _own_help(verb) and verb.tag_ in {"VB", "VBN"}:
        follows = doc[verb.i + 1].pos_ if verb.i + 1 < len(doc) else ""
        return bool(verb.tag_ == "VBN" and follows not in {"PROPN", "NOUN"})
    return True


def _head_of(token: Any) -> Any:
    while token.dep_ == "conj":
        token = token.head
    return token


def _start(doc: Any, verb: Any) -> int:
    at = verb.i
    while doc[at - 1].pos_ in {"ADV", "AUX", "PART"}:
        at -= 1
    return int(at)


def _before(doc: Any, start: int) -> int:
    """Where the part in front of a verb ends: before "and" or a comma."""
    at = start
    while at > 0 and (doc[at - 1].text == "," or doc[at - 1].lower_ in _JOINING):
        at -= 1
    return at


def _stands(verb: Any) -> bool:
    """Needs no helping verb of another. Behind "does not store" a "share" is no verb
    of its own, whatever it is read as."""
    own = {"VBZ", "VBD", "MD", "NNS"}
    helping = [c.lower_ for c in _head_of(verb).children if c.dep_ == "auxpass"]
    if helping and helping[0] in {"is", "are"} and verb.tag_ == "VBD":
        return _own_help(verb)  # "is bounded by hills and crossed by a road"
    is_base = _head_of(verb).tag_ == "VB"
    return _own_help(verb) or verb.tag_ in (own if is_base else {*own, "VBP"})


def _own_help(verb: Any) -> bool:
    return any(child.dep_ in _HELPING for child in verb.children)


def _says(doc: Any, verb: int, end: int) -> bool:
    """Whether a part says something of its own: "opens and closes at 9" is one fact."""
    return any(token.is_alpha or token.like_num for token in doc[verb + 1 : end])


def _text(tokens: list[Any]) -> str:
    return "".join(token.text_with_ws for token in tokens)


def _sentence(tokens: list[Any]) -> str:
    """Tokens as a sentence: no blank before its marks, a capital where it is a word."""
    parts = [t.text if t.whitespace_ == "" else f"{t.text} " for t in tokens]
    for at, token in enumerate(tokens[:-1]):
        gap = tokens[at + 1].i - token.i
        if gap != 1 and not parts[at].endswith(" ") and tokens[at + 1].is_alpha:
            parts[at] += " "
    text = re.sub(r"\s+([.,;:!?])", r"\1", "".join(parts)).strip()
    return re.sub(r"[\s,;]+([.!?]?)$", r"\1", text)
