"""A case of a suite: its row, its fields as text, and what is wrong with it.

A case is read as it stands in its file: fields may be missing or of another kind.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from claimscope.core.report.view import (
    EMPTY,
    TEXT_ONLY,
    Column,
    Part,
    Prose,
    Row,
    Sign,
    Span,
    Table,
    line,
    sign_span,
)
from claimscope.stores.suites.editing import case_name, mark_of
from claimscope.stores.suites.lint import LintFinding

if TYPE_CHECKING:
    from claimscope.stores.suites.loading import LoadedSuite

ON_SCREEN = (
    Column("", width=1),
    Column("case", width=14),
    Column("question"),
    Column("category", width=12),
    Column("difficulty", width=10),
    Column("claims", "right", 6),
)
IN_TEXT = (
    Column("case"),
    Column("category", is_optional=True),
    Column("difficulty", is_optional=True),
    Column("answers", "right", least=TEXT_ONLY),
    Column("claims", "right"),
    Column("question"),
)
_ROOT = re.compile(r"^[^.\[]*")


def entries(case: object, name: str) -> Sequence[Any]:
    """A list of the case; empty when it is missing or no list."""
    found = case.get(name) if isinstance(case, Mapping) else None
    return found if isinstance(found, list) else ()


def text_of(case: object, name: str) -> str:
    """A field as text; empty when it is missing."""
    found = case.get(name) if isinstance(case, Mapping) else None
    return "" if found is None else str(found)


def root_of(finding: LintFinding) -> str:
    """The field of a case that a finding is about: `claims` of `claims[2].text`."""
    found = _ROOT.match(finding.field)
    return found.group() if found else ""


def case_row(
    case: object,
    number: int,
    columns: Sequence[Column],
    findings: Sequence[LintFinding] = (),
    answers: int = 0,
) -> Row:
    """number: its place in the file, from 0, where it has no id."""
    cells = {
        "": _sign(case, findings),
        "case": Span(case_name(case, number)),
        "answers": Span(str(answers)),
        "claims": Span(str(len(entries(case, "claims")))),
    }
    return tuple(
        cells.get(column.title) or Span(text_of(case, column.title))
        for column in columns
    )


def _sign(case: object, findings: Sequence[LintFinding]) -> Span:
    """Wrong, doubtful, not looked at yet, accepted, or nothing to say."""
    levels = {finding.level for finding in findings}
    if "error" in levels:
        return sign_span("", "contradicted")
    if mark_of(case) == "candidate":
        return Span("", "human", "current")
    if "warning" in levels:
        return sign_span("", "not_enough_info")
    return sign_span("", "supported") if mark_of(case) == "accepted" else EMPTY


def suite_view(loaded: LoadedSuite) -> Iterator[Part]:
    """A row a case, with how many answers and expected claims it has."""
    suite = loaded.suite
    yield line(f"{suite.title or suite.id}  {loaded.path}")
    if known := suite.metadata:
        yield line("  ".join(f"{name} {value}" for name, value in known.items()))
    answers = Counter(answer.case_id for answer in loaded.answers)
    rows = (
        case_row(
            case.model_dump(mode="json"), number, IN_TEXT, answers=answers[case.id]
        )
        for number, case in enumerate(suite.cases)
    )
    yield Table(IN_TEXT, tuple(rows))


def finding_lines(findings: Iterable[LintFinding]) -> Iterator[Prose]:
    """What is wrong, and what to do."""
    for finding in findings:
        is_error = finding.level == "error"
        sign: Sign = "contradicted" if is_error else "not_enough_info"
        field = f"{finding.field}: " if finding.field else ""
        words = f"{field}{finding.message}; {finding.remedy}"
        yield line(sign_span("", sign), words)
