"""What a judge is shown: the evidence that counts, as much as fits, never nothing."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.grade.evidence_selection import (
    ENOUGH,
    REPLY_TOKENS,
    from_contexts,
    needs_of,
    select_evidence,
)
from claimscope.core.models import (
    Case,
    Claim,
    ClaimResult,
    Evidence,
    Label,
    Page,
    Verdict,
)
from claimscope.stores.index.memory_corpus import MemoryCorpus
from tests.doubles import fakes

TEXTS = (
    "The quay was built in 1880. It is of oak. It was repaired twice. It is closed.",
    "Tar is made from pine. It is black. It smells. It keeps water out of wood.",
)
CASE = Case(id="quay", question="Of what is the quay?")


def resting_on(page_id: str, index: int) -> ClaimResult:
    """A claim whose verdict rests on a sentence."""
    evidence = Evidence(page_id=page_id, index=index, text="x", start=0, end=1)
    claim = Claim(index=0, text="c", start=0, end=1, sentence_start=0, sentence_end=1)
    verdict = Verdict(label=Label.SUPPORTED, evidence=(evidence,))
    return ClaimResult(claim=claim, verdict=verdict)


def test_contexts_that_fit_are_shown_as_they_are() -> None:
    assert from_contexts(TEXTS, (), 1000) == TEXTS


def test_of_long_contexts_what_the_verdicts_rest_on_comes_first() -> None:
    shown = from_contexts(TEXTS, [resting_on("passage:1", 3)], 50)
    assert shown[-1].endswith("It keeps water out of wood.")
    assert sum(map(len, shown)) <= 50
    shown = from_contexts(TEXTS, [resting_on("passage:1", 3)], 90)
    assert "It smells. It keeps water out of wood." in shown[1], "with its neighbour"
    assert shown[0].startswith("The quay was built")


@given(
    st.lists(st.text("ab .\n", max_size=80), min_size=1, max_size=4),
    st.integers(0, 200),
    st.lists(st.tuples(st.integers(0, 5), st.integers(-1, 6)), max_size=4),
)
def test_contexts_keep_to_the_room_and_add_nothing(
    contexts: Sequence[str], room: int, rests: Sequence[tuple[int, int]]
) -> None:
    claims = [resting_on(f"passage:{page}", index) for page, index in rests]
    shown = from_contexts(contexts, claims, room)
    if any(text.strip() for text in contexts):
        assert shown, "never nothing"
    if len(shown) > 1 and shown != tuple(contexts):
        assert sum(map(len, shown)) <= room
    for text in shown:
        for part in text.split(" … "):
            assert any("".join(part.split()) in "".join(c.split()) for c in contexts)


def test_pages_are_shown_under_their_titles_and_in_order() -> None:
    pages = [
        Page(page_id=f"p{n}", text=text, title=f"Page {n}")
        for n, text in enumerate(TEXTS)
    ]
    corpus = MemoryCorpus("c", pages, fakes.FakeEmbedder())
    shown = select_evidence(CASE, [resting_on("p1", 2)], corpus, 10_000)
    assert shown[0].startswith("[Page 1]")
    assert "It is black. It smells. It keeps" in shown[0]
    few = select_evidence(CASE, [resting_on("p1", 2)], corpus, 0)
    assert len(few) == 1 and "It smells." in few[0]


def test_a_context_is_planned_for_the_longest_answer() -> None:
    short = needs_of(True, ["a" * 100])
    long = needs_of(True, ["a" * 100, "b" * 9000])
    assert long.question - short.question == 8900
    assert long.reply_tokens == REPLY_TOKENS
    assert needs_of(False, ["b" * 9000]).question < long.question
    assert ENOUGH >= long.document
