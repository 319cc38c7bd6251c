"""A case of a suite in words, with what is wrong with it at its fields."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from claimscope.core.report.case_lines import citation_lines, claim_lines
from claimscope.stores.suites.editing import mark_of
from claimscope.stores.suites.lint import LintFinding
from claimscope.tui.views.case import entries, finding_lines, root_of
from claimscope.tui.widgets.flow import Paragraph, Piece, para, safe_piece
from claimscope.tui.widgets.glyphs import Glyphs
from claimscope.tui.widgets.rendered import paragraphs

SHOWN = ("question", "reference", "claims", "citations", "category", "difficulty")
"""Fields that are always shown, in this order; others when there is something."""


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

    def wrong(some: Iterable[LintFinding]) -> Iterator[Paragraph]:
        return paragraphs(finding_lines(some), glyphs)

    for name in SHOWN:
        yield from _field(case, name)
        yield from wrong(f for f in findings if root_of(f) == name)
    for name in case:
        if name not in SHOWN and case[name] not in (None, "", [], {}):
            yield from _field(case, name)
    others = (f for f in findings if root_of(f) not in SHOWN)
    yield from wrong(others)


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
