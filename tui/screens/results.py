"""Results: all samples of a run, sorted and filtered; enter steps through them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from textual import events, work
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input

from claimscope.core.analysis.overrules import Corrected, corrected
from claimscope.core.analysis.summary import Group, Summary, summarise
from claimscope.core.errors import ClaimscopeError
from claimscope.core.models import Label, SampleKey, SampleResult
from claimscope.core.ports import RunReader
from claimscope.tui.dialogs.choice import Choice, ChoiceDialog
from claimscope.tui.screens.stepper import StepperScreen
from claimscope.tui.screens.view import WIDE, Setting, View, key
from claimscope.tui.sorting import DEFAULT_ORDER, haystack, sort_keys
from claimscope.tui.stepping import KIND_WORDS, Wanted, count_kinds, items, wanted_of
from claimscope.tui.widgets.document import Document
from claimscope.tui.widgets.flow import Paragraph, Piece, para, plain, said
from claimscope.tui.widgets.keybar import KeyBar
from claimscope.tui.widgets.sample_text import (
    case_name,
    label_counts,
    mean_text,
    outcome,
    score_text,
    short_name,
)
from claimscope.tui.widgets.table import Column, Table

SCORE_WIDTH = 8
"""Room for the word "unscored"."""
FAILURES_WIDTH = 18


class ResultsScreen(View):
    """A table of samples with the figures of each provider above it."""

    NAME = "Results"
    PURPOSE = "All samples of a run: sort, filter, step through."
    AUTO_FOCUS = "#results-table"
    BINDINGS = [
        key(
            "enter",
            "step",
            "step through",
            "Step through claims",
            id="results.step",
            key_display="enter",
        ),
        key(
            "slash",
            "search",
            "find",
            "Only samples with a text in them",
            id="results.find",
            key_display="/",
        ),
        key(
            "f",
            "filter",
            "failure kind",
            "Only one kind of failure",
            id="results.filter",
        ),
        key(
            "x",
            "failures",
            "failures only",
            "Only samples that did not pass",
            id="results.failures",
        ),
        key("s", "sort", "sort", "Sort by a column", id="results.sort"),
        key(
            "r", "reload", "reload", "Read what was finished since", id="results.reload"
        ),
    ]

    def __init__(
        self, setting: Setting, reader: RunReader, *, step: bool = False
    ) -> None:
        super().__init__(setting)
        self._run = reader
        self._step = step
        self._all: Sequence[SampleResult] = ()
        self._shown: Sequence[SampleResult] = ()
        self._machine: dict[SampleKey, SampleResult] = {}
        """As the machine judged them, for the stepper."""
        self._overruled = 0
        self._words = 0
        """How many words of people were read."""
        self._summary: Summary | None = None
        self._problem: str | None = None
        self._metrics: Sequence[str] = ()
        self._scores: list[str] = []
        self._text = ""
        self._kind: Wanted | None = None
        self._failures_only = False
        self._sort = DEFAULT_ORDER
        self._kinds: dict[int, frozenset[Wanted]] = {}

    def compose(self) -> ComposeResult:
        """Figures, search line, table, keys."""
        summary = Document(id="results-summary")
        summary.can_focus = False
        yield summary
        yield Input(
            placeholder="case, provider, category, question or answer has …",
            id="results-search",
            compact=True,
        )
        yield Table(
            [Column("")],
            id="results-table",
            classes="pane",
            empty="Reading",
            more=self.setting.glyphs.more,
        )
        yield KeyBar()

    def on_mount(self) -> None:
        """Reads in the background."""
        self.action_reload()

    def on_resize(self, event: events.Resize) -> None:
        """Wide screens have more columns."""
        self._show_table()

    @work(thread=True, exclusive=True, exit_on_error=False)
    def action_reload(self) -> None:
        """Reads what was finished since."""
        try:
            self._run.refresh()
            machine = list(self._run.samples())
            words = len(self._run.human_verdicts())
            found = corrected(self._run)
            summary = summarise(found.samples)
        except ClaimscopeError as error:
            self.from_thread(self._failed, error)
            return
        self.from_thread(self._loaded, machine, words, found, summary)

    def on_screen_resume(self) -> None:
        """Words that were given in the stepper change scores."""
        if self._summary and self._words != len(self._run.human_verdicts()):
            self.action_reload()

    def _failed(self, error: ClaimscopeError) -> None:
        self._problem = f"{error.title}: {error.message}"
        self._show_table()
        self.tell_error(error)

    def _loaded(
        self,
        machine: Sequence[SampleResult],
        words: int,
        found: Corrected,
        summary: Summary,
    ) -> None:
        self._all, self._summary = found.samples, summary
        self._overruled, self._words = found.overruled, words
        self._machine = {sample.key: sample for sample in machine}
        self._metrics = [mean.metric for mean in summary.overall.means]
        self._kinds = {}
        self._choose()
        if self._step:
            self._step = False
            self.app.push_screen(StepperScreen(self.setting, self._run, self._judged))

    @property
    def _judged(self) -> list[SampleResult]:
        """The samples shown, as the machine judged them."""
        return [self._machine[sample.key] for sample in self._shown]

    # --- what is shown ---

    def _choose(self) -> None:
        """Filters and sorts, then shows."""
        needle = self._text.casefold()
        shown = [
            sample
            for number, sample in enumerate(self._all)
            if (not self._failures_only or sample.passed is not True)
            and (self._kind is None or self._kind in self._kinds_of(number, sample))
            and (not needle or needle in haystack(sample))
        ]
        self._shown = sorted(shown, key=sort_keys(self._metrics)[self._sort])
        self._show_summary()
        self._show_table()

    def _kinds_of(self, number: int, sample: SampleResult) -> frozenset[Wanted]:
        if number not in self._kinds:
            kinds = {kind for item in items(sample) for kind in item.marks}
            self._kinds[number] = frozenset(kinds)
        return self._kinds[number]

    def _show_summary(self) -> None:
        if self._summary is not None:
            paragraphs = list(self._figures(self._summary))
            self.query_one("#results-summary", Document).show(paragraphs)
            self.query_one("#results-summary").styles.height = min(
                5, max(2, len(paragraphs))
            )

    def _figures(self, summary: Summary) -> Iterator[Paragraph]:
        head = self._run.status().header
        yield para(
            said(head.suite_title or head.suite_id, "strong"),
            said(f"  {head.verifier}  {head.run_id}", "dim"),
            Piece(f"  {self._overruled} overruled" if self._overruled else "", "human"),
        )
        for group in summary.by_provider[:3]:
            yield self._group(group)
        if len(summary.by_provider) > 3:
            yield para(Piece(f"and {len(summary.by_provider) - 3} providers", "dim"))

    def _group(self, group: Group) -> Paragraph:
        glyphs = self.setting.glyphs
        pieces = [
            said(f"{group.name}  ", "strong"),
            Piece(f"{glyphs.supported}{group.passed} ", "supported"),
            Piece(f"{glyphs.contradicted}{group.failed} ", "contradicted"),
            Piece(f"{glyphs.unscored}{group.unscored} ", "unscored"),
            Piece(f"of {group.samples}"),
        ]
        used = sum(len(piece.text) for piece in pieces)
        for mean in group.means:
            text = f"  {mean_text(mean)}"
            used += len(text)
            if used > self.size.width - 1:
                break
            pieces.append(Piece(text))
        return para(*pieces)

    def _columns(self) -> list[Column]:
        """As many scores as leave room for the kinds of failure."""
        wide = self.size.width >= WIDE
        columns = [Column("outcome", 10), Column("case", 16 if wide else 12)]
        columns.append(Column("provider", 12 if wide else 8))
        if wide:
            columns += [Column("category", 12), Column("level", 6)]
        signs = [self.setting.glyphs.label(label) for label in Label]
        columns += [Column(sign, 3, "right") for sign in signs]
        room = self.size.width - sum(1 + (c.width or 0) for c in columns)
        self._scores = []
        for metric in self._metrics:
            name = short_name(metric)
            room -= 1 + max(len(name), SCORE_WIDTH)
            if room < FAILURES_WIDTH:
                break
            self._scores.append(metric)
            columns.append(Column(name, max(len(name), SCORE_WIDTH), "right"))
        return [*columns, Column("failures")]

    def _show_table(self) -> None:
        table = self.query_one("#results-table", Table)
        table.set_columns(self._columns())
        parts = [f"{len(self._shown)} of {len(self._all)} samples"]
        parts += ["failures only"] if self._failures_only else []
        parts += [KIND_WORDS[self._kind]] if self._kind else []
        parts += [f"with {self._text!r}"] if self._text else []
        parts += [f"by {self._sort}"] if self._sort != DEFAULT_ORDER else []
        table.border_title = Content(plain(", ".join(parts)))
        nothing = self._problem or "No sample is finished yet."
        empty = "No sample fits the filter; x, f and / change it."
        if not self._all:
            empty = nothing if self._summary or self._problem else "Reading"
        table.show(len(self._shown), self._cells, empty=empty)

    def _cells(self, row: int) -> list[Piece]:
        sample = self._shown[row]
        wide = self.size.width >= WIDE
        cells = [
            outcome(sample, self.setting.glyphs),
            Piece(case_name(sample)),
            Piece(sample.key.provider),
        ]
        if wide:
            cells += [
                Piece(sample.case.category or ""),
                Piece(sample.case.difficulty or ""),
            ]
        for label, count in label_counts(sample).items():
            cells.append(Piece(str(count or ""), label.value))
        by_metric = {score.metric: score for score in sample.scores}
        for metric in self._scores:
            score = by_metric.get(metric)
            cells.append(Piece(score_text(score) if score else "unscored"))
        kinds = dict.fromkeys(KIND_WORDS[f.kind] for f in sample.failures)
        cells.append(Piece(sample.error or ", ".join(kinds)))
        return cells

    # --- actions ---

    def on_table_selected(self, event: Table.Selected) -> None:
        """Enter on a sample."""
        self.action_step()

    def action_step(self) -> None:
        """Steps through the samples shown, from the one under the cursor."""
        if self._shown:
            row = self.query_one("#results-table", Table).cursor
            self.app.push_screen(
                StepperScreen(self.setting, self._run, self._judged, row, self._kind)
            )

    def action_search(self) -> None:
        """Opens the search line."""
        search = self.query_one("#results-search", Input)
        search.add_class("-open")
        search.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Filters as one types."""
        self._text = event.value.strip()
        self._choose()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter goes to the table; an empty line closes the search."""
        self._close_search(keep=bool(event.value.strip()))

    def _close_search(self, *, keep: bool) -> None:
        search = self.query_one("#results-search", Input)
        if not keep:
            search.value = ""
            search.remove_class("-open")
        self.query_one("#results-table").focus()

    def action_leave(self) -> None:
        """First closes the search, then leaves."""
        if self.query_one("#results-search").has_class("-open"):
            self._close_search(keep=False)
        else:
            super().action_leave()

    def action_filter(self) -> None:
        """Asks for a kind of failure."""
        counts = count_kinds(self._all)
        choices = [Choice("all", "all samples")]
        choices += [
            Choice(str(kind), f"{KIND_WORDS[kind]} ({count})")
            for kind, count in counts.items()
        ]

        def done(value: str | None) -> None:
            if value is not None:
                self._kind = None if value == "all" else wanted_of(value)
                self._choose()

        chosen = str(self._kind or "all")
        self.app.push_screen(
            ChoiceDialog("Show which failures?", choices, chosen), done
        )

    def action_failures(self) -> None:
        """Only samples that did not pass, or all again."""
        self._failures_only = not self._failures_only
        self._choose()

    def action_sort(self) -> None:
        """Asks for an order."""
        choices = [Choice(name, name) for name in sort_keys(self._metrics)]

        def done(value: str | None) -> None:
            if value is not None:
                self._sort = value
                self._choose()

        self.app.push_screen(ChoiceDialog("Sort by", choices, self._sort), done)
