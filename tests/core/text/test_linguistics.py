"""Clauses and subjects, by spaCy and by the patterns that stand in for it."""

from __future__ import annotations

import pytest

from claimscope.core.text import linguistics
from claimscope.core.text.linguistics import (
    Subject,
    clause_cuts,
    has_clause,
    main_subject,
    resolve_clear_pronoun,
    resolve_pronoun,
)


def parts(text: str) -> list[str]:
    pieces: list[str] = []
    left = 0
    for cut in clause_cuts(text):
        pieces.append(text[left : cut.end])
        left = cut.start
    return [*pieces, text[left:]]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        (
            "The kiln holds 40 pots, and the club fires it on Mondays.",
            ["The kiln holds 40 pots", "the club fires it on Mondays."],
        ),
        (
            "The pulse was 88 per minute and the temperature peaked at 37.9 °C.",
            ["The pulse was 88 per minute", "the temperature peaked at 37.9 °C."],
        ),
        (
            "Firing takes nine hours; the door stays shut until noon.",
            ["Firing takes nine hours", "the door stays shut until noon."],
        ),
        (
            "The kiln is hot, and once the fire is out, members open the door.",
            ["The kiln is hot", "once the fire is out, members open the door."],
        ),
        (
            "The kiln does not fail, but its use has been relatively limited.",
            ["The kiln does not fail", "its use has been relatively limited."],
        ),
    ],
)
def test_conjuncts_with_their_own_subject_and_verb_are_cut(
    text: str, pieces: list[str]
) -> None:
    assert parts(text) == pieces


@pytest.mark.parametrize(
    "text",
    [
        "The kiln and the wheel are free on Sundays.",
        "The kiln heats to 900 °C and cools overnight.",
        "In winter the kiln is closed, and the wheel stands in the hall.",
        "If you pay, the kiln is yours and the wheel is free.",
        "It is not true that the kiln is old and the wheel is new.",
    ],
)
def test_what_may_belong_together_stays_whole(text: str) -> None:
    assert parts(text) == [text]


def test_without_a_model_only_semicolons_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linguistics, "parse", lambda text: None)
    assert parts("It is hot; it was cold.") == ["It is hot", "it was cold."]
    assert len(parts("It is hot, and it was cold.")) == 1
    assert parts("Red; green; blue.") == ["Red; green; blue."]
    assert has_clause("It is hot") and not has_clause("20 marks a day")
    assert main_subject("The kiln is hot.") is None


def test_a_pronoun_is_resolved_only_when_it_agrees() -> None:
    kiln = main_subject("The Ember Kiln stands in the yard.")
    assert kiln is not None and kiln.is_alone
    assert kiln.text == "The Ember Kiln"
    assert (
        resolve_pronoun("It was built in 1931.", kiln)
        == "The Ember Kiln was built in 1931."
    )
    assert resolve_pronoun("Its door is oak.", kiln) == "The Ember Kiln's door is oak."
    # A name may be a firm's; where others are named beside it, "they" may be those.
    potters = main_subject("The Ember Kiln stands in the yard of two potters.")
    assert potters is not None and resolve_pronoun("They are old.", potters) is None
    assert resolve_pronoun("It is not true that it leaks.", kiln) is None
    assert resolve_pronoun("The door is oak.", kiln) is None


def test_a_subject_with_a_rival_is_not_alone() -> None:
    found = main_subject("The potter sold the kiln.")
    assert found is not None and not found.is_alone
    assert main_subject("It is hot.") is None
    assert main_subject("Ana Ruiz (27) and Bo Lind (31) fire the kiln.") is None


def test_clauses() -> None:
    assert has_clause("The kiln is hot.")
    assert not has_clause("Twenty marks a day")


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("In 1954, it won the cup.", "In 1954, Tarn Rovers won the cup."),
        ("In total, they won 10 cups.", "In total, Tarn Rovers won 10 cups."),
        ("At home, its players wear red.", "At home, Tarn Rovers' players wear red."),
        ("As a result, it moved to Osk.", "As a result, Tarn Rovers moved to Osk."),
        # a clause, another thing, the weather
        ("When the mill closed, it moved to Osk.", None),
        ("Unlike Osk, it has a hall.", None),
        ("In the north wing, it is cold.", None),
        ("In winter, it snows.", None),
        ("In the two halls, they play chess.", None),
    ],
)
def test_a_pronoun_behind_a_beginning_is_resolved(text: str, named: str | None) -> None:
    rovers = Subject("Tarn Rovers", False, True, True, True, is_group=True)
    assert resolve_pronoun(text, rovers) == named


def test_a_person_is_no_rival_of_a_thing() -> None:
    found = main_subject("Ana Ruiz studied law.")
    assert found is not None
    assert resolve_clear_pronoun("Later, she ran a school.", found) == (
        "Later, Ana Ruiz ran a school."
    )
    assert resolve_clear_pronoun("It is old.", found) is None
    found = main_subject("Ana Ruiz met Ea Holm.")
    assert found is not None
    assert resolve_clear_pronoun("She ran a school.", found) is None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Windows 11 was released in 2021.", "Windows 11"),
        ("The SM U-30 was a submarine.", "The SM U-30"),
        ("Chapter 3 of the book is long.", "Chapter 3 of the book"),
        ("Ana Ruiz, 27, is a smith.", "Ana Ruiz"),
    ],
)
def test_a_number_behind_a_name_is_part_of_it(text: str, name: str) -> None:
    found = main_subject(text)
    assert found is not None and found.text == name


def test_an_article_is_small_behind_a_beginning() -> None:
    found = main_subject("The SM U-30 was built in Kiel.")
    assert found is not None
    assert resolve_pronoun("In 1914, it sank.", found) == "In 1914, the SM U-30 sank."


def test_a_club_may_be_they_beside_one_other_thing() -> None:
    found = main_subject("Tarn Athletic reached the first league in 1904.")
    assert found is not None and not found.is_alone
    assert (
        resolve_clear_pronoun("They won 4 cups.", found) == "Tarn Athletic won 4 cups."
    )
    assert resolve_clear_pronoun("It won 4 cups.", found) is None
