"""Results: all samples of a run, sorted and filtered; enter steps through them.

Works on light rows (core.ports.RunReader.rows), and whatever goes over all of them is
done in a thread: the screen answers keys at 100,000 rows as at ten. The newest wish
wins; what an older one finds is dropped.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from textual import events, work
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input
from textual.worker import get_current_worker

from claimscope.core.analysis.agreement.overrides import settings_of
from claimscope.core.analysis.summary.summary import Group, by_provider
from claimscope.core.errors import ClaimscopeError
from claimscope.core.models import SampleRow
from claimscope.core.ports import RunReader
from claimscope.core.report.views.run_status import judged_by
from claimscope.core.text.plurals import counted_noun
from claimscope.tui.dialogs.checklist import ChecklistDialog
from claimscope.tui.dialogs.choice import Choice
from claimscope.tui.dialogs.new_file import NewFileDialog
from claimscope.tui.dialogs.note import NoteDialog
from claimscope.tui.process.faults import log_error
from claimscope.tui.process.memory import collect_all, collect_around
from claimscope.tui.review.answer_search import (
    MANY,
    REST,
    SHORTEST,
    AnswerSearch,
    stopped_within,
)
from claimscope.tui.review.items import KIND_WORDS, wanted_of
from claimscope.tui.screens.base.searching import Searching
from claimscope.tui.screens.base.view import WIDE, ScreenContext
from claimscope.tui.screens.results.arrangements import (
    BY_CASE,
    LONGEST_NAME,
    Arrangement,
    NamedView,
    SavedViews,
)
from claimscope.tui.screens.results.columns import RowColumn, catalogue, fitting
from claimscope.tui.screens.results.corrected_rows import CorrectedRows, corrected_rows
from claimscope.tui.screens.results.export import (
    FORMATS,
    Format,
    ListedSamples,
    Stopped,
    export_path,
    write_shown,
)
from claimscope.tui.screens.results.listing import (
    Listing,
    Numbers,
    RowSamples,
    Superseded,
    numbers,
)
from claimscope.tui.widgets.bindings import key
from claimscope.tui.widgets.document import Document
from claimscope.tui.widgets.flow import Piece, para, plain
from claimscope.tui.widgets.group_text import group_line
from claimscope.tui.widgets.keybar import KeyBar
from claimscope.tui.widgets.rendered import paragraph
from claimscope.tui.widgets.table import ScreenTable

NONE: Numbers = numbers(())
GROUPS = 3
"""Providers whose figures are shown above the table."""
MEANS = 4
"""More do not fit beside each other."""
LONG = 5000
"""Samples from which on it is said that writing goes on."""
_ALL, _SAVE, _REMOVE, _SHOW = "all", "save", "remove", "show "


class ResultsScreen(Searching):
    """A table of samples with the figures of each provider above it."""

    NAME = "Results"
    PURPOSE = "All samples of a run: sort, filter, step through, take away."
    AUTO_FOCUS = "#results-table"
    LINE, LIST = "results-search", "results-table"
    BINDINGS = [
        key("enter", "results.step", "step through", "Step through claims"),
        key(
            "slash",
            "results.find",
            "find",
            "Only samples with a text in them",
            action="search",
            opens_line=True,
        ),
        key("f", "results.filter", "filter", "Only one kind of failure"),
        key("x", "results.failures", "failures", "Only samples that did not pass"),
        key("s", "results.sort", "sort", "Sort by a column"),
        key("c", "results.columns", "columns", "Choose the columns"),
        key(
            "v",
            "results.views",
            "views",
            "Show a saved view, save what is shown as one, or remove one",
        ),
        key("e", "results.export", "export", "Write what is shown to a file"),
        key(
            "w",
            "results.compare",
            "compare",
            "Compare with another run, or providers with one another",
        ),
        key(
            "u",
            "results.quarters",
            "quarters",
            "Which samples are faithful, which complete, and what failed in each",
        ),
        key("t", "results.trends", "trends", "The suite over time"),
        key("r", "results.reload", "reload", "Read what was finished since"),
    ]

    def __init__(
        self, context: ScreenContext, reader: RunReader, *, step: bool = False
    ) -> None:
        super().__init__(context)
        self.arrangement = Arrangement()
        self._run = reader
        self._step = step
        self._machine: Sequence[SampleRow] | None = None
        """As the machine judged them; None until they are read."""
        self._found = CorrectedRows((), 0, 0)
        self._listing = Listing(())
        self._answers = AnswerSearch((), reader.sample)
        self._shown = NONE
        self._groups: Sequence[Group] = ()
        self._more = 0
        """Providers whose figures are not shown."""
        self._columns: Sequence[RowColumn] = ()
        self._left_out = 0
        self._searched = ""
        """How far the answers are looked into, in words."""

    def compose(self) -> ComposeResult:
        yield Document(id="results-summary", can_focus=False)
        yield Input(
            placeholder="case, provider, category, question or answer has …",
            id="results-search",
            compact=True,
        )
        yield self.list_pane("results-table")
        yield KeyBar()

    def on_mount(self) -> None:
        self._read(anew=True)

    def on_resize(self, event: events.Resize) -> None:
        self._show_summary()
        self._show_table()

    def on_unmount(self) -> None:
        collect_all()

    def on_screen_resume(self) -> None:
        """Words that were given in the stepper change scores."""
        if self._machine is not None and self._has_new_words():
            self._read(anew=False)

    def _has_new_words(self) -> bool:
        try:
            return self._found.words != len(self._run.human_verdicts())
        except ClaimscopeError as error:
            self.tell_error(error)
            return False

    # --- reading ---

    def action_reload(self) -> None:
        self._read(anew=True)

    @work(thread=True, exclusive=True, group="read", exit_on_error=False)
    def _read(self, *, anew: bool) -> None:
        try:
            collect_all()
            self._run.refresh()
            machine = self._machine
            if machine is None or anew or len(machine) != len(self._run.samples()):
                machine = self._run.rows()
            found = corrected_rows(self._run, machine)
        except Exception as error:
            self.from_thread(self._show_error, log_error(error))
            return
        listing = Listing(found.rows)
        listing.order(BY_CASE)
        self.from_thread(self._take_rows, machine, found, listing)
        names = sorted({row.provider for row in found.rows})[:GROUPS]
        part = [row for row in found.rows if row.provider in names]
        limits = settings_of(self._run.status().header)
        groups = by_provider(part, listing.metrics[:MEANS], limits)
        more = len({row.provider for row in found.rows}) - len(names)
        self.from_thread(self._take_groups, groups, more)
        listing.warm()
        collect_around()

    def _show_error(self, error: ClaimscopeError) -> None:
        self._problem = f"{error.title}: {error.message}"
        self._show_table()
        self.tell_error(error)

    def _take_rows(
        self, machine: Sequence[SampleRow], found: CorrectedRows, listing: Listing
    ) -> None:
        self._machine, self._found, self._listing = machine, found, listing
        self._answers = AnswerSearch(found.rows, self._run.sample)
        self._problem = None
        self._show_summary()
        self._choose()

    def _take_groups(self, groups: Sequence[Group], more: int) -> None:
        self._groups, self._more = groups, more
        self._show_summary()

    # --- what is shown ---

    def rearrange(self, arrangement: Arrangement) -> None:
        """Shows another view."""
        search = self.query_one("#results-search", Input)
        with self.prevent(Input.Changed):
            search.value = arrangement.text
        search.set_class(bool(arrangement.text), "-open")
        self._arrange(arrangement)

    def _change(self, **fields: object) -> None:
        self._arrange(self.arrangement.model_copy(update=fields))

    def _arrange(self, arrangement: Arrangement) -> None:
        self.arrangement = arrangement
        self._choose()

    @work(thread=True, exclusive=True, group="choose", exit_on_error=False)
    def _choose(self) -> None:
        """Filters and sorts, then shows; then looks into the answers."""
        worker = get_current_worker()
        listing, wanted, answers = self._listing, self.arrangement, self._answers

        def is_stopped() -> bool:
            return worker.is_cancelled

        try:
            fit = listing.chosen(wanted, is_stopped)
            self.from_thread(self._take, listing, fit, "")
            needle = wanted.text.casefold()
            left = listing.count(wanted) - len(fit)
            if len(needle) < SHORTEST or not left:
                return
            if left > MANY and stopped_within(REST, is_stopped):
                return
            others = listing.without_text(wanted, is_stopped)
            for found in answers.search(needle, others, is_stopped):
                fit = listing.chosen(wanted, is_stopped, found.rows)
                far = f", answers {found.done * 100 // max(found.total, 1)} %"
                is_done = found.done == found.total
                self.from_thread(self._take, listing, fit, "" if is_done else far)
        except Superseded:
            return
        except Exception as error:
            self.from_thread(self.tell_error, log_error(error))

    def _take(self, listing: Listing, numbers: Numbers, searched: str) -> None:
        if listing is not self._listing:
            return  # read anew meanwhile
        self._shown, self._searched = numbers, searched
        self._show_table()
        if self._step:
            self._step = False
            self.open_screen("stepper", self._run, self._samples)

    @property
    def _samples(self) -> RowSamples:
        """The samples shown, as the machine judged them; read when looked at."""
        return RowSamples(self._listing.rows, self._shown, self._run.sample)

    def _show_summary(self) -> None:
        if self._machine is None:
            return
        head = judged_by(self._run.status().header, self._found.overruled)
        paragraphs = [paragraph(head, self.context.glyphs)]
        width = max(self.size.width - 1, 20)
        for group in self._groups:
            paragraphs.append(group_line(group, self.context.glyphs, width))
        if self._more:
            paragraphs.append(
                para(Piece(f"and {counted_noun(self._more, 'provider')}", "dim"))
            )
        summary = self.query_one("#results-summary", Document)
        summary.show(paragraphs)
        summary.styles.height = min(5, max(2, len(paragraphs)))

    def _show_table(self) -> None:
        table = self.query_one("#results-table", ScreenTable)
        wide = self.size.width >= WIDE
        known = catalogue(self._listing.metrics, self.context.glyphs, wide=wide)
        fit = fitting(known, self.arrangement.columns, self.size.width)
        self._columns, self._left_out = fit
        table.set_columns([c for column in self._columns for c in column.columns])
        title = Content(plain(self._title()))
        if table.border_title != title:
            table.border_title = title
        empty = "No sample fits the filter; x, f and / change it."
        if not len(self._listing):
            empty = self._problem or "No sample is finished yet."
            empty = "Reading" if self._machine is None and not self._problem else empty
        table.show(len(self._shown), self._cells, empty=empty)

    def _title(self) -> str:
        """What is shown, in words."""
        wanted = self.arrangement
        parts = [f"{len(self._shown)} of {counted_noun(len(self._listing), 'sample')}"]
        parts += ["failures only"] if wanted.failures_only else []
        parts += [KIND_WORDS[wanted.kind]] if wanted.kind else []
        parts += [f"with {wanted.text!r}{self._searched}"] if wanted.text else []
        parts += [f"by {wanted.sort}"] if wanted.sort != BY_CASE else []
        if self._left_out:
            parts.append(f"{self._left_out} columns do not fit")
        return ", ".join(parts)

    def _cells(self, row: int) -> list[Piece]:
        sample = self._listing.rows[self._shown[row]]
        return [piece for column in self._columns for piece in column.cells(sample)]

    def shown(self) -> ListedSamples:
        """What an export writes."""
        rows = [self._listing.rows[number] for number in self._shown]
        return ListedSamples(
            self._run,
            self._samples,
            rows,
            self._columns,
            self._title(),
            self._found.overruled,
        )

    # --- actions ---

    def on_screen_table_selected(self, event: ScreenTable.Selected) -> None:
        self.action_step()

    def action_step(self) -> None:
        """Steps through the samples shown, from the one under the cursor."""
        if not len(self._shown):
            return
        row = self.query_one("#results-table", ScreenTable).cursor
        samples = self._samples
        kind = self.arrangement.kind
        with self.telling_errors():
            samples[row]  # it can be read
            self.open_screen("stepper", self._run, samples, row, kind)

    def search(self, text: str) -> None:
        self._change(text=text)

    def action_filter(self) -> None:
        counts = self._listing.counts
        choices = [Choice("all", "all samples")]
        choices += [
            Choice(str(kind), f"{KIND_WORDS[kind]} ({count})")
            for kind, count in counts.items()
        ]

        def show(value: str) -> None:
            self._change(kind=None if value == "all" else wanted_of(value))

        chosen = str(self.arrangement.kind or "all")
        self.choose("Show which failures?", choices, show, chosen)

    def action_failures(self) -> None:
        self._change(failures_only=not self.arrangement.failures_only)

    def action_compare(self) -> None:
        """This run with another of its suite, or its providers."""
        self.open_screen("compare", self._run.status().header.run_id)

    def action_quarters(self) -> None:
        self.open_screen("quadrants", self._run)

    def action_trends(self) -> None:
        self.open_screen("trends", self._run.status().header.suite_id)

    def action_sort(self) -> None:
        choices = [Choice(name, name) for name in self._listing.orders()]
        self.choose(
            "Sort by",
            choices,
            lambda value: self._change(sort=value),
            self.arrangement.sort,
        )

    def action_columns(self) -> None:
        """Asks which columns are shown; none chosen means those that fit."""
        known = catalogue(self._listing.metrics, self.context.glyphs, wide=True)
        chosen = self.arrangement.columns or [column.name for column in self._columns]

        def done(names: list[str] | None) -> None:
            if names is not None:
                self._change(columns=tuple(names) or None)

        names = [column.name for column in known]
        self.app.push_screen(
            ChecklistDialog("Which columns? None: those that fit", names, chosen), done
        )

    # --- views ---

    def _views(self) -> Sequence[NamedView] | None:
        """All saved ones; None, and told of, when their file has a mistake."""
        try:
            return SavedViews(self.context.gateway.folder).read()
        except ClaimscopeError as error:
            self.tell_error(error)
            return None

    def action_views(self) -> None:
        views = self._views()
        choices = [Choice(_ALL, "everything, as at first")]
        choices += [Choice(_SHOW + v.name, v.name) for v in views or ()]
        if views is not None:
            choices.append(Choice(_SAVE, "save what is shown as a view …"))
        if views:
            choices.append(Choice(_REMOVE, "remove a view …"))
        now = next(
            (v.name for v in views or () if v.arrangement == self.arrangement), None
        )

        def show(value: str) -> None:
            if value == _ALL:
                self.rearrange(Arrangement())
            elif value == _SAVE:
                self._ask_name(now or "")
            elif value == _REMOVE:
                self._ask_which(views or ())
            else:
                name = value.removeprefix(_SHOW)
                chosen = next(v for v in views or () if v.name == name)
                self.rearrange(chosen.arrangement)

        chosen = _SHOW + now if now else _ALL
        self.choose("Views of Results", choices, show, chosen)

    def _ask_name(self, name: str) -> None:
        def done(given: str | None) -> None:
            given = (given or "")[:LONGEST_NAME].strip()
            if given:
                self._keep(NamedView(name=given, arrangement=self.arrangement))

        self.app.push_screen(NoteDialog("Name of this view", name), done)

    def _keep(self, view: NamedView) -> None:
        saved = SavedViews(self.context.gateway.folder)
        with self.telling_errors():
            saved.save(view)
            self.tell(f"Saved as {view.name!r} in {saved.path}")

    def _ask_which(self, views: Sequence[NamedView]) -> None:
        def remove(name: str) -> None:
            with self.telling_errors():
                SavedViews(self.context.gateway.folder).remove(name)
                self.tell(f"Removed the view {name!r}")

        choices = [Choice(view.name, view.name) for view in views]
        self.choose("Remove which view?", choices, remove)

    # --- exports ---

    def action_export(self) -> None:
        shown = self.shown()
        if not shown.rows:
            self.tell("There is nothing to write.")
            return

        def write(value: str) -> None:
            for name in FORMATS:
                if name == value:
                    self._ask_file(shown, name)

        choices = [Choice(n, text, text[0].lower()) for n, text in FORMATS.items()]
        title = f"Write {counted_noun(len(shown.rows), 'sample')} as"
        self.choose(title, choices, write)

    def _ask_file(self, shown: ListedSamples, name: Format) -> None:
        """Offers a name in the workspace; any other may be given."""
        run_id = shown.reader.status().header.run_id
        offered = export_path(self.context.gateway.folder, run_id, self.context.stamp())

        def done(path: Path | None) -> None:
            if path is not None:
                if len(shown.rows) >= LONG:
                    self.tell(f"Writing {counted_noun(len(shown.rows), 'sample')}")
                self._export(shown, name, path)

        title = f"Write {counted_noun(len(shown.rows), 'sample')} to"
        self.app.push_screen(NewFileDialog(title, f"{offered}.{name}"), done)

    @work(thread=True, exclusive=True, group="export", exit_on_error=False)
    def _export(self, shown: ListedSamples, name: Format, path: Path) -> None:
        worker, folder = get_current_worker(), self.context.gateway.folder
        try:
            write_shown(shown, name, path, folder, lambda: worker.is_cancelled)
        except Stopped:
            return
        except Exception as error:
            self.from_thread(self.tell_error, log_error(error))
        else:
            self.from_thread(self._tell_path, path)

    def _tell_path(self, path: Path) -> None:
        self.notify(str(path), title="Written", timeout=12, markup=False)
