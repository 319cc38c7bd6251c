"""The alignment witness: a claim laid word by word beside one statement.

It speaks only of near copies. Where every word of the claim stands in the statement in
the claim's own order, and nothing in the statement limits it, the statement entails
the claim. Where all is the same but for one value (a figure, date, time, day or
identifier), one opposite or one denial, it contradicts. A row of a table is held
against the claim cell by cell: the row's head must stand in the claim.

Order is what binds: "The Falcon weighs 9 kg" lends no figure to a claim about the
Kestrel, since then the subject differs too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import lru_cache

from claimscope.core.models import Evidence, Testimony
from claimscope.core.verify.normalisation import canonical
from claimscope.core.verify.passages import Passage
from claimscope.core.verify.statements import Statement
from claimscope.core.verify.token_alignment import AlignedText
from claimscope.core.verify.witnesses.lexicon import exclude, mean_same
from claimscope.core.verify.witnesses.proof import Proves, proof
from claimscope.core.verify.witnesses.table import parts_of
from claimscope.core.verify.witnesses.tokens import Token, tokens
from claimscope.core.verify.word_forms import stem

ALIGNMENT = "alignment"
LEAST = 2
"""Words besides the one that differs, for the claim to be about the same."""
SHORT = 4
"""Words of a value, at most."""
LONGEST = 60
"""Words of a statement or claim: longer ones are no near copies."""

LONGEST_LIST = 2000
"""Letters of a sentence with two lists."""

_JOINTS = frozenset("in at on for with by to from and".split())
"""Words between the parts of a cell."""
_LIMITS = frozenset(
    "only if unless except but until may might could should would some most few many"
    " all every each none nor or than rather almost nearly hardly barely planned"
    " expected said reportedly according supposedly rumoured allegedly formerly"
    " previously once used no not never without instead before after first last less"
    " more fewer least former old new per excluding apart besides when while whereas"
    " because".split()
)
"""Words that change what is said when they stand on one side only."""
_WHOLE = frozenset(("every", "each"))
_NONE = frozenset(("no", "none", "neither"))
_ALL = frozenset(("all", "every", "each", "both"))
_PRONOUN = re.compile(r"(?i)(?:it|they|he|she)\b")
_PREFIX = re.compile(r"^(?:un|in|im|ir|il|dis|non)-?(?=[a-z]{4})")
_THINGS = frozenset(
    stem(word)
    for word in (
        "north south east west left right upper lower summer winter spring autumn day"
        " night morning evening weekday weekend male female man woman boy girl adult"
        " child husband wife father mother son daughter brother sister odd even"
    ).split()
)
"""Opposites that name things beside one another: what is true of one says nothing of
the other."""
_COLON = re.compile(r":(?!\d)")
_PARTS = re.compile(r"(?<=\w);\s+|\.\s+|,\s+(?:and|but|while|whereas)\s+")
_SPLIT_CELL = re.compile(r";\s+")
_LIST = r"(?:,\s+{item})*,?\s+and\s+{item}"
_ITEM = r"(?:the\s+)?[\w€$£%.:-]+(?:\s+(?:kg|km|m|cm|mm|g|mg|%|euros?|dollars?))?"
_RESPECTIVELY = re.compile(r",?\s*\b(?:respectively|in (?:that|this) order)\b", re.I)
_TWO_LISTS = re.compile(
    rf"^(?P<head>.*?)(?P<names>{_ITEM}{_LIST.format(item=_ITEM)})(?P<middle>\s.+?\s)"
    rf"(?P<values>{_ITEM}{_LIST.format(item=_ITEM)})(?P<tail>.*)$",
    re.I,
)
_PART = re.compile(r",\s+(?:and\s+)?|\s+and\s+")
_MEASURED = {
    "mass": "weigh weighs weight mass heavy",
    "length": "long length tall high height wide width deep depth measures",
    "money": "cost costs price priced fee charge charged pay pays",
    "time": "take takes last lasts long duration",
}
_MARK = re.compile(
    r"(?P<first>yes|no) (?P<name>[\w -]{2,40})"
    r"|(?P<label>[\w -]{2,40}) (?P<last>yes|no)"
)
"""An item with a mark, which the canonical form writes as "yes" or "no"."""
_GRANTED = frozenset(
    stem(word)
    for word in (
        "allowed permitted included supported available possible welcome".split()
    )
)
"""Words that a mark stands for."""
_MONEY = frozenset("dollar euro pound yen franc rupee crown krona money".split())


@dataclass(frozen=True)
class Match:
    """What a statement says of a claim, with the words that settle it."""

    says: Proves
    mine: str
    theirs: str


def by_alignment(claim: str, passage: Passage) -> list[Testimony]:
    """The witness's word on a claim as it is written; nothing where no statement is a
    near copy. One that says so counts before those that say otherwise."""
    written, claim = claim, canonical(claim)
    found: list[tuple[Match, Evidence]] = []
    for one in passage.near:
        for statement in one.statements:
            if _PRONOUN.match(statement.own):
                # What "It" stands for is said before it, and is read like a heading.
                statement = replace(statement, lead=one.alone)
            match = align_with_statement(claim, statement, one.evidence.title or "")
            if match is not None:
                found.append((match, one.evidence))
    pro = [pair for pair in found if pair[0].says == "entails"]
    if pro:
        place = pro[0][1].sentence_id
        return [
            proof(ALIGNMENT, "entails", place, f"{place} says so, in the same words.")
        ]
    if not found:
        return []
    match, evidence = found[0]
    mine = as_written(match.mine, written)
    theirs = as_written(match.theirs, evidence.text)
    reason = f"The claim says {_quoted(mine)}, the page says {_quoted(theirs)}."
    return [proof(ALIGNMENT, "contradicts", evidence.sentence_id, reason)]


def _quoted(text: str) -> str:
    """A sentence in quotation marks; a value as it is."""
    return f"“{text.rstrip('.')}”" if len(text.split()) > SHORT else text


def as_written(text: str, original: str) -> str:
    """A figure of a canonical text as the original has it: 2400000 as 2.4 million."""
    figures = AlignedText(text).quantities
    if text in original or len(figures) != 1:
        return text
    written = (one for one in AlignedText(original).quantities if one.same(figures[0]))
    found = next(written, None)
    return text.replace(figures[0].text, found.text) if found else text


def align_with_statement(
    claim: str, statement: Statement, title: str = ""
) -> Match | None:
    """What a statement says of a claim, both in canonical form; None where it is no
    near copy. `title`: of its page, which names what the page is about."""
    lead = f"{canonical(title)}: {statement.lead}" if title else statement.lead
    found = _cells(claim, statement.text) or _labelled(claim, statement)
    if found is not None:
        return found
    for text in readings(statement.own):
        match = _near_copy(claim, text, lead)
        if match is not None and match.says == "entails":
            return match
        found = found or match
    return found


def readings(statement: str) -> list[str]:
    """The statement, and where it sets two lists side by side ("respectively") each
    pair by itself; a list that cannot be told apart gives nothing."""
    if not _RESPECTIVELY.search(statement):
        return [statement]
    plain = _RESPECTIVELY.sub("", statement)
    match = _TWO_LISTS.match(plain) if len(plain) <= LONGEST_LIST else None
    if match is None:
        return []
    names = _PART.split(match["names"])
    values = _PART.split(match["values"])
    if len(names) != len(values):
        return []
    return [
        f"{match['head']}{name}{match['middle']}{value}{match['tail']}"
        for name, value in zip(names, values, strict=True)
    ]


# --- near copies ---


def _near_copy(claim: str, statement: str, lead: str) -> Match | None:
    mine = tokens(claim)
    if lead:
        mine = _without(mine, {x.key for x in tokens(lead)} - _keys(statement))
    # What stands before a colon may turn what stands behind it ("Not done: …").
    if not LEAST <= len(mine) <= LONGEST or _COLON.search(statement):
        return None
    for clause in _clauses(statement):
        theirs = tokens(clause)
        if len(theirs) <= LONGEST:
            match = _compared(claim, mine, clause, theirs)
            if match is not None:
                return match
    return None


def _keys(text: str) -> set[tuple[str, str]]:
    return {one.key for one in tokens(text)}


def _without(mine: Sequence[Token], said: set[tuple[str, str]]) -> tuple[Token, ...]:
    """The words of a claim but for those that the headings say: at its beginning, or
    behind a preposition, which goes with them."""
    kept: list[Token] = []
    is_dropping = False
    for one in mine:
        leads = bool(kept) and kept[-1].key[1] in _JOINTS | {"under"}
        is_name = not one.is_value or one.key[0] == "identifier"
        is_said = one.key in said and is_name
        is_dropping = is_said and (leads or is_dropping or not kept)
        if not is_dropping:
            kept.append(one)
        elif leads:
            kept.pop()
    return tuple(kept)


def _clauses(statement: str) -> list[str]:
    """The statement, and the parts that stand by themselves."""
    parts = _PARTS.split(statement)
    return [statement, *(part for part in parts if len(parts) > 1 and part)]


def _compared(
    claim: str, mine: Sequence[Token], clause: str, theirs: Sequence[Token]
) -> Match | None:
    if _is_none_of_all(mine, theirs) or _is_none_of_all(theirs, mine):
        return Match("contradicts", claim, clause)
    denied = _denied(mine), _denied(theirs)
    # Two denials, or denials of different words, are not told apart here.
    if denied[0] != denied[1] and sorted(map(len, denied)) != [0, 1]:
        return None
    is_turned = denied[0] != denied[1]
    left = [one for one in mine if not _is_denial(one)]
    right = [one for one in theirs if not _is_denial(one)]
    are_as_many = len(mine) - len(left) == len(theirs) - len(right)
    if is_turned is are_as_many:
        return None  # "… to nobody", "the pump failed" deny with their last word
    if len(left) < LEAST:
        return None
    found = _changes(left, right)
    if found is None:
        return None
    # "… at 8:15 every day" says more than "… at 8:15", and no less.
    begin = next((one.start for one in theirs if one.key == left[0].key), 0)
    if any(_limits(x) for x in found[1] if x.start < begin or x.key[1] not in _WHOLE):
        return None
    changes, added = found
    if added and not _stands_alone(clause, added[0], left, right):
        return None
    if not changes:
        if not is_turned:
            return Match("entails", claim, clause)
        # A denial at the other end of a sentence may deny something else.
        is_whole = len(added) <= max(1, len(left) // 3)
        return Match("contradicts", claim, clause) if is_whole else None
    if len(changes) > 1 or is_turned:
        return None
    ours, other = changes[0]
    words = sum(not one.is_value for one in left if one is not ours)
    is_same_else = not added and words > 0
    if words < LEAST and not is_same_else:
        return None
    is_name = not ours.is_value or ours.key[0] == "identifier"
    if is_name and not ours.is_predicate and left.index(ours) <= LEAST:
        return None  # "the north gate", "Room A": another subject
    if _excludes(ours, other):
        return Match("contradicts", ours.text, other.text)
    return None


def _is_none_of_all(none: Sequence[Token], all_: Sequence[Token]) -> bool:
    """ "No student failed" and "every student failed": the same but for these."""
    if not none or not all_ or none[0].text.lower() not in _NONE:
        return False
    rest, others = none[1:], all_[1:]
    is_all = all_[0].text.lower() in _ALL and len(rest) >= LEAST
    return is_all and [x.key for x in rest] == [x.key for x in others[: len(rest)]]


def _denied(found: Sequence[Token]) -> list[tuple[str, str]]:
    """What stands behind each denial."""
    behind = zip(found, found[1:], strict=False)
    return [after.key for one, after in behind if _is_denial(one)]


def _stands_alone(
    clause: str, first: Token, mine: Sequence[Token], theirs: Sequence[Token]
) -> bool:
    """What stands before the claim's words is set off ("In 2020, …"): "A farmer claims
    that …" says something else."""
    if first is not theirs[0]:
        return True
    keys = {one.key for one in mine}
    begin = next((one.start for one in theirs if one.key in keys), 0)
    before = re.sub(r"(?:\b(?:the|an?)\s*)+$", "", clause[:begin].rstrip(), flags=re.I)
    return before.rstrip()[-1:] in (",", "")


def _changes(
    mine: Sequence[Token], theirs: Sequence[Token]
) -> tuple[list[tuple[Token, Token]], list[Token]] | None:
    """(what stands in the place of what, words the statement has before and behind);
    None when either has words in between that the other has not."""
    matcher = SequenceMatcher(
        None, [one.key for one in mine], [one.key for one in theirs], autojunk=False
    )
    changes: list[tuple[Token, Token]] = []
    added: list[Token] = []
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "insert" and a in (0, len(mine)):
            added += theirs[c:d]
        elif kind == "replace" and b - a == 1 and d - c == 1:
            if not _are_same(mine[a], theirs[c]):
                changes.append((mine[a], theirs[c]))
        elif kind == "replace" and b - a == 1 and b == len(mine):
            changes.append((mine[a], theirs[c]))
            added += theirs[c + 1 : d]
        elif kind != "equal":
            return None
    return changes, added


def _are_same(mine: Token, theirs: Token) -> bool:
    """16 km and 10 miles are, and two words that mean the same."""
    a, b = mine.quantity, theirs.quantity
    if a is not None and b is not None:
        return a.same(b)
    are_words = not (mine.is_value or theirs.is_value)
    return are_words and mean_same(mine.key[1], theirs.key[1])


def _excludes(mine: Token, theirs: Token) -> bool:
    """Two values of one kind that differ, or words that exclude one another."""
    kind, other = mine.key[0], theirs.key[0]
    if _are_same(mine, theirs):
        return False
    if kind or other:
        if kind == other == "clock":
            return int(mine.key[1]) % 720 != int(theirs.key[1]) % 720
        is_plain = not any(" " in one.key[1] for one in (mine, theirs))
        is_other = kind == other and mine.key != theirs.key
        return is_plain and (is_other or _differ_in_unit(mine, theirs))
    if {mine.key[1], theirs.key[1]} & _THINGS:
        return False
    if exclude(mine.key[1], theirs.key[1]):
        return True
    a, b = mine.text.lower(), theirs.text.lower()
    return a != b and (_PREFIX.sub("", a) == b or _PREFIX.sub("", b) == a)


def _differ_in_unit(mine: Token, theirs: Token) -> bool:
    """The same figure of another currency or measure: 15 euros, 15 dollars."""
    a, b = mine.quantity, theirs.quantity
    if a is None or b is None or a.unit is None or b.unit is None:
        return False
    return a.low == b.low and a.high == b.high and a.dimension != b.dimension


def _limits(one: Token) -> bool:
    return one.key[1] in _LIMITS or one.text.lower() in _LIMITS


def _is_denial(one: Token) -> bool:
    return one.key[0] == "denial"


# --- cells of a row ---


def _cells(claim: str, statement: str) -> Match | None:
    """A row as `subject: head: value; head: value`: the cell that the claim names, by
    its head or because no other cell has a value of that kind."""
    subject, cells = _row(statement)
    if len(cells) < 2 or not subject:
        return None
    mine = tokens(claim)
    if len(mine) > LONGEST or any(map(_is_denial, mine)):
        return None
    values = [one for one in mine if one.is_value]
    row_head = _keys(subject[-1])
    path = {key for part in subject for key in _keys(part)}
    mine_words = {one.key for one in mine}
    if len(values) != 1 or not row_head or not row_head <= mine_words:
        return None
    (value,) = values
    named = [
        (head, held, text)
        for head, text in cells
        if (held := [x for x in tokens(text) if x.is_value and _like(x, value)])
    ]
    by_head = [
        one for one in named if {x.key for x in tokens(one[0])} & (mine_words - path)
    ]
    chosen = by_head if len(by_head) == 1 else named
    if len(chosen) != 1 or len(chosen[0][1]) != 1:
        return None
    head, held, text = chosen[0]
    known = path | {x.key for x in tokens(head)} | {x.key for x in tokens(text)}
    known |= {("", word) for word in _words_of(value)}
    if any(x.key not in known for x in mine if not x.is_value and not _joins(x)):
        return None
    if held[0].key[1] == value.key[1] or _are_same(value, held[0]):
        return Match("entails", claim, statement)
    if any(" " in one.key[1] for one in (held[0], value)):
        return None
    return Match("contradicts", value.text, f"{head}: {text}")


def _like(one: Token, other: Token) -> bool:
    """Of one kind; a year in a cell of its own looks like any number."""
    kinds = {one.key[0], other.key[0]}
    return len(kinds) == 1 or kinds == {"number:", "year:"}


def _joins(one: Token) -> bool:
    return one.key[1] in _JOINTS


def _row(statement: str) -> tuple[list[str], list[tuple[str, str]]]:
    """(what the row stands under, its head last; cells as head and text)."""
    first, *others = _SPLIT_CELL.split(statement.rstrip("."))
    parts = first.split(": ")
    if len(parts) < 3:
        return [], []
    cells = [(parts[-2], parts[-1])]
    for other in others:
        head, sign, text = other.partition(": ")
        if not sign:
            return [], []
        cells.append((head, text))
    return parts[:-2], cells


def _words_of(value: Token) -> list[str]:
    """Stems that say no more than that a value of this kind is had."""
    dimension = value.key[0].partition(":")[2]
    found = _MEASURED.get("money" if dimension in _MONEY else dimension, "")
    return [stem(word) for word in found.split()]


# --- claims of label and value ---


def _labelled(claim: str, statement: Statement) -> Match | None:
    """A claim that is a label with its value ("Price: 5 euros", a row of a table, an
    item with a mark) held against a row or a sentence that says it of that label."""
    found = [
        match
        for ways, value in _labels(claim)
        if (match := _of_labels(ways, value, statement)) is not None
    ]
    against = [match for match in found if match.says == "contradicts"]
    if against:
        return against[0]
    return found[0] if found and len(found) == len(_labels(claim)) else None


@lru_cache(maxsize=1024)
def _labels(claim: str) -> tuple[tuple[tuple[str, ...], str], ...]:
    """(ways to say the label, value) of each; of a row "A: x; B: y" the first cell
    says of what."""
    mark = _MARK.fullmatch(claim.rstrip(". "))
    if mark is not None:
        name, said = mark["name"] or mark["label"], mark["first"] or mark["last"]
        return (((name,), said),)
    cells = parts_of(claim.rstrip("."))
    if not cells:
        return ()
    (head, value), *others = cells
    if not others:
        return (((head.rpartition(": ")[2],), value),)
    kind, subject = head, value
    return tuple(
        ((f"{kind} {subject} {head}", f"{subject} {head}"), value)
        for head, value in others
    )


def _of_labels(ways: Sequence[str], value: str, statement: Statement) -> Match | None:
    found = (_of_label(label, value, statement) for label in ways)
    return next((match for match in found if match is not None), None)


def _of_label(label: str, value: str, statement: Statement) -> Match | None:
    in_row = _cells(f"{label} {value}", statement.text)
    if in_row is not None or _COLON.search(statement.own):
        return in_row
    wanted = _keys(label) - {("", word) for word in _JOINTS}
    claimed = tokens(value)
    if not wanted or not claimed:
        return None
    for text in readings(statement.own):
        said = tokens(text)
        plain = [one for one in said if not _is_denial(one)]
        if any(map(_limits, plain)) or not wanted <= {one.key for one in said}:
            continue
        rest = [one for one in said if one.key not in wanted and not _joins(one)]
        says = _held(claimed, rest)
        if says is not None:
            return Match(says, value, text)
    return None


def _held(claimed: Sequence[Token], rest: Sequence[Token]) -> Proves | None:
    """What is left of a sentence without the label, beside the value claimed for it."""
    word = claimed[0].text.lower()
    if word in ("yes", "no") and len(claimed) == 1:
        plain = [one for one in rest if not _is_denial(one)]
        if not plain or not all(one.key[1] in _GRANTED for one in plain):
            return None
        is_denied = len(plain) < len(rest)
        return "entails" if is_denied == (word == "no") else "contradicts"
    if any(map(_is_denial, rest)):
        return None
    said = {("", one) for one in _words_of(claimed[0])} if len(claimed) == 1 else set()
    rest = [one for one in rest if one.key not in said]
    if [one.key for one in rest] == [one.key for one in claimed]:
        return "entails"
    if len(claimed) == len(rest) == 1 and claimed[0].is_value:
        return "contradicts" if _excludes(claimed[0], rest[0]) else None
    are_names = all(one.text[:1].isupper() for one in (*claimed, *rest))
    shared = {one.key for one in claimed} & {one.key for one in rest}
    return "contradicts" if rest and are_names and not shared else None
