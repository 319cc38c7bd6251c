"""An answer painted by what the ground truth has of it; places counted by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.models import SampleResult, Score, ScoreSpan
from claimscope.core.report.coverage import (
    NOT_ASKED,
    Coverage,
    coverage,
)
from claimscope.core.report.renderers import plain
from claimscope.core.report.views.coverage import coverage_lines, coverage_words
from claimscope.core.text.sanitising import sanitise
from tests.doubles import fakes

TEXT = "The dam is high. Cows graze."
HAS = ScoreSpan(
    kind="matched",
    text="The dam is high.",
    start=0,
    end=16,
    source="dam:S:1",
    address="https://dam.example/",
    value=0.987,
    note="Its dam is high.",
)
LACKS = ScoreSpan(kind="unmatched", text="Cows graze.", start=17, end=28, value=0.1)
# 16 of the 16 + 11 characters of sentences
SCORE = Score(
    metric="highlights", value=100 * 16 / 27, scale=(0, 100), evidence=(HAS, LACKS)
)


def sample(*scores: Score, text: str = TEXT) -> SampleResult:
    found = fakes.sample("dam", scores=scores)
    answer = found.answer.model_copy(update={"text": text})
    return found.model_copy(update={"answer": answer})


def painted(*scores: Score, text: str = TEXT) -> Coverage:
    found = coverage(sample(*scores, text=text))
    assert isinstance(found, Coverage)
    return found


def test_each_part_of_an_answer_has_its_sentence_or_is_missing() -> None:
    found = painted(SCORE)
    assert [(p.text, p.number, p.is_missing) for p in found.pieces] == [
        ("The dam is high.", 1, False),
        (" ", None, False),
        ("Cows graze.", None, True),
    ]
    assert (found.matched, found.characters) == (16, 27)
    assert (
        coverage_words(found) == "16 of 27 characters (59 %) stand in the ground truth"
    )


def test_the_parts_are_listed_with_place_and_sentence() -> None:
    assert list(plain.lines(coverage_lines(sample(SCORE)))) == [
        "  covered: 16 of 27 characters (59 %) stand in the ground truth",
        "    covered (0-16): “The dam is high.” by dam:S:1, 0.99: “Its dam is high.”",
        "    not covered (17-28): “Cows graze.”",
    ]


def test_chunks_of_accuracy_are_kept_with_their_sentence() -> None:
    chunk = HAS.model_copy(update={"kind": "chunk"})
    lost = LACKS.model_copy(update={"kind": "chunk"})
    accuracy = Score(
        metric="accuracy", value=90, scale=(0, 100), evidence=(chunk, lost)
    )
    assert painted(accuracy, SCORE).chunks == (chunk,)


def test_without_a_value_the_reason_is_told() -> None:
    assert coverage(sample()) == NOT_ASKED
    assert not list(coverage_lines(sample()))
    reason = Score(metric="highlights", reason="the model cannot be read")
    assert coverage(sample(reason)) == "highlights: the model cannot be read"


def test_keywords_are_told() -> None:
    words = SCORE.model_copy(update={"details": {"method": "keywords"}})
    assert coverage_words(painted(words)).endswith("found by words alone")


@given(
    st.text(max_size=40),
    st.lists(
        st.tuples(st.integers(0, 50), st.integers(0, 50), st.booleans()), max_size=6
    ),
)
def test_the_pieces_are_always_the_whole_answer(
    text: str, places: list[tuple[int, int, bool]]
) -> None:
    spans = tuple(
        ScoreSpan(
            kind="matched" if has else "unmatched", text="x", start=start, end=end
        )
        for start, end, has in places
    )
    found = painted(SCORE.model_copy(update={"evidence": spans}), text=text)
    assert "".join(piece.text for piece in found.pieces) == sanitise(text)
    numbers = [piece.number for piece in found.covered]
    assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize("text", ["", "   "])
def test_an_empty_answer_is_painted_as_it_is(text: str) -> None:
    found = painted(SCORE.model_copy(update={"evidence": ()}), text=text)
    assert "".join(piece.text for piece in found.pieces) == text
