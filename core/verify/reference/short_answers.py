"""Bare answers: "1912", "Odo Marr" as answer or reference (METRICS D).

A bare name or number states something only together with its question, so its claim
is "The answer to “question” is 1912." Whether two bare answers are the same is told
by code first: numbers and dates by value, names by their words. Only what this leaves
open is asked of a verifier.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from claimscope.core.models import Claim, Evidence, Label, Verdict
from claimscope.core.text.framing import answer_as_sentence
from claimscope.core.text.linguistics import has_clause
from claimscope.core.text.non_factual import is_abstention
from claimscope.core.text.quantities.dates import Day
from claimscope.core.text.quantities.numbers import dates_and_times, quantities
from claimscope.core.text.sentences import split_sentences
from claimscope.core.verify.word_forms import words

NAME = "short-answer-1"
_POLAR = {"yes": True, "true": True, "no": False, "false": False}
MOST_WORDS = 12
"""A longer text without a verb is a list or a fragment, not a bare answer."""
SHARED = 0.5
"""Words of two names in common over all their words, from which they are one."""
LEAST_ITEMS = 3
"""Parts between commas that make a list without an "and": "Paris, France" is none."""
_JOINED = re.compile(r",?\s+(?:and|&)\s+|[;,]\s+")
_AND = re.compile(r"\s(?:and|&)\s")


def is_bare(text: str) -> bool:
    """A name, a number, "yes": no sentence of its own and no abstention."""
    text = text.strip()
    if not text or text.endswith((":", "?")) or len(text.split()) > MOST_WORDS:
        return False
    if "\n" in text or is_abstention(text) or len(split_sentences(text)) != 1:
        return False
    return any(char.isalnum() for char in text) and not has_clause(text)


def bare_claim(question: str, text: str) -> Claim:
    """The one claim of a bare answer."""
    return Claim(
        index=0,
        text=answer_as_sentence(question, text),
        start=0,
        end=len(text),
        sentence_start=0,
        sentence_end=len(text),
    )


def items(text: str) -> tuple[tuple[int, int], ...]:
    """Spans of the parts that "and", commas or semicolons join; one part: none. A date
    is not taken apart.

    >>> [("Orr, Lund and Sel"[a:b]) for a, b in items("Orr, Lund and Sel")]
    ['Orr', 'Lund', 'Sel']
    """
    if dates_and_times(text)[0]:
        return ()
    cuts = [match.span() for match in _JOINED.finditer(text)]
    starts = [0, *(end for _, end in cuts)]
    ends = [*(start for start, _ in cuts), len(text.rstrip(" ."))]
    found = tuple((a, b) for a, b in zip(starts, ends, strict=True) if text[a:b])
    return found if len(found) > 1 else ()


def are_lists(text: str, other: str) -> bool:
    """Are both bare answers several things, one of them beyond doubt?"""
    both = [items(text), items(other)]
    sure = [
        len(parts) >= LEAST_ITEMS or (parts and _AND.search(one))
        for one, parts in zip((text, other), both, strict=True)
    ]
    return all(both) and any(sure)


def item_claims(question: str, text: str) -> tuple[Claim, ...]:
    """A claim for each item of a bare list, in its place."""
    claims = []
    for index, (start, end) in enumerate(items(text)):
        one = bare_claim(question, text[start:end])
        place = {"index": index, "start": start, "end": end, "sentence_end": len(text)}
        claims.append(one.model_copy(update=place))
    return tuple(claims)


def same_as_any(item: str, others: Sequence[str]) -> bool | None:
    """Is an item among the others? None = words alone do not tell."""
    found = [same_answer(item, other) for other in others]
    if True in found:
        return True
    return False if None not in found else None


def same_answer(text: str, other: str) -> bool | None:
    """Are two bare answers the same? None = words alone do not tell.

    Figures decide where both have them: 1,200 = "twelve hundred", 100 °C = 373.15 K.
    """
    polar = [_POLAR.get(one.strip(" .!").casefold()) for one in (text, other)]
    if None not in polar:
        return polar[0] == polar[1]
    figures = _figures_agree(text, other)
    if figures is not None:
        return figures
    mine, theirs = _stems(text), _stems(other)
    if not mine or not theirs:
        return text.strip(" .").casefold() == other.strip(" .").casefold() or None
    if _negated(text) != _negated(other):
        return False
    shared = len(mine & theirs) / len(mine | theirs)
    if mine <= theirs or theirs <= mine or shared >= SHARED:
        return True
    return None


def states(text: str, bare: str) -> bool:
    """Does a longer text say a bare answer, word for word or figure for figure?"""
    mine = _stems(bare)
    if quantities(bare) or any(dates_and_times(bare)):
        return _figures_stand(bare, text) and mine <= _stems(text)
    return bool(mine) and mine <= _stems(text) and not _negated(text)


def names_another_time(text: str, bare: str) -> bool:
    """Is a bare answer a time of day, and the text tells others only?"""
    asked, told = dates_and_times(bare)[1], dates_and_times(text)[1]
    return bool(asked and told) and not any(a.agrees(b) for a in asked for b in told)


def says_only(claim: str, question: str, bare: str) -> bool:
    """Does a claim say the bare answer, and beside it nothing but the question's own
    words? Then it is the bare answer, written out."""
    known = f"{question} {bare}"
    is_all = _stems(claim) <= _stems(known) and _figures_stand_exactly(claim, known)
    return is_all and states(claim, bare)


def verdict(same: bool, bare: str, other: str, *, is_list: bool = False) -> Verdict:
    """The verdict where code alone decides; `other` is quoted as evidence."""
    label = Label.SUPPORTED if same else Label.CONTRADICTED
    words_ = "says the same as" if same else "is not"
    if is_list:
        words_ = "is one of" if same else "is none of"
    return _verdict_by_words(
        label, f"“{bare.strip()}” {words_} “{other.strip()}”.", other
    )


def not_stated(bare: str, other: str) -> Verdict:
    """Two bare answers in other words, and no language model to tell whether they
    mean the same: neither states the other, and neither denies it."""
    said = f"“{bare.strip()}” and “{other.strip()}” have too few words in common."
    return _verdict_by_words(Label.NOT_ENOUGH_INFO, said, other)


def _verdict_by_words(label: Label, reason: str, other: str) -> Verdict:
    is_same = label is Label.SUPPORTED
    page = Evidence(
        page_id="passage:0", index=0, text=other, start=0, end=len(other), score=1.0
    )
    return Verdict(
        label=label,
        support=1.0 if is_same else 0.0,
        band="supported" if is_same else "not_supported",
        evidence=(page,),
        reason=reason,
        verifier=NAME,
    )


def _figures_agree(text: str, other: str) -> bool | None:
    """Same figures, others, or None where one has none to compare."""
    mine, theirs = quantities(text), quantities(other)
    days, other_days = dates_and_times(text)[0], dates_and_times(other)[0]
    if days and other_days:
        return any(a.agrees(b) for a in days for b in other_days)
    clocks, other_clocks = dates_and_times(text)[1], dates_and_times(other)[1]
    if clocks and other_clocks:
        return any(a.agrees(b) for a in clocks for b in other_clocks)
    if days and theirs:
        return any(day.year == figure.low for day in days for figure in theirs) or None
    if other_days and mine:
        return any(day.year == a.low for day in other_days for a in mine) or None
    if not mine or not theirs:
        return None
    pairs = [(a, b) for a in mine for b in theirs if a.comparable(b)]
    if not pairs:
        return None
    return any(a.same(b) or a.within(b) for a, b in pairs)


def _figures_stand(bare: str, text: str) -> bool:
    """Every figure of the bare answer stands in the text, by value."""
    (days, clocks), (theirs, told) = dates_and_times(bare), dates_and_times(text)
    if not all(any(a.agrees(b) for b in theirs) for a in days):
        return False
    if not all(any(a.agrees(b) for b in told) for a in clocks):
        return False
    known = quantities(text)
    return all(any(a.same(b) for b in known) for a in quantities(bare))


def _figures_stand_exactly(claim: str, text: str) -> bool:
    """They stand there as they are bounded in the claim, and each day with all that it
    says: "July 1969" is not 21 July 1969."""
    days, known = dates_and_times(text)[0], quantities(text)
    return (
        _figures_stand(claim, text)
        and all(
            any(_is_as_exact(b, a) for b in days) for a in dates_and_times(claim)[0]
        )
        and all(
            any(a.same(b) and a.bound == b.bound for b in known)
            for a in quantities(claim)
        )
    )


def _is_as_exact(known: Day, day: Day) -> bool:
    """A day that says all that another one says."""
    pairs = (
        (known.year, day.year),
        (known.month, day.month),
        (known.day, day.day),
    )
    return all(mine is None or theirs == mine for theirs, mine in pairs)


def _stems(text: str) -> frozenset[str]:
    """Stems of the content words; figures are compared by value elsewhere."""
    found = words(text)
    kept = [word for word in found if not word.is_stop and not word.is_number]
    return frozenset(word.stem for word in kept)


def _negated(text: str) -> bool:
    return any(word.is_negator for word in words(text))
