"""A near copy entails or contradicts by one slot; anything freer is left to others."""

from __future__ import annotations

import pytest

from claimscope.core.models import Evidence
from claimscope.core.ports import Question
from claimscope.core.verify.normalisation import canonical
from claimscope.core.verify.passages import passage_of
from claimscope.core.verify.statements import Statement, statements
from claimscope.core.verify.witnesses.alignment import (
    align_with_statement,
    by_alignment,
    readings,
)

PLANS = """# Berths

| Berth | Fee | Boats |
|---|---|---|
| Inner | €14 | 6 |
| Outer | €9 | 20 |
"""


def said(claim: str, page: str) -> set[str]:
    """What the statements of a page say of a claim."""
    found = [
        align_with_statement(canonical(claim), one)
        for one in statements(page)
        if not one.is_head
    ]
    return {match.says for match in found if match is not None}


@pytest.mark.parametrize(
    ("claim", "page"),
    [
        ("The Plover holds 40 litres.", "The Plover holds 12 litres."),
        ("Hall C seats 80 people.", "Hall C seats 35 people. Hall D seats 80 people."),
        ("The lower lock shuts at 9:00.", "The lower lock shuts at 7:00."),
        ("Ida Vale was born in 1962.", "Ida Vale was born in 1926."),
        ("The lift is inspected on Mondays.", "The lift is inspected on Thursdays."),
        ("The kiln is lit in March.", "The kiln is lit in April."),
        ("The fault is mended in build 7c.", "The fault is mended in build 7d."),
        ("The path is unsafe in winter.", "The path is safe in winter."),
        ("The motion of 4 June was invalid.", "The motion of 4 June was valid."),
        ("The pump failed to start after rain.", "The pump started after rain."),
        ("The board refused to open the file.", "The board opened the file."),
        ("The ferry does not carry horses.", "The ferry carries horses."),
        ("The fee is 2.5 euros.", "The fee is 2.500 euros."),
    ],
)
def test_one_slot_that_differs_contradicts(claim: str, page: str) -> None:
    assert said(claim, page) == {"contradicts"}


@pytest.mark.parametrize(
    ("claim", "page"),
    [
        ("The Plover holds 12 litres.", "The Plover holds 12 litres in its tank."),
        ("The trail is 16 km long.", "The trail is 10 miles long."),
        ("In 1926 Ida Vale was born.", "In 1926, Ida Vale was born."),
        (
            "The hall seats 2,500 people.",
            "It cost 1.200.000 euros. The hall seats 2.500 people.",
        ),
        (
            "The ferry does not carry horses.",
            "The ferry does not carry horses on Sundays.",
        ),
        (
            "Under Winter hours, the gate shuts at 16:00.",
            "# Winter hours\n\nThe gate shuts at 16:00.\n",
        ),
    ],
)
def test_the_same_words_entail(claim: str, page: str) -> None:
    assert "entails" in said(claim, page)


@pytest.mark.parametrize(
    ("claim", "page"),
    [
        # Another subject has it.
        ("The upper lock shuts at 9:00.", "The lower lock shuts at 7:00."),
        ("Hall C seats 80 people.", "Hall D seats 35 people."),
        # Said with a limit, by somebody, of something that is not so.
        (
            "The well has healing water.",
            "Legend has it that the well has healing water.",
        ),
        ("The bridge is closed.", "Not before May: the bridge is closed."),
        ("The bridge carries lorries.", "Only the new bridge carries lorries."),
        ("Newts spawn in May.", "Frogs and newts spawn in April and May."),
        # Bounds and estimates exclude no value.
        ("The hall seats 80 people.", "The hall seats at least 60 people."),
        ("The hall seats 80 people.", "The hall seats about 70 people."),
        # A thousand or decimals: the page does not say.
        ("The town has 12.5 members.", "The town has 12.500 members."),
        # Other words are other witnesses' matter.
        ("The engine broke down at sea.", "The motor gave out on the water."),
    ],
)
def test_what_is_no_near_copy_is_left_open(claim: str, page: str) -> None:
    assert said(claim, page) == set()


@pytest.mark.parametrize(
    ("claim", "says"),
    [
        ("The Inner berth costs €14.", {"entails"}),
        ("The Inner berth costs €9.", {"contradicts"}),
        ("The Outer berth takes 20 boats.", set()),
        ("The Outer berth has 20 boats.", {"entails"}),
        ("The Outer berth has 6 boats.", {"contradicts"}),
        ("Berth: Outer; Fee: €14; Boats: 20", {"contradicts"}),
        ("Berth: Outer; Fee: €9; Boats: 20", {"entails"}),
    ],
)
def test_a_row_is_held_cell_by_cell(claim: str, says: set[str]) -> None:
    assert said(claim, PLANS) - {None} == says


@pytest.mark.parametrize(
    ("claim", "page", "says"),
    [
        (
            "Keeper of the seal: Una Marsh",
            "Una Marsh is keeper of the seal.",
            "entails",
        ),
        (
            "Keeper of the seal: Una Marsh",
            "Odo Finch is keeper of the seal.",
            "contradicts",
        ),
        ("Fees: Pupils: 3 euros", "Pupils pay 7 euros.", "contradicts"),
        ("✅ Kites", "Kites are not allowed.", "contradicts"),
        ("Kites ❌", "Kites are not allowed.", "entails"),
    ],
)
def test_a_label_and_its_value(claim: str, page: str, says: str) -> None:
    assert said(claim, page) == {says}


def test_two_lists_side_by_side_are_read_pair_by_pair() -> None:
    page = "The heron and the stork weigh 2 kg and 4 kg, respectively."
    assert readings(page) == ["The heron weigh 2 kg.", "the stork weigh 4 kg."]
    assert said("The stork weighs 2 kg.", page) == {"contradicts"}
    assert said("The stork weighs 4 kg.", page) == {"entails"}
    uneven = "The heron, the stork and the crane weigh 2 kg and 4 kg, respectively."
    assert readings(uneven) == []


def test_a_pronoun_is_read_with_the_statement_before_it() -> None:
    page = "The ferry leaves at 8:15. It carries 40 cars."
    evidence = tuple(
        Evidence(page_id="page", index=n, text=page[a:b], start=a, end=b)
        for n, (a, b) in enumerate(((0, 25), (26, len(page))))
    )

    def found(claim: str) -> list[str]:
        question = Question(claim, evidence, documents=(("page", page),))
        return [one.says for one in by_alignment(claim, passage_of(question))]

    assert found("The ferry carries 45 cars.") == ["contradicts"]
    assert found("The ferry carries 40 cars.") == ["entails"]
    assert found("The bus carries 45 cars.") == []


def test_a_word_that_means_the_same_is_the_same() -> None:
    one = Statement(0, 1, "Bookkeeping II requires one year of office work.")
    found = align_with_statement("Bookkeeping II needs one year of office work.", one)
    assert found is not None
    assert found.says == "entails"
    assert (
        align_with_statement("Bookkeeping II excludes one year of office work.", one)
        is None
    )


def test_a_claim_names_what_the_title_of_the_page_names() -> None:
    one = Statement(0, 1, "The fee is 150 marks, and the book costs 28 marks extra.")
    found = align_with_statement(
        "The fee for Rowing B2 is 180 marks.", one, "Rowing B2: The start"
    )
    assert found is not None
    assert (found.says, found.mine, found.theirs) == ("contradicts", "180", "150")
    assert (
        align_with_statement("The fee for Rowing B3 is 180 marks.", one, "Rowing B2")
        is None
    )


def test_a_denying_word_that_has_moved_denies_the_same() -> None:
    one = Statement(0, 1, "The lift stood still in May because the main motor failed.")
    claim = "The lift stood still in May because of a failed main motor."
    assert align_with_statement(claim, one) is None


def test_a_denial_at_the_end_is_heard() -> None:
    one = Statement(0, 1, "Alma gave her first boat to Uma, who had taught her.")
    assert align_with_statement("Alma gave her first boat to nobody.", one) is None
