"""A repaired journal has every good record, and the damaged one is still there."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from tinydb import TinyDB

from claimscope.core.errors import JournalDamaged, StoreError, StoreLocked
from claimscope.core.models import HumanVerdict, SampleResult
from claimscope.stores.runs.journal import JournalReader, JournalStorage, plain_tinydb
from claimscope.stores.runs.journal_format import encode, is_whole
from claimscope.stores.runs.repair import repair
from claimscope.stores.runs.run_store import RUN_INDEX, RUN_JOURNAL, DiskRunStore
from claimscope.stores.workspace.paths import replace_file
from tests.doubles import fakes

RUN = "20261127-120000-ab12"


def journal(path: Path, rows: int = 6) -> list[bytes]:
    """A journal of so many rows; its lines."""
    with TinyDB(path, storage=JournalStorage) as database:
        for n in range(rows):
            database.table("t").insert({"n": n, "text": "ä\n€ deadbeef [" * (n % 3)})
    return path.read_bytes().splitlines(keepends=True)


def numbers(path: Path) -> list[int]:
    """The rows that can be read."""
    reader = JournalReader(path)
    reader.refresh()
    return [row["n"] for row in reader.all_tables().get("t", {}).values()]


@given(st.integers(0, 10_000), st.integers(0, 255))
@example(0, ord("\t"))  # before a checksum, where a lenient parser reads past it
@example(0, ord("\n"))
@example(60, ord("\n"))  # in the middle of a record: two pieces
@settings(deadline=None)
def test_one_changed_byte_costs_the_record_it_is_in_and_no_other(
    place: int, other: int
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "j")
        lines = journal(path)
        whole = b"".join(lines)
        place %= len(whole)
        assume(other != whole[place])
        harmed = whole[:place] + bytes([other]) + whole[place + 1 :]
        path.write_bytes(harmed)
        ends = [sum(map(len, lines[: n + 1])) for n in range(len(lines))]
        hit = next(n for n, end in enumerate(ends) if place < end)
        is_line_feed = place == ends[hit] - 1
        # The last byte of a line whose beginning a kill could have left: cut as such.
        if hit < len(lines) - 1 or is_line_feed:
            with pytest.raises(JournalDamaged):
                JournalStorage(path)
        found = repair(path)
        lost = () if hit == 0 or is_line_feed else (hit - 1,)
        assert numbers(path) == [n for n in range(6) if n not in lost]
        assert found.kept == 6 - len(lost)
        assert found.original is not None
        assert found.original.read_bytes() == harmed
        # A line feed in its middle makes two pieces of a record, both of them lost.
        start = ends[hit] - len(lines[hit])
        pieces = [(p.offset, p.offset + p.length) for p in found.lost]
        assert all(start <= left and right <= ends[hit] for left, right in pieces)
        assert any(left <= place < right for left, right in pieces)
        JournalStorage(path).close()
        assert repair(path).original is None


@pytest.mark.parametrize("other", [b"\t", b" ", b"+", b"-", b"_", b"\n", b"\x0b"])
@pytest.mark.parametrize("place", [0, 3, 7])
def test_a_checksum_is_read_as_it_is_written(
    tmp_path: Path, place: int, other: bytes
) -> None:
    path = tmp_path / "j"
    lines = journal(path)
    for start in (0, sum(map(len, lines[:3]))):
        harmed = bytearray(b"".join(lines))
        harmed[start + place : start + place + 1] = other
        path.write_bytes(harmed)
        with pytest.raises(JournalDamaged):
            JournalStorage(path)


def test_a_checksum_that_begins_with_zero_keeps_it() -> None:
    values = ([["p", "t", number, {}]] for number in range(1000))
    line = next(one for one in map(encode, values) if one.startswith(b"0"))
    assert is_whole(line)
    for sign in (b"+", b"-", b" ", b"\t", b"_"):
        assert not is_whole(sign + line[1:])
    assert not is_whole(line[:8].upper() + line[8:]) or line[:8].isdigit()


def test_a_journal_that_is_good_or_only_torn_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "j"
    lines = journal(path)
    for content, torn in (
        (b"".join(lines), 0),
        (b"".join(lines)[:-4], len(lines[-1]) - 4),
        (b"".join(lines) + bytes(512), 512),
    ):
        path.write_bytes(content)
        found = repair(path)
        assert (found.lost, found.torn, found.original) == ([], torn, None)
        assert path.read_bytes() == content


@pytest.mark.parametrize("content", [b"", b"Dear diary\n", b"{}", b"\0" * 99])
def test_what_is_no_journal_is_refused_and_untouched(
    tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "notes"
    path.write_bytes(content)
    with pytest.raises(StoreError, match="not one good record"):
        repair(path)
    assert path.read_bytes() == content
    with pytest.raises(StoreError, match="no such file"):
        repair(tmp_path / "nowhere")


def test_a_newer_version_and_a_journal_in_use_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "j"
    path.write_bytes(encode(["claimscope.journal", 99]) + b"x\n" + encode([["t", "a"]]))
    with pytest.raises(StoreError, match="version 99"):
        repair(path)
    with closing(JournalStorage(tmp_path / "k")), pytest.raises(StoreLocked):
        repair(tmp_path / "k")


def harm(path: Path, at: bytes) -> None:
    """Changes a byte of the record with that text in it."""
    data = bytearray(path.read_bytes())
    data[data.index(at) + 1] ^= 1
    path.write_bytes(data)


def test_a_repaired_run_is_resumed_where_it_lost_something(tmp_path: Path) -> None:
    store = DiskRunStore(tmp_path)
    fakes.finished_run(store, RUN)
    store.read(RUN).save_human(fakes.human())
    before = store.read(RUN).status()
    path = tmp_path / RUN / RUN_JOURNAL
    harm(path, b'"c2/alpha/1"')
    run, human = store.repair(RUN)
    assert (len(run.lost), human.lost, human.kept) == (1, [], 1)
    writer = store.open(RUN)
    assert list(writer.finished_keys()) == ["c1/alpha/1", "c1/beta/1", "c2/beta/1"]
    writer.save_sample(fakes.sample("c2", passed=False))
    writer.save_state("finished")
    writer.close()
    after = store.read(RUN).status()
    assert (after.completed, after.failed) == (before.completed, before.failed)
    assert after.parts == before.parts + 1
    assert list(store.read(RUN).human_verdicts()) == [fakes.human()]
    names = {p.name for p in (tmp_path / RUN).iterdir()}
    assert any(name.startswith("run.journal.damaged-") for name in names)
    modes = {p.stat().st_mode & 0o777 for p in (tmp_path / RUN).iterdir()}
    assert modes == {0o600}


def test_a_lost_header_comes_back_from_the_list_of_runs(tmp_path: Path) -> None:
    store = DiskRunStore(tmp_path)
    fakes.finished_run(store, RUN)
    harm(tmp_path / RUN / RUN_JOURNAL, b'"header"')
    (found,) = store.repair(RUN)
    assert found.header_restored
    (tmp_path / RUN / RUN_INDEX).unlink()
    assert store.read(RUN).status().header == fakes.header(RUN)
    assert store.read(RUN).status().completed == 4


def test_an_export_opens_as_plain_tinydb(tmp_path: Path) -> None:
    store = DiskRunStore(tmp_path)
    fakes.finished_run(store, RUN)
    store.read(RUN).save_human(fakes.human())
    reader = store.read(RUN)
    path = tmp_path / "run.json"
    replace_file(path, plain_tinydb(reader.tables()))
    assert path.stat().st_mode & 0o777 == 0o600
    with TinyDB(path) as plain:
        samples = plain.table("samples").all()
        assert [SampleResult.model_validate(row["data"]) for row in samples] == list(
            reader.samples()
        )
        (word,) = plain.table("human").all()
        assert HumanVerdict.model_validate(dict(word)) == fakes.human()
        assert plain.tables() == {
            *("header", "parts", "states", "samples", "calls", "notes", "human")
        }
    assert is_whole((tmp_path / RUN / RUN_JOURNAL).read_bytes().split(b"\n")[0] + b"\n")
