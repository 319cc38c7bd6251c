"""Sentences about another thing than a claim is about, which are no evidence for it.

The plans of a table, the machines of a guide with a section for each, the kinds of
ticket in a list: each fact of one has a like fact of the others. "It costs 4 euros" is
as near to the row of the one as to the row of another. The question says which is
meant, or the heading that the claim stands under, or the sentence before it; what the
pages say of the others is no evidence then, unless the claim names them too.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from claimscope.core.models import Evidence, Testimony, Verdict
from claimscope.core.models.verdicts import PEERS
from claimscope.core.verify.peers.labels import SUBJECT, Label, Peers
from claimscope.core.verify.peers.side_by_side import lead_of, peers_on, row_label
from claimscope.core.verify.resolve import SHOWN
from claimscope.core.verify.statements import Statement, statements, statements_of

_ALL = re.compile(
    r"(?i)\b(?:both|either of|neither|others|the (?:other|rest)|unlike|whereas|compared"
    r"|whichever|whatever|just like|alike|differs?|difference\w*"
    r"|the (?:next|most|least|\w{2,}est))\b"
    r"|^\W*(?:(?:in|on|with|for) )?(?:like|other|all)\b"
)
"""Words of a claim that speaks of the others as well, though it names none."""
_OTHERS = re.compile(
    r"(?i)\b(?:others?|rest|remaining|all|both|any|every|each|either)\b"
)
"""Words of a sentence that says of the others too what it says of the one it names."""
_LIKE_ALL = re.compile(r"(?i)\b(?:like|as (?:in|on|with|for)) (?:all|every|any)\b")
"""What stands under one thing and says of all."""
_TAKES_OVER = re.compile(
    r"(?i)\b(?:everything|all (?:that|of)|(?:the )?same as|see|inherit\w*)\b"
)
"""Words of one thing that has what another one has."""
_REFERENCE = re.compile(
    r"(?i)\b(?:after|before|since|than|from|until|instead of|unlike|except|without)"
    r"(?:\s+(?:the|my|our|a|an))?(?:\s+(?!\w+ing\b)[\w-]+){1,3}"
)
"""What a question only starts from: "what do I do after step 2?"."""
_NO_SUBJECT = r"there(?! (?:is|are)\b)"
_LEANS = re.compile(
    rf"(?i)\W*(?:it|its|they|their|this|these|{_NO_SUBJECT}|then|here|such)\b"
)
"""A sentence that speaks of what the one before it names."""
_POINTS = re.compile(
    rf"(?i)\b(?:it|its|they|their|them|this|that|these|those|{_NO_SUBJECT}|then|here"
    r"|such|ones?)\b"
)
"""Words of a claim that may stand for what the sentence before it names."""
_BESIDE = re.compile(
    r"(?i)\b(?:unlike|than|compared (?:to|with)|instead of|whereas|while|in contrast to"
    r"|as (?:in|on|with|for)|like)\b[^,.;:]*"
)
"""What a sentence sets its thing beside."""

Meant = Sequence[tuple[Peers, frozenset[Label]]]
"""The labels that a claim is about, of each group of which it is about any."""


@dataclass(frozen=True)
class OfAnother:
    """A sentence about another thing than a claim is."""

    evidence: Evidence
    about: str
    meant: str


@dataclass(frozen=True)
class Surroundings:
    """What says what a claim is about besides itself."""

    before: Sequence[str]
    """The last sentences before it under its heading."""
    heading: str
    question: str


class PagePeers:
    """The things side by side on some pages, and which of them a sentence is about."""

    def __init__(self, pages: Sequence[tuple[str, str]]) -> None:
        """`pages`: id and text of each."""
        self._pages = dict(pages)
        self.groups = peers_on([text for _, text in pages])
        self._about: dict[tuple[Peers, str, int], frozenset[Label]] = {}
        self._taken: dict[Peers, dict[Label, set[Label]]] = {}

    def meant(self, claim: str, around: Surroundings) -> Meant:
        """The labels that a claim is about, of each group of which it is about any:
        where it leans on what stands before it, what that is about, else what the
        heading names, else the question; with what it names itself, and what those
        have all of."""
        if _ALL.search(claim):
            return []
        leans = _LEANS.match(claim) is not None
        points = _POINTS.search(claim) is not None
        question = _REFERENCE.sub(" ", around.question)
        found = []
        for group in self.groups:
            before = _last_named(group, around.before) if leans or points else None
            asked = group.named_in(around.heading) or group.named_in(question)
            if before and leans:
                asked = before
            elif before and asked:
                asked |= before
            if asked:
                meant = asked | group.named_in(claim)
                found.append((group, meant | self._taken_over(group, meant)))
        return found

    @cached_property
    def _taking_over(self) -> list[tuple[str, Statement]]:
        """Statements of something that has what another thing has, with their page."""
        return [
            (page, one)
            for page in self._pages.values()
            for one in statements(page)
            if not one.is_head and _TAKES_OVER.search(one.text)
        ]

    def _taken_over(self, group: Peers, meant: frozenset[Label]) -> frozenset[Label]:
        """The things that those which are meant have all of: "Everything in Free"."""
        if group not in self._taken:
            taken: dict[Label, set[Label]] = {}
            for page, one in self._taking_over:
                named = group.named_in(one.text)
                for label in _about(group, page, one.start, one.end):
                    taken.setdefault(label, set()).update(named - {label})
            self._taken[group] = taken
        found: set[Label] = set()
        left = list(meant)
        while left:
            new = self._taken[group].get(left.pop(), set()) - found
            found |= new
            left += new
        return frozenset(found)

    def of_another(self, hit: Evidence, meant: Meant) -> OfAnother | None:
        """A sentence, if it is about another of the things side by side than those that
        are meant."""
        for group, wanted in meant:
            there = self.about(group, hit.page_id, hit.start, hit.end)
            if not there.isdisjoint(wanted) or self._speaks_of(group, hit, wanted):
                continue
            if there and all(group.are_beside(a, b) for a in there for b in wanted):
                return OfAnother(hit, _listed(there), _listed(wanted))
        return None

    def _speaks_of(self, group: Peers, hit: Evidence, wanted: frozenset[Label]) -> bool:
        """Whether a sentence names one of some labels, wherever."""
        page = self._pages[hit.page_id]
        own = statements_of(page, hit.start, hit.end)
        read = [statements(page)[number] for number in own]
        said = _named(group, [one.own for one in read if not one.row])
        return not said.isdisjoint(wanted)

    def about(
        self, group: Peers, page_id: str, start: int, end: int
    ) -> frozenset[Label]:
        """The labels of a group that a sentence stands under; else those that it names,
        or the only one that its paragraph names before it if it leans on that. None
        where it speaks of the others as well ("with the other plans …")."""
        key = (group, page_id, start)
        if key not in self._about:
            page = self._pages[page_id]
            self._about[key] = _about(group, page, start, end)
        return self._about[key]


def _about(group: Peers, page: str, start: int, end: int) -> frozenset[Label]:
    read = statements(page)
    own = statements_of(page, start, end)
    if not own:
        return frozenset()
    first = own[0]
    before: list[Statement] = []
    while first and _is_paragraph(page, read, first):
        first -= 1
        before.append(read[first])
    said = [read[n].own for n in own if not read[n].row]
    named = _subjects(group, said)
    under = _under(group, page, [read[n] for n in own], lead_of(page, read[first]))
    if under:
        is_of_all = any(_LIKE_ALL.search(text) for text in said)
        return frozenset() if is_of_all else under | named
    if any(_OTHERS.search(text) for text in said):
        return frozenset()
    if not named and _LEANS.match(read[own[0]].own):
        named = _subjects(group, [one.own for one in before if not one.row])
        return named if len(named) == 1 else frozenset()
    return named


def _under(
    group: Peers, page: str, read: Sequence[Statement], lead: str
) -> frozenset[Label]:
    """The labels that the headings, the term or the row of statements begin with. The
    title of a page that names a thing among others says little of its sentences."""
    title = next((one.heads[0] for one in statements(page) if one.heads), "")
    is_thing = any(label.text == title for label in group.labels)
    heads = [
        text
        for one in read
        for place, text in enumerate(one.heads)
        if place or text != title or is_thing
    ]
    rows = [text for one in read for text in (row_label(one), one.term)]
    found = (group.named_at_start(text) for text in (*heads, *rows, lead) if text)
    return frozenset[Label]().union(*found)


def _named(group: Peers, texts: Iterable[str]) -> frozenset[Label]:
    return frozenset[Label]().union(*(group.named_in(text) for text in texts))


def _subjects(group: Peers, texts: Iterable[str]) -> frozenset[Label]:
    return frozenset[Label]().union(*(group.named_as_subject(text) for text in texts))


def _last_named(group: Peers, before: Sequence[str]) -> frozenset[Label]:
    """What the last sentence that begins with one of them is about."""
    for text in reversed(before):
        named = group.named_in(_BESIDE.sub(" ", text), SUBJECT)
        if named:
            return named
    return frozenset()


def _is_paragraph(page: str, read: Sequence[Statement], number: int) -> bool:
    """Whether a statement goes on in the paragraph of the one before it."""
    before, one = read[number - 1], read[number]
    is_line = "\n" in page[before.end : one.start]
    return not one.row and not before.is_head and not is_line


def _listed(labels: Collection[Label]) -> str:
    return ", ".join(sorted(label.text for label in labels))


def with_another(
    verdict: Verdict, shown: Evidence, of_others: Sequence[OfAnother]
) -> Verdict:
    """An open verdict with the sentence that states its claim of another thing. What
    rules missed was missed in the sentences that were left, not in this one."""
    place = shown.sentence_id
    one = next((x for x in of_others if x.evidence.sentence_id == place), None)
    if one is None:
        return verdict
    doubt = Testimony(
        witness=PEERS,
        says="doubts",
        place=place,
        reason=f"{place} says so, but of “{one.about}”; the claim is about"
        f" “{one.meant}”.",
        decisive=True,
    )
    rest = [x for x in verdict.evidence if x.sentence_id != place]
    others = [x.model_copy(update={"decisive": False}) for x in verdict.testimony]
    return verdict.model_copy(
        update={
            "evidence": (shown, *rest)[:SHOWN],
            "rules": tuple(x for x in verdict.rules if x.outcome != "missing"),
            "reason": doubt.reason,
            "testimony": (doubt, *others),
        }
    )
