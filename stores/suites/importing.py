"""A file of another tool becomes a suite and its answers, and a report of both.

A module of `imports/` that has an `IMPORTER` knows a tool; to add one, add a file. A
file is recognised by what stands in it, never by its name. What an importer has no
place for is counted and said: nothing is dropped in silence.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

from pydantic import ValidationError

from claimscope.core.errors import SuiteError
from claimscope.core.models import Answer, Case, Suite
from claimscope.stores.discovery import members
from claimscope.stores.suites.formats.text_file import text_of
from claimscope.stores.suites.imports.collector import Collector
from claimscope.stores.suites.imports.column_mapping import ColumnMapping, parse_mapping
from claimscope.stores.suites.imports.document import ToolFile, read_document
from claimscope.stores.suites.imports.tables import is_table, read_table
from claimscope.stores.suites.validation_messages import problems_of


@dataclass(frozen=True)
class ImportResult:
    """What became of a file."""

    tool: str
    suite: Suite
    answers: tuple[Answer, ...]
    rows: int
    taken: tuple[tuple[str, str, int], ...]
    """(their field, our field, how often)."""
    left: tuple[tuple[str, str, int], ...]
    """(their field, why it has no place, how often)."""
    problems: tuple[str, ...]
    """Rows that were not taken, with place and reason."""
    missing: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = ()
    """(their field, (place, how no value is written) of each)."""


def import_text(text: str, name: str, provider: str = "imported") -> ImportResult:
    """The suite of a file's text. Raises as `import_document`."""
    return import_document(read_document(text, name), provider)


def import_file(
    path: Path, provider: str = "imported", mapping: str | None = None
) -> ImportResult:
    """The suite of a file, or of a folder of `datasets`; `mapping` says which columns
    of a file that no tool is known by are what. Raises SuiteError."""
    return import_document(document_of(path), provider, mapping)


def document_of(path: Path) -> ToolFile:
    """The rows of a file or folder. Raises SuiteError."""
    if is_table(path):
        return read_table(path)
    if path.is_dir():
        raise SuiteError(
            f"{path}: it is no folder of a dataset.",
            "Name a file, or a folder that datasets has saved (dataset_info.json).",
        )
    return read_document(text_of(path), path.name)


def import_document(
    document: ToolFile, provider: str = "imported", mapping: str | None = None
) -> ImportResult:
    """The suite of rows. `provider` is who answered when the file does not say. Raises
    SuiteError when no tool's file is recognised, or no case is in it."""
    name = document.name
    importer = (
        ColumnMapping(parse_mapping(mapping)) if mapping else importer_of(document)
    )
    if importer is None:
        raise _not_recognised(document)
    found = Collector(problems=list(document.problems), cells=document.kind == "csv")
    found.left.update(document.left)
    importer.take(document, found)
    _count_left_beside(document, importer, found)
    cases = _cases(found, name)
    if not cases:
        raise SuiteError(
            f"{name}: no case could be taken from it ({importer.name})."
            + "".join(f"\n  {problem}" for problem in found.problems[:10]),
            "Correct the file.",
        )
    answers = _answers(found, cases, provider, name)
    suite = Suite(
        id=Path(name).stem or "imported",
        title=f"Imported from {importer.name}",
        metadata=found.about,
        cases=tuple(cases.values()),
    )
    return ImportResult(
        importer.name,
        suite,
        answers,
        found.rows,
        tuple((a, b, n) for (a, b), n in sorted(found.taken.items())),
        tuple((a, b, n) for (a, b), n in sorted(found.left.items())),
        tuple(found.problems),
        tuple((name, tuple(places)) for name, places in found.missing.items()),
    )


def _not_recognised(document: ToolFile) -> SuiteError:
    """Why no tool's file is recognised."""
    name = document.name
    if document.problems and not document.value:
        return SuiteError("\n".join(document.problems[:10]) + ".", "Correct the file.")
    if isinstance(document.value, dict) and "cases" in document.value:
        return SuiteError(
            f"{name}: it is a suite already.",
            f"`claimscope suite lint {name}` checks it.",
        )
    tools = ", ".join(one.name for one in importers())
    seen = _field_names(document.value)
    return SuiteError(
        f"{name}: it is no file of a tool that is known here{seen}.",
        "Say what its columns are (--map question=COLUMN,answer=COLUMN,"
        "reference=COLUMN,contexts=COLUMN). Known without it: "
        f"{tools}; what each needs is in docs/formats.md.",
    )


def tool_of_text(text: str, name: str) -> str | None:
    """The tool whose file this is, if it is one."""
    try:
        importer = importer_of(read_document(text, name))
    except SuiteError:
        return None
    return importer.name if importer else None


def read_other_tools_file(path: Path) -> ToolFile | None:
    """The rows of a file or folder of another tool; None when it is none. Raises
    SuiteError for a file that only another tool's can be and that cannot be read."""
    if path.is_file() and is_table(path):
        return document_of(path)
    try:
        document = document_of(path)
    except SuiteError:
        return None
    return document if importer_of(document) else None


def _count_left_beside(
    document: ToolFile, importer: Importer, found: Collector
) -> None:
    """Counts what stands beside the list of rows."""
    if not isinstance(document.value, dict) or not importer.lists:
        return
    lists = [k for k in importer.lists if isinstance(document.value.get(k), list)]
    for key, value in document.value.items():
        if key in found.about:
            continue
        if key not in lists[:1] and value not in (None, "", [], {}):
            found.left[(str(key)[:60], "stands beside the rows")] += 1


def _cases(found: Collector, name: str) -> dict[str, Case]:
    """Sound cases by id; the same question under the same id is one case."""
    cases: dict[str, Case] = {}
    for place, fields in found.cases:
        try:
            case = Case.model_validate(fields)
            case.model_dump_json()
        except ValidationError as error:
            words = "; ".join(problems_of(error, Case))
            found.problems.append(f"{place}: {words}")
            continue
        except ValueError:
            found.problems.append(f"{place}: it holds half a character; write it whole")
            continue
        first = cases.setdefault(case.id, case)
        if first.question != case.question:
            found.problems.append(
                f"{place}: id {case.id!r} is another question's already"
            )
    found.problems[:] = [
        problem if problem.startswith(name) else f"{name}: {problem}"
        for problem in found.problems
    ]
    return cases


def _answers(
    found: Collector, cases: dict[str, Case], provider: str, name: str
) -> tuple[Answer, ...]:
    """Answers to sound cases; a second one of a provider gets a number."""
    answers: dict[tuple[str, str], Answer] = {}
    for place, fields in found.answers:
        if fields["case_id"] not in cases:
            continue
        own = str(fields.get("provider") or provider)
        number, by = 1, own
        while (fields["case_id"], by) in answers:
            number += 1
            by = f"{own}-{number}"
        try:
            answer = Answer.model_validate({**fields, "provider": by})
            answer.model_dump_json()
        except ValueError as error:
            words = (
                "; ".join(problems_of(error, Answer))
                if isinstance(error, ValidationError)
                else "it holds half a character; write it whole"
            )
            found.problems.append(f"{name}: {place}, answer: {words}")
            continue
        answers[fields["case_id"], by] = answer
    return tuple(answers.values())


def _field_names(value: Any) -> str:
    first = value[0] if isinstance(value, list) and value else value
    if not isinstance(first, dict):
        return ""
    return f" (fields: {', '.join(str(key)[:40] for key in list(first)[:10])})"


class Importer(Protocol):
    """Knows the files of one tool."""

    name: str
    """As people know the tool."""
    order: int
    """Lower is asked first; the shapes of some tools are special cases of others'."""

    lists: tuple[str, ...]
    """Names under which a file may keep its rows; other names at the top of a file
    have no place."""

    def fits(self, document: ToolFile) -> bool:
        """Whether the file is one of this tool."""

    def take(self, document: ToolFile, into: Collector) -> None:
        """Adds cases and answers, and says what had no place."""


@lru_cache(maxsize=1)
def importers() -> tuple[Importer, ...]:
    """All importers, in the order in which they are asked."""
    found = members(f"{__package__}.imports", "IMPORTER")
    return tuple(sorted(found, key=lambda importer: importer.order))


def importer_of(document: ToolFile) -> Importer | None:
    return next((one for one in importers() if one.fits(document)), None)
