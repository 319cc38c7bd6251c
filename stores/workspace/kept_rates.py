"""How well language models read, kept in this machine's cache.

It is counted on 72 claims, which takes as long as judging a long answer. What is kept
is found by weights, cases, prompts and way of asking, so it never speaks of others. It
can be made again: a file that cannot be read or written costs the counting, and no run.
"""

from __future__ import annotations

from contextlib import suppress

from pydantic import TypeAdapter, ValidationError

from claimscope.core.errors import ClaimscopeError
from claimscope.core.verify.witnesses.reading_rates import ReadingRates
from claimscope.stores.workspace.paths import cache_folder, safe_name, write_atomically
from claimscope.stores.workspace.regular_files import read_regular

FOLDER = "readers"
_RATES = TypeAdapter(ReadingRates)


class DiskKeptRates:
    """Implements core's KeptRates: a file for each key."""

    def known(self, key: str) -> ReadingRates | None:
        """The rates kept for a key; None where there are none, or none to be read."""
        with suppress(OSError, ClaimscopeError, ValidationError):
            path = cache_folder(FOLDER) / f"{safe_name(key)}.json"
            return _RATES.validate_json(read_regular(path))
        return None

    def keep(self, key: str, rates: ReadingRates) -> None:
        """Keeps them, if the cache can be written."""
        with suppress(OSError, ClaimscopeError):
            path = cache_folder(FOLDER) / f"{safe_name(key)}.json"
            write_atomically(path, _RATES.dump_json(rates))
