"""The end state of each fault, as one table at the end of a test run.

A test records its row by `record_property`, so that the table is whole when several
processes run the tests.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

import pytest

PROPERTY = "end state of a fault"


def row(number: int, name: str, what: str, calls: int, end: str) -> tuple[str, str]:
    """The arguments of `record_property` for one fault."""
    return PROPERTY, json.dumps([number, name, what, calls, end])


def rows(reports: Iterable[object]) -> list[tuple[int, str, str, int, str]]:
    """The rows that tests recorded, in the order of the faults."""
    found = {
        value
        for report in reports
        if getattr(report, "when", None) == "call"
        for key, value in getattr(report, "user_properties", ())
        if key == PROPERTY
    }
    return sorted(tuple(json.loads(value)) for value in found)


def table(found: Iterable[tuple[int, str, str, int, str]]) -> list[str]:
    """Lines for people."""
    return [
        f"{number:>2}  {name:<23}{what:<44}{calls:>5}  {end}"
        for number, name, what, calls, end in found
    ]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Writes the table when tests of faults ran."""
    reports = [one for kind in terminalreporter.stats.values() for one in kind]
    if found := rows(reports):
        terminalreporter.section("faults of Ollama and how each ends")
        terminalreporter.write_line(
            f"{'':<4}{'fault':<23}{'what the server does':<44}{'calls':>5}  end state"
        )
        for text in table(found):
            terminalreporter.write_line(text)
