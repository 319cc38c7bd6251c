"""A run about a fictional reservoir that has every kind of item in it."""

from __future__ import annotations

from typing import Any

from claimscope.core.models import (
    Answer,
    Case,
    CaseClaim,
    CitationResult,
    CitationState,
    Claim,
    ClaimResult,
    Evidence,
    Failure,
    FailureKind,
    Grade,
    Label,
    Page,
    RequiredClaimResult,
    RuleFinding,
    RunHeader,
    SampleKey,
    SampleResult,
    Score,
    Skipped,
    Usage,
    Verdict,
)
from claimscope.core.ports import RunStore
from claimscope.core.text.sentences import sentences

RUN_ID = "20261127-120000-ab12"
PAGE = Page(
    page_id="PMID:99000007",
    title="Water storage at Varn",
    source="Journal of Fictional Hydrology",
    published="2024-05-02",
    text=(
        "The Varn reservoir was filled in 1974. It holds 4.2 million cubic metres "
        "when full. The dam is 38 metres high and carries a road. Two turbines were "
        "added in 1991. Fishing is allowed from May to September."
    ),
)


def evidence(index: int, **fields: Any) -> Evidence:
    """A sentence of PAGE with its neighbours."""
    all_of_it = sentences(PAGE)
    here = all_of_it[index]
    known = {
        "page_id": PAGE.page_id,
        "index": index,
        "text": here.text,
        "start": here.start,
        "end": here.end,
        "before": all_of_it[index - 1].text if index else None,
        "after": all_of_it[index + 1].text if index + 1 < len(all_of_it) else None,
        "title": PAGE.title,
        "similarity": 0.83,
    }
    return Evidence(**{**known, **fields})


def claim(answer: str, part: str, index: int, **verdict: Any) -> ClaimResult:
    """A claim that stands in the answer as `part`, with its verdict."""
    start = answer.index(part)
    known = {
        "verifier": "evidence-1",
        "support": 0.5,
        "reason": "",
    }
    return ClaimResult(
        claim=Claim(
            index=index,
            text=part,
            start=start,
            end=start + len(part),
            sentence_start=start,
            sentence_end=start + len(part),
        ),
        verdict=Verdict(**{**known, **verdict}),
    )


CASE = Case(
    id="var-001",
    question="How large is the Varn reservoir, and since when has it been in use?",
    category="figures",
    difficulty="easy",
    reference="It holds 4.2 million cubic metres and was filled in 1974.",
    claims=(
        CaseClaim(text="The reservoir was filled in 1974."),
        CaseClaim(text="Its dam is 38 metres high.", importance="optional"),
    ),
)


def failed_sample() -> SampleResult:
    """Every kind of item; three claims: supported, contradicted, not enough info."""
    text = (
        "Good question! The dam is 38 metres high [PMID:99000007, S:2]. The reservoir "
        "holds 9 million cubic metres [PMID:404, S:1]. Its keeper is called Orla. "
        "Let me know if you need more."
    )
    wrong = "The reservoir holds 9 million cubic metres"
    results = (
        claim(
            text,
            "The dam is 38 metres high",
            0,
            label=Label.SUPPORTED,
            support=0.97,
            band="supported",
            evidence=(evidence(2),),
            reason="Sentence 2 says so.",
        ),
        claim(
            text,
            wrong,
            1,
            label=Label.CONTRADICTED,
            support=0.08,
            band="not_supported",
            evidence=(evidence(1),),
            rules=(
                RuleFinding(
                    rule="number",
                    outcome="conflict",
                    claim_text="9 million",
                    evidence_text="4.2 million",
                    message="The claim says 9 million, the page says 4.2 million.",
                    veto=True,
                ),
            ),
            reason="The page gives another volume.",
            call_keys=("k1",),
        ),
        claim(
            text,
            "Its keeper is called Orla",
            2,
            label=Label.NOT_ENOUGH_INFO,
            support=0.11,
            band="not_supported",
            evidence=(evidence(4, similarity=0.21),),
            reason="No sentence names a keeper.",
        ),
    )
    good, bad = "[PMID:99000007, S:2]", "[PMID:404, S:1]"
    return SampleResult(
        key=SampleKey(case_id="var-001", provider="alder"),
        case=CASE,
        answer=Answer(case_id="var-001", provider="alder", text=text),
        claims=results,
        skipped=(
            Skipped(text="Good question!", start=0, end=14, reason="greeting"),
            Skipped(
                text="Let me know if you need more.",
                start=text.index("Let me"),
                end=len(text),
                reason="offer",
            ),
        ),
        required_claims=(
            RequiredClaimResult(
                text="The reservoir was filled in 1974.",
                importance="required",
                found=False,
                similarity=0.41,
            ),
            RequiredClaimResult(
                text="Its dam is 38 metres high.", importance="optional", found=True
            ),
        ),
        citations=(
            CitationResult(
                text=good,
                start=text.index(good),
                end=text.index(good) + len(good),
                page_id=PAGE.page_id,
                sentence=2,
                state=CitationState.VALID,
                claim_indexes=(0,),
            ),
            CitationResult(
                text=bad,
                start=text.index(bad),
                end=text.index(bad) + len(bad),
                page_id="PMID:404",
                sentence=1,
                state=CitationState.BROKEN,
                reason="There is no page PMID:404 in the corpus.",
                claim_indexes=(1,),
            ),
        ),
        grades=(
            Grade(name="faithfulness", value=2, reason="A figure is wrong."),
            Grade(name="completeness", unscored_reason="the reply was cut"),
        ),
        scores=(
            Score(metric="claim_support", value=1 / 3),
            Score(metric="claim_completeness", value=0.0, scale=(0, 100)),
            Score(metric="accuracy", value=None, reason="no reference"),
        ),
        failures=(
            Failure(kind=FailureKind.CONTRADICTED, message="claim 2", claim_index=1),
            Failure(kind=FailureKind.NOT_SUPPORTED, message="claim 3", claim_index=2),
            Failure(
                kind=FailureKind.BROKEN_CITATION, message="citation 2", citation_index=1
            ),
            Failure(
                kind=FailureKind.MISSING_CLAIM,
                message="The reservoir was filled in 1974.",
            ),
            Failure(kind=FailureKind.LOW_GRADE, message="faithfulness 2"),
        ),
        passed=False,
        usage=Usage(calls=1, prompt_tokens=200, completion_tokens=20),
        finished="2026-11-27T12:00:03.000+00:00",
    )


def passed_sample() -> SampleResult:
    """One supported claim."""
    text = "It was filled in 1974."
    return SampleResult(
        key=SampleKey(case_id="var-001", provider="birch"),
        case=CASE,
        answer=Answer(case_id="var-001", provider="birch", text=text),
        claims=(
            claim(
                text,
                "It was filled in 1974",
                0,
                label=Label.SUPPORTED,
                support=0.94,
                band="supported",
                evidence=(evidence(0),),
            ),
        ),
        scores=(Score(metric="claim_support", value=1.0),),
        passed=True,
        finished="2026-11-27T12:00:04.000+00:00",
    )


def empty_sample() -> SampleResult:
    """An empty answer fails as such."""
    return SampleResult(
        key=SampleKey(case_id="var-002", provider="alder"),
        case=Case(id="var-002", question="When is fishing allowed?"),
        answer=Answer(case_id="var-002", provider="alder", text="  "),
        failures=(Failure(kind=FailureKind.EMPTY, message="The answer has no text."),),
        scores=(Score(metric="claim_support", reason="empty answer"),),
        passed=False,
        finished="2026-11-27T12:00:05.000+00:00",
    )


def error_sample() -> SampleResult:
    """A sample that could not be judged."""
    return SampleResult(
        key=SampleKey(case_id="var-002", provider="birch"),
        case=Case(id="var-002", question="When is fishing allowed?"),
        answer=Answer(
            case_id="var-002", provider="birch", text="From May to September."
        ),
        failures=(
            Failure(kind=FailureKind.UNSCORED, message="The sample was not judged."),
        ),
        error="Ollama does not answer at 127.0.0.1:11434 (3 tries).",
        finished="2026-11-27T12:00:06.000+00:00",
    )


def run_header(**fields: Any) -> RunHeader:
    """Two cases, two providers."""
    known = {
        "run_id": RUN_ID,
        "created": "2026-11-27T12:00:00.000+00:00",
        "fingerprint": "f",
        "suite_id": "reservoirs",
        "suite_title": "Reservoirs of Varn",
        "suite_digest": "s",
        "answers_digest": "a",
        "corpus": "varn",
        "verifier": "evidence",
        "providers": ("alder", "birch"),
        "total_samples": 4,
        "version": "0.1.0",
    }
    return RunHeader(**{**known, **fields})


def finished_run(store: RunStore) -> str:
    """Four samples: failed, passed, empty, not judged. Gives the run's id."""
    from tests.doubles.fakes import call

    writer = store.create(run_header())
    writer.save_state("running")
    writer.save_call(call("k1"))
    for result in (failed_sample(), passed_sample(), empty_sample(), error_sample()):
        writer.save_sample(result)
    writer.save_note("Ollama was busy; tried again after 2 s")
    writer.save_state("finished")
    writer.close()
    return RUN_ID
