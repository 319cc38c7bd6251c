"""Operational figures: counts add up, kinds of errors are named, nothing is made up."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.analysis.summary.operations import (
    INTERNAL,
    NO_DOMAIN,
    by_domain,
    kind_of,
    latency_of,
    operations,
    searches_of,
    stats,
)
from claimscope.core.models import SampleRow
from claimscope.core.ports import RunStore
from claimscope.core.report.renderers.plain import lines
from claimscope.core.report.views.operations import operations_view
from claimscope.core.run.meters import EmbeddingMeter, EmbeddingUsage, metering
from claimscope.core.run.search_times import SearchTimes, bucket
from claimscope.stores.index.memory_corpus import MemoryCorpus
from claimscope.stores.runs.memory import MemoryRunStore
from claimscope.stores.runs.run_store import DiskRunStore
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.cli import main
from tests.doubles import fakes

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
    names = [
        d.name for d in by_domain([row(), row(domain="z.example"), row(domain="")])
    ]
    assert names == ["z.example", NO_DOMAIN]


def test_the_command_prints_tables_and_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    filled(DiskRunStore(Workspace(tmp_path).runs), "run-a")
    broken = Workspace(tmp_path).runs / "run-x"
    broken.mkdir()
    (broken / "run.journal").write_bytes(b"nothing of ours\nnor this\n")
    where = ("--workspace", str(tmp_path))
    assert main([*where, "runs", "stats"]) == 0
    text = capsys.readouterr().out
    assert "run-a" in text and "error: Ollama is busy: 1 of 2 (50.0%)" in text
    assert "not counted: run-x" in text
    assert all(len(line) <= 80 for line in text.splitlines()[:6])
    assert main([*where, "runs", "stats", "run-a", "--json"]) == 0
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
    assert main(["--workspace", str(tmp_path), "runs", "stats", *words]) == 2
    assert told in capsys.readouterr().err


def test_a_meter_counts_from_the_last_take() -> None:
    meter = EmbeddingMeter()
    meter.add(2, 30)
    meter.add(1, 5)
    assert meter.take() == EmbeddingUsage(3, 35)
    assert meter.take() == EmbeddingUsage(0, 0)


# --- searches -----------------------------------------------------------------


@given(st.lists(st.floats(1e-5, 100), min_size=1, max_size=200))
def test_times_of_searches_are_right_to_a_tenth(seconds: list[float]) -> None:
    times = SearchTimes()
    for one in seconds:
        times.add(one)
    found = searches_of(times.take())
    exact = latency_of(seconds)
    assert found is not None and exact is not None
    assert found.n == len(seconds)
    for said, true in (
        (found.median, sorted(seconds)[(len(seconds) + 1) // 2 - 1]),
        (found.longest, max(seconds)),
    ):
        assert true / 1.06 - 1e-6 <= said <= true * 1.06 + 1e-6
    assert times.take() == {} and searches_of({}) is None


@pytest.mark.parametrize("kind", ["memory", "disk"])
def test_searches_of_all_parts_of_a_run_are_told(kind: str, tmp_path: Path) -> None:
    store: RunStore = (
        MemoryRunStore() if kind == "memory" else DiskRunStore(tmp_path / "runs")
    )
    run = fakes.finished_run(store)
    assert store.read(run).searched() is None
    writer = store.open(run)
    writer.save_searched({bucket(0.004): 3})
    writer.save_searched({bucket(0.004): 1, bucket(0.1): 1})
    writer.close()
    reader = store.read(run)
    assert reader.searched() == {bucket(0.004): 4, bucket(0.1): 1}
    found = stats([(reader.status(), reader)])
    searches = found.runs[0].searches
    assert searches is not None and searches.n == 5
    assert searches.median == pytest.approx(0.004, rel=0.05)
    assert searches.longest == pytest.approx(0.1, rel=0.05)
    (line,) = [
        line for line in lines(operations_view(found)) if line.startswith("searches of")
    ]
    assert line.startswith(f"searches of {run}: 5; half within 4.") or "3.9" in line


def test_a_search_of_a_corpus_is_counted() -> None:
    corpus = MemoryCorpus("towns", fakes.pages(3), fakes.FakeEmbedder())
    with metering() as counted:
        assert corpus.search("tramway", k=1).hits
        corpus.search("nothing", k=0)
    assert sum(counted.searched.take().values()) == 1
