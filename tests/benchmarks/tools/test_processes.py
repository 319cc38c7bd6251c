"""What is said of processes that were watched, and of what workers made."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from benchmarks.speed.cluster_scale import Part, made_twice
from benchmarks.tools.processes import Look, Watch, at, look


def test_use_between_two_times_is_that_of_the_last_looks_until_then() -> None:
    looks = [Look(10.0, 1.0, 50.0), Look(20.0, 4.0, 80.0), Look(30.0, 4.5, 60.0)]
    assert [at(looks, when).processor for when in (5, 10, 29.9, 99)] == [1, 1, 4, 4.5]
    watch = Watch({"engine": looks})
    assert watch.processor(10, 25) == {"engine": 3.0}
    assert watch.peak() == {"engine": 80.0}


def test_a_process_that_is_there_is_seen_and_one_that_ended_is_not() -> None:
    found = look(os.getpid())
    assert found is not None and found.processor > 0 and found.resident > 10
    assert look(2**22 + 1) is None  # above the largest number of a process


def test_what_was_made_again_is_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "made1").write_text("sample a/x/1\ncall a/x/1 0\n")
    (tmp_path / "made2").write_text("sample a/x/1\nsample b/x/1\nsample b/x/1\n")
    assert made_twice(tmp_path, 2) == []
    assert made_twice(tmp_path, 1) == ["2 samples were made again, 1 were in flight"]
    assert "samples made: 4, of them again: 2" in capsys.readouterr().out


def test_a_part_of_a_run_has_a_rate_of_its_own() -> None:
    assert Part(begun=100, saved=400, seconds=60).rate == 5.0
    assert Part(begun=100).rate == 0.0
