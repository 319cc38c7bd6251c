"""Likeness of an answer to its reference (METRICS A and D; seed A, section Accuracy
Score), on vectors whose cosines are known by hand.

The seed has no worked figures for accuracy; it gives cosine x 100 and the tiers.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimscope.core.errors import EmbeddingError
from claimscope.core.metrics.base import Embed, Findings, missing_need
from claimscope.core.metrics.discovery import discover
from claimscope.core.models import Answer, Score
from claimscope.core.ports import Floats
from claimscope.core.settings import Settings
from claimscope.core.text.chunks import estimate_tokens, split_chunks
from claimscope.core.verify.word_vectors import word_overlap
from claimscope.stores.index.memory_corpus import MemoryCorpus
from tests.doubles import fakes

PLAIN = Settings()
REFERENCE = "The lamp is green. It turns once a minute."
ANGLES = {
    "The lamp is green. It turns once a minute.": 0,
    "The lamp is green.": 0,
    "It turns once a minute.": 90,
    "The lamp shines.": 30,
    "It spins.": 60,
    "The lamp shines. It spins.": 45,
    "Cows graze.": 180,
    "A lamp of green light stands here.": 20,
}


def on_circle(texts: Sequence[str]) -> Floats:
    """Unit vectors at the angles above, so that cosines are those of the angles."""
    angles = np.radians([ANGLES[text] for text in texts])
    return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


def failing(texts: Sequence[str]) -> Floats:
    raise EmbeddingError("the embedding model does not answer.")


def without_numbers(texts: Sequence[str]) -> Floats:
    return np.full((len(texts), 2), np.nan, dtype=np.float32)


def score(
    text: str,
    metric: str = "accuracy",
    *,
    embed: Embed | None = on_circle,
    reference: str = REFERENCE,
    chosen: Settings = PLAIN,
    contexts: Sequence[str] = (),
) -> Score:
    case = fakes.case(reference=reference, contexts=tuple(contexts))
    return discover()[metric].score(
        Findings(
            case=case,
            answer=Answer(case_id=case.id, text=text),
            empty=not text.strip(),
            embed=embed,
            settings=chosen,
        )
    )


# --- accuracy: the formula ----------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value", "tier"),
    [
        (REFERENCE, 100.0, "excellent"),
        ("A lamp of green light stands here.", 93.97, "excellent"),  # cos 20
        ("The lamp shines. It spins.", 70.71, "good"),  # cos 45
        ("It spins.", 50.0, "fair"),  # cos 60
        ("It turns once a minute.", 0.0, "poor"),  # cos 90
        ("Cows graze.", 0.0, "poor"),  # cos 180 = -1, clipped
    ],
)
def test_accuracy_is_a_hundred_times_the_cosine(
    text: str, value: float, tier: str
) -> None:
    got = score(text)
    assert got.value == pytest.approx(value, abs=0.01)
    assert got.tier == tier
    assert got.scale == (0, 100)
    assert got.details["method"] == "embeddings"


def test_each_chunk_takes_its_best_match_and_chunks_become_mean_or_max() -> None:
    # Of "The lamp shines." (30) the nearest is "The lamp is green." (0): cos 30;
    # of "It spins." (60) it is "It turns once a minute." (90): cos 30.
    text = "The lamp shines. It spins. Cows graze."
    by_sentence = Settings(accuracy_chunking="sentences")
    cos_30 = 86.6025
    got = score(text, chosen=by_sentence)
    assert got.value == pytest.approx(2 * cos_30 / 3, abs=0.01)
    best = by_sentence.model_copy(update={"accuracy_aggregation": "max"})
    assert score(text, chosen=best).value == pytest.approx(cos_30, abs=0.01)
    assert (got.details["chunks"], got.details["reference_chunks"]) == (3, 2)


def test_paragraphs_are_chunks_too() -> None:
    chosen = Settings(accuracy_chunking="paragraphs")
    got = score("The lamp shines. It spins.\n\nIt spins.", chosen=chosen)
    # cos 45 of the first, cos 60 of the second, each to the whole reference (0).
    assert got.value == pytest.approx((70.7107 + 50) / 2, abs=0.01)


def test_what_does_not_fit_the_window_is_packed_and_never_cut() -> None:
    text = " ".join(f"Lamp number {n} is green and turns slowly." for n in range(40))
    whole = fakes.FakeEmbedder()
    got = score(text, embed=whole.embed, chosen=Settings(embedding_window=64))
    parts = int(str(got.details["chunks"]))
    assert parts > 5
    assert " ".join(whole.batches[0][:parts]) == text
    assert all(estimate_tokens(one) <= 64 for one in whole.batches[0][:parts])
    assert score(
        text, embed=whole.embed, chosen=Settings(embedding_window=4096)
    ).details["chunks"] == 1  # fmt: skip


def test_every_chunk_names_its_nearest_ground_truth_sentence() -> None:
    got = score(
        "The lamp shines. It spins.",
        chosen=Settings(accuracy_chunking="sentences"),
        contexts=("The lamp is green. It turns once a minute.",),
    )
    found = [(s.text, s.source, s.value and round(s.value, 3)) for s in got.evidence]
    assert found == [
        ("The lamp shines.", "passage:0:S:0", 0.866),
        ("It spins.", "passage:0:S:1", 0.866),
    ]
    assert [(s.start, s.end) for s in got.evidence] == [(0, 16), (17, 26)]


def test_ground_truth_may_be_a_corpus() -> None:
    embedder = fakes.FakeEmbedder()
    corpus = MemoryCorpus(
        "truth", [fakes.page(url="https://example.org/varn")], embedder
    )
    case = fakes.case()
    got = discover()["accuracy"].score(
        Findings(
            case=case,
            answer=fakes.answer(text="It was filled in 1974."),
            embed=embedder.embed,
            corpus=corpus,
        )
    )
    (span,) = got.evidence
    assert (span.source, span.address) == (
        "PMID:10000001:S:1",
        "https://example.org/varn",
    )
    assert span.value == pytest.approx(1.0, abs=1e-4)


# --- what is missing or fails ---------------------------------------------------


def test_an_empty_answer_is_0_and_flagged() -> None:
    for metric in ("accuracy", "semantic_similarity"):
        got = score("  ", metric)
        assert (got.value, got.details["review"]) == (0, True)


def test_without_a_reference_it_does_not_apply() -> None:
    for metric in ("accuracy", "semantic_similarity"):
        got = score("It spins.", metric, reference=" ")
        assert (got.value, got.applicable) == (None, False)
        bare = fakes.case(reference=None)
        reason = missing_need(discover()[metric], bare, judge=False)
        assert got.reason == reason == "the case has no reference answer"


@pytest.mark.parametrize("embed", [None, failing, without_numbers])
def test_without_vectors_words_are_compared_and_the_score_says_so(
    embed: Embed | None,
) -> None:
    got = score("The lamp is green.", embed=embed, contexts=("The lamp is green.",))
    assert got.details["method"] == "keywords"
    assert got.reason.startswith("words compared instead of meanings")
    assert got.value is not None and 0 < got.value < 100
    assert got.evidence[0].source == "passage:0:S:0"
    assert score(REFERENCE, embed=embed).value == pytest.approx(100)
    assert score("Cows graze.", embed=embed).value == 0


@pytest.mark.parametrize("embed", [None, failing, without_numbers])
def test_a_cosine_is_never_made_of_words(embed: Embed | None) -> None:
    got = score("The lamp is green.", "semantic_similarity", embed=embed)
    assert (got.value, got.applicable) == (None, True)
    assert "embedding model" in got.reason


def test_word_overlap_is_symmetric_and_1_for_equal_texts() -> None:
    texts = ["The lamp is green.", "Green lamps turn.", "Cows graze.", ""]
    found = word_overlap(texts, texts)
    assert found.diagonal()[:3] == pytest.approx([1, 1, 1])
    assert found == pytest.approx(found.T)
    assert found[0, 2] == found[0, 3] == 0


# --- semantic similarity --------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value", "level"),
    [
        ("A lamp of green light stands here.", 0.9397, "excellent"),
        ("The lamp shines. It spins.", 0.7071, "good"),
        ("It spins.", 0.5, "moderate"),
        ("Cows graze.", 0.0, "poor"),
    ],
)
def test_semantic_similarity_is_the_clipped_cosine_with_its_level(
    text: str, value: float, level: str
) -> None:
    got = score(text, "semantic_similarity")
    assert got.value == pytest.approx(value, abs=1e-4)
    assert (got.level, got.scale) == (level, (0, 1))


# --- chunks and properties --------------------------------------------------------


def test_chunks_read_as_a_person_reads_them() -> None:
    text = "# Lamp\n\n- **Green** [light](https://example.com) [PMID:1, S:2].\n"
    assert [one.text for one in split_chunks(text, "sentences", 254)] == [
        "Lamp",
        "Green light.",
    ]


PROSE = st.lists(
    st.sampled_from("lamp green turns once a minute Café keeper tower.".split()),
    min_size=1,
    max_size=20,
).map(" ".join)


@given(st.text(max_size=120), st.sampled_from(["auto", "sentences", "paragraphs"]))
@settings(max_examples=300, deadline=None)
def test_any_text_has_an_accuracy_in_range(text: str, how: str) -> None:
    chosen = Settings.model_validate({"accuracy_chunking": how})
    for metric, top in (("accuracy", 100), ("semantic_similarity", 1)):
        got = score(text, metric, embed=fakes.FakeEmbedder().embed, chosen=chosen)
        assert got.value is not None and 0 <= got.value <= top
        for span in got.evidence:
            assert span.text == text[span.start : span.end]


@given(PROSE, st.sampled_from(["**{}**", "*{}*", "`{}`"]))
@settings(max_examples=100, deadline=None)
def test_emphasis_white_space_and_unicode_form_change_nothing(
    text: str, emphasis: str
) -> None:
    def value(written: str) -> float | None:
        return score(written, embed=fakes.FakeEmbedder().embed).value

    plain = pytest.approx(value(text), abs=1e-4)
    first, *rest = text.split(" ")
    assert value(" ".join([emphasis.format(first), *rest])) == plain
    assert value(f"\n  {text}  \n\n") == plain
    assert value(unicodedata.normalize("NFD", text)) == plain
