"""What a list of samples keeps: named views of it, and exports of what it shows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from textual import work
from textual.worker import get_current_worker

from claimscope.core.errors import ClaimscopeError
from claimscope.core.text.plurals import counted_noun
from claimscope.tui.dialogs.choice import Choice, ChoiceDialog
from claimscope.tui.dialogs.new_file import NewFileDialog
from claimscope.tui.dialogs.note import NoteDialog
from claimscope.tui.process.faults import told
from claimscope.tui.screens.base.view import Setting, View
from claimscope.tui.screens.results.arrangements import (
    LONGEST_NAME,
    Arrangement,
    NamedView,
    SavedViews,
)
from claimscope.tui.screens.results.export import (
    FORMATS,
    Format,
    Shown,
    Stopped,
    export_path,
    write_shown,
)

LONG = 5000
"""Samples from which on it is said that writing goes on."""
_ALL, _SAVE, _REMOVE, _SHOW = "all", "save", "remove", "show "


class Saving(View):
    """A screen whose list can be arranged; it says how, and what it shows."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self.arrangement = Arrangement()

    def rearrange(self, arrangement: Arrangement) -> None:
        """Shows another view."""
        raise NotImplementedError

    def shown(self) -> Shown:
        """What an export writes."""
        raise NotImplementedError

    # --- views ---

    def _views(self) -> Sequence[NamedView] | None:
        """All saved ones; None, and told of, when their file has a mistake."""
        try:
            return SavedViews(self.setting.desk.folder).read()
        except ClaimscopeError as error:
            self.tell_error(error)
            return None

    def action_views(self) -> None:
        """Asks for a view to show, or what to do with views."""
        views = self._views()
        choices = [Choice(_ALL, "everything, as at first")]
        choices += [Choice(_SHOW + v.name, v.name) for v in views or ()]
        if views is not None:
            choices.append(Choice(_SAVE, "save what is shown as a view …"))
        if views:
            choices.append(Choice(_REMOVE, "remove a view …"))
        now = next(
            (v.name for v in views or () if v.arrangement == self.arrangement), None
        )

        def done(value: str | None) -> None:
            if value == _ALL:
                self.rearrange(Arrangement())
            elif value == _SAVE:
                self._ask_name(now or "")
            elif value == _REMOVE:
                self._ask_which(views or ())
            elif value is not None:
                name = value.removeprefix(_SHOW)
                chosen = next(v for v in views or () if v.name == name)
                self.rearrange(chosen.arrangement)

        chosen = _SHOW + now if now else _ALL
        self.app.push_screen(ChoiceDialog("Views of Results", choices, chosen), done)

    def _ask_name(self, name: str) -> None:
        def done(given: str | None) -> None:
            given = (given or "")[:LONGEST_NAME].strip()
            if given:
                self._keep(NamedView(name=given, arrangement=self.arrangement))

        self.app.push_screen(NoteDialog("Name of this view", name), done)

    def _keep(self, view: NamedView) -> None:
        saved = SavedViews(self.setting.desk.folder)
        try:
            saved.save(view)
        except ClaimscopeError as error:
            self.tell_error(error)
        else:
            self.tell(f"Saved as {view.name!r} in {saved.path}")

    def _ask_which(self, views: Sequence[NamedView]) -> None:
        def done(name: str | None) -> None:
            if name is None:
                return
            try:
                SavedViews(self.setting.desk.folder).remove(name)
            except ClaimscopeError as error:
                self.tell_error(error)
            else:
                self.tell(f"Removed the view {name!r}")

        choices = [Choice(view.name, view.name) for view in views]
        self.app.push_screen(ChoiceDialog("Remove which view?", choices), done)

    # --- exports ---

    def action_export(self) -> None:
        """Asks for a format and a file, then writes."""
        shown = self.shown()
        if not shown.rows:
            self.tell("There is nothing to write.")
            return

        def done(value: str | None) -> None:
            for name in FORMATS:
                if name == value:
                    self._ask_file(shown, name)

        choices = [Choice(n, text, text[0].lower()) for n, text in FORMATS.items()]
        title = f"Write {counted_noun(len(shown.rows), 'sample')} as"
        self.app.push_screen(ChoiceDialog(title, choices), done)

    def _ask_file(self, shown: Shown, name: Format) -> None:
        """Offers a name in the workspace; any other may be given."""
        run_id = shown.reader.status().header.run_id
        offered = export_path(self.setting.desk.folder, run_id, self.setting.stamp())

        def done(path: Path | None) -> None:
            if path is not None:
                if len(shown.rows) >= LONG:
                    self.tell(f"Writing {counted_noun(len(shown.rows), 'sample')}")
                self._export(shown, name, path)

        title = f"Write {counted_noun(len(shown.rows), 'sample')} to"
        self.app.push_screen(NewFileDialog(title, f"{offered}.{name}"), done)

    @work(thread=True, exclusive=True, group="export", exit_on_error=False)
    def _export(self, shown: Shown, name: Format, path: Path) -> None:
        worker, folder = get_current_worker(), self.setting.desk.folder
        try:
            write_shown(shown, name, path, folder, lambda: worker.is_cancelled)
        except Stopped:
            return
        except Exception as error:
            self.from_thread(self.tell_error, told(error))
        else:
            self.from_thread(self._tell_path, path)

    def _tell_path(self, path: Path) -> None:
        self.notify(
            str(path), title="Written", timeout=12, markup=False, severity="information"
        )
