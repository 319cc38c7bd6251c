"""What the pages say of another thing than a claim is about is no evidence for it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from claimscope.core.models import Label, Page, RuleFinding, Verdict
from claimscope.core.ports import Question
from claimscope.core.verify.decomposition import decompose
from claimscope.core.verify.page_selection import (
    ClaimOnPages,
    gather_candidates,
    verify_in_focus,
)
from claimscope.core.verify.peers.selection import PagePeers, Surroundings
from claimscope.stores.index.memory_corpus import MemoryCorpus
from tests.doubles.fakes import FakeEmbedder

CARDS = """# Fenwick Bank: cards

| Card | New card | Arrives |
|---|---|---|
| Blue | costs £8 | 5 days |
| Grey | costs £4 | 7 days |

## Blue

The limit is £900. It has no yearly fee.

## Grey

The limit is £300. Its yearly fee is £12.

## Rules

A PIN has four digits. Grey cards work abroad; the other card does too.
"""


def gathered(answer: str, question: str | None) -> list[ClaimOnPages]:
    page = Page(page_id="cards", title="Fenwick Bank: cards", text=CARDS)
    corpus = MemoryCorpus("all", [page], FakeEmbedder())
    claims = decompose(answer).claims
    return gather_candidates(answer, claims, corpus, 20, question)


def texts(one: ClaimOnPages) -> str:
    return " ".join(hit.text for hit in one.near)


ASKED = "I lost my Blue card. What now?"


def test_rows_and_sections_of_another_thing_are_left_out() -> None:
    (one,) = gathered("A new card costs £4.", ASKED)
    assert "£8" in texts(one) and "£900" in texts(one)
    assert "£4" not in texts(one) and "£300" not in texts(one)
    assert {x.about for x in one.of_others} == {"Grey"}
    assert {x.meant for x in one.of_others} == {"Blue"}


def test_what_speaks_of_all_stays() -> None:
    (one,) = gathered("A PIN has four digits.", ASKED)
    assert "four digits" in texts(one) and "work abroad" in texts(one)


@pytest.mark.parametrize(
    ("answer", "question"),
    [
        ("A new card costs £4.", None),
        ("A new card costs £4.", "What does a new card cost?"),
        ("A new Grey card costs £4.", ASKED),
        ("Unlike this one, a new card of the other kind costs £4.", ASKED),
        ("Both cards cost £4.", ASKED),
    ],
)
def test_without_a_thing_asked_for_all_is_evidence(
    answer: str, question: str | None
) -> None:
    (one,) = gathered(answer, question)
    assert "£4" in texts(one)


def test_a_heading_says_what_is_meant() -> None:
    (under,) = gathered("## Blue\n\nA new card costs £4.", None)
    assert "£4" not in texts(under)


@pytest.mark.parametrize(
    ("claim", "before", "question", "meant"),
    [
        ("It has a limit.", "The Grey card costs £4.", "", {"Grey"}),
        ("A limit is set.", "The Grey card costs £4.", "", set()),
        ("There is a limit.", "The Grey card costs £4.", "", set()),
        ("It has a limit.", "It is cheaper than the Grey card.", "", set()),
        ("A limit is set.", "The Grey card costs £4.", ASKED, {"Blue"}),
        ("A limit is set for it.", "The Grey card costs £4.", ASKED, {"Blue", "Grey"}),
        ("The Grey card has a limit.", "", ASKED, {"Blue", "Grey"}),
        ("The others have a limit.", "", ASKED, set()),
    ],
)
def test_what_a_claim_is_about(
    claim: str, before: str, question: str, meant: set[str]
) -> None:
    peers = PagePeers([("cards", CARDS)])
    found = peers.meant(claim, Surroundings([before], "", question))
    assert {label.text for _, labels in found for label in labels} == meant


class Words:
    """Supports a claim whose last word stands in a candidate."""

    name = "words"

    async def verify(self, questions: Sequence[Question]) -> Sequence[Verdict]:
        return [self.judge(question) for question in questions]

    def judge(self, question: Question) -> Verdict:
        last = question.claim.rstrip(".").split()[-1]
        for one in question.evidence:
            if last in one.text:
                return Verdict(label=Label.SUPPORTED, support=0.9, evidence=(one,))
        return Verdict(label=Label.NOT_ENOUGH_INFO, support=0.1, rules=FOUND)


FOUND = tuple(
    RuleFinding(rule="number", outcome=outcome, claim_text="£4", message="£4 …")
    for outcome in ("missing", "conflict")
)


async def test_an_open_claim_that_holds_of_another_thing_says_so() -> None:
    page = Page(page_id="cards", title="Fenwick Bank: cards", text=CARDS)
    corpus = MemoryCorpus("all", [page], FakeEmbedder())
    answer = "A new card costs £4."
    claims = decompose(answer).claims
    (verdict,) = await verify_in_focus(answer, claims, corpus, Words(), 8, ASKED)
    assert verdict.label is Label.NOT_ENOUGH_INFO
    assert "says so, but of “Grey”; the claim is about “Blue”" in verdict.reason
    assert "£4" in verdict.evidence[0].text
    assert [(x.witness, x.decisive) for x in verdict.testimony] == [("peers", True)]
    assert verdict.of_another == verdict.testimony[0]
    # What rules missed in the other sentences is no word on the one shown.
    assert [rule.outcome for rule in verdict.rules] == ["conflict"]


def around(question: str) -> Surroundings:
    return Surroundings([], "", question)


def left_out(text: str, claim: str, question: str) -> set[str]:
    """The sentences of a page that are no evidence for a claim."""
    page = Page(page_id="p", title="P", text=text)
    corpus = MemoryCorpus("all", [page], FakeEmbedder())
    peers = PagePeers([("p", text)])
    meant = peers.meant(claim, around(question))
    hits = corpus.search(claim, k=60).hits
    return {hit.text for hit in hits if peers.of_another(hit, meant) is not None}


PLANS = (
    "# Plans\n\n| Plan | Price |\n|---|---|\n| Basic | 4 euros |\n| Plus | 8 euros |\n"
)
TOPICS = """# Shop

| Topic | Rule |
|---|---|
| Delivery | Parcels arrive within three days. |
| Returns | Goods can be sent back within 30 days. |
"""
REFERRED = """# Shop

## Delivery

Parcels take three days. Refunds are told under Returns.

## Returns

Goods can be sent back. Times are told under Delivery.
"""
GERMAN = """# Der Laden

## Lieferung

Die Lieferung dauert drei Tage und kommt mit der Post ins Haus.

## Rückgabe

Bei einer Rückgabe muss die Ware neu sein, die Lieferung zahlt der Laden.
"""
TAKEN = """# Plans

- **Free:** notes and search. The Free plan is for all.
- **Pro:** everything in Free, and offline mode. The Pro plan costs 4 euros.
- **Team:** everything in Pro, and shared folders. The Team plan costs 9 euros.
"""
STEPS = """# Shelf

## Step 1

Unpack it.

## Step 2

Lay it out.

## Step 3

Tighten it.
"""


@pytest.mark.parametrize(
    ("text", "claim", "question"),
    [
        (TOPICS, "They can be sent back.", "How long after delivery may I return it?"),
        (TOPICS, "They can be sent back.", "Is delivery free, and may I return it?"),
        (REFERRED, "They can be sent back.", "Does the delivery change that?"),
        (
            GERMAN,
            "Die Ware muss neu sein.",
            "Muss die Ware nach der Lieferung neu sein?",
        ),
        (TAKEN, "It has offline mode.", "What does the Team plan have?"),
        (STEPS, "You tighten it.", "What do I do after step 2?"),
        (PLANS, "The cheapest plan costs 4 euros.", "Is Plus the cheapest plan?"),
        (PLANS, "All plans cost 4 euros.", "Is Plus cheap?"),
    ],
)
def test_evidence_that_stays(text: str, claim: str, question: str) -> None:
    assert left_out(text, claim, question) == set()


@pytest.mark.parametrize(
    ("more", "question"),
    [
        ("\n## Basic\n\nLike all plans, it can be ended.\n", "Can Plus be ended?"),
        ("\n## Upgrading from Basic\n\nYou keep files.\n", "What does Plus keep?"),
        ("\n## Use\n\nBasic lends its space to Plus.\n", "Has Plus more space?"),
    ],
)
def test_sentences_that_speak_of_the_asked_thing_too_stay(
    more: str, question: str
) -> None:
    gone = left_out(PLANS + more, "It is so.", question)
    assert {text for text in gone if text[0] != "#"} == {"| Basic | 4 euros |"}


def test_the_row_that_is_asked_for_is_found_among_many() -> None:
    rows = "\n".join(f"| Zone {n} | 4 euros |" for n in range(1, 56))
    page = Page(page_id="z", title="Z", text=f"| Zone | Price |\n|---|---|\n{rows}\n")
    corpus = MemoryCorpus("all", [page], FakeEmbedder())
    claims = decompose("It costs 4 euros.").claims
    question = "What does a ticket for zone 47 cost?"
    (one,) = gather_candidates("It costs 4 euros.", claims, corpus, 4, question)
    assert one.near
    assert all("Zone 47" in hit.text or "Price" in hit.text for hit in one.near)


def test_what_is_nearest_says_what_a_claim_is_about() -> None:
    peers = PagePeers([("p", PLANS)])
    asked = Surroundings(["Basic is for singles."], "", "How do Basic and Plus differ?")
    (found,) = peers.meant("It costs 8 euros.", asked)
    assert {label.text for label in found[1]} == {"Basic"}
