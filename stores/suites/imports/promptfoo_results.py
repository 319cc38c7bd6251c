"""Results of promptfoo (`promptfoo eval -o results.json`): tests with their answers.

A test that was put to several providers is one case with an answer of each.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

ANSWERS = " answers"
"""Where a test holds (text, provider) of its answers; no field of promptfoo begins
with a blank."""


def results_of(value: Any) -> list[dict[str, Any]]:
    """The results of a file of results, of every version; empty when it is none."""
    found = value.get("results") if isinstance(value, dict) else None
    found = found.get("results") if isinstance(found, dict) else found
    if not isinstance(found, list):
        return []
    return [
        one
        for one in found
        if isinstance(one, dict)
        and (isinstance(one.get("testCase"), dict) or isinstance(one.get("vars"), dict))
        and {"response", "provider", "success", "testCase"} & set(one)
    ]


def tests_of_results(
    results: Sequence[dict[str, Any]],
) -> Iterator[tuple[str, dict[str, Any]]]:
    """(place, test) of the results, those of one test together."""
    tests: dict[str, tuple[str, dict[str, Any]]] = {}
    for number, result in enumerate(results, start=1):
        test = dict(_object(result.get("testCase")))
        test["vars"] = {**_object(test.get("vars")), **_object(result.get("vars"))}
        key = json.dumps([test["vars"], test.get("assert")], default=str)
        _, test = tests.setdefault(key, (f"result {number}", {**test, ANSWERS: []}))
        text = _output(result)
        if text is not None:
            test[ANSWERS].append((text, _provider(result)))
    yield from tests.values()


def _output(result: dict[str, Any]) -> str | None:
    output = _object(result.get("response")).get("output")
    if isinstance(output, str):
        return output if output.strip() else None
    return None if output is None else json.dumps(output, ensure_ascii=False)


def _provider(result: dict[str, Any]) -> str | None:
    provider = result.get("provider")
    if isinstance(provider, dict):
        provider = provider.get("label") or provider.get("id")
    return provider if isinstance(provider, str) and provider.strip() else None


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
