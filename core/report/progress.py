"""The progress document of a run (seed 001): what is done, what is still to do."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from claimscope.core.analysis.summary.iterations import grade
from claimscope.core.models import RunHeader, SampleResult


def progress_document(
    header: RunHeader, iteration: int, samples: Sequence[SampleResult]
) -> dict[str, Any]:
    """Of one iteration; `samples` are those of it that finished.

    Names and places are those of the document. An entry has the sha256 of its case id
    in hex; where several providers answer, of case and provider, so that no two entries
    share one. The percentage is 0-100, None when there is nothing to do.
    """
    several = len(header.providers) > 1
    total = header.total_samples // max(1, header.iterations)
    done = len(samples)
    return {
        "testSetName": header.suite_id,
        "iterationNumber": iteration,
        "lastUpdated": max((s.finished for s in samples if s.finished), default=None),
        "statistics": {
            "totalQuestions": total,
            "completedQuestions": done,
            "pendingQuestions": max(0, total - done),
            "completionPercentage": round(100 * done / total, 2) if total else None,
        },
        "entries": [_entry(sample, several) for sample in samples],
    }


def _entry(sample: SampleResult, several: bool) -> dict[str, Any]:
    key = sample.key
    named = str(key).rpartition("/")[0] if several else key.case_id
    return {
        "hash": sha256(named.encode("utf-8")).hexdigest(),
        "queryLogId": key.case_id,
        "provider": sample.key.provider,
        "question": sample.case.question,
        "completedAt": sample.finished,
        "result": {
            "faithfulnessScore": grade(sample, "faithfulness"),
            "completenessScore": grade(sample, "completeness"),
            "passed": sample.passed,
        },
    }
