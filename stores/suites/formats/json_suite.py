"""Suites as one JSON object: title, pages, answers and a list of cases."""

from __future__ import annotations

import json
from typing import Any

from claimscope.core.errors import SuiteError
from claimscope.stores.suites.formats.suite_format import RawSuite


class JsonSuite:
    """The format of the suites that ship."""

    suffixes: tuple[str, ...] = (".json",)

    def read(self, text: str, name: str) -> RawSuite:
        return parts(load(text, name), name)


def load(text: str, name: str) -> Any:
    """The value of a JSON file. Raises SuiteError naming line and column."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise SuiteError(
            f"{name}, line {error.lineno}, column {error.colno}: not JSON:"
            f" {error.msg}.",
            "Look there for a missing comma, quotation mark or bracket.",
        ) from error
    except (RecursionError, ValueError) as error:
        raise SuiteError(f"{name}: not JSON: {error}.", "Check the file.") from error


def parts(data: Any, name: str) -> RawSuite:
    """The cases of a suite and the rest of it. Raises SuiteError without cases."""
    if not isinstance(data, dict) or not isinstance(data.get("cases"), list):
        raise SuiteError(
            f'{name}: there is no list "cases" in it.',
            'A suite is {"id": …, "cases": [{"id": …, "question": …}, …]};'
            " `claimscope suite import` makes one of other tools' files.",
        )
    cases = data.pop("cases")
    return RawSuite(
        data, tuple((f"case {n}", case) for n, case in enumerate(cases, start=1))
    )


FORMAT = JsonSuite()
