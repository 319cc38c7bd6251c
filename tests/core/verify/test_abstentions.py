"""An abstention that the pages prove wrong is a claim; any other stays one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from claimscope.core.backends.onnx.entailment import shipped_model
from claimscope.core.models import Answer, Case, SampleKey, SampleResult
from claimscope.core.run.plan import SampleTask
from claimscope.core.run.sample import Services, Stage, evaluate
from claimscope.core.settings import Settings
from claimscope.core.verify.abstentions import find_denial
from claimscope.core.verify.verifier import EvidenceVerifier
from tests.doubles import fakes


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The text gives no fee for pupils.", "fee for pupils"),
        ("Unfortunately, the documents don't mention a lift.", "lift"),
        ("A lift is not mentioned in the text.", "A lift"),
        ("The page does not mention when the tower opens.", "when the tower opens"),
        ("The page does not say why the tower closed.", None),
        ("The pages do not mention whether dogs may enter.", None),
        ("The documents contain no information about boats.", None),
        ("I do not know.", None),
        ("The drug did not reduce deaths.", None),
    ],
)
def test_what_is_denied(text: str, said: str | None) -> None:
    found = find_denial(text)
    assert (found.text if found else None) == (
        f"The text does not mention {said}." if said else None
    )


async def judged(page: str, answer: str, reference: str | None = None) -> SampleResult:
    embedder = fakes.FakeEmbedder(dimensions=256)
    stages: frozenset[Stage] = frozenset({"decompose", "claims"})
    services = Services(
        embedder, EvidenceVerifier(embedder, shipped_model()), Settings()
    )
    services = replace(services, stages=stages)
    case = Case(id="a", question="What?", contexts=(page,), reference=reference)
    key = SampleKey(case_id="a", provider="p")
    return await evaluate(
        SampleTask(key, case, Answer(case_id="a", text=answer)), services
    )


@pytest.mark.parametrize(
    ("page", "answer"),
    [
        ("The fee for pupils is 4 marks.", "The text gives no fee for pupils."),
        (
            "The tower opens at 9:30.",
            "The source doesn't mention when the tower opens.",
        ),
        ("A lift leads to the roof.", "The page does not mention a lift."),
    ],
)
async def test_an_abstention_is_wrong_where_the_page_tells(
    page: str, answer: str
) -> None:
    found = await judged(page, answer)
    assert [(one.claim.text, one.verdict.word) for one in found.claims] == [
        (answer, "contradicted")
    ]
    assert not found.abstained and found.skipped == ()
    (claim,) = found.claims
    assert answer[claim.claim.start : claim.claim.end] == answer


@pytest.mark.parametrize(
    ("page", "answer"),
    [
        ("The gate is 3 m wide.", "The text gives no fee for pupils."),
        ("Pupils pay a fee at the desk.", "The text gives no fee for pupils."),
        (
            "The tower opens in spring.",
            "The source doesn't mention when the tower opens.",
        ),
        ("The tower was closed.", "The page does not say why the tower closed."),
    ],
)
async def test_it_stays_an_abstention_where_the_page_does_not(
    page: str, answer: str
) -> None:
    found = await judged(page, answer)
    assert found.claims == () and found.abstained
    assert [part.reason for part in found.skipped] == ["abstention"]


async def test_an_expected_abstention_is_not_held_against_the_pages() -> None:
    found = await judged(
        "The fee for pupils is 4 marks.",
        "The text gives no fee for pupils.",
        reference="The pages do not give a fee.",
    )
    assert found.claims == () and found.abstained


async def test_claims_keep_their_order_beside_a_denial() -> None:
    answer = "The page does not mention a lift. The roof is flat."
    found = await judged("A lift leads to the roof. The roof is flat.", answer)
    assert [one.claim.index for one in found.claims] == [0, 1]
    assert found.claims[1].claim.text == "The roof is flat."
