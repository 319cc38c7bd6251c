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
