"""Rows of a run with people's words in place of the machine's verdicts.

Only the samples that somebody said something about are read in full.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from claimscope.core.analysis.agreement.overrides import (
    count_overruled,
    sample_with_overrides,
    settings_of,
    words_that_count,
)
from claimscope.core.models import SampleKey, SampleRow
from claimscope.core.ports import RunReader
from claimscope.stores.runs.sample_rows import RowMaker, light_of


class CorrectedRows(NamedTuple):
    """As people see a run."""

    rows: Sequence[SampleRow]
    overruled: int
    """Claims that people gave another verdict than the machine, or no claims."""
    words: int
    """How many words of people were read."""


def corrected_rows(reader: RunReader, rows: Sequence[SampleRow]) -> CorrectedRows:
    """The rows of `reader` with its words. Raises StoreError."""
    words = reader.human_verdicts()
    if not words:
        return CorrectedRows(rows, 0, 0)
    counting, settings = words_that_count(words), settings_of(reader.status().header)
    spoken_of = {sample for sample, _, _ in counting}
    changed: dict[SampleKey, SampleRow] = {}
    overruled, maker = 0, RowMaker()
    for key in spoken_of:
        sample = reader.sample(key)
        if sample is None:
            continue
        overruled += count_overruled(sample, counting)
        now = sample_with_overrides(sample, counting, settings)
        if now is not sample:
            changed[key] = maker.row(light_of(now.model_dump(mode="json")))
    cases = {key.case_id for key in changed}
    return CorrectedRows(
        [
            changed.get(row.key, row) if row.case_id in cases else row  # keys cost
            for row in rows
        ],
        overruled,
        len(words),
    )
