"""NaN and the like in a suite file, whatever its format: the field is not there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from claimscope.stores.pages.parsing.missing_values import is_blank, missing_as_written
from claimscope.stores.suites.formats.suite_format import RawSuite

LISTS = ("contexts", "brands", "claims", "citations")


def without_missing(raw: RawSuite, name: str) -> RawSuite:
    """The suite without fields that hold no value but say so; each is named. A plain
    null or empty field stays: the checks of a case know what it means."""
    cases: list[tuple[str, Any]] = []
    missing = list(raw.missing)
    for place, case in raw.cases:
        if not isinstance(case, dict):
            cases.append((place, case))
            continue
        where = f"{name}: {place}" + (f" ({case['id']})" if "id" in case else "")
        gone = dict(_gone(case))
        missing.extend(f"{where}, {part} is missing ({gone[part]})" for part in gone)
        cases.append((place, _kept(case, set(gone)) if gone else case))
    return replace(raw, cases=tuple(cases), missing=tuple(missing))


def _gone(case: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """(`reference` or `contexts[2]`, how no value is written)."""
    for field, value in case.items():
        shown = missing_as_written(value)
        if shown and not is_blank(shown):
            yield str(field), shown
        elif field in LISTS and isinstance(value, list):
            for number, one in enumerate(value, start=1):
                shown = missing_as_written(one)
                if shown and (
                    field == "contexts" or one is None or not is_blank(shown)
                ):
                    yield f"{field}[{number}]", shown


def _kept(case: dict[str, Any], gone: set[str]) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    for field, value in case.items():
        if str(field) in gone:
            continue
        if field in LISTS and isinstance(value, list):
            value = [
                one
                for number, one in enumerate(value, start=1)
                if f"{field}[{number}]" not in gone
            ]
        kept[field] = value
    return kept
