"""A search that another one answered is noted with its sample, once a reason."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import pytest

from claimscope.core.errors import EmbeddingError
from claimscope.core.models import SampleKey
from claimscope.core.ports import CallLog, Floats, Verifier
from claimscope.core.run.fallback_notices import telling
from claimscope.core.run.sample import Services
from claimscope.core.settings import Settings
from claimscope.stores.index.memory_corpus import MemoryCorpus
from tests.doubles import fakes


class Notes:
    """What a run's log was given."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def save_note(self, message: str) -> None:
        self.lines.append(message)


@pytest.fixture
def broken_search(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise RuntimeError("no segment")

    monkeypatch.setattr("claimscope.stores.index.corpus.rank", fails)


def corpus() -> MemoryCorpus:
    return MemoryCorpus("towns", fakes.pages(4), fakes.FakeEmbedder())


def services() -> Services:
    """What a sample needs; nothing is judged."""
    nobody = cast(Verifier, None)
    return Services(fakes.FakeEmbedder(), nobody, Settings(), corpus())


def test_a_changed_result_is_noted_and_logged(
    broken_search: None, caplog: pytest.LogCaptureFixture
) -> None:
    notes = Notes()
    key = SampleKey(case_id="t-1", provider="mine", iteration=1)
    told = telling(services(), key, cast(CallLog, notes))
    assert told.corpus is not None
    for words in ("tramway", "reservoir"):
        assert told.corpus.search(words, k=1).hits
    reason = "sentence search failed, pages were searched: no segment"
    assert notes.lines == [f"{key}: {reason}"]
    warned = [one for one in caplog.records if one.levelno == logging.WARNING]
    assert [one.getMessage() for one in warned] == [reason] * 2
    assert [one.exc_info is not None for one in warned] == [True, False]


def test_a_sound_search_is_not_spoken_of() -> None:
    notes = Notes()
    key = SampleKey(case_id="t-1", provider="mine", iteration=1)
    told = telling(services(), key, cast(CallLog, notes))
    assert told.corpus is not None
    assert told.corpus.page_ids() == corpus().page_ids()
    assert told.corpus.search("tramway", k=1).hits and not notes.lines


def test_an_embedding_model_that_fails_is_noted_and_words_are_searched() -> None:
    notes = Notes()
    key = SampleKey(case_id="t-1", provider="mine", iteration=1)
    failing = MemoryCorpus("towns", fakes.pages(4), Failing())
    told = telling(
        replace(services(), embedder=Failing(), corpus=failing),
        key,
        cast(CallLog, notes),
    )
    assert told.corpus is not None
    found = told.corpus.search("tramway", k=1)
    assert "tramway" in found.hits[0].text
    assert found.hits[0].similarity is None and found.hits[0].lexical
    assert told.corpus.search("nothing like it", k=1).hits == ()
    for _ in range(2):
        with pytest.raises(EmbeddingError):
            told.embedder.embed(["a metric asks"])
    failed = f"{key}: the embedding model failed"
    assert notes.lines == [
        f"{failed}, words alone were searched (BM25): it is off",
        f"{failed}: it is off",
    ]


class Failing(fakes.FakeEmbedder):
    """Has a name and no vectors."""

    def embed(self, texts: Sequence[str]) -> Floats:
        raise EmbeddingError("it is off", "start it")
