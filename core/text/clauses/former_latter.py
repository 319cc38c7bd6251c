"""Two things named together, for "the former" and "the latter" behind them."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from claimscope.core.text.linguistics import parse

_ORDINAL = re.compile(
    r"(?i)\b(?P<article>the )(?P<which>former|latter)(?P<of>['’]s)?"
    r"(?= (?P<next>[\w’']+)|[,.;:!?)]|$)"
)
_NOUN = frozenset({"NOUN", "PROPN"})


class NamePair(NamedTuple):
    """Both names as they were written."""

    first: str
    second: str


def pair_of(text: str) -> NamePair | None:
    """The only two things a sentence names together; None where others might be."""
    doc = parse(text) if " and " in text or " or " in text else None
    found = [] if doc is None else [one for token in doc if (one := _pair(doc, token))]
    return found[0] if len(found) == 1 else None


def speaks_of_one(text: str) -> bool:
    """Whether "the former" or "the latter" stands for a thing in a text."""
    return any(_stands_alone(text, match) for match in _ORDINAL.finditer(text))


def resolve_former_latter(text: str, pair: NamePair) -> str:
    """The text with the former and the latter named."""

    def named(match: re.Match[str]) -> str:
        if not _stands_alone(text, match):
            return match.group()
        name = pair.first if match["which"].casefold() == "former" else pair.second
        if match["article"][0].isupper():
            name = name[:1].upper() + name[1:]
        elif name.startswith("The "):
            name = "the " + name[4:]
        return name + (match["of"] or "")

    return _ORDINAL.sub(named, text)


def _stands_alone(text: str, match: re.Match[str]) -> bool:
    """ "The former weighs", not "the former mayor"."""
    if match["of"] or match["next"] is None:
        return True
    doc = parse(text)
    if doc is None:
        return True
    at = match.start("next")
    following = next((token for token in doc if token.idx == at), None)
    if following is None or following.pos_ not in {*_NOUN, "ADJ", "NUM"}:
        return True
    # "The former weighs 9 kg": a verb that is read as a noun has no verb behind it.
    return not any(
        token.pos_ in {"VERB", "AUX"} and token.i > following.i for token in doc
    ) and str(following.text).endswith(("s", "ed"))


def _pair(doc: Any, token: Any) -> NamePair | None:
    joined = [child for child in token.children if child.dep_ == "conj"]
    if token.pos_ not in _NOUN or token.dep_ == "conj" or len(joined) != 1:
        return None
    (other,) = joined
    if other.pos_ not in _NOUN or any(c.dep_ == "conj" for c in other.children):
        return None
    if not any(child.lower_ in {"and", "or"} for child in token.children):
        return None
    if token.left_edge.i and doc[token.left_edge.i - 1].text == ",":
        return None  # the last two of a longer row
    left = token.left_edge.i
    left += doc[left].lower_ in {"both", "either"}
    first = doc[left : token.i + 1].text
    second = doc[other.left_edge.i : other.i + 1].text
    return NamePair(first, second)
