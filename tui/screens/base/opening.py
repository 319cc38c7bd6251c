"""Screens that give the terminal to the person's own editor for a while."""

from __future__ import annotations

import os
import subprocess

from textual.app import SuspendNotSupported

from claimscope.core.errors import ClaimscopeError, InputError, SettingsError
from claimscope.tui.screens.base.editor import FilePlace, editor_command
from claimscope.tui.screens.base.view import View


class Opening(View):
    """The app gives the terminal to the editor and takes it back when it ends."""

    def open_in_editor(self, place: FilePlace) -> None:
        """Runs the editor; says what went wrong."""
        try:
            command = editor_command(place, os.environ)
            with self.app.suspend():
                code = subprocess.run(command, check=False).returncode
        except SuspendNotSupported:
            self.tell_error(
                InputError(
                    "an editor needs a terminal, and a browser is none",
                    f"open {place.path}, line {place.line}",
                )
            )
        except OSError as error:
            self.tell_error(SettingsError(f"{command[0]}: {error.strerror}"))
        except ClaimscopeError as error:
            self.tell_error(error)
        else:
            if code:
                self.tell(f"{command[0]} ended with {code}.", warning=True)
