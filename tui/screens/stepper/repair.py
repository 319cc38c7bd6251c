"""Proposed citations while stepping: accepted one by one, kept in the run's record."""

from __future__ import annotations

from collections.abc import Sequence

from claimscope.core.cite.accepted import accepted_proposals, as_decided
from claimscope.core.errors import ClaimscopeError
from claimscope.core.models import CitationDecision, CitationProposal, SampleResult
from claimscope.core.ports import RunReader
from claimscope.tui.review.items import Wanted
from claimscope.tui.screens.base.view import Setting
from claimscope.tui.screens.stepper.proposals import proposal_paragraphs, proposals_of
from claimscope.tui.screens.stepper.verdicts import Speaking
from claimscope.tui.widgets.flow import Paragraph

KEY = "t"


class Repairing(Speaking):
    """Takes proposals, and takes that back."""

    def __init__(
        self,
        setting: Setting,
        reader: RunReader,
        samples: Sequence[SampleResult],
        start: int | None = None,
        wanted: Wanted | None = None,
    ) -> None:
        super().__init__(setting, reader, samples, start, wanted)
        self._decisions = list(reader.citation_decisions())

    @property
    def proposals(self) -> list[CitationProposal]:
        """Those of the item in hand, with what people said of them."""
        sample, item = self.sample, self.item
        if sample is None or item is None:
            return []
        return proposals_of(
            as_decided(sample, accepted_proposals(self._decisions)), item
        )

    def with_proposals(self, found: Sequence[Paragraph]) -> list[Paragraph]:
        """The finding in hand with its proposals, under its verdict."""
        return [*found[:1], *proposal_paragraphs(self.proposals, KEY), *found[1:]]

    def action_repair(self) -> None:
        """Accepts the first proposal of the item in hand that is open; where all are
        accepted, takes the last one back."""
        sample, known = self.sample, self.proposals
        if sample is None or not known:
            self.tell("No citation is proposed here.")
            return
        chosen = next((one for one in known if not one.accepted), known[-1])
        decision = CitationDecision(
            sample=sample.key,
            proposal=chosen.model_copy(update={"accepted": False}),
            accepted=not chosen.accepted,
            at=self.setting.stamp(),
            by=self.setting.by,
        )
        try:
            self._reader.save_decision(decision)
        except ClaimscopeError as error:
            self.tell_error(error)
            return
        self._decisions.append(decision)
        self.redraw()
        self.tell(f"Taken back: {chosen.by}" if chosen.accepted else _said(chosen))


def _said(one: CitationProposal) -> str:
    return f"Accepted: {one.by.strip()}; {KEY} again takes it back."
