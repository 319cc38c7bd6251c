"""Operational figures: counts add up, kinds of errors are named, nothing is made up."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.analysis.stats import (
    INTERNAL,
    NO_DOMAIN,
    kind_of,
    latency_of,
    operations,
    stats,
)
from claimscope.core.inference.odometer import Distance, Odometer
from claimscope.core.models import SampleRow
from claimscope.core.ports import RunStore
from claimscope.stores.memory import MemoryRunStore
from claimscope.stores.paths import Workspace
from claimscope.stores.runs import DiskRunStore
from claimscope.tui.cli import main
from tests import fakes

ERRORS = (
    None,
    "Ollama took too long: 300 s",
    "internal error, please report it: KeyError",
)


def row(
    seconds: float = 1.0,
    error: str | None = None,
    domain: str | None = None,
    passed: bool | None = True,
) -> SampleRow:
    return SampleRow(
        case_id="c",
        provider="p",
        iteration=1,
        category=None,
        difficulty=None,
        domain=domain,
        question="?",
        passed=None if error else passed,
        abstained=False,
        error=error,
        labels={},
        failures=(),
        is_disputed=False,
        metrics=(),
        values=(),
        prompt_tokens=10,
        completion_tokens=2,
        seconds=seconds,
        finished=None,
    )


@given(
    st.lists(
        st.builds(
            row,
            seconds=st.floats(0, 1e4),
            error=st.sampled_from(ERRORS),
            passed=st.sampled_from([True, False, None]),
        )
    )
)
def test_counts_add_up(rows: list[SampleRow]) -> None:
    found = operations("all", rows)
    assert found.judged + found.unscored == found.analyses == len(rows)
    assert sum(found.errors.values()) <= found.unscored
    assert (found.error_rate is None) is (not rows)
    assert found.prompt_tokens == 10 * len(rows)
    if found.latency is not None:
        one = found.latency
        assert one.median <= one.p95 <= one.longest
        assert one.n == sum(r.seconds > 0 for r in rows)


def test_quantiles_are_times_that_were_measured() -> None:
    found = latency_of([float(n) for n in range(1, 101)])
    assert found is not None
    assert (found.median, found.p95, found.longest, found.n) == (50, 95, 100, 100)
    assert latency_of([]) is None


def test_errors_are_told_apart_by_kind() -> None:
    assert kind_of(str(ERRORS[1])) == "Ollama took too long"
    assert kind_of(str(ERRORS[2])) == INTERNAL


def filled(store: RunStore, name: str, **parts: object) -> None:
    """A run with a sample that passed and one that ended in an error."""
    writer = store.create(fakes.header(name, **parts))
    good = fakes.sample("case-1")
    bad = fakes.sample("case-2").model_copy(
        update={"passed": None, "error": "Ollama is busy: queue full", "claims": ()}
    )
    for one in (good, bad):
        writer.save_sample(one)
    writer.save_embedded(3, 40)
    writer.save_state("finished")
    writer.close()


def test_runs_and_domains_in_order() -> None:
    store = MemoryRunStore()
    filled(store, "run-b")
    filled(store, "run-a")
    pairs = [(s, store.read(s.header.run_id)) for s in store.runs()]
    found = stats(pairs)
    assert [run.run_id for run in found.runs] == ["run-a", "run-b"]
    assert found.total.analyses == 4
    assert found.total.errors == {"Ollama is busy": 2}
    assert found.embedding_tokens == 80
    assert sum(domain.analyses for domain in found.domains) == 4
    assert stats([]).embedding_tokens is None


def test_what_has_no_domain_comes_last() -> None:
    from claimscope.core.analysis.stats import _domains

    names = [d.name for d in _domains([row(), row(domain="z.example"), row(domain="")])]
    assert names == ["z.example", NO_DOMAIN]


def test_the_command_prints_tables_and_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    filled(DiskRunStore(Workspace(tmp_path).runs), "run-a")
    broken = Workspace(tmp_path).runs / "run-x"
    broken.mkdir()
    (broken / "run.journal").write_bytes(b"nothing of ours\nnor this\n")
    where = ("--workspace", str(tmp_path))
    assert main([*where, "stats"]) == 0
    text = capsys.readouterr().out
    assert "run-a" in text and "error: Ollama is busy: 1 of 2 (50.0%)" in text
    assert "not counted: run-x" in text
    assert all(len(line) <= 80 for line in text.splitlines()[:6])
    assert main([*where, "stats", "run-a", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["runs"][0]["embedding_tokens"] == 40
    assert found["total"]["error_rate"] == 0.5


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "no run in this workspace"),
        (("--suite", "none"), "no run of suite 'none'"),
        (("--last", "0"), "leaves no run"),
        (("nothing",), "no run 'nothing'"),
    ],
)
def test_wrong_use_is_named(
    words: tuple[str, ...],
    told: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--workspace", str(tmp_path), "stats", *words]) == 2
    assert told in capsys.readouterr().err


def test_the_odometer_counts_from_the_last_take() -> None:
    meter = Odometer()
    meter.add(2, 30)
    meter.add(1, 5)
    assert meter.take() == Distance(3, 35)
    assert meter.take() == Distance(0, 0)
