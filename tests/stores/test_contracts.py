"""The stores on disk and their twins in memory keep the same promises."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests import fakes

from claimscope.core.errors import StoreError, StoreLocked
from claimscope.core.models import CallRecord, Label, SampleResult, Usage
from claimscope.core.ports import RunStore
from claimscope.stores.memory import MemoryRunStore
from claimscope.stores.runs import DiskRunStore

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
