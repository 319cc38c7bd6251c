"""What an entailment model is given to read of a question's pages.

The statements of the candidates, each as it reads by itself, one by one and side by
side in the order of the page. A statement that begins with a reference ("It", "They",
"This") is read with the one before it, which says what is meant; no other neighbour is
read along.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from claimscope.core.models import Evidence
from claimscope.core.ports import Question
from claimscope.core.verify.normalisation import canonical
from claimscope.core.verify.statements import (
    Statement,
    join_statements,
    statements,
    statements_of,
)

ROOM = 560
"""Characters of a premise: about as many as the model reads beside a claim."""
SINGLES = 5
"""Candidates that are read one by one."""
TOGETHER = 3
"""Candidates that are read side by side: more of a page distract more than they tell
(on long answers AUC .72 beside .68 for as many as there is room for)."""

_REFERS = re.compile(
    r"(?:[^:]{0,80}: ){0,3}(?:it|its|they|their|them|he|his|him|she|her|this|that|these"
    r"|those|both|neither|either|such"
    r"|the (?:former|latter|same|other|others|first|second|rest)"
    r"|there|here|then|another|one|instead|otherwise|however|but|and|so|also)\b",
    re.I,
)


@dataclass(frozen=True)
class StatedCandidate:
    """A candidate with the statements it is or belongs to."""

    evidence: Evidence
    alone: str
    """Its statements in canonical form, with what they refer to."""
    statements: tuple[Statement, ...] = ()
    """The same one by one, without what they refer to."""


@dataclass(frozen=True)
class Passage:
    """What is read for one question."""

    together: str
    """The best statements in the order of their page; "" when there is none."""
    near: tuple[StatedCandidate, ...]
    """The best candidates first, as many as witnesses look at that cost nothing."""
    is_whole: bool = False
    """`together` is all that there is: no other sentence can say more of the claim."""

    @property
    def singles(self) -> tuple[StatedCandidate, ...]:
        """Those that the entailment model reads one by one."""
        return self.near[:SINGLES]


def passage_of(question: Question, room: int = ROOM) -> Passage:
    """The passage of a question that has evidence."""
    pages = {
        page_id: _Page(page_id, text, statements(text))
        for page_id, text in question.documents
    }
    best = _without_heads(question.evidence, pages)[: 2 * SINGLES]
    stated = [_state_candidate(one, pages.get(one.page_id)) for one in best]
    whole = [page for page in pages.values() if page.page_id == best[0].page_id]
    if whole and len(whole) == len(pages) and len(whole[0].text) <= room:
        together = _with_title(whole[0].whole, best[0])
        return Passage(together, tuple(stated), is_whole=True)
    return Passage(_read_together(best, pages, stated, room), tuple(stated))


def _without_heads(
    evidence: Sequence[Evidence], pages: dict[str, _Page]
) -> Sequence[Evidence]:
    """The candidates without headings and heads of tables, if there are any."""
    found = [
        one
        for one in evidence
        if one.page_id not in pages or pages[one.page_id].of(one)
    ]
    return found or evidence


@dataclass(frozen=True)
class _Page:
    page_id: str
    text: str
    statements: tuple[Statement, ...]

    @property
    def whole(self) -> str:
        return join_statements([one.text for one in self.statements if not one.is_head])

    def of(self, one: Evidence) -> list[int]:
        """Numbers of the statements a candidate is; not the heads among them."""
        return [
            n
            for n in statements_of(self.text, one.start, one.end)
            if not self.statements[n].is_head
        ]

    def before(self, number: int) -> list[int]:
        """The statement that a referring one leans on."""
        if number and _REFERS.match(self.statements[number].text):
            previous = number - 1
            while previous > 0 and self.statements[previous].is_head:
                previous -= 1
            if not self.statements[previous].is_head:
                return [previous]
        return []


def _state_candidate(one: Evidence, page: _Page | None) -> StatedCandidate:
    numbers = page.of(one) if page is not None else []
    if page is None or not numbers:
        text = canonical(one.text)
        leans = one.before and _REFERS.match(text)
        alone = (
            join_statements([canonical(one.before), text])
            if leans and one.before
            else text
        )
        read: tuple[Statement, ...] = (Statement(one.start, one.end, text),)
    else:
        before = page.before(numbers[0])
        alone = join_statements([page.statements[n].text for n in (*before, *numbers)])
        read = tuple(page.statements[n] for n in numbers)
    return StatedCandidate(one, _with_title(alone, one), read)


def _with_title(text: str, one: Evidence) -> str:
    """With the page's title, when the text does not name it itself."""
    title = canonical(one.title) if one.title else ""
    if not title or title.lower() in text.lower() or len(title) > 80:
        return text
    return f"{title}: {text}"


def _read_together(
    best: Sequence[Evidence],
    pages: dict[str, _Page],
    stated: Sequence[StatedCandidate],
    room: int,
) -> str:
    """As many of the best as there is room for, each page's in its own order."""
    chosen: dict[tuple[int, int], str] = {}
    order = {
        page_id: n for n, page_id in enumerate(dict.fromkeys(e.page_id for e in best))
    }
    left = room
    for one, read in list(zip(best, stated, strict=True))[:TOGETHER]:
        page = pages.get(one.page_id)
        if page is None:
            wanted = {(order[one.page_id], one.start): read.alone}
        else:
            numbers = page.of(one)
            numbers = [*(page.before(numbers[0]) if numbers else []), *numbers]
            wanted = {
                (order[one.page_id], page.statements[n].start * 1000 + n): (
                    page.statements[n].near_head
                )
                for n in numbers
            }
        new = {place: text for place, text in wanted.items() if place not in chosen}
        size = sum(map(len, new.values()))
        if chosen and size > left:
            continue
        chosen |= new
        left -= size
    return join_statements([chosen[place] for place in sorted(chosen)])
