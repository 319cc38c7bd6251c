"""A run as it goes: followed by reading its journal, steered by leaving requests.

The engine is another process: leaving this screen, or losing the connection, leaves
the run alone.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual import work
from textual.app import ComposeResult

from claimscope.core.models import RunState, RunStatus, SampleResult
from claimscope.core.ports import Control, ModelState, RunReader
from claimscope.core.report.view import Span, line
from claimscope.tui.review.items import KIND_WORDS
from claimscope.tui.screens.base.steering import Steering
from claimscope.tui.screens.base.view import OpenRun, ScreenContext
from claimscope.tui.views.run import SoFar, log_lines, run_figures, scores_so_far
from claimscope.tui.widgets.bindings import key
from claimscope.tui.widgets.document import Document
from claimscope.tui.widgets.flow import Paragraph, Piece
from claimscope.tui.widgets.keybar import KeyBar
from claimscope.tui.widgets.rendered import paragraphs
from claimscope.tui.widgets.sample_text import outcome
from claimscope.tui.widgets.table import ScreenColumn, ScreenTable

if TYPE_CHECKING:
    from claimscope.core.analysis.summary.cost import Prices

LAST_SAMPLES = 100
LAST_NOTES = 500
COLUMNS = (
    ScreenColumn("outcome", 10),
    ScreenColumn("case", 16),
    ScreenColumn("provider", 12),
    ScreenColumn("failures"),
)
WINDOW = 60
"""Readings over which the rate is taken."""


class LiveScreen(Steering):
    """Progress, counts, last samples and the log of one run."""

    NAME = "Run"
    PURPOSE = "Follow a run; pause, resume or cancel it. Leaving does not stop it."
    AUTO_FOCUS = "#live-samples"
    BINDINGS = [
        key("enter", "live.results", "results", "Results so far"),
        key("p", "live.pause", "pause", "Finish calls in flight and wait"),
        key("r", "live.resume", "resume", "Go on with the run"),
        key("x", "live.cancel", "cancel", "End the run for good"),
        key("d", "live.detach", "detach", "Leave; the run goes on", action="leave"),
    ]

    def __init__(self, context: ScreenContext, run_id: str, reader: RunReader) -> None:
        super().__init__(context)
        self._run_id = run_id
        self._run = reader
        self._status = reader.status()
        self._states: Sequence[ModelState] = ()
        self._samples: Sequence[SampleResult] = ()
        self._readings: deque[tuple[float, int]] = deque(maxlen=WINDOW)
        self._shown: tuple[Paragraph, ...] = ()
        self._offered = ""
        """The state whose keys are shown."""
        self._has_read = False
        self._scores: Sequence[SoFar] = ()
        self._scored = 0
        self._prices: Prices | None = None

    def compose(self) -> ComposeResult:
        yield Document(id="live-figures", classes="pane", can_focus=False)
        empty = "No sample is finished yet."
        yield self.list_pane("live-samples", COLUMNS, empty=empty)
        yield Document(id="live-notes", classes="pane")
        yield KeyBar()

    def on_mount(self) -> None:
        self.title_panes(
            live_figures="run", live_samples="last finished", live_notes="log"
        )
        self._show_figures()
        self.begin_to_follow()

    # --- following ---

    @work(thread=True, group="follow", exit_on_error=False)
    def read(self) -> None:
        try:
            changed = self._run.refresh()
            status = self._run.status()
            states = self._run.model_states()
            samples = notes = scores = None
            if self._are_scores_old(status):
                scores = scores_so_far(self._run.rows())
                self._prices = self.context.gateway.prices(self._run)
            if changed or not self._has_read:
                samples = list(self._run.samples())[-LAST_SAMPLES:][::-1]
                notes = list(self._run.notes())[-LAST_NOTES:]
        except Exception as error:
            self.from_thread(self.tell_once, error)
            return
        self.from_thread(self._show, status, states, samples, notes, scores)

    def _show(
        self,
        status: RunStatus,
        states: Sequence[ModelState],
        samples: Sequence[SampleResult] | None,
        notes: Sequence[tuple[str, str]] | None,
        scores: Sequence[SoFar] | None,
    ) -> None:
        """Repaints only what is different: a terminal far away gets few bytes."""
        if scores is not None:
            self._scores, self._scored = scores, status.completed
        self._status, self._states = status, states
        now = self.context.now().timestamp()
        if not self._readings or self._readings[-1][1] != status.completed:
            self._readings.append((now, status.completed))
        self.forget_obeyed()
        self._show_figures()
        if samples is not None:
            self._has_read = True
            self._samples = samples
            self.query_one("#live-samples", ScreenTable).show(len(samples), self._cells)
        if notes is not None:
            empty = [line(Span("Nothing to note.", "faint"))]
            self.show_parts("live-notes", list(log_lines(notes)) or empty)

    def _show_figures(self) -> None:
        width = max(self.size.width - 2, 20)
        parts = run_figures(
            self._status,
            self._rate(),
            self._requested,
            width,
            self._states,
            self._scores,
            self._prices,
        )
        shown = tuple(paragraphs(parts, self.context.glyphs))
        if shown != self._shown:
            self._shown = shown
            pane = self.query_one("#live-figures", Document)
            pane.show(shown)
            pane.styles.height = 1 + sum(
                1 + sum(len(piece.text) for piece in paragraph.pieces) // (width + 1)
                for paragraph in shown
            )
        if self._status.state != self._offered:  # other keys: a paint more
            self._offered = self._status.state
            self.refresh_bindings()

    def _are_scores_old(self, status: RunStatus) -> bool:
        """Means of long runs move slowly, and cost a look at all their rows."""
        new = status.completed - self._scored
        return new > 0 and new * 50 >= self._scored

    def _rate(self) -> float | None:
        """Samples a second over the last readings."""
        if len(self._readings) < 3:
            return None
        (first, before), (last, after) = self._readings[0], self._readings[-1]
        return (after - before) / (last - first) if last > first else None

    def _cells(self, row: int) -> list[Piece]:
        sample = self._samples[row]
        kinds = dict.fromkeys(KIND_WORDS[f.kind] for f in sample.failures)
        text = sample.error or ", ".join(kinds)
        return [
            outcome(sample, self.context.glyphs),
            Piece(sample.key.case_id),
            Piece(sample.key.provider),
            Piece(text),
        ]

    # --- steering ---

    @property
    def state(self) -> RunState:
        return self._status.state

    @property
    def has_engine(self) -> bool:
        """A paused one reads requests too."""
        return self.state == "paused" or self._status.pid is not None

    def request(self, control: Control) -> None:
        self._run.ask(control)

    def show_request(self) -> None:
        self._show_figures()

    def start_again(self) -> None:
        """Goes on with what is left of the run."""
        self.context.gateway.resume_run(self._run_id)

    def on_screen_table_selected(self, event: ScreenTable.Selected) -> None:
        self.action_results()

    def action_results(self) -> None:
        self.post_message(OpenRun(self._run_id, results=True))
