"""A search that another one answered is noted with its sample, once a reason."""

from __future__ import annotations

import logging
from typing import cast

import pytest

from claimscope.core.models import SampleKey
from claimscope.core.ports import CallLog, Verifier
from claimscope.core.sample import Services
from claimscope.core.settings import Settings
from claimscope.core.telling import telling
from claimscope.stores.memory import MemoryCorpus
from tests import fakes


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

    monkeypatch.setattr("claimscope.stores.corpus.rank", fails)


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
