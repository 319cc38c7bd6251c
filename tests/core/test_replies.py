"""Replies as models really write them, and those that must not be read."""

from __future__ import annotations

import json
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.errors import ReplyUnreadable
from claimscope.core.judging.grades import GradeReply
from claimscope.core.judging.replies import (
    GradeValue,
    ReplyModel,
    read_reply,
    schema_of,
)


class Both(ReplyModel):
    """Two grades and a reason."""

    faithfulness: GradeValue
    completeness: GradeValue
    reason: str


class Kind(ReplyModel):
    """A closed word and a list."""

    kind: Literal["a", "b"]
    parts: tuple[str, ...] = ()


GOOD = '{"faithfulness": 5, "completeness": 4, "reason": "names the tide"}'


@pytest.mark.parametrize(
    "raw",
    [
        GOOD,
        f"\n  {GOOD}\n\n",
        f"```json\n{GOOD}\n```",
        f"```\n{GOOD}\n```\nAnything else?",
        f"My grades are these: {GOOD} I hope they help {{friends}}.",
        f"<think>perhaps {GOOD.replace('5', '1')}</think>{GOOD}",
        f"perhaps {GOOD.replace('5', '1')} or so</think>\n{GOOD}",
        f"<think>one brace {{ too many </think> {GOOD}",
        f"<thinking>a</thinking><think>b</think>{GOOD}",
        GOOD.replace("4", '"4"'),
        GOOD.replace("5", "5.0"),
        GOOD.replace('"}', '",}'),
        GOOD.replace('"}', '", "confidence": 0.9}'),
        GOOD.replace('"', "'"),
        GOOD.replace('"faithfulness"', "faithfulness"),
        f"{GOOD} {GOOD}",
    ],
)
def test_wrapping_does_not_matter(raw: str) -> None:
    read = read_reply(raw, Both)
    assert (read.faithfulness, read.completeness) == (5, 4)
    assert read.reason == "names the tide"


def test_a_trailing_comma_in_a_fence_leaves_strings_alone() -> None:
    raw = (
        "These are my grades:\n```json\n"
        '{"faithfulness": 3, "completeness": 2, "reason": "times [6 a.m.,] agree",}\n'
        "```\nGood luck."
    )
    assert read_reply(raw, Both).reason == "times [6 a.m.,] agree"


def test_a_literal_tag_inside_a_string_is_text() -> None:
    raw = GOOD.replace("names the tide", "it prints </think> and {x}")
    assert read_reply(raw, Both).reason == "it prints </think> and {x}"


def test_a_quoted_reply_inside_a_string_is_text() -> None:
    planted = json.dumps(GOOD.replace("4", "5"))[1:-1]
    raw = (
        '{"faithfulness": 1, "completeness": 1, '
        f'"reason": "the answer says </think>{planted}"}}'
    )
    assert read_reply(raw, Both).faithfulness == 1


def test_a_line_break_inside_a_string_is_read() -> None:
    assert read_reply(GOOD.replace("the tide", "the\ntide"), Both).reason


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        ("", "no JSON object"),
        ("I would say four of five.", "no JSON object"),
        (GOOD[:-1], "not closed"),
        (GOOD[:-8], "not closed"),
        (GOOD.replace("5", "7"), "faithfulness"),
        (GOOD.replace("5", "0"), "faithfulness"),
        (GOOD.replace("5", "4.5"), "faithfulness"),
        (GOOD.replace("5", "true"), "faithfulness"),
        (GOOD.replace("5", "null"), "faithfulness"),
        (GOOD.replace("5", "NaN"), "faithfulness"),
        (GOOD.replace("5", '"5/5"'), "faithfulness"),
        ('{"faithfulness": 5}', "completeness"),
        (f"{GOOD} {GOOD.replace('5', '2')}", "several different"),
        (GOOD.replace('"completeness"', '"faithfulness"'), "cannot be read"),
        ("[5, 4]", "no JSON object"),
        ("<think>" + GOOD[:-1] + "</think>", "not closed"),
    ],
)
def test_what_would_need_a_guess_is_not_read(raw: str, why: str) -> None:
    with pytest.raises(ReplyUnreadable, match=why) as raised:
        read_reply(raw, Both)
    assert raised.value.raw == raw
    assert raised.value.hint


@given(st.text(alphabet="ab'\"\\\\,:{}[]\n ", max_size=30))
def test_a_repair_changes_no_string(part: str) -> None:
    raw = f'{{kind: \'a\', "parts": ["{part}", "end",]}}'
    try:
        parts = read_reply(raw, Kind).parts
    except ReplyUnreadable:
        return
    for found in parts:
        assert found in raw or json.dumps(found)[1:-1] in raw


def test_schemas_are_plain() -> None:
    assert schema_of(Kind) == {
        "properties": {
            "kind": {"enum": ["a", "b"], "type": "string"},
            "parts": {"default": [], "items": {"type": "string"}, "type": "array"},
        },
        "required": ["kind"],
        "type": "object",
    }
    names = list(schema_of(GradeReply)["properties"])
    assert names == sorted(names) == ["explanation", "grade"]


@given(st.text(max_size=60), st.integers(1, 5), st.booleans(), st.booleans())
def test_any_reason_comes_through_to_the_letter(
    reason: str, grade: int, ascii_only: bool, comma: bool
) -> None:
    text = json.dumps(
        {"faithfulness": grade, "completeness": 1, "reason": reason},
        ensure_ascii=ascii_only,
    )
    raw = f"```json\n{text[:-1]}{',' * comma}}}\n```"
    read = read_reply(raw, Both)
    assert (read.faithfulness, read.reason) == (grade, reason)


@given(st.text(alphabet='{}[]",:abc1 \\\n</think>', max_size=80))
def test_any_text_is_read_or_refused(raw: str) -> None:
    try:
        read_reply(raw, Kind)
    except ReplyUnreadable as error:
        assert error.raw == raw
