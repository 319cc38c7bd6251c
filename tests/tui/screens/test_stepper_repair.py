"""Proposed citations in the claim stepper: shown, accepted, taken back, kept."""

from __future__ import annotations

import pytest

from claimscope.core.analysis.agreement.overrides import apply_overrides
from claimscope.core.cite.marker_edits import (
    accepted_proposals,
    apply_changes,
    mark_accepted,
)
from claimscope.core.errors import StoreError
from claimscope.core.models import (
    CitationDecision,
    CitationProposal,
    CitationState,
    SampleResult,
)
from claimscope.tui.review.cursor import Rows
from claimscope.tui.review.items import PROPOSED, items
from claimscope.tui.screens.stepper.screen import StepperScreen
from tests.tui.gateways import FakeGateway
from tests.tui.pilot import press, text_of, told
from tests.tui.sample_run import PAGE, RUN_ID, failed_sample
from tests.tui.screens.test_stepper import gateway_with, stepping

BAD = "[PMID:404, S:1]"
GOOD = "[PMID:99000007, S:1]"


def repairable() -> SampleResult:
    """The second citation is broken, the third claim has none."""
    sample = failed_sample()
    text = sample.answer.text
    end = text.index(". Let me")
    replace = CitationProposal(
        kind="replace",
        start=text.index(BAD),
        end=text.index(BAD) + len(BAD),
        text=BAD,
        by=GOOD,
        sources=(f"{PAGE.page_id}:S:1",),
        quotes=("It holds 4.2 million cubic metres when full.",),
        claim_indexes=(1,),
    )
    add = CitationProposal(
        kind="add",
        start=end,
        end=end,
        text="",
        by=" [PMID:99000007, S:4]",
        sources=(f"{PAGE.page_id}:S:4",),
        quotes=("Fishing is allowed from May to September.",),
        claim_indexes=(2,),
        is_likely=True,
    )
    return sample.model_copy(update={"proposals": (replace, add)})


def accepted(gateway: FakeGateway) -> str:
    """The answer as the run's record says people want it."""
    (sample,) = apply_overrides(gateway.runs.read(RUN_ID)).samples
    taken = [one for one in sample.proposals if one.accepted]
    return apply_changes(sample.answer.text, taken)


async def test_a_proposal_is_accepted_by_a_key_and_taken_back_by_it() -> None:
    gateway = gateway_with(repairable())
    async with stepping(gateway) as pilot:
        screen = pilot.app.screen
        assert isinstance(screen, StepperScreen)
        while screen.item is None or screen.item.kind != "citation":
            await press(pilot, "j")
        await press(pilot, "j")
        shown = text_of(pilot)
        assert f"Proposal {BAD} -> {GOOD}" in shown
        assert "proved; t accepts it" in shown
        assert "4.2 million cubic metres when full." in shown
        await press(pilot, "t")
        assert f"Accepted {BAD} -> {GOOD}" in text_of(pilot)
        assert f"Accepted: {GOOD}; t again takes it back." in told(pilot)
        assert accepted(gateway) == repairable().answer.text.replace(BAD, GOOD)
        await press(pilot, "t")
        assert f"Proposal {BAD} -> {GOOD}" in text_of(pilot)
        assert accepted(gateway) == repairable().answer.text
    decisions = gateway.runs.read(RUN_ID).citation_decisions()
    assert [one.accepted for one in decisions] == [True, False]
    assert decisions[0].by == decisions[1].by is not None


async def test_a_claim_shows_the_citation_that_it_lacks() -> None:
    gateway = gateway_with(repairable())
    async with stepping(gateway) as pilot:
        await press(pilot, "n")  # the third claim
        assert "Proposal add [PMID:99000007, S:4] likely; t" in text_of(pilot)
        await press(pilot, "t")
    assert "is called Orla [PMID:99000007, S:4]. Let me" in accepted(gateway)
    async with stepping(gateway) as pilot:  # a second sitting knows it
        await press(pilot, "n")
        assert "Accepted add [PMID:99000007, S:4]" in text_of(pilot)


async def test_where_nothing_is_proposed_the_key_says_so() -> None:
    gateway = gateway_with(failed_sample())
    async with stepping(gateway) as pilot:
        assert "Proposal" not in text_of(pilot)
        await press(pilot, "t")
        assert "No citation is proposed here." in told(pilot)


async def test_a_decision_that_cannot_be_saved_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gateway = gateway_with(repairable())
    async with stepping(gateway) as pilot:
        screen = pilot.app.screen
        assert isinstance(screen, StepperScreen)

        def full(decision: CitationDecision) -> None:
            raise StoreError("the disk is full", "free some space")

        monkeypatch.setattr(screen._reader, "save_decision", full)
        await press(pilot, "n")
        await press(pilot, "t")
        assert "the disk is full" in told(pilot)
        assert "Proposal add" in text_of(pilot)


def test_one_may_step_through_proposals_alone() -> None:
    sample = repairable()
    marked = [(i.kind, i.index) for i in items(sample) if PROPOSED in i.marks]
    assert marked == [("claim", 2), ("citation", 1)]
    assert Rows([sample]).counts()[PROPOSED] == 2


def test_a_decision_on_what_is_proposed_no_more_does_not_count() -> None:
    sample = repairable()
    first, second = sample.proposals
    said = [
        CitationDecision(sample=sample.key, proposal=one, accepted=True, at="t")
        for one in (first, second)
    ]
    other = second.model_copy(update={"by": " [PMID:99000007, S:0]"})
    again = sample.model_copy(update={"proposals": (first, other)})
    decided = mark_accepted(again, accepted_proposals(said))
    assert [one.accepted for one in decided.proposals] == [True, False]
    assert decided.citations[1].state is CitationState.BROKEN
