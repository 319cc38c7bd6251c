"""The probe on a real, very small model, which is not fit to judge."""

from __future__ import annotations

import pytest

from claimscope.core.backends.ollama.server import OllamaChat
from claimscope.core.grade.probing import TOTAL, ProbedModel, probe
from tests.material.ollama_pool import OllamaServer

pytestmark = pytest.mark.ollama


async def test_a_very_small_model_is_unfit(
    server: OllamaServer, chat: OllamaChat
) -> None:
    async def loaded() -> int | None:
        return (await server.loaded()).get(chat.name)

    found = await probe(ProbedModel(chat, await server.version(), 2048, loaded))
    assert len(found.cases) == TOTAL
    assert found.verdict == "unfit"
    assert found.separation is not None and found.separation < 0.7
    counts = {count.kind: (count.right, count.total) for count in found.counts}
    # What is the server's doing is right, whatever the model says.
    assert counts["context"] == (2, 2)
    assert counts["thinking"] == (1, 1)
    assert all(
        case.probability is not None for case in found.cases if case.is_true is not None
    )
    assert found.digest and found.usage.calls >= TOTAL
