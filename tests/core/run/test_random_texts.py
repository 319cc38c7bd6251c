"""Texts that nobody would write, and what must not change a score (METRICS A to D).

`benchmarks/durability/random_texts.py` sends 10,000 texts the same way.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.durability import random_texts
from claimscope.core.backends.onnx.entailment import shipped_model
from claimscope.core.models import Score
from claimscope.core.ports import Floats
from claimscope.core.run.sample import Services
from claimscope.core.services.scoring import MemoEmbedder, Row, score_rows
from claimscope.core.settings import Settings
from claimscope.core.verify.verifier import EvidenceVerifier
from tests.doubles import fakes

pytestmark = pytest.mark.slow

FACTS = (
    "The Orla crane lifts 40 tonnes.",
    "Señor Müller painted the quay in 1952.",
    "The café opens at 9 o'clock.",
    "Its driver came from Tårnby.",
)
TRUTH = " ".join(FACTS)
READ = ("attribution", "citation_precision", "citation_recall", "claim_support")
NEAR = ("accuracy", "semantic_similarity", "claim_completeness", "highlights")
SENTENCES = st.lists(
    st.sampled_from((*FACTS, "See example.com for more.", "It is so [1].", "No [4].")),
    min_size=1,
    max_size=4,
)


class Composing(fakes.FakeEmbedder):
    """Reads a letter and its mark as one, as the tokenizers of real models do."""

    def embed(self, texts: Sequence[str]) -> Floats:
        return super().embed([unicodedata.normalize("NFC", text) for text in texts])


async def scores(answer: str, names: tuple[str, ...]) -> dict[str, Score]:
    """Of an answer about the crane, by metric."""
    row = Row.model_validate(
        {
            "id": 1,
            "question": "What is known of the crane?",
            "answer": answer,
            "reference": TRUTH,
            "contexts": [TRUTH],
            "domain": "example.com",
            "claims": [{"text": text} for text in FACTS],
            "citations": [{"page_id": "1"}],
        }
    )
    embedder = MemoEmbedder(Composing())
    reader = EvidenceVerifier(embedder, shipped_model())
    services = Services(embedder, reader, Settings(), metrics=names, reader=reader)
    async for scored in score_rows([row], services):
        return {one.metric: one for one in scored.scores}
    raise AssertionError("a row has scores")


def test_two_hundred_random_texts_break_no_metric() -> None:
    rows, texts = random_texts.run(200)
    assert rows >= 30 and texts >= 100


@settings(max_examples=8)
@given(SENTENCES)
@pytest.mark.parametrize(
    "changed",
    [
        pytest.param(lambda text: unicodedata.normalize("NFD", text), id="unicode"),
        pytest.param(lambda text: "\n " + text.replace(" ", "  ") + " \n", id="space"),
        pytest.param(lambda text: text.replace("40", "**40**"), id="markdown"),
    ],
)
async def test_the_form_of_a_text_changes_no_score(
    changed: Callable[[str], str], sentences: list[str]
) -> None:
    text = " ".join(sentences)
    before = await scores(text, READ + NEAR)
    after = await scores(changed(text), READ + NEAR)
    for name, score in before.items():
        if name == "highlights":  # characters of all sentences: marks count
            continue
        assert after[name].value == pytest.approx(score.value, abs=1e-4), name


@settings(max_examples=8)
@given(SENTENCES, st.sampled_from(FACTS))
async def test_a_true_sentence_more_lowers_neither_support_nor_completeness(
    sentences: list[str], fact: str
) -> None:
    names = ("claim_support", "claim_completeness", "hallucination_rate")
    before = await scores(" ".join(sentences), names)
    after = await scores(" ".join([*sentences, fact]), names)
    for name in names[:2]:
        assert (after[name].value or 0) >= (before[name].value or 0), name
    if before["hallucination_rate"].value is not None:
        assert after["hallucination_rate"].value is not None
        rate = before["hallucination_rate"].value
        assert after["hallucination_rate"].value <= rate


@settings(max_examples=8)
@given(SENTENCES)
async def test_an_address_or_a_citation_more_lowers_no_credit(
    sentences: list[str],
) -> None:
    names = ("attribution", "citation_recall")
    before = await scores(" ".join(sentences), names)
    more = [*sentences, "The quay [1] is at https://example.com/quay too."]
    after = await scores(" ".join(more), names)
    for name in names:
        assert (after[name].value or 0) >= (before[name].value or 0), name
