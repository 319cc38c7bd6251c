"""Stored answers against changed pages: only what the change touches is judged again.

A result is taken over when the new pages answer every look it rests on as the old ones
did (core/run/provenance.py). The others are judged, and held against what they were.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal

from claimscope.core.models import (
    ClaimResult,
    Label,
    Model,
    SampleKey,
    SampleResult,
    Usage,
)
from claimscope.core.ports import Corpus
from claimscope.core.run.plan import SampleTask
from claimscope.core.run.provenance import answer_of, pages_seen, still_hold

PageChange = Literal["changed", "gone", "not among its evidence before"]


class PageReason(Model):
    """What became of a page behind a verdict."""

    page_id: str
    what: PageChange


class VerdictFlip(Model):
    """A claim with another verdict than before."""

    sample: str
    claim: str
    old: Label
    new: Label
    pages: tuple[PageReason, ...] = ()
    """Why; empty where no page that was seen is another one, and only their order
    is."""


class Reanalysis(Model):
    """What changed pages did to the results of a run."""

    made_from: str
    carried: int
    judged: int
    same: int
    """Claims that were judged again and have the verdict they had."""
    flips: tuple[VerdictFlip, ...]
    only_before: int
    """Claims that the answer was taken apart into before and is not now."""
    only_now: int
    outcomes: dict[str, int]
    """Samples by `old → new` outcome, where it is another one."""


def carry_over(
    task: SampleTask, old: SampleResult | None, corpus: Corpus | None, run_id: str
) -> SampleResult | None:
    """The old result of a sample where it still holds; else None. A result that is an
    error, or says nothing of its grounds, is never taken over.

    Raises EmbeddingError, StoreError.
    """
    if old is None or old.error is not None:
        return None
    if (old.case, old.answer) != (task.case, task.answer):
        return None
    if corpus is not None and (
        old.grounds is None or not still_hold(old.grounds, corpus)
    ):
        return None
    return old.model_copy(
        update={"carried_from": old.carried_from or run_id, "usage": Usage()}
    )


def compare_results(
    made_from: str,
    old: Callable[[SampleKey], SampleResult | None],
    new: Iterable[SampleResult],
    corpus: Corpus | None,
) -> Reanalysis:
    """What became of the results of a run; `old` looks one of its samples up."""
    count: Counter[str] = Counter()
    outcomes: Counter[str] = Counter()
    flips: list[VerdictFlip] = []
    for result in new:
        if result.carried_from is not None:
            count["carried"] += 1
            continue
        count["judged"] += 1
        before = old(result.key)
        if before is None:
            continue
        if before.passed is not result.passed:
            words = f"{_outcome(before)} → {_outcome(result)}"
            outcomes[words] += 1
        pairs, only_before, only_now = _pair_by_place(before.claims, result.claims)
        count["only_before"] += only_before
        count["only_now"] += only_now
        for one, other in pairs:
            if one.verdict.label is other.verdict.label:
                count["same"] += 1
            else:
                flips.append(_flip(before, one, other, corpus))
    return Reanalysis(
        made_from=made_from,
        carried=count["carried"],
        judged=count["judged"],
        same=count["same"],
        flips=tuple(flips),
        only_before=count["only_before"],
        only_now=count["only_now"],
        outcomes=dict(outcomes),
    )


def _pair_by_place(
    before: Sequence[ClaimResult], now: Sequence[ClaimResult]
) -> tuple[list[tuple[ClaimResult, ClaimResult]], int, int]:
    """Claims of one answer by place and text; a model may take it apart otherwise."""
    old = {(one.claim.start, one.claim.end, one.claim.text): one for one in before}
    new = {(one.claim.start, one.claim.end, one.claim.text): one for one in now}
    pairs = [(old[place], new[place]) for place in old if place in new]
    return pairs, len(old) - len(pairs), len(new) - len(pairs)


def _flip(
    before: SampleResult, old: ClaimResult, new: ClaimResult, corpus: Corpus | None
) -> VerdictFlip:
    pages = () if corpus is None else tuple(_reasons(before, old, new, corpus))
    return VerdictFlip(
        sample=str(before.key),
        claim=old.claim.text,
        old=old.verdict.label,
        new=new.verdict.label,
        pages=pages,
    )


def _reasons(
    before: SampleResult, old: ClaimResult, new: ClaimResult, corpus: Corpus
) -> Iterator[PageReason]:
    seen = pages_seen(before.grounds) if before.grounds else {}
    named = dict.fromkeys(
        one.page_id
        for verdict in (old.verdict, new.verdict)
        for one in (*verdict.evidence, *verdict.conflicting)
    )
    for page_id in named:
        if page_id not in seen:
            yield PageReason(page_id=page_id, what="not among its evidence before")
        elif corpus.page(page_id) is None:
            yield PageReason(page_id=page_id, what="gone")
        elif answer_of(("page", page_id), corpus) != seen[page_id]:
            yield PageReason(page_id=page_id, what="changed")


def _outcome(result: SampleResult) -> str:
    return {True: "passed", False: "failed", None: "unscored"}[result.passed]
