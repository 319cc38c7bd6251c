"""Runs on disk: what the engine saves, what a viewer follows, what a person says.

    runs/<run_id>/run.journal     the engine writes (one engine: the lock)
                  run.index       the engine writes; made anew from the journal
                  run.status      who found it out; holds while the journal is the same
                  human.journal   viewers write (each word under a short lock)
                  control.json    viewers write, the engine reads

Three files because there are two kinds of writers and neither may block the other:
a viewer never takes the engine's lock, so a dropped connection or a slow terminal
cannot stop a run.
"""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import orjson
from tinydb import TinyDB

from claimscope.core.errors import StoreError
from claimscope.core.models import RunHeader, RunStatus
from claimscope.core.ports import Control, ModelState
from claimscope.stores.runs.index_file import IndexFile
from claimscope.stores.runs.journal import JournalReader, JournalStorage, NewRecord
from claimscope.stores.runs.journal_format import Row
from claimscope.stores.runs.model_state import ModelStateFile, read_states
from claimscope.stores.runs.record_index import RecordIndex
from claimscope.stores.runs.records import (
    RunReaderBase,
    RunWriterBase,
    no_such_run,
    run_exists,
    utc_now,
)
from claimscope.stores.runs.repair import Repair, repair
from claimscope.stores.runs.run_status import (
    KnownStatus,
    bytes_gone,
    keep_status,
    last_header,
    longest_known,
    loss_notice,
    read_status,
    seal_of,
)
from claimscope.stores.runs.run_totals import RunTotals
from claimscope.stores.workspace.locks import holder, is_held
from claimscope.stores.workspace.paths import make_private, safe_name, write_atomically

RUN_JOURNAL = "run.journal"
RUN_INDEX = "run.index"
HUMAN_JOURNAL = "human.journal"
CONTROL = "control.json"


def new_run_id(now: datetime | None = None) -> str:
    """A new id, sorted by time: `20261127-142233-ab12`."""
    moment = (now or datetime.now(UTC)).astimezone(UTC)
    return f"{moment:%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"


def read_control(folder: Path) -> Control:
    """What a viewer asked the engine of a run for; `run` when nothing readable is
    there."""
    try:
        asked = orjson.loads((folder / CONTROL).read_bytes())["control"]
    except (OSError, ValueError, KeyError, TypeError):
        return "run"
    return asked if asked in ("pause", "cancel") else "run"


class DiskRunWriter(RunWriterBase):
    """A run in the making: holds the lock of its journal until closed."""

    def __init__(self, folder: Path, header: RunHeader | None = None) -> None:
        """Opens a run to go on with it, or with a header: begins it.

        Raises StoreLocked, JournalDamaged, StoreError.
        """
        self._folder = folder
        self._header = None
        self._is_closed = False
        path = folder / RUN_JOURNAL
        index = RecordIndex(path, folder / RUN_INDEX, write=True)
        self._journal = JournalStorage(path, f"Run {folder.name}", index)
        try:
            self._journal.compact_if_worthwhile()
            super().__init__(index, str(path))
            # What was asked of an earlier part is not meant for this one.
            clear_control(folder)
            self._states = ModelStateFile(folder)
            self._begin(header)
            self._keep_status()  # what was cut off before is no loss of this part
        except BaseException:
            self.close()
            raise

    def _put(
        self,
        records: Sequence[NewRecord],
        taken: Callable[[int], None] = lambda number: None,
    ) -> None:
        self._journal.append_many(records, taken)

    def control(self) -> Control:
        return read_control(self._folder)

    def save_model_state(self, state: ModelState) -> None:
        """What a model does now: in a file of its own, replaced."""
        self._states.save(state)

    def close(self) -> None:
        if not self._is_closed:
            self._keep_status()
        self._is_closed = True
        self._journal.close()

    def _keep_status(self) -> None:
        if self._header is not None:
            known = KnownStatus(self._header, self._tables.totals)
            keep_status(self._folder, seal_of(self._journal.path), known)


def clear_control(folder: Path) -> None:
    """Removes what was asked of an engine that is gone. Raises StoreError."""
    try:
        (folder / CONTROL).unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(
            f"{folder / CONTROL}: cannot be removed: {error.strerror}.",
            "Check who may write in that folder.",
        ) from error


class DiskRunReader(RunReaderBase):
    """A run as a viewer follows it."""

    def __init__(self, folder: Path) -> None:
        path = folder / RUN_JOURNAL
        super().__init__(str(path))
        self._folder = folder
        self._index = RecordIndex(path, folder / RUN_INDEX, write=False)
        self._run = JournalReader(path, self._index)
        self._words = JournalReader(folder / HUMAN_JOURNAL)

    @property
    def _tables(self) -> RecordIndex:
        return self._index

    def tables(self) -> dict[str, Mapping[int, Row]]:
        """All records as stored, those of people too, for an export."""
        index = self._index
        tables = {name: index.table(name) for name in sorted(index.names())}
        return tables | self._words.all_tables()

    @property
    def torn(self) -> int:
        """Bytes behind the last whole record, as last read."""
        return self._run.torn

    @property
    def totals(self) -> RunTotals:
        """What its records add up to, as last read."""
        return self._index.totals

    def _people(self, table: str) -> Mapping[int, Row]:
        return self._words.tables.table(table)

    def _engine_at_work(self) -> tuple[bool, int | None]:
        return is_held(self._run.path), holder(self._run.path)

    def _read_on(self) -> bool:
        return any([self._run.refresh(), self._words.refresh()])

    def _save_of_people(self, table: str, rows: Sequence[Row]) -> None:
        path = self._folder / HUMAN_JOURNAL
        what = "The list of human verdicts"
        with TinyDB(path, what, storage=JournalStorage) as database:
            database.table(table).insert_multiple(rows)
        self._words.refresh()

    def ask(self, control: Control) -> None:
        request = {"control": control, "at": utc_now()}
        write_atomically(self._folder / CONTROL, orjson.dumps(request))

    def requested_control(self) -> Control:
        return read_control(self._folder)

    def model_states(self) -> Sequence[ModelState]:
        return read_states(self._folder)


class DiskRunStore:
    """All runs of a workspace (core.ports.RunStore)."""

    def __init__(
        self, root: Path, on_loss: Callable[[str], None] | None = None
    ) -> None:
        """`root`: the folder of all runs, e.g. `Workspace.runs`. `on_loss` is told of
        each run that lost something at its end, once."""
        self._root = root
        self._on_loss = on_loss
        self._told: set[Path] = set()

    def create(self, header: RunHeader) -> DiskRunWriter:
        """Begins a run. Raises StoreError when the id is taken."""
        folder = self._root / safe_name(header.run_id)
        make_private(self._root)
        try:
            folder.mkdir(mode=0o700)
        except FileExistsError:
            raise run_exists(header.run_id) from None
        except OSError as error:
            raise StoreError(
                f"{folder}: this folder cannot be made: {error.strerror}."
            ) from error
        folder.chmod(0o700)
        return DiskRunWriter(folder, header)

    def _folder(self, run_id: str) -> Path:
        folder = self._root / safe_name(run_id)
        if not (folder / RUN_JOURNAL).exists():
            raise no_such_run(run_id)
        return folder

    def open(self, run_id: str) -> DiskRunWriter:
        return DiskRunWriter(self._folder(run_id))

    def read(self, run_id: str) -> DiskRunReader:
        reader = DiskRunReader(self._folder(run_id))
        reader.refresh()
        self._tell(self._folder(run_id), reader.torn)
        return reader

    def _tell(self, folder: Path, torn: int = 0) -> None:
        """Says what was lost of a run that nobody writes."""
        journal = folder / RUN_JOURNAL
        if self._on_loss is None or folder in self._told or is_held(journal):
            return
        gone = bytes_gone(journal, folder / RUN_INDEX)
        if (text := loss_notice(journal, gone, torn)) is not None:
            self._told.add(folder)
            self._on_loss(text)

    def repair(self, run_id: str) -> list[Repair]:
        """Makes the journals of a run good again. Raises StoreLocked, StoreError."""
        folder = self._folder(run_id)
        what = f"Run {folder.name}"
        done = [repair(folder / RUN_JOURNAL, what, last_header(folder))]
        if done[0].original is not None:
            _begin_anew(folder)
        if (folder / HUMAN_JOURNAL).exists():
            done.append(repair(folder / HUMAN_JOURNAL, "The list of human verdicts"))
        return done

    def runs(self) -> Iterable[RunStatus]:
        """Newest first. A damaged run is listed with state `failed` and its error."""
        folders = self._root.iterdir() if self._root.is_dir() else ()
        statuses = []
        for folder in folders:
            if (folder / RUN_JOURNAL).exists():
                self._tell(folder)
                statuses.append(_status_or_error(folder))
        return sorted(statuses, key=_created_at, reverse=True)


def _begin_anew(folder: Path) -> None:
    """Forgets how long a journal was: the repaired one may have the inode of one that
    is gone, and would look like it, cut."""
    with suppress(OSError, sqlite3.Error):
        IndexFile.new(folder / RUN_INDEX).close()
    keep_status(folder, seal_of(folder / RUN_JOURNAL), _status_from_journal(folder))


def _created_at(status: RunStatus) -> tuple[str, str]:
    return status.header.created, status.header.run_id


def _status_or_error(folder: Path) -> RunStatus:
    path = folder / RUN_JOURNAL
    seal = seal_of(path)
    held = is_held(path)
    known = read_status(folder, seal)
    if known is None:
        known = _status_from_journal(folder)
        if not held:  # else it is out of date at once
            keep_status(
                folder, seal, known, longest_known(folder, seal[0]) if seal else 0
            )
    if known.header is None:
        return failed_status(folder.name, known.problem or "")
    status = known.totals.status(known.header, is_held=held, pid=holder(path))
    if known.problem is None:
        return status
    return status.model_copy(update={"state": "failed", "error": known.problem})


def _status_from_journal(folder: Path) -> KnownStatus:
    """What the journal says, or as much as comes before its damage."""
    reader = DiskRunReader(folder)
    problem = None
    try:
        reader.refresh()
    except StoreError as damage:
        problem = str(damage)
    try:
        return KnownStatus(reader.header(), reader.totals, problem)
    except StoreError as error:
        return KnownStatus(None, RunTotals(), problem or str(error))


def failed_status(run_id: str, error: str) -> RunStatus:
    """The status of a run of which not even the header can be read."""
    header = RunHeader(
        run_id=run_id,
        created="",
        fingerprint="",
        suite_id="unknown",
        suite_digest="",
        answers_digest="",
        verifier="unknown",
        total_samples=0,
        version="",
    )
    return RunStatus(
        header=header,
        state="failed",
        completed=0,
        passed=0,
        failed=0,
        unscored=0,
        usage=RunTotals().usage(),
        error=error,
    )
