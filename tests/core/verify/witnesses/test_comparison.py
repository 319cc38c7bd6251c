"""Comparisons of claims, held against the page's own and against its figures."""

from __future__ import annotations

import pytest

from claimscope.core.ports import Question
from claimscope.core.verify.evidence import candidates_from_text
from claimscope.core.verify.passages import passage_of
from claimscope.core.verify.witnesses.comparison import by_comparison
from tests.doubles.fakes import FakeEmbedder

EMBEDDER = FakeEmbedder()
SCALES = """\
The Aldo scale weighs 1.2 kg and costs €39. The Bree scale weighs 900 g.
The Bree was built in 2011, the Aldo in 2004.
"""
PRINTERS = """\
# Printers of the shop

| Printer | Pages per minute | Price | Noise |
|---|---|---|---|
| Lumo 20 | 22 | €149 | 58 dB |
| Lumo 35 | 34 | €219 | 61 dB |
| Lumo Ink | 15 | €89 | 49 dB |
"""
SITES = """\
The four sites:

- Rope House (opened 1968)
- Tide Mill (opened 2003)
- Signal Tower (opened 1979)
- Bishop's Store (opened 1991)
"""
SIGHTS = """\
# Adults

| Sight | Price |
|---|---|
| Museum | £12 |

# Children

| Sight | Price |
|---|---|
| Zoo | £8 |
"""
LOANS = """\
| Branch | Loans in March | Loans in April |
|---|---|---|
| Riverside | 2,760 | 3,045 |
| Nortonby | 980 | 940 |
"""
PEAKS = "Three peaks rise: the Kerne (2,140 m), the Hatt (2,385 m), the Ode (1,990 m)."
CODECS = "The zed codec is faster than plain9, but its files are larger."


def said(claim: str, page: str) -> list[tuple[str, str]]:
    """(witness, what it says) of a claim."""
    evidence = candidates_from_text(claim, [page], EMBEDDER)
    documents = ((evidence[0].page_id, page),)
    question = Question(claim, evidence, documents=documents)
    found = by_comparison(question, passage_of(question))
    return list(dict.fromkeys((one.witness, one.says) for one in found))


@pytest.mark.parametrize(
    ("claim", "page", "says"),
    [
        ("The Bree is lighter than the Aldo.", SCALES, "entails"),
        ("The Bree is heavier than the Aldo.", SCALES, "contradicts"),
        ("The Aldo is older than the Bree.", SCALES, "entails"),
        ("The Bree is older than the Aldo.", SCALES, "contradicts"),
        ("The Lumo 35 is a faster printer than the Lumo 20.", PRINTERS, "entails"),
        ("The Lumo Ink is a faster printer than the Lumo 20.", PRINTERS, "contradicts"),
        ("The Lumo 35 costs €70 more than the Lumo 20.", PRINTERS, "entails"),
        ("The Lumo 35 costs €60 more than the Lumo 20.", PRINTERS, "contradicts"),
        ("The Lumo Ink is the quietest printer.", PRINTERS, "entails"),
        ("The Lumo 20 is the quietest printer.", PRINTERS, "contradicts"),
        ("The Lumo 20 is the second-cheapest printer.", PRINTERS, "entails"),
        (
            "Of the three printers, the Lumo 20 has the lowest price.",
            PRINTERS,
            "contradicts",
        ),
        ("Of the four sites, Tide Mill was the last to open.", SITES, "entails"),
        ("Of the four sites, Signal Tower was the last to open.", SITES, "contradicts"),
        ("Riverside had more loans in April than in March.", LOANS, "entails"),
        ("Nortonby had more loans in April than in March.", LOANS, "contradicts"),
        ("None of the three peaks is taller than the Hatt.", PEAKS, "entails"),
        ("None of the three peaks is taller than the Kerne.", PEAKS, "contradicts"),
        (
            "Files made with plain9 are smaller than those made with zed.",
            CODECS,
            "entails",
        ),
        (
            "Files made with plain9 are larger than those made with zed.",
            CODECS,
            "contradicts",
        ),
    ],
)
def test_a_comparison_follows_from_the_page(claim: str, page: str, says: str) -> None:
    assert said(claim, page) == [("comparison", says)]


@pytest.mark.parametrize(
    ("claim", "page"),
    [
        # Another property, another class, a condition, one side without a figure.
        ("The Lumo 35 is heavier than the Lumo 20.", PRINTERS),
        ("Rope House draws the most visitors of the four sites.", SITES),
        ("The Aldo is cheaper than the Bree.", SCALES),
        ("If the Bree is lighter than the Aldo, it is cheaper.", SCALES),
        ("Zed uses less memory than plain9.", CODECS),
        ("The nearest hut is the Kerne.", PEAKS),
    ],
)
def test_what_the_page_does_not_compare_is_left_open(claim: str, page: str) -> None:
    assert said(claim, page) == []


def test_figures_of_which_the_claim_says_more_are_a_doubt_at_most() -> None:
    more = "On holiday voyages the Bree is lighter than the Aldo."
    less = "On holiday voyages the Bree is heavier than the Aldo."
    assert said(more, SCALES) == []
    assert said(less, SCALES) == [("compared", "doubts")]


@pytest.mark.parametrize(
    ("page", "claim"),
    [
        ("Robin is one of the cheapest plans.", "Robin is the cheapest plan."),
        (
            "Of the plans with support, Team is the cheapest.",
            "Team is the cheapest plan.",
        ),
        ("On large files, zstd is faster than gzip.", "zstd is faster than gzip."),
        ("zstd is rarely faster than gzip.", "zstd is faster than gzip."),
        (
            "Many users believe that zstd is faster than gzip.",
            "zstd is faster than gzip.",
        ),
        ("Lyon was larger than Nice.", "Lyon is larger than Nice."),
        ("After Paris, Lyon is the largest city.", "Lyon is the largest city."),
        ("Is the Bolt the cheapest phone?", "The Bolt is the cheapest phone."),
        (
            "The Bolt has a longer warranty than the Dash.",
            "The Bolt is longer than the Dash.",
        ),
        (
            "The Bolt is 20 % cheaper than the Dash.",
            "The Dash is 20 % dearer than the Bolt.",
        ),
        (
            "The Bolt has a deposit of €20, the Dash of €30.",
            "The Bolt is cheaper than the Dash.",
        ),
        (
            "The Lake tour starts in 20 minutes. The City tour takes 2 hours.",
            "The Lake tour is shorter than the City tour.",
        ),
        (
            "In 2010 the Alder was 90 m tall. The Birch is 110 m tall.",
            "The Birch is taller than the Alder.",
        ),
        (
            "The Bolt costs at least €40. The Dash costs €60.",
            "The Bolt is cheaper than the Dash.",
        ),
    ],
)
def test_a_page_that_says_more_or_something_else_proves_nothing(
    page: str, claim: str
) -> None:
    assert ("comparison", "entails") not in said(claim, page)


@pytest.mark.parametrize(
    ("page", "claim"),
    [
        (
            "# Codecs\n\n## Large files\n\nZip is faster than lz.",
            "Zip is faster than lz.",
        ),
        (
            "## In winter\n\nThe ferry is slower than the bus.",
            "The ferry is slower than the bus.",
        ),
        ("Zip is faster than lz, but only on large files.", "Zip is faster than lz."),
        (
            "Zip is faster than lz. This is true of large files only.",
            "Zip is faster than lz.",
        ),
        (
            "The Bolt is slightly dearer than the Dash.",
            "The Bolt is much dearer than the Dash.",
        ),
        ("The Bolt seems lighter than the Dash.", "The Bolt is lighter than the Dash."),
        (
            "The Dorn has been taller than the Bell.",
            "The Dorn is taller than the Bell.",
        ),
        (
            "Alba has a height of 2 m. Bern has a length of 1 m.",
            "Alba is longer than Bern.",
        ),
        (
            "The Bolt may cost €40. The Dash costs €60.",
            "The Bolt is cheaper than the Dash.",
        ),
        (
            "Deposits: the Heron £50, the Otter £80, the Beaver £75.",
            "The Heron is the cheapest.",
        ),
        (
            SIGHTS,
            "The zoo is cheaper than the museum.",
        ),
    ],
)
def test_headings_and_what_stands_beside_count(page: str, claim: str) -> None:
    assert ("comparison", "entails") not in said(claim, page)


def test_another_name_is_no_other_thing() -> None:
    page = "The Grand is the tallest building. It is also called Union House."
    assert ("comparison", "contradicts") not in said(
        "Union House is the tallest building.", page
    )


def test_a_row_of_totals_is_none_of_the_things() -> None:
    page = "| Region | Price |\n|---|---|\n| North | €12 |\n| South | €14 |\n"
    page += "| Total | €26 |\n"
    assert said("The South has the highest price.", page) == []


def test_both_places_are_shown() -> None:
    claim = "The Lumo 35 is a faster printer than the Lumo 20."
    evidence = candidates_from_text(claim, [PRINTERS], EMBEDDER)
    question = Question(claim, evidence, documents=((evidence[0].page_id, PRINTERS),))
    first, second = by_comparison(question, passage_of(question))
    texts = {one.sentence_id: one.text for one in evidence}
    assert "Lumo 35" in texts[first.place or ""]
    assert "Lumo 20" in texts[second.place or ""]
    assert first.reason == second.reason
    assert "34" in first.reason and "22" in first.reason
