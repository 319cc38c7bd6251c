"""Pages of one kind: an answer about one of them is held against that one."""

from __future__ import annotations

import pytest

from claimscope.core.models import Page
from claimscope.core.verify.decomposition import decompose
from claimscope.core.verify.page_kinds import (
    PageKind,
    are_of_one_kind,
    heading_above,
    kinds_of,
    page_asked_for,
    pages_meant,
)
from claimscope.core.verify.page_selection import gather_candidates
from claimscope.stores.index.memory_corpus import MemoryCorpus
from tests.doubles.fakes import FakeEmbedder


def rules(year: int, fee: int, days: int) -> Page:
    return Page(
        page_id=f"rules-{year}",
        title=f"Skerry harbour rules {year}",
        text=f"# Skerry harbour rules {year}\n\n## Fees\n\nA berth costs {fee} marks."
        f"\n\n## Booking\n\nA berth is kept for {days} days."
        "\n\n## Dogs\n\nDogs may come.",
    )


def manual(model: str, weight: int) -> Page:
    return Page(
        page_id=model.lower(),
        title=f"Tern {model}: manual",
        text=f"## Weight\n\nIt weighs {weight} kg.\n\n## Care\n\nWipe it dry.",
    )


GUIDE = Page(
    page_id="guide",
    title="Guide to Skerry harbour",
    text="## Getting there\n\nA bus runs hourly.\n\n## Food\n\nThe inn opens at noon.",
)
RULES = [rules(2023, 20, 3), rules(2024, 30, 5)]
MANUALS = [manual("Mark II", 4), manual("Mark III", 6)]


def kind(*pages: Page) -> PageKind:
    corpus = MemoryCorpus("all", list(pages), FakeEmbedder())
    (found,) = kinds_of([page.page_id for page in pages], corpus)
    return found


def test_pages_with_the_same_headings_are_of_one_kind() -> None:
    assert are_of_one_kind(RULES[0].text, RULES[1].text)
    assert not are_of_one_kind(RULES[0].text, GUIDE.text)
    assert kind(*RULES, GUIDE).pages == {"rules-2023", "rules-2024"}


def test_terms_and_rows_count_as_headings_do() -> None:
    rows = "| Item | Value |\n|---|---|\n| Weight | {} |\n| Noise | {} |"
    assert are_of_one_kind(rows.format("2 kg", "60 dB"), rows.format("3 kg", "70 dB"))
    terms = "- **Weight:** {}\n- **Noise:** {}"
    assert are_of_one_kind(terms.format("2 kg", "1"), terms.format("3 kg", "2"))
    assert not are_of_one_kind("Plain words.", "Plain words.")


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("What did a berth cost in 2023?", {"rules-2023"}),
        ("What held in the 2024 season?", {"rules-2024"}),
        ("In 2023 and 2024 it was free.", {"rules-2023", "rules-2024"}),
        ("A berth costs 2,024 marks.", set()),
        ("A berth costs 30 marks.", set()),
    ],
)
def test_a_year_names_its_page(text: str, named: set[str]) -> None:
    assert kind(*RULES).named_in(text) == named


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("How heavy is the Mark II?", {"mark ii"}),
        ("I have a Tern Mark III.", {"mark iii"}),
        ("Chapter II is short.", set()),
        ("How heavy is the Tern?", set()),
    ],
)
def test_a_short_figure_needs_another_word_of_the_title(
    text: str, named: set[str]
) -> None:
    assert kind(*MANUALS).named_in(text) == named


@pytest.mark.parametrize(
    ("answer", "question", "asked"),
    [
        ("It is 20 marks.", "What did it cost in 2023?", {"rules-2023"}),
        (
            "It is 20 marks.",
            "What held in 2024, and what was new since 2023?",
            {"rules-2024"},
        ),
        ("It is 20 marks.", "How do 2023 and 2024 compare?", set()),
        ("In 2023 it was 20 marks. In 2024 it is 30.", None, set()),
        ("In the 2023 rules it is 20 marks.", None, {"rules-2023"}),
        ("Dogs may come since 2023. It is 30 marks.", None, set()),
        ("It is 20 marks.", "What held in 2023 and in 2024 that was new?", set()),
        ("In 2023 and 2024 it was free. In 2024 dogs came.", None, set()),
        ("It is 20 marks.", "What is the fee?", set()),
    ],
)
def test_which_page_is_asked_for(
    answer: str, question: str | None, asked: set[str]
) -> None:
    assert page_asked_for(kind(*RULES), answer, question) == asked


def test_an_ordinary_word_names_no_page() -> None:
    courses = kind(
        Page(page_id="a", title="Speaking in Public", text=MANUALS[0].text),
        Page(page_id="b", title="German for Care Workers", text=MANUALS[1].text),
    )
    assert courses.named_in("I must speak at work.") == set()
    assert courses.named_in("Is Speaking in Public for me?") == {"a"}
    assert courses.named_in("Is it for care workers?") == {"b"}


def test_what_was_before_is_looked_for_on_all_pages() -> None:
    both = kind(*RULES)
    asked = frozenset({"rules-2024"})
    assert pages_meant(both, "A berth costs 30 marks.", asked) == asked
    assert pages_meant(both, "A berth used to cost 20 marks.", asked) == both.pages
    assert pages_meant(both, "In 2023 it cost 20 marks.", asked) == both.pages
    assert pages_meant(both, "A berth costs 30 marks.", frozenset()) == both.pages


def test_what_the_heading_of_a_part_names_counts_as_well() -> None:
    answer = "## Rules 2023\n\n- The fee is 20.\n\n**Rules 2024**\nIt is 30. It is due."
    both, asked = kind(*RULES), frozenset({"rules-2024"})
    over_fee = heading_above(answer, answer.index("The fee"))
    over_due = heading_above(answer, answer.index("It is due"))
    assert (over_fee, over_due) == ("## Rules 2023", "**Rules 2024**")
    assert pages_meant(both, "The fee is 20.", asked, over_fee) == both.pages
    assert pages_meant(both, "It is due.", asked, over_due) == asked
    assert heading_above(answer, 0) == ""


def test_a_claim_is_not_held_against_another_years_rules() -> None:
    corpus = MemoryCorpus("all", [*RULES, GUIDE], FakeEmbedder())
    answer = "A berth costs 20 marks. Until then a berth was kept for 3 days."
    asked = gather_candidates(
        answer, decompose(answer).claims, corpus, 6, "What held at Skerry in 2024?"
    )
    pages = [{hit.page_id for hit in (*one.near, *one.wide)} for one in asked]
    assert "rules-2023" not in pages[0] and "rules-2024" in pages[0]
    assert {"rules-2023", "rules-2024"} <= pages[1]
