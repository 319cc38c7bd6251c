"""Who may change a workspace: only its user.

Files are private, but in a folder where others may write, they can put other files in
the place of ours. A workspace made by hand, or unpacked, can be such a folder.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from claimscope.core.errors import StoreError

OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
PARTS = ("", "index", "runs", "probes", "logs", "labs", "exports", "claimscope.toml")
"""What of a workspace is looked at: itself, and where its folders and settings lie."""


def revoke_write_of_others(root: Path) -> list[Path]:
    """Takes from others the right to write in a workspace; gives what was changed.

    A folder with a sticky bit, such as /tmp, is left as it is: others cannot replace
    what is ours there. Raises StoreError where it cannot be done.
    """
    changed = []
    for part in PARTS:
        path = root / part if part else root
        try:
            state = path.stat()
        except OSError:
            continue
        if not state.st_mode & OTHERS_WRITE or state.st_mode & stat.S_ISVTX:
            continue
        try:
            if hasattr(os, "getuid") and state.st_uid != os.getuid():
                raise PermissionError(1, "it is another user's")
            path.chmod(stat.S_IMODE(state.st_mode) & ~OTHERS_WRITE)
        except OSError as error:
            raise StoreError(
                f"{path}: others may write there, and it cannot be closed to them: "
                f"{error.strerror}.",
                "Its owner can: chmod go-w. Or name another folder with --workspace.",
            ) from error
        changed.append(path)
    return changed
