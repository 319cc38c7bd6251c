"""The simulation of a cluster, where its end can be worked out by hand."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from pathlib import Path

import pytest

from benchmarks.speed.cluster_sizing import (
    SHARED_CALLS,
    Cluster,
    Costs,
    Run,
    against,
    most_a_second,
    rate_of_one,
)

FREE = Costs(**{field.name: 0.0 for field in fields(Costs)})
ONE = Cluster(
    workers=1,
    samples=10,
    claims=1,
    call_seconds=1.0,
    sample_seconds=0.0,
    threads=1,
    places=1,
)
"""A sample is five calls: one, two, and two grades."""


def seconds(cluster: Cluster, costs: Costs) -> float:
    return Run(cluster, costs).found().seconds


def test_one_worker_makes_one_call_after_the_other() -> None:
    found = Run(ONE, FREE).found()
    assert found.seconds == pytest.approx(SHARED_CALLS + 10 * 5)
    assert found.servers == pytest.approx(1.0)


def test_a_server_with_two_places_makes_what_may_be_made_at_once() -> None:
    # 31 shared calls by two at a time, then rounds of one, two and two calls.
    two = replace(ONE, places=2)
    assert seconds(two, FREE) == pytest.approx(16 + 10 * 3)


def test_workers_share_out_what_all_of_them_need() -> None:
    four = replace(ONE, workers=4, samples=40)
    assert seconds(four, FREE) == pytest.approx(8 + 10 * 5)


def test_the_processor_of_a_worker_may_be_the_limit() -> None:
    busy = replace(ONE, sample_seconds=20.0, threads=4, cores=2)
    # Two at once on two cores: five times 20 s, and the calls of the last two samples,
    # which their server makes one after the other.
    assert seconds(busy, FREE) == pytest.approx(SHARED_CALLS + 5 * 20 + 2 * 5)
    assert rate_of_one(busy) == pytest.approx(0.1)


def test_the_scheduler_may_be_the_limit() -> None:
    costs = replace(FREE, scheduler_sample=2.0, scheduler_call=3.0)
    assert most_a_second(ONE, replace(costs, coordinator_sample=1, saved=1))[
        "scheduler"
    ] == pytest.approx(1 / 17)
    many = replace(ONE, workers=50, samples=50, call_seconds=0.0)
    found = Run(many, costs).found()
    assert found.seconds == pytest.approx(SHARED_CALLS * 3 + 50 * 17)
    assert found.scheduler == pytest.approx(1.0)


def test_what_waits_is_written_with_one_wait_for_the_disk() -> None:
    costs = replace(FREE, sync=10.0)
    few = replace(ONE, call_seconds=0.0, samples=1, claims=0, grades=0)
    alone = seconds(few, costs)
    many = replace(few, workers=100, samples=100)
    # All hundred end at once: the first begins a turn, the others share the next.
    assert seconds(many, costs) - alone <= 10.0


def test_a_run_that_goes_as_predicted_is_told_from_one_that_does_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = replace(ONE, samples=64, call_seconds=0.5, sample_seconds=0.1, threads=2)
    way = {"name": "1 workers", "workers": 1, "worker_seconds": 0.1}
    known = {"samples": 64, "latency": 0.5}
    path = tmp_path / "measured.json"
    right = seconds(one, Costs())
    for measured, code in ((right, 0), (right * 1.2, 1)):
        ways = [{**way, "seconds": measured}]
        path.write_text(json.dumps({**known, "ways": ways}))
        assert against(path) == code
    assert "-17%" in capsys.readouterr().out
