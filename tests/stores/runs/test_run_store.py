"""What only runs on disk can suffer: kills, damage, and files of strangers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import orjson
import pytest

from claimscope.core.errors import JournalDamaged, StoreError
from claimscope.stores.runs.journal_format import encode
from claimscope.stores.runs.run_store import CONTROL, DiskRunStore, new_run_id
from tests.doubles import fakes

RUN = "20261127-120000-ab12"
JOURNAL = f"{RUN}/run.journal"


def test_ids_sort_by_time_and_differ() -> None:
    ids = {new_run_id() for _ in range(20)}
    assert len(ids) > 15
    assert all(len(run_id) == 20 and run_id[8] == run_id[15] == "-" for run_id in ids)


ENGINE = """
import sys
from pathlib import Path
from claimscope.stores.runs.run_store import DiskRunStore
from tests.doubles import fakes
writer = DiskRunStore(Path(sys.argv[1])).open(sys.argv[2])
writer.save_state("running")
n = len(writer.finished())
while True:
    writer.save_call(fakes.call(f"k{n}"))
    writer.save_sample(fakes.sample(f"c{n}"))
    print(n, flush=True)
    n += 1
"""


def test_a_killed_engine_leaves_a_stopped_run_that_goes_on(tmp_path: Path) -> None:
    store = DiskRunStore(tmp_path)
    store.create(fakes.header(RUN)).close()
    reader = store.read(RUN)
    for part in range(3):
        with subprocess.Popen(
            [sys.executable, "-c", ENGINE, str(tmp_path), RUN],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([*sys.path, os.getcwd()])},
        ) as process:
            assert process.stdout
            acknowledged = [int(process.stdout.readline()) for _ in range(5 + part)]
            reader.refresh()
            assert reader.status().state == "running"
            assert reader.status().pid == process.pid
            process.send_signal(signal.SIGKILL)
        reader.refresh()
        status = reader.status()
        assert status.state == "stopped"
        assert status.completed > acknowledged[-1]
        assert status.parts == part + 2
        # A call whose sample was in flight is kept; nothing is counted twice.
        assert 0 <= status.usage.calls - status.completed <= 1
    assert len(store.open(RUN).finished()) == status.completed


def test_a_damaged_run_is_listed_with_its_error(tmp_path: Path) -> None:
    store = DiskRunStore(tmp_path)
    fakes.finished_run(store, RUN)
    fakes.finished_run(store, "20261127-130000-cd34")
    path = tmp_path / JOURNAL
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 4
    path.write_bytes(data)
    good, bad = sorted(store.runs(), key=lambda run: run.header.run_id, reverse=True)
    assert good.state == "finished"
    assert bad.state == "failed"
    assert bad.error is not None and "run.journal" in bad.error
    assert bad.header == fakes.header(RUN)
    for action in (store.open, store.read):
        with pytest.raises(JournalDamaged):
            action(RUN)


@pytest.mark.parametrize("content", [b"", b"no journal", encode(["other", 1])])
def test_a_run_without_a_header_is_listed_as_failed(
    tmp_path: Path, content: bytes
) -> None:
    store = DiskRunStore(tmp_path)
    path = tmp_path / JOURNAL
    path.parent.mkdir()
    path.write_bytes(content)
    (run,) = store.runs()
    assert (run.state, run.header.run_id) == ("failed", RUN)
    assert run.error is not None and "run.journal" in run.error
    with pytest.raises(StoreError):
        store.open(RUN)


def test_a_record_of_another_version_is_named(tmp_path: Path) -> None:
    store = DiskRunStore(tmp_path)
    with (tmp_path / "x").open("wb"):
        pass
    fakes.finished_run(store, RUN)
    path = tmp_path / JOURNAL
    last = max(path.read_bytes().split(b"\n"), key=len)
    changes = orjson.loads(last[9:])
    changes[0][3]["data"]["answer"]["mood"] = "good"
    with path.open("ab") as file:
        file.write(encode(changes))
    with pytest.raises(StoreError, match=r"SampleResult cannot be read: answer\.mood"):
        list(store.read(RUN).samples())


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"control": "explode"}'])
def test_an_unreadable_request_means_run(tmp_path: Path, content: bytes) -> None:
    writer = DiskRunStore(tmp_path).create(fakes.header(RUN))
    (tmp_path / RUN / CONTROL).write_bytes(content)
    assert writer.control() == "run"


def test_a_run_id_cannot_leave_the_folder(tmp_path: Path) -> None:
    root = tmp_path / "deep" / "runs"
    store = DiskRunStore(root)
    store.create(fakes.header("../../outside")).close()
    assert [path.name for path in tmp_path.iterdir()] == ["deep"]
    assert store.read("../../outside").status().header.run_id == "../../outside"


def test_runs_are_private(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        fakes.finished_run(DiskRunStore(tmp_path / "runs"), RUN)
        reader = DiskRunStore(tmp_path / "runs").read(RUN)
        reader.ask("pause")
        reader.save_human(fakes.human())
    finally:
        os.umask(before)
    paths = list((tmp_path / "runs").rglob("*"))
    assert {p.stat().st_mode & 0o777 for p in paths if p.is_file()} == {0o600}
    assert {p.stat().st_mode & 0o777 for p in paths if p.is_dir()} == {0o700}
    assert {p.name for p in paths if p.is_file()} >= {
        "run.journal",
        "human.journal",
        "control.json",
    }


def test_a_folder_may_be_named_from_where_one_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    store = DiskRunStore(Path("runs"))
    fakes.finished_run(store, "20261127-120000-ab12")
    assert [run.completed for run in store.runs()] == [4]
    assert (tmp_path / "runs" / "20261127-120000-ab12" / "run.index").stat().st_size
