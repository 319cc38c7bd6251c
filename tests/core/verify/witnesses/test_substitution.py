"""What the passage has in the claim's place."""

from __future__ import annotations

import pytest

from claimscope.core.models import Label
from claimscope.core.verify.resolve import policy, resolve
from claimscope.core.verify.witnesses.substitution import (
    MOST,
    Rival,
    by_rival,
    substitutes,
)

CARS = "The Orla, Pim and Tuva vans carry wool, salt and peat respectively."


def others(claim: str, passage: str) -> set[tuple[str, str]]:
    return {(one.own, one.other) for one in substitutes(claim, passage)}


def test_names_take_each_others_place() -> None:
    found = substitutes("The van that carries salt is the Tuva.", CARS)
    assert "The van that carries salt is the Pim." in [one.claim for one in found]
    assert {one.own for one in found} == {"Tuva"}


@pytest.mark.parametrize(
    ("claim", "passage", "wanted"),
    [
        (
            "The upper tank holds 90 litres.",
            "The upper tank holds 120 litres, the lower tank 90 litres.",
            {("90 litres", "120 litres")},
        ),
        # Of another kind, or one that may be true with it.
        ("The walk takes 40 minutes.", "It is 6 km and takes 40 minutes.", set()),
        ("Bags of 9 kg go free.", "Bags of up to 10 kg go free, 9 kg too.", set()),
        (
            "The upper tank holds 70 litres.",
            "It holds 120 litres.",
            {("70 litres", "120 litres")},
        ),
        # A total stands nowhere.
        ("Both hold 210 litres in total.", "One holds 120 litres.", set()),
        # The same is said of both.
        ("Lot KX204 goes back.", "Lots KX204 and KX207 go back.", set()),
        ("Talks are on Mondays.", "Vera Holt gives the talks on Mondays.", set()),
        (
            "Talks are on Mondays.",
            "Tours are on Fridays, talks on Mondays.",
            {("Mondays", "Fridays")},
        ),
        # The head of a row is no part of its name; a unit is no name.
        (
            "The Alder room costs 48.",
            "Room Alder: Price: 48; Size: 12 GB. Room Birch: Price: 72; Size: 9 GB.",
            {("48", "72"), ("Alder", "Birch")},
        ),
    ],
)
def test_what_takes_its_place(
    claim: str, passage: str, wanted: set[tuple[str, str]]
) -> None:
    assert others(claim, passage) == wanted


def test_no_more_are_asked_about_than_there_is_time_for() -> None:
    rows = " ".join(f"Line {n} has {n * 3} stops." for n in range(10, 30))
    assert len(substitutes("Line 12 has 36 stops.", rows)) == MOST


STATED, WEAK = Rival("Tuva", "Pim", 0.93), Rival("Tuva", "Orla", 0.4)


@pytest.mark.parametrize(
    ("rivals", "entails", "contradicts", "may_deny", "says"),
    [
        ([WEAK, STATED], 0.1, 0.8, True, "contradicts"),
        # Of long pages a better sentence may not be among the candidates.
        ([WEAK, STATED], 0.1, 0.8, False, "doubts"),
        ([STATED], 0.7, 0.2, True, "doubts"),
        ([STATED], 0.92, 0.05, True, None),
        ([WEAK], 0.1, 0.8, True, None),
        ([], 0.1, 0.8, True, None),
    ],
)
def test_what_a_rival_says(
    rivals: list[Rival],
    entails: float,
    contradicts: float,
    may_deny: bool,
    says: str | None,
) -> None:
    said = by_rival(rivals, entails, contradicts, "p:S:0", policy(), may_deny=may_deny)
    assert [one.says for one in said] == ([says] if says else [])
    if said:
        assert said[0].reason == "The page has “Pim” where the claim has “Tuva”."


def test_its_contradiction_is_a_verdict() -> None:
    said = by_rival([STATED], 0.1, 0.8, "p:S:0", policy(), may_deny=True)
    assert resolve(said).label is Label.CONTRADICTED
