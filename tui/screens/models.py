"""Models: what each server has, having it fetch one, and choosing one for new runs."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.widgets import Input

from claimscope.core.errors import ClaimscopeError
from claimscope.core.report.view import Prose, Span, line, sign_span
from claimscope.tui.ports.gateway import HostInfo, ModelInfo, PullStep
from claimscope.tui.screens.base.long_work import LongWork
from claimscope.tui.screens.base.view import ScreenContext
from claimscope.tui.services.models.status import is_coming, pull_words
from claimscope.tui.views.models import COLUMNS, host_lines, model_row, model_view
from claimscope.tui.widgets.bindings import key
from claimscope.tui.widgets.document import Document
from claimscope.tui.widgets.keybar import KeyBar
from claimscope.tui.widgets.rendered import columns
from claimscope.tui.widgets.table import ScreenTable

NO_MODELS = """\
No models yet. Press p and name one, e.g. qwen2.5:7b: Ollama fetches it.
Without a network, copy its files to that machine and use `ollama create`; or start a
server with the OpenAI API and name it: settings server and base_url."""
NO_HOST = "No model server answers. What needs no model works without one."


class ModelsScreen(LongWork[PullStep]):
    """The models of all hosts; a person has one fetched, or chooses one."""

    NAME = "Models"
    PURPOSE = (
        "What each server has; have Ollama fetch a model; choose one for new runs."
    )
    PROGRESS = "models-pull"
    AUTO_FOCUS = "#models-list"
    BINDINGS = [
        key("enter", "models.choose", "choose", "Make it the model of new runs"),
        key("p", "models.pull", "pull a model", "Have Ollama fetch one"),
        key("r", "models.reload", "reload", "Ask the servers again"),
    ]

    def __init__(self, context: ScreenContext) -> None:
        super().__init__(context)
        self._hosts: Sequence[HostInfo] = ()
        self._models: Sequence[ModelInfo] = ()

    def compose(self) -> ComposeResult:
        asking = "Asking the servers"
        yield self.list_pane("models-list", columns(COLUMNS, 0), empty=asking)
        yield Document(id="models-details", classes="pane", can_focus=False)
        yield Document(id="models-hosts", classes="pane", can_focus=False)
        yield Input(
            placeholder="a model to fetch, e.g. qwen2.5:7b (enter: fetch, esc: leave)",
            id="models-name",
        )
        yield Document(id="models-pull", can_focus=False)
        yield KeyBar()

    def on_mount(self) -> None:
        self.title_panes(
            models_list="models", models_details="this model", models_hosts="servers"
        )
        self.action_reload()

    # --- what is there ---

    def action_reload(self) -> None:
        hosts = self.context.gateway.hosts
        self.in_background(
            lambda: list(hosts()), self._show, self._show_error, group="read"
        )

    def _show_error(self, error: ClaimscopeError) -> None:
        self._show(())
        self._table.show(0, lambda row: (), empty=error.message)
        self.tell_error(error)

    @property
    def _table(self) -> ScreenTable:
        return self.query_one("#models-list", ScreenTable)

    def _show(self, hosts: Sequence[HostInfo]) -> None:
        self._hosts = hosts
        self._models = [model for host in hosts for model in host.models]
        answers = any(host.problem is None for host in hosts)
        rows = list(map(model_row, self._models))
        empty = NO_MODELS if answers else NO_HOST
        self.show_rows("models-list", rows, COLUMNS, empty)
        self.show_parts("models-hosts", host_lines(hosts))
        self._show_details()

    @property
    def _current(self) -> ModelInfo | None:
        return self.under_cursor("models-list", self._models)

    def _show_details(self) -> None:
        model, several = self._current, len(self._hosts) > 1
        parts = model_view(model, several=several) if model else ()
        self.show_parts("models-details", parts)

    def on_screen_table_moved(self, event: ScreenTable.Moved) -> None:
        self._show_details()

    def on_screen_table_selected(self, event: ScreenTable.Selected) -> None:
        self.action_choose()

    # --- choosing ---

    def action_choose(self) -> None:
        """Makes the model under the cursor that of new runs, unless it is refused."""
        model = self._current
        if model is None:
            return
        if model.refused:
            self.tell(f"{model.name}: {model.refused}", warning=True)
        else:
            name = model.name
            self.in_background(
                lambda: self.context.gateway.choose_model(name),
                lambda _: self._chosen(name),
                group="choose",
            )

    def _chosen(self, name: str) -> None:
        self.tell(f"New runs begin with {name}")
        self.action_reload()

    # --- pulling ---

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """One pull at a time."""
        if action == "pull":
            return self.at_work is None
        return super().check_action(action, parameters)

    def action_pull(self) -> None:
        self.open_line(self.query_one("#models-name", Input))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        name = event.value.strip()
        self._close_line()
        if name and self.at_work is None:
            gateway = self.context.gateway
            self.begin_work(
                name,
                line(f"asking for {name}"),
                lambda tell, is_stopped: gateway.pull(name, tell, is_stopped),
                lambda step: self._progress(name, step),
                lambda _: self._pulled(name),
                lambda step: "pulling" if is_coming(step) else step.status,
            )

    def _close_line(self) -> None:
        self.close_line(self.query_one("#models-name", Input), self._table)

    def _progress(self, name: str, step: PullStep) -> Prose:
        host = f" on {step.host}" if len(self._hosts) > 1 else ""
        return line(
            Span("", "supported", share=(step.done, step.total)),
            f" {name}{host}: {pull_words(step)}",
            Span("   esc: stop", "faint"),
        )

    def _pulled(self, name: str) -> None:
        self.say(line(sign_span("", "supported"), f"{name} is there"))
        self.action_reload()

    def action_leave(self) -> None:
        """Closes the line, else stops the pull, else goes back."""
        if self.query_one("#models-name").has_class("-open"):
            self._close_line()
        elif self.at_work is not None:
            self.stop_work("stopped. The server keeps what came; p goes on with it.")
        else:
            super().action_leave()
