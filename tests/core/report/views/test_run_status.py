"""Where a run stands: each way of showing it says the same."""

from __future__ import annotations

import pytest

from claimscope.core.models import RunState, RunStatus, Usage
from claimscope.core.report.renderers.plain import lines, text
from claimscope.core.report.view import spans_of
from claimscope.core.report.views.run_status import (
    COLUMNS,
    STATES,
    run_line,
    run_row,
    run_view,
    saved_words,
)
from tests.doubles import fakes


def status_of(state: RunState, error: str | None = None) -> RunStatus:
    return RunStatus(
        header=fakes.header("run-7", suite_id="tides", total_samples=9),
        state=state,
        completed=6,
        passed=3,
        failed=2,
        unscored=1,
        usage=Usage(),
        error=error,
    )


def test_the_status_of_a_run_is_one_line() -> None:
    assert run_line(status_of("paused")) == (
        "run-7  paused     6/9  3 passed, 2 failed, 1 unscored  tides  passed by claims"
    )
    assert saved_words(status_of("paused")) == "6 of 9 samples"


def test_a_row_says_what_the_line_says() -> None:
    cells = [text(spans_of(cell)) for cell in run_row(status_of("stopped"))]
    shown = dict(zip([one.title for one in COLUMNS], cells, strict=True))
    assert (shown["state"], shown["done"]) == ("stopped", "6/9")
    counts = [shown[name] for name in ("passed", "failed", "unscored")]
    assert counts == ["3", "2", "1"]
    assert shown["id"] == "run-7" and shown["what passes"] == "passed by claims"


@pytest.mark.parametrize("state", STATES)
def test_every_state_says_how_to_go_on(state: RunState) -> None:
    first, *others = lines(run_view(status_of(state, "The disk is full.\x1b[2J")))
    assert first == run_line(status_of(state))
    assert others[0].startswith("  The disk is full.") and "\x1b" not in others[0]
    words = {found.split()[2] for found in others[1:]}
    at_work = {"attach", "pause", "cancel"}
    wanted = {"running": at_work, "paused": at_work, "finished": {"show"}}
    assert words == wanted.get(state, {"resume"})
