"""Screens that open the file behind what they show in the person's own editor, which
has the terminal for a while."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence

from textual import work
from textual.app import SuspendNotSupported

from claimscope.core.errors import ClaimscopeError, InputError, SettingsError
from claimscope.core.models import RunHeader, SampleResult
from claimscope.tui.dialogs.choice import Choice
from claimscope.tui.review.page_marks import Sought
from claimscope.tui.screens.base.editor import (
    FilePlace,
    editor_command,
    other_places,
    page_place,
)
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


class Editing(Opening):
    """Finds the files of a sample, and lets one be chosen."""

    @work(thread=True, exclusive=True, group="files", exit_on_error=False)
    def find_files(
        self, header: RunHeader, sample: SampleResult, sought: Sought | None, said: str
    ) -> None:
        """Opens one of the files of a sample.

        sought: the sentence of a page that is in hand. said: what is in hand of the
        answer; may be empty.
        """
        places: list[FilePlace] = []
        problems: list[ClaimscopeError] = []
        for found in (self._page(header, sought), other_places(header, sample, said)):
            try:
                places += found
            except ClaimscopeError as error:
                problems.append(error)
        if places:
            self.from_thread(self._choose, places)
        else:
            nothing = InputError("no file of this sample is on this machine")
            self.from_thread(self.tell_error, next(iter(problems), nothing))

    def _page(self, header: RunHeader, sought: Sought | None) -> Iterator[FilePlace]:
        gateway = self.context.gateway
        if sought is None or header.corpus is None:
            return
        page = gateway.page(header.corpus, sought.page_id)
        if page is not None:
            numbered = gateway.sentences(header.corpus, sought.page_id)
            texts = (s.text for s in numbered if s.index == sought.index)
            yield page_place(header, page, sought.text or next(texts, None))

    def _choose(self, places: Sequence[FilePlace]) -> None:
        """Opens the only one, else asks."""
        if len(places) == 1:
            self.open_in_editor(places[0])
            return

        choices = [
            Choice(str(n), f"{p.what}  {p.path.name}:{p.line}", p.what[0])
            for n, p in enumerate(places)
        ]
        self.choose(
            "Open which file?",
            choices,
            lambda value: self.open_in_editor(places[int(value)]),
        )
