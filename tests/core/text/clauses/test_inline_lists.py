"""Lists behind a colon within a sentence."""

from __future__ import annotations

import pytest

from claimscope.core.text.clauses.facts import split_facts
from claimscope.core.verify.decomposition import decompose


def said_in(text: str) -> tuple[str, ...]:
    return tuple(fact.text for fact in split_facts(text))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "The stops are: Quay, Mill Lane, and Salt and Rye.",
            (
                "The stops are Quay",
                "The stops are Mill Lane",
                "The stops are Salt and Rye",
            ),
        ),
        (
            "The panel shows three values: pressure, heat (inside, outside) and flow.",
            (
                "The panel shows three values: pressure",
                "The panel shows three values: heat (inside, outside)",
                "The panel shows three values: flow",
            ),
        ),
        (
            "The quartet has made three albums: A Broken Oar, The Quay and Salt.",
            (
                "The quartet has made three albums: A Broken Oar",
                "The quartet has made three albums: The Quay",
                "The quartet has made three albums: Salt",
            ),
        ),
    ],
)
def test_each_item_is_read_under_what_leads_it_in(
    text: str, said: tuple[str, ...]
) -> None:
    assert said_in(text) == said


@pytest.mark.parametrize(
    "text",
    [
        "The panel shows two values: pressure, heat and flow.",
        "Bring one of three papers: a passport, a card, or a letter.",
        "The panel does not show three values: pressure, heat and flow.",
        "The hotel rates include breakfast: 90 marks in Osk, Tarn and Lund.",
        "Tickets cost: 9 marks, children and students.",
        "The town has two books: Salt and Light.",
        "The rule is simple: the gate closes, the lamp is lit and the guard leaves.",
        "The fees are: 5 marks, a deposit and 9 marks.",
        "They won three cups: 1990, 1991 and 1993, and two leagues: 1992 and 1995.",
    ],
)
def test_what_is_no_plain_list_stays_whole(text: str) -> None:
    assert said_in(text) == (text,)


def test_each_item_has_its_own_place_in_the_answer() -> None:
    answer = "The stops are: Quay, Mill Lane and Harbour."
    places = [answer[one.start : one.end] for one in decompose(answer).claims]
    assert places == ["The stops are: Quay, ", "Mill Lane and ", "Harbour."]
