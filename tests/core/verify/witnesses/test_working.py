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
Nimbra exports documents to these formats:

* PDF
* DOCX
* EPUB
"""
SOME = FORMATS.replace("to these", "for example to these")
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
VOTE = "Of the 60 delegates, 47 voted for the motion."
EVENTS = "9 of the 120 participants reported adverse events."
STRIKE = "The strike began on 4 June and was called off on 12 June."
CLUB = "Of the 48 volunteers, 31 were students."
EXAM = "45 of the 60 students who sat the exam passed."
TAX = "VAT of 19 % is added to all invoices."
FESTIVAL = "Registration for the festival runs from 1 May to 4 May."
NONE_FILED = "Of the 0 tickets filed today, 0 are open."
TYPES = "Nimbra exports documents to these file types:\n\n- PDF\n- DOCX\n"
SALES = """\
| Region | Boats sold |
|---|---|
| North | 12 |
| South | 14 |
| Total | 26 |
"""
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
        ("Nimbra exports documents to three formats.", FORMATS, "entails"),
        ("Nimbra exports documents to four formats.", FORMATS, "contradicts"),
        ("Nimbra exports documents to at least two formats.", FORMATS, "entails"),
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
        ("Nimbra exports documents to three formats.", SOME),
        ("Nimbra exports documents to three formats.", NESTED),
        ("Nimbra has three offices.", FORMATS),
        # Of others, of some of them only, or turned round.
        ("Most of the students were volunteers.", CLUB),
        ("All students sat the exam.", EXAM),
        ("All students who passed sat the exam.", EXAM),
        ("All invoices come with VAT.", TAX),
        ("The festival lasts ten days.", FESTIVAL),
        ("Not all of the rooms have a projector.", ROOMS),
        ("At most two of the rooms have a projector.", ROOMS),
        ("Each room has a projector for one person.", ROOMS),
        ("In total, the North and the South sold 26 boats.", SALES),
        ("Most of the tickets are open.", NONE_FILED),
        ("Nimbra exports documents to three files.", TYPES),
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
