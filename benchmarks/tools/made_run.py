"""A made run of any size, of samples such as people look at: answers of a few
sentences, claims of every verdict, two providers. Shared by screen_bytes.py and
screen_speed.py; not a benchmark of its own.
"""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

from claimscope.core.models import (
    Answer,
    Case,
    Claim,
    ClaimResult,
    Evidence,
    Failure,
    FailureKind,
    Label,
    RuleFinding,
    RunHeader,
    SampleKey,
    SampleResult,
    Score,
    Usage,
    Verdict,
)
from claimscope.stores.runs.run_store import DiskRunStore, DiskRunWriter
from claimscope.stores.workspace.paths import Workspace

RUN = "20260101-000000-abcd"
METRICS = ("claim_support", "claim_completeness", "answer_relevance", "fluency")
CATEGORIES = ("figures", "dates", "names", "causes")
FAILS = {
    Label.CONTRADICTED: FailureKind.CONTRADICTED,
    Label.NOT_ENOUGH_INFO: FailureKind.NOT_SUPPORTED,
}


def header(samples: int) -> RunHeader:
    return RunHeader(
        run_id=RUN,
        created="2026-01-01T00:00:00+00:00",
        fingerprint="f",
        suite_id="bridges",
        suite_title="Bridges of made-up towns",
        suite_digest="s",
        answers_digest="a",
        verifier="evidence",
        providers=("alder", "birch"),
        total_samples=samples,
        version="0",
    )


def _label(number: int, n: int) -> Label:
    """Two thirds of the samples pass; in the others one claim in four fails."""
    if number % 3 or (number + n) % 4:
        return Label.SUPPORTED
    return Label.CONTRADICTED if number % 2 else Label.NOT_ENOUGH_INFO


def _claims(number: int) -> tuple[str, tuple[ClaimResult, ...]]:
    text, claims = "", []
    for n in range(5):
        metres = number * 7 % 900 + n + 10
        sentence = f"The bridge over arm {n} of the river is {metres} metres long. "
        claim = sentence.strip(". ")
        start = len(text)
        text += sentence
        label = _label(number, n)
        page = f"The bridge over arm {n} of the river is {metres + 3} metres long."
        evidence = Evidence(
            page_id=f"town-{number // 2}",
            title=f"The bridges of town {number // 2}",
            index=n + 1,
            text=sentence.strip() if label is Label.SUPPORTED else page,
            start=0,
            end=len(page),
            before="The town lies where the river parts.",
            after="It was built of stone and has been mended twice.",
            similarity=0.91,
        )
        conflict = RuleFinding(
            rule="number",
            outcome="conflict",
            claim_text=f"{metres} metres",
            evidence_text=f"{metres + 3} metres",
            message=f"The claim says {metres} metres, the page {metres + 3}.",
            veto=True,
        )
        verdict = Verdict(
            label=label,
            support=0.97 if label is Label.SUPPORTED else 0.08,
            band="supported" if label is Label.SUPPORTED else "not_supported",
            evidence=(evidence,),
            rules=(conflict,) if label is Label.CONTRADICTED else (),
            reason="The page says so." if label is Label.SUPPORTED else "It does not.",
            verifier="evidence-1",
        )
        end = start + len(claim)
        place = Claim(
            index=n,
            text=claim,
            start=start,
            end=end,
            sentence_start=start,
            sentence_end=end,
        )
        claims.append(ClaimResult(claim=place, verdict=verdict))
    return text, tuple(claims)


def sample(number: int) -> SampleResult:
    """The sample of that number; two of them are of one case."""
    case, provider = f"case-{number // 2:06}", ("alder", "birch")[number % 2]
    text, claims = _claims(number)
    failures = tuple(
        Failure(
            kind=FAILS[result.verdict.label],
            message=f"claim {result.claim.index + 1}",
            claim_index=result.claim.index,
        )
        for result in claims
        if result.verdict.label in FAILS
    )
    support = 1 - len(failures) / len(claims)
    values = (support, number % 11 / 10, number % 13 / 12, None)
    return SampleResult(
        key=SampleKey(case_id=case, provider=provider),
        case=Case(
            id=case,
            question=f"How long are the bridges of town {number // 2}?",
            category=CATEGORIES[number % 4],
            difficulty=("easy", "medium", "hard")[number % 3],
        ),
        answer=Answer(case_id=case, provider=provider, text=text),
        claims=claims,
        scores=tuple(
            Score(metric=metric, value=value)
            for metric, value in zip(METRICS, values, strict=True)
        ),
        failures=failures,
        passed=not failures,
        usage=Usage(calls=0, wall_seconds=number % 17 / 10),
        finished="2026-01-01T00:00:00.000+00:00",
    )


def begun(root: Path, samples: int, total: int | None = None) -> DiskRunWriter:
    """A run of so many finished samples out of `total`, still held by its writer."""
    writer = DiskRunStore(Workspace(root).runs).create(header(total or samples))
    writer.save_state("running")
    for result in map(sample, range(samples)):
        writer.save_sample(result)
    return writer


def make(root: Path, samples: int) -> None:
    """A finished run. Not synced to the disk at each sample: nobody would miss it."""
    with patch("os.fsync"), patch("claimscope.stores.runs.journal.sync_data"):
        writer = begun(root, samples)
        writer.save_state("finished")
        writer.close()
