"""Calls of another run, calls made anew, and what a result rests on."""

from __future__ import annotations

from claimscope.core.models import CallRecord, Page, Usage
from claimscope.core.run.provenance import ObservedCorpus, pages_seen, still_hold
from claimscope.core.run.reuse import BorrowedCalls, FreshCalls
from claimscope.stores.index.memory_corpus import MemoryCorpus
from claimscope.stores.runs.memory import MemoryRunStore, MemoryRunWriter
from tests.doubles import fakes

ONE = Usage(calls=1, prompt_tokens=100, completion_tokens=10, model_seconds=2.0)


def journal(run_id: str, store: MemoryRunStore) -> MemoryRunWriter:
    return store.create(fakes.header(run_id))


def record(key: str = "k", reply: str = "Yes") -> CallRecord:
    return CallRecord(
        key=key,
        purpose="verify",
        model="m",
        prompt_digest="p",
        prompt="[]",
        reply=reply,
        usage=ONE,
    )


def test_a_borrowed_call_is_copied_and_costs_only_where_it_was_made() -> None:
    store = MemoryRunStore()
    old, new = journal("old", store), journal("new", store)
    old.save_call(record())
    calls = BorrowedCalls(new, old, "old")
    assert calls.call("other") is None
    found = calls.call("k")
    assert found is not None and (found.reply, found.made_in) == ("Yes", "old")
    assert calls.call("k") == new.call("k") == found
    assert calls.borrowed == 1
    assert new.status().usage.calls == 0
    calls.save_call(record("mine"))
    assert new.status().usage.prompt_tokens == 100
    third = BorrowedCalls(journal("third", store), new, "new").call("k")
    assert third is not None and third.made_in == "old"  # who paid, not who lent


def test_a_call_made_anew_is_not_looked_up_and_both_costs_count() -> None:
    store = MemoryRunStore()
    run = journal("run", store)
    run.save_call(record(reply="Yes"))
    for asked, reply in enumerate(("No", "Yes"), start=2):
        calls = FreshCalls(run)
        assert calls.call("k") is None
        calls.save_call(record(reply=reply))
        found = calls.call("k")
        assert found is not None and found.reply == reply
        usage = run.status().usage
        assert (usage.calls, usage.prompt_tokens) == (asked, asked * 100)
        assert usage.model_seconds == asked * 2.0


def observed(pages: list[Page], text: str) -> str:
    corpus = ObservedCorpus(MemoryCorpus("c", pages, fakes.FakeEmbedder()), [text])
    corpus.page_ids()
    hits = corpus.search("The orchard of town 1 opened in 1901.", k=2).hits
    for hit in hits:
        corpus.page(hit.page_id)
    corpus.page("nowhere")
    return corpus.grounds()


def holds(grounds: str, pages: list[Page]) -> bool:
    return still_hold(grounds, MemoryCorpus("c", pages, fakes.FakeEmbedder()))


def test_grounds_hold_until_something_that_was_looked_at_is_another() -> None:
    pages = fakes.pages(3)
    text = "It opened in 1901 [PMID:20000002, S:0]."
    grounds = observed(pages, text)
    seen = pages_seen(grounds)
    assert "nowhere" in seen and "PMID:20000002" in seen
    assert holds(grounds, pages) and holds(grounds, pages[::-1])

    apart = fakes.page("PMID:77", "Quite another matter altogether, of snow.")
    assert holds(grounds, [*pages, apart])  # not looked at, and no nearer
    assert not holds(grounds, [*pages, fakes.page("nowhere", "Snow fell on the hill.")])
    near = fakes.page("PMID:78", "The orchard of town 1 opened in 1901.")
    assert not holds(grounds, [*pages, near])  # found before the others
    for gone in seen:
        assert gone == "nowhere" or not holds(
            grounds, [page for page in pages if page.page_id != gone]
        )
    changed = pages[1].model_copy(update={"text": pages[1].text.replace("11", "12")})
    assert changed != pages[1]
    assert not holds(grounds, [pages[0], changed, pages[2]])
