"""Judge: which models can be trusted to judge, by their probes; probing one now; how
far the judge of the runs agrees with people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from textual import work
from textual.app import ComposeResult

from claimscope.core.ports import Progress
from claimscope.core.report.view import Prose, Row, Span, line, sign_span
from claimscope.core.report.views.probe import COLUMNS, probe_row, probe_view
from claimscope.tui.ports.gateway import HostInfo, KeptProbe
from claimscope.tui.process.faults import log_error
from claimscope.tui.screens.base.long_work import LongWork
from claimscope.tui.screens.base.view import ScreenContext
from claimscope.tui.widgets.bindings import key
from claimscope.tui.widgets.document import Document
from claimscope.tui.widgets.keybar import KeyBar
from claimscope.tui.widgets.rendered import columns
from claimscope.tui.widgets.table import ScreenTable

STOP = Span("x: stop", "faint")
NEVER = "Never probed. p: probe now (about two minutes on a small machine)."
OUTDATED = "Made with other cases or prompts than this version has; p: probe again."
NO_HOST = """\
No model server answers, and no probe is kept.
  ollama serve             starts one; r reads again
  claimscope doctor        says what works here"""
NO_MODELS = """\
No server has a model to probe.
  claimscope models pull NAME     has it fetch one; r reads again"""


@dataclass(frozen=True)
class Judge:
    """A line of the list: a model, with a probe of it if there is one."""

    model: str
    is_installed: bool
    kept: KeptProbe | None = None


class JudgeScreen(LongWork[Progress]):
    """Models with the verdict of their last probe."""

    NAME = "Judge"
    PURPOSE = "Which models can be trusted to judge; probe one now."
    PROGRESS = "judge-progress"
    AUTO_FOCUS = "#judge-list"
    BINDINGS = [
        key("p", "judge.probe", "probe now", "Probe this model"),
        key("x", "judge.stop", "stop", "Stop the probe; nothing is kept"),
        key(
            "a", "judge.agreement", "agreement", "The judge of the runs against people"
        ),
        key("r", "judge.reload", "reload", "Read everything again"),
        key("tab", "judge.tab", "next pane", "Next pane", action="app.focus_next"),
    ]

    def __init__(self, context: ScreenContext) -> None:
        super().__init__(context)
        self._judges: Sequence[Judge] = ()

    def compose(self) -> ComposeResult:
        yield self.list_pane("judge-list", columns(COLUMNS, 0))
        yield Document(id="judge-details", classes="pane")
        yield Document(id="judge-progress", can_focus=False)
        yield KeyBar()

    def on_mount(self) -> None:
        self.title_panes(judge_list="judges", judge_details="probe")
        self.action_reload()

    # --- what is known ---

    def action_reload(self) -> None:
        self._read()

    @work(thread=True, exclusive=True, group="read", exit_on_error=False)
    def _read(self) -> None:
        gateway = self.context.gateway
        hosts: Sequence[HostInfo] = ()
        try:
            kept = list(gateway.probes())
        except Exception as error:
            self.from_thread(self.tell_error, log_error(error))
            kept = []
        try:
            hosts = list(gateway.hosts())
        except Exception as error:
            self.from_thread(self.tell_error, log_error(error))
        self.from_thread(self._show, hosts, kept)

    def _show(self, hosts: Sequence[HostInfo], kept: Sequence[KeptProbe]) -> None:
        self._judges = judges(hosts, kept)
        answers = any(host.problem is None for host in hosts)
        rows = list(map(judge_row, self._judges))
        empty = NO_MODELS if answers else NO_HOST
        self.show_rows("judge-list", rows, COLUMNS, empty)
        problems = [host for host in hosts if host.problem]
        if problems and self.at_work is None:
            sign = sign_span("", "not_enough_info")
            remedy = Span(problems[0].remedy, "faint")
            self.say(line(sign, f"{problems[0].problem} ", remedy))
        self._show_details()
        self.refresh_bindings()

    @property
    def _current(self) -> Judge | None:
        return self.under_cursor("judge-list", self._judges)

    def _show_details(self) -> None:
        judge = self._current
        self.show_parts("judge-details", judge_view(judge) if judge else ())

    def on_screen_table_moved(self, event: ScreenTable.Moved) -> None:
        self._show_details()
        self.refresh_bindings()

    # --- probing ---

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """One probe at a time, of a model that is there."""
        if action == "probe":
            judge = self._current if self.is_mounted else None
            return self.at_work is None and judge is not None and judge.is_installed
        if action == "stop":
            return self.at_work is not None
        return super().check_action(action, parameters)

    def action_probe(self) -> None:
        """Probes the model under the cursor, at the context of the line if it has
        one."""
        judge = self._current
        if judge is None:
            return
        model, gateway = judge.model, self.context.gateway
        context = judge.kept.probe.asked_tokens if judge.kept else None
        self.begin_work(
            model,
            line(f"loading {model}   ", STOP),
            lambda tell, is_stopped: gateway.probe(model, context, tell, is_stopped),
            lambda step: self._progress(model, step),
            lambda _: self._probed(model),
            lambda step: str(step.done),
        )

    def _progress(self, model: str, step: Progress) -> Prose:
        return line(
            Span("", "supported", share=(step.done, step.total)),
            f" {model} {step.done}/{step.total}   ",
            STOP,
            Span(f"\n{step.note}", "faint"),
        )

    def _probed(self, model: str) -> None:
        self.say(line(sign_span("", "supported"), f"{model} was probed"))
        self.action_reload()

    def action_stop(self) -> None:
        if self.at_work is not None:
            self.stop_work("stopped, nothing is kept")

    def action_agreement(self) -> None:
        self.open_screen("agreement")

    def action_leave(self) -> None:
        """Stops the probe, else goes back."""
        if self.at_work is not None:
            self.action_stop()
        else:
            super().action_leave()


def judges(hosts: Sequence[HostInfo], kept: Sequence[KeptProbe]) -> list[Judge]:
    """Installed models with their probes, one line for each context; models without
    one; then probes of models that no host has (any more)."""
    installed = {
        model.digest: model.name
        for host in hosts
        for model in host.models
        if not model.is_remote
    }
    found = []
    for digest, name in sorted(installed.items(), key=lambda item: item[1]):
        own = [one for one in kept if one.probe.digest == digest]
        found += [Judge(name, True, one) for one in own] or [Judge(name, True)]
    gone = [one for one in kept if one.probe.digest not in installed]
    return found + [Judge(one.probe.model, False, one) for one in gone]


def judge_row(judge: Judge) -> Row:
    name = judge.model if judge.is_installed else f"{judge.model} (not here)"
    kept = judge.kept
    if kept is None:
        return probe_row(name, None)
    return probe_row(name, kept.probe, is_outdated=kept.is_outdated)


def judge_view(judge: Judge) -> Iterator[Prose]:
    """What its probe found, or that there is none."""
    kept = judge.kept
    if kept is None:
        yield line(Span(NEVER, "human"))
        return
    if kept.is_outdated:
        yield line(Span(OUTDATED, "human"))
    yield from probe_view(kept.probe, is_outdated=kept.is_outdated)
