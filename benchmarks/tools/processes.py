"""What processes use while something is measured: processor time and memory, looked at
a few times a second. Shared by cluster.py and cluster_scale.py; not a benchmark of its
own. Linux only.
"""

from __future__ import annotations

import os
import re
import threading
import time
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

LOOK = 0.25
"""Seconds between looks."""
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Look:
    at: float
    """Seconds since 1970."""
    processor: float
    """Seconds until then, user and system."""
    resident: float
    """MB."""


def look(pid: int) -> Look | None:
    """None when it has ended."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return None
    words = stat.rpartition(")")[2].split()  # a name may hold blanks
    resident = re.search(r"^VmRSS:\s+(\d+) kB", status, re.MULTILINE)
    if resident is None:
        return None
    ticks = int(words[11]) + int(words[12])
    return Look(time.time(), ticks / TICKS, int(resident[1]) / 1024)


@dataclass
class Watch:
    """Looks at processes by name until it is left; use as a context manager."""

    seen: dict[str, list[Look]] = field(default_factory=dict)
    _pids: dict[str, int] = field(default_factory=dict)
    _ended: threading.Event = field(default_factory=threading.Event)

    def add(self, **pids: int) -> None:
        """Looks at these from now on, too."""
        self._pids |= pids

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._look_on, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _look_on(self) -> None:
        while not self._ended.is_set():
            for name, pid in list(self._pids.items()):
                if (found := look(pid)) is not None:
                    self.seen.setdefault(name, []).append(found)
            self._ended.wait(LOOK)

    def processor(self, since: float, until: float) -> Mapping[str, float]:
        """Seconds each used between two times."""
        return {
            name: at(looks, until).processor - at(looks, since).processor
            for name, looks in self.seen.items()
        }

    def peak(self) -> Mapping[str, float]:
        """MB each held at most."""
        return {n: max(one.resident for one in v) for n, v in self.seen.items()}


def at(looks: list[Look], when: float) -> Look:
    """The last look until then; the first where there is none."""
    return looks[max(0, bisect_right(looks, when, key=lambda one: one.at) - 1)]
