"""The stores on disk and their twins in memory keep the same promises."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from claimscope.core.errors import StoreError, StoreLocked
from claimscope.core.models import (
    CallRecord,
    CitationDecision,
    CitationProposal,
    Label,
    Page,
    SampleKey,
    SampleResult,
    Usage,
)
from claimscope.core.ports import Corpus, RunStore
from claimscope.stores.index import page_index as pages_module
from claimscope.stores.index.memory_corpus import MemoryCorpus
from claimscope.stores.index.page_index import PageIndex
from claimscope.stores.runs.memory import MemoryRunStore
from claimscope.stores.runs.run_store import DiskRunStore
from tests.doubles import fakes
from tests.doubles.fakes import FakeEmbedder

RUN = "20261127-120000-ab12"


@pytest.fixture(params=["disk", "memory"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> RunStore:
    """An empty store of each kind."""
    return DiskRunStore(tmp_path) if request.param == "disk" else MemoryRunStore()


def test_what_was_saved_comes_back(store: RunStore) -> None:
    writer = store.create(fakes.header(RUN))
    result = fakes.sample(text="Ünïcode \u2028 [PMID:1, S:2] \x1b[31m")
    record = fakes.call("key/1")
    writer.save_sample(result)
    writer.save_call(record)
    reader = store.read(RUN)
    for side in (writer, reader):
        assert side.call("key/1") == record
        assert side.call("key/2") is None
    assert reader.samples() == [result]
    assert writer.finished() == {"c1/alpha/1": result}
    assert writer.header() == reader.status().header == fakes.header(RUN)


def test_status_counts_what_passed_failed_and_is_unscored(store: RunStore) -> None:
    fakes.finished_run(store, RUN)
    status = store.read(RUN).status()
    counts = (status.completed, status.passed, status.failed, status.unscored)
    assert counts == (4, 1, 2, 1)
    assert status.state == "finished"
    assert status.pid is None
    assert status.updated is not None
    assert list(store.runs()) == [status]


def test_a_sample_saved_again_replaces_the_first(store: RunStore) -> None:
    writer = store.create(fakes.header(RUN))
    writer.save_sample(fakes.sample("c1", label=Label.UNSCORED))
    writer.save_sample(fakes.sample("c2"))
    again = fakes.sample("c1", label=Label.SUPPORTED)
    writer.save_sample(again)
    status = writer.status()
    assert (status.completed, status.passed, status.unscored) == (2, 2, 0)
    assert store.read(RUN).status() == status
    assert store.read(RUN).samples()[0] == again
    assert status.usage.prompt_tokens == 200


def test_rows_say_of_each_sample_what_a_list_shows(store: RunStore) -> None:
    fakes.finished_run(store, RUN)
    reader = store.read(RUN)
    rows, samples = reader.rows(), list(reader.samples())
    assert [row.key for row in rows] == [sample.key for sample in samples]
    for row, sample in zip(rows, samples, strict=True):
        assert (row.passed, row.error, row.abstained) == (sample.passed, None, False)
        assert (row.category, row.difficulty) == ("figures", "easy")
        assert row.question == sample.case.question
        assert row.labels == {sample.claims[0].verdict.label: 1}
        assert list(row.failures) == [failure.kind for failure in sample.failures]
        assert row.scores["faithfulness"].value == sample.scores[0].value
        assert (row.prompt_tokens, row.completion_tokens) == (100, 10)
        assert reader.sample(row.key) == sample
    writer = store.open(RUN)
    writer.save_sample(fakes.sample("c1", passed=None, error="no reply", claims=()))
    assert writer.finished_keys() == {
        "c1/alpha/1": "no reply",
        "c2/alpha/1": None,
        "c1/beta/1": None,
        "c2/beta/1": None,
    }
    assert writer.rows()[0].error == "no reply"
    assert writer.rows()[0].labels == {}
    assert reader.sample(SampleKey(case_id="c9", provider="alpha")) is None
    writer.close()


def test_totals_add_up_over_parts_and_count_each_call_once(store: RunStore) -> None:
    usage = Usage(calls=1, prompt_tokens=50, completion_tokens=5, model_seconds=0.25)
    writer = store.create(fakes.header(RUN))
    writer.save_call(fakes.call("a", usage=usage))
    writer.save_sample(fakes.sample("c1"))
    writer.close()
    writer = store.open(RUN)
    writer.save_call(fakes.call("a", usage=usage))  # an answer from the journal
    writer.save_call(fakes.call("b", usage=usage))
    writer.save_sample(fakes.sample("c2"))
    status = writer.status()
    assert status.parts == 2
    assert (status.usage.calls, status.usage.prompt_tokens) == (2, 100)
    assert status.usage.model_seconds == 0.5
    assert status.usage.wall_seconds >= 0
    writer.close()
    assert store.read(RUN).status().usage == status.usage


def test_a_run_that_nobody_writes_is_stopped(store: RunStore) -> None:
    writer = store.create(fakes.header(RUN))
    writer.save_state("running")
    assert store.read(RUN).status().state == "running"
    assert store.read(RUN).status().pid is not None
    writer.save_state("paused")
    reader = store.read(RUN)
    assert reader.status().state == "paused"
    writer.close()
    assert reader.status().state == "stopped"
    again = store.open(RUN)
    again.save_state("failed", error="no space")
    again.close()
    status = store.read(RUN).status()
    assert (status.state, status.error) == ("failed", "no space")


def test_one_writer_many_readers(store: RunStore) -> None:
    writer = store.create(fakes.header(RUN))
    with pytest.raises(StoreLocked, match="being written by process"):
        store.open(RUN)
    first, second = store.read(RUN), store.read(RUN)
    assert not first.refresh()
    writer.save_sample(fakes.sample())
    assert first.samples() == []
    assert first.refresh() and second.refresh()
    assert first.samples() == second.samples() == [fakes.sample()]
    assert not first.refresh()
    writer.close()
    writer.close()
    store.open(RUN).close()


def test_a_viewer_asks_and_the_engine_hears(store: RunStore) -> None:
    writer, reader = store.create(fakes.header(RUN)), store.read(RUN)
    assert writer.control() == "run"
    reader.ask("pause")
    assert writer.control() == "pause"
    reader.ask("cancel")
    assert writer.control() == "cancel"
    writer.close()
    # A request to an engine that is gone is not meant for the next one.
    assert store.open(RUN).control() == "run"


def test_decisions_on_proposals_are_kept_beside_the_words(store: RunStore) -> None:
    reader = store.read(fakes.finished_run(store))
    proposal = CitationProposal(
        kind="add",
        start=5,
        end=5,
        text="",
        by=" [1]",
        sources=("passage:0:S:0",),
        quotes=("It is old.",),
        claim_indexes=(0,),
    )
    key = SampleKey(case_id="c1", provider="alpha")
    said = [
        CitationDecision(sample=key, proposal=proposal, accepted=yes, at="t", by="ann")
        for yes in (True, False)
    ]
    reader.save_human(fakes.human())
    for one in said:
        reader.save_decision(one)
    again = store.read(RUN)
    assert list(reader.citation_decisions()) == list(again.citation_decisions()) == said
    assert list(again.human_verdicts()) == [fakes.human()]


def test_human_words_are_kept_in_order_and_never_lost(store: RunStore) -> None:
    writer, reader = store.create(fakes.header(RUN)), store.read(RUN)
    words = [fakes.human(), fakes.human(word=Label.SUPPORTED), fakes.human(word=None)]
    for word in words:
        reader.save_human(word)  # while the engine holds its lock
    assert list(reader.human_verdicts()) == words
    assert list(store.read(RUN).human_verdicts()) == words
    writer.close()


def test_notes_have_a_time_and_an_order(store: RunStore) -> None:
    writer = store.create(fakes.header(RUN))
    writer.save_note("first")
    writer.save_note("second")
    notes = store.read(RUN).notes()
    assert [message for _, message in notes] == ["first", "second"]
    assert all(time.endswith("+00:00") for time, _ in notes)


def test_unknown_and_taken_ids_are_refused(store: RunStore) -> None:
    for action in (store.read, store.open):
        with pytest.raises(StoreError, match="no run 'nowhere'"):
            action("nowhere")
    store.create(fakes.header(RUN)).close()
    with pytest.raises(StoreError, match="already"):
        store.create(fakes.header(RUN))


def test_runs_are_listed_newest_first(store: RunStore) -> None:
    for day in (2, 3, 1):
        created = f"2026-11-0{day}T00:00:00+00:00"
        store.create(fakes.header(f"run-{day}", created=created)).close()
    assert [run.header.run_id for run in store.runs()] == ["run-3", "run-2", "run-1"]


def test_what_is_given_out_cannot_change_the_store(store: RunStore) -> None:
    writer = store.create(fakes.header(RUN))
    options = {"temperature": 0.0}
    record: CallRecord = fakes.call("a", options=options)
    result: SampleResult = fakes.sample(answer=fakes.answer().model_copy())
    writer.save_call(record)
    writer.save_sample(result)
    options["temperature"] = 1.0
    first = writer.call("a")
    assert first is not None and first.options == {"temperature": 0.0}
    first.options["temperature"] = 2.0
    assert writer.call("a") == fakes.call("a", options={"temperature": 0.0})


Corpora = Callable[..., Corpus]


@pytest.fixture(params=["chroma", "snapshot", "memory"])
def make_corpus(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Corpora]:
    """Makes a corpus of pages: of the index with its lock, of the index while
    somebody else has the lock, and in memory."""
    monkeypatch.setattr(pages_module, "FEW", 0)
    opened: list[PageIndex] = []

    def make(pages: list[Page], embedder: FakeEmbedder) -> Corpus:
        if request.param == "memory":
            return MemoryCorpus("Towns", pages, embedder)
        writer = PageIndex(tmp_path, "Towns", embedder, write=True)
        writer.index_pages(pages)
        opened.append(writer)
        if request.param == "chroma":
            return writer
        opened.append(PageIndex(tmp_path, "Towns", embedder))
        assert not opened[-1].is_writer
        return opened[-1]

    yield make
    for index in opened:
        index.close()


def test_corpus_gives_back_its_pages(make_corpus: Corpora) -> None:
    pages, embedder = fakes.pages(5), FakeEmbedder()
    corpus = make_corpus(list(reversed(pages)), embedder)
    assert corpus.name == "Towns"
    assert corpus.model_id == embedder.model_id
    assert list(corpus.page_ids()) == [page.page_id for page in pages]
    for page in pages:
        assert corpus.page(page.page_id) == page
        found = corpus.sentences(page.page_id)
        assert [s.index for s in found] == [0, 1, 2]
        assert all(page.text[s.start : s.end] == s.text for s in found)
        vectors = embedder.embed([s.text for s in found])
        assert (corpus.vectors(page.page_id) == vectors).all()
    assert corpus.page("nowhere") is None
    assert corpus.sentences("nowhere") == ()
    assert corpus.vectors("nowhere").shape == (0, 64)


def test_corpus_version_depends_on_pages_and_model_alone(make_corpus: Corpora) -> None:
    pages = fakes.pages(4)
    version = make_corpus(pages, FakeEmbedder()).version
    for other, embedder, same in (
        (list(reversed(pages)), FakeEmbedder(), True),
        (pages[:3], FakeEmbedder(), False),
        ([*pages[:3], fakes.page(pages[3].page_id)], FakeEmbedder(), False),
        (pages, FakeEmbedder("fake@2/fp32"), False),
    ):
        twin = MemoryCorpus("other", other, embedder)
        assert (twin.version == version) is same


def test_search_fuses_and_gives_true_neighbours(make_corpus: Corpora) -> None:
    corpus = make_corpus(fakes.pages(60), FakeEmbedder())
    result = corpus.search("Does orchard keeper number 31 work 41 hours?", k=4)
    assert result.fallback is None
    best = result.hits[0]
    assert best.text == "Its orchard keeper number 31 works 41 hours a week."
    assert best.before == "The orchard of town 31 opened in 1931."
    assert best.after == "Visitors of town 31 pay 33 crowns."
    assert (best.title, best.url) == ("The orchard 31", "https://example.org/31")
    assert best.sentence_id == "PMID:20000032:S:1"
    scores = [hit.score or 0 for hit in result.hits]
    assert len(scores) == 4 and scores == sorted(scores, reverse=True)
    assert all(hit.similarity is not None for hit in result.hits)
    assert (best.lexical or 0) > 0
    ends = corpus.search("The orchard of town 31 opened in 1931.", k=1).hits[0]
    assert (ends.index, ends.before) == (0, None)


def test_all_kinds_of_corpus_rank_alike(make_corpus: Corpora) -> None:
    pages = fakes.pages(80)
    corpus = make_corpus(pages, FakeEmbedder())
    twin = MemoryCorpus("Towns", pages, FakeEmbedder())
    for query in ("tramway 7", "Visitors pay 33 crowns", "lighthouse hours"):
        found, expected = corpus.search(query), twin.search(query)
        assert [hit.sentence_id for hit in found.hits] == [
            hit.sentence_id for hit in expected.hits
        ]
        for hit, other in zip(found.hits, expected.hits, strict=True):
            assert hit.similarity == pytest.approx(other.similarity, abs=1e-5)
            assert (hit.lexical, hit.score) == (other.lexical, other.score)


def test_search_filters_by_source_and_similarity(make_corpus: Corpora) -> None:
    corpus = make_corpus(fakes.pages(40), FakeEmbedder())
    north = corpus.search("orchard keeper", k=50, sources=["north"]).hits
    assert len(north) == 50
    sources = {corpus.page(hit.page_id) for hit in north}
    assert all(page and page.source == "north" for page in sources)
    prefix = corpus.search("orchard keeper", sources=["PMID:2000001", "south-"]).hits
    assert {hit.page_id[:12] for hit in prefix} == {"PMID:2000001"}
    assert corpus.search("orchard keeper", sources=["nowhere"]).hits == ()
    near = corpus.search("orchard keeper", k=50, min_similarity=0.5).hits
    assert 0 < len(near) < 50
    assert all((hit.similarity or 0) >= 0.5 for hit in near)
    assert corpus.search("orchard keeper", min_similarity=1.01).hits == ()
    assert corpus.search("orchard", k=0).hits == ()
    everything = corpus.search("orchard", k=1000).hits
    assert len(everything) == len({hit.sentence_id for hit in everything})


def test_an_empty_corpus_answers_nothing(make_corpus: Corpora) -> None:
    pages = [fakes.page("blank", "  \n ")]
    corpus = make_corpus(pages, FakeEmbedder())
    assert corpus.search("anything").hits == ()
    assert corpus.sentences("blank") == ()
    assert corpus.page("blank") == pages[0]


def test_page_search_answers_when_sentence_search_fails(
    make_corpus: Corpora, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = make_corpus(fakes.pages(20), FakeEmbedder())

    def fails(*_: object, **__: object) -> None:
        raise RuntimeError("hnsw segment reader: nothing found")

    monkeypatch.setattr("claimscope.stores.index.corpus.rank", fails)
    result = corpus.search("The tramway of town 7 opened in 1907.", k=3)
    assert result.fallback is not None and "nothing found" in result.fallback
    assert len({hit.page_id for hit in result.hits}) == 3
    assert result.hits[0].page_id == "PMID:20000008"
    assert result.hits[0].text == "The tramway of town 7 opened in 1907."
    assert result.hits[0].after is not None
    some = corpus.search("tramway", k=30, sources=["north"], min_similarity=0.0).hits
    assert 0 < len(some) <= 10


def test_odd_ids_are_kept_exactly(make_corpus: Corpora) -> None:
    ids = ["a:S:1", "a", "../../x", "https://example.org/?q=1#top", "日本 語", "q\"'\n"]
    pages = [
        fakes.page(page_id, f"Dam {n} is high. It has {n} locks.")
        for n, page_id in enumerate(ids)
    ]
    corpus = make_corpus(pages, FakeEmbedder())
    assert sorted(corpus.page_ids()) == sorted(ids)
    for n, page_id in enumerate(ids):
        hit = corpus.search(f"It has {n} locks.", k=1).hits[0]
        assert (hit.page_id, hit.index) == (page_id, 1)
