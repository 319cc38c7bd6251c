"""Tests of promptfoo: a configuration, a file of tests, its CSV, or its results.

The question is the variable that is named like one, else the prompt with the variables
filled in. Of the assertions, those that state the right answer become the reference,
rubrics the rationale; checks by code or by words have no place in a suite.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from claimscope.stores.pages.parsing.missing_values import missing_as_written
from claimscope.stores.suites.imports.collector import Collector, ImportedRow
from claimscope.stores.suites.imports.document import ToolFile

QUESTIONS = (
    "question query input user_input user_question prompt message user_message text"
).split()
CONTEXTS = ("context", "contexts", "documents", "retrieved_context", "passages")
REFERENCES = ("reference_answer", "reference", "expected_answer", "expectedAnswer")
_STATES = {
    "factuality",
    "model-graded-factuality",
    "equals",
    "similar",
    "context-recall",
}
_RUBRICS = {"llm-rubric", "model-graded-closedqa", "g-eval"}
_EXPECTED = re.compile(r"__expected\d*")
_TYPED = re.compile(r"([a-z][a-z-]+)(?:\([\d.]+\))?:\s*(.*)", re.S)
_VARIABLE = re.compile(r"\{\{-?\s*([\w.]+)\s*-?\}\}")
MOST_COMBINATIONS = 1_000
"""Cases of one test whose variables are lists; promptfoo makes one of each."""


class Promptfoo:
    """Nothing is fetched or run: `file://` and code are named and left."""

    name = "promptfoo"
    order = 15
    lists: tuple[str, ...] = ()

    def fits(self, document: ToolFile) -> bool:
        value = document.value
        if isinstance(value, dict):
            has_tests = "tests" in value or isinstance(value.get("scenarios"), list)
            return (has_tests and "cases" not in value) or bool(results_of(value))
        return any(
            isinstance(row.get("vars"), dict) or any(map(_is_expected, row))
            for _, row in document.rows
        )

    def take(self, document: ToolFile, into: Collector) -> None:
        config = document.value if isinstance(document.value, dict) else {}
        prompt = _prompt(config)
        known = {"tests", "prompts", "defaultTest", "scenarios"}
        if results_of(config):
            known = {"results"}
        for name in sorted(set(map(str, config)) - known):
            into.left[(name, "settings of promptfoo")] += 1
        common = config.get("defaultTest")
        common = common if isinstance(common, dict) else {}
        for place, test in _tests(document, into):
            merged = _merge_tests(common, _from_csv(test) if _is_flat(test) else test)
            for variables in _combinations(merged.get("vars"), place, into):
                _take_test(place, {**merged, "vars": variables}, prompt, into)


def _take_test(
    place: str, test: dict[str, Any], prompt: str | None, into: Collector
) -> None:
    variables = test["vars"]
    inside = variables.pop("assert", None)
    files = [n for n, v in variables.items() if str(v)[:7] == "file://"]
    if files:
        into.skip(place, f"variable {files[0]} is a file, which is not followed")
        return
    metadata = test.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    row = into.row(place, {**metadata, **variables})
    row.case["id"] = row.text("case_id") or row.case["id"]
    if _question(row, variables, prompt) is None:
        into.problems.append(
            f"{place}: no variable is the question; name one of them question"
        )
        into.rows -= 1
        return
    row.take_contexts(*CONTEXTS)
    row.take("reference", *REFERENCES)
    row.take("category", "category")
    row.take_difficulty("difficulty")
    if isinstance(inside, list):
        # promptfoo warns of it; what was meant is plain.
        row.no_place(
            "assert in vars", "promptfoo checks none in vars; read as a test's"
        )
        _assertions(row, inside)
    elif inside is not None:
        row.no_place("assert in vars", "no list of checks")
    _assertions(row, test.get("assert"))
    if isinstance(test.get("description"), str) and "rationale" not in row.case:
        row.case["rationale"] = test["description"]
        into.took("description", "case.rationale")
    if isinstance(test.get("providerOutput"), str):
        row.answer(
            test["providerOutput"], "providerOutput", provider=row.text("provider")
        )
    for text, provider in test.get(ANSWERS) or ():
        row.answer(text, "response.output", provider=provider)
    known = ("vars", "assert", "metadata", "description", "providerOutput", ANSWERS)
    for name in test:
        if name not in known:
            row.no_place(str(name)[:60], "settings of promptfoo")
    row.close()


def _question(
    row: ImportedRow, variables: dict[str, Any], prompt: str | None
) -> str | None:
    question = row.take("question", *QUESTIONS)
    if question is None and prompt and _VARIABLE.search(prompt):
        question = _fill_in(prompt, row)
        row.used |= set(_VARIABLE.findall(prompt))
        row.case["question"] = question
        row.into.took("prompts", "case.question")
    elif question is None and len(variables) == 1:
        question = row.take("question", next(iter(variables)))
    return question


def _fill_in(text: str, row: ImportedRow) -> str:
    """A text with the variables of a test; one without a value is left empty."""

    def value(match: re.Match[str]) -> str:
        found = row.fields.get(match.group(1))
        return "" if found is None else str(found)

    return _VARIABLE.sub(value, text)


def _assertions(row: ImportedRow, given: Any) -> None:
    for one in given if isinstance(given, list) else []:
        if not isinstance(one, dict):
            continue
        kind, value = str(one.get("type", "?"))[:60], one.get("value")
        # {{reference_answer}} as value: a variable of the test.
        if isinstance(value, str):
            value = _fill_in(value, row)
        target = {**dict.fromkeys(_STATES, "reference")}.get(kind)
        target = "rationale" if kind in _RUBRICS else target
        if not isinstance(value, str | int | float) or not str(value).strip():
            target = None
        if target is None:
            row.no_place(f"assert {kind}", "a check that no field of a case holds")
        elif target not in row.case:
            row.case[target] = str(value)
            row.into.took(f"assert {kind}", f"case.{target}")
        elif row.case[target] != str(value):
            row.no_place(f"assert {kind}", f"the case has a {target} already")


def _tests(document: ToolFile, into: Collector) -> Iterator[tuple[str, dict[str, Any]]]:
    if document.rows:
        yield from document.rows
        return
    config = document.value
    if results := results_of(config):
        yield from tests_of_results(results)
        return
    yield from _test_list(config.get("tests"), "test", into)
    scenarios = config.get("scenarios")
    for number, scenario in enumerate(
        scenarios if isinstance(scenarios, list) else (), 1
    ):
        if isinstance(scenario, dict):
            yield from _of_scenario(scenario, f"scenario {number}", into)
        else:
            into.skip(
                f"scenario {number}", "it is not followed; import that file itself"
            )


def _of_scenario(
    scenario: dict[str, Any], place: str, into: Collector
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each test of a scenario with the data of each of its configurations."""
    configs = scenario.get("config")
    configs = configs if isinstance(configs, list) else [configs]
    commons = [one for one in configs if isinstance(one, dict)] or [{}]
    tests = list(_test_list(scenario.get("tests"), f"{place}, test", into))
    for number, common in enumerate(commons, 1):
        for where, test in tests or [(place, {})]:
            yield f"{where}, config {number}", _merge_tests(common, test)


def _test_list(
    tests: Any, noun: str, into: Collector
) -> Iterator[tuple[str, dict[str, Any]]]:
    if tests is None:
        return
    for number, test in enumerate(tests if isinstance(tests, list) else [tests], 1):
        if isinstance(test, dict):
            yield f"{noun} {number}", test
        else:
            what = f"{test[:80]} is" if isinstance(test, str) else "it is"
            into.skip(
                f"{noun} {number}", f"{what} not followed; import that file itself"
            )


def _prompt(config: dict[str, Any]) -> str | None:
    """The first prompt, when it stands in the configuration itself."""
    prompts = config.get("prompts")
    first = prompts[0] if isinstance(prompts, list) and prompts else prompts
    if isinstance(first, dict):
        first = first.get("raw")
    return first if isinstance(first, str) and first[:7] != "file://" else None


def _merge_tests(common: dict[str, Any], test: dict[str, Any]) -> dict[str, Any]:
    merged = {**common, **test}
    for name in ("vars", "metadata"):
        one, two = common.get(name), test.get(name)
        merged[name] = {
            **(one if isinstance(one, dict) else {}),
            **(two if isinstance(two, dict) else {}),
        }
    lists = (source.get("assert") for source in (test, common))
    merged["assert"] = [
        one for found in lists if isinstance(found, list) for one in found
    ]
    return merged


def _combinations(
    variables: Any, place: str, into: Collector
) -> Iterator[dict[str, Any]]:
    """Each combination of the values of variables that are lists, contexts aside."""
    fields = (
        {str(k): v for k, v in variables.items()} if isinstance(variables, dict) else {}
    )
    lists = {
        name: value
        for name, value in fields.items()
        if isinstance(value, list) and value and name not in (*CONTEXTS, "assert")
    }
    for count, chosen in enumerate(itertools.product(*lists.values())):
        if count == MOST_COMBINATIONS:
            into.problems.append(
                f"{place}: more than {MOST_COMBINATIONS:,} combinations of variables;"
                " the others are left out"
            )
            return
        yield {**fields, **dict(zip(lists, chosen, strict=True))}


def _is_expected(name: Any) -> bool:
    return isinstance(name, str) and _EXPECTED.fullmatch(name) is not None


def _is_flat(row: dict[str, Any]) -> bool:
    """Whether a test is a row of a table: its variables stand beside what is expected.
    Such rows come as CSV, and as YAML and JSON as well."""
    return not isinstance(row.get("vars"), dict) and any(map(_is_expected, row))


def _from_csv(row: dict[str, Any]) -> dict[str, Any]:
    """The test of a CSV row: `__expected…`, `__metadata:…`, other columns variables."""
    test: dict[str, Any] = {"vars": {}, "assert": [], "metadata": {}}
    for name, value in row.items():
        if missing_as_written(value):
            continue
        if _is_expected(name):
            match = _TYPED.fullmatch(str(value))
            kind, text = match.groups() if match else ("equals", str(value))
            test["assert"].append({"type": kind, "value": text})
        elif name.startswith("__metadata:"):
            test["metadata"][name.removeprefix("__metadata:")] = value
        elif name == "__description":
            test["description"] = value
        elif name.startswith("__"):
            test[name] = value
        else:
            test["vars"][name] = _parse_value(value)
    return test


def _parse_value(value: Any) -> Any:
    if not isinstance(value, str) or value[:1] not in "[{":
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


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


IMPORTER = Promptfoo()
