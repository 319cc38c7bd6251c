"""Home: suites, runs, corpora and health at a glance; where everything starts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from time import monotonic

from textual import work
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.timer import Timer

from claimscope.core.errors import ClaimscopeError
from claimscope.core.models import RunStatus
from claimscope.core.report.views.run_status import COLUMNS, run_row
from claimscope.core.text.plurals import counted_noun, verb_of
from claimscope.tui.dialogs.folder import NamedPath, PathDialog
from claimscope.tui.ports.gateway import (
    CorpusInfo,
    HealthCheck,
    NewRun,
    SuiteInfo,
)
from claimscope.tui.ports.library import ImportedSuite
from claimscope.tui.process.faults import as_shown, log_error
from claimscope.tui.screens.base.view import AskNewRun, OpenRun, ScreenContext, View
from claimscope.tui.services.models.inventory import largest_model
from claimscope.tui.views.health import health_lines
from claimscope.tui.views.home import CORPORA, SUITES, corpus_row, suite_row
from claimscope.tui.widgets.bindings import key
from claimscope.tui.widgets.document import Document
from claimscope.tui.widgets.flow import Piece, para
from claimscope.tui.widgets.keybar import KeyBar
from claimscope.tui.widgets.rendered import cells, columns
from claimscope.tui.widgets.table import ScreenTable

NO_RUNS = """\
No runs yet. Ways to begin:
  d  the demo: index the shipped pages, judge the shipped answers
  i  index a folder of pages of your own
  o  open a suite of yours, or import a file of ragas, promptfoo, DeepEval, …
  n  a new run of the suite under the cursor above"""
NO_CORPORA = "No indexed pages yet. i: index a folder"
NO_SUITES = "No suites. o: open one"
POLLS = 4
"""Home reads its runs that much more seldom than a live screen its run."""
SHARE = 20
"""Reading them again takes at most one part in so many of the time."""
DEMO = "medicine"
"""The suite that `claimscope demo` runs."""


class HomeScreen(View):
    """Suites, corpora, runs, health."""

    NAME = "Home"
    PURPOSE = "Suites, runs, indexed pages and what works on this machine."
    AUTO_FOCUS = "#home-runs"
    BINDINGS = [
        key("enter", "home.open", "open", "Open the run or suite"),
        key(
            "n",
            "home.new",
            "new run",
            "Start a new run of the suite under the cursor, or of the run's suite",
            action="new_run",
        ),
        key("d", "home.demo", "demo", "Run the demo on what ships"),
        key("i", "home.index", "index", "Index a folder of pages"),
        key("o", "home.import", "import", "Open or import a suite"),
        key(
            "s",
            "home.suite",
            "suite",
            "The cases of the suite under the cursor, or of the run under it",
        ),
        key("p", "home.pages", "pages", "Indexed pages; search"),
        key("m", "home.models", "models", "Models of the servers"),
        key("g", "home.judge", "judge", "Which models can judge"),
        key(
            "w",
            "home.compare",
            "compare",
            "Compare the run under the cursor with another",
        ),
        key("t", "home.trends", "trends", "The runs of a suite in time"),
        key("l", "home.lab", "lab", "Sweeps of models and prompts"),
        key("r", "home.reload", "reload", "Read everything again"),
        key("tab", "home.tab", "list", "Go to the next list", action="app.focus_next"),
        key(
            "q", "home.quit", "quit", "Leave Claimscope; runs go on", action="app.quit"
        ),
    ]

    def __init__(self, context: ScreenContext) -> None:
        super().__init__(context)
        self._is_beginning = False
        """The demo is being started."""
        self._runs: Sequence[RunStatus] = ()
        self._suites: Sequence[SuiteInfo] = ()
        self._corpora: Sequence[CorpusInfo] = ()
        self._is_read = False
        self._next: Timer | None = None

    def compose(self) -> ComposeResult:
        with Horizontal(id="home-top"):
            yield self.list_pane("home-suites", columns(SUITES, 0))
            yield self.list_pane("home-corpora", columns(CORPORA, 0))
        yield self.list_pane("home-runs", columns(COLUMNS, 0))
        yield Document(id="home-health", classes="pane")
        yield KeyBar()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Home is the first screen: there is no way back from it."""
        return False if action == "leave" else super().check_action(action, parameters)

    def on_mount(self) -> None:
        """Reads in the background, so that the first paint waits for nothing."""
        for name in ("suites", "corpora", "runs", "health"):
            self.query_one(f"#home-{name}").border_title = name
        self.query_one("#home-health", Document).show([para(Piece("Checking", "dim"))])
        self.action_reload()

    def on_screen_resume(self) -> None:
        """Coming back from another screen: what is there has changed."""
        self._read_runs()
        self._read_lists()

    def action_reload(self) -> None:
        self._read_runs()
        self._read_lists()
        self._read_health()

    @work(thread=True, exclusive=True, group="runs", exit_on_error=False)
    def _read_runs(self) -> None:
        began = monotonic()
        try:
            runs = list(self.context.gateway.runs.runs())
        except Exception as error:
            self.from_thread(self._show_error, error, "#home-runs")
        else:
            self.from_thread(self._show_runs, runs)
        self.from_thread(self._read_again, monotonic() - began)

    def _read_again(self, took: float) -> None:
        """Later: runs go on, pause and end while one looks at them."""
        if self._next is not None:
            self._next.stop()
        wait = max(self.context.poll_seconds * POLLS, took * SHARE)
        self._next = self.set_timer(wait, self._look)

    def _look(self) -> None:
        if self.is_current:  # coming back to Home reads anyway
            self._read_runs()

    @work(thread=True, exclusive=True, group="lists", exit_on_error=False)
    def _read_lists(self) -> None:
        gateway = self.context.gateway
        try:
            suites = list(gateway.suites())
            self.from_thread(self._show_suites, suites)
        except Exception as error:
            self.from_thread(self._show_error, error, "#home-suites")
        try:
            corpora = list(gateway.corpora())
            self.from_thread(self._show_corpora, corpora)
        except Exception as error:
            self.from_thread(self._show_error, error, "#home-corpora")

    @work(thread=True, exclusive=True, group="health", exit_on_error=False)
    def _read_health(self) -> None:
        try:
            checks = list(self.context.gateway.health())
        except Exception as caught:
            error = log_error(caught)
            checks = [HealthCheck("health", "error", error.message, error.hint)]
        self.from_thread(self._show_health, checks)

    def _show_error(self, error: Exception, where: str) -> None:
        """Read again and again: told and logged once."""
        words = as_shown(error).message
        self.query_one(where, ScreenTable).show(0, lambda row: (), empty=words)
        self._is_read = False
        self.tell_once(error)

    def _show_runs(self, runs: Sequence[RunStatus]) -> None:
        """The cursor stays on its run when others begin; nothing new, no repaint."""
        if self._is_read and runs == self._runs:
            return
        table, in_hand = self.query_one("#home-runs", ScreenTable), self._run_in_hand()
        self._runs, self._is_read = runs, True
        table.show(len(runs), self._run_cells, empty=NO_RUNS)
        ids = [status.header.run_id for status in runs]
        if in_hand is not None and in_hand.header.run_id in ids and table.cursor:
            table.go_to(ids.index(in_hand.header.run_id))

    def _run_cells(self, row: int) -> list[Piece]:
        return cells(run_row(self._runs[row]), COLUMNS, 0, self.context.glyphs)

    def _show_suites(self, suites: Sequence[SuiteInfo]) -> None:
        self._suites = suites
        self.show_rows("home-suites", list(map(suite_row, suites)), SUITES, NO_SUITES)

    def _show_corpora(self, corpora: Sequence[CorpusInfo]) -> None:
        self._corpora = corpora
        rows = list(map(corpus_row, corpora))
        self.show_rows("home-corpora", rows, CORPORA, NO_CORPORA)

    def _show_health(self, checks: Sequence[HealthCheck]) -> None:
        self.show_parts("home-health", health_lines(checks))

    def on_screen_table_selected(self, event: ScreenTable.Selected) -> None:
        self.action_open()

    def action_open(self) -> None:
        """Opens what is under the cursor of the list in hand."""
        table = self.focused
        if not isinstance(table, ScreenTable) or not table.row_count:
            return
        if table.id == "home-runs":
            status = self._runs[table.cursor]
            self.post_message(OpenRun(status.header.run_id))
        elif table.id == "home-suites":
            self.action_new_run()
        else:
            self.action_pages()

    def action_pages(self) -> None:
        corpus = self.under_cursor("home-corpora", self._corpora)
        self.open_screen("pages", corpus.name if corpus else None)

    def action_suite(self) -> None:
        suite = self._suite_in_hand()
        if suite is not None:
            self.open_screen("suite", Path(suite.path))
        elif self._suites:
            self.tell("The suite of this run is no longer where it was.")
        else:
            self.tell("There is no suite yet; o opens or imports one.")

    def action_models(self) -> None:
        self.open_screen("models")

    def action_judge(self) -> None:
        self.open_screen("judge")

    def _run_in_hand(self) -> RunStatus | None:
        return self.under_cursor("home-runs", self._runs)

    def _suite_in_hand(self) -> SuiteInfo | None:
        """The suite under the cursor; while the runs are in hand, that of the run."""
        status = self._run_in_hand()
        table = self.query_one("#home-suites", ScreenTable)
        if status is None or self.focused is not self.query_one("#home-runs"):
            return self._suites[table.cursor] if self._suites else None
        head = status.header
        by_path = (suite for suite in self._suites if suite.path == head.suite_path)
        names = (head.suite_title, head.suite_id)
        by_name = (s for s in self._suites if s.title in names or s.name in names)
        return next(by_path, None) or next(by_name, None)

    def action_compare(self) -> None:
        """The run under the cursor, with another of its suite."""
        status = self._run_in_hand()
        if status is None:
            self.tell("There is no run to compare yet; n starts one.")
        else:
            self.open_screen("compare", status.header.run_id)

    def action_lab(self) -> None:
        """Sweeps of model, temperature, top_p and system prompt."""
        self.open_screen("sweeps")

    def action_trends(self) -> None:
        status = self._run_in_hand()
        suite_id = status.header.suite_id if status else None
        self.open_screen("trends", suite_id)

    def action_new_run(self) -> None:
        suite = self._suite_in_hand()
        self.post_message(AskNewRun(suite.name if suite else None))

    # --- the demo ---

    def action_demo(self) -> None:
        """Indexes the shipped pages and judges the shipped answers."""
        if not self._is_beginning:
            self._is_beginning = True
            self.tell("Indexing the shipped pages; the run opens when it has begun.")
            self.in_background(
                self._start_demo, self._demo_began, self._demo_failed, group="demo"
            )

    def _start_demo(self) -> str:
        gateway = self.context.gateway
        try:
            model = largest_model(gateway.hosts())
        except ClaimscopeError:
            model = None  # everything but the two grades works without one
        return gateway.start_run(NewRun(DEMO, judge=model is not None, model=model))

    def _demo_failed(self, error: ClaimscopeError) -> None:
        self._is_beginning = False
        self.tell_error(error)

    def _demo_began(self, run_id: str) -> None:
        self._is_beginning = False
        self.post_message(OpenRun(run_id))

    # --- pages and suites ---

    def action_index(self) -> None:
        self.open_screen("pages", ask=True)

    def action_import(self) -> None:
        """Asks for a file of cases, of ours or of another tool."""

        def take(named: NamedPath | None) -> None:
            if named is not None:
                library = self.context.gateway.library
                self.in_background(
                    lambda: library.import_suite(named.path),
                    self._imported,
                    group="import",
                )

        title = "Open a suite, or import a file of ragas, promptfoo, DeepEval"
        self.app.push_screen(PathDialog(title, folder=False), take)

    def _imported(self, found: ImportedSuite) -> None:
        if found.tool:
            words = (
                f"{found.tool}: {counted_noun(found.cases, 'case')} "
                f"{verb_of(found.cases, 'was', 'were')} taken."
            )
            if found.left:
                words += f" No place for: {', '.join(found.left)}."
            if found.missing:
                words += f" Missing values: {', '.join(found.missing)}."
            self.tell(words)
        if found.problems:
            count, first = len(found.problems), found.problems[0]
            self.tell(
                f"{counted_noun(count, 'row')} {verb_of(count, 'was', 'were')} "
                f"not taken. {first}",
                warning=True,
            )
        self._read_lists()
        self.open_screen("suite", found.path)
