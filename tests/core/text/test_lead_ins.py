"""Fragments read with their headings and lead-ins."""

from __future__ import annotations

import pytest

from claimscope.core.text.lead_ins import (
    counts_only,
    lower_after_label,
    read_under,
    strip_number,
    topic_of,
)


@pytest.mark.parametrize(
    ("lead", "item", "read"),
    [
        ("The choir sings", "on Tuesdays", "The choir sings on Tuesdays"),
        ("The drops are given", "At night", "The drops are given at night"),
        ("Heron reads", "CSV files", "Heron reads CSV files"),
        ("You can", "Export notes", "You can export notes"),
        ("Fees", "20 marks", "Fees: 20 marks"),
        ("For members", "Entry is free.", "For members: Entry is free."),
        ("Heron has two modes", "Entry is free.", "Entry is free."),
        ("Heron offers two modes", "Safe", "Heron offers two modes: Safe"),
        ("Heron offers two modes", "Safe: asks first", "Safe: asks first"),
        ("Oak has these limits", "Users: 5", "Oak has these limits: Users: 5"),
        ("Heron does the following", "Backups", "Heron does the following: Backups"),
    ],
)
def test_an_item_is_read_with_its_lead_in(lead: str, item: str, read: str) -> None:
    assert read_under(lead, item) == read


@pytest.mark.parametrize(
    ("head", "topic"),
    [
        ("3. Log in", "Log in"),
        ("Step 2: Sign in", "Sign in"),
        ("Here are the fees of the pool:", "The fees of the pool"),
        ("Overview", None),
        ("Here are the main features:", None),
        ("Here is what I found:", None),
        ("Then run:", None),
        ("3.5 percent", "3.5 percent"),
        ("", None),
    ],
)
def test_a_heading_that_says_nothing_is_no_topic(head: str, topic: str | None) -> None:
    assert topic_of(head) == topic


def test_a_capital_behind_a_label_is_taken_back_from_words_alone() -> None:
    assert lower_after_label("Log in: Enter the code") == "Log in: enter the code"
    assert lower_after_label("Founder: Mia Berg") == "Founder: Mia Berg"
    assert lower_after_label("Key: Enter_Key") == "Key: Enter_Key"
    assert strip_number("1.5 litres") == "1.5 litres"


def test_a_number_of_items_says_no_more_than_the_list() -> None:
    assert counts_only("Heron offers two kinds of copies:", 2)
    assert counts_only("Heron offers these copies:", 3)
    assert not counts_only("Heron offers three kinds of copies:", 2)
    assert not counts_only("The pass costs 20 marks for two kinds of pools:", 2)
