"""Sentences of several facts, and what must stay together."""

from __future__ import annotations

import pytest

from claimscope.core.text.facts import facts


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "The plan includes 2 projects, costs 10 euros a month, and allows 5 users.",
            (
                "The plan includes 2 projects",
                "The plan costs 10 euros a month",
                "The plan allows 5 users.",
            ),
        ),
        (
            "The mill was built in 1931, burned down in 1940, and was rebuilt in 1950.",
            (
                "The mill was built in 1931",
                "The mill burned down in 1940",
                "The mill was rebuilt in 1950.",
            ),
        ),
        (
            "The hall, which seats 200, belongs to the town.",
            ("The hall belongs to the town.", "The hall seats 200"),
        ),
        (
            "Ana Ruiz, who was born in Lund, won the prize in 1903.",
            ("Ana Ruiz won the prize in 1903.", "Ana Ruiz was born in Lund"),
        ),
        (
            "The sea is bounded by hills and separated from the bay by an island.",
            (
                "The sea is bounded by hills",
                "The sea is separated from the bay by an island.",
            ),
        ),
        (
            "Tarn Press is a publisher that specializes in maps.",
            ("Tarn Press is a publisher.", "Tarn Press specializes in maps."),
        ),
    ],
)
def test_each_fact_stands_alone(text: str, said: tuple[str, ...]) -> None:
    assert facts(text) == said


@pytest.mark.parametrize(
    "text",
    [
        "The museum opens and closes at 9.",
        "The club bought and restored the mill in 1990.",
        "If it rains, the gate closes and the pump stops at 9.",
        "The pump never stops at night and needs no oil.",
        "The service does not store passwords and share keys with others.",
        "Either the pump stops at 9 or the gate closes.",
        "The pump runs at night, which means that the tank is full by 6.",
        "Take bus 27 to Skerra Lane, which runs every 30 minutes.",
        "The Oak plan is the only plan that includes export.",
        "The mill grinds oats, barley and rye.",
        "She was born in Oslo and moved to Lund in 1990.",
        "Tickets cost 9 marks.",
        "The data shows dogs can become infected, but do not seem to show symptoms.",
        "We propose a model without reducing the decoder, which boosts the quality.",
        "Batman was created by writer Bill Finger and artist Bob Kane for a paper.",
        "This website tells of the role they played, and still play, at sea.",
        "The dose is 25 micrograms, which equals 1,000 IU.",
        "",
    ],
)
def test_what_may_hold_for_all_parts_keeps_them_together(text: str) -> None:
    assert facts(text) == (text,)
