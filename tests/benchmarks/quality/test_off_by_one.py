"""A citation one sentence beside the right one is never valid."""

from __future__ import annotations

import pytest

from benchmarks.quality import off_by_one
from claimscope.core.backends.onnx.entailment import shipped_model
from claimscope.core.verify.verifier import EvidenceVerifier
from tests.doubles import fakes

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("page", ["alike", "prose", "table"])
@pytest.mark.parametrize("offset", [-2, -1, 0, 1, 2])
async def test_only_the_right_sentence_is_valid(page: str, offset: int) -> None:
    embedder = fakes.FakeEmbedder(dimensions=256)
    found = await off_by_one.cited(
        page, offset, embedder, EvidenceVerifier(embedder, shipped_model())
    )
    assert len(found) >= 18
    assert all(one.exists for one in found)
    wrong = [
        (one.text, one.state.value, one.reason)
        for one in found
        if (one.state == "valid") != (offset == 0)
    ]
    assert not wrong
