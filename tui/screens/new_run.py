"""New run: choose suite, verifier, judge and pace; what is wrong is said beside it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.suggester import SuggestFromList
from textual.widgets import Input, Label

from claimscope.core.errors import ClaimscopeError
from claimscope.core.http.server_address import base_urls
from claimscope.tui.ports.gateway import HostInfo, ModelInfo, NewRun, VerifierName
from claimscope.tui.screens.base.form import JUDGES, NO_SUITE, QUALITIES, Form
from claimscope.tui.screens.base.view import OpenRun, ScreenContext
from claimscope.tui.services.models.inventory import find
from claimscope.tui.widgets.bindings import key
from claimscope.tui.widgets.keybar import KeyBar

MOST_ITERATIONS = 100
MOST_CONCURRENCY = 64
VERIFIERS: Sequence[tuple[str, VerifierName]] = (
    ("without a model: evidence and rules", "evidence"),
    ("with a language model: it reads the evidence too", "model"),
    ("with a classifier of yours: NLI or groundedness", "classifier"),
)
PASS_RULES = (
    ("as the settings say", ""),
    ("claims and grades", "both"),
    ("the judge's grades alone", "grades"),
    ("claims alone", "claims"),
)
"""What decides whether a sample passes."""
FURTHER_JUDGES = "further models that judge too, with commas between"


class NewRunScreen(Form[NewRun, str]):
    """A form that starts the engine."""

    NAME = "New run"
    PURPOSE = "Choose suite, verifier, judge and pace; start the engine."
    PREFIX = "new"
    STARTING = "Starting the engine"
    AUTO_FOCUS = "#new-suite"
    BINDINGS = [
        key("ctrl+s", "new.start", "start the run", "Start the run"),
        key("tab", "new.next", "next field", "Next field", action="app.focus_next"),
    ]

    def __init__(self, context: ScreenContext, suite: str | None = None) -> None:
        super().__init__(context)
        self._chosen = suite
        self._models: Sequence[ModelInfo] = ()

    def compose(self) -> ComposeResult:
        with Vertical(id="new-form", classes="pane"):
            yield self.options("suite", NO_SUITE)
            yield self.line("answers", "the suite's own (or a JSONL file)")
            yield self.options("verifier", VERIFIERS)
            yield self.line("classifier", "its folder, with config.json and weights")
            yield self.options("judge", JUDGES)
            yield self.options("pass-rule", PASS_RULES, "passes by")
            yield self.options("quality", QUALITIES, "text quality")
            yield self.line(
                "server", "the settings' (or ollama, or http://host:port/v1)"
            )
            yield self.line("model", "a language model, for that verifier or the judge")
            yield self.line("judges", FURTHER_JUDGES)
            yield self.line("iterations", value="1")
            yield self.line("concurrency", value="5")
            yield Label("", id="new-models")
            yield Label("", id="new-fitness")
            yield Label("", id="new-problem")
        yield KeyBar()

    def on_mount(self) -> None:
        self.title_panes(new_form="new run")
        self.query_one("#field-classifier").display = False
        self.read_lists(self._chosen, self._show_hosts, self._no_hosts)

    def _no_hosts(self, error: ClaimscopeError) -> None:
        self.say("models", f"{error.message} {error.hint}")

    def _show_hosts(self, hosts: Sequence[HostInfo]) -> None:
        self._models = [model for host in hosts for model in host.models]
        names = list(dict.fromkeys(m.name for m in self._models if not m.refused))
        line = self.query_one("#new-model", Input)
        if names:
            line.suggester = SuggestFromList(names)
            where = ", ".join(host.url for host in hosts if host.models)
            self.say("models", f"models at {where}: " + ", ".join(names))
        else:
            self.say("models", "no model found; all that needs no model works")
        chosen = next((m.name for m in self._models if m.is_chosen), "")
        if not line.value:
            line.value = chosen
        self._warn()

    # --- what depends on what ---

    def on_select_changed(self) -> None:
        is_classifier = self.value("verifier") == "classifier"
        self.query_one("#field-classifier").display = is_classifier
        self._warn()

    def on_input_changed(self) -> None:
        self._warn()

    @property
    def _needs_model(self) -> bool:
        return self.value("verifier") == "model" or self.value("judge") == "yes"

    def _judges(self) -> list[str]:
        return [
            name for name in map(str.strip, self.value("judges").split(",")) if name
        ]

    def _warn(self) -> None:
        """Says when nobody knows whether a chosen model can judge, or it cannot."""
        warnings = []
        if self._needs_model and not self.value("server"):
            for name in [self.value("model"), *self._judges()]:
                model = find(self._models, name)
                if model and not model.refused and model.fitness != "fit":
                    known = f"is {model.fitness}, says its probe"
                    never = "was never probed (Home, g)"
                    warnings.append(f"{name} {known if model.fitness else never}")
        sign = self.context.glyphs.not_enough_info
        text = f"{sign} {'; '.join(warnings)}" if warnings else ""
        self.say("fitness", text)

    def wanted(self) -> NewRun:
        suite, answers = self.value("suite"), self.value("answers")
        if not suite:
            raise ValueError("suite: choose one")
        if answers and not Path(answers).expanduser().is_file():
            raise ValueError(f"answers: there is no file {answers}")
        verifier = self._verifier()
        judge = self.value("judge") == "yes"
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
            metrics=tuple(filter(None, [self.value("quality")])),
        )

    def _pass_rule(self, judge: bool) -> str | None:
        """What decides a pass. Raises ValueError for grades that nobody gives."""
        rule = self.value("pass-rule")
        if rule == "grades" and not judge:
            raise ValueError("passes by: grades are asked for by the judge only")
        return rule or None

    def _server(self) -> str | None:
        """Another server than that of the settings."""
        text = self.value("server")
        if not text or text.lower() == "ollama":
            return text.lower() or None
        try:
            # Whether it may be asked, the engine knows: the setting offline says so.
            return ",".join(base_urls(text, offline=False))
        except ClaimscopeError as error:
            raise ValueError(f"server: {error.message}") from error

    def _verifier(self) -> VerifierName:
        for _, name in VERIFIERS:
            if name == self.value("verifier"):
                return name
        raise ValueError("verifier: choose one")

    def _model(self, judge: bool) -> str | None:
        """The model, when one is needed."""
        if not self._needs_model:
            return None
        if not (name := self.value("model")):
            who = "the judge" if judge else "the verifier"
            raise ValueError(f"model: {who} needs one, e.g. qwen2.5:7b")
        self._check_model("model", name)
        return name

    def _check_model(self, field: str, name: str) -> None:
        """Refuses what the engine would refuse, where that is known already."""
        if self.value("server"):
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
        name = self.value("classifier")
        folder = Path(name).expanduser().absolute()
        if not name or not folder.is_dir():
            raise ValueError(
                f"classifier: there is no folder {name}"
                if name
                else "classifier: name the folder of the model"
            )
        return str(folder)

    def _number(self, name: str, most: int) -> int:
        text = self.value(name)
        if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= most:
            raise ValueError(f"{name}: a whole number from 1 to {most}, not {text!r}")
        return int(text)

    def start(self, wanted: NewRun) -> str:
        """The engine is another process; gives the id of the run."""
        return self.context.gateway.start_run(wanted)

    def started(self, begun: str) -> None:
        app = self.app
        self.dismiss()
        app.post_message(OpenRun(begun))
