"""A suite over time."""

from __future__ import annotations

from typing import Any

import pytest

from claimscope.core.analysis.compare.comparison import RunData
from claimscope.core.analysis.trends import runs_of, trends
from claimscope.core.errors import InputError
from claimscope.core.models import Label, RunState, RunStatus, Usage
from claimscope.core.report.renderers import plain
from claimscope.core.report.views.trends import trend_view
from tests.doubles import fakes


def run(name: str, bad: int, **fields: Any) -> RunData:
    """Twenty cases, of which the first `bad` fail."""
    samples = [
        fakes.sample(f"c{n}", label=Label.CONTRADICTED if n < bad else Label.SUPPORTED)
        for n in range(20)
    ]
    return RunData(name, fakes.header(name, total_samples=20, **fields), samples)


def status(name: str, state: RunState = "finished", **fields: Any) -> RunStatus:
    return RunStatus(
        header=fakes.header(name, **fields),
        state=state,
        completed=4,
        passed=4,
        failed=0,
        unscored=0,
        usage=Usage(),
    )


def test_each_step_is_measured_against_the_run_before() -> None:
    found = trends("reservoirs", iter([run("a", 1), run("b", 2), run("c", 12)]))
    first, second, third = found.points
    assert [point.pass_rate for point in found.points] == [0.95, 0.9, 0.4]
    assert first.step is None and first.coverage == 1.0
    assert first.pass_interval is not None
    assert second.step is not None and third.step is not None
    assert second.step.pass_rate is not None and third.step.pass_rate is not None
    assert second.step.before == "a" and second.step.pass_rate.within_noise
    assert third.step.pass_rate.difference == pytest.approx(-0.5)
    assert not third.step.pass_rate.within_noise
    text = "\n".join(plain.lines(trend_view(found)))
    assert "-0.050  within noise" in text and "-0.500  worse" in text


def test_a_step_says_what_is_not_the_same_as_before() -> None:
    a = run("a", 0, suite_digest="1" * 64, model="small:1b")
    b = run("b", 0, suite_digest="2" * 64, model="small:1b", corpus_version="v2")
    (step,) = [p.step for p in trends("reservoirs", [a, b]).points if p.step]
    assert [change.what for change in step.changes] == [
        "content of the suite",
        "content of the corpus",
    ]
    assert step.pairs == 20 and step.answers_changed == 0


def test_runs_with_no_sample_in_common_are_shown_without_a_change() -> None:
    other = RunData("b", fakes.header("b"), [fakes.sample("elsewhere")])
    found = trends("reservoirs", [run("a", 0), other])
    step = found.points[1].step
    assert step is not None and (step.pairs, step.pass_rate) == (0, None)
    assert found.points[1].coverage == pytest.approx(1 / 4)
    assert "1/4  none in common" in "\n".join(plain.lines(trend_view(found)))


def test_only_finished_runs_of_the_suite_are_taken_in_order_of_time() -> None:
    known = [
        status("r3", created="2026-11-27T14:00:00+00:00"),
        status("r1", created="2026-11-27T12:00:00+00:00"),
        status("r2", "paused", created="2026-11-27T13:00:00+00:00"),
        status("s1", suite_id="tides", created="2026-11-27T11:00:00+00:00"),
    ]
    suite, mine, rest = runs_of(known, None)
    assert suite == "reservoirs"
    assert [s.header.run_id for s in mine] == ["r1", "r3"]
    assert rest == ("r2",)
    assert runs_of(known, "tides")[1] == [known[3]]
    with pytest.raises(InputError, match="no finished run of suite 'lakes'"):
        runs_of(known, "lakes")
    with pytest.raises(InputError, match="no finished run in this workspace"):
        runs_of([], None)
