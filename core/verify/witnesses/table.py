"""The table witness: a cell of an answer's table held against the pages' own cells.

Chatbots answer in tables, and most of what they put there stands in a table, a record
or a list of the pages with other heads, in another order, or turned on its side. A
claim "Plan: Basic; Storage: 3 GB" is about one row, one column and one value. The
page's cell of that row and column settles it, however far from the claim its wording
is; where row or column are not found without doubt nothing is said.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from claimscope.core.models import Evidence, Testimony
from claimscope.core.ports import Question
from claimscope.core.text.sentences import split_sentences
from claimscope.core.verify.normalisation import canonical
from claimscope.core.verify.statements import Statement, statements
from claimscope.core.verify.token_alignment import AlignedText
from claimscope.core.verify.witnesses.lexicon import exclude, mean_same
from claimscope.core.verify.witnesses.proof import Proves, proof
from claimscope.core.verify.word_forms import stem

TABLE = "table"
FAMILY = 5
"""Letters at the beginning of words of one family, at least."""

_WORD = re.compile(r"[^\W_]+(?:[.:'’]\d+)*|[%€$£°]")
_BRACKETS = re.compile(r"\s*\([^()]*\)")
_CELL = re.compile(r";\s+")
_EMPTY = frozenset(
    "a an the of for per in on at by to and or with is are it its as be any each number"
    " from which that this your you".split()
)
"""Words that tell no row, column or value from another."""
_GUARDS = {
    "no": "not",
    "not": "not",
    "non": "not",
    "none": "not",
    "without": "not",
    "never": "not",
    "except": "not",
    "under": "under",
    "below": "under",
    "less": "under",
    "fewer": "under",
    "before": "under",
    "over": "over",
    "above": "over",
    "more": "over",
    "after": "over",
}
"""Words that make two rows out of one: "with breakfast", "without breakfast"."""
_NUMBERS = {"one": "1", "first": "1", "single": "1"}
_PERIODS = {
    "monthly": "month",
    "yearly": "year",
    "annual": "year",
    "annually": "year",
    "daily": "day",
    "weekly": "week",
    "hourly": "hour",
    "nightly": "night",
}
_SAYS = {
    "yes": {"yes", "true", "on", "enabled", "included", "allowed"},
    "no": {"no", "false", "off", "disabled", "not included", "not allowed"},
    "nothing": {"none", "0", "free", "nothing", "no charge", "no fee", "€0", "$0"},
    "no limit": {"unlimited", "no limit", "limitless", "without limit"},
}
"""Values that are said in many ways."""


@dataclass(frozen=True)
class TableCell:
    """A value of the pages with what it is the value of."""

    key: str
    """The row's head, or the heading over a list of terms."""
    kind: str
    """What the rows of the table are; "" of a record."""
    head: str
    """The column's head, or the term."""
    value: str
    start: int
    """Where its sentence begins on the page."""
    table: int
    """Cells with one number stand in one table."""
    row: int | str = 0
    """Cells of a table with the same stand in one row."""
    beside: str = ""
    """What else stands in the row."""
    lead: str = ""
    """The headings it stands under."""


@dataclass(frozen=True)
class CellClaim:
    """A claim that is a cell."""

    lead: str
    """What is said before the row: its heading or the sentence over the table."""
    kind: str
    key: str
    head: str
    value: str


@dataclass(frozen=True)
class Settled:
    """A cell of the pages that settles a claim."""

    says: Proves
    evidence: Evidence
    cell: TableCell
    asked: CellClaim

    @property
    def testimony(self) -> Testimony:
        cell, place = self.cell, self.evidence.sentence_id
        there = f"{cell.head} of {cell.key} is {cell.value}"
        if self.says == "entails":
            return proof(TABLE, "entails", place, f"By {place} {there}.")
        reason = f"The claim says {self.asked.value}, by {place} {there}."
        return proof(TABLE, "contradicts", place, reason)


def parts_of(claim: str) -> list[tuple[str, str]]:
    """What stands before the last colon, and behind it, of each part of "A: x; B: y";
    nothing where a part has no colon."""
    found = [one.rpartition(": ") for one in _CELL.split(claim)]
    if not all(sign for _, sign, _ in found):
        return []
    return [(head, value) for head, _, value in found]


def cell_claim_of(claim: str) -> CellClaim | None:
    """The cell that a claim is: "Plan: Basic; Storage: 3 GB", also with a lead before
    it; None for any other claim."""
    parts = parts_of(canonical(claim).rstrip(". "))
    if len(parts) != 2:
        return None
    (before, key), (head, value) = parts
    lead, _, kind = before.rpartition(": ")
    return CellClaim(lead, kind, key, head.rpartition(": ")[2], value)


def with_cell(question: Question, cell: Settled | None) -> Question:
    """The question with the sentence of the cell that settles it among its candidates,
    for all witnesses to read."""
    if cell is None or cell.evidence in question.evidence:
        return question
    return replace(question, evidence=(cell.evidence, *question.evidence))


def settling_cell(question: Question) -> Settled | None:
    """The cell that settles a claim; None where no cell does, or cells differ. Its
    sentence need not be among the candidates."""
    asked = cell_claim_of(question.claim)
    if asked is None:
        return None
    found: list[Settled] = []
    for page_id, text in question.documents:
        for cell in _named(asked, tables(text)):
            says = _compared(asked, cell, cells(text))
            if says is not None and not _clash(asked.lead, cell.lead):
                place = evidence_of(page_id, text, cell, question)
                found.append(Settled(says, place, cell, asked))
    found.sort(key=lambda one: -_nearness(asked.lead, one.cell.lead))
    if len({one.says for one in found}) > 1:
        # Two tables differ: the one whose heading is the claim's, or none.
        best = _nearness(asked.lead, found[0].cell.lead)
        found = [x for x in found if _nearness(asked.lead, x.cell.lead) == best > 0]
    is_one = len({one.says for one in found}) == 1
    return found[0] if is_one else None


def _clash(mine: str, theirs: str) -> bool:
    """Headings of different things: of other years, of summer and winter."""
    left, right = set(table_words(mine)), set(table_words(theirs))
    figures = [{w for w in words if w[0].isdigit()} for words in (left, right)]
    if all(figures) and not figures[0] & figures[1]:
        return True
    return any(exclude(a, b) for a in left - right for b in right - left)


@lru_cache(maxsize=256)
def cells(page: str) -> tuple[TableCell, ...]:
    """Every cell of the tables of a page, read by row and by column, and the terms of
    its lists under their headings."""
    found: list[TableCell] = []
    table, columns = 0, None
    named: set[tuple[str, str]] = set()
    for one in statements(page):
        if one.is_head:
            continue
        heads = tuple(head for head, _ in one.row)
        if heads != columns:
            table, columns = table + 1, heads
        if one.row:
            found += _of_row(one, table)
        elif one.term and (one.lead, one.term) not in named:
            named.add((one.lead, one.term))
            found += _of_term(one, -table)
    return tuple(found)


@lru_cache(maxsize=256)
def tables(page: str) -> tuple[tuple[TableCell, ...], ...]:
    """The cells of a page, table by table."""
    found: dict[int, list[TableCell]] = {}
    for cell in cells(page):
        found.setdefault(cell.table, []).append(cell)
    return tuple(map(tuple, found.values()))


def rows_of(table: Sequence[TableCell]) -> list[list[TableCell]]:
    """The cells of a table row by row; of one on its side, a column each."""
    found: dict[int | str, list[TableCell]] = {}
    for cell in table:
        found.setdefault(cell.row, []).append(cell)
    return list(found.values())


def columns(page: str) -> Iterator[tuple[str, list[list[TableCell]]]]:
    """(what its rows are, its columns) of each table of a page: a column is the cells
    of one property, things are their heads. Tables with the same heads are read as
    one, so a column that stands under several headings is left out."""
    kinds = {cell.table: cell.kind for table in tables(page) for cell in table}
    for table in tables(page):
        kind = kinds.get(-table[0].table, "")
        rows = rows_of(table)
        yield kind, [row for row in rows if len({cell.lead for cell in row}) == 1]


TOTALS = frozenset(
    map(stem, "total sum all overall average mean median bundle together both".split())
)
"""Stems of heads of rows that are no thing by themselves."""


def candidate_at(question: Question, page_id: str, start: int) -> str:
    """Id of the candidate that a place of a page stands in; the page's best where it is
    in none, "" where the page has no candidate."""
    own = [one for one in question.evidence if one.page_id == page_id]
    inside = (one.sentence_id for one in own if one.start <= start < one.end)
    return next(inside, own[0].sentence_id if own else "")


def _of_row(one: Statement, table: int) -> Iterator[TableCell]:
    (kind, key), *rest = one.row
    beside = " ".join(value for _, value in rest)
    for n, (head, value) in enumerate(rest):
        place = one.start
        yield TableCell(key, kind, head, value, place, table, place, beside, one.lead)
        # The same table on its side: a column for each thing, a row for each property.
        yield TableCell(head, "", key, value, place, -table, n, "", one.lead)


def _of_term(one: Statement, table: int) -> Iterator[TableCell]:
    heading = one.lead.rpartition(" - ")[2]
    own = re.match(r"([^:]{1,60}?)(?::| -) (.+)$", one.own, re.S)
    if heading and own is not None and own[1] == one.term:
        value = own[2].rstrip(".")
        lead = one.lead.rpartition(" - ")[0]
        yield TableCell(
            heading, "", one.term, value, one.start, table, heading, "", lead
        )


def evidence_of(
    page_id: str, text: str, cell: TableCell, question: Question
) -> Evidence:
    """The cell's sentence; the candidate itself where it is one."""
    for one in question.evidence:
        if one.page_id == page_id and one.start <= cell.start < one.end:
            return one
    spans = split_sentences(text)
    index = next(n for n, (start, end) in enumerate(spans) if start <= cell.start < end)
    start, end = spans[index]
    known = next((x for x in question.evidence if x.page_id == page_id), None)
    return Evidence(
        page_id=page_id,
        index=index,
        text=text[start:end],
        start=start,
        end=end,
        before=text[slice(*spans[index - 1])] if index else None,
        after=text[slice(*spans[index + 1])] if index + 1 < len(spans) else None,
        title=known.title if known else None,
        url=known.url if known else None,
    )


# --- which cell ---


def _named(
    asked: CellClaim, known: Sequence[Sequence[TableCell]]
) -> Iterator[TableCell]:
    """The cells that a claim is about: of each table the one row and the one column
    that fit, none where two do."""
    for table in known:
        rows = {cell.row: cell for cell in table}
        row = _only([one for one in rows.values() if _is_row(asked, one)], asked.key)
        heads = {cell.head for cell in table if row and cell.row == row.row}
        near = {head: _nearness(asked.head, head) for head in heads}
        best = max(near.values(), default=0.0)
        chosen = [head for head, share in near.items() if share == best > 0]
        if row is not None and len(chosen) == 1:
            yield from (c for c in table if (c.row, c.head) == (row.row, chosen[0]))


def _only(found: Sequence[TableCell], wanted: str) -> TableCell | None:
    """The one of several that is the wanted one word for word, or the only one."""
    exact = [one for one in found if table_words(one.key) == table_words(wanted)]
    near = exact or found
    return near[0] if len(near) == 1 else None


def _is_row(asked: CellClaim, cell: TableCell) -> bool:
    """The row is the claim's: it has all the words that the claim has for it, in their
    order, and none that would make it another row."""
    mine, theirs = table_words(asked.key), table_words(cell.key)
    if "(" not in asked.key:
        theirs = table_words(_BRACKETS.sub("", cell.key)) or theirs
    around = {*table_words(asked.kind), *table_words(cell.kind)}
    mine = tuple(word for word in mine if word not in around) or mine
    theirs = tuple(word for word in theirs if word not in around) or theirs
    # "Double" may be the one without a balcony; "double with a balcony" is not.
    theirs = _unsaid(mine, theirs)
    guards = frozenset(_GUARDS.values())
    if [w for w in mine if w in guards] != [w for w in theirs if w in guards]:
        return False
    figures = [[w for w in x if w[0].isdigit()] for x in (mine, theirs)]
    if figures[0] != figures[1]:
        return False
    if _is_within(mine, theirs) or len(figures[0]) > 1:
        return True
    # "Internet, red" of a row "Internet | red | no connection"
    more = [word for word in mine if word not in theirs]
    return _is_within(theirs, mine) and _is_within(more, table_words(cell.beside))


def _unsaid(mine: Sequence[str], theirs: Sequence[str]) -> tuple[str, ...]:
    """A row's words without those that it denies and the claim does not speak of."""
    kept: list[str] = []
    for word in theirs:
        if kept and kept[-1] == "not" and "not" not in mine and word not in mine:
            kept.pop()
        else:
            kept.append(word)
    return tuple(kept)


def _is_within(mine: Sequence[str], theirs: Sequence[str]) -> bool:
    """All of them in this order, others between them or not."""
    rest = iter(theirs)
    return bool(mine) and all(word in rest for word in mine)


def _nearness(mine: str, theirs: str) -> float:
    """Share of the words of two heads that both have, [0, 1]."""
    left, right = set(table_words(mine)), set(table_words(theirs))
    shared = {a for a in left if any(is_near(a, b) for b in right)}
    return len(shared) / max(len(left), len(right)) if shared else 0.0


def is_near(mine: str, theirs: str) -> bool:
    """One word, two that mean the same, or of one family: valid, validity."""
    is_family = len(mine) >= FAMILY and mine[:FAMILY] == theirs[:FAMILY]
    return is_family or mine == theirs or mean_same(mine, theirs)


def covers(words: Collection[str], known: Collection[str]) -> bool:
    """Each of the words is near to one of the known."""
    return all(any(is_near(word, other) for other in known) for word in words)


@lru_cache(maxsize=8192)
def table_words(text: str) -> tuple[str, ...]:
    """Stems of the words that tell one thing from another; figures as figures."""
    found = []
    for match in _WORD.finditer(canonical(text).lower()):
        word = _NUMBERS.get(match[0], match[0])
        word = _GUARDS.get(word, _PERIODS.get(word, word))
        if word not in _EMPTY:
            found.append(word if word in _GUARDS.values() else stem(word))
    return tuple(found)


# --- which value ---


def _compared(
    asked: CellClaim, cell: TableCell, known: Sequence[TableCell]
) -> Proves | None:
    """What a cell says of the value claimed for it. It contradicts where the value is
    that of another row, or one that excludes the cell's while the heads are the same
    but for words that one of them has more."""
    if _are_same(asked.value, cell.value):
        return "entails"
    others = (
        one.value
        for one in known
        if (one.table, one.head) == (cell.table, cell.head) and one.row != cell.row
    )
    if any(_is_neighbour(asked.value, cell.value, other) for other in others):
        return "contradicts"
    left, right = set(table_words(asked.head)), set(table_words(cell.head))
    is_head = left <= right or right <= left
    return "contradicts" if is_head and _exclude(asked.value, cell.value) else None


def _is_neighbour(mine: str, own: str, other: str) -> bool:
    """The value is another row's, which has nothing of this row's own."""
    if table_words(own) == table_words(other) or not _are_same(mine, other):
        return False
    return not is_part(own, other)


def is_part(own: str, other: str) -> bool:
    """ "Email" of a row's own "Chat and email"."""
    left, right = set(table_words(own)), set(table_words(other))
    return left < right or right < left


def _are_same(mine: str, theirs: str) -> bool:
    if _class(mine) and _class(mine) == _class(theirs):
        return True
    left, right = table_words(mine), table_words(theirs)
    if left and left == right:
        return True
    figures, others = (
        AlignedText(canonical(mine)).quantities,
        AlignedText(canonical(theirs)).quantities,
    )
    if len(figures) == len(others) == 1 and figures[0].same(others[0]):
        return not _rest(mine, figures[0].text) ^ _rest(theirs, others[0].text)
    extra = [word for word in right if word not in left]
    is_part = len(left) >= 1 and _is_within(left, right)
    guarded = any(word in _GUARDS.values() or word[0].isdigit() for word in extra)
    is_list = bool(re.search(r"[,;/]|\b(?:and|or|but)\b", theirs))
    return is_part and not guarded and not is_list and len(extra) <= len(left)


def _rest(text: str, figure: str) -> frozenset[str]:
    """The words of a value beside its figure, but for its brackets."""
    plain = _BRACKETS.sub("", canonical(text)).replace(figure, " ", 1)
    return frozenset(table_words(plain))


def _class(value: str) -> str | None:
    plain = _BRACKETS.sub("", canonical(value)).strip(" .").lower()
    return next((name for name, ways in _SAYS.items() if plain in ways), None)


def _exclude(mine: str, theirs: str) -> bool:
    """Two values of one kind, of which only one can be right."""
    kinds = {_class(mine), _class(theirs)}
    if kinds == {"yes", "no"}:
        return True
    left, right = AlignedText(canonical(mine)), AlignedText(canonical(theirs))
    if kinds == {"nothing", None}:
        (said,) = (x for x, v in ((left, mine), (right, theirs)) if _class(v) is None)
        return len(said.quantities) == 1 and said.quantities[0].low > 0
    if kinds != {None}:
        return False
    if len(left.quantities) == len(right.quantities) == 1:
        one, other = left.quantities[0], right.quantities[0]
        is_plain = not (one.bound or other.bound or one.is_about or other.is_about)
        is_alone = _rest(mine, one.text) == _rest(theirs, other.text)
        return is_plain and is_alone and one.comparable(other) and not one.same(other)
    if len(left.clocks) == len(right.clocks) == 1:
        return left.clocks[0].minutes % 720 != right.clocks[0].minutes % 720
    return _are_names(mine, theirs)


def _are_names(mine: str, theirs: str) -> bool:
    """Two names that share no word."""
    both = [_BRACKETS.sub("", one).split() for one in (mine, theirs)]
    are_names = all(
        words and all(word[:1].isupper() for word in words) and len(words) <= 4
        for words in both
    )
    shared = {*table_words(mine)} & {*table_words(theirs)}
    return are_names and not shared
