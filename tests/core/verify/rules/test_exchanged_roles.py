"""The claim's own words, two of them in each other's place."""

from __future__ import annotations

import pytest

from claimscope.core.models import Evidence
from claimscope.core.verify.rules.comparison import Laid
from claimscope.core.verify.rules.exchanged_roles import exchanges
from claimscope.core.verify.token_alignment import AlignedText, AlignedWindow


@pytest.mark.parametrize(
    ("claim", "page", "outcome"),
    [
        ("Tolland beat Marsh in Vade.", "Marsh beat Tolland in Vade.", "conflict"),
        (
            "The Orla is faster than the Pim.",
            "The Pim is faster than the Orla.",
            "conflict",
        ),
        # What is said of some cases says nothing of the others.
        (
            "The Orla is faster than the Pim.",
            "The Pim is faster than the Orla on wet roads.",
            "missing",
        ),
    ],
)
def test_whose_part_is_whose(claim: str, page: str, outcome: str) -> None:
    evidence = Evidence(page_id="p", index=0, text=page, start=0, end=len(page))
    laid = [Laid(AlignedWindow(evidence), 1.0)]
    (found,) = exchanges(AlignedText(claim), laid)
    assert found.shown.outcome == outcome
    assert found.shown.veto
