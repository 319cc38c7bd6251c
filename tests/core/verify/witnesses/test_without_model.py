"""What the entailment model's probabilities make it say."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from claimscope.core.models import Evidence, Label
from claimscope.core.ports import Floats, Question
from claimscope.core.verify.evidence import questions_of_rows
from claimscope.core.verify.passages import passage_of
from claimscope.core.verify.resolve import policy, resolve
from claimscope.core.verify.verifier import EvidenceVerifier
from claimscope.core.verify.witnesses.without_model import (
    Heard,
    by_entailment,
    hear,
)
from tests.doubles.fakes import FakeEmbedder

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


class Leaning:
    """A model that leans to "contradicts" on everything."""

    digest = "leaning"

    def judge(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        return np.array([[0.1, 0.8, 0.1]] * len(pairs), dtype=np.float32)

    def length(self, text: str) -> int:
        return len(text.split())


@pytest.mark.parametrize(
    ("claim", "page", "others"),
    [
        ("Cy holds 90 litres.", "Ada holds 90 litres, Cy 60 litres.", {"60 litres"}),
        # "0.5 to 1 g" was read as "500 mg", which says less: that is not the claim.
        ("The dose is 0.5 to 1 g.", "The usual dose is 500 mg to 1 g.", set()),
        # Of a long page other statements have figures of their own.
        (
            "Cy holds 90 litres.",
            "Ada holds 90 litres, Cy 60 litres. " + "The river is wide there. " * 60,
            set(),
        ),
    ],
)
def test_what_could_stand_in_the_place_of_a_figure(
    claim: str, page: str, others: set[str]
) -> None:
    text = page[: page.index(". ") + 1] if ". " in page else page
    own = Evidence(page_id="p", index=0, text=text, start=0, end=len(text), score=1.0)
    asked = Question(claim, (own,), None, (("p", page),))
    (found,) = hear(Leaning(), [asked])
    assert {one.other for one in found.rivals if one.own != "Cy"} == others


class Stating:
    """A model that reads every claim with a working as stated; keeps what it read."""

    digest = "stating"

    def __init__(self) -> None:
        self.pairs: list[tuple[str, str]] = []

    def judge(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        self.pairs += pairs
        sure, not_ = [0.9, 0.05, 0.05], [0.1, 0.1, 0.8]
        rows = [sure if " = " in claim else not_ for _, claim in pairs]
        return np.array(rows, dtype=np.float32)


BOATS = "The ferry takes 48 cars and 12 lorries."


@pytest.mark.parametrize(
    ("claim", "is_doubted"),
    [
        ("The ferry takes 60 vehicles.", False),
        ("The ferry takes 70 vehicles.", True),
    ],
)
def test_a_figure_that_comes_out_of_a_working_is_not_missing(
    claim: str, is_doubted: bool
) -> None:
    model = Stating()
    verifier = EvidenceVerifier(FakeEmbedder(), model)
    (question,) = questions_of_rows([(claim, BOATS, None)], FakeEmbedder())
    (verdict,) = verifier.verify_now([question])
    doubts = [one.witness for one in verdict.testimony if one.says == "doubts"]
    assert ("rule:figure" in doubts) is is_doubted
    assert (verdict.label is Label.SUPPORTED) is not is_doubted
    assert any(" = " in text for _, text in model.pairs) is not is_doubted


def test_a_figure_exchanged_stays_a_doubt_though_some_sum_comes_to_it() -> None:
    page = (
        "Quay has 48 seats and Mill has 12 seats. Pier has 36 seats and 12 tables. "
        "Sel has 20 seats and 8 tables."
    )
    claim = "Quay has 12 seats and Mill has 48 seats."
    (question,) = questions_of_rows([(claim, page, None)], FakeEmbedder())
    (read,) = hear(Stating(), [question])
    assert read.worked == ()
    verifier = EvidenceVerifier(FakeEmbedder(), Stating())
    (verdict,) = verifier.verify_now([question])
    assert verdict.label is not Label.SUPPORTED


class Against:
    """A model that rules everything out."""

    digest = "against"

    def judge(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        return np.array([[0.02, 0.88, 0.1]] * len(pairs), dtype=np.float32)


@pytest.mark.parametrize(
    ("claim", "says"),
    [
        ("At a depth of 30 cm the ford stays open.", "doubts"),
        ("Only if it is deeper than 30 cm the ford shuts.", "contradicts"),
    ],
)
def test_a_case_held_against_a_bound_is_no_conflict(claim: str, says: str) -> None:
    page = "Only if it is deeper than 40 cm the ford shuts. It is 9 m wide there."
    (question,) = questions_of_rows([(claim, page, None)], FakeEmbedder())
    (verdict,) = EvidenceVerifier(FakeEmbedder(), Against()).verify_now([question])
    found = {one.says for one in verdict.testimony if one.witness == "rule:figure"}
    assert found == {says}
