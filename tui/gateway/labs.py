"""The labs of a workspace: read from disk, their engines processes of their own."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from claimscope.core.errors import StoreError
from claimscope.stores.workspace.paths import Workspace

if TYPE_CHECKING:
    from claimscope.core.analysis.compare.matrix import Matrix
    from claimscope.core.models import SampleRow
    from claimscope.core.ports import Control, RunReader
    from claimscope.core.run.lab import Lab
    from claimscope.stores.runs.labs import LabStore
    from claimscope.tui.ports.labs import NewLab


class LabsGateway:
    """The labs of a workspace (LabGateway)."""

    def __init__(self, root: Path) -> None:
        """`root`: the workspace."""
        self._workspace = Workspace(root)
        self._readers: dict[str, RunReader] = {}
        self._known: tuple[object, Matrix] | None = None

    @property
    def _store(self) -> LabStore:
        from claimscope.tui.services.sweep.planning import labs_of

        return labs_of(self._workspace)

    def labs(self) -> Sequence[Lab]:
        return self._store.labs()

    def problems(self) -> Sequence[str]:
        return [str(error) for error in self._store.problems()]

    def lab(self, lab_id: str) -> Lab:
        return self._store.folder(lab_id).read()

    def matrix(self, lab: Lab) -> Matrix:
        """Made anew only when a run of the lab got on."""
        from claimscope.core.analysis.compare.matrix import matrix

        rows = [(cell.name, self._rows(cell.run_id)) for cell in lab.cells]
        seal = (lab.lab_id, tuple(len(part) for _, part in rows))
        if self._known is None or self._known[0] != seal:
            self._known = seal, matrix(rows)
        return self._known[1]

    def _rows(self, run_id: str) -> Sequence[SampleRow]:
        from claimscope.stores.runs.run_store import DiskRunStore

        with suppress(StoreError):  # not judged yet
            if run_id in self._readers:
                self._readers[run_id].refresh()
            else:
                store = DiskRunStore(self._workspace.runs)
                self._readers[run_id] = store.read(run_id)
            return self._readers[run_id].rows()
        return ()

    def start(self, wanted: NewLab) -> str:
        from claimscope.stores.workspace.configuration import load
        from claimscope.tui.services.run.detached import start_lab
        from claimscope.tui.services.sweep.planning import new_lab

        flags: dict[str, object | None] = {
            "verifier": wanted.verifier,
            "judge": wanted.judge,
            "model": wanted.model,
        }
        settings = load(self._workspace.root, flags).settings
        folder = new_lab(self._workspace, settings, wanted)
        start_lab(self._workspace, folder)
        return folder.read().lab_id

    def resume(self, lab_id: str) -> None:
        from claimscope.tui.services.run.detached import start_lab

        start_lab(self._workspace, self._store.folder(lab_id))

    def ask(self, lab_id: str, control: Control) -> None:
        self._store.folder(lab_id).ask(control)
