"""What a model does, told beside the progress of a run on the command line."""

from __future__ import annotations

import pytest

from claimscope.core.events import RunStarted
from claimscope.core.ports import ModelState, Phase, Progress
from claimscope.stores.runs.memory import MemoryRunStore
from claimscope.tui.process.output import progress_bar
from claimscope.tui.services.run.headless import Reporter
from claimscope.tui.services.run.parts import ModelWatch
from tests.doubles import fakes


def state(phase: Phase, seconds: float = 1.0) -> ModelState:
    return ModelState("http://127.0.0.1:1", "m:7b", phase, seconds)


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
