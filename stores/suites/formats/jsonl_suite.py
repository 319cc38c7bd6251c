"""Suites as JSON lines: one case a line; a first line with "format" is the suite's."""

from __future__ import annotations

import json
from pathlib import PurePath
from typing import Any

from claimscope.stores.suites.formats.suite_format import RawSuite


class JsonLinesSuite:
    """Its id is the file's name when the first line gives none."""

    suffixes: tuple[str, ...] = (".jsonl", ".ndjson")

    def read(self, text: str, name: str) -> RawSuite:
        objects, problems = json_lines(text, name)
        fields: dict[str, Any] = {}
        if objects and "format" in objects[0][1] and "question" not in objects[0][1]:
            fields = objects.pop(0)[1]
        fields.setdefault("id", PurePath(name).stem)
        return RawSuite(
            fields,
            tuple((f"line {number}", case) for number, case in objects),
            tuple(problems),
        )


def json_lines(text: str, name: str) -> tuple[list[tuple[int, Any]], list[str]]:
    """(line number, object) of each line, and what is wrong with the others."""
    objects: list[tuple[int, Any]] = []
    problems: list[str] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except json.JSONDecodeError as error:
            problems.append(
                f"{name}, line {number}, column {error.colno}: not JSON: {error.msg}"
            )
            continue
        except (RecursionError, ValueError) as error:
            problems.append(f"{name}, line {number}: not JSON: {error}")
            continue
        if isinstance(value, dict):
            objects.append((number, value))
        else:
            problems.append(f"{name}, line {number}: not a JSON object")
    return objects, problems


FORMAT = JsonLinesSuite()
