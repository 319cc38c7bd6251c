"""New lab: what is varied, on which cases, judged how; what is wrong is said beside."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from textual import work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input, Label, Select

from claimscope.core.errors import ClaimscopeError
from claimscope.core.text.plurals import counted_noun
from claimscope.tui.ports.gateway import HostInfo, SuiteInfo
from claimscope.tui.ports.labs import NewLab
from claimscope.tui.process.faults import told
from claimscope.tui.screens.base.view import Setting, View, key
from claimscope.tui.screens.new_run import JUDGES, NO_SUITE, QUALITIES
from claimscope.tui.widgets.flow import plain
from claimscope.tui.widgets.keybar import KeyBar

if TYPE_CHECKING:
    from claimscope.core.run.lab import Lab

VERIFIERS = (
    ("without a model: evidence and rules", "none"),
    ("with a language model: it reads the evidence too", "model"),
)
FIELDS = (
    ("models", "language models that answer, with commas between", ""),
    ("temperatures", "from 0 to 2, with commas between", "0, 0.7"),
    ("top-p", "above 0, at most 1; empty: the server's", ""),
    ("prompts", "files of system prompts; empty: none", ""),
    ("cases", "so many by chance; empty: all", ""),
    ("iterations", "answers to a case at temperatures above 0", "1"),
)


class NewLabScreen(View):
    """A form that starts a lab."""

    NAME = "New lab"
    PURPOSE = "Choose what a lab varies and how its answers are judged."
    AUTO_FOCUS = "#lab-models"
    BINDINGS = [
        key("ctrl+s", "new_lab.start", "start the lab", "Start the lab"),
        key("tab", "new_lab.next", "next field", "Next field", action="app.focus_next"),
    ]

    def __init__(
        self, setting: Setting, on_started: Callable[[Lab | None], None]
    ) -> None:
        super().__init__(setting)
        self._on_started = on_started
        self._starting = False

    def compose(self) -> ComposeResult:
        """One line a field."""
        with Vertical(id="lab-form", classes="pane"):
            yield _choice("suite", NO_SUITE)
            for name, hint, value in FIELDS:
                line = Input(value, placeholder=hint, id=f"lab-{name}", compact=True)
                yield _field(name, line)
            yield _choice("verifier", VERIFIERS)
            yield _choice("judge", JUDGES)
            yield _choice("quality", QUALITIES, "text quality")
            hint = "the language model that judges, where one does"
            yield _field(
                "judge model", Input(placeholder=hint, id="lab-model", compact=True)
            )
            yield Label("", id="lab-known")
            yield Label("", id="lab-problem")
        yield KeyBar()

    def on_mount(self) -> None:
        """Suites and models are read in the background."""
        self.query_one("#lab-form").border_title = "new lab"
        self._read()

    @work(thread=True, exclusive=True, exit_on_error=False)
    def _read(self) -> None:
        desk = self.setting.desk
        try:
            self.from_thread(self._show_suites, list(desk.suites()))
            self.from_thread(self._show_hosts, list(desk.hosts()))
        except Exception as caught:
            error = told(caught)
            self.from_thread(self._say, "known", f"{error.message} {error.hint}")

    def _show_suites(self, suites: Sequence[SuiteInfo]) -> None:
        known = [suite for suite in suites if suite.problem is None]
        if not known:
            return
        select: Select[str] = self.query_one("#lab-suite", Select)
        select.set_options(
            (
                Content(
                    plain(f"{s.title or s.name} ({counted_noun(s.cases, 'case')})")
                ),
                s.name,
            )
            for s in known
        )
        select.value = known[0].name

    def _show_hosts(self, hosts: Sequence[HostInfo]) -> None:
        models = [m.name for h in hosts for m in h.models if not m.refused]
        problems = [host for host in hosts if host.problem]
        if models:
            self._say("known", "models here: " + ", ".join(dict.fromkeys(models)))
        elif problems:
            self._say("known", f"{problems[0].problem} {problems[0].remedy}")
        else:
            self._say("known", "no server has a model (Home, m: have one fetched)")

    def _say(self, where: str, text: str) -> None:
        self.query_one(f"#lab-{where}", Label).update(Content(plain(text)))

    def _value(self, name: str) -> str:
        widget = self.query_one(f"#lab-{name}")
        assert isinstance(widget, Input | Select)
        return widget.value.strip() if isinstance(widget.value, str) else ""

    def wanted(self) -> NewLab:
        """What the form says. Raises ValueError that names the field."""
        if not self._value("suite"):
            raise ValueError("suite: choose one")
        if not self._value("models"):
            raise ValueError("models: name one or more that the server has")
        needs = self._value("verifier") == "model" or self._value("judge") == "yes"
        if needs and not self._value("model"):
            raise ValueError("judge model: the verifier or the grades need one")
        return NewLab(
            suite=self._value("suite"),
            models=self._value("models"),
            temperatures=self._value("temperatures"),
            top_ps=self._value("top-p"),
            prompts=self._value("prompts"),
            cases=self._number("cases"),
            iterations=self._number("iterations") or 1,
            verifier=self._value("verifier"),
            judge=self._value("judge") == "yes",
            model=self._value("model") or None if needs else None,
            metrics=tuple(filter(None, [self._value("quality")])),
        )

    def _number(self, name: str) -> int | None:
        text = self._value(name)
        if text and not (text.isascii() and text.isdigit() and int(text) >= 1):
            raise ValueError(f"{name}: a whole number from 1, not {text!r}")
        return int(text) if text else None

    def on_input_submitted(self) -> None:
        """Enter in a field starts as well."""
        self.action_start()

    def action_start(self) -> None:
        """Starts the lab, unless something is wrong."""
        if self._starting:
            return
        try:
            wanted = self.wanted()
        except ValueError as error:
            self._say("problem", f"{self.setting.glyphs.contradicted} {error}")
            return
        self._starting = True
        self._say("problem", "Checking the models and starting the engine")
        self._start(wanted)

    @work(thread=True, exclusive=True, group="start", exit_on_error=False)
    def _start(self, wanted: NewLab) -> None:
        desk = self.setting.desk.lab_desk
        try:
            lab = desk.lab(desk.start(wanted))
        except Exception as error:
            self.from_thread(self._failed, told(error))
        else:
            self.from_thread(self._started, lab)

    def _failed(self, error: ClaimscopeError) -> None:
        self._starting = False
        sign = self.setting.glyphs.contradicted
        self._say("problem", f"{sign} {error.title}: {error}")

    def _started(self, lab: Lab) -> None:
        self.dismiss()
        self._on_started(lab)


def _choice(
    name: str, options: Sequence[tuple[str, str]], label: str = ""
) -> Horizontal:
    first = options[0][1]
    select = Select[str](
        options, value=first, allow_blank=False, id=f"lab-{name}", compact=True
    )
    return _field(label or name, select)


def _field(name: str, widget: Select[str] | Input) -> Horizontal:
    return Horizontal(Label(name), widget, classes="field")
