"""A journal that lost its end, or all of it, is told as that."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from claimscope.core.errors import JournalDamaged
from claimscope.stores.runs.journal import JournalStorage
from claimscope.stores.runs.journal_format import header
from claimscope.stores.runs.run_status import FILE
from claimscope.stores.runs.run_store import RUN_INDEX, RUN_JOURNAL, DiskRunStore
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.cli import main
from claimscope.tui.gateway.workspace import WorkspaceGateway
from tests.doubles import fakes
from tests.tui.pilot import app_on, settle, text_of
from tests.tui.pilot import told as shown

RUN = "20261127-120000-ab12"


def saved(root: Path, samples: int = 12) -> Path:
    """A finished run; gives its journal."""
    writer = DiskRunStore(root).create(fakes.header(RUN, total_samples=samples))
    for number in range(samples):
        writer.save_sample(fakes.sample(f"c{number}"))
    writer.save_state("finished")
    writer.close()
    return root / RUN / RUN_JOURNAL


def told(root: Path) -> list[str]:
    """What a store says of what was lost."""
    notes: list[str] = []
    DiskRunStore(root, notes.append).read(RUN)
    return notes


def half(journal: Path) -> int:
    """Cuts a journal in half at the end of a record; the bytes that are gone."""
    data = journal.read_bytes()
    cut = data.index(b"\n", len(data) // 2) + 1
    os.truncate(journal, cut)
    return len(data) - cut


@pytest.mark.parametrize("lost", [FILE, RUN_INDEX, None])
def test_a_journal_cut_in_half_is_told_by_what_stands_beside_it(
    tmp_path: Path, lost: str | None
) -> None:
    journal = saved(tmp_path)
    assert told(tmp_path) == []
    gone = half(journal)
    if lost is not None:
        (tmp_path / RUN / lost).unlink()
    (note,) = told(tmp_path)
    assert f"{gone:,} bytes at its end are gone" in note
    assert f"claimscope runs resume {RUN}" in note


def test_it_is_told_again_until_the_run_is_resumed(tmp_path: Path) -> None:
    journal = saved(tmp_path)
    half(journal)
    for _ in range(3):
        list(DiskRunStore(tmp_path).runs())  # keeps a status of what is left
        assert len(told(tmp_path)) == 1
    DiskRunStore(tmp_path).open(RUN).close()
    assert told(tmp_path) == []


def test_a_torn_end_is_told_and_no_loss_of_the_next_part(tmp_path: Path) -> None:
    journal = saved(tmp_path)
    os.truncate(journal, journal.stat().st_size - 5)
    (tmp_path / RUN / FILE).unlink()
    (tmp_path / RUN / RUN_INDEX).unlink()
    (note,) = told(tmp_path)
    assert "are no whole record" in note
    list(DiskRunStore(tmp_path).runs())
    writer = DiskRunStore(tmp_path).open(RUN)
    assert told(tmp_path) == []  # it is being written
    writer.close()
    assert told(tmp_path) == []


def test_what_was_compacted_or_repaired_is_no_loss(tmp_path: Path) -> None:
    journal = saved(tmp_path)
    storage = JournalStorage(journal)
    storage.compact()
    storage.close()  # nobody kept a status
    assert told(tmp_path) == []
    data = bytearray(journal.read_bytes())
    data[len(data) // 2] ^= 1
    journal.write_bytes(data)
    DiskRunStore(tmp_path).repair(RUN)
    assert told(tmp_path) == []


@pytest.mark.parametrize("size", [1000, 10, len(header()) + 1])
def test_a_journal_of_zeros_is_damaged(tmp_path: Path, size: int) -> None:
    journal = saved(tmp_path)
    journal.write_bytes(bytes(max(size, len(header()) + 1)))
    with pytest.raises(JournalDamaged, match="does not begin as a journal does"):
        DiskRunStore(tmp_path).read(RUN)
    with pytest.raises(JournalDamaged):
        DiskRunStore(tmp_path).open(RUN)


@pytest.mark.parametrize("begun", [b"", bytes(8), bytes(len(header())), header()[:9]])
def test_a_journal_that_was_never_begun_is_none(tmp_path: Path, begun: bytes) -> None:
    folder = tmp_path / RUN
    folder.mkdir()
    (folder / RUN_JOURNAL).write_bytes(begun)
    (status,) = DiskRunStore(tmp_path).runs()
    assert "stopped while it was being created" in (status.error or "")


@pytest.mark.parametrize(
    "words",
    [
        ("runs",),
        ("runs", "show", RUN),
        ("runs", "show", "last"),
        ("report", "last"),
        ("report", "last", "--format", "json"),
        ("runs", "stats"),
        ("labels", "last"),
        ("labels", "agreement", "last"),
        ("compare", "last", RUN),
        ("runs", "export", "last", "-o", "OUT"),
    ],
)
def test_every_command_that_reads_it_says_so_on_standard_error(
    words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    half(saved(tmp_path / "runs"))
    out = str(tmp_path / "out.json")
    main(["--workspace", str(tmp_path), *(out if w == "OUT" else w for w in words)])
    captured = capsys.readouterr()
    assert captured.err.count("the file was cut") == 1, captured.err
    assert "the file was cut" not in captured.out


async def test_the_interface_tells_it_until_it_is_mended(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    journal = saved(workspace.runs)
    gone = half(journal)
    gateway = WorkspaceGateway(workspace)
    async with app_on(gateway).run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert f"{gone:,} bytes at its end are gone" in shown(pilot)
        assert "? runs:" in text_of(pilot)
    DiskRunStore(workspace.runs).open(RUN).close()  # as `resume` does
    async with app_on(WorkspaceGateway(workspace)).run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert "are gone" not in shown(pilot)
        assert "? runs:" not in text_of(pilot)
    health = await asyncio.to_thread(gateway.health)
    assert [one for one in health if one.name == "runs"] == []
