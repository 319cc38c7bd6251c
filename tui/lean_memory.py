"""The C library's memory is given back: an engine runs for days beside a model.

glibc keeps what threads free in arenas of their own, and raises the size from which it
gives memory back as it sees larger pieces: a fifth of an engine's memory was kept so.
"""

from __future__ import annotations

import sys

TRIM_THRESHOLD, MMAP_THRESHOLD, ARENA_MAX = -1, -3, -8
"""mallopt(3)"""
PIECE = 1 << 20
ARENAS = 2


def give_back() -> bool:
    """Tells the C library so, where it is glibc; whether it obeyed."""
    if not sys.platform.startswith("linux"):
        return False
    import ctypes

    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:
        return False
    wanted = ((ARENA_MAX, ARENAS), (TRIM_THRESHOLD, PIECE), (MMAP_THRESHOLD, PIECE))
    return all([bool(mallopt(option, value)) for option, value in wanted])
