"""A claim is held against the pages its answer speaks of."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from claimscope.core.models import Claim, Evidence, Label, Page, Verdict
from claimscope.core.ports import Question
from claimscope.core.verify.decomposition import decompose
from claimscope.core.verify.page_selection import (
    ClaimOnPages,
    cited_pages,
    gather_candidates,
    meant_pages,
    nearest_pages,
    pages_turned_to,
    verify_in_focus,
)
from claimscope.stores.index.memory_corpus import MemoryCorpus
from tests.doubles.fakes import FakeEmbedder

PAGES = [
    Page(
        page_id=f"course/{name}",
        title=f"{title} evening course",
        text=f"The room is on the first floor. The fee is {fee} marks. "
        f"It has {size} places.",
    )
    for name, title, fee, size in (
        ("WEA-1", "Weaving", 90, 8),
        ("ROP-3", "Rope making", 40, 12),
        ("CAL-2", "Calligraphy", 70, 10),
    )
]


def corpus() -> MemoryCorpus:
    return MemoryCorpus("courses", PAGES, FakeEmbedder())


class Numbers:
    """Supports a claim whose numbers all stand in one candidate; contradicts one
    that differs from the first candidate with a number."""

    name = "numbers"

    def __init__(self) -> None:
        self.asked: list[Question] = []

    async def verify(self, questions: Sequence[Question]) -> Sequence[Verdict]:
        self.asked += questions
        return [self.judge(question) for question in questions]

    def judge(self, question: Question) -> Verdict:
        wanted = {word for word in question.claim.split() if word.isdigit()}
        for one in question.evidence:
            if wanted and wanted <= set(one.text.split()):
                return Verdict(label=Label.SUPPORTED, support=0.9, evidence=(one,))
        return Verdict(
            label=Label.CONTRADICTED, support=0.1, evidence=question.evidence[:1]
        )


def claims(answer: str) -> tuple[Claim, ...]:
    return decompose(answer, [page.page_id for page in PAGES]).claims


async def verdicts(answer: str) -> list[Verdict]:
    return await verify_in_focus(answer, claims(answer), corpus(), Numbers(), 4)


async def test_a_fee_of_another_page_does_not_support_a_cited_claim() -> None:
    (verdict,) = await verdicts("The fee is 40 marks [course/WEA-1].")
    assert verdict.label is Label.CONTRADICTED
    assert verdict.evidence[0].page_id == "course/WEA-1"


async def test_the_cited_page_supports_it() -> None:
    (verdict,) = await verdicts("The fee is 40 marks [course/ROP-3].")
    assert verdict.label is Label.SUPPORTED
    assert verdict.evidence[0].page_id == "course/ROP-3"


async def test_a_claim_that_names_another_page_is_true_by_it() -> None:
    (verdict,) = await verdicts("The rope making fee is 40 marks [course/WEA-1].")
    assert verdict.label is Label.SUPPORTED
    assert verdict.evidence[0].page_id == "course/ROP-3"


async def test_a_neighbours_citation_says_what_is_spoken_of() -> None:
    answer = "Weaving has 8 places [course/WEA-1]. The fee is 90 marks."
    first, second = await verdicts(answer)
    assert (first.label, second.label) == (Label.SUPPORTED, Label.SUPPORTED)
    assert second.evidence[0].page_id == "course/WEA-1"


def test_pages_are_known_by_the_sentence_that_cites_them() -> None:
    answer = "Weaving is fun [course/WEA-1]. Ropes too [course/ROP-3; course/XXX-9]."
    assert list(cited_pages(answer, corpus()).values()) == [
        frozenset({"course/WEA-1"}),
        frozenset({"course/ROP-3"}),
    ]


def test_without_citations_the_pages_of_most_claims_are_asked_first() -> None:
    answer = "Weaving has 8 places. The weaving fee is 90 marks. It costs 90 marks."
    asked = gather_candidates(answer, claims(answer), corpus(), 4)
    assert all("course/WEA-1" in one.pages for one in asked)


def test_a_sentence_has_one_vote_however_many_claims_it_makes() -> None:
    near = [
        (sample_hit("course/ROP-3"),),
        *[(sample_hit("course/WEA-1"),)] * 5,
        (sample_hit("course/ROP-3"),),
        (sample_hit("course/ROP-3"),),
    ]
    starts = [0, *[20] * 5, 60, 80]
    made = [claim_at(start) for start in starts]
    # three sentences against one: less than half of the best has no say
    assert nearest_pages(made, near) == {"course/ROP-3"}


def claim_at(start: int) -> Claim:
    """A claim of a sentence that begins there."""
    return Claim(
        index=start,
        text="Dogs wait at gate 5.",
        start=start,
        end=start + 20,
        sentence_start=start,
        sentence_end=start + 20,
    )


def sample_hit(page_id: str) -> Evidence:
    return Evidence(
        page_id=page_id,
        index=0,
        text="The room is on the first floor.",
        start=0,
        end=31,
        similarity=0.9,
    )


def near_hit(page_id: str, similarity: float | None) -> Evidence:
    return sample_hit(page_id).model_copy(update={"similarity": similarity})


def told(
    start: int, own: float | None, there: float | None, *, is_cited: bool = False
) -> ClaimOnPages:
    """A claim of a sentence that begins at `start`, on page "own", with the cosines of
    its nearest sentences there and on page "house"."""
    claim = claim_at(start)
    near = (near_hit("own", own),)
    wide = (near_hit("house", there), *near)
    return ClaimOnPages(claim, frozenset({"own"}), near, wide, is_cited=is_cited)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ([told(n, 0.4, 0.8) for n in (0, 30, 60, 90)], {"house"}),
        # Three may be borrowed; four claims of one sentence are one of its sentences.
        ([told(n, 0.3, 0.6) for n in (0, 30, 60)], set()),
        ([told(0, 0.4, 0.8)] * 4, set()),
        # Hardly nearer; spoken of on its own page as well; nobody knows how near.
        ([told(n, 0.6, 0.7) for n in (0, 30, 60, 90)], set()),
        ([told(n, 0.75, 0.95) for n in (0, 30, 60, 90)], set()),
        ([told(n, None, 0.9) for n in (0, 30, 60, 90)], set()),
        ([told(n, 0.4, None) for n in (0, 30, 60, 90)], set()),
        ([told(n, 0.4, 0.8, is_cited=True) for n in (0, 30, 60, 90)], set()),
    ],
)
def test_an_answer_turns_to_a_page_that_alone_tells_several_of_its_sentences(
    asked: list[ClaimOnPages], expected: set[str]
) -> None:
    assert pages_turned_to(asked) == expected


LINES = [
    Page(page_id=f"line-{name.split()[0].lower()}", title=name, text=text)
    for name, text in (
        (
            "Grennholm Line",
            "It runs every evening past an island. The fare is 9 crowns.",
        ),
        ("Torp Evening Line", "It runs on Fridays. The fare is 7 crowns."),
        ("Lune Island Line", "It calls at one island. The fare is 5 crowns."),
    )
]


ALL = frozenset(page.page_id for page in LINES)
TORP, GRENNHOLM, LUNE = "line-torp", "line-grennholm", "line-lune"


@pytest.mark.parametrize(
    ("answer", "question", "expected"),
    [
        ("The Grennholm Line sails. The fare is 9 crowns.", None, {GRENNHOLM}),
        # A word of another title that its own page has too is no name in small letters.
        ("The Grennholm Line sails each evening.", None, {GRENNHOLM}),
        ("The Torp Evening Line is cheaper.", None, {TORP}),
        ("Torp and Lune have a ferry.", None, {TORP, LUNE}),
        # None is named, or only by the question.
        ("Sail in the evening to the island.", None, ALL),
        ("The fare is 7 crowns.", "What does the Torp Evening Line cost?", {TORP}),
        ("Torp costs 7 crowns.", "Is Lune dearer than the other?", {TORP}),
    ],
)
def test_of_the_nearest_pages_those_are_meant_that_are_named(
    answer: str, question: str | None, expected: frozenset[str]
) -> None:
    known = MemoryCorpus("lines", LINES, FakeEmbedder())
    assert meant_pages(ALL, answer, question, known) == expected


def test_a_page_that_tells_of_what_is_named_is_meant_too() -> None:
    timetable = Page(page_id="times", title="Times", text="The Torp line sails at 9.")
    known = MemoryCorpus("lines", [*LINES, timetable], FakeEmbedder())
    found = meant_pages(ALL | {"times"}, "The Torp Line sails at 9.", None, known)
    assert found == {TORP, "times"}


def test_a_page_that_no_word_tells_from_another_is_meant_too() -> None:
    shops = [
        Page(page_id="returns", title="Returns", text="Within 14 days."),
        Page(page_id="returns-abroad", title="Returns abroad", text="Within 30 days."),
        Page(page_id="gifts", title="Gifts", text="Within 60 days."),
    ]
    known = MemoryCorpus("shop", shops, FakeEmbedder())
    near = frozenset(page.page_id for page in shops)
    answer = "Returns are taken within 14 days. From abroad within 30 days."
    assert meant_pages(near, answer, None, known) == {"returns", "returns-abroad"}


def test_of_pages_as_near_as_each_other_those_named_are_asked() -> None:
    known = MemoryCorpus("lines", LINES, FakeEmbedder())
    answer = "The Torp Evening Line sails. The fare is 9 crowns. It runs on Fridays."
    made = decompose(answer, [page.page_id for page in LINES]).claims
    asked = gather_candidates(answer, made, known, 4)
    assert {page for one in asked for page in one.pages} == {"line-torp"}


def test_the_question_names_the_page_too() -> None:
    known = MemoryCorpus("lines", LINES, FakeEmbedder())
    answer = "The fare is 9 crowns. It runs on Fridays."
    made = decompose(answer, [page.page_id for page in LINES]).claims
    question = "What does the Torp Evening Line cost, and when does it run?"
    asked = gather_candidates(answer, made, known, 4, question)
    assert {page for one in asked for page in one.pages} == {"line-torp"}
    unnamed = gather_candidates(answer, made, known, 4)
    assert {page for one in unnamed for page in one.pages} > {"line-torp"}


async def test_what_the_question_gives_is_told_to_the_verifier() -> None:
    answer, verifier = "The fee is 40 marks [course/WEA-1].", Numbers()
    question = "I have 40 marks: is that enough?"
    await verify_in_focus(answer, claims(answer), corpus(), verifier, 4, question)
    assert {asked.question for asked in verifier.asked} == {question}
