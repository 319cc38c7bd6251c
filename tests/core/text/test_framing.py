"""A bare answer as a sentence, and back."""

from __future__ import annotations

import pytest

from claimscope.core.text.framing import answer_as_sentence, bare_answer
from claimscope.core.verify.normalisation import canonical


@pytest.mark.parametrize("text", ["8:15", "40 marks", "Odo Marr", "12 March 1912."])
def test_a_bare_answer_is_found_again_in_its_sentence(text: str) -> None:
    sentence = answer_as_sentence("When does “Heron” leave?", text)
    assert bare_answer(sentence) == text.rstrip(".")
    assert bare_answer(canonical(sentence)) == text.rstrip(".")


def test_any_other_sentence_is_left_as_it_is() -> None:
    assert bare_answer("The ferry leaves at 8:15.") == "The ferry leaves at 8:15."
