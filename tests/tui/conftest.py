"""Embeddings without a model, for commands that are otherwise real."""

from __future__ import annotations

import pytest

from claimscope.core.ports import Embedder
from claimscope.core.settings import Settings
from claimscope.tui.bootstrap import judges
from tests.doubles import fakes


@pytest.fixture
def fake_embeddings(monkeypatch: pytest.MonkeyPatch) -> None:
    """An embedder of words for every model that the settings name."""

    def make(settings: Settings) -> Embedder:
        return fakes.FakeEmbedder(model_id=f"fake-{settings.embedding_model}")

    monkeypatch.setattr(judges, "make_embedder", make)
