"""An app in a theme of ours: the wanted one from the first frame on, all others later.

To look whether the variables of a theme fit all style rules takes as long as painting
a frame, so it is not done before the first one: shipped themes fit (tests say so), and
a theme of the user that has variables is taken when the first screen opens.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from textual.app import App
from textual.filter import Monochrome, NoColor
from textual.theme import Theme

from claimscope.core.errors import ClaimscopeError
from claimscope.tui.app.painted import ThriftyApp
from claimscope.tui.app.themes import (
    ANSI,
    DEFAULT,
    MONOCHROME,
    SHIPPED,
    fits,
    read_themes,
    shipped_theme,
)
from claimscope.tui.widgets.flow import plain


class ThemedApp(ThriftyApp):
    """Tells of a theme that is broken or not there; remembers which one was chosen."""

    def __init__(
        self,
        theme: str | None,
        folders: Sequence[Path],
        keep: Callable[[str], object] | None,
    ) -> None:
        """theme: None = what fits the terminal. folders: the user's, whose themes go
        before the shipped ones of the same name. keep: is given a name that was
        chosen."""
        super().__init__()
        if self.no_color:
            # Textual's greys would paint a terminal's own colours black on black.
            self._filters = [
                NoColor() if isinstance(kept, Monochrome) else kept
                for kept in self._filters
            ]
        self._keep_theme = keep
        self._kept: str | None = None
        self._wanted_theme = theme or self._fitting_theme()
        own, self._theme_problems = read_themes(folders)
        self._own_themes = {theme.name: theme for theme in own}
        self._begin_in_theme()

    def _fitting_theme(self) -> str:
        """What this terminal can show, when nobody chose."""
        if self.no_color:
            return MONOCHROME
        return ANSI if self.console.color_system == "standard" else DEFAULT

    def _begin_in_theme(self) -> None:
        theme = self._sure(self._wanted_theme) or self._sure(DEFAULT)
        if theme is not None:
            self.register_theme(theme)
            self.set_reactive(App.theme, theme.name)
            self.stylesheet.set_variables(self.get_css_variables())

    def _sure(self, name: str) -> Theme | None:
        """The theme of that name that surely fits all rules; None = there is none."""
        own = self._own_themes.get(name)
        return own if own and not own.variables else shipped_theme(name)

    def load_themes(self) -> None:
        """All of them; then the wanted one, if it is not there from the start. Once,
        when the style rules of all screens are known."""
        defaults, begun = self.get_theme_variable_defaults(), self.current_theme
        shipped, problems = read_themes([SHIPPED])
        problems += self._theme_problems
        for theme in shipped:
            self.register_theme(theme)
        for theme in self._own_themes.values():
            if not theme.variables or fits(theme, self.stylesheet, defaults):
                self.register_theme(theme)
            else:
                problems.append(
                    f"Theme {theme.name!r}: one of its variables is no value that "
                    "the styles can use"
                )
        if self._wanted_theme not in self.available_themes:
            known = ", ".join(sorted(self.available_themes))
            problems.append(
                f"There is no theme {self._wanted_theme!r}; there are: {known}"
            )
            self._wanted_theme = DEFAULT
        self._take(self._wanted_theme, begun)
        for problem in problems:
            self.warn("Theme left out", problem)
        self.theme_changed_signal.subscribe(self, self._remember_theme)

    def _take(self, name: str, begun: Theme) -> None:
        self._kept = name
        if name in self.available_themes:
            is_other = self.theme == name and self.current_theme != begun
            self.theme = name
            if is_other:  # the user's own of that name
                self._watch_theme(name)

    def _remember_theme(self, theme: Theme) -> None:
        """A theme that a person chose is there again the next time."""
        if self._keep_theme is None or theme.name == self._kept:
            return
        self._kept = theme.name
        try:
            self._keep_theme(theme.name)
        except ClaimscopeError as error:
            self.tell_error(error)

    def warn(self, title: str, problem: str) -> None:
        """Something that could not be used, and goes without."""
        self.notify(
            plain(problem), title=title, severity="warning", timeout=10, markup=False
        )

    def tell_error(self, error: ClaimscopeError) -> None:
        """What went wrong, and the remedy."""
        self.notify(
            plain(str(error)),
            title=error.title,
            severity="error",
            timeout=12,
            markup=False,
        )
