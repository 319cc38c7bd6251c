"""Full disks, folders that may not be written, two engines, and older versions."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tinydb import TinyDB

from claimscope.core.errors import StoreError, StoreLocked
from claimscope.stores.runs import journal, journal_format
from claimscope.stores.runs.journal import JournalReader, JournalStorage
from claimscope.stores.runs.journal_format import Change, encode
from claimscope.stores.runs.run_store import RUN_JOURNAL, DiskRunStore
from claimscope.stores.workspace import paths
from tests.doubles import fakes

RUN = "20261127-120000-ab12"


def python(script: str, *arguments: object) -> subprocess.Popen[str]:
    """A Python process of its own, with this project importable."""
    return subprocess.Popen(
        [sys.executable, "-c", script, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([*sys.path, os.getcwd()])},
    )


FULL_DISK = """
import resource, sys
from pathlib import Path
from claimscope.core.errors import StoreError
from claimscope.stores.runs import record_index
from claimscope.stores.runs.run_store import DiskRunStore
from tests.doubles import fakes
record_index.FLUSH_EVERY = 5
writer = DiskRunStore(Path(sys.argv[1])).create(fakes.header(sys.argv[2]))
writer.save_state("running")
resource.setrlimit(resource.RLIMIT_FSIZE, (90_000, resource.RLIM_INFINITY))
saved = 0
try:
    while True:
        writer.save_sample(fakes.sample(f"c{saved}"))
        saved += 1
except StoreError as error:
    assert "could not be saved" in error.message and "resume" in error.hint, error
assert writer.status().completed == saved
try:
    writer.save_state("failed", error="no space")
except StoreError:
    pass
writer.close()
print(saved)
"""


@pytest.mark.slow
def test_a_run_on_a_full_disk_keeps_all_it_saved_and_goes_on(tmp_path: Path) -> None:
    with python(FULL_DISK, tmp_path, RUN) as process:
        output, _ = process.communicate()
    assert process.returncode == 0
    saved = int(output)
    assert saved > 20
    store = DiskRunStore(tmp_path)
    (listed,) = store.runs()
    assert (listed.state in ("stopped", "failed"), listed.completed) == (True, saved)
    writer = store.open(RUN)
    assert list(writer.finished_keys()) == [f"c{n}/alpha/1" for n in range(saved)]
    writer.save_sample(fakes.sample("later"))
    writer.save_state("finished")
    writer.close()
    assert store.read(RUN).status().completed == saved + 1


HOLD = """
import sys
from pathlib import Path
from claimscope.stores.runs.run_store import DiskRunStore
from tests.doubles import fakes
writer = DiskRunStore(Path(sys.argv[1])).open(sys.argv[2])
writer.save_state("running")
print("open", flush=True)
for line in sys.stdin:
    writer.save_sample(fakes.sample(line.strip()))
    print("saved", flush=True)
"""


def test_a_second_engine_is_refused_by_process_and_viewers_are_not(
    tmp_path: Path,
) -> None:
    store = DiskRunStore(tmp_path)
    store.create(fakes.header(RUN)).close()
    viewers = [store.read(RUN), store.read(RUN)]
    with python(HOLD, tmp_path, RUN) as engine:
        assert engine.stdin and engine.stdout
        assert engine.stdout.readline() == "open\n"
        with pytest.raises(StoreLocked) as caught:
            store.open(RUN)
        assert f"process {engine.pid}" in caught.value.message
        assert RUN in caught.value.message
        for number in range(3):
            engine.stdin.write(f"c{number}\n")
            engine.stdin.flush()
            assert engine.stdout.readline() == "saved\n"
            for viewer in (*viewers, store.read(RUN)):
                viewer.refresh()
                assert viewer.status().completed == number + 1
                assert viewer.status().pid == engine.pid
        assert [run.state for run in store.runs()] == ["running"]
        engine.kill()
    assert [run.state for run in store.runs()] == ["stopped"]
    writer = store.open(RUN)
    assert len(writer.finished_keys()) == 3
    writer.close()


@pytest.mark.parametrize("code", [errno.EROFS, errno.EACCES, errno.ENOSPC])
def test_a_place_that_cannot_be_written_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    store = DiskRunStore(tmp_path)
    fakes.finished_run(store, RUN)
    before = (tmp_path / RUN / RUN_JOURNAL).read_bytes()
    real, mkdir = os.open, Path.mkdir

    def refusing(path: Any, flags: int, *rest: Any, **more: Any) -> int:
        if flags & (os.O_WRONLY | os.O_RDWR) and Path(path).is_relative_to(tmp_path):
            raise OSError(code, os.strerror(code), str(path))
        return real(path, flags, *rest, **more)

    def no_folder(path: Path, *rest: Any, **more: Any) -> None:
        if path.is_relative_to(tmp_path):
            raise OSError(code, os.strerror(code), str(path))
        mkdir(path, *rest, **more)

    monkeypatch.setattr(os, "open", refusing)
    monkeypatch.setattr(Path, "mkdir", no_folder)
    for action in (
        lambda: store.open(RUN),
        lambda: store.create(fakes.header("another")),
        lambda: store.read(RUN).ask("pause"),
        lambda: store.read(RUN).save_human(fakes.human()),
        lambda: paths.make_private(tmp_path / "new" / "place"),
        lambda: paths.Workspace(tmp_path / "fresh").runs,
    ):
        with pytest.raises(StoreError, match=os.strerror(code)) as caught:
            action()
        assert str(tmp_path) in caught.value.message
    # What is there can be read all the same.
    assert store.read(RUN).status().completed == 4
    assert [run.completed for run in store.runs()] == [4]
    assert (tmp_path / RUN / RUN_JOURNAL).read_bytes() == before


def rename_table(changes: list[Change]) -> list[Change]:
    """From version 1 to 2: table `old` is called `t`."""
    return [[c[0], "t" if c[1] == "old" else c[1], *c[2:]] for c in changes]


def add_field(changes: list[Change]) -> list[Change]:
    """From version 2 to 3: every row of `t` has a field `is_new`."""
    return [
        [*c[:3], {**c[3], "is_new": False}] if c[:2] == ["p", "t"] else c
        for c in changes
    ]


def test_an_older_journal_is_read_and_rewritten_step_by_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "j"
    with TinyDB(path, storage=JournalStorage) as database:
        database.table("old").insert_multiple([{"n": 1}, {"n": 2}])
    monkeypatch.setattr(journal_format, "MIGRATIONS", (rename_table, add_field))
    expected = {1: {"n": 1, "is_new": False}, 2: {"n": 2, "is_new": False}}
    before = path.read_bytes()
    reader = JournalReader(path)
    assert reader.refresh()
    assert reader.all_tables() == {"t": expected}
    assert path.read_bytes() == before
    with TinyDB(path, storage=JournalStorage) as database:
        assert database.table("t").insert({"n": 3, "is_new": True}) == 3
    assert path.read_bytes().startswith(encode(["claimscope.journal", 3]))
    assert reader.refresh()
    assert reader.all_tables() == {"t": {**expected, 3: {"n": 3, "is_new": True}}}
    assert reader.replaced == 1
    monkeypatch.setattr(journal_format, "MIGRATIONS", (rename_table,))
    for action in (lambda: JournalStorage(path), JournalReader(path).refresh):
        with pytest.raises(StoreError, match="version 3.*up to 2"):
            action()


def add_tag(changes: list[Change]) -> list[Change]:
    """From version 1 to 2: notes say that they were made before."""
    return [
        [*c[:3], {**c[3], "message": f"(old) {c[3]['message']}"}]
        if c[:2] == ["p", "notes"]
        else c
        for c in changes
    ]


def test_an_older_run_is_migrated_by_engine_and_viewer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = DiskRunStore(tmp_path)
    fakes.finished_run(store, RUN)
    monkeypatch.setattr(journal_format, "MIGRATIONS", (add_tag,))
    assert [text for _, text in store.read(RUN).notes()] == [
        "(old) all samples are done"
    ]
    writer = store.open(RUN)
    writer.save_note("new")
    writer.close()
    for _ in range(2):
        notes = [text for _, text in store.read(RUN).notes()]
        assert notes == ["(old) all samples are done", "new"]
        assert store.read(RUN).status().completed == 4
        store.open(RUN).close()


def test_what_is_saved_together_waits_for_the_disk_once_or_is_not_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[int] = []
    sync = paths.sync_data
    writer = DiskRunStore(tmp_path).create(fakes.header(RUN))

    def counted(file: int) -> None:
        waits.append(file)
        sync(file)

    monkeypatch.setattr(journal, "sync_data", counted)
    with writer.together() as statuses:
        for number in range(5):
            writer.save_note(f"about {number}")
            writer.save_sample(fakes.sample(f"c{number}"))
        assert not waits
        assert not statuses
    assert len(waits) == 1
    assert [status.completed for status in statuses] == [1, 2, 3, 4, 5]

    def full(file: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(journal, "sync_data", full)
    with pytest.raises(StoreError, match="could not be saved"), writer.together():
        writer.save_sample(fakes.sample("c8"))
        writer.save_sample(fakes.sample("c9"))
    monkeypatch.setattr(journal, "sync_data", sync)
    assert writer.status().completed == 5
    with pytest.raises(ValueError, match="by hand"), writer.together():
        writer.save_sample(fakes.sample("c9"))
        raise ValueError("by hand")
    writer.save_sample(fakes.sample("c7"))
    writer.close()
    reader = DiskRunStore(tmp_path).read(RUN)
    saved = [row.key.case_id for row in reader.rows()]
    assert saved == ["c0", "c1", "c2", "c3", "c4", "c7"]
    assert len(list(reader.notes())) == 5
