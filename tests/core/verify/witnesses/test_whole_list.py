"""Claims about a whole list, and about what a page mentions."""

from __future__ import annotations

import pytest

from claimscope.core.models import Evidence, Label
from claimscope.core.ports import Question
from claimscope.core.verify.verifier import EvidenceVerifier
from tests.doubles import fakes


def verdict(claim: str, *texts: str) -> Label:
    """The verdict without any model."""
    evidence = tuple(
        Evidence(page_id="page", index=n, text=text, start=0, end=len(text))
        for n, text in enumerate(texts)
    )
    verifier = EvidenceVerifier(fakes.FakeEmbedder(), None)
    (found,) = verifier.verify_now([Question(claim, evidence)])
    return found.label


TANKS = "The four tanks held 61 %, 72 %, 80 % and 93 % of their volume."


@pytest.mark.parametrize(
    ("claim", "label"),
    [
        ("All tanks held between 60 % and 95 % of their volume.", Label.SUPPORTED),
        ("Each of the tanks held 60 % or more of their volume.", Label.SUPPORTED),
        ("Every one of the tanks held at least 70 %.", Label.CONTRADICTED),
        ("None of the tanks held more than 90 %.", Label.CONTRADICTED),
    ],
)
def test_a_limit_is_held_against_every_figure_of_a_list(
    claim: str, label: Label
) -> None:
    assert verdict(claim, TANKS) is label


def test_a_list_shares_the_unit_of_its_last_figure() -> None:
    page = "The shifts lasted 4, 6 and 9 hours."
    assert verdict("No shift lasted more than 7 hours.", page) is Label.CONTRADICTED
    assert verdict("All shifts lasted at least 3 hours.", page) is Label.SUPPORTED


def test_one_figure_is_no_list_and_an_exception_is_not_swept_over() -> None:
    one = "The tank held 61 % of its volume."
    assert verdict("Every tank held at least 70 % of its volume.", one) is not (
        Label.CONTRADICTED
    )
    claim = "All tanks but one held at least 70 % of their volume."
    assert verdict(claim, TANKS) is not Label.CONTRADICTED


@pytest.mark.parametrize(
    ("claim", "label"),
    [
        ("The report does not mention a cracked hinge.", Label.CONTRADICTED),
        ("The document makes no mention of a cracked hinge.", Label.CONTRADICTED),
        ("The report mentions a cracked hinge.", Label.SUPPORTED),
        ("The report does not mention a cracked window.", Label.NOT_ENOUGH_INFO),
    ],
)
def test_what_a_page_mentions(claim: str, label: Label) -> None:
    page = "The inspector found a cracked hinge on the north door."
    assert verdict(claim, page, "Two lamps were replaced.") is label
