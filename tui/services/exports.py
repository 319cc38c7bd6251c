"""The folder that exports go to."""

from __future__ import annotations

from pathlib import Path

from claimscope.core.errors import InputError
from claimscope.stores.workspace.paths import make_private

FOLDER = "exports"
"""Below the workspace."""


def prepare_folder(folder: Path, workspace: Path) -> None:
    """Makes the workspace's own; any other has to be there. Raises InputError,
    StoreError."""
    if folder == (workspace / FOLDER).absolute():
        make_private(folder)
    elif not folder.is_dir():
        raise InputError(
            f"{folder}: there is no such folder", "make it, or name another"
        )
