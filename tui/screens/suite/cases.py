"""Which cases of a suite are shown, and what is wrong with each: no screen in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from claimscope.stores.suites.editing import SuiteDraft, case_name, mark_of
from claimscope.stores.suites.lint import LintFinding, lint
from claimscope.tui.views.case import text_of

_PLACE = re.compile(r"case (\d+)")


@dataclass(frozen=True)
class CaseFilter:
    """What a case must have to be shown."""

    words: str = ""
    """In its id, question, reference or category, whatever their case."""
    category: str | None = None
    difficulty: str | None = None
    candidates: bool = False
    """Only those that a model wrote and nobody looked at."""
    faults: bool = False
    """Only those with a finding."""

    def rows(self, draft: SuiteDraft, findings: CaseFindings) -> list[int]:
        """Rows of the cases that fit, in order of the file."""
        return [
            row
            for row, case in enumerate(draft.cases)
            if self._fits(case, row) and (not self.faults or findings.of(row))
        ]

    def _fits(self, case: object, row: int) -> bool:
        if self.category is not None and text_of(case, "category") != self.category:
            return False
        if self.difficulty is not None and (
            text_of(case, "difficulty") != self.difficulty
        ):
            return False
        if self.candidates and mark_of(case) != "candidate":
            return False
        wanted = self.words.casefold()
        parts = [case_name(case, row)]
        parts += [text_of(case, n) for n in ("question", "reference", "category")]
        return not wanted or any(wanted in part.casefold() for part in parts)

    def words_of(self) -> str:
        """The filter for a title; empty when all cases are shown."""
        parts = [
            f"with {self.words}" if self.words else "",
            f"category {self.category}" if self.category is not None else "",
            f"difficulty {self.difficulty}" if self.difficulty is not None else "",
            "candidates" if self.candidates else "",
            "with mistakes" if self.faults else "",
        ]
        return ", ".join(part for part in parts if part)


@dataclass(frozen=True)
class CaseFindings:
    """What `lint` says, by row; -1 is the suite itself."""

    by_row: dict[int, tuple[LintFinding, ...]]

    def of(self, row: int) -> Sequence[LintFinding]:
        return self.by_row.get(row, ())

    @property
    def of_suite(self) -> Sequence[LintFinding]:
        return self.of(-1)


def findings_of(draft: SuiteDraft, of_file: Sequence[LintFinding] = ()) -> CaseFindings:
    """Findings of a draft; `of_file` adds what is known by reading the suite's pages:
    those are named by the case's id."""
    found: dict[int, list[LintFinding]] = {}
    for finding in lint(draft.raw(), draft.path, pages=False):
        place = _PLACE.match(finding.case)
        found.setdefault(int(place[1]) - 1 if place else -1, []).append(finding)
    rows = {case_name(case, row): row for row, case in enumerate(draft.cases)}
    for finding in of_file:
        if finding.case in rows:
            found.setdefault(rows[finding.case], []).append(finding)
    return CaseFindings({row: tuple(some) for row, some in found.items()})


def faults_of(fields: dict[str, object], path: Path) -> list[LintFinding]:
    """What is wrong with one case, by itself."""
    draft = SuiteDraft(path, {"id": "suite"}, [fields], "")
    return list(findings_of(draft).of(0))


def values_of(draft: SuiteDraft, name: str) -> list[str]:
    """The values of a field of all cases, sorted, each once."""
    return sorted({text_of(case, name) for case in draft.cases} - {""})
