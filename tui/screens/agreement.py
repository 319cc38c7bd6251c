"""Agreement: the judge against the people who looked, over all runs or the last."""

from __future__ import annotations

from collections.abc import Sequence

from textual import work
from textual.app import ComposeResult

from claimscope.core.analysis.agreement.calibration import Calibration, calibration
from claimscope.core.analysis.agreement.human_agreement import (
    human_agreement,
)
from claimscope.core.analysis.agreement.labels import RunLabels, labels_of_all
from claimscope.core.report.views.agreement import human_agreement_view
from claimscope.core.text.plurals import counted_noun
from claimscope.tui.process.faults import told
from claimscope.tui.screens.base.view import Setting, View, key
from claimscope.tui.widgets.document import Document, Reader
from claimscope.tui.widgets.flow import Paragraph, Piece, para, said
from claimscope.tui.widgets.keybar import KeyBar
from claimscope.tui.widgets.plot import Dot, Picture, PlotPane, load_canvas
from claimscope.tui.widgets.rendered import paragraphs

NO_SUPPORT = "No claim that people looked at has a probability of the judge."
NO_RUN = "There is no run yet. Start one with n on the Home screen."


class AgreementScreen(View):
    """All figures of agreement as one text to scroll."""

    NAME = "Agreement"
    PURPOSE = "How far the judge agrees with people, and rates put right by it."
    AUTO_FOCUS = "#agreement-text"
    BINDINGS = [
        key("l", "agreement.last", "last run/all", "Only the newest run"),
        key(
            "c",
            "agreement.calibration",
            "calibration/text",
            "Plot the judge's support against what people said",
        ),
        key("r", "agreement.reload", "reload", "Read every run again"),
    ]

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self._labels: Sequence[RunLabels] = ()
        self._problems: Sequence[str] = ()
        self._only_last = False

    def compose(self) -> ComposeResult:
        """One text."""
        yield Document(id="agreement-figures")
        yield PlotPane(self.setting.glyphs, id="agreement-plot")
        yield Reader(id="agreement-text", classes="pane")
        yield KeyBar()

    def on_mount(self) -> None:
        """Reads in the background: there may be many runs."""
        text = self.query_one("#agreement-text", Reader)
        text.border_title = "judge against people"
        text.show([para(Piece("Reading", "dim"))])
        self.action_reload()

    @work(thread=True, exclusive=True, group="read", exit_on_error=False)
    def action_reload(self) -> None:
        """Reads the words of all runs again."""
        try:
            labels, problems = labels_of_all(self.setting.desk.runs)
        except Exception as caught:
            error = told(caught)
            self.from_thread(self.tell_error, error)
            labels, problems = [], [f"{error.title}: {error.message}"]
        load_canvas()
        self.from_thread(self._loaded, labels, problems)

    def _loaded(self, labels: Sequence[RunLabels], problems: Sequence[str]) -> None:
        self._labels, self._problems = labels, problems
        self._show()

    def action_last(self) -> None:
        """The newest run that people looked at, or all of them again."""
        self._only_last = not self._only_last
        self._show()

    def _show(self) -> None:
        chosen = self._labels[:1] if self._only_last else self._labels
        shown = [] if self._problems else [para(Piece(NO_RUN, "dim"))]
        if chosen:
            found = human_agreement_view(human_agreement(chosen))
            shown = list(paragraphs(found, self.setting.glyphs))
        shown += [para(said(problem, "dim"), hanging=2) for problem in self._problems]
        self.query_one("#agreement-text", Reader).show(shown)
        plotted = calibration(chosen)
        self.query_one("#agreement-figures", Document).show([figures(plotted)])
        self.query_one("#agreement-plot", PlotPane).show(picture(plotted), NO_SUPPORT)

    def action_calibration(self) -> None:
        """The plot in place of the text, or the text again."""
        self.toggle_class("-plot")


def figures(found: Calibration) -> Paragraph:
    """How far support and share are apart, and over what."""
    error = "" if found.error is None else f", calibration error {found.error:.3f}"
    return para(
        Piece(
            "support (across) against the share people call supported (up)", "strong"
        ),
        Piece(f": {counted_noun(found.n, 'claim')}{error}"),
        Piece(f"; {found.without_support} without a probability", "dim"),
    )


def picture(found: Calibration) -> Picture | None:
    """A dot a tenth of support, with its interval; a good judge is on the diagonal."""
    dots = [
        Dot(one.support, one.share, one.interval.low, one.interval.high)
        for one in found.bins
    ]
    ticks = [(0.0, "0"), (0.25, "0.25"), (0.5, "0.5"), (0.75, "0.75"), (1.0, "1")]
    whole = (0.0, 1.0)
    return Picture(dots, whole, whole, ticks, True, False) if dots else None
