"""Mistakes of a suite file, and what will make a run say less than it could.

Each has file, case, field and remedy, so that an editor or a CI job can show it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

from pydantic import BaseModel, ValidationError

from claimscope.core.errors import PageError
from claimscope.core.models import Case, Suite
from claimscope.core.run.case_review import counted_cases, is_refused, is_waiting
from claimscope.stores.pages.folder import read_folder
from claimscope.stores.pages.unread import REMEDY
from claimscope.stores.suites.citation_drift import CitedPages, NewPlace
from claimscope.stores.suites.formats.suite_format import RawSuite
from claimscope.stores.suites.validation_messages import RowMistake, mistakes_of

Level = Literal["error", "warning"]
Row = TypeVar("Row", bound=BaseModel)


@dataclass(frozen=True)
class LintFinding:
    """One thing about a suite file."""

    level: Level
    file: str
    case: str
    """`case 3 (kiln-003)`; "" for the suite itself."""
    field: str
    message: str
    remedy: str
    moved: NewPlace | None = None
    """Where an expected citation points when that is accepted."""

    def __str__(self) -> str:
        where = self.file + (f": {self.case}" if self.case else "")
        field = f", field {self.field}" if self.field else ""
        return f"{where}{field}: {self.level}: {self.message}; {self.remedy}"


def lint(raw: RawSuite, path: Path, *, pages: bool = True) -> Iterator[LintFinding]:
    """All findings of a suite file, errors and warnings in order of the file.

    With `pages`, the folder that the suite names is read, and its expected citations
    are held against it.
    """
    name = path.name
    for problem in raw.problems:
        yield LintFinding("error", name, "", "", problem, "correct the line")
    for gone in raw.missing:
        words = gone.removeprefix(f"{name}: ")
        yield LintFinding("warning", name, "", "", words, "fill it in, or remove it")
    suite, mistakes = _validate(Suite, {**raw.fields, "cases": []})
    yield from _findings(mistakes, name, "")
    if not raw.cases:
        yield LintFinding("error", name, "", "cases", "there is no case", "add a case")
    ids: dict[str, str] = {}
    questions: dict[str, str] = {}
    known: list[Case] = []
    for place, fields in raw.cases:
        given = fields.get("id") if isinstance(fields, dict) else None
        where = f"{place} ({given})" if isinstance(given, str) and given else place
        case, mistakes = _validate(Case, fields)
        yield from _findings(mistakes, name, where)
        if case is None:
            continue
        if ids.setdefault(case.id, place) != place:
            words = f"{ids[case.id]} has the same id"
            yield LintFinding("error", name, where, "id", words, "give it another id")
            continue
        known.append(case)
        yield from _warnings(case, questions, name, where)
    yield from _unreviewed(known, name)
    if suite is not None:
        yield from _suite_files(suite, path)
        if pages and suite.pages is not None:
            yield from _citations(suite, known, path)


def _validate(model: type[Row], fields: object) -> tuple[Row | None, list[RowMistake]]:
    try:
        row = model.model_validate(fields)
        row.model_dump_json()
    except ValidationError as error:
        return None, list(mistakes_of(error, model))
    except ValueError:
        return None, [RowMistake("", "it holds half a character", "write it whole")]
    return row, []


def _findings(
    mistakes: list[RowMistake], name: str, where: str
) -> Iterator[LintFinding]:
    for one in mistakes:
        yield LintFinding("error", name, where, one.field, one.words, one.remedy)


def _warnings(
    case: Case, questions: dict[str, str], name: str, where: str
) -> Iterator[LintFinding]:
    """What is allowed and seldom meant."""
    asked = " ".join(case.question.casefold().split())
    if asked in questions:
        words = f"{questions[asked]} asks the same"
        yield LintFinding(
            "warning", name, where, "question", words, "remove one of them"
        )
    questions.setdefault(asked, where)
    if not (case.reference or case.claims or case.citations):
        yield LintFinding(
            "warning",
            name,
            where,
            "reference",
            "without reference, claims and citations only support by pages is judged",
            "add what a right answer says",
        )
    texts = [" ".join(claim.text.casefold().split()) for claim in case.claims]
    for number, text in enumerate(texts, start=1):
        if text in texts[: number - 1]:
            words = f"claims[{texts.index(text) + 1}] says the same"
            field = f"claims[{number}]"
            yield LintFinding(
                "warning", name, where, field, words, "remove one of them"
            )


def _unreviewed(cases: list[Case], name: str) -> Iterator[LintFinding]:
    """One word on all cases that a run leaves out, not one a case: they are marked."""
    for test, what, remedy in (
        (is_waiting, "a model wrote and nobody has accepted", "accept or drop them"),
        (is_refused, "a person dropped", "delete them, or accept them after all"),
    ):
        count = sum(map(test, cases))
        if count:
            words = f"a run leaves out {counted_cases(count)} that {what}"
            yield LintFinding("warning", name, "", "cases", words, remedy)


def _suite_files(suite: Suite, path: Path) -> Iterator[LintFinding]:
    if suite.pages is not None and not (path.parent / suite.pages).is_dir():
        words = f"there is no folder {suite.pages!r} beside the file"
        yield LintFinding("error", path.name, "", "pages", words, "correct the path")
    if suite.answers is not None and not (path.parent / suite.answers).is_file():
        words = f"there is no file {suite.answers!r} beside the file"
        yield LintFinding("error", path.name, "", "answers", words, "correct the path")


def _citations(suite: Suite, cases: list[Case], path: Path) -> Iterator[LintFinding]:
    """Expected citations against the pages that the suite names."""
    folder = path.parent / str(suite.pages)
    if not folder.is_dir() or not any(case.citations for case in cases):
        return
    try:
        reading = read_folder(
            folder,
            include=suite.pages_include,
            exclude=suite.pages_exclude,
            text_name=suite.pages_text_field,
        )
    except PageError as error:
        yield LintFinding("error", path.name, "", "pages", error.message, error.hint)
        return
    warning = reading.unread().warning
    if warning:
        yield LintFinding("warning", path.name, "", "pages", warning, REMEDY)
    cited = CitedPages({page.page_id: page for page in reading.pages})
    for case in cases:
        for number, citation in enumerate(case.citations, start=1):
            for wrong in cited.wrong(citation):
                yield LintFinding(
                    "error",
                    path.name,
                    case.id,
                    f"citations[{number}].{wrong.part}",
                    wrong.words,
                    wrong.remedy,
                    wrong.moved,
                )
