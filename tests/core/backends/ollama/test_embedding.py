"""Vectors from Ollama: never of a cut text, never one that no search can use."""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimscope.core.backends.embedders import embedder_for
from claimscope.core.backends.hosted.timeouts import CallLimits
from claimscope.core.backends.ollama.embedding import OllamaEmbedder, halves_of
from claimscope.core.errors import EmbeddingError
from tests.doubles import fake_ollama
from tests.doubles.fake_ollama import FakeOllama, Reply, embedded
from tests.doubles.ollama.models import vector

QUICK = CallLimits(first_token=120, backoff=0)


@pytest.fixture
def fake() -> Iterator[FakeOllama]:
    models = {"e:latest": fake_ollama.embedder(), "m:1b": fake_ollama.model()}
    with FakeOllama(models=models) as started:
        yield started


def embedder(fake: FakeOllama, name: str = "e") -> OllamaEmbedder:
    """The embedder under test."""
    return OllamaEmbedder(name, fake.host, limits=QUICK)


def test_texts_become_vectors_in_order(fake: FakeOllama) -> None:
    texts = [f"Sentence {n % 40}." for n in range(70)]
    vectors = embedder(fake).embed(texts)
    assert vectors.shape == (70, 16) and vectors.dtype == np.float32
    for row, text in enumerate(texts):
        assert vectors[row] == pytest.approx(vector(text, 16), abs=1e-6)
    sent = [len(body["input"]) for body in fake.embeds]
    assert sent == [32, 8], "each text once, in batches"
    assert all(body["truncate"] is False for body in fake.embeds)


def test_no_texts_no_vectors(fake: FakeOllama) -> None:
    assert embedder(fake).embed([]).shape == (0, 16)
    assert not fake.embeds


def test_the_id_names_the_weights(fake: FakeOllama) -> None:
    assert embedder(fake).model_id == "ollama:e@" + "f" * 12
    fake.digests["e:latest"] = fake_ollama.OTHER_DIGEST
    assert embedder(fake).model_id == "ollama:e@" + "e" * 12


def test_the_setting_names_it(fake: FakeOllama) -> None:
    found = embedder_for("ollama:e", ollama_host=f"{fake.host}, elsewhere:1")
    assert found.dimensions == 16
    assert found.embed(["a"]).shape == (1, 16)


def test_a_size_that_the_server_does_not_say_is_measured(fake: FakeOllama) -> None:
    fake.models["e:latest"] = fake_ollama.embedder(model_info={})
    assert embedder(fake).dimensions == 16


def test_a_long_text_is_taken_in_pieces(fake: FakeOllama) -> None:
    info = {"general.architecture": "tiny", "tiny.context_length": 60}
    fake.models["e:latest"] = fake_ollama.embedder(model_info=info)
    text = "one two three four five six seven eight nine ten. " * 10
    vectors = embedder(fake).embed(["short", text])
    assert vectors[0] == pytest.approx(vector("short", 16), abs=1e-6)
    assert np.linalg.norm(vectors[1]) == pytest.approx(1, abs=1e-5)
    pieces = [
        body["input"][0]
        for body in fake.embeds
        if len(body["input"]) == 1 and len(fake_ollama.tokens(body["input"][0])) <= 60
    ]
    said = " ".join(piece for piece in pieces if piece != "short")
    assert said.split() == text.split(), "nothing is cut off, nothing comes twice"


def test_a_text_that_no_piece_of_fits_is_refused(fake: FakeOllama) -> None:
    fake.embed_script = [fake_ollama.INPUT_TOO_LONG] * 20
    with pytest.raises(EmbeddingError, match="text 2 of 2 as too long"):
        fake.embed_script[1:1] = [embedded([vector("a", 16)])]
        embedder(fake).embed(["a", "b " * 40])


@pytest.mark.parametrize(
    "bad", [[0.0] * 4, [float("nan")] * 4, [float("inf"), 0, 0, 0], [], [1.0]]
)
def test_a_vector_that_cannot_be_used_names_its_text(
    fake: FakeOllama, bad: list[float]
) -> None:
    fake.embed_script = [embedded([[0.5] * 4, bad])]
    with pytest.raises(EmbeddingError, match="for text 3 of 3: 'The third'"):
        embedder(fake).embed(["The first", "The first", "The third"])


def test_a_vector_the_server_cannot_write_names_its_text(fake: FakeOllama) -> None:
    fake.embed_script = [
        fake_ollama.NAN,
        embedded([[0.5] * 4]),
        fake_ollama.NAN,
    ]
    with pytest.raises(EmbeddingError, match="usable vector for text 2 of 2: 'b'"):
        embedder(fake).embed(["a", "b"])
    assert len(fake.embeds) == 3, "the same text would give it again"


def test_another_number_of_vectors(fake: FakeOllama) -> None:
    fake.embed_script = [embedded([[0.5] * 4])]
    with pytest.raises(EmbeddingError, match="1 vectors for 2 texts"):
        embedder(fake).embed(["a", "b"])


@pytest.mark.parametrize("passing", [fake_ollama.BUSY, fake_ollama.html(502)])
def test_what_passes_is_tried_again(fake: FakeOllama, passing: Reply) -> None:
    fake.embed_script = [passing]
    assert embedder(fake).embed(["a"]).shape == (1, 16)
    assert len(fake.embeds) == 2


def test_a_model_that_chats_is_refused_before_it_is_loaded(fake: FakeOllama) -> None:
    with pytest.raises(EmbeddingError, match=r"'m:1b' makes no embeddings") as raised:
        embedder(fake, "m:1b").embed(["a"])
    assert "ollama pull" in raised.value.hint
    assert not fake.embeds


def test_a_server_without_embeddings(fake: FakeOllama) -> None:
    fake.embed_script = [fake_ollama.NO_EMBEDDINGS]
    with pytest.raises(EmbeddingError, match="makes no embeddings") as raised:
        embedder(fake).embed(["a"])
    assert "embedding_model" in raised.value.hint


@pytest.mark.parametrize("reply", [fake_ollama.html(200), Reply(200, (b"{}",))])
def test_what_is_no_answer(fake: FakeOllama, reply: Reply) -> None:
    fake.embed_script = [reply]
    with pytest.raises(EmbeddingError, match="is not Ollama"):
        embedder(fake).embed(["a"])


def test_models_that_may_not_be_used(fake: FakeOllama) -> None:
    with pytest.raises(EmbeddingError, match="no model 'other'.*e:latest"):
        embedder(fake, "other").embed(["a"])
    fake.models["e:latest"] = fake_ollama.embedder(remote_host="https://example.com")
    with pytest.raises(EmbeddingError, match="remote server"):
        _ = embedder(fake).model_id
    fake.stop()
    try:
        with pytest.raises(EmbeddingError, match=f"No Ollama answers at .*{fake.host}"):
            embedder(fake).embed(["a"])
    finally:
        fake.start()


@given(st.text(max_size=200))
def test_halves_hold_the_whole_text(text: str) -> None:
    halves = halves_of(text)
    if halves is not None:
        assert "".join("".join(halves).split()) == "".join(text.split())
        assert all(0 < len(half) < len(text) for half in halves)


@settings(max_examples=10)  # each starts a server
@given(st.lists(st.text(max_size=8), max_size=6))
def test_equal_texts_have_equal_vectors(texts: list[str]) -> None:
    with FakeOllama(models={"e:latest": fake_ollama.embedder()}) as fake:
        vectors = embedder(fake).embed(texts)
        sent = [text for body in fake.embeds for text in body["input"]]
    assert vectors.shape == (len(texts), 16)
    assert len(sent) == len(set(texts))
    json.dumps(vectors.tolist(), allow_nan=False)
