"""Answers as chatbots, search assistants and pipelines write them: what they claim."""

from __future__ import annotations

import pytest

from claimscope.core.text.sentences import split_sentences
from claimscope.core.verify.decomposition import decompose


def claims(answer: str) -> list[str]:
    return [claim.text for claim in decompose(answer).claims]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (
            "🔹 **Price:** 20 euros\n🔹 **Weight:** 3 kg\n✅ Returns are free",
            ["Price: 20 euros", "Weight: 3 kg", "✅ Returns are free"],
        ),
        (
            "**Prices**\nAdults: €8\nChildren: free",
            ["Prices: Adults: €8", "Prices: Children: free"],
        ),
        ("town: Tarn\npeople: 12000", ["town: Tarn", "people: 12000"]),
        (
            "<think>The fee? I guess 30.\n\nOr 35.</think>\n\nThe fee is 40 marks.",
            ["The fee is 40 marks."],
        ),
        (
            "<think>30?</think> The fee is 40 marks.",
            ["The fee is 40 marks."],
        ),
        (
            "<h3>Fees</h3><p>The fee is 40 marks.</p><ul><li>It is due</li>"
            "<li>Late payers owe 5 marks more</li></ul>",
            [
                "The fee is 40 marks.",
                "It is due",
                "Late payers owe 5 marks more",
            ],
        ),
        (
            "The hut opens at 9.[1](https://a.example/x) It closes at 5"
            " [2](https://a.example/y). Dogs may stay 【3†source】.",
            ["The hut opens at 9.", "The hut closes at 5.", "Dogs may stay."],
        ),
        (
            "| Plan | Holds |\n|---|---|\n| Pro | 50 users<br>1 TB |",
            ["Plan: Pro; Holds: 50 users, 1 TB"],
        ),
        (
            "Grog\n: Ground clay. It cuts shrinkage.\n",
            ["Grog : Ground clay.", "Grog cuts shrinkage."],
        ),
        (
            "**Q:** When is my card blocked?\n**A:** Once you owe 15 €.",
            ["When is my card blocked? Once you owe 15 €."],
        ),
        (
            "Subject: Re: The hall\n\nThe hall takes 120 people.",
            ["The hall takes 120 people."],
        ),
        (
            "The fee is 40 marks. (Late payers owe 5 marks more.)",
            ["The fee is 40 marks.", "(Late payers owe 5 marks more.)"],
        ),
        ("It lifts \\( 1{,}200 \\) kg.", ["It lifts \\( 1{,}200 \\) kg."]),
    ],
)
def test_each_format(answer: str, said: list[str]) -> None:
    assert claims(answer) == said


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("It has [120](https://a.example/x) rooms.", ["It has 120 rooms."]),
        ("The fee is [8](https://a.example/x).", ["The fee is 8."]),
        ("Date: 12 May\nPlace: Hall", ["Date: 12 May", "Place: Hall"]),
        ("🚫 Dogs in the garden", ["🚫 Dogs in the garden"]),
        ("Or 9.</think>\nThe fee is 8.", ["The fee is 8."]),
        (
            "Due in May.[1](https://a.example/b_(c)) It is 8.",
            ["Due in May.", "It is 8."],
        ),
    ],
)
def test_what_only_looks_like_a_mark_stays(answer: str, said: list[str]) -> None:
    assert claims(answer) == said


def test_an_answer_of_reasoning_alone_is_not_thrown_away() -> None:
    assert claims("<think>The fee is 40 marks.</think>") == ["The fee is 40 marks."]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        (
            "It is May.[1](https://a.example) The",
            ["It is May.[1](https://a.example)", "The"],
        ),
        ("See [the hut](a.md) first. It is", ["See [the hut](a.md) first.", "It is"]),
        ("**Fees**\nThe fee is 4.", ["**Fees**", "The fee is 4."]),
        ("**The fee** is 4.\nIt is due.", ["**The fee** is 4.", "It is due."]),
        ("a: 1\nb:\n  c: 2", ["a: 1", "b:", "c: 2"]),
        ("note that the\nexample: one", ["note that the\nexample: one"]),
        ("🔹 Two lamps\n🔸 One pump", ["🔹 Two lamps", "🔸 One pump"]),
        ("Lamps are red 🔹\nand blue", ["Lamps are red 🔹\nand blue"]),
    ],
)
def test_where_lines_part(text: str, pieces: list[str]) -> None:
    assert [text[a:b] for a, b in split_sentences(text, "markdown")] == pieces
