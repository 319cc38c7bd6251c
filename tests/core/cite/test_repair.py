"""Proposals that make citations good: what is proposed, how it is written, and that an
answer which took them holds.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimscope.core.backends.onnx.entailment import shipped_model
from claimscope.core.cite.marker_edits import (
    MarkerWriter,
    Target,
    apply_changes,
    in_form_of,
    write_plainly,
)
from claimscope.core.cite.marker_resolution import words_of
from claimscope.core.cite.repair import citations_without_repair, propose
from claimscope.core.cite.status import AnswerCitations
from claimscope.core.cite.support import Support
from claimscope.core.models import (
    CitationProposal,
    CitationState,
    Claim,
    ClaimResult,
    Evidence,
    Label,
    SampleResult,
    Verdict,
)
from claimscope.core.ports import Question
from claimscope.core.run.sample import Services
from claimscope.core.services.scoring import MemoEmbedder, Row, score_rows
from claimscope.core.settings import Settings
from claimscope.core.text.citations.marker_content import MarkerItem
from claimscope.core.text.citations.markers import find_markers
from claimscope.core.verify.verifier import EvidenceVerifier
from claimscope.stores.index.memory_corpus import MemoryCorpus
from tests.doubles import fakes

FACTS = (
    "The mill opened in 1843.",
    "The mill grinds oats.",
    "The mill has two wheels.",
)
PAGES = (
    {
        "page_id": "PMID:71",
        "text": f"{FACTS[0]} {FACTS[1]}",
        "authors": ["Smith J"],
        "published": "2020",
    },
    {
        "page_id": "PMID:72",
        "text": FACTS[2],
        "authors": ["Mary Jones"],
        "published": "2019-01",
    },
)


def judged(answer: str, **fields: Any) -> SampleResult:
    """What `cite` finds out about an answer."""
    known = fields or {"contexts": FACTS}
    row = Row.model_validate(
        {"id": 1, "question": "What of the mill?", "answer": answer, **known}
    )
    embedder = MemoEmbedder(fakes.FakeEmbedder())
    services = Services(
        embedder,
        EvidenceVerifier(embedder, shipped_model()),
        Settings(),
        metrics=("citation_precision",),
        stages=frozenset({"repair"}),
    )

    async def one() -> SampleResult:
        def corpus_of(row: Row) -> MemoryCorpus | None:
            return MemoryCorpus("row", row.pages, embedder) if row.pages else None

        async for scored in score_rows([row], services, corpus_of):
            assert scored.result is not None
            return scored.result
        raise AssertionError("a row has a result")

    return asyncio.run(one())


def fixed(result: SampleResult) -> str:
    return apply_changes(result.answer.text, result.proposals)


def states(result: SampleResult) -> list[CitationState]:
    return [one.state for one in result.citations]


# --- what is proposed ---------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "numbers"),
    [
        ("[{}]", "123"),
        ("[^{}]", "123"),
        ("【{}†source】", "123"),
        ("<sup>{}</sup>", "123"),
        ("[Source {}]", "123"),
        ("[doc{}]", "123"),
        ("(Source {})", "123"),
        ("［{}］", "１２３"),
        ("{}", "¹²³"),
    ],
)
def test_each_dialect_is_kept_and_what_is_written_holds(
    form: str, numbers: str
) -> None:
    first, second, third = (form.format(number) for number in numbers)
    answer = (
        f"The mill opened in 1843 {second}. It grinds oats.{third} It has two wheels."
        "\n\n| Part | Count |\n|---|---|\n| Wheels of the mill | two |\n"
    )
    result = judged(answer)
    assert [one.kind for one in result.proposals] == ["replace"] * 2 + ["add"] * 2
    assert not any(one.is_likely for one in result.proposals)
    assert fixed(result) == (
        f"The mill opened in 1843 {first}. It grinds oats.{second} It has two wheels"
        f" {third}."
        f"\n\n| Part | Count |\n|---|---|\n| Wheels of the mill | two {third} |\n"
    )
    again = judged(fixed(result))
    assert states(again) == [CitationState.VALID] * 4
    assert again.proposals == ()


@pytest.mark.parametrize(
    ("answer", "wanted"),
    [
        (
            "The mill has two wheels [71, S:0]. It grinds oats [PMID:71:S:0].",
            "The mill has two wheels [PMID:72, S:0]. It grinds oats [PMID:71:S:1].",
        ),
        (
            "The mill opened in 1843; it has two wheels [PMID:71, S:0,1].",
            "The mill opened in 1843; it has two wheels [PMID:71, S:0; PMID:72, S:0].",
        ),
        ("The mill has two wheels [PMID:71].", "The mill has two wheels [PMID:72]."),
        (
            "The mill grinds oats [PMID:71, S:9].",
            "The mill grinds oats [PMID:71, S:1].",
        ),
        (
            "The mill has two wheels (Smith et al., 2020).",
            "The mill has two wheels (Jones, 2019).",
        ),
        ("- **It has two wheels.**", "- **It has two wheels [PMID:72, S:0].**"),
    ],
)
def test_pages_are_named_as_the_answer_names_them(answer: str, wanted: str) -> None:
    result = judged(answer, pages=PAGES)
    assert fixed(result) == wanted
    again = judged(wanted, pages=PAGES)
    assert set(states(again)) == {CitationState.VALID}
    assert again.proposals == ()


@pytest.mark.parametrize(
    ("form", "closing"),
    [
        ("[{}]", "\n\nReferences:\n[1] PMID:71\n[2] PMID:73"),
        ("[{}]", "\n\n[1] PMID:71\n[2] PMID:73"),
        ("[^{}]", "\n\n[^1]: PMID:71\n[^2]: PMID:73"),
        ("[{}]", "\n\n## Sources\n\n1. PMID:71\n2. PMID:73"),
    ],
)
def test_a_new_source_gets_an_entry_in_the_list(form: str, closing: str) -> None:
    pages = (*PAGES, {"page_id": "PMID:73", "text": "The bridge is of stone."})
    one, two, three = (form.format(number) for number in "123")
    answer = f"The mill opened in 1843 {two}. It has two wheels {one}.{closing}"
    result = judged(answer, pages=pages)
    last = closing.splitlines()[-1].replace("2", "3", 1).replace(":73", ":72")
    assert fixed(result) == (
        f"The mill opened in 1843 {one}. It has two wheels {three}.{closing}\n{last}"
    )
    assert states(judged(fixed(result), pages=pages)) == [CitationState.VALID] * 2


def test_what_no_sentence_supports_stays_and_is_told() -> None:
    answer = "The mill is red [2]. It opened in 1899 [1]. The mill grinds oats [1]."
    result = judged(answer)
    (proposal,) = result.proposals
    assert (proposal.text, proposal.by, proposal.sources) == (
        "[1]",
        "[2]",
        ("passage:1:S:0",),
    )
    assert proposal.quotes == (FACTS[1],)
    told = [(one.text, one.state.value) for one in citations_without_repair(result)]
    assert told == [("[2]", "unsupported"), ("[1]", "unsupported")]
    assert fixed(result).startswith("The mill is red [2]. It opened in 1899 [1].")


def test_a_name_that_is_part_of_the_sentence_is_left() -> None:
    result = judged("The mill has two wheels, as Smith (2020) says.", pages=PAGES)
    assert [one.kind for one in result.proposals] == ["add"]
    assert fixed(result) == (
        "The mill has two wheels, as Smith (2020) says [PMID:72, S:0]."
    )
    assert [one.text for one in citations_without_repair(result)] == ["(2020)"]


def test_code_and_what_could_not_be_judged_get_no_citation() -> None:
    code = "Set it:\n\n```yaml\nwheels: 2\n```\n"
    result = judged(code, contexts=("The setting `wheels` is 2: `wheels: 2`.",))
    assert result.proposals == ()
    # Nobody knows what [1] counts in: the sentence may have its citation already.
    assert judged("The mill has two wheels [1].", pages=PAGES).proposals == ()


def test_a_run_proposes_nothing_for_an_answer_that_does_not_cite() -> None:
    result = judged("The mill has two wheels.")
    assert [one.by for one in result.proposals] == [" [3]"]


class Half:
    """A verifier that proves nothing: whatever it is asked is likely."""

    name = "half"

    async def verify(self, questions: Sequence[Question]) -> Sequence[Verdict]:
        return [Verdict(label=Label.SUPPORTED, band="review") for _ in questions]


def test_what_is_not_proved_is_only_likely() -> None:
    answer = "The mill opened in 1843."
    claim = Claim(
        index=0, text=answer, start=0, end=24, sentence_start=0, sentence_end=24
    )
    evidence = Evidence(page_id="passage:0", index=0, text=FACTS[0], start=0, end=24)
    sure = Verdict(label=Label.SUPPORTED, band="supported", evidence=(evidence,))
    results = [ClaimResult(claim=claim, verdict=sure)]
    nothing = AnswerCitations((), Support({}))

    def proposed(label: Label) -> tuple[CitationProposal, ...]:
        (one,) = results
        verdict = one.verdict.model_copy(update={"label": label})
        claims = [one.model_copy(update={"verdict": verdict})]
        return asyncio.run(propose(answer, claims, nothing, None, Half(), FACTS))

    (proposal,) = proposed(Label.SUPPORTED)
    assert proposal.is_likely and proposal.word == "likely"
    assert proposed(Label.CONTRADICTED) == proposed(Label.NOT_ENOUGH_INFO) == ()


class Words:
    """A verifier that supports what has all its words in the evidence."""

    name = "words"

    async def verify(self, questions: Sequence[Question]) -> Sequence[Verdict]:
        return [
            Verdict(
                label=Label.SUPPORTED
                if set(words_of(one.claim).split())
                <= {w for e in one.evidence for w in words_of(e.text).split()}
                else Label.NOT_ENOUGH_INFO,
                band="supported",
            )
            for one in questions
        ]


def proposed_for(answer: str, passages: Sequence[str]) -> tuple[CitationProposal, ...]:
    """For a claim that the passages support, of which the answer cites none."""
    end = len(answer)
    claim = Claim(
        index=0, text=answer, start=0, end=end, sentence_start=0, sentence_end=end
    )
    evidence = tuple(
        Evidence(page_id=f"passage:{n}", index=0, text=text, start=0, end=len(text))
        for n, text in enumerate(passages)
    )
    verdict = Verdict(label=Label.SUPPORTED, band="supported", evidence=evidence)
    result = ClaimResult(claim=claim, verdict=verdict)
    nothing = AnswerCitations((), Support({}))
    return asyncio.run(propose(answer, [result], nothing, None, Words(), passages))


def test_two_sentences_that_each_carry_half_are_proposed_as_one_citation() -> None:
    answer = "The mill opened in 1843 and grinds oats."
    halves = ["It rained.", "The mill grinds oats and rye.", "The mill opened in 1843."]
    (proposal,) = proposed_for(answer, halves)
    assert proposal.kind == "add" and not proposal.is_likely
    assert apply_changes(answer, [proposal]) == f"{answer[:-1]} [2, 3]."
    assert proposal.quotes == (halves[1], halves[2])


def test_one_sentence_that_says_it_all_is_proposed_alone() -> None:
    answer = "The mill opened in 1843 and grinds oats."
    whole = "The mill, which opened in 1843, grinds oats and rye."
    (proposal,) = proposed_for(answer, ["The mill opened in 1843.", whole])
    assert proposal.quotes == (whole,)


def test_two_sentences_that_leave_a_word_open_are_not_proposed() -> None:
    answer = "The mill opened in 1843 and grinds wheat."
    assert not proposed_for(
        answer, ["The mill opened in 1843.", "The mill grinds oats."]
    )


# --- how it is written --------------------------------------------------------


MARKERS = st.sampled_from(
    ["[1]", "[^2]", "【3†source】", "¹", "¹˒²", "<sup>1</sup>", "[Source 1]", "［1］"]
    + ["[1, p. 4]", "[1-3]", "(Source 2)", "[doc1]", "[PMID:71, S:0]", "[fees.md]"]
    + ["[pmid: 71, s:0]", "[PMID:71:S:2]", "[PMID:71, S:0,1; PMID:72]", "【1†fees.md】"]
)
PLACES = st.lists(st.integers(1, 60), min_size=1, max_size=3, unique=True)
SENTENCES = st.lists(
    st.builds(
        MarkerItem,
        page_id=st.sampled_from(["PMID:71", "PMID:72", "fees.md"]),
        sentence=st.integers(0, 20),
    ),
    min_size=1,
    max_size=3,
    unique=True,
)
KNOWN = ("PMID:71", "PMID:72", "fees.md")


@given(MARKERS, PLACES.map(lambda ns: [MarkerItem(position=n) for n in ns]) | SENTENCES)
def test_a_form_is_read_as_what_it_names_or_not_used(
    like: str, items: Sequence[MarkerItem]
) -> None:
    for said in [*in_form_of(like, items), write_plainly(items)]:
        text = f"It is {said}."
        read = [
            marker.items for marker in find_markers(text, KNOWN) if marker.text == said
        ]
        if said == write_plainly(items):
            assert [set(one) for one in read] == [set(items)]
        assert "\n" not in said


@settings(max_examples=60)
@given(
    st.lists(
        st.sampled_from(
            [
                "The mill opened in 1843",
                "It grinds oats",
                "- It has two wheels",
                "## On",
            ]
        ),
        min_size=1,
        max_size=4,
    ),
    MARKERS,
    st.sampled_from([". ", ".\n\n", "; ", "\n"]),
    st.integers(0, 3),
)
def test_a_marker_that_is_added_belongs_to_its_sentence(
    parts: list[str], marker: str, end: str, number: int
) -> None:
    text = end.join([f"{parts[0]} {marker}", *parts[1:]]) + "."
    writer = MarkerWriter(text, KNOWN)
    number = min(number, len(writer.spans) - 1)
    change = writer.add_marker(number, [Target("PMID:72", 0)])
    if change is None:
        return
    new = apply_changes(text, [change])
    assert new.replace(change.by, "", 1) == text or change.by in new
    again = MarkerWriter(new, KNOWN)
    at = [m.start for m in again.markers].index(
        change.start + len(change.by) - len(change.by.lstrip())
    )
    owner = again.owners[at]
    assert owner is not None
    assert again.spans[owner][0] == writer.spans[number][0]
