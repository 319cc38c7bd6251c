"""Trends: the runs of a suite in time, one figure plotted, and what moved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from textual import events, work
from textual.app import ComposeResult
from textual.worker import Worker, get_current_worker

from claimscope.core.analysis.compare.comparison import RunData
from claimscope.core.analysis.summary.iterations import PASS_RATE
from claimscope.core.analysis.trends import Trend, runs_of, trends
from claimscope.core.errors import ClaimscopeError
from claimscope.core.models import RunStatus
from claimscope.core.report.view import Part
from claimscope.core.report.views.comparison import judgement
from claimscope.core.report.views.trends import (
    Step,
    details,
    head,
    run_columns,
    run_row,
    steps,
)
from claimscope.tui.dialogs.choice import Choice
from claimscope.tui.process.faults import log_error
from claimscope.tui.review.comparison import Sides, read_side
from claimscope.tui.screens.base.view import WIDE, OpenRun, ScreenContext, View
from claimscope.tui.widgets.bindings import key
from claimscope.tui.widgets.document import Document
from claimscope.tui.widgets.flow import Piece, para
from claimscope.tui.widgets.glyphs import Glyphs
from claimscope.tui.widgets.keybar import KeyBar
from claimscope.tui.widgets.plot import Dot, Picture, PlotPane, load_canvas, range_of
from claimscope.tui.widgets.rendered import cells, columns, piece
from claimscope.tui.widgets.table import ScreenTable

LEAST_GAP = 6
"""Columns between the numbers below a plot."""
NEWEST = 20
"""Runs that are read unless all are asked for."""
NO_VALUE = "No run has a value of this figure; left and right choose another."
NO_ROOM = "The plot has no room here; the table has its figures."


class TrendsScreen(View):
    """Plot above, a line a run below, the run under the cursor last."""

    NAME = "Trends"
    PURPOSE = "The runs of a suite in time: what moved, and whether beyond noise."
    AUTO_FOCUS = "#trends-table"
    BINDINGS = [
        key("enter", "trends.open", "results", "The results of the run"),
        key("c", "trends.compare", "compare", "With the run before"),
        key(
            "left",
            "trends.last",
            "previous",
            "Previous figure",
            action="figure(-1)",
            key_display="left",
            group="figure",
        ),
        key(
            "right",
            "trends.next",
            "next",
            "Next figure",
            action="figure(1)",
            key_display="right",
            group="figure",
        ),
        key(
            "m", "trends.figure", "choose figure", "Plot which?", action="choose_figure"
        ),
        key(
            "s", "trends.suite", "suite", "Runs of which suite?", action="choose_suite"
        ),
        key("a", "trends.all", "all/newest", "All runs or the newest"),
        key("r", "trends.reload", "reload", "Read all runs again"),
    ]

    def __init__(self, context: ScreenContext, suite_id: str | None = None) -> None:
        """suite_id: None = that of the newest finished run."""
        super().__init__(context)
        self._suite_id = suite_id
        self._suites: Sequence[str] = ()
        self._figure = PASS_RATE
        self._is_all = False
        self._trend: Trend | None = None
        self._older = 0
        self._unread: Sequence[str] = ()

    def compose(self) -> ComposeResult:
        yield Document(id="trends-head", can_focus=False)
        yield PlotPane(self.context.glyphs, id="trends-plot")
        yield self.list_pane("trends-table")
        yield Document(id="trends-details", can_focus=False)
        yield KeyBar()

    def on_mount(self) -> None:
        self.title_panes(trends_table="runs")
        self.action_reload()

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self._show_figures)

    # --- reading ---

    def action_reload(self) -> None:
        self._say(Piece("Reading the runs", "dim"))
        self._load(self._suite_id)

    def _say(self, *pieces: Piece) -> None:
        self.query_one("#trends-head", Document).show([para(*pieces)])

    @work(thread=True, exclusive=True, group="read", exit_on_error=False)
    def _load(self, wanted: str | None) -> None:
        worker = get_current_worker()
        unread: list[str] = []
        suites: list[str] = []
        try:
            statuses = list(self.context.gateway.runs.runs())
            done = [s.header.suite_id for s in statuses if s.state == "finished"]
            suites = list(dict.fromkeys(done))
            suite_id, mine, rest = runs_of(statuses, wanted)
            chosen = mine if self._is_all else mine[-NEWEST:]
            trend = trends(suite_id, self._data(chosen, unread, worker), rest)
        except Exception as error:
            self.from_thread(self._show_error, log_error(error), suites)
            return
        load_canvas()
        older = len(mine) - len(chosen)
        self.from_thread(self._loaded, trend, suites, older, unread)

    def _data(
        self, runs: Sequence[RunStatus], unread: list[str], worker: Worker[object]
    ) -> Iterator[RunData]:
        """Each run when it is asked for; one that cannot be read is left out."""
        for n, status in enumerate(runs, 1):
            if worker.is_cancelled:
                return
            text = f"Reading run {n} of {len(runs)}"
            self.from_thread(self._say, Piece(text, "dim"))
            try:
                yield read_side(self.context.gateway.runs, status.header.run_id)[1]
            except ClaimscopeError as error:
                unread.append(f"{status.header.run_id}: {error.message}")

    def _show_error(self, error: ClaimscopeError, suites: Sequence[str]) -> None:
        self._trend, self._suites = None, suites
        self._problem = f"{error.message}\n{error.hint}"
        sign = Piece(f"{self.context.glyphs.not_enough_info} ", "not_enough_info")
        self._say(sign, Piece("No trend to show", "strong"))
        self._show_figures()

    def _loaded(
        self, trend: Trend, suites: Sequence[str], older: int, unread: Sequence[str]
    ) -> None:
        self._trend, self._suites, self._older = trend, suites, older
        self._suite_id, self._unread = trend.suite_id, unread
        self._problem = None
        if not trend.points:
            self._problem = "\n".join(("No run could be read.", *unread))
        if self._figure not in self._figures:
            self._figure = PASS_RATE
        self._show_figures()
        self.query_one("#trends-table", ScreenTable).go_to(len(trend.points) - 1)

    # --- what is shown ---

    @property
    def _figures(self) -> list[str]:
        return [PASS_RATE, *(self._trend.metrics if self._trend else ())]

    @property
    def _steps(self) -> list[Step]:
        return steps(self._trend, self._figure) if self._trend else []

    def _show_figures(self) -> None:
        table = self.query_one("#trends-table", ScreenTable)
        width, glyphs, shown = self.size.width, self.context.glyphs, self._steps
        wide = width >= WIDE
        found = run_columns(wide=wide)
        table.set_columns(columns(found, width))
        table.show(
            len(shown),
            lambda at: cells(
                run_row(at + 1, shown[at], wide=wide), found, width, glyphs
            ),
            empty=self._problem or "Reading",
        )
        if self._trend is not None:
            line = head(self._trend, self._figure, self._unread, self._older)
            self.show_parts("trends-head", [line])
        self._show_run()

    def _show_run(self) -> None:
        """Plot and details follow the cursor."""
        row, shown, glyphs = self._row, self._steps, self.context.glyphs
        pane = self.query_one("#trends-plot", PlotPane)
        plotted = picture(shown, row, pane.size.width, glyphs)
        empty = NO_VALUE if shown and plotted is None else NO_ROOM if shown else ""
        pane.show(plotted, empty)
        parts: Iterable[Part] = ()
        if self._trend is not None and row < len(shown):
            parts = details(self._trend, row, self._unread)
        self.show_parts("trends-details", parts)

    @property
    def _row(self) -> int:
        return self.query_one("#trends-table", ScreenTable).cursor

    def on_screen_table_moved(self, event: ScreenTable.Moved) -> None:
        self._show_run()

    # --- actions ---

    def on_screen_table_selected(self, event: ScreenTable.Selected) -> None:
        self.action_open()

    def action_open(self) -> None:
        if self._steps:
            run_id = self._steps[self._row].point.run_id
            self.post_message(OpenRun(run_id, results=True))

    def action_compare(self) -> None:
        if not self._steps:
            return
        point = self._steps[self._row].point
        if point.step is None:
            self.tell("This is the first run: there is none before to compare with.")
            return
        sides = Sides(point.step.before, point.run_id)
        self.open_screen("compare", point.run_id, sides)

    def action_figure(self, step: int) -> None:
        figures = self._figures
        self._figure = figures[(figures.index(self._figure) + step) % len(figures)]
        self._show_figures()

    def action_choose_figure(self) -> None:
        def show(figure: str) -> None:
            self._figure = figure
            self._show_figures()

        choices = [Choice(name, name) for name in self._figures]
        self.choose("Plot which?", choices, show, self._figure)

    def action_choose_suite(self) -> None:
        if not self._suites:
            self.tell("No suite has a finished run yet.")
            return

        def show(suite_id: str) -> None:
            self._suite_id = suite_id
            self.action_reload()

        choices = [Choice(name, name) for name in self._suites]
        self.choose("Runs of which suite?", choices, show, self._suite_id)

    def action_all(self) -> None:
        self._is_all = not self._is_all
        self.action_reload()


def picture(
    shown: Sequence[Step], chosen: int, width: int, glyphs: Glyphs
) -> Picture | None:
    """Values with their intervals, numbered as in the table; None without a value."""
    dots = []
    for n, step in enumerate(shown):
        if step.value is None:
            continue
        low, high = (
            (step.interval.low, step.interval.high) if step.interval else (None, None)
        )
        sign, role = _mark(step, glyphs)
        if n == chosen:
            sign, role = glyphs.chosen, f"{role} current"
        dots.append(Dot(n + 1, step.value, low, high, sign, role))
    if not dots:
        return None
    scale = next(step.scale for step in shown if step.value is not None)
    every = max(1, -(-len(shown) * LEAST_GAP // max(width, 1)))
    ticks = [(n, str(n)) for n in range(1, len(shown) + 1, every)]
    ends = (0.5, len(shown) + 0.5)
    return Picture(dots, ends, range_of(dots, scale), ticks)


def _mark(step: Step, glyphs: Glyphs) -> tuple[str, str]:
    """A move beyond noise has a sign of its own."""
    if step.moved is None or step.moved.within_noise or not step.moved.difference:
        return glyphs.point, "heading"
    verdict = piece(judgement(step.moved), glyphs)
    return verdict.text.split()[0], verdict.roles
