"""What a check says beside a claim."""

from __future__ import annotations

from claimscope.core.models import Evidence, Label, Testimony, Verdict
from claimscope.core.models.verdicts import PEERS
from claimscope.core.report.check_findings import evidence_note

ROW = Evidence(page_id="fees", index=3, text="Grey: £4", start=0, end=8)
OF_ANOTHER = Testimony(
    witness=PEERS, says="doubts", reason="fees:S:3 says so, but of “Grey”."
)


def test_the_sentence_stands_beside_a_claim() -> None:
    verdict = Verdict(label=Label.NOT_ENOUGH_INFO, evidence=(ROW,))
    assert evidence_note(verdict) == '[fees:S:3 "Grey: £4"]'


def test_of_another_thing_is_said_beside_its_sentence() -> None:
    verdict = Verdict(
        label=Label.NOT_ENOUGH_INFO, evidence=(ROW,), testimony=(OF_ANOTHER,)
    )
    assert evidence_note(verdict) == (
        '[fees:S:3 "Grey: £4"] (fees:S:3 says so, but of “Grey”.)'
    )
