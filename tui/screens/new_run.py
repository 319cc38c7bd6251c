"""New run: choose suite, verifier, judge and pace; what is wrong is said beside it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from textual import work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.suggester import SuggestFromList
from textual.widgets import Input, Label, Select

from claimscope.core.errors import ClaimscopeError
from claimscope.core.http.server_address import base_urls
from claimscope.core.text.plurals import counted_noun
from claimscope.tui.ports.gateway import (
    HostInfo,
    ModelInfo,
    NewRun,
    SuiteInfo,
    VerifierName,
)
from claimscope.tui.process.faults import told
from claimscope.tui.screens.base.view import OpenRun, Setting, View, key
from claimscope.tui.services.models.inventory import find
from claimscope.tui.widgets.flow import plain
from claimscope.tui.widgets.keybar import KeyBar

MOST_ITERATIONS = 100
MOST_CONCURRENCY = 64
VERIFIERS: Sequence[tuple[str, VerifierName]] = (
    ("without a model: evidence and rules", "evidence"),
    ("with a language model: it reads the evidence too", "model"),
    ("with a classifier of yours: NLI or groundedness", "classifier"),
)
NO_SUITE = (("no suite yet (Home, o: open one)", ""),)
"""Until the suites are read, and when there is none; a blank line could be chosen."""
JUDGES = (("no grades", "no"), ("grades of faithfulness and completeness", "yes"))
PASS_RULES = (
    ("as the settings say", ""),
    ("claims and grades", "both"),
    ("the judge's grades alone", "grades"),
    ("claims alone", "claims"),
)
"""What decides whether a sample passes."""
QUALITIES = (
    ("not scored", ""),
    ("scored beside the other metrics", "+quality"),
)
"""Text quality is asked for."""


class NewRunScreen(View):
    """A form that starts the engine."""

    NAME = "New run"
    PURPOSE = "Choose suite, verifier, judge and pace; start the engine."
    AUTO_FOCUS = "#new-suite"
    BINDINGS = [
        key("ctrl+s", "new.start", "start the run", "Start the run"),
        key("tab", "new.next", "next field", "Next field", action="app.focus_next"),
    ]

    def __init__(self, setting: Setting, suite: str | None = None) -> None:
        super().__init__(setting)
        self._chosen = suite
        self._suites: Sequence[SuiteInfo] = ()
        self._models: Sequence[ModelInfo] = ()
        self._starting = False

    def compose(self) -> ComposeResult:
        """One line a field."""
        with Vertical(id="new-form", classes="pane"):
            yield _choice("suite", NO_SUITE)
            yield _line("answers", "the suite's own (or a JSONL file)")
            yield _choice("verifier", VERIFIERS)
            yield _line("classifier", "its folder, with config.json and weights")
            yield _choice("judge", JUDGES)
            yield _choice("pass-rule", PASS_RULES, "passes by")
            yield _choice("quality", QUALITIES, "text quality")
            yield _line("server", "the settings' (or ollama, or http://host:port/v1)")
            yield _line("model", "a language model, for that verifier or the judge")
            yield _line("judges", "further models that judge too, with commas between")
            yield _line("iterations", value="1")
            yield _line("concurrency", value="5")
            yield Label("", id="new-models")
            yield Label("", id="new-fitness")
            yield Label("", id="new-problem")
        yield KeyBar()

    def on_mount(self) -> None:
        """Suites and models are read in the background."""
        self.query_one("#new-form").border_title = "new run"
        self.query_one("#field-classifier").display = False
        self._read()

    @work(thread=True, exclusive=True, exit_on_error=False)
    def _read(self) -> None:
        desk = self.setting.desk
        try:
            self.from_thread(self._show_suites, list(desk.suites()))
        except Exception as error:
            self.from_thread(self.tell_error, told(error))
        try:
            self.from_thread(self._show_hosts, list(desk.hosts()))
        except Exception as caught:
            found = told(caught)
            self.from_thread(self._say_models, f"{found.message} {found.hint}")

    def _show_suites(self, suites: Sequence[SuiteInfo]) -> None:
        self._suites = [suite for suite in suites if suite.problem is None]
        select: Select[str] = self.query_one("#new-suite", Select)
        if not self._suites:
            return
        select.set_options(
            (
                Content(
                    plain(f"{s.title or s.name} ({counted_noun(s.cases, 'case')})")
                ),
                s.name,
            )
            for s in self._suites
        )
        names = [suite.name for suite in self._suites]
        if self._chosen in names:
            select.value = self._chosen
        elif names:
            select.value = names[0]

    def _show_hosts(self, hosts: Sequence[HostInfo]) -> None:
        self._models = [model for host in hosts for model in host.models]
        names = list(dict.fromkeys(m.name for m in self._models if not m.refused))
        line = self.query_one("#new-model", Input)
        if names:
            line.suggester = SuggestFromList(names)
            where = ", ".join(host.url for host in hosts if host.models)
            self._say_models(f"models at {where}: " + ", ".join(names))
        else:
            self._say_models("no model found; all that needs no model works")
        chosen = next((m.name for m in self._models if m.is_chosen), "")
        if not line.value:
            line.value = chosen
        self._warn()

    # --- what depends on what ---

    def on_select_changed(self) -> None:
        """Another verifier or judge."""
        is_classifier = self._value("verifier") == "classifier"
        self.query_one("#field-classifier").display = is_classifier
        self._warn()

    def on_input_changed(self) -> None:
        """Another model."""
        self._warn()

    @property
    def _needs_model(self) -> bool:
        return self._value("verifier") == "model" or self._value("judge") == "yes"

    def _value(self, name: str) -> str:
        widget = self.query_one(f"#new-{name}")
        assert isinstance(widget, Input | Select)
        return widget.value.strip() if isinstance(widget.value, str) else ""

    def _judges(self) -> list[str]:
        return [
            name for name in map(str.strip, self._value("judges").split(",")) if name
        ]

    def _warn(self) -> None:
        """Says when nobody knows whether a chosen model can judge, or it cannot."""
        warnings = []
        if self._needs_model and not self._value("server"):
            for name in [self._value("model"), *self._judges()]:
                model = find(self._models, name)
                if model and not model.refused and model.fitness != "fit":
                    known = f"is {model.fitness}, says its probe"
                    never = "was never probed (Home, g)"
                    warnings.append(f"{name} {known if model.fitness else never}")
        sign = self.setting.glyphs.not_enough_info
        text = f"{sign} {'; '.join(warnings)}" if warnings else ""
        self.query_one("#new-fitness", Label).update(Content(plain(text)))

    def _say_models(self, text: str) -> None:
        self.query_one("#new-models", Label).update(Content(plain(text)))

    def on_input_submitted(self) -> None:
        """Enter in a field starts as well."""
        self.action_start()

    def wanted(self) -> NewRun:
        """What the form says. Raises ValueError that names the field."""
        suite = self.query_one("#new-suite", Select).value
        if not isinstance(suite, str) or not suite:
            raise ValueError("suite: choose one")
        answers = self.query_one("#new-answers", Input).value.strip() or None
        if answers and not Path(answers).expanduser().is_file():
            raise ValueError(f"answers: there is no file {answers}")
        verifier = self._verifier()
        judge = self._value("judge") == "yes"
        server = self._server()
        model = self._model(judge)
        return NewRun(
            suite=suite,
            answers=str(Path(answers).expanduser()) if answers else None,
            verifier=verifier,
            judge=judge,
            model=model,
            iterations=self._number("iterations", MOST_ITERATIONS),
            concurrency=self._number("concurrency", MOST_CONCURRENCY),
            classifier=self._classifier() if verifier == "classifier" else None,
            judges=self._further(model),
            server=server,
            pass_rule=self._pass_rule(judge),
            metrics=tuple(filter(None, [self._value("quality")])),
        )

    def _pass_rule(self, judge: bool) -> str | None:
        """What decides a pass. Raises ValueError for grades that nobody gives."""
        rule = self._value("pass-rule")
        if rule == "grades" and not judge:
            raise ValueError("passes by: grades are asked for by the judge only")
        return rule or None

    def _server(self) -> str | None:
        """Another server than that of the settings."""
        text = self._value("server")
        if not text or text.lower() == "ollama":
            return text.lower() or None
        try:
            # Whether it may be asked, the engine knows: the setting offline says so.
            return ",".join(base_urls(text, offline=False))
        except ClaimscopeError as error:
            raise ValueError(f"server: {error.message}") from error

    def _verifier(self) -> VerifierName:
        for _, name in VERIFIERS:
            if name == self._value("verifier"):
                return name
        raise ValueError("verifier: choose one")

    def _model(self, judge: bool) -> str | None:
        """The model, when one is needed."""
        if not self._needs_model:
            return None
        if not (name := self._value("model")):
            who = "the judge" if judge else "the verifier"
            raise ValueError(f"model: {who} needs one, e.g. qwen2.5:7b")
        self._check_model("model", name)
        return name

    def _check_model(self, field: str, name: str) -> None:
        """Refuses what the engine would refuse, where that is known already."""
        if self._value("server"):
            return  # what is known are the models of another one
        known = find(self._models, name)
        if known is None and self._models:
            raise ValueError(f"{field}: no server has {name} (Home, m: what they have)")
        if known is not None and known.refused:
            raise ValueError(f"{field}: {name} {known.refused}")

    def _further(self, model: str | None) -> tuple[str, ...]:
        names = self._judges()
        if names and model is None:
            raise ValueError(
                "judges: they need a language model as verifier, or the judge"
            )
        for number, name in enumerate(names):
            if name in (model, *names[:number]):
                raise ValueError(f"judges: {name} is named twice")
            self._check_model("judges", name)
        return tuple(names)

    def _classifier(self) -> str:
        name = self._value("classifier")
        folder = Path(name).expanduser().absolute()
        if not name or not folder.is_dir():
            raise ValueError(
                f"classifier: there is no folder {name}"
                if name
                else "classifier: name the folder of the model"
            )
        return str(folder)

    def _number(self, name: str, most: int) -> int:
        text = self.query_one(f"#new-{name}", Input).value.strip()
        if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= most:
            raise ValueError(f"{name}: a whole number from 1 to {most}, not {text!r}")
        return int(text)

    def action_start(self) -> None:
        """Starts the engine, unless something is wrong."""
        problem = self.query_one("#new-problem", Label)
        if self._starting:
            return
        try:
            wanted = self.wanted()
        except ValueError as error:
            problem.update(
                Content(f"{self.setting.glyphs.contradicted} {plain(str(error))}")
            )
            return
        problem.update(Content("Starting the engine"))
        self._starting = True
        self._start(wanted)

    @work(thread=True, exclusive=True, group="start", exit_on_error=False)
    def _start(self, wanted: NewRun) -> None:
        try:
            run_id = self.setting.desk.start_run(wanted)
        except Exception as error:
            self.from_thread(self._failed, told(error))
        else:
            self.from_thread(self._started, run_id)

    def _failed(self, error: ClaimscopeError) -> None:
        self._starting = False
        sign = self.setting.glyphs.contradicted
        self.query_one("#new-problem", Label).update(
            Content(f"{sign} {error.title}: {plain(str(error))}")
        )

    def _started(self, run_id: str) -> None:
        app = self.app
        self.dismiss()
        app.post_message(OpenRun(run_id))


def _line(name: str, placeholder: str = "", value: str = "") -> Horizontal:
    """A field to write in."""
    line = Input(value, placeholder=placeholder, id=f"new-{name}", compact=True)
    return _field(name, line)


def _choice(
    name: str, options: Sequence[tuple[str, str]], label: str = ""
) -> Horizontal:
    """A field with options (text, value), the first one chosen."""
    return _field(
        name,
        Select[str](
            options,
            value=options[0][1],
            allow_blank=False,
            id=f"new-{name}",
            compact=True,
        ),
        label,
    )


def _field(name: str, widget: Select[str] | Input, label: str = "") -> Horizontal:
    return Horizontal(Label(label or name), widget, classes="field", id=f"field-{name}")
