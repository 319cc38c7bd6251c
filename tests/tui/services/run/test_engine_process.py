"""The engine as a process: killed, resumed, stopped by a signal, detached."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from claimscope.core.models import SampleResult
from claimscope.stores.runs.memory import MemoryRunStore
from claimscope.stores.runs.run_store import DiskRunStore
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.cli import main
from claimscope.tui.services.run.attach import follow_run
from claimscope.tui.services.run.detached import start_engine
from tests.doubles import fakes
from tests.material.suite_folder import write_suite

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[4]
CASES = 12

ENGINE = """
import sys, threading
sys.path.insert(0, {root!r})
from tests.doubles import fakes
from claimscope.core.run.engine import _Engine
from claimscope.tui.bootstrap import judges
from claimscope.tui.cli import main

judges.make_embedder = lambda settings: fakes.FakeEmbedder()
save = _Engine._save
stop_after = int(sys.argv[1])
saved = []

def one_by_one(self, results):
    events = []
    for result in results:
        events += save(self, [result])
        saved.append(result.key)
        print("saved", result.key, flush=True)
        if len(saved) == stop_after:
            # Until the test ends this process, or was itself ended.
            threading.Event().wait(1800)
    return events

_Engine._save = one_by_one
sys.exit(main(sys.argv[2:]))
"""


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """Twelve cases with an answer each."""
    pages, cases, answers = {}, [], []
    for n in range(CASES):
        pages[f"buoy-{n}"] = f"Buoy number {n} weighs {n + 20} kg."
        cases.append({"id": f"buoy-{n}", "question": f"What does buoy {n} weigh?"})
        text = f"Buoy number {n} weighs {n + 20 + n % 2} kg."
        answers.append({"case_id": f"buoy-{n}", "text": text})
    return write_suite(tmp_path, "buoys", pages, cases, answers)


def engine(
    stop_after: int, *command: str, detached: bool = False
) -> subprocess.Popen[str]:
    """An engine that waits after its n-th save; -1 = never."""
    return subprocess.Popen(
        [
            sys.executable,
            "-c",
            ENGINE.format(root=str(ROOT)),
            str(stop_after),
            *command,
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        start_new_session=detached,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / ".src")},
    )


def saves(process: subprocess.Popen[str]) -> Iterator[str]:
    """Keys as they are saved."""
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith("saved "):
            yield line.split()[1]


def finished() -> dict[str, SampleResult]:
    """Samples of the only run by key."""
    runs = DiskRunStore(Workspace.find().runs)
    (status,) = runs.runs()
    return {str(s.key): s for s in runs.read(status.header.run_id).samples()}


@pytest.mark.parametrize("killed_after", [1, 5, CASES - 1])
def test_a_killed_run_is_resumed_and_nothing_finished_is_judged_again(
    killed_after: int, suite: Path
) -> None:
    first = engine(killed_after, "run", str(suite), "--concurrency", "2")
    acknowledged = list(islice(saves(first), killed_after))
    first.kill()
    first.communicate()
    before = finished()
    runs = DiskRunStore(Workspace.find().runs)
    (status,) = runs.runs()
    assert set(acknowledged) <= set(before)
    assert status.state == "stopped"

    second = engine(-1, "runs", "resume", "last")
    again = list(saves(second))
    _, errors = second.communicate()
    assert second.returncode == 0, errors
    after = finished()
    assert len(after) == CASES
    assert not set(again) & set(before)
    assert all(after[key] == before[key] for key in before)
    (status,) = runs.runs()
    assert (status.state, status.completed, status.parts) == ("finished", CASES, 2)


def test_a_term_signal_ends_the_run_in_order_with_everything_saved(
    suite: Path,
) -> None:
    process = engine(-1, "run", str(suite), "--concurrency", "1")
    next(saves(process))
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate()
    runs = DiskRunStore(Workspace.find().runs)
    (status,) = runs.runs()
    if status.completed < CASES:  # the signal came before the last sample
        assert process.returncode == 130, errors
        assert status.state == "stopped"
        assert "claimscope runs resume" in errors
    assert status.completed == len(finished()) >= 1


def test_a_live_engine_is_steered_and_followed_and_no_second_one_begins(
    suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    process = engine(3, "run", str(suite), "--concurrency", "1")
    try:
        list(islice(saves(process), 3))
        runs = DiskRunStore(Workspace.find().runs)
        (status,) = runs.runs()
        run_id, reader = status.header.run_id, runs.read(status.header.run_id)
        assert main(["runs", "resume", run_id]) == 3
        told = capsys.readouterr().err
        assert run_id in told and f"process {process.pid}" in told
        assert main(["runs", "pause", run_id, "--json"]) == 0
        answer = json.loads(capsys.readouterr().out)
        assert (answer["asked"], answer["pid"]) == ("pause", process.pid)
        assert reader.requested_control() == "pause"
        # The waiting engine is told to go on, and nothing more can be asked of it.
        assert main(["runs", "resume", run_id, "--failures"]) == 2
        assert main(["runs", "resume", run_id]) == 0
        assert reader.requested_control() == "run"
    finally:
        process.kill()
        process.communicate()
    capsys.readouterr()
    assert main(["runs", "attach", run_id]) == 3
    told = capsys.readouterr().err
    assert "is gone; 3 of 12 samples are saved" in told
    assert f"claimscope runs resume {run_id}" in told
    assert main(["runs", "cancel", run_id]) == 3
    assert f"claimscope runs resume {run_id}" in capsys.readouterr().err


def test_a_detached_engine_survives_a_hang_up(suite: Path) -> None:
    command = ("run", str(suite), "--concurrency", "1")
    process = engine(-1, *command, detached=True)
    next(saves(process))
    process.send_signal(signal.SIGHUP)
    _, errors = process.communicate()
    assert process.returncode == 0, errors
    assert len(finished()) == CASES


def test_two_viewers_follow_a_run_to_its_end_and_leave_it_alone() -> None:
    store = MemoryRunStore()
    writer = store.create(fakes.header("20260301-100000-ab12", total_samples=2))
    writer.save_state("running")
    first, second = (store.read("20260301-100000-ab12") for _ in range(2))

    def go_on(_: float) -> None:
        done = writer.status().completed
        if done < 2:
            writer.save_sample(fakes.sample(f"s{done}"))
        else:
            writer.save_state("finished")

    def leave(_: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        follow_run(second, sleep=leave)
    ended = follow_run(first, sleep=go_on)
    assert (ended.state, ended.completed) == ("finished", 2)
    second.refresh()
    assert follow_run(second, sleep=leave).completed == 2
    assert writer.control() == "run"
    writer.close()


def test_the_engine_says_why_it_did_not_begin(tmp_path: Path) -> None:
    from claimscope.core.errors import StoreError

    with pytest.raises(StoreError, match="no suite|there is no"):
        start_engine(
            Workspace.find(), "20260101-000000-0000", ["run", str(tmp_path / "none")]
        )
