"""What of an answer ground truth matches (METRICS A; seed A, Text Highlighter), and
the feedback on claims and form. The seed has no worked figures; these are by hand."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimscope.core.analysis.summary.claim_feedback import claim_feedback
from claimscope.core.errors import EmbeddingError
from claimscope.core.metrics.base import Embed, Findings
from claimscope.core.metrics.discovery import discover
from claimscope.core.models import Label, RequiredClaimResult, Score
from claimscope.core.ports import Corpus, Floats
from claimscope.core.settings import Settings
from claimscope.core.text.form_faults import find_form_faults
from claimscope.stores.index.memory_corpus import MemoryCorpus
from tests.doubles import fakes

TRUTH = "The Varn reservoir was filled in 1974. Its dam is 38 metres high."
FILLED = "The Varn reservoir was filled in 1974."  # 38 characters
COWS = "Cows graze nearby."  # 18 characters


def failing(texts: Sequence[str]) -> Floats:
    raise EmbeddingError("the embedding model does not answer.")


def score(
    text: str,
    *,
    contexts: Sequence[str] = (TRUTH,),
    corpus: Corpus | None = None,
    embed: Embed | None = None,
    without_model: bool = False,
    chosen: Settings = Settings(),  # noqa: B008
) -> Score:
    if embed is None and not without_model:
        embed = fakes.FakeEmbedder().embed
    return discover()["highlights"].score(
        Findings(
            case=fakes.case(contexts=tuple(contexts)),
            answer=fakes.answer().model_copy(update={"text": text}),
            empty=not text.strip(),
            embed=embed,
            corpus=corpus,
            settings=chosen,
        )
    )


def test_coverage_is_matched_characters_over_characters_of_all_sentences() -> None:
    got = score(f"{FILLED} {COWS}")
    assert got.value == pytest.approx(100 * 38 / (38 + 18))
    assert (got.scale, got.tier) == ((0, 100), "fair")
    assert [(s.kind, s.text, s.source) for s in got.evidence] == [
        ("matched", FILLED, "passage:0:S:0"),
        ("unmatched", COWS, None),
    ]
    assert got.evidence[0].note == FILLED
    assert got.evidence[0].value == pytest.approx(1, abs=1e-4)


def test_all_and_nothing() -> None:
    assert score(TRUTH).value == 100
    assert score(COWS).value == 0


def test_a_match_in_a_corpus_names_its_page() -> None:
    embedder = fakes.FakeEmbedder()
    page = fakes.page("varn", TRUTH, url="https://example.org/varn")
    corpus = MemoryCorpus("truth", [page], embedder)
    got = score(FILLED, contexts=(), corpus=corpus)
    (span,) = got.evidence
    assert (span.source, span.address) == ("varn:S:0", "https://example.org/varn")


def test_the_threshold_is_a_setting_and_strict() -> None:
    half = "The Varn reservoir was filled by cows and goats."
    near = score(half).evidence[0].value
    assert near is not None and 0.2 < near < 0.75
    assert score(half).value == 0
    at = Settings(highlight_similarity=near)
    below = Settings(highlight_similarity=near - 0.01)
    assert score(half, chosen=at).value == 0
    assert score(half, chosen=below).value == 100


def test_no_answer_and_no_ground_truth_do_not_apply() -> None:
    assert not score(" ").applicable
    got = score(FILLED, contexts=())
    assert (got.value, got.applicable) == (None, False)


def test_without_vectors_contexts_are_matched_by_words() -> None:
    for got in (score(FILLED, embed=failing), score(FILLED, without_model=True)):
        assert got.value == 100
        assert got.details["method"] == "keywords"
        assert got.reason.startswith("words compared")


@given(st.text(max_size=120))
@settings(max_examples=200, deadline=None)
def test_any_text_has_a_coverage_or_a_reason(text: str) -> None:
    got = score(text)
    assert (got.value is None) == bool(got.reason)
    if got.value is not None:
        assert 0 <= got.value <= 100
    for span in got.evidence:
        assert span.text == text[span.start : span.end]


# --- feedback -------------------------------------------------------------------


def required(text: str, *, found: bool, **fields: object) -> RequiredClaimResult:
    known: dict[str, object] = {"text": text, "importance": "required", "found": found}
    return RequiredClaimResult.model_validate({**known, **fields})


def test_feedback_says_what_is_there_what_is_missing_and_what_is_new() -> None:
    sample = fakes.sample(
        text=f"{FILLED} {COWS}",
        claims=(
            fakes.claim_result(FILLED, Label.SUPPORTED, 0),
            fakes.claim_result(COWS, Label.NOT_ENOUGH_INFO, 1),
            fakes.claim_result("It was filled in 1975.", Label.CONTRADICTED, 2),
            fakes.claim_result("It is deep.", Label.UNSCORED, 3),
        ),
        required_claims=(
            required(
                "Filled in 1974.",
                found=True,
                similarity=0.9,
                matched_text=FILLED,
                start=0,
                end=38,
            ),
            required("The dam is 38 m.", found=False, importance="optional"),
            required("It holds 4.2 hm³.", found=False, conflicts_with="It holds 5"),
        ),
    )
    feedback = claim_feedback(sample)
    (found,) = feedback.found
    assert (found.claim, found.evidence, found.confidence) == (
        "Filled in 1974.",
        FILLED,
        0.9,
    )
    assert sample.answer.text[found.start : found.end] == found.evidence
    assert [(m.importance, m.conflicts_with) for m in feedback.missing] == [
        ("optional", None),
        ("required", "It holds 5"),
    ]
    assert [(a.statement, a.label) for a in feedback.not_in_ground_truth] == [
        (COWS, Label.NOT_ENOUGH_INFO),
        ("It was filled in 1975.", Label.CONTRADICTED),
    ]
    assert feedback.issues == ()


@pytest.mark.parametrize(
    ("text", "issue"),
    [
        ("The fee is 40 marks and the", "middle of a sentence"),
        ("The fee is 40 marks,", "middle of a sentence"),
        ("The fee is 40 marks [PMID:1, S:", "inside a citation"),
        ("See [the fees](https://example.com/fe", "inside a link"),
        ("```\nfee = 40", "code block"),
        ("The fee\x1b[2J is 40.", "U+001B at 7"),
        ("The fee is 40\ufffd.", "lost in decoding, first at 13"),
        ("</think> The fee is 40.", "thinking"),
        ("The fee is 40.<|im_end|>", "chat template"),
        ('{"fee": 40}', "JSON"),
    ],
)
def test_a_malformed_answer_is_judged_and_its_fault_is_listed(
    text: str, issue: str
) -> None:
    (found,) = find_form_faults(text)
    assert issue in found
    assert claim_feedback(fakes.sample(text=text)).issues == (found,)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The fee is 40 marks.",
        "The fee is 40 marks [PMID:1, S:2].",
        "It is free [3]",
        "[3]",
        "```\nfee = 40\n```",
        "- apples\n- pears",
        "What is it for?",
        "[The board](https://example.com) agreed.",
        "Tab\tand\r\nline",
    ],
)
def test_a_well_formed_answer_has_no_fault(text: str) -> None:
    assert find_form_faults(text) == []


@given(st.text(max_size=100))
@settings(max_examples=200, deadline=None)
def test_faults_of_any_text_are_lines(text: str) -> None:
    assert all(line and "\n" not in line for line in find_form_faults(text))
