"""Judge one sample: the unit of work of a run.

Findings are made once (claims, verdicts, required claims, citations, grades), then
every metric reads them. Blocking work (embedding, search) runs in a worker thread.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from claimscope.core.calls.context_planning import CAREFUL, LEAST, ContextRoom
from claimscope.core.cite.joint_support import carried_sentences
from claimscope.core.cite.marker_resolution import known_names
from claimscope.core.cite.repair import propose
from claimscope.core.cite.retrieval import Retrieval, retrieval_of
from claimscope.core.cite.status import AnswerCitations, attribute
from claimscope.core.cite.support import Support
from claimscope.core.errors import NoGroundTruth
from claimscope.core.grade.evidence_selection import (
    PROMPT_CHARACTERS,
    REPLY_TOKENS,
    select_evidence,
)
from claimscope.core.metrics.base import (
    Findings,
    Need,
    inapplicable,
    is_wanted,
    missing_need,
    unread,
)
from claimscope.core.metrics.discovery import discover
from claimscope.core.metrics.tiers import with_tier
from claimscope.core.models import (
    Case,
    CitationProposal,
    ClaimResult,
    Grade,
    RequiredClaimResult,
    SampleResult,
    Score,
    Skipped,
    UnreadMarker,
    Usage,
    Verdict,
)
from claimscope.core.models.findings import CitedSentence, Directions
from claimscope.core.ports import (
    Corpus,
    Embedder,
    Grader,
    Question,
    UsageMeter,
    Verifier,
)
from claimscope.core.run.outcome import expects_abstention, failures_of, passed
from claimscope.core.run.plan import SampleTask, has_contexts
from claimscope.core.run.provenance import ObservedCorpus
from claimscope.core.settings import Settings
from claimscope.core.text.citations.markers import find_unread as unread_in
from claimscope.core.text.citations.markers import strip_markers
from claimscope.core.text.injection import injected_spans
from claimscope.core.text.languages import reads_english_only
from claimscope.core.text.sentences import split_sentences
from claimscope.core.verify.abstentions import merge_in_order, refuted_abstentions
from claimscope.core.verify.decomposition import Decomposition, decompose, is_empty
from claimscope.core.verify.evidence import candidates_from_text, documents_of
from claimscope.core.verify.other_languages import required_as_written
from claimscope.core.verify.page_selection import verify_in_focus
from claimscope.core.verify.reference.match import both_directions
from claimscope.core.verify.required import find_claims, look_again
from claimscope.core.verify.resolve import resolve_source_conflict
from claimscope.core.verify.rules.findings import findings as rule_findings

MEASURED_PAGES = 5
"""Pages on which a model's tokens are measured (tui/bootstrap/judges.py)."""
Stage = Literal["decompose", "claims", "citations", "repair", "required"]
"""`claims` are verified when they were taken from the answer, by `decompose`; `repair`:
what would make its citations good, also of an answer that has none."""


class Decomposer(Protocol):
    """Takes an answer apart with a model; core/verify/decomposition_by_model.py."""

    async def __call__(
        self, answer: str, known_page_ids: Sequence[str]
    ) -> Decomposition: ...


@dataclass(frozen=True)
class Services:
    """Everything a sample needs, made by `tui/bootstrap/judges.py`."""

    embedder: Embedder
    verifier: Verifier
    settings: Settings
    corpus: Corpus | None = None
    decomposer: Decomposer | None = None
    grader: Grader | None = None
    meter: UsageMeter | None = None
    reader: Verifier | None = None
    """Reads answers for the required claims that similarity does not find: a second
    look, without a language model. None = no second look."""
    metrics: tuple[str, ...] = ()
    """Ids; empty = all that are known."""
    room: ContextRoom | None = None
    """What fits into the model's context; None = a careful guess."""
    stages: frozenset[Stage] | None = None
    """What is found out about an answer; None = everything, which pass and fail of a
    run need. Single metrics may need less (core/services/scoring.py)."""

    def does(self, stage: Stage) -> bool:
        return self.stages is None or stage in self.stages


async def evaluate(task: SampleTask, services: Services) -> SampleResult:
    """The result of one sample. ModelError, EmbeddingError and NoGroundTruth are the
    caller's to turn into an unscored sample."""
    if services.stages is None and services.corpus is None:
        check_truth(task.case)
    if services.meter is not None:
        services.meter.begin()
    text = task.answer.text
    observed = observe(task, services)
    if observed is not None:
        services = replace(services, corpus=observed)
    findings = Findings(
        case=task.case,
        answer=task.answer,
        empty=is_empty(text),
        judged=services.grader is not None,
        embed=services.embedder.embed,
        only_english=reads_english_only(services.embedder.model_id),
        corpus=services.corpus,
        settings=services.settings,
    )
    skipped: tuple[Skipped, ...] = ()
    unread: tuple[UnreadMarker, ...] = ()
    proposals: tuple[CitationProposal, ...] = ()
    if not findings.empty:
        taken = await take_apart(text, services, task.case.contexts)
        claims = await verify_claims(task, taken, services)
        taken, claims = await with_denials(task, taken, claims, services)
        skipped = taken.skipped
        cited = await check_cited(task, claims, services)
        findings = replace(
            findings,
            abstained=taken.abstained,
            partly_abstained=any(s.reason == "abstention" for s in skipped),
            claims=claims,
            citations=[check.result for check in cited.checks],
            cited_texts=[pair for check in cited.checks for pair in check.cited],
            cited_support=await what_is_carried(task, claims, cited, services),
            grades=await give_grades(task.case, text, claims, services),
            against_reference=await compare(task, taken, services),
        )
        unread = await asyncio.to_thread(unread_markers, task, services)
        proposals = await proposed_repairs(task, claims, cited, services)
    findings = replace(
        findings,
        required=await find_required(task, services),
        retrieval=await what_was_retrieved(task, services),
    )
    # Metrics may embed or parse: not in the thread that keeps the calls going.
    result = await asyncio.to_thread(result_of, task, findings, skipped, services)
    result = result.model_copy(
        update={"unread_markers": unread, "proposals": proposals}
    )
    if observed is None:
        return result
    return result.model_copy(update={"grounds": observed.grounds()})


def check_truth(case: Case) -> None:
    """Raises NoGroundTruth for a case that can be held against nothing: its claims are
    not unsupported, they are not judged."""
    if not has_contexts(case):
        raise NoGroundTruth(
            f"case {case.id} has no contexts, and no pages are named.",
            'Fill in its contexts, or name a folder by "pages" or --pages.',
        )


def observe(task: SampleTask, services: Services) -> ObservedCorpus | None:
    """The corpus as this sample looks into it, so that its result can say what it
    rests on."""
    if services.corpus is None:
        return None
    reference = task.case.reference or ""
    observed = ObservedCorpus(services.corpus, [task.answer.text, reference])
    if services.room is not None:  # how much is shown depends on what was measured
        observed.first_pages(MEASURED_PAGES)
    return observed


async def take_apart(
    text: str, services: Services, contexts: Sequence[str] = ()
) -> Decomposition:
    """Claims of an answer, by the model when there is one."""
    if not services.does("decompose"):
        return Decomposition((), (), abstained=False)
    known = await asyncio.to_thread(known_names, text, services.corpus, contexts)
    if services.decomposer is not None:
        return await services.decomposer(text, known)
    return await asyncio.to_thread(decompose, text, known)


async def verify_claims(
    task: SampleTask, taken: Decomposition, services: Services
) -> tuple[ClaimResult, ...]:
    """One verdict a claim, against the case's own contexts or the corpus."""
    if not taken.claims or not services.does("claims"):
        return ()
    k = services.settings.evidence_sentences
    if services.corpus is not None and not task.case.contexts:
        verdicts: Sequence[Verdict] = await verify_in_focus(
            task.answer.text,
            taken.claims,
            services.corpus,
            services.verifier,
            k,
            task.case.question,
        )
    else:
        questions = await asyncio.to_thread(
            lambda: [
                Question(
                    claim.text,
                    candidates_from_text(
                        claim.text, task.case.contexts, services.embedder, k=k
                    ),
                    task.case.question,
                    documents_of(task.case.contexts),
                )
                for claim in taken.claims
            ]
        )
        verdicts = await services.verifier.verify(questions)
    return tuple(
        ClaimResult(
            claim=claim,
            verdict=resolve_source_conflict(
                verdict, services.settings.source_conflicts
            ),
        )
        for claim, verdict in zip(taken.claims, verdicts, strict=True)
    )


async def with_denials(
    task: SampleTask,
    taken: Decomposition,
    claims: tuple[ClaimResult, ...],
    services: Services,
) -> tuple[Decomposition, tuple[ClaimResult, ...]]:
    """Abstentions that deny what the pages say are claims, and wrong ones; not where an
    abstention is the right answer."""
    if not services.does("claims") or expects_abstention(task.case):
        return taken, claims
    reader = replace(services, verifier=services.reader or services.verifier)

    async def verify(parts: Decomposition) -> tuple[ClaimResult, ...]:
        return await verify_claims(task, parts, reader)

    left, wrong = await refuted_abstentions(taken, verify)
    return left, merge_in_order(claims, wrong)


async def check_cited(
    task: SampleTask, claims: Sequence[ClaimResult], services: Services
) -> AnswerCitations:
    if not services.does("citations"):
        return AnswerCitations((), Support({}))
    return await attribute(
        task.answer.text,
        claims,
        services.corpus,
        services.verifier,
        services.embedder,
        contexts=task.case.contexts,
        question=task.case.question,
    )


async def proposed_repairs(
    task: SampleTask,
    claims: Sequence[ClaimResult],
    cited: AnswerCitations,
    services: Services,
) -> tuple[CitationProposal, ...]:
    """What would make the citations good. A run proposes nothing for an answer that
    cites nothing, unless the case expects citations."""
    does_cite = bool(cited.cited) or bool(task.case.citations)
    if not services.does("repair") or (services.stages is None and not does_cite):
        return ()
    return await propose(
        task.answer.text,
        claims,
        cited,
        services.corpus,
        services.reader or services.verifier,
        task.case.contexts,
        task.case.question,
    )


async def what_was_retrieved(task: SampleTask, services: Services) -> Retrieval | None:
    """For the expected citations of the case, when a metric asks."""
    asks = _needs("retrieval", services) or _needs("expected_citations", services)
    if not task.case.citations or not asks:
        return None
    return await asyncio.to_thread(
        retrieval_of, task.case, task.answer, services.corpus
    )


def unread_markers(task: SampleTask, services: Services) -> tuple[UnreadMarker, ...]:
    """What looks like a citation and was read as none."""
    text, contexts = task.answer.text, task.case.contexts
    known = known_names(text, services.corpus, contexts)
    return tuple(
        UnreadMarker(text=one.text, start=one.start, end=one.end, reason=one.reason)
        for one in unread_in(text, known)
    )


async def compare(
    task: SampleTask, taken: Decomposition, services: Services
) -> Directions | None:
    """Answer and reference both ways, when a metric asks and there is a reference."""
    reference = task.case.reference or ""
    if not reference.strip() or not _needs("both_directions", services):
        return None

    async def apart(text: str) -> Decomposition:
        return await take_apart(text, services)

    return await both_directions(
        task.case.question,
        task.answer.text,
        taken,
        reference,
        apart,
        services.verifier,
        services.embedder,
        services.settings.evidence_sentences,
    )


async def what_is_carried(
    task: SampleTask,
    claims: Sequence[ClaimResult],
    cited: AnswerCitations,
    services: Services,
) -> tuple[CitedSentence, ...] | None:
    """What the citations of each answer sentence carry, when a metric asks."""
    if not _needs("cited_support", services):
        return None
    return await carried_sentences(
        task.answer.text,
        claims,
        cited,
        services.corpus,
        services.verifier,
        services.embedder,
        task.case.question,
        task.case.contexts,
    )


def _needs(need: Need, services: Services) -> bool:
    """Does a metric that will be scored need it?"""
    return any(
        need in metric.needs
        for name, metric in discover().items()
        if is_wanted(metric, services.metrics, services.settings)
    )


async def give_grades(
    case: Case, text: str, claims: Sequence[ClaimResult], services: Services
) -> tuple[Grade, ...]:
    """Both grades, on the case's contexts or on the evidence that was found."""
    if services.grader is None:
        return ()
    characters = await room_for_evidence(case, text, services)
    shown = await asyncio.to_thread(
        select_evidence, case, claims, services.corpus, characters
    )
    return tuple(await services.grader(case, text, shown))


async def room_for_evidence(case: Case, text: str, services: Services) -> int:
    """Characters that a judge's context has left for evidence; measured on the model
    when there is something to measure."""
    beside = len(case.question) + len(text) + PROMPT_CHARACTERS
    if services.room is not None:
        return await services.room.characters(beside, REPLY_TOKENS)
    tokens = (services.settings.context_tokens or LEAST) - REPLY_TOKENS
    return max(0, round(tokens * CAREFUL) - beside)


async def find_required(
    task: SampleTask, services: Services
) -> tuple[RequiredClaimResult, ...]:
    """The case's claims in the answer."""
    if not services.does("required"):
        return ()
    text = task.answer.text
    results = await asyncio.to_thread(
        find_claims,
        task.case.claims,
        text,
        split_sentences(text, "markdown"),
        services.embedder,
        rule_findings,
        threshold=services.settings.claim_similarity,
        clean=strip_markers,
    )
    if reads_english_only(services.embedder.model_id):
        results = required_as_written(
            results, text, split_sentences(text, "markdown"), strip_markers
        )
    if services.reader is None or is_empty(text):
        return results
    return await look_again(
        results,
        strip_markers(text),
        task.case.question,
        services.embedder,
        services.reader,
    )


def result_of(
    task: SampleTask, findings: Findings, skipped: Sequence[Skipped], services: Services
) -> SampleResult:
    """Scores, failures and outcome from the findings."""
    failures = failures_of(
        findings, injected_spans(task.answer.text), services.settings
    )
    return SampleResult(
        key=task.key,
        case=task.case,
        answer=task.answer,
        abstained=findings.abstained,
        claims=tuple(findings.claims),
        skipped=tuple(skipped),
        required_claims=tuple(findings.required),
        citations=tuple(findings.citations),
        grades=tuple(findings.grades),
        scores=scores_of(findings, services.metrics),
        failures=failures,
        passed=passed(findings, failures, services.settings.pass_rule),
        usage=services.meter.take() if services.meter else Usage(),
    )


def scores_of(findings: Findings, wanted: Sequence[str]) -> tuple[Score, ...]:
    """One score a metric; not applicable with its reason where a need is missing."""
    scores: dict[str, Score] = {}
    for name, metric in discover().items():
        if not is_wanted(metric, wanted, findings.settings):
            continue
        findings = replace(findings, scores=scores)
        reason = missing_need(metric, findings.case, judge=findings.judged)
        reason = reason or unread(metric, findings)
        score = inapplicable(name, reason) if reason else metric.score(findings)
        scores[name] = with_tier(score, findings.settings)
    return tuple(scores.values())
