"""Compare: two runs, or two providers of one: what differs beyond noise, what flipped.

A is what was before, B what is now. Everything is read and computed in a thread.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from textual import events, work
from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.widgets import Input
from textual.worker import get_current_worker

from claimscope.core.analysis.compare.comparison import Comparison, RunData
from claimscope.core.errors import ClaimscopeError, InputError
from claimscope.core.models import RunStatus
from claimscope.core.ports import RunReader
from claimscope.core.report.renderers.plain import lines
from claimscope.core.report.view import Part
from claimscope.core.report.views.comparison import (
    FIGURES,
    applying,
    comparison_view,
    figure_row,
    head,
)
from claimscope.core.report.views.flips import (
    FLIP_WORDS,
    LONE,
    Flip,
    FlipKind,
    count_flips,
    flip_columns,
    flip_counts,
    flip_entry,
    flip_row,
    flips,
    wanted_flips,
)
from claimscope.core.text.sanitising import escape_json
from claimscope.stores.workspace.paths import replace_file, safe_name
from claimscope.tui.dialogs.choice import Choice, ChoiceDialog
from claimscope.tui.dialogs.new_file import NewFileDialog
from claimscope.tui.process.faults import log_error
from claimscope.tui.review.comparison import (
    Sides,
    choice_text,
    choices,
    compare_sides,
    read_side,
)
from claimscope.tui.screens.base.searching import Searching
from claimscope.tui.screens.base.view import ScreenContext
from claimscope.tui.services.exports import FOLDER, prepare_folder
from claimscope.tui.widgets.bindings import key
from claimscope.tui.widgets.document import Document
from claimscope.tui.widgets.flow import Piece, para, plain
from claimscope.tui.widgets.keybar import KeyBar
from claimscope.tui.widgets.rendered import cells, columns
from claimscope.tui.widgets.table import ScreenTable

NO_FLIPS = "No sample and no claim flipped."
NO_FIT = "Nothing fits the filter; f and / change it."
VERY_WIDE = 160
"""From this many columns on, the list has both verdicts in words."""
ALONE = """\
There is nothing to compare this run with: it is the only one of its suite that has
finished samples, and its answers are of one provider."""
ALONE_REMEDY = "Start another run of the suite (n on Home), then come back."
NAMED = 20
"""Runs of a suite that the dialog lists."""


@dataclass(frozen=True)
class LoadedRun:
    """A run that was read, with how many words of people it had then."""

    reader: RunReader
    data: RunData
    words: int


class CompareScreen(Searching):
    """Head, figures, flips, and the flip under the cursor in full."""

    NAME = "Compare"
    PURPOSE = "Two runs, or two providers: what differs beyond noise, what flipped."
    AUTO_FOCUS = "#compare-flips"
    LINE, LIST = "compare-search", "compare-flips"
    BINDINGS = [
        key(
            "enter",
            "compare.open",
            "open B",
            "Step through the flip in the new run, B",
            action="open(False)",
        ),
        key(
            "o",
            "compare.old",
            "open A",
            "Step through the flip in the old run, A",
            action="open(True)",
        ),
        key(
            "w", "compare.choose", "other runs", "Compare with another run or provider"
        ),
        key("s", "compare.swap", "swap", "A becomes B and B becomes A"),
        key("f", "compare.filter", "filter", "Only one kind of flip"),
        key(
            "slash",
            "compare.find",
            "find",
            "Only flips with a text in them",
            action="search",
            opens_line=True,
        ),
        key(
            "v",
            "compare.verdicts",
            "verdicts/figures",
            "Both verdicts in place of the figures, on a narrow screen",
            action="details",
        ),
        key("e", "compare.export", "export", "Write all of it to a file"),
        key("r", "compare.reload", "reload", "Read both runs again"),
        key("tab", "compare.tab", "pane", "Next pane", action="app.focus_next"),
    ]

    def __init__(
        self, context: ScreenContext, run_id: str, sides: Sides | None = None
    ) -> None:
        """sides: what to compare at once; None = ask."""
        super().__init__(context)
        self._run_id = run_id
        self._sides = sides
        self._choices: Sequence[Sides] = ()
        self._statuses: dict[str, RunStatus] = {}
        self._read: dict[str, LoadedRun] = {}
        self._found: Comparison | None = None
        self._flips: Sequence[Flip] = ()
        self._shown: Sequence[Flip] = ()
        self._kind: FlipKind | None = None
        self._text = ""

    def compose(self) -> ComposeResult:
        yield Document(id="compare-head", can_focus=False)
        yield self.list_pane("compare-figures", empty="")
        yield Input(
            placeholder="case, provider, claim or reason has …",
            id="compare-search",
            compact=True,
        )
        with Container(id="compare-body"):
            yield self.list_pane("compare-flips")
            yield Document(id="compare-details", classes="pane")
        yield KeyBar()

    def on_mount(self) -> None:
        """Reads what there is to choose from, in the background."""
        self.title_panes(compare_figures="figures", compare_details="both verdicts")
        self._say(Piece("Reading the runs", "dim"))
        if self._sides is None:
            self._read_choices(ask=True)
        else:
            self._read_choices(ask=False)
            self._compare()

    def on_resize(self, event: events.Resize) -> None:
        self._show_figures()
        self._show_flips()

    def _say(self, *pieces: Piece) -> None:
        self.query_one("#compare-head", Document).show([para(*pieces)])

    # --- comparing ---

    @work(thread=True, exclusive=True, group="compare", exit_on_error=False)
    def _compare(self) -> None:
        """Reads both runs, then compares them."""
        worker = get_current_worker()
        sides = self._sides
        if sides is None:
            return
        read = dict(self._read)
        try:
            for run_id in dict.fromkeys((sides.before, sides.after)):
                if run_id not in read:
                    self.from_thread(self._say, Piece(f"Reading run {run_id}", "dim"))
                    reader, data = read_side(self.context.gateway.runs, run_id)
                    words = len(reader.human_verdicts())
                    read[run_id] = LoadedRun(reader, data, words)
                if worker.is_cancelled:
                    return
            self.from_thread(self._say, Piece("Comparing", "dim"))
            found = compare_sides(
                sides, read[sides.before].data, read[sides.after].data
            )
        except Exception as error:
            self.from_thread(self._show_error, log_error(error))
            return
        self.from_thread(self._show, read, found)

    def _show_error(self, error: ClaimscopeError, *, loud: bool = True) -> None:
        self._found, self._flips, self._shown = None, (), ()
        self._problem = f"{error.message}\n{error.hint}"
        sign = Piece(f"{self.context.glyphs.not_enough_info} ", "not_enough_info")
        self._say(sign, Piece("Nothing compared", "strong"))
        self._show_figures()
        self._show_flips()
        if loud:
            self.tell_error(error)

    def _show(self, read: dict[str, LoadedRun], found: Comparison) -> None:
        self._read, self._found = read, found
        self._problem = None
        self._flips = flips(found)
        self.show_parts("compare-head", head(found))
        self._show_figures()
        self._choose_flips()
        self.call_after_refresh(self._allow_scrolling)

    def _allow_scrolling(self) -> None:
        """The head takes part in tab when there is more of it than fits."""
        pane = self.query_one("#compare-head", Document)
        pane.can_focus = pane.virtual_size.height > pane.size.height

    def on_screen_resume(self) -> None:
        """Words that were given in the stepper change what flipped."""
        changed = any(
            one.words != len(one.reader.human_verdicts()) for one in self._read.values()
        )
        if changed:
            self.action_reload()

    def action_reload(self) -> None:
        self._read = {}
        self._read_choices(ask=False)
        self._compare()

    def action_swap(self) -> None:
        if self._sides is not None:
            self._sides = self._sides.swapped
            self._compare()

    # --- what is shown ---

    def _show_figures(self) -> None:
        table = self.query_one("#compare-figures", ScreenTable)
        found, glyphs, width = self._found, self.context.glyphs, self.size.width
        table.set_columns(columns(FIGURES, width))
        figures, aside = applying(found) if found else ([], "")
        table.show(
            len(figures),
            lambda row: cells(figure_row(figures[row]), FIGURES, width, glyphs),
        )
        title = f"figures  {aside}" if aside else "figures"
        if table.border_title != title:
            table.border_title = title

    def _choose_flips(self) -> None:
        self._shown = wanted_flips(self._flips, self._kind, self._text)
        self._show_flips()

    def _show_flips(self) -> None:
        table = self.query_one("#compare-flips", ScreenTable)
        width = self.size.width
        table.set_columns(columns(flip_columns(wide=width >= VERY_WIDE), width))
        parts = ["flips"]
        if self._found is not None:
            parts = [flip_counts(self._shown)]
        if len(self._shown) < len(self._flips):
            parts.append(f"{len(self._shown)} of {len(self._flips)} lines")
        parts += [FLIP_WORDS[self._kind]] if self._kind else []
        parts += [f"with {self._text!r}"] if self._text else []
        table.border_title = Content(plain(", ".join(parts)))
        empty = "Reading"
        if self._found is not None:
            empty = NO_FIT if self._flips else NO_FLIPS
        table.show(len(self._shown), self._flip_cells, empty=self._problem or empty)
        self._show_details()

    def _flip_cells(self, row: int) -> list[Piece]:
        width, flip = self.size.width, self._shown[row]
        wide = width >= VERY_WIDE
        shown = flip_row(flip, wide=wide)
        return cells(shown, flip_columns(wide=wide), width, self.context.glyphs)

    @property
    def _flip(self) -> Flip | None:
        return self.under_cursor("compare-flips", self._shown)

    def _show_details(self) -> None:
        parts: Iterable[Part] = ()
        if (flip := self._flip) is not None:
            entry = flip_entry(flip)
            parts = entry.parts if flip.kind in LONE else (entry,)
        self.show_parts("compare-details", parts)

    def on_screen_table_moved(self, event: ScreenTable.Moved) -> None:
        if event.table.id == "compare-flips":
            self._show_details()

    def action_details(self) -> None:
        """On a narrow screen the verdicts take the place of the figures."""
        self.toggle_class("-verdicts")

    # --- filter and search ---

    def action_filter(self) -> None:
        lines = [Choice("all", f"everything ({len(self._flips)})")]
        lines += [
            Choice(kind, f"{FLIP_WORDS[kind]} ({count})")
            for kind, count in count_flips(self._flips).items()
        ]

        def show(value: str) -> None:
            self._kind = next((kind for kind in FLIP_WORDS if kind == value), None)
            self._choose_flips()

        self.choose("Show which differences?", lines, show, self._kind or "all")

    def search(self, text: str) -> None:
        self._text = text
        self._choose_flips()

    # --- opening, export ---

    def on_screen_table_selected(self, event: ScreenTable.Selected) -> None:
        if event.table.id == "compare-flips":
            self.action_open(old=False)

    def action_open(self, old: bool) -> None:
        """The flip in the claim stepper, of A's run or of B's."""
        flip, sides = self._flip, self._sides
        if flip is None or sides is None:
            return
        if flip.key_of(old=old) is None:
            self.tell(f"Only {'B' if old else 'A'} makes this claim; opened there.")
            old = not old
        reader = self._read[sides.before if old else sides.after].reader
        with self.telling_errors():
            self.open_screen("flips", reader, self._shown, flip, old=old)

    def action_export(self) -> None:
        """Writes the comparison with every flip: for people, and as JSON."""
        found = self._found
        if found is None:
            return

        def done(path: Path | None) -> None:
            if path is not None:
                folder = self.context.gateway.folder
                self.in_background(
                    lambda: export_comparison(found, path, folder),
                    lambda beside: self.tell(f"Written: {path} and {beside.name}"),
                    group="export",
                )

        offered = str(comparison_path(found, self.context.gateway.folder))
        title = "Write the comparison to (and as .json beside it)"
        self.app.push_screen(NewFileDialog(title, offered), done)

    # --- what to compare with ---

    def _read_choices(self, *, ask: bool) -> None:
        runs = self.context.gateway.runs

        def read() -> tuple[Sequence[RunStatus], Sequence[Sides]]:
            statuses = list(runs.runs())
            return statuses, choices(statuses, self._run_id)

        self.in_background(
            read,
            lambda found: self._take_choices(*found, ask=ask),
            self._show_error,
            group="choices",
        )

    def _take_choices(
        self, statuses: Sequence[RunStatus], found: Sequence[Sides], *, ask: bool
    ) -> None:
        self._choices = found
        self._statuses = {status.header.run_id: status for status in statuses}
        if ask and found:
            self.action_choose()
        elif ask:
            self._show_error(InputError(ALONE, ALONE_REMEDY), loud=False)

    def action_choose(self) -> None:
        if not self._choices:
            self.tell(f"{ALONE} {ALONE_REMEDY}", warning=True)
            return
        runs = [sides for sides in self._choices if sides.providers is None][:NAMED]
        pairs = [sides for sides in self._choices if sides.providers is not None]
        shown = [*runs, *pairs[:NAMED]]
        at = shown.index(self._sides) if self._sides in shown else 0

        def done(value: str | None) -> None:
            if value is not None:
                self._sides = shown[int(value)]
                self._compare()
            elif self._sides is None:
                self.app.pop_screen()

        lines = [
            Choice(str(n), choice_text(sides, self._run_id, self._statuses))
            for n, sides in enumerate(shown)
        ]
        title = f"Compare {plain(self._run_id)} with"
        self.app.push_screen(ChoiceDialog(title, lines, str(at)), done)


def comparison_path(found: Comparison, workspace: Path) -> Path:
    """Where it is written unless a person says otherwise: the same two sides to the
    same file."""
    sides = (found.before, found.after)
    names = [
        side.run_id if side.name == side.run_id else f"{side.run_id}-{side.name}"
        for side in sides
    ]
    stem = safe_name(f"compare-{names[0]}-{names[1]}")
    return workspace / FOLDER / f"{stem}.txt"


def export_comparison(found: Comparison, text: Path, workspace: Path) -> Path:
    """Every flip, none left out; gives the JSON file that lies beside the text.

    Raises StoreError, and InputError for a folder that is not there.
    """
    prepare_folder(text.parent, workspace)
    written = (f"{line}\n" for line in lines(comparison_view(found)))
    replace_file(text, (line.encode("utf-8", "replace") for line in written))
    as_json = escape_json(found.model_dump_json(indent=2))
    beside = text.with_name(f"{text.stem}.json")
    replace_file(beside, [as_json.encode("utf-8", "replace")])
    return beside
