"""Citation markers as chatbots and authors write them, beside those in brackets.

`[^1]`, `[Source 1]`, `[doc1]`, `【1†source】` and `［1］` count in the context list as
`[1]` does; so do raised digits, `<sup>1</sup>` and `(Source 1)`. `(Smith 2020)` is the
page that says that it is by Smith, of 2020. What looks like a marker and is of no known
kind is named, so that nobody takes an answer for one without citations.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from claimscope.core.text.citations.marker_content import (
    KnownPages,
    MarkerItem,
    PageNames,
    read_positions,
)

OPENING = "[［〔【〖"
CLOSING = "]］〕】〗"
FOLDED = str.maketrans(
    OPENING[1:] + CLOSING[1:] + "０１２３４５６７８９，：；＾",
    "[[[[]]]]" + "0123456789,:;^",
)
"""One character for one, so that places stay."""
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_WORD = (
    r"(?:search\s+)?(?:sources?|src|docs?|documents?|passages?|contexts?|chunks?|refs?"
    r"|references?|cit(?:e|ation)s?|snippets?|excerpts?|evidence|results?|quellen?"
    r"|dokumente?|fuentes?|fonti?|出典|来源|资料|文献|id|idx|c|#)"
)
_NUMBERS = r"\d{1,3}(?:\s*[-–,;]\s*\d{1,3})*"
_NAMED = re.compile(
    rf"(?i)\s*{_WORD}\s*[.:#_-]?\s*(\d{{1,3}}(?:\s*[-–]\s*\d{{1,3}})?)\s*"
)
_ANOTHER = re.compile(
    rf"(?i)(?:[,;&]|\band\b|\bund\b)\s*(?:{_WORD}\s*[.:#_-]?)?\s*"
    r"(\d{1,3}(?:\s*[-–]\s*\d{1,3})?)\s*"
)
_NOTE = re.compile(r"\^\s*([^\s^]{1,40}(?:\s*,\s*\^?\s*\d{1,3})*)\s*\^?$")
_DAGGER = re.compile(r"(\d{1,3})(?::(\d{1,3}))?†(.*)$")
_WITH_PLACE = re.compile(r"(?i)(\d{1,3})\s*,\s*(?:pp?\.|page|§)\s*[\d–-]{1,12}$")
_SUP = re.compile(
    r"(?i)<sup>\s*(?:<a\b[^<>]{0,200}>)?\s*\\?\[?\s*"
    rf"({_NUMBERS})\s*\\?\]?\s*(?:</a>)?\s*</sup>"
)
_SIGNS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_HIGH = re.compile(
    rf"[{_SIGNS}]{{1,3}}(?:\s?[,⁻˒’·]\s?[{_SIGNS}]{{1,3}}){{0,20}}|⁽[{_SIGNS},⁻]{{1,40}}⁾"
)
_PARENTHESES = re.compile(r"\(([^()\[\]\n]{3,160})\)")
_YEAR = r"(?:1[5-9]|20)\d\d"
_NAME = (
    r"(?:(?:van|von|de|del|della|da|di|le|la|den|der|ten)\s+){0,2}[A-ZÀ-Þ][\w'’-]{1,30}"
)
_AUTHORS = (
    rf"{_NAME}(?:\s{_NAME}){{0,2}}(?:(?:,\s?(?:and\s|&\s)?|\s(?:and|&|und|y|et)\s){_NAME})"
    r"{0,6}(?:,?\s+et\s+al\.?,?)?"
)
_CITED_WORK = re.compile(
    rf"\s*(?:see\s+|see also\s+|cf\.\s+|e\.g\.,?\s+)?({_AUTHORS}),?\s+"
    rf"\(?({_YEAR})[a-z]?\)?"
    r"(?:\s*,\s*(?:pp?\.\s*)?[\d–-]{1,12})?\s*"
)
_TOLD = re.compile(rf"({_AUTHORS})\s+(\(({_YEAR})[a-z]?\))")
_SURE = re.compile(r"\bet\s+al\b|&|\sand\s")
_BEFORE = re.compile(r"(\d[\d.,:]*|[^\W\d_]+)$")
_UNITS = frozenset(
    """km cm mm dm nm µm μm um m ft mi yd sq px kg metre metres meter meters kilometre
    kilometres kilometer kilometers centimetre centimetres foot feet inch inches mile
    miles yard yards cm² sec second seconds mol""".split()
)
_INTERVAL = re.compile(
    r"(?i)\b(?:intervals?|ranges?|domains?|bounds?|vectors?|arrays?|tuples?|lists?"
    r"|matrix|coordinates?|segments?|scale)(?:\s+(?:is|was|of|=|between|from))?\s*$"
)
_UNIT_AFTER = re.compile(
    r"\s*(?:%|°|(?:k|c|m|µ)?m\b|k?g\b|met(?:re|er)s?\b|(?:kilo|centi|milli)met(?:re|er)s?"
    r"|seconds?\b|minutes?\b|hours?\b|days?\b|years?\b|euros?\b|dollars?\b|points?\b)"
)
_NO_SOURCE = re.compile(
    r"(?i)(?:fig|figure|table|tab|eq|equation|step|section|sec|chapter|part|version|v"
    r"|option|question|q|note|line|page|p|pp|item|level|day|week|year|phase|box|room"
    r"|task|issue|pr|todo|rfc|iso|act|article|art|appendix)s?\.?\s*\S*$"
)
_STRANGE = re.compile(
    r"(?i)(?:citation needed|sources?|refs?|references?|cite|citations?"
    r"|\^[\w -]{1,40}\^?|@[\w:.-]{2,60}|\d{1,3}:\d{1,3}(?:†.*)?|[a-z][a-z_-]{0,15}"
    r"[ :._#-]{0,2}\d{1,5}[a-z]?)$"
)
_OTHER_SIGNS = re.compile(
    r"(?i)<(ref|cite|citation)\b[^<>]{0,200}(?:/>|>[^<>]{0,200}</\1>)"
    r"|(?<![\w${}])\{\d{1,2}\}(?!\})|(?<=[a-z)”\"])\s\(\d{1,2}\)(?=[.!?](?:\s|$))"
)


@dataclass(frozen=True)
class FoundMarker:
    """A place that is a marker; without items, one that nobody can read."""

    start: int
    end: int
    items: tuple[MarkerItem, ...] = ()
    problem: str = ""


def bracketed_items(content: str, known: KnownPages) -> tuple[MarkerItem, ...]:
    """What other dialects mean by the content of brackets; empty = nothing known."""
    content = content.translate(_RAISED).strip()
    note = _NOTE.match(content)
    if note:
        return read_positions(note.group(1).replace("^", ""))
    dagger = _DAGGER.match(content)
    if dagger:
        page = known.get(dagger.group(3)) if dagger.group(3).strip() else None
        if page is not None:
            return (MarkerItem(page_id=page),)
        return () if dagger.group(2) else read_positions(dagger.group(1))
    placed = _WITH_PLACE.match(content)
    return read_positions(placed.group(1)) if placed else _read_numbered(content)


def _read_numbered(content: str) -> tuple[MarkerItem, ...]:
    """`Source 1`, `Sources 1 and 2`, `doc1, doc3`."""
    match = _NAMED.match(content)
    items: list[MarkerItem] = []
    while match:
        items += read_positions(match.group(1))
        if match.end() == len(content):
            return tuple(items)
        match = _ANOTHER.match(content, match.end())
    return ()


def raised_markers(text: str) -> Iterator[FoundMarker]:
    """Raised digits that are no power, as characters or as HTML."""
    signs = any(sign in text for sign in _SIGNS)
    for match in _HIGH.finditer(text) if signs else ():
        content = match.group().strip("⁽⁾").translate(_RAISED)
        items = read_positions(re.sub(r"[˒’·]", ",", content).replace(" ", ""))
        if not items:
            continue
        power = _power_problem(text, match.start(), items)
        if power is None:
            yield FoundMarker(match.start(), match.end(), items)
        elif power:
            yield FoundMarker(match.start(), match.end(), problem=power)
    for match in _SUP.finditer(text) if "<" in text else ():
        items = read_positions(match.group(1))
        if items and _power_problem(text, match.start(), items) is None:
            yield FoundMarker(match.start(), match.end(), items)


def _power_problem(text: str, start: int, items: tuple[MarkerItem, ...]) -> str | None:
    """None = a marker; "" = a power or unit; else why it may be either."""
    before = _BEFORE.search(text, max(0, start - 30), start)
    if before is None or len(items) > 1:
        return None
    word = before.group().rstrip(".,:")
    if not word or before.group() != word:
        return None
    if word[0].isdigit():
        first = items[0].position
        if first == 1 or re.fullmatch(_YEAR, word):
            return None
        return "" if word == "10" or first in (2, 3) else "it may be a power"
    return "" if len(word) == 1 or word.casefold() in _UNITS else None


def parenthesised_markers(text: str, names: object) -> Iterator[FoundMarker]:
    """`(Source 1)`, `(Smith 2020)`, `Smith (2020)`."""
    if "(" not in text:
        return
    for match in _PARENTHESES.finditer(text):
        content = match.group(1)
        if not any(char.isdigit() for char in content):
            continue
        items = _read_numbered(content) or _read_works(content, names)
        if items:
            yield FoundMarker(match.start(), match.end(), items)
    if isinstance(names, PageNames):
        for told in _TOLD.finditer(text):
            item = _find_work(told.group(1), told.group(3), names)
            if item is not None:
                yield FoundMarker(told.start(2), told.end(2), (item,))


def has_work(text: str) -> bool:
    """Whether an author with a year stands in it, so that page names are of use."""
    return (
        "(" in text
        and any(
            _CITED_WORK.fullmatch(part)
            for match in _PARENTHESES.finditer(text)
            for part in match.group(1).split(";")
        )
        or _TOLD.search(text) is not None
    )


def _read_works(content: str, names: object) -> tuple[MarkerItem, ...]:
    """Author and year of each part; empty when one is neither known nor certain."""
    items: list[MarkerItem] = []
    for part in content.split(";"):
        match = _CITED_WORK.fullmatch(part)
        if match is None:
            return ()
        item = _find_work(match.group(1), match.group(2), names)
        if item is None:
            if not _SURE.search(match.group(1)):
                return ()
            item = MarkerItem(author=f"{match.group(1)} {match.group(2)}")
        items.append(item)
    return tuple(items)


def _find_work(authors: str, year: str, names: object) -> MarkerItem | None:
    """The one page that says it is by an author and of a year, or None."""
    if not isinstance(names, PageNames):
        return None
    for surname in re.findall(r"[A-ZÀ-Þ][\w'’-]+", authors):
        place = names.authors.get((surname.casefold(), year))
        if isinstance(place, int):
            return MarkerItem(position=place)
        if place:
            return MarkerItem(page_id=place)
    return None


def is_interval(text: str, start: int, end: int, items: tuple[MarkerItem, ...]) -> bool:
    """`the interval [1, 2]`, `[1, 2] metres`: two rising numbers, and no places."""
    if len(items) < 2 or any(item.position is None for item in items):
        return False
    return bool(
        _INTERVAL.search(text, max(0, start - 40), start)
        or _UNIT_AFTER.match(text, end)
    )


def looks_like_marker(content: str) -> bool:
    """Whether the content of brackets looks like a marker nobody here can read."""
    content = content.strip()
    return _STRANGE.match(content) is not None and not _NO_SOURCE.match(content)


def unknown_signs(text: str, names: object) -> Iterator[FoundMarker]:
    """Markers of no known kind, outside brackets."""
    for match in _OTHER_SIGNS.finditer(text):
        start = match.start() + (match.group()[0] == " ")
        yield FoundMarker(start, match.end(), problem="a marker of unknown kind")
    for match in _PARENTHESES.finditer(text):
        content = match.group(1)
        if all(_CITED_WORK.fullmatch(part) for part in content.split(";")):
            if not _read_works(content, names):
                problem = "no page says who that is"
                yield FoundMarker(match.start(), match.end(), problem=problem)
