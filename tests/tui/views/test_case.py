"""A case: its row says the same on the Suite screen and in `show suite`."""

from __future__ import annotations

from typing import Any

import pytest

from claimscope.core.report.renderers.plain import lines, text
from claimscope.core.report.view import SIGNS, Column, Sign, spans_of
from claimscope.stores.suites.lint import Level, LintFinding
from claimscope.tui.views.case import IN_TEXT, ON_SCREEN, case_row, finding_lines

CASE: dict[str, Any] = {
    "id": "kiln-1",
    "question": "How hot?",
    "category": "kilns",
    "claims": [{"text": "It is hot."}, {"text": "Very."}],
}


def shown(columns: tuple[Column, ...], case: object) -> dict[str, str]:
    cells = [text(spans_of(cell)) for cell in case_row(case, 4, columns, answers=3)]
    return dict(zip([one.title for one in columns], cells, strict=True))


def test_screen_and_text_say_the_same() -> None:
    screen, printed = shown(ON_SCREEN, CASE), shown(IN_TEXT, CASE)
    assert printed["answers"] == "3" and printed["claims"] == "2"
    assert screen["case"] == "kiln-1" and screen["category"] == "kilns"
    both = screen.keys() & printed.keys()
    assert {screen[name] for name in both} and both > {"question", "difficulty"}
    assert all(screen[name] == printed[name] for name in both)


def test_what_is_no_case_has_its_place_for_a_name() -> None:
    assert shown(ON_SCREEN, "no object")["case"] == "5"


def finding(level: Level) -> LintFinding:
    return LintFinding(level, "f", "1", "claims[0].text", "gone", "add it")


@pytest.mark.parametrize(
    ("found", "metadata", "sign"),
    [
        ([finding("error")], {"generated": True}, "contradicted"),
        ([finding("warning")], {"generated": True}, "current"),
        ([finding("warning")], {}, "not_enough_info"),
        ([], {"generated": True, "accepted": True}, "supported"),
        ([], {}, ""),
    ],
)
def test_the_worst_of_a_case_is_its_sign(
    found: list[LintFinding], metadata: dict[str, bool], sign: Sign
) -> None:
    first = case_row({**CASE, "metadata": metadata}, 0, ON_SCREEN, found)[0]
    assert [span.sign for span in spans_of(first)] == [sign]


def test_a_mistake_says_where_it_is_and_what_to_do() -> None:
    shown = list(lines(finding_lines([finding("error")]), signs=SIGNS))
    assert shown == ["✗ claims[0].text: gone; add it"]
