"""Stand-ins and samples for tests: small, deterministic, never random."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from claimscope.core.models import (
    Answer,
    CallRecord,
    Case,
    CaseClaim,
    Claim,
    ClaimResult,
    Evidence,
    Failure,
    FailureKind,
    Grade,
    HumanVerdict,
    Label,
    Page,
    RunHeader,
    SampleKey,
    SampleResult,
    Score,
    Usage,
    Verdict,
)
from claimscope.core.ports import Floats, RunStore


class FakeEmbedder:
    """Bags of words hashed into a few dimensions: texts that share words are near.

    Remembers what it was asked, so that tests can say what was not embedded again.
    """

    def __init__(self, model_id: str = "fake@1/fp32", dimensions: int = 64) -> None:
        self._model_id = model_id
        self._dimensions = dimensions
        self.batches: list[list[str]] = []

    @property
    def model_id(self) -> str:
        return self._model_id

    @property
    def dimensions(self) -> int:
        return self._dimensions

    @property
    def texts(self) -> list[str]:
        """All texts embedded so far, in order."""
        return [text for batch in self.batches for text in batch]

    def embed(self, texts: Sequence[str]) -> Floats:
        """Vectors, shape (len(texts), dimensions), L2-normalised."""
        self.batches.append(list(texts))
        vectors = np.zeros((len(texts), self._dimensions), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in re.findall(r"\w+", text.lower()) or [text]:
                salted = f"{self._model_id} {word}".encode("utf-8", "surrogatepass")
                digest = zlib.crc32(salted)
                sign = 1 if digest & 1 << 31 else -1
                vectors[row, digest % self._dimensions] += sign
                vectors[row, digest // 97 % self._dimensions] += 0.5
        vectors[~vectors.any(axis=1), 0] = 1
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors


def page(page_id: str = "PMID:10000001", text: str = "", **fields: Any) -> Page:
    """A page; without a text: three sentences about a fictional reservoir."""
    default = (
        "The Varn reservoir holds 4.2 million cubic metres. It was filled in 1974. "
        "Its dam is 38 metres high."
    )
    return Page(page_id=page_id, text=text or default, **fields)


def pages(count: int = 3) -> list[Page]:
    """Pages about different things, with sources that alternate."""
    topics = ("reservoir", "orchard", "tramway", "observatory", "lighthouse")
    return [
        page(
            f"PMID:{20000001 + n}",
            f"The {topics[n % 5]} of town {n} opened in {1900 + n}. "
            f"Its {topics[n % 5]} keeper number {n} works {n + 10} hours a week. "
            f"Visitors of town {n} pay {n + 2} crowns.",
            title=f"The {topics[n % 5]} {n}",
            source="north" if n % 2 else "south",
            url=f"https://example.org/{n}",
        )
        for n in range(count)
    ]


def case(case_id: str = "c1", **fields: Any) -> Case:
    """A case with a reference and one required claim."""
    known = {
        "question": "How much water does the Varn reservoir hold?",
        "reference": "It holds 4.2 million cubic metres.",
        "claims": (CaseClaim(text="It holds 4.2 million cubic metres."),),
        "category": "figures",
        "difficulty": "easy",
    }
    return Case(id=case_id, **{**known, **fields})


def answer(case_id: str = "c1", provider: str = "alpha", text: str = "") -> Answer:
    """An answer; without a text: one right claim with its citation."""
    default = "The reservoir holds 4.2 million cubic metres [PMID:10000001, S:0]."
    return Answer(case_id=case_id, provider=provider, text=text or default)


def claim_result(
    text: str, label: Label = Label.SUPPORTED, index: int = 0
) -> ClaimResult:
    """A claim that is the whole of `text`, judged against one sentence."""
    evidence = Evidence(
        page_id="PMID:10000001",
        index=0,
        text="The Varn reservoir holds 4.2 million cubic metres.",
        start=0,
        end=50,
        after="It was filled in 1974.",
        title="Varn",
        similarity=0.9,
    )
    claim = Claim(
        index=index,
        text=text,
        start=0,
        end=len(text),
        sentence_start=0,
        sentence_end=len(text),
    )
    is_unscored = label is Label.UNSCORED
    verdict = Verdict(
        label=label,
        support={Label.SUPPORTED: 0.95, Label.CONTRADICTED: 0.03}.get(label),
        evidence=(evidence,),
        reason="The sentence says so.",
        verifier="evidence-1",
        unscored_reason="no evidence was found" if is_unscored else None,
    )
    return ClaimResult(claim=claim, verdict=verdict)


def sample(
    case_id: str = "c1",
    provider: str = "alpha",
    *,
    label: Label = Label.SUPPORTED,
    iteration: int = 1,
    text: str = "",
    **fields: Any,
) -> SampleResult:
    """A judged sample of one claim; it passes iff the claim is supported."""
    given = answer(case_id, provider, text)
    passed = None if label is Label.UNSCORED else label is Label.SUPPORTED
    kinds = {
        Label.CONTRADICTED: FailureKind.CONTRADICTED,
        Label.NOT_ENOUGH_INFO: FailureKind.NOT_SUPPORTED,
        Label.UNSCORED: FailureKind.UNSCORED,
    }
    failures = (
        (Failure(kind=kinds[label], message=f"claim is {label}", claim_index=0),)
        if label in kinds
        else ()
    )
    known = {
        "key": SampleKey(case_id=case_id, provider=provider, iteration=iteration),
        "case": case(case_id),
        "answer": given,
        "claims": (claim_result(given.text, label),),
        "scores": (Score(metric="faithfulness", value=float(passed or 0)),),
        "failures": failures,
        "passed": passed,
        "usage": Usage(calls=1, prompt_tokens=100, completion_tokens=10),
        "finished": "2026-11-27T12:00:00.000+00:00",
    }
    return SampleResult(**{**known, **fields})


def graded_sample(case: str, faithful: float, complete: float) -> SampleResult:
    """A sample with two grades; it failed where one is below 4."""
    low = Failure(kind=FailureKind.LOW_GRADE, message="low")
    return sample(case).model_copy(
        update={
            "grades": (
                Grade(name="faithfulness", value=faithful),
                Grade(name="completeness", value=complete),
            ),
            "failures": () if min(faithful, complete) >= 4 else (low,),
        }
    )


def call(key: str = "k1", **fields: Any) -> CallRecord:
    """A finished model call."""
    known = {
        "key": key,
        "purpose": "verify",
        "model": "small:1b",
        "model_digest": "d" * 64,
        "prompt_digest": "p" * 64,
        "prompt": '[["user", "Is it so?"]]',
        "options": {"temperature": 0, "seed": 7},
        "reply": "Yes",
        "done_reason": "stop",
        "logprobs": (("Yes", -0.1), ("No", -2.4)),
        "usage": Usage(
            calls=1, prompt_tokens=100, completion_tokens=1, model_seconds=0.5
        ),
    }
    return CallRecord(**{**known, **fields})


def header(run_id: str = "20261127-120000-ab12", **fields: Any) -> RunHeader:
    """The header of a run of four samples."""
    known = {
        "run_id": run_id,
        "created": "2026-11-27T12:00:00.000+00:00",
        "fingerprint": "f" * 64,
        "suite_id": "reservoirs",
        "suite_digest": "s" * 64,
        "answers_digest": "a" * 64,
        "verifier": "evidence",
        "providers": ("alpha", "beta"),
        "total_samples": 4,
        "version": "0.1.0",
    }
    return RunHeader(**{**known, **fields})


def human(case_id: str = "c1", word: Label | None = Label.CONTRADICTED) -> HumanVerdict:
    """A person's word on the claim of a sample."""
    return HumanVerdict(
        sample=SampleKey(case_id=case_id, provider="alpha"),
        claim_index=0,
        machine=Label.SUPPORTED,
        human=word,
        note="see sentence 2",
        at="2026-11-27T13:00:00.000+00:00",
    )


def finished_run(store: RunStore, run_id: str = "20261127-120000-ab12") -> str:
    """A finished run of four samples (one of each label) in `store`; its id."""
    writer = store.create(header(run_id))
    writer.save_state("running")
    wrong = "The reservoir holds 9 million cubic metres."
    for provider, case_id, label, text in (
        ("alpha", "c1", Label.SUPPORTED, ""),
        ("alpha", "c2", Label.CONTRADICTED, wrong),
        ("beta", "c1", Label.NOT_ENOUGH_INFO, "Its keeper is called Orla."),
        ("beta", "c2", Label.UNSCORED, ""),
    ):
        writer.save_call(call(f"{case_id}/{provider}"))
        writer.save_sample(sample(case_id, provider, label=label, text=text))
    writer.save_note("all samples are done")
    writer.save_state("finished")
    writer.close()
    return run_id
