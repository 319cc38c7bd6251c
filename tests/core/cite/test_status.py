"""What becomes of each citation: six states, one or several markers a sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.cite.status import attribute
from claimscope.core.cite.support import PAGE_SENTENCES
from claimscope.core.models import (
    CitationResult,
    CitationState,
    Claim,
    ClaimResult,
    Evidence,
    Label,
    Page,
    Sentence,
    Verdict,
)
from claimscope.core.ports import Floats, Question, SearchResult
from claimscope.core.text.citations.markers import strip_markers
from claimscope.core.text.sentences import split_sentences
from tests.doubles import fakes

PAGES = {
    "PMID:501": (
        "The trial enrolled 260 nurses.",
        "Falls dropped by 9 %.",
        "The trial ran in Toland.",
    ),
    "PMID:502": ("A second trial enrolled 310 nurses.", "Falls dropped by 4 %."),
    "PMID:503": (),
    "PMID:504": tuple(f"Ward {n} was painted in week {n}." for n in range(12)),
}
Judge = Callable[[str, frozenset[str]], Label]


class Corpus:
    """Pages as lists of sentences."""

    name = "trials"
    version = "1"
    model_id = "fake@1/fp32"

    def __init__(self) -> None:
        self.embedder = fakes.FakeEmbedder()

    def page_ids(self) -> Sequence[str]:
        return tuple(PAGES)

    def page(self, page_id: str) -> Page | None:
        if page_id not in PAGES:
            return None
        return Page(page_id=page_id, text=" ".join(PAGES[page_id]), title="A trial")

    def sentences(self, page_id: str) -> Sequence[Sentence]:
        found, start = [], 0
        for index, text in enumerate(PAGES.get(page_id, ())):
            end = start + len(text)
            found.append(
                Sentence(page_id=page_id, index=index, text=text, start=start, end=end)
            )
            start = end + 1
        return found

    def vectors(self, page_id: str) -> Floats:
        texts = PAGES[page_id]
        return self.embedder.embed(texts) if texts else np.zeros((0, 64), np.float32)

    def search(
        self,
        query: str,
        *,
        k: int = 10,
        min_similarity: float | None = None,
        sources: Sequence[str] = (),
    ) -> SearchResult:
        hits = [one for page in PAGES for one in self.sentences(page)]
        near = [one for one in hits if one.text.split()[0] == query.split()[0]]
        found = tuple(Evidence(**one.model_dump()) for one in near[:k])
        return SearchResult(found)


class ScriptedVerifier:
    """Answers by the ids of the sentences it is shown; remembers what it was asked."""

    name = "scripted"

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self.asked: list[Question] = []

    async def verify(self, questions: Sequence[Question]) -> Sequence[Verdict]:
        self.asked += questions
        return [
            Verdict(label=self.judge(q.claim, frozenset(shown(q)))) for q in questions
        ]


def shown(question: Question) -> list[str]:
    return [evidence.sentence_id for evidence in question.evidence]


def supported_by(*groups: str | tuple[str, ...]) -> ScriptedVerifier:
    """Supports a claim when all sentences of one group are shown."""
    needed = [{group} if isinstance(group, str) else set(group) for group in groups]

    def judge(claim: str, ids: frozenset[str]) -> Label:
        held = any(group <= ids for group in needed)
        return Label.SUPPORTED if held else Label.NOT_ENOUGH_INFO

    return ScriptedVerifier(judge)


def evidence(sentence_id: str) -> Evidence:
    page_id, _, index = sentence_id.rpartition(":S:")
    return Evidence(page_id=page_id, index=int(index), text="…", start=0, end=1)


def verdict(label: Label, best: str | None) -> Verdict:
    return Verdict(label=label, evidence=(evidence(best),) if best else ())


def claims_of(
    text: str, verdicts: Sequence[tuple[Label, str | None]] = ()
) -> list[ClaimResult]:
    """One claim for each sentence with words; (label, best evidence id) of each."""
    spans = [
        span
        for span in split_sentences(text, "markdown")
        if strip_markers(text[slice(*span)]).strip()
    ]
    found = []
    for index, (start, end) in enumerate(spans):
        label, best = (
            verdicts[index] if index < len(verdicts) else (Label.NOT_ENOUGH_INFO, None)
        )
        found.append(
            ClaimResult(
                claim=Claim(
                    index=index,
                    text=strip_markers(text[start:end]).strip(),
                    start=start,
                    end=end,
                    sentence_start=start,
                    sentence_end=end,
                ),
                verdict=Verdict(
                    label=label, evidence=(evidence(best),) if best else ()
                ),
            )
        )
    return found


async def results_of(
    text: str,
    verifier: ScriptedVerifier,
    claims: Sequence[ClaimResult] | None = None,
    *,
    corpus: Corpus | None = None,
    contexts: Sequence[str] = (),
    without_pages: bool = False,
) -> list[CitationResult]:
    found = await attribute(
        text,
        claims_of(text) if claims is None else claims,
        None if without_pages else corpus or Corpus(),
        verifier,
        fakes.FakeEmbedder(),
        contexts,
    )
    checks = found.checks
    return [check.result for check in checks]


def states(results: Sequence[CitationResult]) -> list[str]:
    return [result.state.value for result in results]


# --- one citation -----------------------------------------------------------


async def test_a_citation_that_supports_its_claim_is_valid() -> None:
    text = "The trial enrolled 260 nurses [PMID:501, S:0]."
    verifier = supported_by("PMID:501:S:0")
    (result,) = await results_of(text, verifier)
    assert result.state is CitationState.VALID
    assert (result.page_id, result.sentence) == ("PMID:501", 0)
    assert text[result.start : result.end] == result.text == "[PMID:501, S:0]"
    assert result.claim_indexes == (0,)
    assert result.reason == ""
    (question,) = verifier.asked
    assert question.claim == "The trial enrolled 260 nurses."


async def test_the_verifier_sees_the_cited_sentence_and_no_neighbour() -> None:
    verifier = supported_by("PMID:501:S:1")
    await results_of("Falls dropped by 9 % [PMID:501, S:1].", verifier)
    ((asked,),) = [question.evidence for question in verifier.asked]
    assert asked.text == "Falls dropped by 9 %."
    assert (asked.before, asked.after) == (None, None)
    assert asked.title == "A trial"


def resting_on(text: str, *sentences: tuple[str, int]) -> list[ClaimResult]:
    """The claim of a text, supported by sentences with their true texts."""
    (result,) = claims_of(text)
    found = tuple(
        Evidence(page_id=page, index=n, text=PAGES[page][n], start=0, end=1)
        for page, n in sentences
    )
    judged = Verdict(label=Label.SUPPORTED, evidence=found)
    return [result.model_copy(update={"verdict": judged})]


async def test_a_verdict_on_two_sentences_is_asked_again_of_the_one_that_is_cited() -> (
    None
):
    text = "The trial enrolled 260 nurses in Toland [PMID:501, S:0]."
    verifier = supported_by()
    claims = resting_on(text, ("PMID:501", 0), ("PMID:501", 2))
    (result,) = await results_of(text, verifier, claims)
    assert result.state is CitationState.UNSUPPORTED
    assert "alone does not say all" in result.reason
    assert result.supported_by is None
    first, *others = [shown(asked) for asked in verifier.asked]
    assert first == ["PMID:501:S:0"]
    assert others == [["PMID:501:S:2"], ["PMID:501:S:1"]]


async def test_the_sentence_that_supports_by_itself_is_named() -> None:
    """Not the first that the verdict names, nor the cited one beside it."""
    text = "The trial ran in Toland [PMID:501, S:1]."
    claims = resting_on(text, ("PMID:501", 1), ("PMID:501", 0))
    verifier = supported_by("PMID:501:S:2")
    (result,) = await results_of(text, verifier, claims)
    assert result.state is CitationState.MISATTRIBUTED
    assert result.supported_by == "PMID:501:S:2"


async def test_a_sentence_a_verdict_rests_on_alone_supports_it_but_only_likely() -> (
    None
):
    """Read on its page it settled the claim, read by itself it did not."""
    text = "260 nurses were enrolled [PMID:501, S:0]."
    claims = resting_on(text, ("PMID:501", 0), ("PMID:501", 2))
    (result,) = await results_of(text, supported_by(), claims)
    assert (result.state, result.is_likely) == (CitationState.VALID, True)
    against = ScriptedVerifier(lambda claim, ids: Label.CONTRADICTED)
    (result,) = await results_of(text, against, claims)
    assert result.state is CitationState.UNSUPPORTED


async def test_a_true_claim_cited_to_another_page_is_misattributed() -> None:
    text = "Falls dropped by 9 % [PMID:502, S:1]."
    claims = claims_of(text, [(Label.SUPPORTED, "PMID:501:S:1")])
    (result,) = await results_of(text, supported_by("PMID:501:S:1"), claims)
    assert result.state is CitationState.MISATTRIBUTED
    assert result.supported_by == "PMID:501:S:1"
    assert "PMID:501:S:1" in result.reason
    assert claims[0].verdict.label is Label.SUPPORTED


@pytest.mark.parametrize("label", [Label.NOT_ENOUGH_INFO, Label.CONTRADICTED])
async def test_a_claim_that_nothing_supports_makes_its_citation_unsupported(
    label: Label,
) -> None:
    text = "Falls dropped by 70 % [PMID:501, S:1]."
    claims = claims_of(text, [(label, "PMID:501:S:1")])
    verifier = ScriptedVerifier(lambda claim, ids: label)
    (result,) = await results_of(text, verifier, claims)
    assert result.state is CitationState.UNSUPPORTED
    assert result.supported_by is None
    assert "does not support" in result.reason


@pytest.mark.parametrize(
    ("marker", "reason"),
    [
        ("[PMID:999, S:0]", "no page PMID:999"),
        ("[PMID:999]", "no page PMID:999"),
        ("[PMID:501, S:3]", "PMID:501 ends at S:2, no S:3"),
        ("[PMID:503, S:0]", "page PMID:503 is empty"),
        ("[0]", "no passage 0"),
    ],
)
async def test_a_citation_of_nothing_is_broken_and_says_why(
    marker: str, reason: str
) -> None:
    verifier = supported_by("PMID:501:S:0")
    text = f"The trial enrolled 260 nurses {marker}."
    claims = claims_of(text, [(Label.SUPPORTED, "PMID:501:S:0")])
    (result,) = await results_of(text, verifier, claims)
    assert result.state is CitationState.BROKEN
    assert reason in result.reason
    assert verifier.asked == []


async def test_a_citation_that_could_not_be_judged_is_unverifiable() -> None:
    text = "Falls dropped by 9 % [PMID:502, S:1]."
    verifier = ScriptedVerifier(lambda claim, ids: Label.UNSCORED)
    (result,) = await results_of(text, verifier)
    assert result.state is CitationState.UNVERIFIABLE
    assert "could not be judged" in result.reason


async def test_what_could_not_be_judged_is_not_called_misattributed() -> None:
    text = "Falls dropped by 9 % [PMID:502, S:1]."
    claims = claims_of(text, [(Label.SUPPORTED, "PMID:501:S:1")])
    verifier = ScriptedVerifier(lambda claim, ids: Label.UNSCORED)
    (result,) = await results_of(text, verifier, claims)
    assert result.state is CitationState.UNVERIFIABLE
    assert result.supported_by is None


async def test_a_citation_of_a_sentence_without_claims_is_unverifiable() -> None:
    text = "Shall I look for more [PMID:501, S:0]?"
    verifier = supported_by("PMID:501:S:0")
    (result,) = await results_of(text, verifier, claims=[])
    assert result.state is CitationState.UNVERIFIABLE
    assert "states no claim" in result.reason
    assert verifier.asked == []


async def test_without_pages_a_citation_cannot_be_looked_up() -> None:
    text = "Falls dropped by 9 % [PMID:501, S:1]."
    (result,) = await results_of(text, supported_by(), without_pages=True)
    assert result.state is CitationState.UNVERIFIABLE
    assert "no indexed pages" in result.reason


async def test_an_answer_without_markers_has_no_citations() -> None:
    verifier = supported_by()
    assert await results_of("Falls dropped by 9 %.", verifier) == []
    assert verifier.asked == []


# --- whole pages ------------------------------------------------------------


async def test_a_page_is_cited_by_its_best_sentences() -> None:
    text = "Ward 7 was painted in week 7 [PMID:504]."
    verifier = supported_by("PMID:504:S:7")
    (result,) = await results_of(text, verifier)
    assert result.state is CitationState.VALID
    assert (result.page_id, result.sentence) == ("PMID:504", None)
    (question,) = verifier.asked  # a page alone is not asked about twice
    assert len(question.evidence) == PAGE_SENTENCES
    assert shown(question)[0] == "PMID:504:S:7"


async def test_a_page_that_the_verdict_rests_on_is_valid_and_never_misattributed() -> (
    None
):
    text = "The paint was blue everywhere [PMID:504]."
    claims = claims_of(text, [(Label.SUPPORTED, "PMID:504:S:11")])
    (result,) = await results_of(text, supported_by(), claims)
    assert result.state is CitationState.VALID


async def test_all_sentences_of_a_cited_page_count_as_cited() -> None:
    found = await attribute(
        "It ran in Toland [PMID:501].",
        claims_of("It ran in Toland [PMID:501]."),
        Corpus(),
        supported_by("PMID:501:S:2"),
        fakes.FakeEmbedder(),
    )
    checks = found.checks
    assert [check.cited for check in checks] == [
        tuple(("PMID:501", text) for text in PAGES["PMID:501"])
    ]


async def test_a_broken_citation_cites_no_text() -> None:
    found = await attribute(
        "It ran in Toland [PMID:501, S:8].",
        claims_of("It ran in Toland [PMID:501, S:8]."),
        Corpus(),
        supported_by(),
        fakes.FakeEmbedder(),
    )
    (check,) = found.checks
    assert check.cited == ()


# --- several citations on one sentence --------------------------------------

TWO = "260 nurses had 9 % fewer falls [PMID:501, S:0; PMID:501, S:1]."


async def test_citations_that_support_only_together_are_both_valid() -> None:
    verifier = supported_by(("PMID:501:S:0", "PMID:501:S:1"))
    assert states(await results_of(TWO, verifier)) == ["valid", "valid"]
    assert [shown(question) for question in verifier.asked] == [
        ["PMID:501:S:0"],
        ["PMID:501:S:1"],
        ["PMID:501:S:0", "PMID:501:S:1"],
    ]


async def test_a_citation_beside_one_that_carries_the_claim_is_unneeded() -> None:
    text = "260 nurses took part [PMID:501, S:0; PMID:501, S:2]."
    results = await results_of(text, supported_by("PMID:501:S:0"))
    assert states(results) == ["valid", "unneeded"]
    assert "already carry" in results[1].reason
    assert results[0].text == results[1].text
    assert [(one.exists, one.supports) for one in results] == [
        (True, True),
        (True, False),
    ]


async def test_a_part_that_only_one_citation_says_makes_it_needed() -> None:
    """A verifier that takes the half of S:0 for the whole does not make S:1 unneeded:
    "9 %" and "falls" stand there alone."""
    results = await results_of(TWO, supported_by("PMID:501:S:0"))
    assert states(results) == ["valid", "valid"]


async def test_a_citation_that_says_otherwise_is_not_needed() -> None:
    def judge(claim: str, ids: frozenset[str]) -> Label:
        if ids == {"PMID:502:S:1"}:
            return Label.CONTRADICTED
        return Label.SUPPORTED

    text = "Among nurses falls dropped by 9 % [PMID:501, S:1; PMID:502, S:1]."
    assert states(await results_of(text, ScriptedVerifier(judge))) == [
        "valid",
        "unneeded",
    ]


async def test_of_three_that_support_together_one_without_a_part_is_unneeded() -> None:
    text = (
        "260 nurses had 9 % fewer falls [PMID:501, S:0; PMID:501, S:1; PMID:501, S:2]."
    )
    verifier = supported_by(("PMID:501:S:0", "PMID:501:S:1"))
    assert states(await results_of(text, verifier)) == ["valid", "valid", "unneeded"]


async def test_citations_that_each_carry_the_claim_are_both_valid() -> None:
    verifier = supported_by("PMID:501:S:0", "PMID:501:S:1")
    assert states(await results_of(TWO, verifier)) == ["valid", "valid"]


async def test_citations_that_do_not_support_even_together_are_unsupported() -> None:
    assert states(await results_of(TWO, supported_by())) == ["unsupported"] * 2


async def test_markers_apart_in_one_sentence_are_held_together_too() -> None:
    text = "260 nurses [PMID:501, S:0] had 9 % fewer falls [PMID:501, S:1]."
    verifier = supported_by(("PMID:501:S:0", "PMID:501:S:1"))
    assert states(await results_of(text, verifier)) == ["valid", "valid"]


async def test_citations_of_different_sentences_do_not_help_each_other() -> None:
    text = "It enrolled nurses [PMID:501, S:0]. Falls dropped [PMID:501, S:1]."
    verifier = supported_by(("PMID:501:S:0", "PMID:501:S:1"))
    assert states(await results_of(text, verifier)) == ["unsupported"] * 2


async def test_a_citation_twice_is_not_asked_about_as_if_it_were_two() -> None:
    text = "It enrolled 260 nurses [PMID:501, S:0; PMID:501, S:0]."
    verifier = supported_by()
    await results_of(text, verifier)
    first = [shown(question) for question in verifier.asked[:3]]
    assert first[:2] == [["PMID:501:S:0"]] * 2
    assert all(len(ids) == 1 for ids in first)


async def test_a_broken_citation_beside_a_valid_one_stays_broken() -> None:
    text = "It enrolled 260 nurses [PMID:501, S:0; PMID:777, S:1]."
    results = await results_of(text, supported_by("PMID:501:S:0"))
    assert states(results) == ["valid", "broken"]


async def test_joint_support_that_could_not_be_judged_leaves_both_open() -> None:
    def judge(claim: str, ids: frozenset[str]) -> Label:
        return Label.UNSCORED if len(ids) > 1 else Label.NOT_ENOUGH_INFO

    results = await results_of(TWO, ScriptedVerifier(judge))
    assert states(results) == ["unverifiable", "unverifiable"]


# --- where else a claim stands ------------------------------------------------


async def test_a_claim_its_cited_page_leaves_open_is_looked_for_on_all_pages() -> None:
    text = "Ward 7 was painted in week 7 [PMID:501, S:1]."
    verifier = supported_by("PMID:504:S:1")
    (result,) = await results_of(text, verifier)
    assert result.state is CitationState.MISATTRIBUTED
    assert result.supported_by == "PMID:504:S:1"


async def test_what_is_contradicted_is_looked_for_nowhere_else() -> None:
    """The fee of another course would be found."""
    text = "Ward 7 was painted in week 7 [PMID:501, S:1]."
    verifier = supported_by("PMID:504:S:1")
    claims = claims_of(text, [(Label.CONTRADICTED, "PMID:501:S:1")])
    (result,) = await results_of(text, verifier, claims)
    assert result.state is CitationState.UNSUPPORTED
    assert len(verifier.asked) == 1


# --- several claims of one sentence -----------------------------------------


def two_claims(text: str, *best: tuple[Label, str | None]) -> list[ClaimResult]:
    """Two claims that share the only sentence of a text."""
    (whole,) = claims_of(text)
    return [
        ClaimResult(
            claim=whole.claim.model_copy(update={"index": index, "text": name}),
            verdict=verdict(label, at),
        )
        for index, (name, (label, at)) in enumerate(
            zip(("enrolled", "dropped"), best, strict=True)
        )
    ]


def by_claim(**needed: str) -> ScriptedVerifier:
    def judge(claim: str, ids: frozenset[str]) -> Label:
        held = needed.get(claim) in ids
        return Label.SUPPORTED if held else Label.NOT_ENOUGH_INFO

    return ScriptedVerifier(judge)


async def test_a_citation_is_valid_when_it_supports_one_claim_of_its_sentence() -> None:
    claims = two_claims(
        TWO, (Label.SUPPORTED, "PMID:501:S:0"), (Label.SUPPORTED, "PMID:501:S:1")
    )
    verifier = by_claim(enrolled="PMID:501:S:0", dropped="PMID:501:S:1")
    results = await results_of(TWO, verifier, claims)
    assert states(results) == ["valid", "valid"]
    assert results[0].claim_indexes == (0, 1)


async def test_a_claim_that_another_citation_carries_does_not_misattribute() -> None:
    """The second citation is wrong about "dropped", which no page supports; that the
    first one is right about "enrolled" is no other place for it."""
    claims = two_claims(
        TWO, (Label.SUPPORTED, "PMID:501:S:0"), (Label.NOT_ENOUGH_INFO, None)
    )
    results = await results_of(TWO, by_claim(enrolled="PMID:501:S:0"), claims)
    assert states(results) == ["valid", "unsupported"]


async def test_the_other_place_named_is_that_of_the_claim_nobody_carries() -> None:
    claims = two_claims(
        TWO, (Label.SUPPORTED, "PMID:501:S:0"), (Label.SUPPORTED, "PMID:502:S:1")
    )
    results = await results_of(TWO, by_claim(enrolled="PMID:501:S:0"), claims)
    assert states(results) == ["valid", "misattributed"]
    assert results[1].supported_by == "PMID:502:S:1"


# --- where the marker stands ------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "It enrolled 260 nurses [PMID:501, S:0]. Falls fell by 9 % [PMID:501, S:1].",
        "It enrolled 260 nurses. [PMID:501, S:0] Falls fell by 9 %. [PMID:501, S:1].",
    ],
)
async def test_a_marker_belongs_to_the_sentence_before_it_on_either_side_of_the_stop(
    text: str,
) -> None:
    verifier = supported_by()
    results = await results_of(text, verifier)
    assert [result.claim_indexes for result in results] == [(0,), (1,)]
    asked = [(question.claim, shown(question)) for question in verifier.asked[:2]]
    assert asked == [
        ("It enrolled 260 nurses.", ["PMID:501:S:0"]),
        ("Falls fell by 9 %.", ["PMID:501:S:1"]),
    ]


# --- positions in the context list ------------------------------------------

PASSAGES = ("The ferry sails at six.", "The ferry holds 80 cars.")


async def test_a_position_counts_from_1_in_the_context_list() -> None:
    verifier = ScriptedVerifier(lambda claim, ids: Label.SUPPORTED)
    text = "The ferry holds 80 cars [2]."
    (result,) = await results_of(text, verifier, contexts=PASSAGES, without_pages=True)
    assert result.state is CitationState.VALID
    assert (result.page_id, result.sentence) == (None, None)
    ((asked,),) = [question.evidence for question in verifier.asked]
    assert asked.text == PASSAGES[1]


async def test_a_long_passage_is_cited_by_its_best_sentences() -> None:
    long = " ".join(PAGES["PMID:504"])
    verifier = supported_by("passage:1:S:7")
    text = "Ward 7 was painted in week 7 [2]."
    results = await results_of(
        text, verifier, contexts=("Nothing.", long), without_pages=True
    )
    assert states(results) == ["valid"]
    (question,) = verifier.asked
    assert shown(question)[0] == "passage:1:S:7"
    assert len(question.evidence) == PAGE_SENTENCES
    assert question.evidence[0].before == "Ward 6 was painted in week 6."


async def test_a_passage_that_the_verdict_rests_on_is_not_asked_about_again() -> None:
    text = "The ferry holds 80 cars [2]. The ferry holds 80 cars [1]."
    claims = claims_of(text, [(Label.SUPPORTED, "passage:1:S:0")] * 2)
    verifier = supported_by()
    results = await results_of(text, verifier, claims, contexts=PASSAGES)
    assert states(results) == ["valid", "misattributed"]
    assert results[1].supported_by == "passage:1:S:0"
    assert [shown(question) for question in verifier.asked] == [["passage:0:S:0"]]


async def test_an_empty_passage_is_broken() -> None:
    (result,) = await results_of("It is so [1].", supported_by(), contexts=(" ", "a"))
    assert result.state is CitationState.BROKEN
    assert "passage 1 is empty" in result.reason


@pytest.mark.parametrize("marker", ["[3]", "[0]"])
async def test_a_position_beyond_the_context_list_is_broken(marker: str) -> None:
    text = f"The ferry holds 80 cars {marker}."
    (result,) = await results_of(
        text, supported_by(), contexts=PASSAGES, without_pages=True
    )
    assert result.state is CitationState.BROKEN
    assert "of 2" in result.reason


async def test_existing_and_supporting_are_two_facts() -> None:
    text = "Falls dropped by 70 % [PMID:501, S:1]. It ended [PMID:501, S:9]."
    results = await results_of(text, supported_by())
    assert [(one.exists, one.supports) for one in results] == [
        (True, False),
        (False, False),
    ]
    (result,) = await results_of(text[:39], supported_by(), without_pages=True)
    assert (result.exists, result.supports) == (None, None)


async def test_what_is_only_likely_supports_and_is_shown_as_likely() -> None:
    class Leaning(ScriptedVerifier):
        async def verify(self, questions: Sequence[Question]) -> Sequence[Verdict]:
            found = await super().verify(questions)
            return [one.model_copy(update={"band": "review"}) for one in found]

    text = "Falls dropped by 9 % [PMID:501, S:1]."
    verifier = Leaning(lambda claim, ids: Label.SUPPORTED)
    (result,) = await results_of(text, verifier)
    assert (result.state, result.supports) == (CitationState.VALID, True)
    assert (result.is_likely, result.word) == (True, "valid (likely)")


async def test_support_of_a_claim_whose_own_verdict_does_not_is_only_likely() -> None:
    text = "Falls dropped by 9 % [PMID:501, S:1]."
    verifier = supported_by("PMID:501:S:1")
    for label, is_likely in ((Label.SUPPORTED, False), (Label.NOT_ENOUGH_INFO, True)):
        claims = claims_of(text, [(label, "PMID:501:S:1")])
        (result,) = await results_of(text, verifier, claims)
        assert (result.state, result.is_likely) == (CitationState.VALID, is_likely)


# --- sentences that are said again ------------------------------------------


@pytest.mark.parametrize(
    "again",
    [
        "Falls dropped by 9 % [PMID:502, S:1].",
        "**Falls dropped by 9 %** [PMID:502, S:1].",
    ],
)
async def test_a_repeated_sentence_is_held_against_the_claim_it_repeats(
    again: str,
) -> None:
    first = "Falls dropped by 9 % [PMID:501, S:1]. "
    claims = claims_of(first, [(Label.SUPPORTED, "PMID:501:S:1")])
    results = await results_of(first + again, supported_by("PMID:501:S:1"), claims)
    assert states(results) == ["valid", "misattributed"]
    assert results[1].claim_indexes == (0,)


async def test_a_pronoun_in_a_repeated_sentence_is_resolved() -> None:
    text = (
        "The Orm bridge opened in 1931 [PMID:501, S:0]. The Orm bridge is red. "
        "It opened in 1931 [PMID:502, S:0]."
    )
    claims = claims_of(text)[:2]
    results = await results_of(text, supported_by("PMID:501:S:0"), claims)
    assert [one.claim_indexes for one in results] == [(0,), (0,)]
    assert states(results) == ["valid", "misattributed"]


async def test_a_position_without_a_context_list_cannot_be_counted() -> None:
    (result,) = await results_of("The ferry holds 80 cars [2].", supported_by())
    assert result.state is CitationState.UNVERIFIABLE
    assert "no context list" in result.reason


# --- properties -------------------------------------------------------------


@given(st.sampled_from(["PMID:501", "PMID:502", "PMID:999"]), st.integers(0, 6))
async def test_a_citation_is_looked_up_iff_page_and_sentence_exist(
    page_id: str, index: int
) -> None:
    """METRICS C, property 3."""
    text = f"It is so [{page_id}, S:{index}]."
    verifier = ScriptedVerifier(lambda claim, ids: Label.SUPPORTED)
    (result,) = await results_of(text, verifier)
    exists = index < len(PAGES.get(page_id, ()))
    assert (result.state is CitationState.VALID) == exists
    assert (result.state is CitationState.BROKEN) != exists
