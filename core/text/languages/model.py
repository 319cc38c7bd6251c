"""The model that tells languages apart, unpacked once.

py3langid unpacks 68 MB each time, 0.3 s, and holds them; of a text it looks at a few
thousand numbers. So they are unpacked once into the cache and mapped from there: what
nobody looks at is in no memory, and several processes share what they read.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from claimscope.core.caches import cache_folder
from claimscope.core.models import digest

ARRAYS = ("ptc", "pc", "classes", "next", "row", "output")
FORMAT = 1
"""Raised when what is unpacked changes; folders of older formats are ignored."""


def identifier() -> Any:
    """py3langid's LanguageIdentifier, which gives chances; from the cache, where that
    can be used."""
    from py3langid.langid import MODEL_DIR, MODEL_FILE, LanguageIdentifier

    folder = cache_folder() / f"languages-{_name(Path(MODEL_DIR) / MODEL_FILE)}"
    with suppress(OSError, ValueError, EOFError):  # not there, or damaged
        return _mapped(folder)
    found = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    with suppress(OSError):  # a full disk, a folder of somebody else
        _unpack(found, folder)
        return _mapped(folder)
    return found


def _name(packed: Path) -> str:
    """Another one for another file."""
    try:
        now = packed.stat()
    except OSError:
        return "none"
    return digest(str(FORMAT), str(now.st_size), str(now.st_mtime_ns))[:16]


def _mapped(folder: Path) -> Any:
    """Raises OSError, ValueError where the folder does not hold what it should."""
    import numpy as np
    from py3langid.langid import LanguageIdentifier

    ptc, pc, classes, following, row, output = (
        np.load(folder / f"{name}.npy", mmap_mode="r") for name in ARRAYS
    )
    if (
        ptc.shape[1:] != pc.shape
        or pc.shape != classes.shape
        or row.size != output.size
    ):
        raise ValueError(f"{folder}: these arrays do not belong together")
    return LanguageIdentifier(
        ptc,
        np.array(pc),
        classes.tolist(),
        memoryview(following),  # gives numbers of Python, as the library's own does
        output.tolist(),
        norm_probs=True,
        tk_row=row.tolist(),
    )


def _unpack(found: Any, folder: Path) -> None:
    """Whole or not at all; of two processes one wins. Raises OSError."""
    import numpy as np

    folder.parent.mkdir(parents=True, exist_ok=True)
    part = Path(tempfile.mkdtemp(prefix=folder.name, suffix=".part", dir=folder.parent))
    try:
        arrays = (
            found.nb_ptc,
            found.nb_pc,
            np.array(found.nb_classes),
            np.asarray(found.tk_nextmove),
            np.asarray(found.tk_row),
            np.asarray(found.tk_output, dtype=np.int32),
        )
        for name, array in zip(ARRAYS, arrays, strict=True):
            np.save(part / f"{name}.npy", array, allow_pickle=False)
        shutil.rmtree(folder, ignore_errors=True)  # a damaged one
        with suppress(OSError):  # another process was first
            os.rename(part, folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)
