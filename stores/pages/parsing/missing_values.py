"""Values that stand for no value, as programs and people write them.

A table that went through pandas says NaN where nothing was, and str() of it is "nan";
taken for text, it would be judged as an answer.
"""

from __future__ import annotations

import math
from typing import Any

PROGRAMS = frozenset("nan nat none null <na> inf -inf infinity -infinity".split())
"""What programs print for no value; in a cell of a table, whatever its column."""
PEOPLE = frozenset("n/a na #n/a #na".split())
"""What people write into a cell that they leave open."""
IN_TEXTS = frozenset(("nan", "NaN", "<NA>", "NaT"))
"""What nobody says: no value in JSON either, where "None" may be an answer."""
SPOKEN = frozenset(
    """answer response actual_output generatedResponse providerOutput text id page_id
    pmid case_id query_id queryLogId query_log_id queryId""".split()
)
"""Columns in which "N/A" or "NA" may be meant: a system said it, or a name is one."""


def missing_as_written(value: Any) -> str | None:
    """How no value is written in JSON or YAML (`NaN`, `null`, `an empty text`); None
    when there is a value."""
    if value is None:
        return "null"
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity"
    if isinstance(value, str):
        plain = value.strip()
        return "an empty text" if not plain else plain if plain in IN_TEXTS else None
    if isinstance(value, list | tuple | dict) and not value:
        return "an empty list" if not isinstance(value, dict) else "an empty object"
    return None


def missing_in_cell(cell: Any, column: str = "") -> str | None:
    """The same of a cell of a table, where every value is text."""
    if not isinstance(cell, str):
        return missing_as_written(cell)
    plain = cell.strip()
    if not plain:
        return "an empty cell"
    known = PROGRAMS if column in SPOKEN else PROGRAMS | PEOPLE
    return plain if plain.lower() in known else None


def is_blank(shown: str) -> bool:
    """Whether that is the plain way to say that there is nothing."""
    return shown == "null" or shown.startswith("an empty ")
