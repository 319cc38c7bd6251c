"""Where a corrected citation goes in an answer, and how it is written there.

The answer's own form of markers is kept: one that cites as `【1†source】` or
`[PMID:7, S:2]` keeps doing so. Each text is read back in its place before it
is proposed, so that nothing is written that names something else, stands in code, or
belongs to another sentence. A proposal that a person took is meant as they saw it: of a
sample that was judged again, one that is proposed no more counts no more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby

from claimscope.core.models import (
    CitationDecision,
    CitationProposal,
    SampleKey,
    SampleResult,
)
from claimscope.core.text.citations.marker_content import (
    MarkerItem,
    PageNames,
    known_pages,
)
from claimscope.core.text.citations.markers import Marker, attach_markers, find_markers
from claimscope.core.text.citations.reference_list import (
    closing_list_start,
    next_entry,
    reference_entries,
)
from claimscope.core.text.outline import FENCES
from claimscope.core.text.sentences import sentence_at, split_sentences
from claimscope.core.verify.token_alignment import passage_number

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
AROUND = 2
"""Sentences on either side with which a marker is read."""
READ_WHOLE = 20_000
"""Characters up to which it is read with all of the text, when it must be."""
MOST_FORMS = 6
"""Markers of an answer whose form is tried."""
NEAR = 20
"""Characters before a marker that are looked at."""
_STOP = re.compile(r"[.!?…]+[*_]*$")
_YEAR_ONLY = re.compile(r"\(\d{4}[a-z]?\)")
_FOOTNOTES = re.compile(r"(?m)^ {0,3}\[\^[^\[\]\s]{1,40}\]:.*$")
_ROW = re.compile(r"\s*\|$")
_RAISED = frozenset("⁰¹²³⁴⁵⁶⁷⁸⁹⁽")
AcceptedProposals = Mapping[SampleKey, frozenset[CitationProposal]]


@dataclass(frozen=True)
class Written:
    """`text[start:end]` becomes `by`."""

    start: int
    end: int
    by: str
    entry: str = ""
    """A line for the list of references at the end, where it names a new source."""


@dataclass(frozen=True)
class Target:
    """The sentence to cite."""

    page_id: str
    sentence: int

    @property
    def passage(self) -> int | None:
        """Its place in the contexts, from 1; None = it is a page of the corpus."""
        number = passage_number(self.page_id)
        return None if number is None else number + 1

    @property
    def item(self) -> MarkerItem:
        """What a marker of it names, as exactly as can be."""
        if self.passage is not None:
            return MarkerItem(position=self.passage)
        return MarkerItem(page_id=self.page_id, sentence=self.sentence)


Named = MarkerItem | Target
"""What a marker names: as it does already, or anew."""


@dataclass(frozen=True)
class MarkerForm:
    """A way to write a marker."""

    said: str
    read: tuple[MarkerItem, ...]
    """What it has to be read as."""
    entry: str = ""


class MarkerWriter:
    """Writes markers into one answer."""

    def __init__(self, text: str, names: Sequence[str]) -> None:
        """`names`: what markers of the answer may name (`known_names`)."""
        self.text = text
        self.names = names
        self.spans = split_sentences(text, "markdown")
        self.markers = find_markers(text, names)
        self.owners = attach_markers(text, self.spans, self.markers)
        self.begins = closing_list_start(text)

    def replace_items(self, marker: Marker, items: Sequence[Named]) -> Written | None:
        """The marker with its items replaced; None where it is not read as that."""
        for form in self._forms(marker, items):
            change = Written(marker.start, marker.end, form.said, form.entry)
            if self._is_read(change, marker.start, form.read):
                return change
        return None

    def add_marker(
        self, number: int, targets: Sequence[Target], *, is_further: bool = False
    ) -> Written | None:
        """A marker behind sentence `number` that it belongs to; None where none can
        stand, e.g. in code. `is_further`: another one may have been put there."""
        if self.text.startswith(FENCES, self.spans[number][0]):
            return None
        place, gap, is_behind = self._place(number)
        for like in self._nearest_markers(number):
            for form in self._forms(like, targets):
                is_raised = (is_behind or is_further) and form.said[0] in _RAISED
                space = " " if is_raised else gap
                change = Written(place, place, space + form.said, form.entry)
                if self._is_read(change, place + len(space), form.read, number):
                    return change
        return None

    # --- the forms ---

    def _forms(
        self, like: Marker | None, items: Sequence[Named]
    ) -> Iterator[MarkerForm]:
        """Ways to write `items` as `like` is written, best first; at last the usual
        one, where nothing else of `like` would be lost."""
        exact = _items_to_read(items, is_precise=True)
        if like is None:
            yield MarkerForm(write_plainly(exact), exact)
            return
        if _YEAR_ONLY.fullmatch(like.text):
            return  # "Smith (2020) says": the name is a part of the sentence
        yield from self._forms_by_label(like, items)
        yield from self._forms_by_author(like, exact)
        is_precise = any(item.sentence is not None for item in like.items)
        read = _items_to_read(items, is_precise=is_precise)
        for said in in_form_of(like.text, read):
            yield MarkerForm(said, read)
        if len(like.items) == 1:
            yield MarkerForm(write_plainly(exact), exact)

    def _forms_by_label(
        self, like: Marker, items: Sequence[Named]
    ) -> Iterator[MarkerForm]:
        """By number, where a list at the end says which page a number is."""
        labels = self._labels
        if not any(item.page_id in labels for item in like.items):
            return
        read = _items_to_read(items, is_precise=False)
        pages = [item.page_id for item in read if item.page_id is not None]
        new = dict.fromkeys(page for page in pages if page not in labels)
        if len(pages) < len(read) or len(new) > 1:
            return
        entry = ""
        for page in new:
            label, entry = next_entry(self.text, self.begins, page)
            labels = {**labels, page: label}
        if new and not entry:
            return
        numbers = [MarkerItem(position=labels[page]) for page in pages]
        for said in in_form_of(like.text, numbers):
            yield MarkerForm(said, read, entry)

    @cached_property
    def _labels(self) -> Mapping[str | None, int]:
        """Page → number of its entry."""
        found = reference_entries(
            self.text, self.begins, known_pages(tuple(self.names))
        )
        return {page: int(label) for label, page in found.items() if label.isdigit()}

    def _forms_by_author(
        self, like: Marker, exact: Sequence[MarkerItem]
    ) -> Iterator[MarkerForm]:
        """By author and year, where the pages say who that is."""
        if not isinstance(self.names, PageNames):
            return
        works: dict[str | int | None, tuple[str, str]] = {}
        for key, place in self.names.authors.items():
            works.setdefault(place, key)  # the family name comes first
        places = [one.page_id or one.position for one in exact]
        if not all(place in works for place in places):
            return
        keys = [works[place] for place in places]
        written = [MarkerItem(author=f"{name.title()} {year}") for name, year in keys]
        read = tuple(MarkerItem(page_id=i.page_id, position=i.position) for i in exact)
        for said in in_form_of(like.text, written):
            yield MarkerForm(said, read)

    def _nearest_markers(self, number: int) -> Iterator[Marker | None]:
        """Markers to take the form of, the nearest before the sentence first."""
        start = self.spans[number][0]
        order = sorted(
            self.markers, key=lambda one: (one.start > start, abs(one.start - start))
        )
        yield from order[:MOST_FORMS]
        yield None

    # --- the place ---

    def _place(self, number: int) -> tuple[int, str, bool]:
        """(place, white space before the marker, does it follow another one)."""
        gap, before_stop = self._habit
        own = [
            marker
            for marker, owner in zip(self.markers, self.owners, strict=True)
            if owner == number
        ]
        start, end = self.spans[number]
        behind = self.text[own[-1].end : end] if own else ""
        if own and not any(char.isalnum() for char in behind):
            return own[-1].end, gap, True
        said = self.text[start:end].rstrip()
        row = _ROW.search(said)
        if row is not None:
            return start + row.start(), gap, False
        stop = _STOP.search(said) if before_stop else None
        return start + (stop.start() if stop else len(said)), gap, False

    @cached_property
    def _habit(self) -> tuple[str, bool]:
        """(white space before markers, do they precede the stop), as most have it."""
        gaps, before, behind = [], 0, 0
        for marker in self.markers:
            left = self.text[max(0, marker.start - NEAR) : marker.start]
            gaps.append(left[len(left.rstrip(" \t")) :])
            after = self.text[marker.end : marker.end + 3].lstrip(" )*_")
            before += after[:1] in {".", "!", "?"}
            behind += left.rstrip(" \t*_")[-1:] in {".", "!", "?"}
        blank = sum(bool(gap) for gap in gaps)
        return (" " if 2 * blank >= len(gaps) else ""), before >= behind

    # --- reading back ---

    def _is_read(
        self,
        change: Written,
        place: int,
        read: Sequence[MarkerItem],
        number: int | None = None,
    ) -> bool:
        """Whether the marker at `place` of the changed text names exactly `read`, and
        belongs to sentence `number`. Read with what is around it and the list of
        references, since there may be a thousand; only if that fails with all text."""
        sentence = sentence_at(self.spans, change.start) or 0
        first = max(0, (sentence if number is None else number) - AROUND)
        last = min(len(self.spans) - 1, sentence + AROUND)
        start, end = self.spans[first][0] if self.spans else 0, len(self.text)
        if self.spans and self.spans[last][1] < self.begins:
            end = self.spans[last][1]
        near = self.text[start:end]
        if end < len(self.text):
            near += f"\n\n{self._list_text}"
        if self._reads(near, start, change, place, read, number):
            return True
        is_short = len(self.text) <= READ_WHOLE
        return is_short and self._reads(self.text, 0, change, place, read, number)

    def _reads(
        self,
        text: str,
        offset: int,
        change: Written,
        place: int,
        read: Sequence[MarkerItem],
        number: int | None,
    ) -> bool:
        """As `_is_read`, of a text that begins at `offset`."""
        here = replace(change, start=change.start - offset, end=change.end - offset)
        changed = apply_changes(text, [here])
        markers = find_markers(changed, self.names)
        starts = [marker.start + offset for marker in markers]
        at = starts.index(place) if place in starts else None
        if at is None or set(markers[at].items) != set(read):
            return False
        if markers[at].end != here.start + len(here.by):
            return False
        if number is None:
            return True
        spans = split_sentences(changed, "markdown")
        owner = attach_markers(changed, spans, markers)[at]
        start = self.spans[number][0]
        return owner is not None and spans[owner][0] + offset == start

    @cached_property
    def _list_text(self) -> str:
        """The list of references, and footnotes that stand before it."""
        notes = _FOOTNOTES.findall(self.text[: self.begins])
        return "\n".join([*notes, self.text[self.begins :]])


def in_form_of(like: str, items: Sequence[MarkerItem]) -> Iterator[str]:
    """Markers that may name `items`, in the form of the marker `like`; best first. An
    item with an author (`Smith 2020`) is written so where `like` is."""
    if all(item.position is not None for item in items):
        yield from _write_numbers(like, [item.position or 0 for item in items])
    elif all(item.author is not None for item in items):
        form = _WORK.fullmatch(like)
        if form is not None:
            names = (item.author or "" for item in items)
            works = (form.group(1).join(name.rsplit(" ", 1)) for name in names)
            yield f"({'; '.join(works)})"
    elif all(item.page_id is not None for item in items):
        yield from _write_pages(like, items)


def write_plainly(items: Sequence[MarkerItem]) -> str:
    """The usual form, `[PMID:7, S:2; PMID:8]` or `[1, 3]`."""
    if all(item.position is not None for item in items):
        return f"[{', '.join(str(item.position) for item in items)}]"
    return f"[{_content(items, ', ', 'S:', '')}]"


def _write_numbers(like: str, places: Sequence[int]) -> Iterator[str]:
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


def _write_pages(like: str, items: Sequence[MarkerItem]) -> Iterator[str]:
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


def apply_changes(text: str, changes: Iterable[Written | CitationProposal]) -> str:
    """The text with all changes, in order where they meet, and the new entries."""
    parts, last = [], 0
    ordered = sorted(changes, key=lambda change: (change.start, change.end))
    for one in ordered:
        parts += [text[last : one.start], one.by]
        last = one.end
    whole = "".join([*parts, text[last:]])
    entries = dict.fromkeys(one.entry for one in ordered if one.entry)
    if not entries:
        return whole
    body = whole.rstrip()
    return "\n".join([body, *entries]) + whole[len(body) :]


def _items_to_read(
    items: Sequence[Named], *, is_precise: bool
) -> tuple[MarkerItem, ...]:
    """What a marker of them is to be read as, each once."""
    found = []
    for one in items:
        item = one if isinstance(one, MarkerItem) else one.item
        if not is_precise and isinstance(one, Target):
            item = replace(item, sentence=None)
        found.append(item)
    return tuple(dict.fromkeys(found))


def accepted_proposals(decisions: Iterable[CitationDecision]) -> AcceptedProposals:
    """The proposals that stand accepted, by sample: the last word on each counts."""
    found: dict[SampleKey, dict[CitationProposal, bool]] = {}
    for one in decisions:
        found.setdefault(one.sample, {})[one.proposal] = one.accepted
    return {
        key: frozenset(proposal for proposal, yes in said.items() if yes)
        for key, said in found.items()
    }


def mark_accepted(sample: SampleResult, accepted: AcceptedProposals) -> SampleResult:
    """A sample whose proposals say which of them people took."""
    known = accepted.get(sample.key, frozenset())
    if known.isdisjoint(sample.proposals):
        return sample
    proposals = tuple(
        one.model_copy(update={"accepted": True}) if one in known else one
        for one in sample.proposals
    )
    return sample.model_copy(update={"proposals": proposals})
