"""What the entailment model's probabilities make it say."""

from __future__ import annotations

import numpy as np
import pytest

from claimscope.core.models import Evidence, Label
from claimscope.core.ports import Question
from claimscope.core.verify.passages import passage_of
from claimscope.core.verify.resolve import policy, resolve
from claimscope.core.verify.witnesses.without_model import Heard, by_entailment

PAGE = "The kiln burns oak. It was lit in May."


def question(page: str = PAGE, at: int = 0) -> Question:
    text = page[at : page.index(".", at) + 1]
    own = Evidence(
        page_id="p", index=0, text=text, start=at, end=at + len(text), score=1.0
    )
    return Question("The kiln burns coal.", (own,), None, (("p", page),))


def heard(one: Question, together: list[float], single: list[float]) -> Heard:
    passage = passage_of(one)
    singles = np.array([single] * len(passage.singles), dtype=np.float32)
    return Heard(passage, np.array(together, dtype=np.float32), singles)


@pytest.mark.parametrize(
    ("together", "single", "says"),
    [
        ([0.8, 0.1, 0.1], [0.8, 0.1, 0.1], "entails"),
        ([0.1, 0.1, 0.8], [0.1, 0.1, 0.8], "silent"),
        ([0.1, 0.6, 0.3], [0.1, 0.6, 0.3], "doubts"),
        ([0.02, 0.95, 0.03], [0.02, 0.95, 0.03], "contradicts"),
        ([0.02, 0.95, 0.03], [0.1, 0.5, 0.4], "doubts"),
    ],
)
def test_what_the_model_says(
    together: list[float], single: list[float], says: str
) -> None:
    (said,) = by_entailment(heard(question(), together, single), False, policy())
    assert said.says == says


def test_of_a_page_read_in_part_it_contradicts_nothing() -> None:
    long = f"{PAGE} {'The river is wide there. ' * 60}"
    sure = [0.01, 0.98, 0.01]
    whole = by_entailment(heard(question(), sure, sure), False, policy())
    part = by_entailment(heard(question(long), sure, sure), False, policy())
    assert resolve(whole).label is Label.CONTRADICTED
    assert whole[0].reason == "p:S:0 says otherwise."
    assert resolve(part).label is Label.NOT_ENOUGH_INFO
    assert part[0].reason == "p:S:0 may say otherwise."


def test_it_contradicts_nothing_whose_words_the_sentences_hardly_have() -> None:
    sure = [0.01, 0.98, 0.01]
    read = heard(question(), sure, sure)
    least = policy().shared
    near, far = (
        by_entailment(read, False, policy(), shared=share)
        for share in (least, least - 0.01)
    )
    assert resolve(near).label is Label.CONTRADICTED
    assert resolve(far).label is Label.NOT_ENOUGH_INFO
    assert far[0].says == "doubts" and far[0].place == "p:S:0"
