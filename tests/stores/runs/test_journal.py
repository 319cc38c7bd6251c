"""The journal keeps what it acknowledged, and refuses what it cannot trust."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import threading
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tinydb import where
from tinydb.table import Document

from claimscope.core.errors import JournalDamaged, StoreError, StoreLocked
from claimscope.stores.runs.journal import JournalDB
from claimscope.stores.runs.journal_lines import encode, header
from claimscope.stores.runs.journal_reader import JournalReader
from claimscope.stores.workspace.locks import is_held

SCALARS = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=8)
ROWS = st.dictionaries(st.text(max_size=4), SCALARS | st.lists(SCALARS, max_size=3))
OPERATIONS = st.lists(
    st.one_of(
        st.tuples(st.just("insert"), ROWS),
        st.tuples(st.just("insert_multiple"), st.lists(ROWS, max_size=3)),
        st.tuples(st.just("update"), ROWS),
        st.tuples(st.just("put"), st.integers(1, 9), ROWS),
        st.tuples(st.just("remove"), st.integers(1, 9)),
        st.tuples(st.just("truncate")),
        st.tuples(st.just("compact")),
        st.tuples(st.just("reopen")),
    ),
    max_size=20,
)


def rows_of(path: Path) -> dict[int, Any]:
    """What another process sees of table `t`."""
    reader = JournalReader(path)
    reader.refresh()
    return dict(reader.tables.get("t", {}))


def carry_out(
    database: JournalDB, model: dict[int, Any], step: tuple[Any, ...]
) -> None:
    """One operation on the database and on a plain dict."""
    table = database.rows("t")
    kind, *arguments = step
    if kind == "insert":
        model[table.insert(arguments[0])] = arguments[0]
    elif kind == "insert_multiple":
        ids = table.insert_multiple(arguments[0])
        model.update(zip(ids, arguments[0], strict=True))
    elif kind == "update":
        table.update(arguments[0])
        for row_id, row in model.items():
            model[row_id] = {**row, **arguments[0]}
    elif kind == "put":
        table.put([(arguments[0], arguments[1])])
        model[arguments[0]] = arguments[1]
    elif kind == "remove":
        table.remove(doc_ids=[i for i in arguments if i in model])
        model.pop(arguments[0], None)
    elif kind == "truncate":
        table.truncate()
        model.clear()
    else:
        database.journal.compact()


@given(OPERATIONS)
def test_journal_behaves_as_a_dict(steps: list[tuple[Any, ...]]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "j")
        database, model = JournalDB(path), dict[int, Any]()
        reader = JournalReader(path)
        for step in steps:
            if step == ("reopen",):
                database.close()
                database = JournalDB(path)
            else:
                carry_out(database, model, step)
            assert {d.doc_id: dict(d) for d in database.rows("t").all()} == model
            reader.refresh()
            assert reader.tables.get("t", {}) == model
        database.close()
        assert rows_of(path) == model


def test_cut_at_every_byte_keeps_all_whole_records(tmp_path: Path) -> None:
    path = tmp_path / "j"
    database = JournalDB(path)
    ends = [path.stat().st_size]
    for n in range(5):
        database.rows("t").insert_multiple([{"n": n, "text": "ä\n€"}, {"n": n}])
        ends.append(path.stat().st_size)
    database.close()
    whole = path.read_bytes()
    for length in range(len(whole) + 1):
        path.write_bytes(whole[:length])
        kept = 2 * sum(end <= length for end in ends[1:])
        assert len(rows_of(path)) == kept
        database = JournalDB(path)
        assert len(database.rows("t")) == kept
        database.rows("t").insert({"n": "after"})
        database.close()
        assert len(rows_of(path)) == kept + 1


def test_damage_before_the_end_is_refused_and_named(tmp_path: Path) -> None:
    path = tmp_path / "run.journal"
    with JournalDB(path) as database:
        first_end = path.stat().st_size
        for n in range(3):
            database.rows("t").insert({"n": n})
    data = bytearray(path.read_bytes())
    data[first_end + 15] ^= 1
    path.write_bytes(data)
    for action in (lambda: JournalDB(path), JournalReader(path).refresh):
        with pytest.raises(JournalDamaged) as caught:
            action()
        assert "run.journal" in caught.value.message
        assert f"byte {first_end}" in caught.value.message
    assert path.read_bytes() == data
    assert not is_held(path)


@pytest.mark.parametrize("content", [b"Dear diary\n", b"{}", encode(["other", 1])])
def test_a_file_that_is_no_journal_is_left_alone(
    tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with pytest.raises(JournalDamaged, match="does not begin as a journal"):
        JournalDB(path)
    assert path.read_bytes() == content


def test_a_newer_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "j"
    path.write_bytes(encode(["claimscope.journal", 99]))
    with pytest.raises(StoreError, match="version 99"):
        JournalDB(path)


def test_zeros_at_the_end_are_cut(tmp_path: Path) -> None:
    path = tmp_path / "j"
    with JournalDB(path) as database:
        database.rows("t").insert({"n": 1})
    path.write_bytes(path.read_bytes() + bytes(4096))
    with JournalDB(path) as database:
        assert database.journal.torn == 4096
        assert database.rows("t").all() == [{"n": 1}]


def test_second_writer_is_refused_with_the_first_ones_pid(tmp_path: Path) -> None:
    path = tmp_path / "j"
    with JournalDB(path):
        assert is_held(path)
        with pytest.raises(StoreLocked, match=f"process {os.getpid()}"):
            JournalDB(path, "Run 7")
    assert not is_held(path)
    JournalDB(path).close()


def test_close_from_another_thread_gives_the_lock_back(tmp_path: Path) -> None:
    database = JournalDB(tmp_path / "j")
    thread = threading.Thread(target=database.close)
    thread.start()
    thread.join()
    assert not is_held(tmp_path / "j")
    database.close()


def test_what_is_given_out_is_a_copy(tmp_path: Path) -> None:
    with JournalDB(tmp_path / "j") as database:
        table = database.rows("t")
        given_in = {"list": [1]}
        doc_id = table.insert(given_in)
        given_in["list"].append(2)
        one = table.get(doc_id=doc_id)
        assert isinstance(one, Document)
        for document in (
            one,
            table.search(where("list").exists())[0],
            table.all()[0],
            table.get(where("list").exists()),
        ):
            assert isinstance(document, Document)
            document["list"].append(3)
        assert table.all() == [{"list": [1]}]


def test_an_id_is_not_given_twice(tmp_path: Path) -> None:
    with JournalDB(tmp_path / "j") as database:
        table = database.rows("t")
        table.insert(Document({}, 7))
        assert table.insert({}) == 8
        with pytest.raises(ValueError, match="already exists"):
            table.insert(Document({}, 7))
        with pytest.raises(ValueError, match="already exists"):
            table.insert_multiple([{}, Document({}, 8)])
        assert len(table) == 2


def test_compaction_drops_the_dead_and_readers_notice(tmp_path: Path) -> None:
    path = tmp_path / "j"
    with JournalDB(path) as database:
        reader = JournalReader(path)
        for n in range(50):
            database.rows("t").put([(1, {"n": n, "text": "x" * 100})])
        reader.refresh()
        before = path.stat().st_size
        database.journal.compact()
        assert path.stat().st_size < before / 20
        assert database.journal.dead == 0
        database.rows("t").put([(2, {"n": "later"})])
        assert reader.refresh()
        assert reader.replaced == 1
        assert reader.tables["t"][1]["n"] == 49
        assert reader.tables["t"][2]["n"] == "later"
    assert {p.name for p in tmp_path.iterdir()} == {"j", "j.lock"}


def test_a_reader_waits_for_a_line_that_is_not_whole(tmp_path: Path) -> None:
    path = tmp_path / "j"
    line = encode([["p", "t", 1, {"n": 1}]])
    path.write_bytes(header() + line[:-4])
    reader = JournalReader(path)
    assert not reader.refresh()
    with path.open("ab") as file:
        file.write(line[-4:])
    assert reader.refresh()
    assert reader.tables == {"t": {1: {"n": 1}}}
    assert not reader.refresh()


def test_a_reader_of_a_missing_file_sees_nothing(tmp_path: Path) -> None:
    assert not JournalReader(tmp_path / "none").refresh()


def test_files_are_private_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with JournalDB(tmp_path / "j") as database:
            database.rows("t").insert({})
            database.journal.compact()
            modes = {p.stat().st_mode & 0o777 for p in tmp_path.iterdir()}
    finally:
        os.umask(before)
    assert modes == {0o600}


FULL_DISK = """
import resource, sys
from pathlib import Path
from claimscope.core.errors import StoreError
from claimscope.stores.runs.journal import JournalDB
path = Path(sys.argv[1])
database = JournalDB(path)
table = database.rows("t")
saved = 0
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, resource.RLIM_INFINITY))
try:
    while True:
        table.insert({"n": saved, "text": "x" * 700})
        saved += 1
except StoreError as error:
    assert "could not be saved" in error.message and error.hint, error
assert len(table) == saved
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
table.insert({"n": "space again"})
print(saved)
"""


def python(script: str, *arguments: object) -> subprocess.Popen[str]:
    """A Python process of its own, with this project importable."""
    return subprocess.Popen(
        [sys.executable, "-c", script, *map(str, arguments)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )


def test_a_full_disk_loses_nothing_that_was_saved(tmp_path: Path) -> None:
    assert resource.RLIM_INFINITY == resource.getrlimit(resource.RLIMIT_FSIZE)[0]
    with python(FULL_DISK, tmp_path / "j") as process:
        output, _ = process.communicate()
    assert process.returncode == 0
    saved = int(output)
    assert saved > 20
    assert len(rows_of(tmp_path / "j")) == saved + 1


WRITE_ON = """
import sys
from pathlib import Path
from claimscope.stores.runs.journal import JournalDB
table = JournalDB(Path(sys.argv[1])).rows("t")
n = len(table)
while True:
    table.insert({"n": n, "text": "x" * (n % 5000)})
    print(n, flush=True)
    n += 1
"""


def test_ten_kills_lose_no_acknowledged_record(tmp_path: Path) -> None:
    path = tmp_path / "j"
    for kill in range(10):
        process = python(WRITE_ON, path)
        assert process.stdout
        for _ in range(7 * kill + 3):
            last = int(process.stdout.readline())
        process.send_signal(signal.SIGKILL)
        rest, _ = process.communicate()
        whole = [line for line in rest.splitlines(keepends=True) if line[-1] == "\n"]
        last = int(whole[-1]) if whole else last
        rows = rows_of(path)
        assert [row["n"] for row in rows.values()] == list(range(len(rows)))
        assert len(rows) > last
    with JournalDB(path) as database:
        assert len(database.rows("t")) >= len(rows)
