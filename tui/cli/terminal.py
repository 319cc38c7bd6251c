"""Opening the interface on a terminal that can show it, else the same as lines."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from claimscope.core.errors import InputError
from claimscope.stores.workspace.interface_settings import (
    read_interface,
    workspace_root,
)

if TYPE_CHECKING:
    from claimscope.stores.workspace.paths import Workspace
    from claimscope.tui.app.app import ClaimscopeApp
    from claimscope.tui.ports.gateway import Gateway
    from claimscope.tui.process.child import Dialogue

WEB_DRIVER = "textual.drivers.web_driver:WebDriver"


def open_interface(
    workspace: str | None, *, run_id: str | None = None, step: bool = False
) -> int:
    """The app on a workspace; its gateway is made behind the first frame."""

    def elsewhere(workspace: Workspace, words: Sequence[str]) -> Dialogue | None:
        from claimscope.tui.resident.dialogue import by_resident

        return by_resident(workspace, words)

    def gateway() -> Gateway:
        from claimscope.stores.workspace.paths import Workspace
        from claimscope.stores.workspace.permissions import revoke_write_of_others
        from claimscope.tui.gateway.workspace import WorkspaceGateway
        from claimscope.tui.process.memory import give_back

        give_back()
        found = Workspace.find(workspace)
        revoke_write_of_others(found.root)
        return WorkspaceGateway(found, elsewhere)

    if is_dumb():
        from claimscope.tui.cli.plain_mode import open_plain

        return open_plain(workspace, gateway, run_id=run_id)
    return open_app(gateway, run_id=run_id, step=step, workspace=workspace)


def is_dumb() -> bool:
    """Somebody is there, on a terminal on which no screen can be drawn."""
    kind = os.environ.get("TERM", "")
    return sys.stdin.isatty() and sys.stdout.isatty() and kind in ("dumb", "")


def take_terminal() -> None:
    """Makes the terminal standard input again where that was a pipe, as in
    `cat a.md | claimscope check - --tui`. Raises InputError where there is none."""
    if sys.stdin.isatty():
        return
    try:
        terminal = os.open("/dev/tty", os.O_RDWR)
    except OSError:
        raise InputError(
            "--tui needs a terminal, and there is none",
            "leave --tui out, or run it from a terminal",
        ) from None
    os.dup2(terminal, sys.stdin.fileno())
    os.close(terminal)


def open_app(
    gateway: Callable[[], Gateway],
    *,
    run_id: str | None = None,
    step: bool = False,
    workspace: str | None = None,
) -> int:
    """Runs the app to its end; gives the exit code. Raises InputError, and what kept
    the gateway from being made."""
    served = os.environ.get("TEXTUAL_DRIVER") == WEB_DRIVER
    if not served and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise InputError(
            "the interface needs a terminal, and this is none",
            "`claimscope show` lists what each screen prints as lines; "
            "`claimscope --help` lists commands",
        )
    app = make_app(gateway, workspace, run_id=run_id, step=step)
    if not served:
        from claimscope.tui.app.terminal_watch import watch_terminal

        watch_terminal(sys.stdin.fileno())
    app.run()
    if app.problem is not None:
        raise app.problem
    return app.return_code or 0


def make_app(
    gateway: Callable[[], Gateway],
    workspace: str | None,
    *,
    run_id: str | None = None,
    step: bool = False,
) -> ClaimscopeApp:
    """The app with theme and keys of the workspace's settings file."""
    from claimscope.tui.app.app import ClaimscopeApp
    from claimscope.tui.app.key_sets import wanted_keys

    root = workspace_root(workspace)
    interface = read_interface(root)
    keys, problems = wanted_keys(interface)

    def keep_theme(name: str) -> None:
        from claimscope.stores.workspace.settings_file import save_setting

        save_setting(root, "theme", name)

    return ClaimscopeApp(
        gateway,
        open_run=run_id,
        step=step,
        theme=interface.theme,
        theme_folders=[user_themes()],
        keep_theme=keep_theme,
        keymap=keys,
        problems=problems,
        by=os.environ.get("USER"),
    )


def user_themes() -> Path:
    """The folder of the user's own themes; may not exist."""
    import platformdirs

    return Path(platformdirs.user_config_dir("claimscope", appauthor=False)) / "themes"
