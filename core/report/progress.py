"""The progress document of a run (seed 001): what is done, what is still to do."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from claimscope.core.analysis.iterations import grade
from claimscope.core.models import RunHeader, SampleResult


def progress_document(
    header: RunHeader, iteration: int, samples: Sequence[SampleResult]
) -> dict[str, Any]:
    """Of one iteration; `samples` are those of it that finished.

    An entry has the sha256 of its case id in hex. Percent is 0-100, None when there
    is nothing to do.
    """
    total = header.total_samples // max(1, header.iterations)
    done = len(samples)
    return {
        "suite": header.suite_id,
        "iteration": iteration,
        "last_updated": max((s.finished for s in samples if s.finished), default=None),
        "statistics": {
            "total": total,
            "completed": done,
            "pending": max(0, total - done),
            "percent": round(100 * done / total, 2) if total else None,
        },
        "entries": [_entry(sample) for sample in samples],
    }


def _entry(sample: SampleResult) -> dict[str, Any]:
    return {
        "hash": sha256(sample.key.case_id.encode("utf-8")).hexdigest(),
        "case_id": sample.key.case_id,
        "provider": sample.key.provider,
        "question": sample.case.question,
        "completed_at": sample.finished,
        "result": {
            "faithfulness": grade(sample, "faithfulness"),
            "completeness": grade(sample, "completeness"),
            "passed": sample.passed,
        },
    }
