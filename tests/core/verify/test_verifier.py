"""Verdicts without a language model: rules veto, evidence is shown, errors are told."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from claimscope.core.backends.onnx.entailment import shipped_model
from claimscope.core.errors import EmbeddingError
from claimscope.core.models import Label, Verdict
from claimscope.core.ports import Floats, Question
from claimscope.core.verify.evidence import candidates_from_text
from claimscope.core.verify.verifier import EvidenceVerifier
from claimscope.core.verify.word_vectors import word_vectors
from tests.doubles import fakes


def judged(claim: str, *passages: str) -> Verdict:
    """The verdict of a claim against passages."""
    embedder = fakes.FakeEmbedder()
    question = Question(claim, candidates_from_text(claim, passages, embedder))
    return EvidenceVerifier(embedder, shipped_model()).verify_now([question])[0]


RESERVOIR = "The Halm reservoir holds 4.2 million cubic metres."


@pytest.mark.parametrize("count", [0, 3, 9, 30])
def test_supported_whatever_else_is_there(count: int) -> None:
    noise = [f"Tram line {n} was painted green in spring." for n in range(count)]
    verdict = judged(RESERVOIR, *noise, RESERVOIR)
    assert verdict.label is Label.SUPPORTED
    assert verdict.evidence[0].text == RESERVOIR
    assert verdict.band == "supported"
    assert verdict.verifier == "evidence-2"
    assert verdict.reason


def test_wrong_number_is_contradicted_with_the_sentence() -> None:
    verdict = judged("The Halm reservoir holds 2.4 million cubic metres.", RESERVOIR)
    assert verdict.label is Label.CONTRADICTED
    assert verdict.evidence[0].text == RESERVOIR
    assert "2.4 million cubic metres" in verdict.reason
    assert "4.2 million cubic metres" in verdict.reason
    assert verdict.band == "not_supported"
    assert any(rule.veto for rule in verdict.rules)


@pytest.mark.parametrize(
    ("claim", "page"),
    [
        ("The respiratory rate was 19 per minute.", "Resp. rate 19/min; T 37.9 °C"),
        ("The temperature peaked at 37.9 °C.", "Resp. rate 19/min; max T 37.9 °C"),
        ("The course lasts twelve weeks.", "The course runs for 12 weeks."),
        ("The course costs 29 dollars.", "The course costs $29.00."),
    ],
)
def test_another_form_is_never_contradicted(claim: str, page: str) -> None:
    assert judged(claim, page).label is not Label.CONTRADICTED


def test_number_that_stands_nowhere_is_never_supported() -> None:
    verdict = judged(
        "The Halm reservoir holds trout and 77 pike.",
        "The Halm reservoir holds trout and pike.",
    )
    assert verdict.label is Label.NOT_ENOUGH_INFO
    assert "77" in verdict.reason


def test_other_topic_is_not_enough_info() -> None:
    verdict = judged("Swans nest under the bridge.", "Bread is baked at dawn.")
    assert verdict.label is Label.NOT_ENOUGH_INFO
    assert verdict.support is not None and verdict.support < 0.5


def test_pages_that_disagree_are_unscored_and_both_shown() -> None:
    verdict = judged(RESERVOIR, RESERVOIR, RESERVOIR.replace("4.2", "3.7"))
    assert verdict.label is Label.UNSCORED
    assert verdict.unscored_reason == "sources conflict"
    assert "4.2" in verdict.evidence[0].text
    assert "3.7" in verdict.conflicting[0].text


def test_no_evidence_is_not_enough_info() -> None:
    verifier = EvidenceVerifier(fakes.FakeEmbedder(), shipped_model())
    (verdict,) = verifier.verify_now([Question("Swans nest here.", ())])
    assert (verdict.label, verdict.support) == (Label.NOT_ENOUGH_INFO, 0.0)


async def test_many_questions_in_one_batch_and_in_order() -> None:
    embedder = fakes.FakeEmbedder()
    claims = [RESERVOIR, "Swans nest under the bridge.", RESERVOIR]
    questions = [
        Question(claim, candidates_from_text(claim, [RESERVOIR], embedder))
        for claim in claims
    ]
    questions.insert(1, Question("Nothing is known.", ()))
    embedder.batches.clear()
    verdicts = await EvidenceVerifier(embedder, shipped_model()).verify(questions)
    assert len(embedder.batches) == 1
    assert [verdict.label for verdict in verdicts] == [
        Label.SUPPORTED,
        Label.NOT_ENOUGH_INFO,
        Label.NOT_ENOUGH_INFO,
        Label.SUPPORTED,
    ]


class BrokenEmbedder(fakes.FakeEmbedder):
    """Fails when asked."""

    def embed(self, texts: Sequence[str]) -> Floats:
        raise EmbeddingError("the model file is gone", "Install it again.")


def test_where_embedding_fails_words_stand_in_and_the_verdict_says_so() -> None:
    evidence = candidates_from_text(RESERVOIR, [RESERVOIR], BrokenEmbedder())
    verifier = EvidenceVerifier(BrokenEmbedder(), shipped_model())
    (verdict,) = verifier.verify_now([Question(RESERVOIR, evidence)])
    assert verdict.label is Label.SUPPORTED
    (likeness,) = [one for one in verdict.testimony if one.witness == "likeness"]
    assert "the embedding model failed, words alone were compared" in likeness.reason
    other = candidates_from_text(RESERVOIR, ["The ferry is red."], BrokenEmbedder())
    (verdict,) = verifier.verify_now([Question(RESERVOIR, other)])
    assert verdict.label is Label.NOT_ENOUGH_INFO


def test_words_are_as_near_as_what_they_share() -> None:
    texts = ["The mill grinds oats.", "Oats, ground by the mill", "A red ferry", "?"]
    same, near, far, blank = word_vectors(texts)
    assert same @ same == pytest.approx(1)
    assert 0.3 < same @ near < 1
    assert same @ far == 0 and not blank.any()


def test_nothing_to_judge() -> None:
    assert EvidenceVerifier(fakes.FakeEmbedder(), shipped_model()).verify_now([]) == []


def test_words_that_have_nothing_to_do_with_the_page_are_not_supported() -> None:
    page = "The " + "very " * 400 + "long ferry carries 40 cars."
    found = judged("word " * 900 + ".", page)
    assert found.label is Label.NOT_ENOUGH_INFO
