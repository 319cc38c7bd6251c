"""Reading files that are files: a pipe or a device would be waited for without end.

Whoever names a file may name a FIFO that nobody writes to, or /dev/zero; and a file may
become one between a look at it and its opening. So the reader itself looks, at what it
has opened, and says it in an OSError as for any file that cannot be read.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

_KINDS = {
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def open_regular(path: Path | str) -> BinaryIO:
    """Opens a file for reading. Raises OSError, also for what is none."""
    _refuse(os.stat(path), path)  # opening a device may do something to it
    # Opening a pipe waits for its writer, unless told not to wait.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags)
    try:
        _refuse(os.fstat(descriptor), path)
        return open(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def read_regular(path: Path | str, largest: int = -1) -> bytes:
    """All of a file, or its first `largest` bytes. Raises OSError, also for what is no
    file."""
    with open_regular(path) as file:
        return file.read(largest)


def _refuse(state: os.stat_result, path: Path | str) -> None:
    kind = stat.S_IFMT(state.st_mode)
    if kind == stat.S_IFDIR:
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if kind != stat.S_IFREG:
        what = _KINDS.get(kind, "something else")
        raise OSError(errno.EINVAL, f"it is {what}, not a file", str(path))
