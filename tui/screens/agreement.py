"""Agreement: the judge against the people who looked, over all runs or the last."""

from __future__ import annotations

from collections.abc import Sequence

from textual import work
from textual.app import ComposeResult

from claimscope.core.analysis.agreement.calibration import Calibration, calibration
from claimscope.core.analysis.agreement.human_agreement import human_agreement
from claimscope.core.analysis.agreement.labels import RunLabels, labels_of_all
from claimscope.core.report.view import Part, Prose, Span, line
from claimscope.core.report.views.agreement import human_agreement_view
from claimscope.core.text.plurals import counted_noun
from claimscope.tui.process.faults import log_error
from claimscope.tui.screens.base.view import ScreenContext, View
from claimscope.tui.widgets.bindings import key
from claimscope.tui.widgets.document import Document, Reader
from claimscope.tui.widgets.flow import WAITING
from claimscope.tui.widgets.keybar import KeyBar
from claimscope.tui.widgets.plot import Dot, Picture, PlotPane, load_canvas

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

    def __init__(self, context: ScreenContext) -> None:
        super().__init__(context)
        self._labels: Sequence[RunLabels] = ()
        self._problems: Sequence[str] = ()
        self._only_last = False

    def compose(self) -> ComposeResult:
        yield Document(id="agreement-figures")
        yield PlotPane(self.context.glyphs, id="agreement-plot")
        yield Reader(id="agreement-text", classes="pane")
        yield KeyBar()

    def on_mount(self) -> None:
        """Reads in the background: there may be many runs."""
        self.title_panes(agreement_text="judge against people")
        self.show_parts("agreement-text", [line(Span(WAITING, "faint"))])
        self.action_reload()

    @work(thread=True, exclusive=True, group="read", exit_on_error=False)
    def action_reload(self) -> None:
        try:
            labels, problems = labels_of_all(self.context.gateway.runs)
        except Exception as caught:
            error = log_error(caught)
            self.from_thread(self.tell_error, error)
            labels, problems = [], [f"{error.title}: {error.message}"]
        load_canvas()
        self.from_thread(self._take, labels, problems)

    def _take(self, labels: Sequence[RunLabels], problems: Sequence[str]) -> None:
        self._labels, self._problems = labels, problems
        self._show()

    def action_last(self) -> None:
        """The newest run that people looked at, or all of them again."""
        self._only_last = not self._only_last
        self._show()

    def _show(self) -> None:
        chosen = self._labels[:1] if self._only_last else self._labels
        parts: list[Part] = [] if self._problems else [line(Span(NO_RUN, "faint"))]
        if chosen:
            parts = list(human_agreement_view(human_agreement(chosen)))
        parts += [line(Span(problem, "faint")) for problem in self._problems]
        self.show_parts("agreement-text", parts)
        plotted = calibration(chosen)
        self.show_parts("agreement-figures", [calibration_line(plotted)])
        self.query_one("#agreement-plot", PlotPane).show(picture(plotted), NO_SUPPORT)

    def action_calibration(self) -> None:
        self.toggle_class("-plot")


def calibration_line(found: Calibration) -> Prose:
    """How far support and share are apart, and over what."""
    error = "" if found.error is None else f", calibration error {found.error:.3f}"
    axes = "support (across) against the share people call supported (up)"
    return line(
        Span(axes, "strong"),
        f": {counted_noun(found.n, 'claim')}{error}",
        Span(f"; {found.without_support} without a probability", "faint"),
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
