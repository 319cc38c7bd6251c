"""What models do right now: told to viewers, never part of a run's record."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from claimscope.core.models import Usage
from claimscope.core.ports import ModelState, RunStore
from claimscope.stores.runs.memory import MemoryRunStore
from claimscope.stores.runs.model_state import FILE, ModelStateFile, read_states
from claimscope.stores.runs.run_store import RUN_JOURNAL, DiskRunStore
from tests.doubles import fakes

RUN = "20261127-120000-ab12"
LOADING = ModelState("http://127.0.0.1:1", "m:1b", "loading", 38.0)


class Clock:
    """Time that goes on when it is told to."""

    def __init__(self, now: float = 1000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


@pytest.fixture(params=["disk", "memory"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> RunStore:
    """An empty store of each kind."""
    return DiskRunStore(tmp_path) if request.param == "disk" else MemoryRunStore()


def test_a_viewer_sees_what_the_engine_said_last(store: RunStore) -> None:
    writer = store.create(fakes.header(RUN))
    reader = store.read(RUN)
    assert reader.model_states() == ()
    writer.save_model_state(LOADING)
    (seen,) = reader.model_states()
    assert (seen.host, seen.model, seen.phase) == (LOADING.host, "m:1b", "loading")
    assert 38.0 <= seen.seconds < 38.0 + 60
    assert not reader.refresh()  # nothing was added to the record
    writer.close()


def test_another_part_of_a_run_begins_with_no_state(store: RunStore) -> None:
    writer = store.create(fakes.header(RUN))
    writer.save_model_state(LOADING)
    writer.close()
    store.open(RUN).close()
    assert store.read(RUN).model_states() == ()


def test_the_reader_counts_the_seconds(tmp_path: Path) -> None:
    clock = Clock()
    states = ModelStateFile(tmp_path, clock)
    states.save(LOADING)
    (seen,) = read_states(tmp_path, now=clock.now + 5)
    assert seen.seconds == pytest.approx(43.0)


def test_the_same_phase_is_written_seldom_and_a_new_one_soon(tmp_path: Path) -> None:
    clock = Clock()
    states = ModelStateFile(tmp_path, clock)
    states.save(LOADING)
    written = (tmp_path / FILE).stat().st_ino
    clock.now += 1.9
    states.save(ModelState(LOADING.host, "m:1b", "loading", 39.9))
    assert (tmp_path / FILE).stat().st_ino == written
    states.save(ModelState(LOADING.host, "m:1b", "reading", 0.0))
    assert [s.phase for s in read_states(tmp_path, clock.now)] == ["reading"]
    clock.now += 0.1
    states.save(ModelState(LOADING.host, "m:1b", "writing", 0.0))
    assert [s.phase for s in read_states(tmp_path, clock.now)] == ["reading"]


def test_each_host_has_a_line_of_its_own(tmp_path: Path) -> None:
    clock = Clock()
    states = ModelStateFile(tmp_path, clock)
    states.save(ModelState("b", "m:1b", "writing", 1.0))
    clock.now += 1
    states.save(ModelState("a", "m:1b", "queued", 2.0))
    seen = read_states(tmp_path, clock.now)
    assert [(s.host, s.phase, s.seconds) for s in seen] == [
        ("a", "queued", 2.0),
        ("b", "writing", 2.0),
    ]


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[1]", b'[["h", "m", "dancing", 1]]', b'[["h","m"]]']
)
def test_a_file_that_is_no_state_says_nothing(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE).write_bytes(content)
    assert read_states(tmp_path) == ()


def test_a_folder_that_cannot_be_written_does_not_end_a_run(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    states = ModelStateFile(folder, Clock(time.time()))
    folder.rmdir()
    states.save(LOADING)
    assert read_states(folder) == ()


def test_the_file_is_private(tmp_path: Path) -> None:
    with_states = DiskRunStore(tmp_path).create(fakes.header(RUN))
    with_states.save_model_state(LOADING)
    with_states.close()
    (folder,) = (path for path in tmp_path.iterdir() if (path / RUN_JOURNAL).exists())
    assert (folder / FILE).stat().st_mode & 0o777 == 0o600


def test_a_call_saved_again_is_counted_once_in_all_its_figures(store: RunStore) -> None:
    usage = Usage(
        calls=1,
        prompt_tokens=100,
        cached_tokens=80,
        completion_tokens=1,
        model_seconds=3.0,
        prompt_seconds=2.0,
        load_seconds=0.5,
    )
    writer = store.create(fakes.header(RUN))
    record = fakes.call("key/1").model_copy(update={"usage": usage})
    writer.save_call(record)
    writer.save_call(record)
    counted = store.read(RUN).status().usage
    assert counted.model_copy(update={"wall_seconds": 0.0}) == usage
    writer.close()
