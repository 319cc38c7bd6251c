"""A marker written in the form of one that an answer has already.

An answer that cites as `【1†source】` or `[PMID:7, S:2]` keeps doing so when a citation
of it is corrected. What is written here is a proposal: whoever uses it reads it back,
because only the reader of markers (`citations.find`) says what a marker names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from claimscope.core.text.citations.marker_content import MarkerItem

_DIGITS = re.compile(r"[0-9０-９⁰¹²³⁴-⁹]{1,3}")
_BETWEEN = re.compile(
    r"\s*(?:[-–—,;&^，；˒’·⁻]|and|und)\s*(?:[A-Za-z]{1,12}[ .:#_-]{0,2})?\^?\s*"
)
_RANGES = frozenset("-–—⁻")
_FURTHER = re.compile(r"\s*,\s*(?:pp?\.|page|§)[^\]］】)]*")
_HIGH = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_WIDE = str.maketrans("0123456789", "０１２３４５６７８９")
_BRACKETS = re.compile(
    r"(\\?[\[［〔【〖(]\s*)([^\[\]［］〔〕【】〖〗]*?)(\s*\\?[\]］〕】〗)])"
)
_PLACE = re.compile(r"(?i)(\s*[,:;]\s*|\s+)(S(?:entences?)?\s*[:.]?\s*)(?=\d)")
_DAGGER = re.compile(r"([【\[]\s*\d{1,3}(?::\d{1,3})?†)[^】\]]*([】\]])")
_WORK = re.compile(r"\(\s*\D[^()]*?(,?\s+)\(?(?:1[5-9]|20)\d\d[^()]*\)")


def in_form_of(like: str, items: Sequence[MarkerItem]) -> Iterator[str]:
    """Markers that may name `items`, in the form of the marker `like`; best first. An
    item with an author (`Smith 2020`) is written so where `like` is."""
    if all(item.position is not None for item in items):
        yield from _numbered(like, [item.position or 0 for item in items])
    elif all(item.author is not None for item in items):
        form = _WORK.fullmatch(like)
        if form is not None:
            names = (item.author or "" for item in items)
            works = (form.group(1).join(name.rsplit(" ", 1)) for name in names)
            yield f"({'; '.join(works)})"
    elif all(item.page_id is not None for item in items):
        yield from _paged(like, items)


def plainly(items: Sequence[MarkerItem]) -> str:
    """The usual form, `[PMID:7, S:2; PMID:8]` or `[1, 3]`."""
    if all(item.position is not None for item in items):
        return f"[{', '.join(str(item.position) for item in items)}]"
    return f"[{_content(items, ', ', 'S:', '')}]"


def _numbered(like: str, places: Sequence[int]) -> Iterator[str]:
    """`like` with other numbers in it."""
    tokens = list(_DIGITS.finditer(like))
    for begin in range(len(tokens)):
        first = last = tokens[begin]
        between = None
        for token in tokens[begin + 1 :]:
            found = _BETWEEN.fullmatch(like, last.end(), token.start())
            if found is None:
                break
            between = between or found.group()
            last = token
        digit = first.group()[0]
        numbers = [_in_digits(place, digit) for place in places]
        usual = "˒" if not digit.isdecimal() else ", "
        is_range = between is None or not _RANGES.isdisjoint(between)
        head, tail = like[: first.start()], like[last.end() :]
        joined = (usual if is_range else between or usual).join(numbers)
        yield head + joined + _FURTHER.sub("", tail, count=1)


def _in_digits(number: int, like: str) -> str:
    """A number in the digits of `like`: plain, wide or raised."""
    if not like.isdecimal():
        return str(number).translate(_HIGH)
    return str(number).translate(_WIDE) if not like.isascii() else str(number)


def _paged(like: str, items: Sequence[MarkerItem]) -> Iterator[str]:
    """A marker of page ids, with sentences where the items have them."""
    dagger = _DAGGER.fullmatch(like)
    if dagger is not None and len(items) == 1:
        yield f"{dagger.group(1)}{items[0].page_id}{dagger.group(2)}"
    form = _BRACKETS.fullmatch(like)
    if form is None:
        return
    opening, content, closing = form.groups()
    place = _PLACE.search(content)
    between, word = (place.group(1), place.group(2)) if place else (", ", "S:")
    spelled = content[: place.start()].strip() if place else ""
    for known in dict.fromkeys((spelled, "")):
        yield opening + _content(items, between, word, known) + closing


def _content(items: Sequence[MarkerItem], between: str, word: str, spelled: str) -> str:
    """`PMID:7, S:0,1; PMID:8`. `spelled`: how the marker wrote its page."""
    parts = []
    for page, group in groupby(items, key=lambda item: item.page_id):
        name = spelled if _same(spelled, page or "") else page
        places = [str(one.sentence) for one in group if one.sentence is not None]
        parts.append(f"{name}{between}{word}{','.join(places)}" if places else name)
    return "; ".join(part or "" for part in parts)


def _same(spelled: str, page: str) -> bool:
    """Whether a page may have been spelled so: another case, no prefix."""
    one, other = ("".join(text.split()).casefold() for text in (spelled, page))
    return bool(one) and (one == other or other == f"pmid:{one}")
