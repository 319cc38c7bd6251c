"""What a format of suite files is, and which there are.

A module of this package that has a `FORMAT` is a format; to add one, add a file. A
format only takes a file apart; stores/suites/loading.py checks the cases, in the same
words for every format.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

from claimscope.stores.discovery import by_suffix


@dataclass(frozen=True)
class RawSuite:
    """A suite file taken apart, nothing checked yet."""

    fields: dict[str, Any]
    """Everything but the cases."""
    cases: tuple[tuple[str, Any], ...]
    """(place in the file, e.g. `case 7`, what stands there)."""
    problems: tuple[str, ...] = ()
    """Parts that could not be read, with their place."""
    missing: tuple[str, ...] = ()
    """Fields that hold no value, such as NaN, with their place."""


class SuiteFormat(Protocol):
    """Reads one format of suite files."""

    suffixes: tuple[str, ...]

    def read(self, text: str, name: str) -> RawSuite:
        """Takes a file apart. `name` stands in messages. Raises SuiteError when
        nothing of it can be read."""


@lru_cache(maxsize=1)
def formats() -> dict[str, SuiteFormat]:
    """The format of each file name suffix, e.g. `.json`."""
    return by_suffix(str(__package__), "FORMAT")
