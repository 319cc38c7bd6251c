"""Findings as a SARIF 2.1.0 log, which code hosts and editors show beside the lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from claimscope.core.models import Evidence, digest
from claimscope.core.report.check_findings import (
    AnswerText,
    Finding,
    line_starts,
    place,
)
from claimscope.core.report.text import one_line

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_RULES = {
    "contradicted": ("Contradicted", "A page says otherwise.", "error"),
    "not enough info": ("NotSupported", "No page says so.", "warning"),
    "unscored": ("Unscored", "The claim could not be judged.", "note"),
    "broken citation": ("BrokenCitation", "The source is not there.", "warning"),
    "misattributed citation": (
        "MisattributedCitation",
        "The source does not say so.",
        "warning",
    ),
    "planted grade": (
        "PlantedGrade",
        "The answer gives orders to who judges it.",
        "error",
    ),
}
"""(id, what it means, level) of what is reported; supported claims are not."""


def sarif_log(
    checked: Sequence[tuple[AnswerText, Sequence[Finding]]],
    version: str,
    pages: Sequence[Path],
) -> dict[str, Any]:
    """The log of a check. `pages`: folders in which the pages of evidence lie."""
    states = list(_RULES)
    results = [
        _result(answer, finding, states.index(finding.state), pages)
        for answer, found in checked
        for finding in found
        if finding.state in _RULES
    ]
    rules = [
        {
            "id": name,
            "shortDescription": {"text": text},
            "defaultConfiguration": {"level": level},
        }
        for name, text, level in _RULES.values()
    ]
    driver = {"name": "Claimscope", "version": version, "rules": rules}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _result(
    answer: AnswerText, finding: Finding, rule: int, pages: Sequence[Path]
) -> dict[str, Any]:
    name, _, level = list(_RULES.values())[rule]
    words = f"{finding.state}: {finding.text} {finding.note}"
    result: dict[str, Any] = {
        "ruleId": name,
        "ruleIndex": rule,
        "level": level,
        "message": {"text": one_line(words.strip())},
        "locations": [_location(answer.name, _region(answer.text, finding))],
        # A line may move; what is said on it stays the same finding.
        "partialFingerprints": {
            "claim/v1": digest(f"{answer.name}\n{finding.state}\n{finding.text}")
        },
    }
    related = list(_evidence(finding.evidence, pages))
    if related:
        result["relatedLocations"] = related
    return result


def _region(text: str, finding: Finding) -> dict[str, int]:
    starts = line_starts(text)
    line, column = place(starts, finding.start)
    last, end = place(starts, max(finding.end, finding.start + 1))
    return {"startLine": line, "startColumn": column, "endLine": last, "endColumn": end}


def _location(name: str, region: dict[str, int] | None = None) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": _uri(name)}}
    if region is not None:
        physical["region"] = region
    return {"physicalLocation": physical}


def _uri(name: str) -> str:
    """A file as a URI, relative to the working directory where it is below it."""
    if name == "-":
        return "stdin"
    path = Path(name)
    if path.is_absolute():
        here = Path.cwd()
        if not path.is_relative_to(here):
            return path.as_uri()
        path = path.relative_to(here)
    return quote(path.as_posix())


def _evidence(
    evidence: Sequence[Evidence], pages: Sequence[Path]
) -> Iterator[dict[str, Any]]:
    """The sentences that settled a claim, at their pages where these are files."""
    for number, one in enumerate(evidence, start=1):
        found: dict[str, Any] = {
            "id": number,
            "message": {"text": one_line(f"{one.sentence_id}: {one.text}")},
        }
        file = next((f for f in pages if (f / one.page_id).is_file()), None)
        if file is not None:
            found.update(_location(str(file / one.page_id)))
        yield found
