"""Runs that are added to, judged again, renewed and re-analysed; end to end with
pages and journals on disk, without a model."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from claimscope.core.models import RunStatus, SampleResult
from claimscope.stores.runs.run_store import DiskRunStore
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.bootstrap import judges
from claimscope.tui.cli import main
from tests.doubles import fakes

CASES = 6
Cli = Callable[..., Any]


@pytest.fixture(autouse=True)
def embedder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judges, "make_embedder", lambda settings: fakes.FakeEmbedder())


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """Six cases about a page each, answered; odd answers are wrong."""
    pages = tmp_path / "pages"
    pages.mkdir()
    for n in range(CASES):
        text = f"Buoy number {n} weighs {n + 20} kg. Its lamp is {n + 3} m high."
        (pages / f"buoy-{n}.txt").write_text(text)
    cases = [{"id": f"b{n}", "question": f"Buoy {n}?"} for n in range(CASES)]
    document = {
        "format": "claimscope.suite",
        "version": 1,
        "id": "buoys",
        "pages": "pages",
        "answers": "answers.jsonl",
        "cases": cases,
    }
    (tmp_path / "suite.json").write_text(json.dumps(document))
    write_answers(tmp_path / "answers.jsonl", "default")
    return tmp_path / "suite.json"


def write_answers(path: Path, provider: str) -> None:
    rows = [
        {
            "case_id": f"b{n}",
            "provider": provider,
            "text": f"Buoy number {n} weighs {n + 20 + n % 2} kg.",
        }
        for n in range(CASES)
    ]
    path.write_text("\n".join(map(json.dumps, rows)))


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    """Runs a command that must end with `code`; gives its JSON, else what it says."""

    def command(*words: str, code: int = 0) -> Any:
        ended = main([*words, "--json"])
        out, err = capsys.readouterr()
        assert ended == code, err
        return json.loads(out) if out else err

    return command


def runs() -> DiskRunStore:
    return DiskRunStore(Workspace.find().runs)


def newest() -> RunStatus:
    return next(iter(runs().runs()))


def samples(run_id: str) -> dict[str, SampleResult]:
    return {str(s.key): s for s in runs().read(run_id).samples()}


def test_iterations_are_added_to_a_finished_run_and_recorded(
    suite: Path, cli: Cli
) -> None:
    run_id = cli("run", str(suite))["status"]["header"]["run_id"]
    before = samples(run_id)
    status = cli("runs", "resume", run_id, "--iterations", "3")["status"]
    assert (status["state"], status["completed"]) == ("finished", 3 * CASES)
    after = samples(run_id)
    assert all(after[key] == before[key] for key in before)  # none was judged again
    (word,) = newest().header.amended
    assert word.endswith("iterations 1 → 3")
    # It is part of the run from now on: the next resume finds nothing to do.
    assert cli("runs", "resume", run_id)["status"]["completed"] == 3 * CASES
    cli("runs", "resume", run_id, "--iterations", "2", code=2)
    assert newest().completed == 3 * CASES


def test_answers_of_another_provider_are_added_and_changed_ones_refused(
    suite: Path, cli: Cli, tmp_path: Path
) -> None:
    run_id = cli("run", str(suite))["status"]["header"]["run_id"]
    write_answers(tmp_path / "beta.jsonl", "beta")
    more = ("--answers", str(tmp_path / "beta.jsonl"))
    status = cli("runs", "resume", run_id, *more)["status"]
    assert status["completed"] == status["header"]["total_samples"] == 2 * CASES
    assert status["header"]["providers"] == ["beta", "default"]
    assert cli("runs", "resume", run_id)["status"]["completed"] == 2 * CASES
    cli("runs", "resume", run_id, "--iterations", "2")  # with the added answers
    assert newest().completed == 4 * CASES

    row = {"case_id": "b0", "provider": "beta", "text": "Another one."}
    (tmp_path / "other.jsonl").write_text(json.dumps(row))
    told = cli(
        "runs", "resume", run_id, "--answers", str(tmp_path / "other.jsonl"), code=2
    )
    assert "is another one than in this run" in told


def test_only_failures_are_judged_again(suite: Path, cli: Cli) -> None:
    run_id = cli("run", str(suite))["status"]["header"]["run_id"]
    before = samples(run_id)
    failed = {key for key, sample in before.items() if sample.passed is False}
    assert 0 < len(failed) < CASES
    cli("runs", "resume", run_id, "--failures")
    after = samples(run_id)
    assert {k for k in after if after[k].finished != before[k].finished} == failed
    cli("runs", "resume", run_id, "--fresh", code=2)


def test_what_changed_is_listed_and_a_new_run_started_with_it(
    suite: Path, cli: Cli
) -> None:
    run_id = cli("run", str(suite))["status"]["header"]["run_id"]
    (suite.parent / "pages" / "buoy-2.txt").write_text("Buoy number 2 weighs 99 kg.")
    words = ("runs", "resume", run_id, "--set", "evidence_sentences=3")
    told = cli(*words, code=3)
    assert "the setting evidence_sentences: 8 → 3" in told
    assert "the pages, or how they are split and embedded" in told
    assert f"claimscope runs resume {run_id} --as-new" in told
    new = cli(*words, "--as-new")["status"]["header"]
    assert new["run_id"] != run_id
    assert new["made_from"] == run_id
    assert new["settings"]["evidence_sentences"] == 3
    assert samples(new["run_id"])["b2/default/1"].passed is False
    assert samples(run_id)["b2/default/1"].passed is not False  # as it was


def test_only_what_changed_pages_touch_is_judged_again(suite: Path, cli: Cli) -> None:
    run_id = cli("run", str(suite), "--set", "evidence_sentences=2")["status"][
        "header"
    ]["run_id"]
    same = cli("runs", "reanalyse", run_id)["reanalysis"]
    assert (same["carried"], same["judged"], same["flips"]) == (CASES, 0, [])

    (suite.parent / "pages" / "buoy-2.txt").write_text(
        "Buoy number 2 weighs 99 kg. Its lamp is 5 m high."
    )
    result = cli("runs", "reanalyse", run_id)
    found = result["reanalysis"]
    assert 1 <= found["judged"] < CASES
    assert found["carried"] + found["judged"] == CASES
    flips = {flip["sample"]: flip for flip in found["flips"]}
    assert {"page_id": "buoy-2.txt", "what": "changed"} in flips["b2/default/1"][
        "pages"
    ]
    assert flips["b2/default/1"]["new"] == "contradicted"
    # Exactly what judging everything anew finds.
    anew = cli("runs", "resume", run_id, "--as-new")["status"]["header"]["run_id"]
    kept, judged = samples(result["status"]["header"]["run_id"]), samples(anew)
    assert {k: outcome(s) for k, s in kept.items()} == {
        k: outcome(s) for k, s in judged.items()
    }


def outcome(sample: SampleResult) -> object:
    return (
        sample.passed,
        [one.verdict.label for one in sample.claims],
        [(score.metric, score.value) for score in sample.scores],
    )
