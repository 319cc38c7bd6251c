"""Tests are the same each time; exploring finds what they do not try, and says so."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

from benchmarks.durability import fuzz

CONFTEST = """
from hypothesis import settings
settings.register_profile("fuzz", database=None)
"""
FAULT = """
from hypothesis import given, strategies as st
@given(st.integers())
def test_small(n):
    assert n < 1000
def test_states_no_property():
    assert False
"""


def test_the_test_command_explores_nothing_at_random() -> None:
    assert settings().derandomize and settings().database is None


@pytest.mark.slow
def test_exploring_counts_examples_and_names_the_test_that_failed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_fault.py").write_text(FAULT)
    (path,), count = fuzz.property_tests([str(tmp_path)]), fuzz.Count()
    fuzz.explore(path, count, 300)
    assert count.files == 1 and count.examples > 1
    assert [name.split("::")[1] for name in count.failed] == ["test_small"]
    assert "n=1000" in capsys.readouterr().out


def test_what_states_no_property_is_said(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="no property tests there"):
        fuzz.run(1, [str(tmp_path)])
