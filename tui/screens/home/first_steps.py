"""Where a new user begins: the demo, an index of a folder, an import. Each does its
work from the screen, so that nobody has to leave it to type a command."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from textual import work

from claimscope.core.errors import ClaimscopeError
from claimscope.core.text.plurals import counted_noun, verb_of
from claimscope.tui.dialogs.folder import Named, PathDialog
from claimscope.tui.ports.gateway import HostInfo, NewRun
from claimscope.tui.ports.library import ImportedSuite
from claimscope.tui.process.faults import told
from claimscope.tui.screens.base.view import OpenRun, Setting, View

DEMO = "medicine"
"""The suite that `claimscope demo` runs."""


class Beginning(View):
    """Actions of Home that make something out of nothing."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self._is_beginning = False
        """The demo is being started."""

    def suite_taken(self) -> None:
        """There is a suite more."""

    # --- the demo ---

    def action_demo(self) -> None:
        """Indexes the shipped pages and judges the shipped answers."""
        if not self._is_beginning:
            self._is_beginning = True
            self.tell("Indexing the shipped pages; the run opens when it has begun.")
            self._demo()

    @work(thread=True, exclusive=True, group="demo", exit_on_error=False)
    def _demo(self) -> None:
        desk = self.setting.desk
        try:
            try:
                model = largest_model(desk.hosts())
            except ClaimscopeError:
                model = None  # everything but the two grades works without one
            run_id = desk.start_run(NewRun(DEMO, judge=model is not None, model=model))
        except Exception as error:
            self.from_thread(self._demo_failed, told(error))
        else:
            self.from_thread(self._demo_began, run_id)

    def _demo_failed(self, error: ClaimscopeError) -> None:
        self._is_beginning = False
        self.tell_error(error)

    def _demo_began(self, run_id: str) -> None:
        self._is_beginning = False
        self.post_message(OpenRun(run_id))

    # --- pages and suites ---

    def action_index(self) -> None:
        """Asks for a folder on the Pages screen."""
        self.open_screen("pages", ask=True)

    def open_pages(self, corpus: str | None) -> None:
        """The pages of a corpus."""
        self.open_screen("pages", corpus)

    def open_suite(self, path: Path) -> None:
        """The cases of a suite."""
        self.open_screen("suite", path)

    def action_import(self) -> None:
        """Asks for a file of cases, of ours or of another tool."""

        def take(named: Named | None) -> None:
            if named is not None:
                self._import(named.path)

        title = "Open a suite, or import a file of ragas, promptfoo, DeepEval"
        self.app.push_screen(PathDialog(title, folder=False), take)

    @work(thread=True, exclusive=True, group="import", exit_on_error=False)
    def _import(self, file: Path) -> None:
        try:
            found = self.setting.desk.library.import_suite(file)
        except Exception as error:
            self.from_thread(self.tell_error, told(error))
        else:
            self.from_thread(self._imported, found)

    def _imported(self, found: ImportedSuite) -> None:
        if found.tool:
            words = (
                f"{found.tool}: {counted_noun(found.cases, 'case')} "
                f"{verb_of(found.cases, 'was', 'were')} taken."
            )
            if found.left:
                words += f" No place for: {', '.join(found.left)}."
            if found.missing:
                words += f" Missing values: {', '.join(found.missing)}."
            self.tell(words)
        if found.problems:
            count, first = len(found.problems), found.problems[0]
            self.tell(
                f"{counted_noun(count, 'row')} {verb_of(count, 'was', 'were')} "
                f"not taken. {first}",
                warning=True,
            )
        self.suite_taken()
        self.open_suite(found.path)


def largest_model(hosts: Sequence[HostInfo]) -> str | None:
    """The model of the settings, else the largest local one that can chat; None when
    there is none to ask."""
    models = [
        model
        for host in hosts
        for model in host.models
        if not (model.is_remote or model.refused)
        and (not model.capabilities or "completion" in model.capabilities)
    ]
    if chosen := [model for model in models if model.is_chosen]:
        return chosen[0].name
    return max(models, key=lambda m: m.size_bytes).name if models else None
