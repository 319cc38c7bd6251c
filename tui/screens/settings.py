"""Settings: every value with where it comes from, what it means and what it may be."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.widgets import Input

from claimscope.core.errors import ClaimscopeError
from claimscope.core.report.view import error_line
from claimscope.tui.ports.gateway import SettingInfo
from claimscope.tui.screens.base.view import ScreenContext, View
from claimscope.tui.views.settings import COLUMNS, setting_row, setting_view
from claimscope.tui.widgets.bindings import key
from claimscope.tui.widgets.document import Document
from claimscope.tui.widgets.keybar import KeyBar
from claimscope.tui.widgets.rendered import columns
from claimscope.tui.widgets.table import ScreenTable

VARIABLE = "CLAIMSCOPE_"
ALL_DEFAULTS = "Every setting is as it came. c shows them all."


class SettingsScreen(View):
    """All settings; one is changed in the settings file, its comments kept."""

    NAME = "Settings"
    PURPOSE = "Every setting, where its value comes from; change it in the file."
    AUTO_FOCUS = "#settings-list"
    BINDINGS = [
        key(
            "enter",
            "settings.edit",
            "change",
            "Change the setting in the settings file",
        ),
        key(
            "d",
            "settings.default",
            "default",
            "Take the setting out of the file: its default counts again",
        ),
        key(
            "c",
            "settings.changed",
            "changed only",
            "Only settings that are not as they came",
        ),
        key(
            "t", "settings.theme", "theme", "Choose a theme", action="app.change_theme"
        ),
        key("r", "settings.reload", "reload", "Read file and environment again"),
    ]

    def __init__(self, context: ScreenContext) -> None:
        super().__init__(context)
        self._all: Sequence[SettingInfo] = ()
        self._shown: Sequence[SettingInfo] = ()
        self._changed_only = False
        self._editing: SettingInfo | None = None
        self._refused: ClaimscopeError | None = None

    def compose(self) -> ComposeResult:
        yield self.list_pane("settings-list", columns(COLUMNS, 0))
        yield Document(id="settings-details", classes="pane", can_focus=False)
        yield Input(id="settings-value", compact=True)
        yield KeyBar()

    def on_mount(self) -> None:
        self.title_panes(settings_list="settings")
        self.action_reload()

    def action_reload(self) -> None:
        settings = self.context.gateway.settings
        self.in_background(
            lambda: list(settings()), self._show, self._show_error, group="read"
        )

    def _show_error(self, error: ClaimscopeError) -> None:
        self._show(())
        empty = f"{error.message}\n{error.hint}\nr reads it again."
        self._table.show(0, lambda row: (), empty=empty)

    @property
    def _table(self) -> ScreenTable:
        return self.query_one("#settings-list", ScreenTable)

    @property
    def _current(self) -> SettingInfo | None:
        return self.under_cursor("settings-list", self._shown)

    def _show(self, found: Sequence[SettingInfo]) -> None:
        self._all = found
        self._shown = [
            info for info in found if not self._changed_only or info.source != "default"
        ]
        rows = list(map(setting_row, self._shown))
        self.show_rows("settings-list", rows, COLUMNS, ALL_DEFAULTS)
        self._show_details()

    def _show_details(self) -> None:
        info = self._current
        parts = list(setting_view(info)) if info else []
        if info and self._refused is not None:
            parts.insert(0, error_line(self._refused))
        self.show_parts("settings-details", parts)

    def on_screen_table_moved(self, event: ScreenTable.Moved) -> None:
        self._refused = None
        self._show_details()

    def on_screen_table_selected(self, event: ScreenTable.Selected) -> None:
        self.action_edit()

    # --- changing ---

    def action_changed(self) -> None:
        """All settings, or only those that are not as they came."""
        self._changed_only = not self._changed_only
        self._show(self._all)

    def action_edit(self) -> None:
        info = self._current
        if info is None:
            return
        self._editing = info
        line = self.query_one("#settings-value", Input)
        line.placeholder = f"{info.name}: {info.limits} (enter: write, esc: leave)"
        line.value = info.value
        self.open_line(line)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        info = self._editing
        if info is not None:
            self._write(info, event.value)

    def action_default(self) -> None:
        """Takes the setting under the cursor out of the file."""
        info = self._current
        if info is not None:
            self._write(info, None)

    def _write(self, info: SettingInfo, text: str | None) -> None:
        self.in_background(
            lambda: self.context.gateway.change_setting(info.name, text),
            lambda _: self._written(info),
            self._refuse,
            group="write",
        )

    def _refuse(self, error: ClaimscopeError) -> None:
        """The line stays open, so that the value can be corrected."""
        self._refused = error
        self._show_details()

    def _written(self, info: SettingInfo) -> None:
        self._refused = None
        self._close_line()
        if info.source.startswith(VARIABLE):
            self.tell(
                f"Written, but {info.source} in the environment wins over the file.",
                warning=True,
            )
        self.action_reload()

    def _close_line(self) -> None:
        self._editing = None
        self.close_line(self.query_one("#settings-value", Input), self._table)

    def action_leave(self) -> None:
        """Closes the line, else goes back."""
        if self.query_one("#settings-value").has_class("-open"):
            self._refused = None
            self._close_line()
            self._show_details()
        else:
            super().action_leave()
