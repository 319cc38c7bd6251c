"""A line of dashes: a heading above it, or a rule between two parts."""

from __future__ import annotations

import pytest

from claimscope.core.text.rules_between import is_underlined, without_rule
from claimscope.core.verify.decomposition import decompose
from claimscope.core.verify.statements import statements


@pytest.mark.parametrize(
    ("sentence", "is_heading"),
    [
        ("Fees\n----", True),
        ("Fees\n====\n", True),
        ("What does it cost?\n------------------", True),
        ("The fee is 40 marks.\n\n---", False),
        ("The fee is 40 marks.\n---", False),
        ("The fee is 40 marks", False),
        ("- The fee is 40 marks\n---", False),
        ("| Lamp | 40 W |\n\n---", False),
    ],
)
def test_only_a_line_right_above_is_underlined(sentence: str, is_heading: bool) -> None:
    assert is_underlined(sentence) is is_heading


@pytest.mark.parametrize(
    ("sentence", "bare"),
    [
        ("The fee is 40 marks.\n\n---", "The fee is 40 marks."),
        ("The fee is 40 marks.\r\n\r\n* * *\r\n", "The fee is 40 marks."),
        ("___\nThe fee is 40 marks.", "\nThe fee is 40 marks."),
        ("Fees\n----", "Fees\n----"),
        ("| A | B |\n|---|---|", "| A | B |\n|---|---|"),
        ("```yaml\n---\nport: 80\n---\n```", "```yaml\n---\nport: 80\n---\n```"),
    ],
)
def test_a_rule_is_taken_off(sentence: str, bare: str) -> None:
    assert without_rule(sentence) == bare


def test_what_stands_before_a_rule_of_an_answer_is_claimed() -> None:
    answer = (
        "The port is 8080.\n\n---\n\n## Limits\n\n- The cache holds 10 MB.\n\n---\n"
        "| Lamp | Power |\n|---|---|\n| Ula | 7 W |\n\n***\n\nFees\n----\n\nIt is free."
    )
    found = decompose(answer)
    assert [claim.text for claim in found.claims] == [
        "The port is 8080.",
        "The cache holds 10 MB.",
        "Limits: Lamp: Ula; Power: 7 W",
        "It is free.",
    ]
    assert [item.text for item in found.skipped if item.reason == "heading"] == [
        "## Limits",
        "| Lamp | Power |\n|---|---|",
        "Fees\n----",
    ]


def test_what_stands_before_a_rule_of_a_page_is_evidence() -> None:
    page = "# Lamps\n\n---\n\nUla has 7 W.\n\n---\n\n## Care\n\nWipe it.\n***\nDry it."
    assert [one.text for one in statements(page) if not one.is_head] == [
        "Lamps: Ula has 7 W.",
        "Lamps - Care: Wipe it.",
        "Lamps - Care: Dry it.",
    ]
