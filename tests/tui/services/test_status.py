"""What a model does, told beside the progress of a run on the command line."""

from __future__ import annotations

import pytest

from claimscope.core.events import RunStarted
from claimscope.core.ports import ModelState, Phase, Progress
from claimscope.stores.runs.memory import MemoryRunStore
from claimscope.tui.process.output import progress_bar
from claimscope.tui.services.models.status import clock_time, size, state_words
from claimscope.tui.services.run.headless import Reporter
from claimscope.tui.services.run.parts import ModelWatch
from tests.doubles import fakes

HOST = "http://127.0.0.1:1"


def state(phase: Phase, seconds: float = 1.0, host: str = HOST) -> ModelState:
    return ModelState(host, "m:7b", phase, seconds)


@pytest.mark.parametrize(
    ("phase", "words"),
    [
        ("loading", "loading m:7b, 38 s"),
        ("queued", "m:7b waits in the server's queue, 38 s"),
        ("reading", "m:7b reads the prompt, 38 s"),
        ("writing", "m:7b writes, 38 s"),
        ("idle", "m:7b is idle"),
    ],
)
def test_each_phase_has_words(phase: Phase, words: str) -> None:
    assert state_words(state(phase, 38.2)) == words


def test_a_host_is_named_when_there_are_several() -> None:
    assert state_words(state("writing"), with_host=True) == (
        "m:7b writes at 127.0.0.1:1, 1 s"
    )


def test_sizes_are_those_of_ollama() -> None:
    assert [size(n) for n in (0, 98_363_004, 1_117_321_342)] == [
        "0 kB",
        "98 MB",
        "1.1 GB",
    ]


@pytest.mark.parametrize("moment", [None, "", "soon", "2026-99-01T00:00:00Z"])
def test_a_time_that_is_none_is_left_out(moment: str | None) -> None:
    assert clock_time(moment) == ""


def test_the_bar_says_what_is_waited_for() -> None:
    shown: list[Progress] = []
    reporter = Reporter(shown.append)
    writer = MemoryRunStore().create(fakes.header("20261127-120000-ab12"))
    reporter.see(state("loading"))  # before there is a bar: nothing to draw on
    assert shown == []
    reporter.show(RunStarted(status=writer.status()))
    reporter.see(state("loading", 38.0))
    reporter.see(state("idle"))
    assert [progress.note for progress in shown] == [
        "loading m:7b, 1 s",
        "loading m:7b, 38 s",
        "",
    ]
    writer.close()


def test_without_a_terminal_a_long_wait_is_a_line_now_and_then(
    capsys: pytest.CaptureFixture[str],
) -> None:
    reporter = Reporter(None)
    reporter.see(state("reading"))
    assert capsys.readouterr().err == ""
    reporter.see(state("loading", 1.0))
    reporter.see(state("loading", 2.0))
    assert capsys.readouterr().err == "loading m:7b, 1 s\n"


def test_a_watch_tells_all_who_joined() -> None:
    watch = ModelWatch()
    watch(state("loading"))
    heard: list[tuple[int, ModelState]] = []
    watch.add(lambda said: heard.append((1, said)))
    watch.add(lambda said: heard.append((2, said)))
    watch(state("writing"))
    assert heard == [(1, state("writing")), (2, state("writing"))]


def test_without_a_terminal_there_is_no_bar() -> None:
    with progress_bar() as bar:
        assert bar is None
