"""The readers that there are, by the suffix of the files they read.

A module of this package that has a `READER` (core's `PageReader`) is a format; to
add one, add a file.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import lru_cache
from pathlib import Path

from claimscope.core.ports import PageReader


@lru_cache(maxsize=1)
def readers() -> dict[str, PageReader]:
    """The reader of each file name suffix, e.g. `.md`."""
    found: dict[str, PageReader] = {}
    for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
        reader = getattr(
            importlib.import_module(f"{__package__}.{module.name}"), "READER", None
        )
        if reader is not None:
            found.update(dict.fromkeys(reader.suffixes, reader))
    return dict(sorted(found.items()))
