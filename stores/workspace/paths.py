"""Where things lie on disk, and who may read them.

Pages and answers can be confidential, and ids come from files that strangers
wrote. So every folder and file is made private to the user, whatever the umask
says, and no id can name a place outside its folder.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from claimscope.core import caches
from claimscope.core.digests import digest
from claimscope.core.errors import DiskRefused, StoreError
from claimscope.stores.workspace.interface_settings import workspace_root

_PLAIN = re.compile(r"[a-z0-9][a-z0-9._-]{0,79}")
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?")


def safe_name(name: str) -> str:
    """A file name for an id: one path component, the same on every platform.

    Plain lower-case ids stay as they are. Any other gets a readable stem and a
    hash behind `~`, which no plain id contains, so that two ids never meet.
    """
    plain = _PLAIN.fullmatch(name) and not name.endswith(".")
    if plain and not _RESERVED.fullmatch(name):
        return name
    stem = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40]
    return f"{stem or 'id'}~{digest(name)[:16]}"


def make_private(folder: Path) -> Path:
    """Makes a folder and its missing parents, mode 0700; leaves existing ones.

    Raises StoreError.
    """
    missing = []
    step = folder
    while not step.exists():
        missing.append(step)
        step = step.parent
    try:
        for part in reversed(missing):
            # Another process may have made it in between.
            part.mkdir(mode=0o700, exist_ok=True)
            part.chmod(0o700)  # mkdir's mode is cut by the umask
        if not folder.is_dir():
            raise NotADirectoryError(20, "Not a directory")
    except OSError as error:
        raise StoreError(
            f"{folder}: this folder cannot be made: {error.strerror}.",
            "Choose another place with --workspace DIR.",
        ) from error
    return folder


def open_private(path: Path, flags: int) -> int:
    """A file descriptor of path; a file made by this call has mode 0600."""
    is_new = not path.exists()
    # Windows turns line feeds into two bytes unless told not to.
    flags |= os.O_CREAT | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags, 0o600)
    if is_new and hasattr(os, "fchmod"):
        os.fchmod(descriptor, 0o600)
    elif is_new:  # Windows before Python 3.13
        os.chmod(path, 0o600)
    return descriptor


def make_private_file(path: Path) -> None:
    """An empty file of mode 0600 where there is none; one that is there is not even
    opened: closing it again would drop all locks that this process has on it (POSIX
    fcntl), and two processes that write one SQLite file would then spoil it."""
    with contextlib.suppress(FileExistsError):
        os.close(open_private(path, os.O_RDWR | os.O_EXCL))


def sync_data(descriptor: int) -> None:
    """Waits until the disk has what was written to a file. Raises OSError.

    macOS has no fdatasync, and its fsync leaves the data in the disk's own cache: only
    F_FULLFSYNC waits for that (its manual page, fsync(2)).
    """
    if hasattr(os, "fdatasync"):
        os.fdatasync(descriptor)
        return
    full = _full_sync()
    if full is not None:
        with contextlib.suppress(OSError):  # some file systems cannot
            full(descriptor)
            return
    os.fsync(descriptor)


def _full_sync() -> Callable[[int], object] | None:
    try:
        import fcntl
    except ImportError:
        return None
    command = getattr(fcntl, "F_FULLFSYNC", None)
    return None if command is None else lambda fd: fcntl.fcntl(fd, command)


def write_atomically(path: Path, data: bytes) -> None:
    """Replaces a file so that readers see the old or the new content, never a part.

    Durable when it returns. Raises StoreError; the old file is then unharmed.
    """
    replace_file(path, (data,))


def replace_file(path: Path, parts: Iterable[bytes]) -> None:
    """As write_atomically, for what is too large to be in memory at once."""
    unfinished = unfinished_beside(path)
    try:
        descriptor = open_private(unfinished, os.O_WRONLY | os.O_TRUNC)
        with open(descriptor, "wb") as file:
            file.writelines(parts)
            file.flush()
            sync_data(file.fileno())
        os.replace(unfinished, path)
        sync_folder(path.parent)
    except BaseException as error:
        with contextlib.suppress(OSError):
            unfinished.unlink(missing_ok=True)
        if not isinstance(error, OSError):
            raise
        raise DiskRefused(
            f"{path}: could not be saved: {error.strerror}.",
            "Free some disk space or check who may write there, then try again.",
        ) from error


def replace_unsynced(path: Path, data: bytes) -> None:
    """As write_atomically, for what can be found out again: a crash of the machine may
    lose it. Raises OSError."""
    unfinished = unfinished_beside(path)
    try:
        descriptor = open_private(unfinished, os.O_WRONLY | os.O_TRUNC)
        with open(descriptor, "wb") as file:
            file.write(data)
        os.replace(unfinished, path)
    finally:
        with contextlib.suppress(OSError):
            unfinished.unlink(missing_ok=True)


def unfinished_beside(path: Path) -> Path:
    """Where a file is written that will replace `path`. The process id keeps two
    writers from sharing one; what a killed writer left there is removed."""
    start, end = f".{path.name}.", ".tmp"
    with contextlib.suppress(OSError):
        for other in os.scandir(path.parent):
            pid = other.name.removeprefix(start).removesuffix(end)
            if other.name == f"{start}{pid}{end}" and pid.isdecimal():
                if not _is_alive(int(pid)):
                    os.unlink(other.path)
    return path.with_name(f"{start}{os.getpid()}{end}")


def _is_alive(pid: int) -> bool:
    """Whether there may be a process of that id."""
    if os.name != "posix":  # there, signal 0 is one that ends a process
        return True
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        pass
    return True


def sync_folder(folder: Path) -> None:
    """Makes the names in a folder durable (new, replaced and removed files)."""
    with contextlib.suppress(OSError):  # not every file system can do this
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def close_off(folder: Path) -> None:
    """Makes what other libraries wrote below folder private to the user."""
    for base, folders, files in os.walk(folder):
        for name in folders:
            os.chmod(os.path.join(base, name), 0o700)
        for name in files:
            # A database may drop its temporary files while we walk.
            with contextlib.suppress(FileNotFoundError):
                os.chmod(os.path.join(base, name), 0o600)


@dataclass(frozen=True)
class Workspace:
    """The folder of a user's indexes, runs and settings."""

    root: Path

    @classmethod
    def find(cls, given: str | Path | None = None) -> Workspace:
        """What was given, else $CLAIMSCOPE_WORKSPACE, else the user's data folder."""
        return cls(workspace_root(given))

    @property
    def index(self) -> Path:
        """Corpora: one folder each, and the vectors they share."""
        return make_private(self.root / "index")

    @property
    def runs(self) -> Path:
        return make_private(self.root / "runs")

    @property
    def probes(self) -> Path:
        """Probes of models: one file each."""
        return make_private(self.root / "probes")


def cache_folder(name: str) -> Path:
    """A private folder for what can be made again (exported models, the indexes of
    `check`) in the cache of this machine."""
    return make_private(caches.cache_folder().absolute() / safe_name(name))
