"""Listing and opening runs without replaying journals, and when not to believe that."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from claimscope.core.errors import JournalDamaged
from claimscope.core.models import Label, SampleKey
from claimscope.stores.runs import journal_format, record_index
from claimscope.stores.runs.run_status import FILE
from claimscope.stores.runs.run_store import (
    RUN_INDEX,
    RUN_JOURNAL,
    DiskRunReader,
    DiskRunStore,
)
from tests.doubles import fakes

RUN = "20261127-120000-ab12"
MANY = 700


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The journal lines that were parsed since the list was cleared."""
    lines: list[bytes] = []
    real = journal_format.decode

    def counting(line: bytes) -> Any:
        lines.append(line)
        return real(line)

    monkeypatch.setattr(journal_format, "decode", counting)
    monkeypatch.setattr(record_index, "decode", counting)
    return lines


def long_run(root: Path, samples: int = MANY) -> DiskRunStore:
    """A finished run of many samples, each with a call."""
    store = DiskRunStore(root)
    writer = store.create(fakes.header(RUN, total_samples=samples))
    for number in range(samples):
        writer.save_call(fakes.call(f"k{number}"))
        writer.save_sample(fakes.sample(f"c{number}"))
    writer.save_state("finished")
    writer.close()
    return store


def essence(reader: DiskRunReader) -> tuple[object, ...]:
    """All that a viewer can see of a run."""
    return (
        reader.status(),
        list(reader.samples()),
        reader.rows(),
        reader.call("k1"),
        reader.notes(),
    )


def test_opening_parses_what_is_behind_the_index_alone(
    tmp_path: Path, parsed: list[bytes]
) -> None:
    store = long_run(tmp_path)
    parsed.clear()
    reader = store.read(RUN)
    assert reader.status().completed == MANY
    assert len(reader.rows()) == MANY
    writer = store.open(RUN)
    assert len(writer.finished_keys()) == MANY
    assert writer.call("k650") == fakes.call("k650")
    writer.close()
    assert len(parsed) < 12  # headers of run and file, the call, the new part
    assert reader.samples()[-1].key.case_id == f"c{MANY - 1}"
    assert reader.sample(SampleKey(case_id="c5", provider="alpha")) == fakes.sample(
        "c5"
    )


def test_a_list_of_runs_reads_no_journal_twice(
    tmp_path: Path, parsed: list[bytes]
) -> None:
    store = DiskRunStore(tmp_path)
    ids = [f"run-{n}" for n in range(5)]
    for run_id in ids:
        fakes.finished_run(store, run_id)
    before = list(store.runs())
    parsed.clear()
    assert list(store.runs()) == before
    assert parsed == []
    (tmp_path / "run-3" / FILE).write_bytes(b"\0" * 40)
    assert list(store.runs()) == before
    assert {run.header.run_id for run in before} == set(ids)


def test_a_kept_status_is_not_believed_of_another_journal(tmp_path: Path) -> None:
    store = DiskRunStore(tmp_path)
    fakes.finished_run(store, RUN)
    assert [run.completed for run in store.runs()] == [4]
    writer = store.open(RUN)
    writer.save_state("running")
    writer.save_sample(fakes.sample("c9"))
    assert [(run.state, run.completed) for run in store.runs()] == [("running", 5)]
    # As a kill leaves it: the files as they are, and nobody holds the lock.
    shutil.copytree(tmp_path / RUN, tmp_path / "killed" / RUN)
    killed = DiskRunStore(tmp_path / "killed")
    for _ in range(2):
        assert [(run.state, run.completed) for run in killed.runs()] == [("stopped", 5)]
    writer.close()


def shorten(path: Path) -> None:
    """Half an index."""
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def scramble(path: Path) -> None:
    """An index with a wrong byte in the middle of every page."""
    data = bytearray(path.read_bytes())
    for place in range(2048, len(data), 4096):
        data[place] ^= 0xFF
    path.write_bytes(data)


@pytest.mark.parametrize(
    "harm",
    [
        Path.unlink,
        shorten,
        scramble,
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(b"no database at all, only words\n" * 400),
    ],
)
def test_an_index_that_is_missing_or_damaged_harms_nothing(
    tmp_path: Path, harm: Callable[[Path], object]
) -> None:
    store = long_run(tmp_path)
    before = essence(store.read(RUN))
    harm(tmp_path / RUN / RUN_INDEX)
    assert essence(store.read(RUN)) == before
    writer = store.open(RUN)
    assert len(writer.finished_keys()) == len(writer.rows()) == MANY
    assert writer.call("k3") == fakes.call("k3")
    writer.save_sample(fakes.sample("c3", label=Label.CONTRADICTED))
    writer.close()
    status = store.read(RUN).status()
    assert (status.completed, status.failed, status.parts) == (MANY, 1, 2)


def test_an_index_of_another_journal_is_not_used(tmp_path: Path) -> None:
    store = long_run(tmp_path)
    other = DiskRunStore(tmp_path / "other")
    fakes.finished_run(other, RUN)
    shutil.copy(tmp_path / RUN / RUN_INDEX, tmp_path / "other" / RUN / RUN_INDEX)
    assert other.read(RUN).status().completed == 4
    # A copy of the whole folder is another file with the same words.
    shutil.copytree(tmp_path / RUN, tmp_path / "copy" / RUN)
    copied = DiskRunStore(tmp_path / "copy").read(RUN)
    assert essence(copied) == essence(store.read(RUN))


def test_damage_behind_the_index_s_back_is_found_at_once(tmp_path: Path) -> None:
    store = long_run(tmp_path)
    reader = store.read(RUN)
    path = tmp_path / RUN / RUN_JOURNAL
    data = bytearray(path.read_bytes())
    place = data.index(b'"c300/alpha/1"') + 3
    data[place] ^= 1
    path.write_bytes(data)
    for action in (store.open, store.read):
        with pytest.raises(JournalDamaged, match=r"\(byte \d+\)") as caught:
            action(RUN)
        assert f"claimscope runs repair {RUN}" in caught.value.hint
    # A viewer that was there before is told when it asks for that sample.
    with pytest.raises(JournalDamaged):
        reader.samples()[300]


def test_a_viewer_follows_an_engine_across_its_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record_index, "FLUSH_EVERY", 7)
    monkeypatch.setattr(record_index, "WORN_ABOVE", 20)
    store = DiskRunStore(tmp_path)
    writer = store.create(fakes.header(RUN))
    early, late = store.read(RUN), store.read(RUN)
    for number in range(120):
        writer.save_sample(fakes.sample(f"c{number % 90}", text=f"Version {number}."))
        if number % 5 == 0:
            assert early.refresh()
            assert early.status() == writer.status()
            assert early.samples()[-1].answer.text.startswith("Version")
            assert len(early.rows()) == len(early.samples()) == min(90, number + 1)
    assert late.refresh() and early.refresh() and not early.refresh()
    assert list(early.samples()) == list(late.samples())
    assert early.samples()[0].answer.text == "Version 90."
    assert early.status() == late.status() == writer.status()
    writer.close()
