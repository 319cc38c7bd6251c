"""Labs on disk: what is swept, where it stands, and every answer that was written.

    labs/<lab_id>/lab.json            the engine replaces it (one engine: the lock)
                  calls.journal       each call of an answering model, before its use
                  <run_id>.jsonl      the answers of a cell, what its run judges
                  control.json        viewers write, the engine reads

The runs of the cells lie with all other runs. An answer, and each call on the way to
it, is durable before the next step, so that going on asks no model twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import orjson
from pydantic import ValidationError

from claimscope.core.errors import StoreError
from claimscope.core.ports import Control
from claimscope.core.run.lab import Lab, LabCell
from claimscope.stores.runs.call_journal import CallJournal
from claimscope.stores.runs.records import utc_now
from claimscope.stores.runs.run_store import clear_control, read_control
from claimscope.stores.workspace.locks import WriterLock, holder, is_held
from claimscope.stores.workspace.paths import make_private, safe_name, write_atomically
from claimscope.stores.workspace.regular_files import read_regular

RECORD = "lab.json"
CALLS = "calls.journal"
CONTROL = "control.json"


class LabFolder:
    """One lab; whoever works on it holds `lock()`."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> Lab:
        """The lab as it stands: one whose engine is gone is stopped, whatever it wrote
        last. Raises StoreError."""
        path = self.path / RECORD
        try:
            lab = Lab.model_validate_json(read_regular(path))
        except FileNotFoundError:
            raise StoreError(
                f"There is no lab {self.path.name!r} in this workspace.",
                "`claimscope answers sweep --list` lists the labs.",
            ) from None
        except (OSError, ValidationError) as error:
            raise StoreError(
                f"{path}: this lab cannot be read: {str(error).splitlines()[0]}.",
                "Open it with the version of Claimscope that made it, or remove its "
                "folder; its runs stay.",
            ) from error
        if is_held(path):
            return lab.model_copy(update={"pid": holder(path)})
        state = "stopped" if lab.state in ("running", "paused") else lab.state
        return lab.model_copy(update={"pid": None, "state": state})

    def save(self, lab: Lab) -> Lab:
        """Replaces the record; readers see the old or the new one."""
        lab = lab.model_copy(update={"updated": utc_now()})
        data = lab.model_dump_json(indent=1, exclude={"pid"}).encode()
        write_atomically(self.path / RECORD, data)
        return lab

    def lock(self) -> WriterLock:
        """The right to work on it. Raises StoreLocked."""
        return WriterLock(self.path / RECORD, f"Lab {self.path.name}")

    def is_worked_on(self) -> bool:
        return is_held(self.path / RECORD)

    def answers(self, cell: LabCell) -> Path:
        """The file of a cell's answers."""
        return self.path / f"{safe_name(cell.run_id)}.jsonl"

    def ask(self, control: Control) -> None:
        request = {"control": control, "at": utc_now()}
        write_atomically(self.path / CONTROL, orjson.dumps(request))

    def requested_control(self) -> Control:
        return read_control(self.path)

    def clear_control(self) -> None:
        """What was asked of an earlier part is not meant for this one."""
        clear_control(self.path)


class LabCalls(CallJournal):
    """Calls of the answering models (core.ports.CallStore); close it."""

    def __init__(self, folder: LabFolder) -> None:
        """Raises StoreLocked, JournalDamaged, StoreError."""
        super().__init__(folder.path / CALLS, f"Lab {folder.path.name}")


class LabStore:
    """All labs of a workspace."""

    def __init__(self, root: Path) -> None:
        """`root`: the folder of all labs."""
        self._root = root

    def create(self, lab: Lab) -> LabFolder:
        """Begins a lab. Raises StoreError when the id is taken."""
        path = self._root / safe_name(lab.lab_id)
        if path.exists():
            raise StoreError(
                f"There is a lab {lab.lab_id!r} already.", "Resume it: --resume LAB"
            )
        folder = LabFolder(make_private(path))
        folder.save(lab)
        return folder

    def folder(self, lab_id: str) -> LabFolder:
        """A lab by its id; `last` is the newest. Raises StoreError."""
        if lab_id == "last":
            newest = next(iter(self.labs()), None)
            if newest is None:
                raise StoreError(
                    "There is no lab in this workspace.",
                    "`claimscope answers sweep SUITE --models a,b` makes one.",
                )
            lab_id = newest.lab_id
        folder = LabFolder(self._root / safe_name(lab_id))
        folder.read()
        return folder

    def labs(self) -> Sequence[Lab]:
        """All that can be read, newest first."""
        return self._read()[0]

    def problems(self) -> Sequence[StoreError]:
        """One error for each lab that cannot be read."""
        return self._read()[1]

    def _read(self) -> tuple[list[Lab], list[StoreError]]:
        found, problems = [], []
        paths = sorted(self._root.iterdir()) if self._root.is_dir() else []
        for path in paths:
            if not (path / RECORD).exists():
                continue
            try:
                found.append(LabFolder(path).read())
            except StoreError as error:
                problems.append(error)
        found.sort(key=lambda lab: (lab.created, lab.lab_id), reverse=True)
        return found, problems
