"""Scores of single rows: every metric without a suite, a run or a workspace.

A row is a case with its answer and, perhaps, its own ground truth. Only what the
chosen metrics need is found out: `attribution` alone loads no model at all. Texts of
rows that are scored together are embedded together.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

import numpy as np
from pydantic import ConfigDict, Field

from claimscope.core.errors import ClaimscopeError, InputError
from claimscope.core.metrics.base import Metric, Need, inapplicable, is_idle, unscored
from claimscope.core.metrics.discovery import discover
from claimscope.core.metrics.text_quality.base import prepare
from claimscope.core.models import (
    Answer,
    Case,
    CaseClaim,
    ExpectedCitation,
    Page,
    RetrievedText,
    SampleKey,
    SampleResult,
    Score,
)
from claimscope.core.models.base import Model
from claimscope.core.ports import Corpus, Embedder, Floats
from claimscope.core.run.plan import SampleTask
from claimscope.core.run.sample import Services, Stage, evaluate
from claimscope.core.settings import QUALITY_METRICS, Settings
from claimscope.core.text.citations.markers import strip_markers
from claimscope.core.text.sentences import split_sentences

KEPT_VECTORS = 20_000
"""About 30 MB; rows on one document share its vectors."""
LONG_CONTEXTS = 5000
"""Characters of ground truth beyond which a judge is shown a choice of sentences,
and what the verdicts rest on is chosen first."""
STAGES: Mapping[Need, frozenset[Stage]] = {
    "claims": frozenset({"decompose", "claims"}),
    "citations": frozenset({"decompose", "claims", "citations"}),
    "expected_citations": frozenset({"decompose", "claims", "citations"}),
    "cited_support": frozenset({"decompose", "claims", "citations"}),
    "both_directions": frozenset({"decompose"}),
    "required_claims": frozenset({"required"}),
    "retrieval": frozenset(),
}
GROUPS: Mapping[str, tuple[str, ...]] = {
    "quality": (*QUALITY_METRICS, "overall_quality")
}
"""Names that stand for several metrics."""
NO_TRUTH = "the row has no ground truth: neither contexts nor pages"


class Row(Model):
    """A line of a rows file. What else stands in it is let be."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str | int
    question: str = Field(min_length=1)
    answer: str
    reference: str | None = None
    contexts: tuple[str, ...] = ()
    """Ground truth; `[2]` in the answer cites the second one, whose page id is
    `passage:1`."""
    pages: tuple[Page, ...] = ()
    """Ground truth with page ids, cited by `[page_id, S:n]`."""
    domain: str | None = None
    brands: tuple[str, ...] = ()
    claims: tuple[CaseClaim, ...] = ()
    citations: tuple[ExpectedCitation, ...] = ()
    retrieved: tuple[str | RetrievedText, ...] | None = None
    """What was retrieved for the answer, best first: sentence ids, page ids, texts, or
    {"page_id", "sentence", "text"}; None = its contexts."""

    def case(self) -> Case:
        """What is asked, and what is known about the right answer."""
        return Case(
            id=str(self.id) or "row",
            question=self.question,
            reference=self.reference,
            claims=self.claims,
            citations=tuple(self._placed(one) for one in self.citations),
            domain=self.domain,
            brands=self.brands,
            contexts=self.contexts,
        )

    def given(self, case: Case) -> Answer:
        """The answer, with what it says was retrieved."""
        return Answer(
            case_id=case.id, provider="row", text=self.answer, retrieved=self.retrieved
        )

    def _placed(self, expected: ExpectedCitation) -> ExpectedCitation:
        """A page id that is a bare number counts in the contexts, from 1."""
        place = expected.page_id
        if self.pages or not place.isdecimal() or not 1 <= int(place):
            return expected
        if int(place) > len(self.contexts):
            return expected
        return expected.model_copy(update={"page_id": f"passage:{int(place) - 1}"})


@dataclass(frozen=True)
class ScoredRow:
    """The scores of a row, in the order of the metrics."""

    row: Row
    scores: tuple[Score, ...]
    result: SampleResult | None = None
    """What was found out about it; None when it could not be judged at all."""

    @property
    def is_open(self) -> bool:
        """Is there a score that should have a value and has none?"""
        return any(s.applicable and s.value is None for s in self.scores)


CorpusOf = Callable[[Row], Corpus | None]


def chosen_metrics(
    names: Iterable[str], settings: Settings | None = None
) -> tuple[str, ...]:
    """Metric ids as they were asked for; none = all that have something to do.

    `+NAME` adds to those, `quality` stands for all of text quality (METRICS E). Raises
    InputError that names the nearest one.
    """
    metrics, wanted = discover(), [name.strip() for name in names if name.strip()]
    now = settings or Settings()
    usual = [name for name, one in metrics.items() if not is_idle(one, now)]
    if any(name.startswith("+") for name in wanted):
        wanted = [*usual, *(name.removeprefix("+").strip() for name in wanted)]
    wanted = [one for name in wanted for one in GROUPS.get(name, (name,))]
    for name in wanted:
        if name not in metrics:
            near = get_close_matches(name, metrics, n=1, cutoff=0.4)
            raise InputError(
                f"there is no metric named {name!r}"
                + (f"; is {near[0]!r} meant?" if near else ""),
                "metrics are: "
                + ", ".join([*metrics, *GROUPS])
                + "; +NAME adds one to the usual ones",
            )
    return tuple(dict.fromkeys(wanted or usual))


def resolve_names(names: Sequence[str], settings: Settings) -> tuple[str, ...]:
    """Ids in place of `+NAME` and `quality`; none stays none: all, whenever asked.
    Raises InputError."""
    return chosen_metrics(names, settings) if names else ()


def check_weights(settings: Settings) -> None:
    """Raises InputError when metric_weights names no metric, or `overall` itself."""
    chosen_metrics(settings.weights)
    if "overall" in settings.weights:
        raise InputError(
            "metric_weights: 'overall' cannot weigh itself", "leave it out of the table"
        )


def metrics_needed(names: Sequence[str], settings: Settings) -> list[Metric]:
    """The metrics that have to be worked out: those of `overall` too."""
    known = discover()
    further = settings.weights if "overall" in names else {}
    return [known[name] for name in dict.fromkeys([*names, *further])]


def stages_of(metrics: Iterable[Metric]) -> frozenset[Stage]:
    found: frozenset[Stage] = frozenset()
    for metric in metrics:
        for need in metric.needs:
            found |= STAGES.get(need, frozenset())
    return found


class MemoEmbedder:
    """An embedder that remembers: a text of several rows is embedded once."""

    def __init__(self, inner: Embedder, kept: int = KEPT_VECTORS) -> None:
        self._inner = inner
        self._kept = kept
        self._vectors: dict[str, Floats] = {}
        self._lock = threading.Lock()

    @property
    def model_id(self) -> str:
        return self._inner.model_id

    @property
    def dimensions(self) -> int:
        return self._inner.dimensions

    def embed(self, texts: Sequence[str]) -> Floats:
        """Vectors, shape (len(texts), dimensions); the new ones in one call."""
        with self._lock:
            known = {t: self._vectors[t] for t in texts if t in self._vectors}
        new = [text for text in dict.fromkeys(texts) if text not in known]
        if new:
            known.update(zip(new, self._inner.embed(new), strict=True))
            with self._lock:
                self._vectors.update((text, known[text]) for text in new)
                while len(self._vectors) > self._kept:
                    self._vectors.pop(next(iter(self._vectors)))
        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        return np.stack([known[text] for text in texts])


async def score_rows(
    rows: Sequence[Row], services: Services, corpus_of: CorpusOf = lambda row: None
) -> AsyncIterator[ScoredRow]:
    """Scores of rows in their order, each as soon as it and those before are done.

    `services.metrics` says which; `services.embedder` should be a MemoEmbedder. What
    goes wrong with a row leaves its scores unscored, with the reason.
    """
    names = services.metrics or chosen_metrics((), services.settings)
    metrics = metrics_needed(names, services.settings)
    texts = texts_of(rows, metrics)
    if texts:
        try:
            await asyncio.to_thread(services.embedder.embed, texts)
        except ClaimscopeError:
            pass  # each row says so of itself
    # A metric of text quality reads the grammar of many texts faster than of each.
    pairs = [(row.question, row.answer) for row in rows]
    await asyncio.to_thread(prepare, metrics, pairs)
    slots = asyncio.Semaphore(services.settings.concurrency)

    async def one(row: Row) -> ScoredRow:
        async with slots:
            return await score_one(row, services, metrics, corpus_of)

    tasks = [asyncio.create_task(one(row)) for row in rows]
    try:
        for task in tasks:
            yield await task
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def score_one(
    row: Row, services: Services, metrics: Sequence[Metric], corpus_of: CorpusOf
) -> ScoredRow:
    names = services.metrics or tuple(metric.id for metric in metrics)
    case = row.case()
    try:
        corpus = await asyncio.to_thread(corpus_of, row)
        has_truth = corpus is not None or any(map(str.strip, row.contexts))
        stages = stages_of(metrics) | (services.stages or frozenset())
        is_long = sum(map(len, row.contexts)) > LONG_CONTEXTS or not row.contexts
        if services.grader is not None and has_truth and is_long:
            stages |= STAGES["claims"]
        if not has_truth:
            stages -= {"claims"}
        result = await evaluate(
            SampleTask(
                SampleKey(case_id=case.id, provider="row"), case, row.given(case)
            ),
            replace(
                services,
                corpus=corpus,
                stages=stages,
                metrics=names,
                grader=services.grader if has_truth else None,
            ),
        )
    except ClaimscopeError as error:
        reason = str(error)
        return ScoredRow(row, tuple(unscored(name, reason) for name in names))
    by_id = {score.metric: score for score in result.scores}
    scores = [
        by_id[name] if has_truth else without_truth(by_id[name]) for name in names
    ]
    return ScoredRow(row, tuple(scores), result)


def without_truth(score: Score) -> Score:
    """A score where there is nothing to hold the answer against."""
    needs = discover()[score.metric].needs
    rests_on_truth = needs & {"claims", "judge", "cited_support"} or (
        "citations" in needs and "expected_citations" not in needs
    )
    return inapplicable(score.metric, NO_TRUTH) if rests_on_truth else score


def texts_of(rows: Sequence[Row], metrics: Sequence[Metric]) -> list[str]:
    """What is sure to be embedded for these rows, each text once."""
    needs = frozenset[Need]().union(*(metric.needs for metric in metrics))
    stages = stages_of(metrics)
    texts: list[str] = []
    for row in rows:
        if "claims" in stages:
            for context in row.contexts:
                texts += [context[start:end] for start, end in split_sentences(context)]
        if "claims" in stages and row.contexts or "required" in stages and row.claims:
            plain = strip_markers(row.answer)
            texts += [
                plain[start:end] for start, end in split_sentences(plain, "markdown")
            ]
        if "required" in stages:
            texts += [claim.text for claim in row.claims]
        if "reference" in needs and row.reference:
            texts += [row.answer, row.reference]
    return [text for text in dict.fromkeys(texts) if text.strip()]
