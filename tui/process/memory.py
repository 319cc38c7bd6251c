"""Memory is given back by the C library, and looked through for garbage where it helps.

An engine runs for days beside a model, and glibc keeps what threads free in arenas of
their own, and raises the size from which it gives memory back as it sees larger pieces:
a fifth of an engine's memory was kept so.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable

TRIM_THRESHOLD, MMAP_THRESHOLD, ARENA_MAX = -1, -3, -8
"""mallopt(3)"""
PIECE = 1 << 20
ARENAS = 2


def give_back() -> bool:
    """Tells the C library so, where it is glibc; whether it obeyed."""
    mallopt = _of_glibc("mallopt")
    if mallopt is None:
        return False
    wanted = ((ARENA_MAX, ARENAS), (TRIM_THRESHOLD, PIECE), (MMAP_THRESHOLD, PIECE))
    return all([bool(mallopt(option, value)) for option, value in wanted])


def trim() -> bool:
    """Gives back what lies free between what is in use: after an index was written, 11
    MB. Whether anything was. Takes milliseconds."""
    malloc_trim = _of_glibc("malloc_trim")
    return malloc_trim is not None and bool(malloc_trim(0))


def collect_around() -> None:
    """What is there now is no longer looked through for garbage: beside 100,000 rows
    each look took 100 ms, in the middle of a key."""
    gc.freeze()


def collect_all() -> None:
    """It is again."""
    gc.unfreeze()


def _of_glibc(name: str) -> Callable[..., int] | None:
    if not sys.platform.startswith("linux"):
        return None
    import ctypes

    return getattr(ctypes.CDLL(None), name, None)
