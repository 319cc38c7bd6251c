"""A worker of a cluster before its first sample."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from claimscope.core.models import Label, Verdict
from claimscope.core.ports import Question
from claimscope.core.run.sample import Services
from claimscope.core.settings import Settings
from claimscope.tui.services.run.cluster_worker import warm_up
from tests.doubles.fakes import FakeEmbedder

pytestmark = pytest.mark.slow


class Heard:
    """A verifier that keeps what it was asked."""

    name = "heard"

    def __init__(self) -> None:
        self.claims: list[str] = []

    async def verify(self, questions: Sequence[Question]) -> Sequence[Verdict]:
        self.claims += [one.claim for one in questions]
        return [
            Verdict(label=Label.SUPPORTED, support=1.0, verifier=self.name)
            for _ in questions
        ]


async def no_model(*_: object) -> Sequence[object]:
    pytest.fail("a language model was asked")


async def test_a_worker_is_warm_before_its_first_sample_and_asks_no_model() -> None:
    reader, model = Heard(), Heard()
    services = Services(
        FakeEmbedder(),
        model,
        Settings(),
        decomposer=no_model,  # type: ignore[arg-type]
        grader=no_model,  # type: ignore[arg-type]
        reader=reader,
    )
    await warm_up(services)
    assert any("1831" in claim for claim in reader.claims)
    assert model.claims == []
