"""Samples and claims as pandas frames, with the columns of the CSV reports."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from typing import TYPE_CHECKING

from claimscope.core.analysis.summary.iterations import GRADES
from claimscope.core.errors import InputError
from claimscope.core.models import Label, SampleResult
from claimscope.core.report.document import RunInfo
from claimscope.core.report.rows import (
    CLAIM_COLUMNS,
    Cell,
    claim_cells,
    sample_cells,
    sample_columns,
)

if TYPE_CHECKING:
    from pandas import DataFrame

COUNTS = {
    *("iteration", "claims", "calls", "prompt_tokens", "completion_tokens"),
    *("claim_number", "start", "end"),
    *(label.value for label in Label),
}
FIGURES = {*GRADES, "wall_seconds", "support"}
"""Metrics are figures too; all other columns are texts."""


def sample_frame(
    run: RunInfo, samples: Iterable[SampleResult], names: Sequence[str]
) -> DataFrame:
    """One row a sample, a column a metric of `names`. Raises InputError without
    pandas."""
    rows = [sample_cells(run, sample, names) for sample in samples]
    columns = sample_columns(names)
    metrics = columns[len(columns) - len(names) :]
    return _frame(rows, columns, FIGURES.union(metrics))


def claim_frame(run_id: str, samples: Iterable[SampleResult]) -> DataFrame:
    """One row a claim, with its verdict and best evidence. Raises InputError without
    pandas."""
    rows = [
        claim_cells(run_id, sample, result)
        for sample in samples
        for result in sample.claims
    ]
    return _frame(rows, CLAIM_COLUMNS, FIGURES)


def _frame(
    rows: Sequence[list[Cell]], columns: Sequence[str], figures: Set[str]
) -> DataFrame:
    """What has no value is NA, of whatever type a column is. The type depends on no
    value: a metric that is 0 or 1 in every sample is no count."""
    try:
        import pandas
    except ImportError as error:
        raise InputError(
            "pandas, which makes frames, is not installed.",
            "pip install 'claimscope[notebook]'",
        ) from error
    found = pandas.DataFrame(
        {name: [row[at] for row in rows] for at, name in enumerate(columns)},
        dtype=object,
    )
    return found.astype({name: _type(name, figures) for name in columns})


def _type(name: str, figures: Set[str]) -> str:
    if name in figures:
        return "Float64"
    return "Int64" if name in COUNTS else "string"
