"""Files that a person edits, looked at again and again.

By their times and sizes, in every file system alike: what tells of changes by itself
does not do so for network drives and containers. Looking takes at most a twentieth of
a processor, however many files there are.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from claimscope.core.report.text import one_line

EVERY_SECONDS = 0.5
SHARE = 20
"""As many times longer than looking takes is waited before looking again."""
State = dict[str, tuple[int, int, int]]
"""(time, size, inode) of each file."""


def changes(
    files: Sequence[Path],
    folders: Sequence[Path],
    sleep: Callable[[float], None] | None = None,
) -> Iterator[str]:
    """Nothing at first, then what changed, in words, each time that files have changed
    and do not go on changing. Ends by an interrupt."""
    seen = state_of(files, folders)
    yield ""
    while True:
        begin = time.monotonic()
        now = state_of(files, folders)
        wait = max(EVERY_SECONDS, SHARE * (time.monotonic() - begin))
        (sleep or rest)(wait)
        # What was saved while it was judged is a change too; half a file is none.
        if now == seen or state_of(files, folders) != now:
            continue
        told, seen = in_words(seen, now), now
        yield told


def rest(seconds: float) -> None:
    time.sleep(seconds)


def state_of(files: Sequence[Path], folders: Sequence[Path]) -> State:
    found: State = {}
    for path in files:
        _look(str(path), found)
    for folder in folders:
        for base, names, here in os.walk(folder):
            names[:] = [name for name in names if not name.startswith(".")]
            for name in here:
                if not name.startswith("."):
                    _look(os.path.join(base, name), found)
    return found


def _look(path: str, found: State) -> None:
    try:
        now = os.stat(path)
    except OSError:  # gone, or a link that leads nowhere
        return
    found[path] = (now.st_mtime_ns, now.st_size, now.st_ino)


def in_words(before: State, now: State) -> str:
    """`a.md`, or `a.md and 2 more`."""
    names = sorted(
        name for name in before.keys() | now.keys() if before.get(name) != now.get(name)
    )
    rest = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return one_line(names[0]) + rest if names else ""
