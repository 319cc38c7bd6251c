"""Runs on a Dask cluster: a scheduler and two workers, each with an Ollama of its own,
as a user starts them."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from claimscope.core.backends.dask import dask_cluster
from claimscope.core.models import SampleResult
from claimscope.core.run.cluster.coordinator_calls import CallBroker
from claimscope.core.verify.planted_cases import CLAIMS
from claimscope.stores.runs.run_store import DiskRunStore
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.bootstrap import judges
from claimscope.tui.cli import main
from tests.doubles.fake_ollama import FakeOllama, Reply, chose, model, said
from tests.doubles.fakes import FakeEmbedder
from tests.material.suite_folder import write_suite
from tests.processes.dask_cluster import DaskProcesses

pytestmark = pytest.mark.slow

pytest.importorskip("distributed")

MODEL = "weir:1b"
WEIRS = {
    "orla": "The Orla weir is 20 m long. The Orla weir was built in 1952.",
    "brant": "Brant sluice lifts barges past the mill. Its keeper lives upstream.",
    "corrie": "Copper gates close the Corrie lock. Salmon climb them in April.",
    "dunlin": "Dunlin dam feeds eleven villages. A turbine hums beneath it.",
}
PRELOAD = """
import sys

sys.modules["torch"] = None
from claimscope.tui.services.run import cluster_worker
from tests.doubles.fakes import FakeEmbedder

cluster_worker.make_embedder = lambda settings: FakeEmbedder()
"""
"""Spares the workers the weights of an embedding model, and spaCy its look at torch."""
YES, NO = {"Yes": -0.01, "No": -5}, {"No": -0.001, "Yes": -9}


def speak(body: dict[str, Any]) -> Reply:
    """Depends on the prompt alone: nothing is found but what is said of the Orla."""
    prompt = body["messages"][-1]["content"]
    if body["options"]["num_predict"] == 1:
        for planted in CLAIMS:
            if planted.claim in prompt:
                return chose(YES if planted.is_true else NO)
        claim = prompt.rpartition("laim:")[2]
        return chose(YES if "Orla" in claim else NO)
    return said(json.dumps({"explanation": "As I see it.", "grade": 4}))


def asked(body: dict[str, Any]) -> str:
    """The claim of a call that asks for one; else nothing."""
    _, sign, claim = body["messages"][-1]["content"].rpartition("laim:")
    return str(claim) if sign else ""


class Switched:
    """A model that a test may make do something else."""

    def __init__(self) -> None:
        self.answer = speak
        self.prompts: Counter[str] = Counter()

    def __call__(self, body: dict[str, Any]) -> Reply:
        reply = self.answer(body)
        if reply.status == 200 and reply.hold is None:
            self.prompts[json.dumps([body["messages"], body.get("format")])] += 1
        return reply


@pytest.fixture(scope="module")
def models() -> tuple[Switched, Switched]:
    """What stands behind the Ollama of each worker."""
    return Switched(), Switched()


@pytest.fixture(scope="module")
def cluster(
    tmp_path_factory: pytest.TempPathFactory, models: tuple[Switched, Switched]
) -> Iterator[DaskProcesses]:
    folder = tmp_path_factory.mktemp("dask")
    (folder / "cache").mkdir()
    one, other = (
        FakeOllama(models={MODEL: model()}, answer=answer) for answer in models
    )
    with one, other, DaskProcesses(folder, PRELOAD) as dask:
        for ollama in (one, other):
            dask.add({"OLLAMA_HOST": ollama.host}, threads=2)
        yield dask


@pytest.fixture(autouse=True)
def own(
    monkeypatch: pytest.MonkeyPatch, models: tuple[Switched, Switched]
) -> Iterator[FakeOllama]:
    """The coordinator's own Ollama and embedder."""
    for one in models:
        one.answer = speak
        one.prompts.clear()
    monkeypatch.setattr(judges, "make_embedder", lambda settings: FakeEmbedder())
    monkeypatch.setattr(dask_cluster, "CONNECT_SECONDS", 120)  # the machine may be busy
    with FakeOllama(models={MODEL: model(), "lock:1b": model()}, answer=speak) as fake:
        monkeypatch.setenv("OLLAMA_HOST", fake.host)
        yield fake


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """Four cases about a page each, answered by two providers."""
    rows = [
        {"case_id": name, "provider": provider, "text": text}
        for name, text in WEIRS.items()
        for provider in ("ash", "birch")
    ]
    cases = [
        {"id": name, "question": f"What of {name}?", "reference": text}
        for name, text in WEIRS.items()
    ]
    return write_suite(tmp_path, "weirs", WEIRS, cases, rows)


JUDGED = ("--verifier", "ollama", "--model", MODEL, "--judge", "--json")


def runs() -> DiskRunStore:
    return DiskRunStore(Workspace.find(None).runs)


def last_run() -> str:
    """The id of the newest run."""
    return next(iter(runs().runs())).header.run_id


def results(run_id: str) -> dict[str, dict[str, Any]]:
    """All results of a run, without when and how long."""
    return {str(sample.key): plain(sample) for sample in runs().read(run_id).samples()}


def plain(sample: SampleResult) -> dict[str, Any]:
    shown = sample.model_dump(mode="json", exclude={"usage", "finished"})
    return {name: rounded(value) for name, value in shown.items()}


def rounded(value: Any) -> Any:
    """The last digits of a cosine depend on the texts it is computed among."""
    if isinstance(value, float):
        return round(value, 5)
    if isinstance(value, dict):
        return {name: rounded(one) for name, one in value.items()}
    return [rounded(one) for one in value] if isinstance(value, list) else value


def paid(run_id: str) -> tuple[int, int, int]:
    """Calls and tokens of a run."""
    used = runs().read(run_id).usage_by_model()[MODEL]
    return used.calls, used.prompt_tokens, used.completion_tokens


def searches(run_id: str) -> int:
    """How many of a run's searches were timed."""
    return sum((runs().read(run_id).searched() or {}).values())


@pytest.fixture(scope="module")
def kept() -> dict[str, dict[str, Any]]:
    """Results of one machine, once they were made."""
    return {}


@pytest.fixture
def alone(
    kept: dict[str, dict[str, Any]], own: FakeOllama, suite: Path
) -> dict[str, dict[str, Any]]:
    """What this machine alone finds."""
    if not kept:
        assert main(["run", str(suite), *JUDGED]) == 0
        kept.update(results(last_run()))
        asked = {"asked": len(own.chats), "searches": searches(last_run())}
        kept["calls"] = {"paid": paid(last_run()), **asked}
        own.chats.clear()
    return {key: result for key, result in kept.items() if key != "calls"}


def test_a_cluster_saves_what_one_machine_saves_and_asks_no_call_twice(
    cluster: DaskProcesses,
    models: tuple[Switched, Switched],
    own: FakeOllama,
    suite: Path,
    alone: dict[str, dict[str, Any]],
    kept: dict[str, dict[str, Any]],
) -> None:
    assert main(["run", str(suite), *JUDGED, "--cluster", cluster.address]) == 0
    together = last_run()
    assert results(together) == alone
    assert paid(together) == kept["calls"]["paid"]
    assert searches(together) == kept["calls"]["searches"] > 0
    assert not own.chats  # the coordinator's own is asked for weights only
    both = models[0].prompts + models[1].prompts
    assert set(both.values()) == {1}
    assert len(both) == kept["calls"]["asked"]


def test_a_killed_worker_loses_nothing(
    cluster: DaskProcesses,
    suite: Path,
    alone: dict[str, dict[str, Any]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    answer = dask_cluster.DaskCluster._answer

    async def killing(
        self: dask_cluster.DaskCluster, desk: CallBroker, message: dict[str, Any]
    ) -> None:
        """It dies while it waits for the word to make its first call."""
        if message["worker"] == self._names.get(third) and third in cluster.workers:
            cluster.workers.pop(third).kill()
        await answer(self, desk, message)

    monkeypatch.setattr(dask_cluster.DaskCluster, "_answer", killing)
    with FakeOllama(models={MODEL: model()}, answer=speak) as ollama:
        third = cluster.add({"OLLAMA_HOST": ollama.host}, threads=2)
        assert main(["run", str(suite), *JUDGED, "--cluster", cluster.address]) == 0
    assert third not in cluster.workers
    assert f"worker {third} ended" in capsys.readouterr().err
    assert results(last_run()) == alone


def test_a_cancelled_run_goes_on_and_repeats_no_call(
    cluster: DaskProcesses,
    models: tuple[Switched, Switched],
    suite: Path,
    alone: dict[str, dict[str, Any]],
    kept: dict[str, dict[str, Any]],
) -> None:
    def cancels(body: dict[str, Any]) -> Reply:
        reply = speak(body)
        if "turbine" in asked(body):
            runs().read(last_run()).ask("cancel")
            return Reply(reply.status, reply.lines, hold=threading.Event())
        return reply

    for one in models:
        one.answer = cancels
    address = ["--cluster", cluster.address, "--json"]
    assert main(["run", str(suite), *JUDGED, *address]) == 3
    assert 0 < len(results(last_run())) < len(alone)
    saved, _, _ = paid(last_run())
    for one in models:
        one.answer = speak
        one.prompts.clear()
    assert main(["runs", "resume", "last", *address]) == 0
    assert results(last_run()) == alone
    # Each counts once: a call of the cancelled run may reach its model only now.
    made = models[0].prompts + models[1].prompts
    assert len(made) == kept["calls"]["asked"] - saved
    assert paid(last_run()) == kept["calls"]["paid"]


def test_what_cannot_judge_is_refused_before_a_run_is_made(
    cluster: DaskProcesses,
    suite: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    command = ["run", str(suite), "--judge", "--model", "lock:1b", "--cluster"]
    assert main([*command, cluster.address]) == 3
    said = capsys.readouterr().err
    assert "none of 2 workers can judge this run" in said
    assert "lock:1b" in said and all(address in said for address in cluster.workers)
    monkeypatch.setattr(dask_cluster, "CONNECT_SECONDS", 1)
    assert main([*command, "tcp://127.0.0.1:1"]) == 3
    assert "no Dask scheduler answers at tcp://127.0.0.1:1" in capsys.readouterr().err
    assert not list(runs().runs())
