"""Rates of models in the cache: found again, and never the reason why a run fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from claimscope.core.caches import cache_folder
from claimscope.core.verify.witnesses.reading_rates import ReadingRates
from claimscope.stores.workspace.kept_rates import FOLDER, DiskKeptRates

RATES = ReadingRates(30, 28, 42, 2, 0.3, 24, 20, 1)


def kept_files() -> list[Path]:
    return sorted((cache_folder() / FOLDER).glob("*"))


def test_what_is_kept_is_found_by_its_key_alone() -> None:
    assert DiskKeptRates().known("a") is None
    DiskKeptRates().keep("a", RATES)
    assert DiskKeptRates().known("a") == RATES
    assert DiskKeptRates().known("b") is None
    assert len(kept_files()) == 1


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"true": 0, "accepted": 0, "false": 1, "wrongly": 0}']
)
def test_a_damaged_file_is_none(text: str) -> None:
    DiskKeptRates().keep("a", RATES)
    kept_files()[0].write_text(text, encoding="utf-8")
    assert DiskKeptRates().known("a") is None
    DiskKeptRates().keep("a", RATES)
    assert DiskKeptRates().known("a") == RATES


def test_a_cache_that_cannot_be_written_costs_nothing_else() -> None:
    folder = cache_folder()
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.write_text("a file where the folder should be", encoding="utf-8")
    DiskKeptRates().keep("a", RATES)
    assert DiskKeptRates().known("a") is None
