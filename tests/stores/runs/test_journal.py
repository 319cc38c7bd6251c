"""The journal keeps what it acknowledged, and refuses what it cannot trust."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tinydb import TinyDB, where
from tinydb.middlewares import CachingMiddleware
from tinydb.storages import MemoryStorage
from tinydb.table import Document

from claimscope.core.errors import JournalDamaged, StoreError, StoreLocked
from claimscope.stores.runs.journal import JournalReader, JournalStorage, NewRecord
from claimscope.stores.runs.journal_format import encode, header
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
    return dict(reader.all_tables().get("t", {}))


def journal_of(database: TinyDB) -> JournalStorage:
    """The storage of a database, with its own type."""
    assert isinstance(database.storage, JournalStorage)
    return database.storage


def carry_out(database: TinyDB, model: dict[int, Any], step: tuple[Any, ...]) -> None:
    """One operation on the database and on a plain dict."""
    table = database.table("t")
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
        journal_of(database).append("t", arguments[1], arguments[0])
        model[arguments[0]] = arguments[1]
    elif kind == "remove":
        table.remove(doc_ids=[i for i in arguments if i in model])
        model.pop(arguments[0], None)
    elif kind == "truncate":
        table.truncate()
        model.clear()
    else:
        journal_of(database).compact()


@given(OPERATIONS)
def test_journal_behaves_as_a_dict(steps: list[tuple[Any, ...]]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "j")
        database, model = TinyDB(path, storage=JournalStorage), dict[int, Any]()
        reader = JournalReader(path)
        for step in steps:
            if step == ("reopen",):
                database.close()
                database = TinyDB(path, storage=JournalStorage)
            else:
                carry_out(database, model, step)
            assert {d.doc_id: dict(d) for d in database.table("t").all()} == model
            reader.refresh()
            assert reader.all_tables().get("t", {}) == model
        database.close()
        assert rows_of(path) == model


def test_cut_at_every_byte_keeps_all_whole_records(tmp_path: Path) -> None:
    path = tmp_path / "j"
    database = TinyDB(path, storage=JournalStorage)
    ends = [path.stat().st_size]
    for n in range(5):
        database.table("t").insert_multiple([{"n": n, "text": "ä\n€"}, {"n": n}])
        ends.append(path.stat().st_size)
    database.close()
    whole = path.read_bytes()
    for length in range(len(whole) + 1):
        path.write_bytes(whole[:length])
        kept = 2 * sum(end <= length for end in ends[1:])
        assert len(rows_of(path)) == kept
        database = TinyDB(path, storage=JournalStorage)
        assert len(database.table("t")) == kept
        database.table("t").insert({"n": "after"})
        database.close()
        assert len(rows_of(path)) == kept + 1


def test_damage_before_the_end_is_refused_and_named(tmp_path: Path) -> None:
    path = tmp_path / "run.journal"
    with TinyDB(path, storage=JournalStorage) as database:
        first_end = path.stat().st_size
        for n in range(3):
            database.table("t").insert({"n": n})
    data = bytearray(path.read_bytes())
    data[first_end + 15] ^= 1
    path.write_bytes(data)
    for action in (lambda: JournalStorage(path), JournalReader(path).refresh):
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
        JournalStorage(path)
    assert path.read_bytes() == content


def test_a_newer_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "j"
    path.write_bytes(encode(["claimscope.journal", 99]))
    with pytest.raises(StoreError, match="version 99"):
        JournalStorage(path)


def test_zeros_at_the_end_are_cut(tmp_path: Path) -> None:
    path = tmp_path / "j"
    with TinyDB(path, storage=JournalStorage) as database:
        database.table("t").insert({"n": 1})
    path.write_bytes(path.read_bytes() + bytes(4096))
    with TinyDB(path, storage=JournalStorage) as database:
        assert journal_of(database).torn == 4096
        assert database.table("t").all() == [{"n": 1}]


def test_second_writer_is_refused_with_the_first_ones_pid(tmp_path: Path) -> None:
    path = tmp_path / "j"
    with closing(JournalStorage(path)):
        assert is_held(path)
        with pytest.raises(StoreLocked, match=f"process {os.getpid()}"):
            JournalStorage(path, "Run 7")
    assert not is_held(path)
    JournalStorage(path).close()


def test_close_from_another_thread_gives_the_lock_back(tmp_path: Path) -> None:
    database = TinyDB(tmp_path / "j", storage=JournalStorage)
    thread = threading.Thread(target=database.close)
    thread.start()
    thread.join()
    assert not is_held(tmp_path / "j")
    database.close()


def test_what_is_given_out_is_a_copy(tmp_path: Path) -> None:
    with TinyDB(tmp_path / "j", storage=JournalStorage) as database:
        table = database.table("t")
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
    with TinyDB(tmp_path / "j", storage=JournalStorage) as database:
        table = database.table("t")
        table.insert(Document({}, 7))
        assert table.insert({}) == 8
        with pytest.raises(ValueError, match="already exists"):
            table.insert(Document({}, 7))
        with pytest.raises(ValueError, match="already exists"):
            table.insert_multiple([{}, Document({}, 8)])
        assert len(table) == 2


def test_compaction_drops_the_dead_and_readers_notice(tmp_path: Path) -> None:
    path = tmp_path / "j"
    with TinyDB(path, storage=JournalStorage) as database:
        reader = JournalReader(path)
        for n in range(50):
            journal_of(database).append("t", {"n": n, "text": "x" * 100}, 1)
        reader.refresh()
        before = path.stat().st_size
        journal_of(database).compact()
        assert path.stat().st_size < before / 20
        assert journal_of(database).dead == 0
        journal_of(database).append("t", {"n": "later"}, 2)
        assert reader.refresh()
        assert reader.replaced == 1
        assert reader.all_tables()["t"][1]["n"] == 49
        assert reader.all_tables()["t"][2]["n"] == "later"
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
    assert reader.all_tables() == {"t": {1: {"n": 1}}}
    assert not reader.refresh()


def test_a_reader_of_a_missing_file_sees_nothing(tmp_path: Path) -> None:
    assert not JournalReader(tmp_path / "none").refresh()


def test_files_are_private_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with TinyDB(tmp_path / "j", storage=JournalStorage) as database:
            database.table("t").insert({})
            journal_of(database).compact()
            modes = {p.stat().st_mode & 0o777 for p in tmp_path.iterdir()}
    finally:
        os.umask(before)
    assert modes == {0o600}


FULL_DISK = """
import resource, sys
from pathlib import Path
from tinydb import TinyDB
from claimscope.core.errors import StoreError
from claimscope.stores.runs.journal import JournalStorage
path = Path(sys.argv[1])
database = TinyDB(path, storage=JournalStorage)
table = database.table("t")
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
from tinydb import TinyDB
from claimscope.stores.runs.journal import JournalStorage
table = TinyDB(sys.argv[1], storage=JournalStorage).table("t")
n = len(table)
while True:
    table.insert({"n": n, "text": "x" * (n % 5000)})
    print(n, flush=True)
    n += 1
"""


@pytest.mark.slow
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
    with TinyDB(path, storage=JournalStorage) as database:
        assert len(database.table("t")) >= len(rows)


# --- any TinyDB reads and writes it ---

NAMES = st.sampled_from(["t", "u"])
N = st.integers(0, 3)
API_STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("insert"), NAMES, N),
        st.tuples(st.just("insert_multiple"), NAMES, N, N),
        st.tuples(st.just("update"), NAMES, N, N),
        st.tuples(st.just("update_all"), NAMES, N),
        st.tuples(st.just("update_multiple"), NAMES, N, N),
        st.tuples(st.just("upsert"), NAMES, N, N),
        st.tuples(st.just("remove"), NAMES, N),
        st.tuples(st.just("truncate"), NAMES),
        st.tuples(st.just("drop_table"), NAMES),
        st.tuples(st.just("drop_tables")),
    ),
    max_size=15,
)


def by_its_api(database: TinyDB, step: tuple[Any, ...]) -> object:
    """One operation by TinyDB's own API; what it gives."""
    kind, *rest = step
    if kind == "drop_tables":
        database.drop_tables()
        return None
    name, *numbers = rest
    if kind == "drop_table":
        database.drop_table(name)
        return None
    table = database.table(name)
    if kind == "insert":
        return table.insert({"n": numbers[0], "list": [numbers[0]]})
    if kind == "insert_multiple":
        return table.insert_multiple({"n": n} for n in numbers)
    if kind == "update":
        old, new = numbers
        return table.update({"n": new}, where("n") == old)
    if kind == "update_all":
        return table.update({"m": numbers[0]})
    if kind == "update_multiple":
        old, new = numbers
        return table.update_multiple([({"n": new}, where("n") == old)])
    if kind == "upsert":
        old, new = numbers
        return table.upsert({"n": new}, where("n") == old)
    if kind == "remove":
        return table.remove(where("n") == numbers[0])
    table.truncate()
    return None


def contents(database: TinyDB) -> dict[str, list[tuple[int, dict[str, Any]]]]:
    """All documents by table; a table without one is none."""
    found = {
        name: [(row.doc_id, dict(row)) for row in database.table(name)]
        for name in sorted(database.tables())
    }
    return {name: rows for name, rows in found.items() if rows}


@given(API_STEPS)
def test_tinydb_works_on_a_journal_as_on_its_own_storage(
    steps: list[tuple[Any, ...]],
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "j")
        plain = TinyDB(storage=MemoryStorage)
        with TinyDB(path, storage=JournalStorage) as database:
            for step in steps:
                assert by_its_api(database, step) == by_its_api(plain, step)
                assert contents(database) == contents(plain)
                query = where("n") == 1
                ours, theirs = database.table("t"), plain.table("t")
                assert ours.search(query) == theirs.search(query)
                assert ours.get(query) == theirs.get(query)
                assert ours.get(doc_id=1) == theirs.get(doc_id=1)
                assert ours.count(query) == theirs.count(query)
                assert len(ours) == len(theirs)
        reading = TinyDB(str(path), storage=JournalReader)
        assert contents(reading) == contents(plain)


def test_a_caching_middleware_writes_once(tmp_path: Path) -> None:
    path = tmp_path / "j"
    cached = CachingMiddleware(JournalStorage)  # type: ignore[no-untyped-call]
    with TinyDB(path, storage=cached) as database:
        for n in range(5):
            database.insert({"n": n})
        assert path.read_bytes() == header()
    assert path.read_bytes().count(b"\n") == 2
    with TinyDB(path, storage=JournalStorage) as database:
        assert [row["n"] for row in database] == [0, 1, 2, 3, 4]


def test_what_an_engine_appends_is_found_by_tinydb(tmp_path: Path) -> None:
    with TinyDB(tmp_path / "j", storage=JournalStorage) as database:
        journal, table = journal_of(database), database.table("t", cache_size=0)
        assert table.insert({"n": 1}) == 1
        assert journal.append("t", {"n": 2}) == 2
        assert journal.append("t", {"n": 3}, 7) == 7
        added = [NewRecord("t", None, {"n": 4}), NewRecord("u", None, {"n": 5})]
        numbers: list[int] = []
        assert journal.append_many([*added, added[0]], numbers.append) == [8, 1, 9]
        assert numbers == [0, 1, 2]
        assert [row.doc_id for row in table] == [1, 2, 7, 8, 9]
        assert [row.doc_id for row in table.search(where("n") == 4)] == [8, 9]
        table.update({"n": 0}, doc_ids=[7])
        table.remove(doc_ids=[9])
        assert journal.append("t", {"n": 6}) == 10  # never an id that was given
        assert database.tables() == {"t", "u"}


def test_a_reader_shows_tinydb_what_was_appended_and_writes_nothing(
    tmp_path: Path,
) -> None:
    path = tmp_path / "j"
    reading = TinyDB(path, storage=JournalReader)
    assert reading.tables() == set()
    with TinyDB(path, storage=JournalStorage) as database:
        database.table("t").insert({"n": 1})
        assert reading.table("t", cache_size=0).all() == [{"n": 1}]
        database.table("t").insert({"n": 2})
        assert len(reading.table("t")) == 2
        with pytest.raises(StoreError, match="opened to be read"):
            reading.table("t").insert({"n": 3})
    assert len(reading.table("t")) == 2
    reading.close()
