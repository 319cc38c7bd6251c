"""Sentences that share a claim's words and say it otherwise, or of something else."""

from __future__ import annotations

import pytest

from claimscope.core.models import RuleFinding
from claimscope.core.verify.evidence import candidates_from_text
from claimscope.core.verify.rules.findings import findings
from tests.doubles.fakes import FakeEmbedder

EMBEDDER = FakeEmbedder()


def found(claim: str, page: str) -> tuple[RuleFinding, ...]:
    """What the rules see."""
    return findings(claim, candidates_from_text(claim, [page], EMBEDDER))


@pytest.mark.parametrize(
    ("claim", "page"),
    [
        # Which measure.
        (
            "Lake Sarn has an average depth of 60 metres.",
            "Lake Sarn has a mean depth of 18 metres and a maximum depth of 60 metres.",
        ),
        # Some for all.
        (
            "The pact was signed by all seven towns.",
            "Six of the seven towns signed the pact.",
        ),
        ("All towns signed the pact.", "Six of the seven towns signed the pact."),
        (
            "All four engines stopped.",
            "Three of the four engines stopped during the flight.",
        ),
        (
            "The top speed of the Arlo train is 90 km/h.",
            "The Arlo train's average speed is 90 km/h; its maximum speed is 130 km/h.",
        ),
        # With or without.
        (
            "The tablets should be taken with food.",
            "The tablets can be taken with or without food.",
        ),
        # Denied by the claim, by nothing on the page.
        ("Nobody survived the mine fire.", "Two of the miners survived the mine fire."),
        ("Dunmore has no airport.", "The nearest airport is 60 km from Dunmore."),
        (
            "Pregnant women must not take the syrup.",
            "The syrup is safe in pregnancy and can be taken by pregnant women.",
        ),
    ],
)
def test_the_words_alone_are_no_support(claim: str, page: str) -> None:
    rules = found(claim, page)
    assert any(one.veto for one in rules), rules
    assert not any(one.veto for one in found(claim, claim)), "it says itself"


@pytest.mark.parametrize(
    ("claim", "page"),
    [
        (
            "Lake Sarn has an average depth of 18 metres.",
            "Lake Sarn has a mean depth of 18 metres and a maximum depth of 60 metres.",
        ),
        (
            "Take the tablets with water.",
            "Take the tablets with water, with or without food.",
        ),
        ("Most towns signed the pact.", "Six of the seven towns signed the pact."),
        (
            "All patients received the syrup.",
            "No patients died and all patients received the syrup.",
        ),
        ("It fell to -5 degrees at Ost.", "It fell to 5 degrees below zero at Ost."),
        (
            "The almanac sold more than a million copies.",
            "The almanac has sold 1.3 million copies.",
        ),
        ("Dunmore has no harbour.", "Dunmore lacks a harbour."),
        ("None of the five tests failed.", "All five tests passed."),
    ],
)
def test_what_says_it_in_other_words_is_left_alone(claim: str, page: str) -> None:
    assert not any(one.veto for one in found(claim, page)), found(claim, page)


@pytest.mark.parametrize(
    ("claim", "page"),
    [
        (
            "Dr Hale treated 30 patients in 2018.",
            "In 2019 Dr Hale treated 45 patients.",
        ),
        (
            "In 2021 sales reached 4 million units.",
            "In 2020 sales reached 3 million units.",
        ),
        (
            "The second edition has 15 chapters.",
            "The first edition has 12 chapters.",
        ),
        (
            "The first edition had 12 chapters.",
            "The second edition, with 15 chapters, appeared in 1904.",
        ),
        ("Dunmore has no airport.", "The nearest airport is 60 km from Dunmore."),
        (
            "The Dunmore mill employs 1,200 people.",
            "In 2010 the Dunmore mill employed 900 people.",
        ),
    ],
)
def test_another_year_or_edition_denies_nothing(claim: str, page: str) -> None:
    rules = found(claim, page)
    assert not any(one.outcome == "conflict" for one in rules), rules
    assert any(one.veto for one in rules), "nor does it prove it"


def test_a_wrong_year_or_figure_alone_is_still_one() -> None:
    for claim in (
        "Dr Hale treated 30 patients in 2019.",
        "Dr Hale treated 45 patients in 2018.",
    ):
        rules = found(claim, "In 2019 Dr Hale treated 45 patients.")
        assert any(one.outcome == "conflict" for one in rules), claim


def test_what_is_set_apart_need_not_be_said() -> None:
    rules = found(
        "The law applies from 2024, not from 2023.", "The law applies from 2024."
    )
    assert not any(one.outcome == "conflict" for one in rules), rules


def test_two_bounds_that_meet_deny_nothing_of_each_other() -> None:
    rules = found(
        "The syrup should not be used by children under 12.",
        "The syrup can be used by adults and children over 12.",
    )
    assert not any(one.outcome == "conflict" for one in rules), rules
