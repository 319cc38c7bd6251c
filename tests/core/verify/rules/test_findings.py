"""Rules: a wrong number is named with its sentence, another form is no conflict."""

from __future__ import annotations

import pytest

from claimscope.core.models import RULE_IDS, Evidence, RuleFinding
from claimscope.core.verify.rules.findings import findings, inspect, sources_conflict
from claimscope.core.verify.rules.registry import RULES
from claimscope.core.verify.token_alignment import AlignedWindow


def sentence(text: str, page_id: str = "page", **fields: str | None) -> Evidence:
    """A sentence as evidence."""
    return Evidence(
        page_id=page_id, index=0, text=text, start=0, end=len(text), **fields
    )


def conflicts(claim: str, *texts: str) -> list[RuleFinding]:
    """Conflicts of a claim with sentences."""
    found = findings(claim, [sentence(text) for text in texts])
    return [finding for finding in found if finding.outcome == "conflict"]


@pytest.mark.parametrize(
    ("claim", "text", "mine", "theirs"),
    [
        (
            "The ferry carries 40 cars per crossing.",
            "Each ferry carries 14 cars per crossing.",
            "40",
            "14",
        ),
        (
            "The share of lambs that lived was 40 %.",
            "The share of lambs that lived was 14 % in the second year.",
            "40 %",
            "14 %",
        ),
        (
            "The lighthouse was first lit on 3 May 1871.",
            "The lighthouse was first lit on 3 May 1872.",
            "3 May 1871",
            "3 May 1872",
        ),
        (
            "The market opens at 8 a.m. on the square.",
            "The market on the square opens at 7:30.",
            "8 a.m.",
            "7:30",
        ),
        (
            "The choir meets on Fridays in the old hall.",
            "The choir meets in the old hall on Thursdays.",
            "Fridays",
            "Thursdays",
        ),
        (
            "A helmet is required for every rider of the track.",
            "A helmet is welcome but not required for every rider of the track.",
            "required",
            "not required",
        ),
        (
            "The mill was drawn by Osric Venn for the harbour board.",
            "The mill was drawn by Hesper Quill for the harbour board.",
            "Osric Venn",
            "Hesper Quill",
        ),
        (
            "The tower dose is 20 g of salt per tank.",
            "The tower dose is 20 mg of salt per tank.",
            "20 g",
            "20 mg",
        ),
    ],
)
def test_conflict_names_both_sides(
    claim: str, text: str, mine: str, theirs: str
) -> None:
    (found,) = conflicts(claim, text)
    assert (found.claim_text, found.evidence_text) == (mine, theirs)
    assert found.veto
    assert mine in found.message and theirs in found.message


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("The barn holds 1,200 sheep.", "The barn holds twelve hundred sheep."),
        ("Entry costs 29 dollars.", "Entry costs $29.00."),
        ("Five per cent of hens were ill.", "5 % of the hens were ill."),
        ("The walk is 8 km long.", "The walk is 5 miles long."),
        ("The talk begins at half past six.", "The talk begins at 18:30."),
        ("It opened on May 3, 1872.", "It opened on 3 May 1872."),
        ("A pump runs 22 times per minute.", "Pump rate: 22/min."),
        ("The share was 14 %.", "The share was 13.8 %."),
        ("Children of three years may climb.", "Children aged 2 years or older may."),
        ("At most four ropes are used.", "No more than four ropes are used."),
        ("The hall is 3,800 m long.", "The hall is 3, 800 m long."),
    ],
)
def test_another_form_is_no_conflict(claim: str, text: str) -> None:
    found = findings(claim, [sentence(text)])
    assert [one for one in found if one.veto or one.outcome == "conflict"] == []


def test_number_found_nowhere_forbids_support() -> None:
    (found,) = findings("The dam holds 77 trout.", [sentence("The dam holds trout.")])
    assert (found.outcome, found.veto) == ("missing", True)


def test_small_counts_may_have_been_counted() -> None:
    found = findings(
        "Two birds live here.", [sentence("A heron and a wren live here.")]
    )
    assert not any(one.veto for one in found)


@pytest.mark.parametrize(
    ("claim", "texts"),
    [
        ("Together the fees are 295 marks.", ("It is 110 marks.", "It is 185 marks.")),
        ("The fee fell by 12 % to 70 %.", ("The fee fell from 82 % to 70 %.",)),
        ("Two adults at £18 and a child at £9 pay £45.", ("An adult pays £18.",)),
        (
            "A pup of 20 kg gets 200 mg.",
            ("A pup gets 10 mg/kg.", "A pup weighs 20 kg."),
        ),
    ],
)
def test_sums_and_products_follow(claim: str, texts: tuple[str, ...]) -> None:
    found = findings(claim, [sentence(text) for text in texts])
    assert not any(one.outcome == "conflict" for one in found)
    last = [one for one in found if one.rule == "number"][-1]
    assert last.outcome == "match"


def test_number_of_another_thing_is_no_conflict() -> None:
    claim = "The ferry carries 40 cars per crossing."
    assert conflicts(claim, "The harbour café has 14 tables for its guests.") == []


def test_number_of_another_subject_is_no_conflict() -> None:
    claim = "The ferry Maud carries 40 cars per crossing."
    found = findings(claim, [sentence("The ferry Edda carries 14 cars per crossing.")])
    assert not any(one.rule == "number" and one.outcome == "conflict" for one in found)


def test_negation_of_all_a_sentence_says() -> None:
    claim = "The keeper does not get a lamp of the harbour office in winter."
    text = "The keeper is given a lamp of the harbour office in winter."
    (found,) = conflicts(claim, text)
    assert found.rule == "negation"


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        (
            "The boards are made of spruce, not of beech.",
            "The boards of the loft are made of beech.",
        ),
        (
            "Visitors of the villa can see the garden but not the house.",
            "Visitors can see the house of the villa and its garden.",
        ),
    ],
)
def test_what_is_only_set_against_is_doubted(claim: str, text: str) -> None:
    (found,) = [
        one for one in findings(claim, [sentence(text)]) if one.rule == "negation"
    ]
    assert (found.outcome, found.veto) == ("missing", True)


def test_heading_is_no_opposite() -> None:
    claim = "Balcony Gardening is a course for people without a garden."
    assert conflicts(claim, "# Balcony Gardening") == []


def test_two_negations_are_no_conflict() -> None:
    claim = "No ticket is needed for the garden."
    assert conflicts(claim, "The garden can be seen without a ticket.") == []


def test_numbers_of_the_question_are_given() -> None:
    windows = [AlignedWindow(sentence("A ticket for the ferry costs 3 marks."))]
    claim = "For 17 people the ferry costs 51 marks."
    asked = "What does the ferry cost for 17 people?"
    outcomes = {
        f.shown.claim_text: f.shown.outcome for f in inspect(claim, windows, asked)
    }
    assert outcomes["17"] == "match"


def test_quotes() -> None:
    page = [sentence("The keeper wrote that the lamp must never go out.")]
    said = findings("He wrote “the lamp must never go out”.", page)
    unsaid = findings("He wrote “the lamp may go out at dawn”.", page)
    assert [one.outcome for one in said if one.rule == "quote"] == ["match"]
    assert [one.outcome for one in unsaid if one.rule == "quote"] == ["missing"]


def test_sources_that_disagree() -> None:
    claim = "The Skarn bridge is 310 metres long."
    pages = [
        AlignedWindow(sentence("The Skarn bridge is 310 metres long.", "a")),
        AlignedWindow(sentence("The Skarn bridge is 290 metres long.", "b")),
    ]
    found = sources_conflict(claim, pages)
    assert found is not None
    assert [one.page_id for one in found] == ["a", "b"]
    assert sources_conflict(claim, pages[:1]) is None


def test_no_evidence_no_finding() -> None:
    assert findings("The dam holds 77 trout.", []) == ()


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        (
            "The Ost league chose IPL rules.",
            "The Ost league chose Ice Polo League rules.",
        ),
        ("It grows turmeric on Skarn farm.", "It grows tumeric on Skarn farm."),
        (
            "The Skarn team won the cup in 1989.",
            "The Skarn team won the cup in 1942 and again in the spring of two other"
            " years before its ground by the river was sold to a builder of barges.",
        ),
    ],
)
def test_doubtful_conflict_is_none(claim: str, text: str) -> None:
    assert conflicts(claim, text) == []


def test_fee_of_one_of_many_pages_is_no_conflict() -> None:
    pages = [sentence(f"The fee is {n}0 marks.", f"page-{n}") for n in (3, 5, 9)]
    found = findings("The fee is 40 marks.", pages)
    assert [one.outcome for one in found] == ["missing"]


def test_a_count_is_no_measured_figure() -> None:
    page = sentence(
        "In Ost the mean share fell from 7.9 % to 7.4 %.",
        after="Eleven people left, seven of them early.",
    )
    found = findings("In Ost the mean share fell from 7.9 % to 7.0 %.", [page])
    assert [f.claim_text for f in found if f.outcome == "conflict"] == ["7.0 %"]


def test_a_denial_among_much_else_only_forbids() -> None:
    text = (
        "It was the best year since the count began, even though the dome stayed"
        " closed throughout and the bakery, the shop and the mill had little to sell."
    )
    (found,) = [
        one
        for one in findings("The dome was not closed.", [sentence(text)])
        if one.rule == "negation"
    ]
    assert (found.outcome, found.veto) == ("missing", True)


def test_the_vocabulary_names_the_rules_that_there_are() -> None:
    assert tuple(rule.id for rule in RULES) == RULE_IDS


def test_the_head_of_a_column_is_no_name() -> None:
    claim = "Hall: Lindgate; Usual rent: 240 euros; Seats: 90"
    row = "Hall: Lindgate; Regular rent: 240 euros; Seats: 90"
    assert conflicts(claim, row) == []


def test_one_year_does_not_stand_for_an_age() -> None:
    claim = "You must have had your licence for at least a year and be at least 19."
    page = "a licence for class B that you have held for at least **one** year,"
    assert conflicts(claim, page) == []
