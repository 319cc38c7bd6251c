"""The result files of a run in the layout of seed 001, as documents by path.

Nothing is written here: who writes decides where, and how safely.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel

from claimscope.core.analysis.agreement.overrides import settings_of
from claimscope.core.analysis.summary.cost import (
    Cost,
    Prices,
    cost,
    costs_by_iteration,
    costs_by_sample,
)
from claimscope.core.analysis.summary.failures import analyse_failures
from claimscope.core.analysis.summary.iterations import (
    PassGrade,
    by_iteration,
    grade_summary,
    over_iterations,
)
from claimscope.core.analysis.summary.summary import summarise
from claimscope.core.models import RunHeader, SampleResult
from claimscope.core.report.progress import progress_document

Documents = dict[str, Any]
"""By relative path, `/` between folders."""


def result_files(
    header: RunHeader,
    samples: Sequence[SampleResult],
    prices: Prices,
    pass_grade: PassGrade = 4,
    whole: Cost | None = None,
) -> Documents:
    """Every file of a run: per iteration records, metrics, cost, failures and
    progress; over all iterations the final metrics and the final cost (`whole`, when
    calls beyond those of `samples` were made; else their sum)."""
    found: Documents = {}
    costs = costs_by_iteration(samples, prices)
    for number, part in by_iteration(samples).items():
        name = f"iteration-{number}"
        found[f"{name}/.progress.json"] = progress_document(header, number, part)
        found[f"records/records-{name}.json"] = [_plain(sample) for sample in part]
        found[f"metrics/metrics-{name}.json"] = {
            "grades": _plain(grade_summary(part, pass_grade)),
            "summary": _plain(summarise(part, settings_of(header))),
        }
        found[f"cost/cost-{name}.json"] = {
            "total": _plain(costs[number]),
            "samples": [_plain(row) for row in costs_by_sample(part, prices)],
        }
        found[f"low-faithfulness/low-faithfulness-{name}.json"] = _plain(
            analyse_failures(part)
        )
    final = header.iterations
    found[f"final-metrics/final-metrics-{final}.json"] = {
        "run": header.run_id,
        "suite": header.suite_id,
        "iterations": _plain(over_iterations(samples, pass_grade)),
        "grades": _plain(grade_summary(samples, pass_grade)),
    }
    found[f"final-cost/final-cost-{final}.json"] = {
        "total": _plain(whole or cost("run", samples, prices)),
        "iterations": [_plain(row) for row in costs.values()],
    }
    return found


def _plain(value: BaseModel) -> dict[str, Any]:
    return value.model_dump(mode="json")
