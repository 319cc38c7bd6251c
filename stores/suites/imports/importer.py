"""What knows the files of another tool, and which tools there are.

A module of this package that has an `IMPORTER` is one; to add a tool, add a file. A
file is recognised by what stands in it, never by its name. What an importer has no
place for is counted and said: nothing is dropped in silence.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from claimscope.stores.suites.imports.collector import Collector
from claimscope.stores.suites.imports.document import ToolFile


class Importer(Protocol):
    """Knows the files of one tool."""

    name: str
    """As people know the tool."""
    order: int
    """Lower is asked first; the shapes of some tools are special cases of others'."""

    lists: tuple[str, ...]
    """Names under which a file may keep its rows; other names at the top of a file
    have no place."""

    def fits(self, document: ToolFile) -> bool:
        """Whether the file is one of this tool."""

    def take(self, document: ToolFile, into: Collector) -> None:
        """Adds cases and answers, and says what had no place."""


@lru_cache(maxsize=1)
def importers() -> tuple[Importer, ...]:
    """All importers, in the order in which they are asked."""
    found: list[Importer] = []
    for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
        importer = getattr(
            importlib.import_module(f"{__package__}.{module.name}"), "IMPORTER", None
        )
        if importer is not None:
            found.append(importer)
    return tuple(sorted(found, key=lambda importer: importer.order))


def importer_of(document: ToolFile) -> Importer | None:
    """The importer that knows this file, if any."""
    return next((one for one in importers() if one.fits(document)), None)
