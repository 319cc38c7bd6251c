"""A suite file while a person edits it: one change at a time, each saved whole.

The file is kept as it was read, as plain JSON values, so that what we do not know
(fields of another program, marks of a builder) is written back untouched. Suites that
ship are never edited, a copy in the workspace is.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from claimscope.core.errors import StoreError, SuiteError
from claimscope.core.models import digest
from claimscope.stores.suites.citation_drift import NewPlace
from claimscope.stores.suites.formats.json_suite import load as load_json
from claimscope.stores.suites.formats.jsonl_suite import json_lines
from claimscope.stores.suites.formats.suite_format import RawSuite
from claimscope.stores.suites.formats.text_file import text_of
from claimscope.stores.suites.lint import LintFinding
from claimscope.stores.suites.loading import read_raw, shipped_suites
from claimscope.stores.workspace.paths import make_private, safe_name, write_atomically

Fields = dict[str, Any]
Mark = Literal["candidate", "accepted"]
LINES = (".jsonl", ".ndjson")
EDITABLE = (".json", *LINES)
MOST_UNDONE = 200
_STEP = re.compile(r"\s*\{\r?\n([ \t]+)\S")
_CITATION = re.compile(r"citations\[(\d+)\]")


@dataclass
class _Change:
    words: str
    """What was done, e.g. `change of case kiln-003`."""
    before: list[Any]
    """All cases as they were; unchanged ones are shared, so this is a list of links."""
    row: int


@dataclass
class SuiteDraft:
    """The cases of a suite file; every change is on disk when its method returns."""

    path: Path
    fields: Fields
    """Everything but the cases."""
    cases: list[Any]
    _digest: str
    _order: int = 0
    """Where `cases` stands among the fields."""
    _indent: str = "  "
    """White space at the start of the file's lines, a step."""
    _done: list[_Change] = field(default_factory=list)

    def raw(self) -> RawSuite:
        """The suite as `lint` takes it."""
        places = ((f"case {n}", case) for n, case in enumerate(self.cases, start=1))
        return RawSuite(dict(self.fields), tuple(places))

    @property
    def last_change(self) -> str | None:
        """What `undo` would take back."""
        return self._done[-1].words if self._done else None

    def change(self, row: int, case: Fields) -> None:
        """Puts another case in the place of one. Raises StoreError, SuiteError."""
        self._put(f"change of case {case_name(self.cases[row], row)}", row, case)

    def add(self, case: Fields) -> int:
        """Adds a case at the end and gives its row."""
        row = len(self.cases)
        self._keep(f"new case {case_name(case, row)}", row, lambda c: c.append(case))
        return row

    def delete(self, row: int) -> None:
        """Takes a case out."""
        words = f"deletion of case {case_name(self.cases[row], row)}"
        self._keep(words, row, lambda cases: cases.pop(row))

    def accept(self, row: int) -> None:
        """Marks a generated case as looked at and good."""
        case = dict(self.cases[row])
        case["metadata"] = {**_metadata(case), "accepted": True}
        self._put(f"acceptance of case {case_name(case, row)}", row, case)

    def move(self, moves: Sequence[tuple[int, int, NewPlace]]) -> None:
        """Points expected citations elsewhere: (row, number of the citation from 0,
        where to). All or none. Raises StoreError."""
        if not moves:
            return
        changed: dict[int, Fields] = {}
        for row, number, moved in moves:
            case = changed.setdefault(row, dict(self.cases[row]))
            citations = list(case["citations"])
            citations[number] = {**citations[number], **moved}
            case["citations"] = citations

        def put(cases: list[Any]) -> None:
            for row, case in changed.items():
                cases[row] = case

        first, count = moves[0][0], len(moves)
        of = f"case {case_name(self.cases[first], first)}"
        words = "move of an expected citation" if count == 1 else f"{count} moves"
        self._keep(f"{words} of {of}" if count == 1 else words, first, put)

    def undo(self) -> tuple[str, int] | None:
        """Takes the last change back: (what it was, row to look at); None when there
        is none."""
        if not self._done:
            return None
        last = self._done[-1]
        self._save(last.before)
        self.cases = last.before
        self._done.pop()
        return last.words, min(last.row, max(len(self.cases) - 1, 0))

    def _put(self, words: str, row: int, case: Fields) -> None:
        def put(cases: list[Any]) -> None:
            cases[row] = case

        self._keep(words, row, put)

    def _keep(self, words: str, row: int, apply: Callable[[list[Any]], object]) -> None:
        before, after = self.cases, list(self.cases)
        apply(after)
        self._save(after)
        self.cases = after
        self._done.append(_Change(words, before, row))
        del self._done[:-MOST_UNDONE]

    def _save(self, cases: Sequence[Any]) -> None:
        if digest(text_of(self.path)) != self._digest:
            raise StoreError(
                f"{self.path.name}: another program has changed this file meanwhile; "
                "nothing was saved.",
                "Read it again (r), then repeat the change.",
            )
        text = self._text(cases)
        write_atomically(self.path, text.encode())
        self._digest = digest(text)

    def _text(self, cases: Sequence[Any]) -> str:
        if self.path.suffix.lower() in LINES:
            rows = [*([self.fields] if self.fields else []), *cases]
            return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
        items = list(self.fields.items())
        items.insert(self._order, ("cases", list(cases)))
        return json.dumps(dict(items), indent=self._indent, ensure_ascii=False) + "\n"


def open_draft(path: Path) -> SuiteDraft:
    """A JSON or JSON-lines suite for editing. Raises SuiteError for other formats, and
    for a file of which a part could not be written back."""
    text = text_of(path)
    suffix = path.suffix.lower()
    if suffix not in EDITABLE:
        raise SuiteError(
            f"{path.name}: files of this format are read, not edited.",
            "Make a copy that can be edited (e).",
        )
    read_raw(path)  # a file of another tool is refused in the usual words
    if suffix in LINES:
        rows, problems = json_lines(text, path.name)
        if problems:
            raise SuiteError(f"{problems[0]}.", "Correct the line, then edit.")
        values = [row for _, row in rows]
        header = values and "format" in values[0] and "question" not in values[0]
        fields = values.pop(0) if header else {}
        return SuiteDraft(path, fields, values, digest(text))
    data = load_json(text, path.name)
    order = list(data).index("cases")
    cases = data.pop("cases")
    step = _STEP.match(text)
    indent = step.group(1) if step else "  "
    return SuiteDraft(path, data, cases, digest(text), order, indent)


def is_editable(path: Path) -> bool:
    """Whether the file itself may be edited, rather than a copy of it."""
    return path.suffix.lower() in EDITABLE and not _ships(path)


def editable_copy(path: Path, suites: Path) -> Path:
    """A copy below `suites` (of the workspace) of a suite that may not be edited: with
    its pages and answers when it ships, as JSON beside them when it is CSV or YAML.
    One that was made before is used again. Raises StoreError, SuiteError."""
    if _ships(path):
        folder = suites / safe_name(path.parent.name)
        if not (folder / path.name).exists():
            make_private(suites)
            _copy_folder(path.parent, folder)
        return folder / path.name
    copy = path.with_suffix(".json")
    if copy.exists():
        return copy
    raw = read_raw(path)
    if raw.problems:
        raise SuiteError(f"{raw.problems[0]}.", "Correct the file, then edit.")
    data = {**raw.fields, "cases": [case for _, case in raw.cases]}
    text = json.dumps(data, indent=2, ensure_ascii=False) + "\n"
    write_atomically(copy, text.encode())
    return copy


def _ships(path: Path) -> bool:
    return path.resolve() in {file.resolve() for file in shipped_suites().values()}


def _copy_folder(source: Path, target: Path) -> None:
    unfinished = target.with_name(f".{target.name}.tmp")
    try:
        shutil.rmtree(unfinished, ignore_errors=True)
        shutil.copytree(source, unfinished, copy_function=_copy_file)
        for folder in (unfinished, *filter(Path.is_dir, unfinished.rglob("*"))):
            folder.chmod(0o700)
        unfinished.rename(target)
    except OSError as error:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise StoreError(
            f"{target}: the copy of the suite cannot be made: {error}.",
            "Free some disk space or check who may write there, then try again.",
        ) from error


def _copy_file(source: str, target: str) -> None:
    shutil.copyfile(source, target)
    Path(target).chmod(0o600)


def case_name(case: object, row: int) -> str:
    """Its id, or its number when it has none."""
    given = case.get("id") if isinstance(case, Mapping) else None
    return given if isinstance(given, str) and given else str(row + 1)


def mark_of(case: object) -> Mark | None:
    """Whether a model wrote it, and a person has accepted it."""
    metadata = _metadata(case)
    if metadata.get("generated") is not True:
        return None
    return "accepted" if metadata.get("accepted") is True else "candidate"


def _metadata(case: object) -> Mapping[str, Any]:
    found = case.get("metadata") if isinstance(case, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def moves_of(
    draft: SuiteDraft, findings: Iterable[LintFinding]
) -> list[tuple[int, int, NewPlace]]:
    """(row, number of the citation from 0, where to) of the expected citations that
    have moved; each citation once."""
    rows = {case_name(case, row): row for row, case in enumerate(draft.cases)}
    found: dict[tuple[int, int], NewPlace] = {}
    for finding in findings:
        place = _CITATION.match(finding.field)
        row = rows.get(finding.case)
        if finding.moved is not None and place is not None and row is not None:
            found.setdefault((row, int(place[1]) - 1), finding.moved)
    return [(row, number, moved) for (row, number), moved in found.items()]


def new_id(cases: Sequence[object], stem: str = "case") -> str:
    """An id that no case has yet, e.g. `case-012`."""
    known = {case_name(case, row) for row, case in enumerate(cases)}
    number = len(cases) + 1
    while f"{stem}-{number:03}" in known:
        number += 1
    return f"{stem}-{number:03}"
