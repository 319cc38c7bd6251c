"""Values that are none, and lists as programs print them, put into every import.

    python -m benchmarks.durability.missing_values [--lists 2000] [--seed 7]

Every way of writing no value is put into every field of a row of each tool, as JSON
lines and as a table. It fails when the row's text says "nan" or the like, when a field
is not named, or when the other row is lost. Then lists of random passages are printed
as JSON, Python, numpy and LangChain print them: read back they are the same passages,
and with the end cut off they are refused, or it fails. Prints tries and failures; exit
1 for any.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import random
import sys
from collections.abc import Iterator

from claimscope.core.errors import SuiteError
from claimscope.stores.suites.formats.cell_lists import UnreadableList
from claimscope.stores.suites.formats.contexts import passages
from claimscope.stores.suites.importing import import_text

TOOLS = {
    "ragas": ("user_input", "response", "reference", "retrieved_contexts"),
    "DeepEval": ("input", "actual_output", "expected_output", "context"),
    "RAGChecker": ("query", "response", "gt_answer", "retrieved_context"),
}
"""Fields of question, answer, reference and contexts."""
JSON_WAYS = ("NaN", "Infinity", "-Infinity", "null", '""', '" "', '"nan"', '"NaN"')
CELL_WAYS = (
    "",
    " ",
    "nan",
    "NaN",
    "None",
    "null",
    "NULL",
    "<NA>",
    "NaT",
    "inf",
    "-inf",
)
WORDS = {"nan", "none", "null", "<na>", "nat", "inf", "-inf", "infinity"}
PIECES = (
    "The lock's gate", 'a "toll"', "opens;", "[1]", "(see)", "{x}", "\\d+", "a, b",
    "3.5", "né", "'", '"', "...", "line\nbreak", "nan", "—",
)  # fmt: skip


def files(fields: tuple[str, ...], gone: str) -> Iterator[tuple[str, str]]:
    """(name, text) of files of two rows; the first one lacks a field, in every way."""
    good = dict(zip(fields, ("Who?", "Ada.", "Ada.", ["Ada."]), strict=True))
    row = {**good, fields[0]: "Which?"}
    for way in JSON_WAYS:
        held = json.dumps({**row, gone: "\0"}).replace('"\\u0000"', way)
        yield f"a.jsonl ({way})", f"{held}\n{json.dumps(good)}\n"
    for way in CELL_WAYS:
        out = io.StringIO()
        table = csv.writer(out)
        table.writerow(fields)
        cells = {**row, gone: way}
        table.writerow([str(cells[name]) for name in fields])
        table.writerow([str(good[name]) for name in fields])
        yield f"a.csv ({way!r})", out.getvalue()


def fault(name: str, text: str, gone: str) -> str | None:
    """What is wrong with an import, if anything."""
    try:
        found = import_text(text, name.split(" ")[0])
    except SuiteError as error:
        return f"refused: {error.message}"
    said = [case.reference for case in found.suite.cases]
    said += [case.question for case in found.suite.cases]
    said += [answer.text for answer in found.answers]
    said += [one for case in found.suite.cases for one in case.contexts]
    if any((one or "x").strip().lower() in WORDS for one in said):
        return f"taken for a text: {said}"
    if not any(source.startswith(gone) for source, _ in found.missing):
        return "not named"
    return None if "Who?" in said else "the other row is lost"


def printed(texts: list[str]) -> Iterator[str]:
    """A list as programs print it."""
    inner = [repr(text) for text in texts]
    yield json.dumps(texts)
    yield f"[{', '.join(inner)}]"
    yield f"({', '.join(inner)},)"
    yield f"[{' '.join(inner)}]"
    yield f"array([{', '.join(inner)}], dtype=object)"
    yield f"[{', '.join(f'Document(metadata={{}}, page_content={i})' for i in inner)}]"


def list_fault(cell: str, texts: list[str]) -> str | None:
    """Whether it is read back; cut off, whether it is refused."""
    try:
        if (found := passages(cell)) != texts:
            return f"{cell!r} was read as {found!r}"
    except UnreadableList as error:
        return f"{cell!r}: {error}"
    try:
        cut = passages(cell[:-1])
    except UnreadableList:
        return None
    return f"{cell[:-1]!r} was taken for {cut!r}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lists", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    tries, faults = 0, []
    for tool, fields in TOOLS.items():
        for gone in fields:
            for name, text in files(fields, gone):
                tries += 1
                if wrong := fault(name, text, gone):
                    faults.append(f"{tool}, {gone}, {name}: {wrong}")
    print(f"missing values: {tries} tries, {len(faults)} failures")
    chance, lists, wrong_lists = random.Random(options.seed), 0, []
    while lists < options.lists:
        count = chance.randint(2, 4)
        texts = [
            "A " + " ".join(chance.choices(PIECES, k=chance.randint(1, 4)))
            for _ in range(count)
        ]
        for cell in printed(texts):
            lists += 1
            if wrong := list_fault(cell, texts):
                wrong_lists.append(wrong)
    print(f"lists: {lists} tries, {len(wrong_lists)} failures")
    for one in (*faults, *wrong_lists)[:20]:
        print(f"  {one}")
    return 1 if faults or wrong_lists else 0


if __name__ == "__main__":
    sys.exit(main())
