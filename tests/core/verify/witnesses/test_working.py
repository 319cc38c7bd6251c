"""Counts, sums, shares and spans, worked out from the page."""

from __future__ import annotations

import pytest

from claimscope.core.ports import Question
from claimscope.core.verify.evidence import candidates_from_text
from claimscope.core.verify.passages import passage_of
from claimscope.core.verify.witnesses.working import by_working
from tests.doubles.fakes import FakeEmbedder

EMBEDDER = FakeEmbedder()
FORMATS = """\
Documents of Nimbra can be exported as:

* PDF
* DOCX
* EPUB
"""
SOME = FORMATS.replace("exported as:", "exported, for example, as:")
NESTED = FORMATS.replace("* DOCX", "* DOCX\n  * with comments")
PARTS = """\
| Part | Price |
|---|---|
| Battery 500 Wh | €412 |
| Charger | €68 |
| Rear rack | €55 |
"""
ROOMS = """\
| Room | Seats | Projector |
|---|---|---|
| Alder | 12 | yes |
| Birch | 8 | no |
| Cedar | 30 | yes |
"""
VOTE = "Of the 60 delegates at Sarn, 47 voted for the motion."
EVENTS = "Adverse events were reported by 9 of the 120 participants."
STRIKE = "The strike began on 4 June and was called off on 12 June."
SHARE = "In October, 7 % of the parcels arrived late."


def said(claim: str, page: str) -> list[str]:
    """What the witness says of a claim."""
    evidence = candidates_from_text(claim, [page], EMBEDDER)
    documents = ((evidence[0].page_id, page),)
    question = Question(claim, evidence, documents=documents)
    return [one.says for one in by_working(question, passage_of(question))]


@pytest.mark.parametrize(
    ("claim", "page", "says"),
    [
        ("Nimbra offers three export formats.", FORMATS, "entails"),
        ("Nimbra offers four export formats.", FORMATS, "contradicts"),
        ("Nimbra offers at least two export formats.", FORMATS, "entails"),
        ("Documents of Nimbra can be exported as four things.", FORMATS, "contradicts"),
        ("The charger and the rear rack cost €123 altogether.", PARTS, "entails"),
        ("The charger and the rear rack cost €133 altogether.", PARTS, "contradicts"),
        ("Just one of the rooms has no projector.", ROOMS, "entails"),
        ("Two of the rooms have no projector.", ROOMS, "contradicts"),
        ("Two of the rooms have a projector.", ROOMS, "entails"),
        ("All but one of the three rooms have a projector.", ROOMS, "entails"),
        ("All of the rooms have a projector.", ROOMS, "contradicts"),
        ("None of the rooms has a projector.", ROOMS, "contradicts"),
        ("Most of the delegates voted for the motion.", VOTE, "entails"),
        ("A minority of the delegates voted for the motion.", VOTE, "contradicts"),
        (
            "Nearly all of the participants reported adverse events.",
            EVENTS,
            "contradicts",
        ),
        ("Nearly none of the participants reported adverse events.", EVENTS, "entails"),
        (
            "Fewer than one in ten participants reported adverse events.",
            EVENTS,
            "entails",
        ),
        (
            "More than a quarter of participants reported adverse events.",
            EVENTS,
            "contradicts",
        ),
        ("The majority of the parcels arrived late in October.", SHARE, "contradicts"),
        ("The strike lasted nine days.", STRIKE, "entails"),
        ("The strike lasted twelve days.", STRIKE, "contradicts"),
    ],
)
def test_a_figure_follows_from_the_page(claim: str, page: str, says: str) -> None:
    assert said(claim, page) == [says]


@pytest.mark.parametrize(
    ("claim", "page"),
    [
        # The list is not whole, has items of its own, or is of something else.
        ("Nimbra offers three export formats.", SOME),
        ("Nimbra offers three export formats.", NESTED),
        ("Nimbra has three offices.", FORMATS),
        # "The battery" may be the one of 500 Wh: it is not clear what is added up.
        ("The battery, the charger and the rear rack cost €535 altogether.", PARTS),
        # The same percentage is compared by those who read.
        ("In October, 7 % of the parcels were lost.", SHARE),
        ("Some of the delegates voted for the motion.", VOTE),
        ("The strike was not over in nine days.", STRIKE),
    ],
)
def test_what_is_not_clear_is_left_open(claim: str, page: str) -> None:
    assert said(claim, page) == []
