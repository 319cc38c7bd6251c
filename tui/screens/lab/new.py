"""New lab: what is varied, on which cases, judged how; what is wrong is said beside."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Label

from claimscope.core.errors import ClaimscopeError
from claimscope.tui.ports.gateway import HostInfo
from claimscope.tui.ports.labs import NewLab
from claimscope.tui.screens.base.form import JUDGES, NO_SUITE, QUALITIES, Form
from claimscope.tui.screens.base.view import ScreenContext
from claimscope.tui.widgets.bindings import key
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


class NewLabScreen(Form[NewLab, "Lab"]):
    """A form that starts a lab."""

    NAME = "New lab"
    PURPOSE = "Choose what a lab varies and how its answers are judged."
    PREFIX = "lab"
    STARTING = "Checking the models and starting the engine"
    AUTO_FOCUS = "#lab-models"
    BINDINGS = [
        key("ctrl+s", "new_lab.start", "start the lab", "Start the lab"),
        key("tab", "new_lab.next", "next field", "Next field", action="app.focus_next"),
    ]

    def __init__(
        self, context: ScreenContext, on_started: Callable[[Lab | None], None]
    ) -> None:
        super().__init__(context)
        self._on_started = on_started

    def compose(self) -> ComposeResult:
        with Vertical(id="lab-form", classes="pane"):
            yield self.options("suite", NO_SUITE)
            for name, hint, value in FIELDS:
                yield self.line(name, hint, value)
            yield self.options("verifier", VERIFIERS)
            yield self.options("judge", JUDGES)
            yield self.options("quality", QUALITIES, "text quality")
            hint = "the language model that judges, where one does"
            yield self.line("model", hint, label="judge model")
            yield Label("", id="lab-known")
            yield Label("", id="lab-problem")
        yield KeyBar()

    def on_mount(self) -> None:
        self.title_panes(lab_form="new lab")
        self.read_lists(None, self._show_hosts, self._unreadable, self._unreadable)

    def _unreadable(self, error: ClaimscopeError) -> None:
        self.say("known", f"{error.message} {error.hint}")

    def _show_hosts(self, hosts: Sequence[HostInfo]) -> None:
        models = [m.name for h in hosts for m in h.models if not m.refused]
        problems = [host for host in hosts if host.problem]
        if models:
            self.say("known", "models here: " + ", ".join(dict.fromkeys(models)))
        elif problems:
            self.say("known", f"{problems[0].problem} {problems[0].remedy}")
        else:
            self.say("known", "no server has a model (Home, m: have one fetched)")

    def wanted(self) -> NewLab:
        if not self.value("suite"):
            raise ValueError("suite: choose one")
        if not self.value("models"):
            raise ValueError("models: name one or more that the server has")
        needs = self.value("verifier") == "model" or self.value("judge") == "yes"
        if needs and not self.value("model"):
            raise ValueError("judge model: the verifier or the grades need one")
        return NewLab(
            suite=self.value("suite"),
            models=self.value("models"),
            temperatures=self.value("temperatures"),
            top_ps=self.value("top-p"),
            prompts=self.value("prompts"),
            cases=self._number("cases"),
            iterations=self._number("iterations") or 1,
            verifier=self.value("verifier"),
            judge=self.value("judge") == "yes",
            model=self.value("model") or None if needs else None,
            metrics=tuple(filter(None, [self.value("quality")])),
        )

    def _number(self, name: str) -> int | None:
        text = self.value(name)
        if text and not (text.isascii() and text.isdigit() and int(text) >= 1):
            raise ValueError(f"{name}: a whole number from 1, not {text!r}")
        return int(text) if text else None

    def start(self, wanted: NewLab) -> Lab:
        """The engine is another process; gives the lab as it begins."""
        gateway = self.context.gateway.labs
        return gateway.lab(gateway.start(wanted))

    def started(self, begun: Lab) -> None:
        self.dismiss()
        self._on_started(begun)
