"""A case of a suite in words, with what is wrong with it at its fields."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from claimscope.core.report.case_lines import citation_lines, claim_lines
from claimscope.stores.suites.editing import case_name, mark_of
from claimscope.stores.suites.lint import LintFinding
from claimscope.tui.widgets.flow import Paragraph, Piece, para, safe_piece
from claimscope.tui.widgets.glyphs import Glyphs
from claimscope.tui.widgets.table import ScreenColumn

CASE_COLUMNS = (
    ScreenColumn("", 1),
    ScreenColumn("case", 14),
    ScreenColumn("question"),
    ScreenColumn("category", 12),
    ScreenColumn("difficulty", 10),
    ScreenColumn("claims", 6, "right"),
)
SHOWN = ("question", "reference", "claims", "citations", "category", "difficulty")
"""Fields that are always shown, in this order; others when there is something."""
_ROOT = re.compile(r"^[^.\[]*")


def root_of(finding: LintFinding) -> str:
    """The field of a case that a finding is about: `claims` of `claims[2].text`."""
    found = _ROOT.match(finding.field)
    return found.group() if found else ""


def entries(case: object, name: str) -> Sequence[Any]:
    """A list of the case; empty when it is missing or no list."""
    found = case.get(name) if isinstance(case, Mapping) else None
    return found if isinstance(found, list) else ()


def text_of(case: object, name: str) -> str:
    """A field as text; empty when it is missing."""
    found = case.get(name) if isinstance(case, Mapping) else None
    return "" if found is None else str(found)


def sign_of(case: object, findings: Sequence[LintFinding], glyphs: Glyphs) -> Piece:
    """Wrong, doubtful, not looked at yet, accepted, or nothing to say."""
    levels = {finding.level for finding in findings}
    if "error" in levels:
        return Piece(glyphs.contradicted, "contradicted")
    if mark_of(case) == "candidate":
        return Piece(glyphs.current, "human")
    if "warning" in levels:
        return Piece(glyphs.not_enough_info, "not_enough_info")
    if mark_of(case) == "accepted":
        return Piece(glyphs.supported, "supported")
    return Piece(" ")


def case_cells(
    case: object, row: int, findings: Sequence[LintFinding], glyphs: Glyphs
) -> list[Piece]:
    return [
        sign_of(case, findings, glyphs),
        Piece(case_name(case, row)),
        Piece(text_of(case, "question")),
        Piece(text_of(case, "category")),
        Piece(text_of(case, "difficulty")),
        Piece(str(len(entries(case, "claims")))),
    ]


def case_document(
    case: object, findings: Sequence[LintFinding], glyphs: Glyphs
) -> Iterator[Paragraph]:
    if not isinstance(case, Mapping):
        yield para(safe_piece("This case is no object: it can only be deleted."))
        return
    if mark_of(case) == "candidate":
        yield para(
            Piece(f"{glyphs.current} ", "human"),
            Piece("A model wrote this case; a: accept  x: drop  enter: edit", "strong"),
        )
    for name in SHOWN:
        yield from _field(case, name)
        yield from finding_lines((f for f in findings if root_of(f) == name), glyphs)
    for name in case:
        if name not in SHOWN and case[name] not in (None, "", [], {}):
            yield from _field(case, name)
    others = (f for f in findings if root_of(f) not in SHOWN)
    yield from finding_lines(others, glyphs)


def _field(case: Mapping[str, Any], name: str) -> Iterator[Paragraph]:
    value = case.get(name)
    if name == "claims":
        text = claim_lines(entries(case, name))
    elif name == "citations":
        text = citation_lines(entries(case, name))
    elif isinstance(value, list):
        text = "\n".join(str(one) for one in value)
    elif isinstance(value, Mapping):
        text = "\n".join(f"{key}: {_plain(one)}" for key, one in value.items())
    else:
        text = "" if value is None else str(value)
    lines = text.split("\n")
    first = safe_piece(lines[0]) if lines[0] else Piece("–", "dim")
    yield para(Piece(f"{name:<11}", "heading"), first, hanging=11)
    for line in lines[1:]:
        yield para(Piece(" " * 11), safe_piece(line), hanging=11)


def _plain(value: object) -> str:
    """A value of the metadata as a person says it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "–" if value is None else str(value)


def finding_lines(
    findings: Iterable[LintFinding], glyphs: Glyphs
) -> Iterator[Paragraph]:
    """What is wrong, and what to do."""
    for finding in findings:
        is_error = finding.level == "error"
        sign = glyphs.contradicted if is_error else glyphs.not_enough_info
        role = "contradicted" if is_error else "not_enough_info"
        field = f"{finding.field}: " if finding.field else ""
        yield para(
            Piece(f"{sign} ", role),
            safe_piece(f"{field}{finding.message}; {finding.remedy}"),
            hanging=2,
        )
