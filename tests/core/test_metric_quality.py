"""Text quality: worked examples by hand, and any text without a traceback."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimscope.core.metrics.base import Findings, discover
from claimscope.core.models import Answer, Case, Score


def scored(name: str, text: str, question: str = "What is AI?") -> Score:
    case = Case(id="c", question=question)
    answer = Answer(case_id="c", text=text)
    return discover()[name].score(Findings(case=case, answer=answer))


def test_length_of_the_worked_example_counts_eight_words_not_nine() -> None:
    score = scored(
        "length", "AI is artificial intelligence that simulates human thinking."
    )
    # The seed counts 9 words (0.82); there are 8: 1 - ln(8 / 7.5).
    assert score.value == pytest.approx(1 - math.log(8 / 7.5))


def test_an_empty_answer_has_length_zero_and_no_vocabulary() -> None:
    assert scored("length", "").value == 0
    assert scored("vocabulary", "").applicable is False


def test_repeated_content_words_count_and_function_words_do_not() -> None:
    assert (
        scored("vocabulary", "cat cat cat cat the the the the").details["repeated"] == 4
    )


def test_another_language_is_not_applicable() -> None:
    text = "Das Museum ist am Montag geschlossen und öffnet am Dienstag wieder."
    assert scored("length", text).applicable is False


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200))
def test_any_text_has_a_value_in_range_or_a_reason(text: str) -> None:
    for name in ("length", "structure", "vocabulary"):
        score = scored(name, text)
        assert score.reason if score.value is None else 0 <= score.value <= 1


def test_structure_of_the_worked_example() -> None:
    text = (
        "Artificial intelligence is transforming industries. It enables automation. "
        "In conclusion, AI will continue to shape our future."
    )
    assert scored("structure", text, "What is artificial intelligence?").value == 1
    assert scored("structure", text, "Why bake?").value == pytest.approx(2 / 3)
