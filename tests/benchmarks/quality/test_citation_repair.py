"""Citations beside the right sentence are put right, and none is put elsewhere."""

from __future__ import annotations

import pytest

from benchmarks.quality import citation_repair
from claimscope.core.backends.onnx.entailment import shipped_model
from claimscope.core.verify.verifier import EvidenceVerifier
from tests.doubles import fakes

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("page", ["alike", "prose", "table"])
@pytest.mark.parametrize("offset", [-1, 1, None])
async def test_proposals_name_the_right_sentence(page: str, offset: int | None) -> None:
    embedder = fakes.FakeEmbedder(dimensions=256)
    found = await citation_repair.repaired(
        page, offset, embedder, EvidenceVerifier(embedder, shipped_model())
    )
    assert found.claims >= 19
    assert found.wrong == 0
    assert found.right >= 17
