"""What the parts of sentences with several facts have in common: the main verb, and the
words that hold all parts together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

# spaCy's objects are untyped here: Doc and Token appear as Any.

SUBJECTS = frozenset({"nsubj", "nsubjpass", "expl", "csubj", "csubjpass"})
HELPING = frozenset({"aux", "auxpass"})
_TOGETHER = re.compile(
    r"(?i)\b(?:either|neither|nor|both|not only|never|hardly|no longer|only|together"
    r"|respectively|each)\b"
)
"""Words that may reach over all parts."""
_CONDITIONS = frozenset(
    "if unless when whenever until once before after while because since".split()
)
"""The same where a clause stands behind them: "until midnight" is a time."""
_ADVERBS = frozenset("once before after since".split())
_CLAUSES = frozenset("advcl ccomp relcl acl pcomp csubj".split())


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
        token.lower_ in _CONDITIONS
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


def has(token: Any, relation: str) -> bool:
    """Whether something depends on a word in that way."""
    return any(child.dep_ == relation for child in token.children)
