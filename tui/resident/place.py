"""Where the socket of the resident engine lies, and whether it can be trusted.

In the user's runtime folder, else in the cache: a folder that only the user can enter.
Its name tells which installation it belongs to. Nothing slow is imported here: a check
looks for it before anything else.
"""

from __future__ import annotations

import hashlib
import os
import socket
import stat
import struct
import sys
import sysconfig
from pathlib import Path

from claimscope.core.caches import cache_folder

PROTOCOL = 1
"""Raised when messages change."""
LONGEST = 107
"""Bytes of the path of a socket on Linux."""
PACKAGE = Path(__file__).resolve().parents[2]
CODE = ("core", "stores", "tui")


def is_possible() -> bool:
    """Whether processes can be forked here while libraries are loaded, and sockets tell
    whose they are: Linux alone."""
    return sys.platform == "linux"


def socket_path() -> Path:
    """The socket of this installation's engine."""
    parts = (str(PROTOCOL), str(PACKAGE), sys.executable, os.environ.get("PYTHONPATH"))
    name = hashlib.sha256(repr(parts).encode("utf-8", "replace")).hexdigest()[:12]
    return runtime_folder() / f"{name}.sock"


def runtime_folder() -> Path:
    """$XDG_RUNTIME_DIR/claimscope where that is the user's alone, else in the cache."""
    given = os.environ.get("XDG_RUNTIME_DIR")
    if given and _is_ours_alone(Path(given)):
        return Path(given) / "claimscope"
    return cache_folder() / "resident"


def distrust(path: Path) -> str:
    """Why a socket must not be spoken to; empty when it may be. Raises
    FileNotFoundError where there is none."""
    found = path.lstat()
    if len(os.fsencode(path)) > LONGEST:
        return f"the path of its socket is longer than {LONGEST} bytes"
    if not stat.S_ISSOCK(found.st_mode):
        return f"{path} is no socket"
    if found.st_uid != os.geteuid() or not _is_ours_alone(path.parent):
        return f"{path} is open to others"
    return ""


def _is_ours_alone(folder: Path) -> bool:
    try:
        found = folder.lstat()
    except OSError:
        return False
    is_private = not stat.S_IMODE(found.st_mode) & 0o077
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and is_private


def is_same_user(connection: socket.socket) -> bool:
    """Whether the process at the other end is the user's own."""
    if sys.platform != "linux":
        return False
    size = struct.calcsize("3i")
    peer = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size)
    return bool(struct.unpack("3i", peer)[1] == os.geteuid())


def code_state() -> tuple[str, ...]:
    """Another one when our files, or the installed packages, are others than before."""
    newest = count = 0
    for part in CODE:
        for folder, names, files in os.walk(PACKAGE / part):
            names[:] = [name for name in names if name != "__pycache__"]
            for name in files:
                newest = max(newest, os.stat(os.path.join(folder, name)).st_mtime_ns)
            count += len(files)
    paths = sysconfig.get_paths()
    places = {paths[name] for name in ("purelib", "platlib")}
    installed = sorted(
        name
        for place in places
        if os.path.isdir(place)
        for name in os.listdir(place)
        if name.endswith(".dist-info")
    )
    return str(newest), str(count), *installed
