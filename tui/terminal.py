"""Opening the interface on a terminal that can show it, or saying why not."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from claimscope.core.errors import InputError

if TYPE_CHECKING:
    from claimscope.tui.desk import Desk


def open_workspace(
    workspace: str | None, *, run_id: str | None = None, step: bool = False
) -> int:
    """The app on a workspace; its desk is made behind the first frame."""

    def desk() -> Desk:
        from claimscope.stores.paths import Workspace
        from claimscope.tui.real_desk import RealDesk

        return RealDesk(Workspace.find(workspace))

    return open_app(desk, run_id=run_id, step=step)


def open_app(
    desk: Callable[[], Desk], *, run_id: str | None = None, step: bool = False
) -> int:
    """Runs the app to its end; gives the exit code. Raises InputError, and what kept
    the desk from being made."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise InputError(
            "the interface needs a terminal, and this is none",
            "`claimscope show last` prints a run; `claimscope --help` lists commands",
        )
    if os.environ.get("TERM") == "dumb":
        raise InputError(
            "the terminal says that it is dumb (TERM=dumb), so no screen can be drawn",
            "`claimscope runs` and `claimscope show last` print the same as lines",
        )
    from claimscope.tui.app import ClaimscopeApp

    app = ClaimscopeApp(
        desk,
        open_run=run_id,
        step=step,
        theme=os.environ.get("TEXTUAL_THEME"),
        theme_folders=[user_themes()],
        by=os.environ.get("USER"),
    )
    app.run()
    if app.problem is not None:
        raise app.problem
    return app.return_code or 0


def user_themes() -> Path:
    """The folder of the user's own themes; may not exist."""
    import platformdirs

    return Path(platformdirs.user_config_dir("claimscope", appauthor=False)) / "themes"
