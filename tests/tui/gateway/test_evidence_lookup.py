"""What a claim was held against: sentences looked up again, windows a model read."""

from __future__ import annotations

from pathlib import Path

import pytest

from claimscope.core.errors import StoreError
from claimscope.core.models import CallRecord, Page, RunHeader, SampleResult
from claimscope.core.run.provenance import ObservedCorpus
from claimscope.core.text.sentences import sentences
from claimscope.core.verify.witnesses.language_model import ask
from claimscope.stores.index.corpus import SnapshotCorpus
from claimscope.stores.index.embeddings import FILE, VectorStore, text_hash
from claimscope.stores.index.page_texts import CorpusTexts
from claimscope.stores.runs.memory import MemoryRunStore
from claimscope.tui.gateway.evidence_lookup import OWN, KeptVectors, search_again
from claimscope.tui.ports.gateway import CandidateSearch
from claimscope.tui.review.passages_read import document_of, windows_read
from claimscope.tui.screens.pages.page import PageScreen
from claimscope.tui.screens.stepper.candidates import CandidatesScreen
from tests.doubles.fakes import FakeEmbedder, call
from tests.tui.pilot import check_snapshot, press, text_of, told
from tests.tui.sample_run import PAGE, RUN_ID, evidence, failed_sample, run_header
from tests.tui.screens.test_stepper import gateway_with_a_run, stepping

CLAIM = "The reservoir holds 9 million cubic metres"
K = 8
OTHER = Page(page_id="PMID:5", text="Rain falls on the moor. A road leads to the dam.")


def texts_of(*pages: Page) -> CorpusTexts:
    return CorpusTexts.of((page, sentences(page)) for page in pages)


def kept(folder: Path, *texts: str) -> KeptVectors:
    """The vectors of these texts and of both pages, on disk."""
    embedder = FakeEmbedder()
    whole = [*texts, *(s.text for page in (PAGE, OTHER) for s in sentences(page))]
    store = VectorStore(folder / FILE)
    hashes = [text_hash(text) for text in whole]
    store.put(embedder.model_id, hashes, embedder.embed(whole))
    return KeptVectors(store, embedder.model_id, embedder.dimensions)


def judged(folder: Path) -> SampleResult:
    """A sample with the record of its looks into both pages."""
    vectors = kept(folder, CLAIM)
    store = VectorStore(folder / FILE)
    corpus = SnapshotCorpus("varn", texts_of(PAGE, OTHER), vectors, store)
    observed = ObservedCorpus(corpus, ())
    observed.search(CLAIM, k=K)
    observed.search(CLAIM, k=OWN * K, sources=[PAGE.page_id])
    observed.search(CLAIM, k=5)  # a look of a metric, not for evidence
    return failed_sample().model_copy(update={"grounds": observed.grounds()})


def header() -> RunHeader:
    return run_header(
        embedding_model=FakeEmbedder().model_id, settings={"evidence_sentences": K}
    )


def test_the_looks_of_the_run_are_done_again_and_held_to_its_record(
    tmp_path: Path,
) -> None:
    sample = judged(tmp_path)
    texts = texts_of(PAGE, OTHER)
    own, wide = search_again(tmp_path, lambda name: texts, header(), sample, CLAIM)
    assert PAGE.page_id in own.where and wide.where == "all pages"
    assert (own.is_as_then, wide.is_as_then) == (True, True)
    assert {hit.page_id for hit in own.hits} == {PAGE.page_id}
    assert {hit.page_id for hit in wide.hits} == {PAGE.page_id, OTHER.page_id}
    assert own.hits[0].text.startswith("It holds 4.2 million cubic metres")


def test_pages_that_changed_since_are_told_of(tmp_path: Path) -> None:
    sample = judged(tmp_path)
    less = texts_of(PAGE)
    own, wide = search_again(tmp_path, lambda name: less, header(), sample, CLAIM)
    assert (own.is_as_then, wide.is_as_then) == (True, False)


def test_a_run_without_a_record_is_looked_up_all_the_same(tmp_path: Path) -> None:
    kept(tmp_path, CLAIM)
    texts = texts_of(PAGE, OTHER)
    (wide,) = search_again(
        tmp_path, lambda name: texts, header(), failed_sample(), CLAIM
    )
    assert wide.is_as_then is None
    assert len(wide.hits) == 7


def test_passages_of_the_case_are_what_its_claims_were_held_against(
    tmp_path: Path,
) -> None:
    passage = "It holds 4.2 million cubic metres. Nobody swims in it."
    kept(tmp_path, CLAIM, "It holds 4.2 million cubic metres.", "Nobody swims in it.")
    sample = failed_sample()
    case = sample.case.model_copy(update={"contexts": (passage,)})
    sample = sample.model_copy(update={"case": case})
    texts = texts_of()
    (found,) = search_again(tmp_path, lambda name: texts, header(), sample, CLAIM)
    assert found.where == "the passages of the case"
    assert [hit.index for hit in found.hits] == [0, 1]


def test_what_is_kept_no_more_is_named_with_the_remedy(tmp_path: Path) -> None:
    texts = texts_of(PAGE)
    with pytest.raises(StoreError, match="not in the workspace"):
        search_again(tmp_path, lambda name: texts, header(), failed_sample(), CLAIM)
    kept(tmp_path)
    with pytest.raises(StoreError, match="vector of this claim"):
        search_again(tmp_path, lambda name: texts, header(), failed_sample(), CLAIM)


# --- windows ---------------------------------------------------------------------


def asked(key: str, wording: str, document: str, **fields: object) -> CallRecord:
    """A call as the verifier makes it."""
    import json

    request = ask(document, CLAIM, wording)
    prompt = json.dumps(request.messages)
    known = {"prompt": prompt, "prompt_digest": request.prompt_digest}
    return call(key, **{**known, **fields})


def test_a_window_stands_once_with_all_that_was_answered() -> None:
    store = MemoryRunStore()
    writer = store.create(run_header())
    first, second = "It holds 4.2 million.\n\nClaim: it is old.", "It rains."
    writer.save_call(asked("a", "verify", first))
    writer.save_call(asked("b", "verify_true", first, logprobs=(("No", -0.01),)))
    writer.save_call(asked("c", "verify", second, reply="Maybe", logprobs=()))
    windows = windows_read(store.read(RUN_ID), ["a", "b", "c", "gone"])
    assert [window.text for window in windows] == [first, second]
    assert windows[0].asked == (
        "Yes 0.91  prompt verify",
        "Yes 0.00  prompt verify_true",
    )
    assert windows[1].asked == ("Maybe  prompt verify",)


@pytest.mark.parametrize("prompt", ["", "{", '[["user", "Is it so?"]]', "[3]", "7"])
def test_a_prompt_without_a_document_shows_none(prompt: str) -> None:
    assert document_of(prompt) is None


# --- the screen --------------------------------------------------------------------


async def test_w_lists_all_that_was_tried_and_marks_what_was_shown() -> None:
    gateway = gateway_with_a_run()
    near = (evidence(1, lexical=9.5), evidence(2, similarity=0.61, lexical=2.0))
    gateway.searches = [
        CandidateSearch(
            "the pages that the answer speaks of: PMID:99000007", near, True
        ),
        CandidateSearch("all pages", (*near, evidence(3, similarity=0.2)), False),
    ]
    async with stepping(gateway) as pilot:
        await press(pilot, "w")
        assert isinstance(pilot.app.screen, CandidatesScreen)
        shown = text_of(pilot)
        assert "▶ 1 ✘ shown similarity 0.83, words 9.5 PMID:99000007:S:1" in shown
        assert "2 similarity 0.61, words 2.0 PMID:99000007:S:2" in shown
        assert "✘ the pages have changed: the run found others" in shown
        check_snapshot(pilot, "candidates")
        await press(pilot, "n", "g")
        assert isinstance(pilot.app.screen, PageScreen)
        assert "▶ The dam is 38 metres high and carries a road." in text_of(pilot)
        await press(pilot, "escape", "escape", "n", "n", "w")
        assert "Only a claim is held against sentences." in told(pilot)


async def test_windows_that_a_model_read_come_first() -> None:
    gateway = gateway_with_a_run()
    writer = gateway.runs.open(run_header().run_id)
    writer.save_call(asked("k1", "verify", "It holds \x1b[2J [b]4.2[/b] million."))
    writer.close()
    async with stepping(gateway) as pilot:
        await press(pilot, "w")
        shown = text_of(pilot)
        assert "Window 1 of 1 small:1b" in shown
        assert "Yes 0.91 prompt verify" in shown
        assert "It holds ␛[2J [b]4.2[/b] million." in shown


async def test_what_cannot_be_looked_up_is_told_with_the_remedy() -> None:
    gateway = gateway_with_a_run()
    gateway.searches = StoreError("The vectors are gone.", "Index the pages again.")
    async with stepping(gateway) as pilot:
        await press(pilot, "w", "n", "g")
        assert "The vectors are gone." in text_of(pilot)
        assert "Index the pages again." in text_of(pilot)
