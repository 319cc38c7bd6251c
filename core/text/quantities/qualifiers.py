"""Words beside a number that change what it says: bounds, rounding, exactness, change.

"At least 5", "about 5", "exactly 5" and "by 5" are four different statements.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from claimscope.core.text.quantities.quantity import Bound, Lean, Quantity, Role

REACH = 24
"""Letters before and after a number that are looked at. What the whole text says is
kept, since each of its numbers asks for it."""
_ARTICLE = re.compile(r"(?i)(?<=\s)an?\s+$")
"""More than a million: the number begins after it."""
_LEAST = re.compile(
    r"\b(?:at least|not less than|no less than|no fewer than|minimum of)\s*$|≥\s*$",
    re.I,
)
_MORE = re.compile(
    r"\b(?:over|above|(?<!no )(?<!not )more than|older than|upwards of"
    r"|exceed(?:s|ed|ing)?)\s*$|>\s*$",
    re.I,
)
_LEAST_AFTER = re.compile(
    r"\s*(?:or|and)\s+(?:more|older|over|above|higher|longer|later)\b|\s?\+", re.I
)
_NOT_EXCEED = r"(?:not(?: to)?|cannot|never|without|\w+n['’]t) exceed(?:s|ed|ing)?"
_MOST = re.compile(
    r"\b(?:at most|(?<!add )(?<!adds )(?<!adding )up to|no more than|not more than"
    rf"|maximum of|{_NOT_EXCEED}|as many as|as much as)\s*$|≤\s*$",
    re.I,
)
_LESS = re.compile(
    r"\b(?:under|below|(?<!no )(?<!not )less than|(?<!no )fewer than|younger than)\s*$"
    r"|<\s*$",
    re.I,
)
_MOST_AFTER = re.compile(
    r"\s*(?:or|and)\s+(?:less|fewer|younger|under|below|lower|earlier)\b|\s+at most\b",
    re.I,
)
_NEGATION = re.compile(
    r"\b(?:not|no|never|cannot|nobody|none|nothing|neither|without)\b|n['’]t\b", re.I
)
_FIXED = re.compile(
    rf"\b(?:no|not) (?:more|less|fewer|later|earlier) than\b|\b{_NOT_EXCEED}\b"
    r"|\bnot quite\b|\bnot only\b",
    re.I,
)
_DURING = re.compile(r"\bover\s*$", re.I)
_LIMIT = re.compile(
    r"\b(?:up to|(?:min|max)imum|must|requires?|required|needs?|needed|ha(?:s|ve) to"
    r"|allow(?:s|ed)?|permit(?:s|ted)?|admit(?:s|ted)?|admission|may|can|limit(?:ed)?"
    r"|eligible|open to|restricted|should)\b",
    re.I,
)
_ABOUT = re.compile(
    r"(?:\b(?:about|around|approximately|approx\.?|roughly|some|circa|ca\.?|close to"
    r"|an estimated|in the region of|more or less)|[~≈])\s*$",
    re.I,
)
_ABOUT_AFTER = re.compile(r"\s*(?:or so|or thereabouts)\b", re.I)
_UNDER = re.compile(r"\b(?:nearly|almost|just under|just below|not quite)\s*$", re.I)
_OVER = re.compile(r"\b(?:just over|just above|slightly over|a little over)\s*$", re.I)
_EXACT = re.compile(r"\b(?:exactly|precisely|an exact)\s*$", re.I)
_CHANGE = re.compile(
    r"\b(?:ris(?:e|es|en|ing)|rose|f(?:a|e)ll(?:s|en|ing)?|gr(?:ow|ows|ew|own|owing)"
    r"|drop(?:s|ped|ping)?|(?:in|de)creas(?:e|es|ed|ing)|climb(?:s|ed|ing)?"
    r"|s(?:i|a|u)nk(?:s|ing)?|declin(?:e|es|ed|ing)|reduc(?:e|es|ed|ing|tion)"
    r"|rais(?:e|es|ed|ing)|lower(?:s|ed|ing)?|cut(?:s|ting)?|went (?:up|down)"
    r"|go(?:es)? (?:up|down)|shr(?:i|a|u)nk|widen(?:s|ed)?|chang(?:e|es|ed)"
    r"|shorten(?:s|ed)?|extend(?:s|ed)?|gain(?:s|ed)?|lost|los(?:e|es|ing))\b",
    re.I,
)
_ROLE = re.compile(r"\b(?P<role>by|to|from)\s+(?:about\s+|around\s+|only\s+)?$", re.I)
_SINCE = re.compile(
    r"\b(?P<word>since|until|till|before|after|starting in|as of)\s+(?:the year\s+)?$",
    re.I,
)
_SPAN_ENDS: dict[str, Role] = {
    "since": "since",
    "starting in": "since",
    "as of": "since",
    "until": "until",
    "till": "until",
    "before": "before",
    "after": "after",
}


@lru_cache(maxsize=64)
def speaks_of_change(text: str) -> bool:
    """Whether a text says that something rose, fell or changed."""
    return _CHANGE.search(text) is not None


def with_qualifiers(text: str, quantity: Quantity) -> Quantity:
    """A quantity with what the words beside it say of it."""
    before = _ARTICLE.sub("", text[max(0, quantity.start - REACH) : quantity.start])
    after = text[quantity.end : quantity.end + REACH]
    lean = _lean(before)
    is_about = bool(_ABOUT.search(before) or _ABOUT_AFTER.match(after) or lean)
    bound, is_strict = (None, False) if lean else _bound(before, after, quantity)
    return replace(
        quantity,
        bound=bound,
        is_strict=is_strict,
        is_limit=bound is not None and not is_strict and _speaks_of_limits(text),
        is_about=is_about,
        lean=lean,
        is_exact=_EXACT.search(before) is not None,
        role=_role(text, before, quantity),
        is_turned=bound is not None and _is_negated(text),
    )


def qualified_span(text: str, quantity: Quantity) -> tuple[int, int]:
    """Start and end of a quantity with the words that bound or round it."""
    first = max(0, quantity.start - REACH)
    before = _ARTICLE.sub("", text[first : quantity.start])
    after = text[quantity.end : quantity.end + REACH]
    ahead = (_LEAST, _MORE, _MOST, _LESS, _ABOUT, _UNDER, _OVER, _EXACT)
    starts = [m.start() + first for one in ahead if (m := one.search(before))]
    behind = (_LEAST_AFTER, _MOST_AFTER, _ABOUT_AFTER)
    ends = [m.end() + quantity.end for one in behind if (m := one.match(after))]
    return min([quantity.start, *starts]), max([quantity.end, *ends])


@lru_cache(maxsize=64)
def _speaks_of_limits(text: str) -> bool:
    return _LIMIT.search(text) is not None


@lru_cache(maxsize=64)
def _is_negated(text: str) -> bool:
    """ "No child under 16": which way a bound points is not told by its words."""
    return _NEGATION.search(_FIXED.sub(" ", text)) is not None


def role_of_date(before: str) -> Role | None:
    """Whether a year or date begins or ends something: since, until, before, after."""
    match = _SINCE.search(before)
    return _SPAN_ENDS[match["word"].lower()] if match else None


def _lean(before: str) -> Lean | None:
    if _UNDER.search(before):
        return "under"
    return "over" if _OVER.search(before) else None


def _bound(before: str, after: str, quantity: Quantity) -> tuple[Bound | None, bool]:
    """(bound, whether its end is left out)."""
    is_time = quantity.unit is not None and quantity.unit.dimension == "time"
    if is_time and _DURING.search(before):  # "over 12 weeks": during them
        return None, False
    if quantity.kind == "year":
        return None, False
    if _LEAST.search(before) or _LEAST_AFTER.match(after):
        return "least", False
    if _MOST.search(before) or _MOST_AFTER.match(after):
        return "most", False
    if _MORE.search(before):
        return "least", True
    return ("most", True) if _LESS.search(before) else (None, False)


def _role(text: str, before: str, quantity: Quantity) -> Role | None:
    if quantity.kind == "year":
        return role_of_date(before)
    match = _ROLE.search(before)
    if match is None or not speaks_of_change(text):
        return None
    word = match["role"].lower()
    return "by" if word == "by" else "to" if word == "to" else "from"
