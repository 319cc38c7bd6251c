"""Answers in JSON: what each field states, and where it stands."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.text.json_fields import json_fields
from claimscope.core.verify.decomposition import decompose


def claims(answer: str) -> list[tuple[str, str]]:
    """Text of each claim, and what it stands on."""
    return [(one.text, answer[one.start : one.end]) for one in decompose(answer).claims]


def test_each_field_is_a_claim_under_the_names_above_it() -> None:
    answer = (
        '{"hut": "Sile", "fees": {"adult": 8, "child": 0}, "open": true, "x": null}'
    )
    assert claims(answer) == [
        ("hut: Sile", '"hut": "Sile"'),
        ("fees: adult: 8", '"adult": 8'),
        ("fees: child: 0", '"child": 0'),
        ("open: yes", '"open": true'),
    ]
    assert [one.text for one in decompose(answer).skipped] == ['"x": null']


def test_the_fields_of_an_object_in_a_list_belong_together() -> None:
    answer = '[{"hut": "Sile", "bunks": 12}, {"hut": "Dun", "bunks": 8}]'
    assert claims(answer) == [
        ("hut: Sile; bunks: 12", '"hut": "Sile", "bunks": 12'),
        ("hut: Dun; bunks: 8", '"hut": "Dun", "bunks": 8'),
    ]
    assert claims('{"huts": [{"hut": "Sile", "bunks": 12}]}')[0][0] == (
        "huts: hut: Sile; bunks: 12"
    )


def test_an_answer_in_sentences_is_read_as_one() -> None:
    answer = (
        '{"answer": "The hut has 12 bunks. It is locked.", "confidence": 0.9,'
        ' "sources": [{"title": "Huts", "url": "x"}]}'
    )
    assert claims(answer) == [
        ("The hut has 12 bunks.", "The hut has 12 bunks."),
        ("The hut is locked.", "It is locked."),
    ]
    escaped = '{"answer": "The hut has 12 bunks.\\nIt is locked."}'
    assert [text for text, _ in claims(escaped)] == [
        "The hut has 12 bunks.",
        "The hut is locked.",
    ]


def test_a_block_of_json_in_prose_is_read_so_too() -> None:
    answer = 'The settings are these.\n\n```json\n{"port": 80, "host": "a"}\n```\n'
    assert [text for text, _ in claims(answer)][-2:] == ["port: 80", "host: a"]


def test_what_lies_deep_in_a_listed_object_names_it() -> None:
    answer = '{"huts": [{"hut": "Sile", "fees": {"adult": 8}}]}'
    assert [text for text, _ in claims(answer)] == [
        "hut: Sile",
        "huts: hut: Sile; fees: adult: 8",
    ]


def test_figures_stay_as_they_are_written() -> None:
    answer = '{"python": 3.10, "price": 8.50, "most": 1E400}'
    assert [text for text, _ in claims(answer)] == [
        "python: 3.10",
        "price: 8.50",
        "most: 1E400",
    ]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ('```json\n{"fee": 8}\n```\n\n---\n\nIt is due.', ["fee: 8", "It is due."]),
        ('---\n```json\n{"fee": 8}\n```', ["fee: 8"]),
        ('<think>Is it 9?</think>\n{"fee": 8}', ["fee: 8"]),
        ('\ufeff{"fee": 8}', ["fee: 8"]),
        ('{"name": "caf\\u00e9 \\ud83d"}', ["name: caf\u00e9 \ufffd"]),
        ('[{"question": "Is it due?", "answer": "It is due."}]', ["It is due."]),
    ],
)
def test_where_json_stands(answer: str, said: list[str]) -> None:
    assert [text for text, _ in claims(answer)] == said


@pytest.mark.parametrize("text", ['{"a": NaN}', '{"a":' * 600 + "1" + "}" * 600])
def test_what_cannot_be_read_as_json_breaks_nothing(text: str) -> None:
    assert json_fields(text) is None
    assert decompose(text).claims


@pytest.mark.parametrize("text", ["[1]", "{}", "[]", "{a}", '{"a": }', "[1] is so", ""])
def test_what_is_no_object_is_prose(text: str) -> None:
    assert json_fields(text) is None


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(
    st.dictionaries(st.text(max_size=8), VALUES, max_size=4),
    st.sampled_from((None, 2)),
    st.booleans(),
)
def test_places_lie_in_the_text_whatever_it_holds(
    value: dict[str, object], indent: int | None, is_ascii: bool
) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=is_ascii)
    for one in json_fields(text) or ():
        assert 0 <= one.start < one.end <= len(text)
    for claim in decompose(text).claims:
        assert 0 <= claim.start < claim.end <= len(text)
