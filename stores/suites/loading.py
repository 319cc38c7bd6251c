"""Suites and answers from files, every mistake named by file, place and field.

A run takes hours: a case id that is mistyped in an answers file must be found before
it starts, with the id that was probably meant.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from claimscope.core.errors import SuiteError
from claimscope.core.models import Answer, Case, Model, Suite, digest
from claimscope.core.run.case_review import CaseChoice, ReviewedSuite, accepted_cases
from claimscope.core.text.plurals import counted_noun
from claimscope.stores.pages.parsing.missing_values import is_blank, missing_as_written
from claimscope.stores.suites.formats.jsonl_suite import json_lines
from claimscope.stores.suites.formats.suite_format import RawSuite, formats
from claimscope.stores.suites.formats.text_file import text_of
from claimscope.stores.suites.validation_messages import nearest, problems_of

SUITE_FILE = "suite.json"
_MOST_NAMED = 10

Row = TypeVar("Row", bound=Model)

_known_fields: dict[frozenset[str], set[str]] = {}
LISTS = ("contexts", "brands", "claims", "citations")


@dataclass(frozen=True)
class LoadedSuite:
    """A suite with its answers, and what they were read from."""

    suite: Suite
    answers: tuple[Answer, ...]
    path: Path
    """The suite file."""
    digest: str
    """Changes when a byte of the suite file changes."""
    answers_digest: str
    answers_path: Path | None = None
    notes: tuple[str, ...] = ()
    """What a person should know before a run: cases left out, cases without answers."""
    left_out: frozenset[str] = frozenset()
    """Ids of those cases: answers to them are no mistake."""


def shipped_suites() -> dict[str, Path]:
    """Suite files that come with Claimscope, by name."""
    folder = Path(__file__).parents[2] / "testsets"
    return {file.parent.name: file for file in sorted(folder.glob(f"*/{SUITE_FILE}"))}


def resolve_suite(suite: str | Path) -> Path:
    """The suite file behind a path, a folder with a `suite.json`, or a shipped name.

    Raises SuiteError.
    """
    path = Path(suite)
    if path.is_file():
        return path
    if (path / SUITE_FILE).is_file():
        return path / SUITE_FILE
    shipped = shipped_suites()
    if str(suite) in shipped:
        return shipped[str(suite)]
    names = ", ".join(shipped)
    if path.is_dir():
        raise SuiteError(
            f"{path}: there is no {SUITE_FILE} in this folder.",
            f"Name a suite file, or one of the suites that ship: {names}.",
        )
    meant = nearest(str(suite), list(shipped))
    raise SuiteError(
        f"{suite}: there is no such suite, file or folder."
        + (f" Is {meant} meant?" if meant else ""),
        f"Suites that ship: {names}.",
    )


def load_suite(
    suite: str | Path,
    *,
    answers: Path | None = None,
    lenient: bool = False,
    which: CaseChoice = "all",
) -> LoadedSuite:
    """The suite and its answers; `answers` replaces the file that the suite names.
    A run asks for the cases that are `accepted`, and gets neither those that a model
    wrote and nobody has looked at, nor those that a person dropped.

    Raises SuiteError listing every mistake. Lenient: malformed cases are left out and
    listed in the notes, with the answers to them; other answers are always checked
    strictly.
    """
    path = resolve_suite(suite)
    text = text_of(path)
    raw = _raw(text, path)
    loaded, problems, left_out = _validate_suite(raw, path.name)
    if problems and not loaded.cases:
        _refuse_foreign(text, path)
    if problems and not (lenient and loaded.cases):
        hint = "Correct the suite file."
        if loaded.cases:
            hint += " `claimscope run` leaves such cases out, but with --strict."
        raise _suite_error(path.name, problems, hint)
    if not loaded.cases:
        raise SuiteError(f"{path.name}: there is no case in it.", "Add a case.")
    checked = accepted_cases(loaded, which)
    loaded = _without_unreviewed(checked, path.name)
    left_out |= checked.left_out
    # What was read makes room for the answers.
    suite_digest, missing = digest(text), raw.missing
    del text, raw
    file = answers
    if file is None and loaded.answers is not None:
        file = path.parent / loaded.answers
    notes = [f"left out: {problem}" for problem in problems]
    given = () if file is None else load_answers(file, loaded, left_out, notes)
    notes.extend(missing)
    notes.extend(checked.notes)
    notes.extend(_unanswered_notes(loaded, given))
    return LoadedSuite(
        suite=loaded,
        answers=given,
        path=path,
        digest=suite_digest,
        answers_digest=digest(*(answer.model_dump_json() for answer in given)),
        answers_path=file,
        notes=tuple(notes),
        left_out=frozenset(left_out),
    )


def _without_unreviewed(checked: ReviewedSuite, name: str) -> Suite:
    """The suite of the cases that may be judged by. Raises SuiteError for none."""
    if not checked.suite.cases:
        raise SuiteError(
            f"{name}: nobody has accepted a case of it: " + "; ".join(checked.notes),
            "Look at them on the Suite screen of `claimscope`.",
        )
    return checked.suite


def read_raw(path: Path) -> RawSuite:
    """A suite file taken apart, its cases not yet checked. Raises SuiteError when
    nothing of it can be read, or it is another tool's."""
    text = text_of(path)
    raw = _raw(text, path)
    if not any(isinstance(case, dict) and "question" in case for _, case in raw.cases):
        _refuse_foreign(text, path)
    return raw


def _raw(text: str, path: Path) -> RawSuite:
    form = formats().get(path.suffix.lower())
    if form is None:
        raise SuiteError(
            f"{path.name}: there is no suite format for {path.suffix or 'such files'}.",
            f"Formats: {', '.join(formats())}. `claimscope suite import {path.name}`"
            " makes a suite of other tables.",
        )
    try:
        return without_missing(form.read(text, path.name), path.name)
    except SuiteError:
        _refuse_foreign(text, path)
        raise


def _refuse_foreign(text: str, path: Path) -> None:
    """Raises SuiteError when the file is one that can be imported."""
    from claimscope.stores.suites.importing import tool_of_text

    tool = tool_of_text(text, path.name)
    if tool is not None:
        raise SuiteError(
            f"{path.name}: it is a file of {tool}, not a suite.",
            f"`claimscope suite import {path.name}` makes a suite of it.",
        )


def load_answers(
    path: Path,
    suite: Suite,
    left_out: Collection[str] = (),
    notes: list[str] | None = None,
) -> tuple[Answer, ...]:
    """Answers of a file of JSON lines, in its order; those to cases that were left
    out are left out as well, and so is an answer that is NaN or null, with a note.
    Raises SuiteError listing every mistake: an unknown case id, a second answer of a
    provider to a case."""
    if not path.is_file():
        raise SuiteError(
            f"{path}: there is no such answers file.",
            "Check the path, or name the file with --answers.",
        )
    rows, problems = json_lines(text_of(path), path.name)
    known = {case.id: None for case in suite.cases}
    answers: list[Answer] = []
    lines: dict[tuple[str, str], int] = {}
    for number, row in rows:
        place = f"{path.name}, line {number}"
        shown = missing_as_written(row["text"]) if "text" in row else None
        if shown and not isinstance(row["text"], str | list | dict):
            if notes is not None:
                notes.append(f"{place}: the answer is missing ({shown})")
            continue
        answer = _validate(Answer, row, place, problems)
        if answer is None or (
            answer.case_id in left_out and answer.case_id not in known
        ):
            continue
        if answer.case_id not in known:
            problems.append(
                f"{place}: {_unknown_case(answer.case_id, suite, [*known])}"
            )
        key = (answer.case_id, answer.provider)
        if lines.setdefault(key, number) != number:
            problems.append(
                f"{place}: provider {answer.provider!r} answered case"
                f" {answer.case_id!r} already in line {lines[key]}"
            )
        answers.append(answer)
    if problems:
        raise _suite_error(path.name, problems, "Correct the answers file.")
    return tuple(answers)


def _validate_suite(raw: RawSuite, name: str) -> tuple[Suite, list[str], set[str]]:
    """The suite of its sound cases, what is wrong with the others, and their ids."""
    problems = list(raw.problems)
    cases: list[Case] = []
    places: dict[str, str] = {}
    left_out: set[str] = set()
    for place, fields in raw.cases:
        case_id = fields.get("id") if isinstance(fields, dict) else None
        full = f"{name}: {place}" + (f" ({case_id})" if case_id else "")
        case = _validate(Case, fields, full, problems)
        if case is None:
            left_out |= {case_id} if isinstance(case_id, str) else set()
            continue
        if places.setdefault(case.id, place) != place:
            problems.append(f"{full}: {places[case.id]} has the same id")
            continue
        cases.append(case)
    suite = _validate(Suite, {**raw.fields, "cases": []}, name, problems)
    if suite is None:
        raise _suite_error(name, problems, "Correct the suite file.")
    return suite.model_copy(update={"cases": tuple(cases)}), problems, left_out


def _validate(
    model: type[Row], fields: object, place: str, problems: list[str]
) -> Row | None:
    """The row, or None with its problems noted."""
    try:
        row = model.model_validate(fields)
        # Half a character (a lone surrogate) could not be saved later.
        row.model_dump_json()
        share_fields(row)
    except ValidationError as error:
        problems.extend(f"{place}, {words}" for words in problems_of(error, model))
        return None
    except ValueError:
        problems.append(f"{place}: it holds half a character; write it whole")
        return None
    return row


def _unknown_case(case_id: str, suite: Suite, known: Sequence[str]) -> str:
    meant = nearest(case_id, known)
    return f"there is no case {case_id!r} in suite {suite.id}" + (
        f"; the nearest is {meant!r}" if meant else ""
    )


def _unanswered_notes(suite: Suite, answers: Iterable[Answer]) -> list[str]:
    """Cases a provider, or everybody, left out."""
    given: dict[str, set[str]] = {}
    for answer in answers:
        given.setdefault(answer.provider, set()).add(answer.case_id)
    notes: list[str] = []
    for provider in sorted(given):
        left = [case.id for case in suite.cases if case.id not in given[provider]]
        if left:
            shown = ", ".join(left[:_MOST_NAMED]) + (
                " …" if len(left) > _MOST_NAMED else ""
            )
            notes.append(
                f"{provider} has no answer to {counted_noun(len(left), 'case')}: "
                f"{shown}"
            )
    return notes


def _suite_error(name: str, problems: Sequence[str], hint: str) -> SuiteError:
    if len(problems) == 1:
        return SuiteError(f"{problems[0]}.", hint)
    lines = [f"{name}: {len(problems)} mistakes."]
    lines.extend(f"  {problem}" for problem in problems[:_MOST_NAMED])
    if len(problems) > _MOST_NAMED:
        lines.append(f"  … and {len(problems) - _MOST_NAMED} more")
    return SuiteError("\n".join(lines), hint)


def share_fields(model: Model) -> None:
    """Makes a model, and those in it, take less room where there are many of them.

    pydantic keeps of each model the names of the fields that it was given, 216 bytes a
    set: a fifth of a suite of 20,000 samples. Models that were given the same share
    one. They are frozen, and a copy has a set of its own, so that nobody adds to it.
    """
    given = model.__pydantic_fields_set__
    shared = _known_fields.setdefault(frozenset(given), given)
    object.__setattr__(model, "__pydantic_fields_set__", shared)
    for value in model.__dict__.values():
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, Model):
                share_fields(part)


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
        gone = dict(_missing_fields(case))
        missing.extend(f"{where}, {part} is missing ({gone[part]})" for part in gone)
        cases.append((place, _without_fields(case, set(gone)) if gone else case))
    return replace(raw, cases=tuple(cases), missing=tuple(missing))


def _missing_fields(case: dict[str, Any]) -> Iterator[tuple[str, str]]:
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


def _without_fields(case: dict[str, Any], gone: set[str]) -> dict[str, Any]:
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
