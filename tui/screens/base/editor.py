"""Files and lines behind what is on the screen, and the editor that opens them.

Where a text stands in its file is found by its words, not by offsets: a page is what
was read out of HTML, PDF or a record, and its file holds more.
"""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from claimscope.core.errors import InputError, SettingsError
from claimscope.core.models import Page, RunHeader, SampleResult
from claimscope.stores.workspace.regular_files import read_regular

VARIABLES = ("VISUAL", "EDITOR")
ENOUGH = 8
"""Words that tell a place; more meet markup sooner or later."""
LARGEST = 1 << 24
"""Bytes of a file that are looked through."""
_GOTO = frozenset({"code", "codium", "vscodium", "cursor", "code-insiders"})
_COLON = frozenset({"hx", "helix", "subl", "zed", "zeditor"})
_WAITS = _GOTO | {"subl", "zed", "zeditor"}
"""Editors with a window of their own come back at once unless told to wait."""


@dataclass(frozen=True)
class FilePlace:
    """A line of a file."""

    what: str
    """page, answer or suite."""
    path: Path
    line: int
    """From 1; 1 also where the text was not found in the file."""


def editor_command(place: FilePlace, environment: Mapping[str, str]) -> list[str]:
    """What to run. Raises SettingsError when no editor is named, or it is not there."""
    name = next((v for v in VARIABLES if environment.get(v, "").strip()), None)
    if name is None:
        raise SettingsError(
            "no editor is named", "set $EDITOR, e.g. `export EDITOR=vim`"
        )
    try:
        words = shlex.split(environment[name])
    except ValueError as error:
        raise SettingsError(f"${name} = {environment[name]!r}: {error}") from error
    if shutil.which(words[0], path=environment.get("PATH")) is None:
        raise SettingsError(
            f"${name}: there is no program {words[0]}",
            f"set ${name} to an editor that is installed",
        )
    program = Path(words[0]).name.lower().removesuffix(".exe")
    wait = ["--wait"] if program in _WAITS and len(words) == 1 else []
    at = f"{place.path}:{place.line}"
    if program in _GOTO:
        return [*words, *wait, "--goto", at]
    if program in _COLON:
        return [*words, *wait, at]
    return [*words, f"+{place.line}", str(place.path)]


# --- which file, which line -------------------------------------------------------


def page_place(header: RunHeader, page: Page, text: str | None) -> FilePlace:
    """Where a sentence of a page stands. Raises InputError when the run does not say
    from which folder its pages came, or the file is gone."""
    if header.pages_path is None or page.path is None:
        raise InputError(
            f"{page.page_id}: the run does not say from which file this page came",
            "a run of a folder of pages (--pages FOLDER) does",
        )
    path = Path(header.pages_path) / page.path
    return FilePlace("page", path, line_with(path, text or "") or 1)


def other_places(
    header: RunHeader, sample: SampleResult, said: str
) -> Iterator[FilePlace]:
    """Where the answer and the case stand, of the files that are there. said: what is
    in hand of the answer; may be empty."""
    key = sample.key
    told = header.answers_path or header.suite_path
    # The case of a check is its answer file.
    path = Path(told) if told else Path(key.case_id)
    if path.is_file():
        line = line_with(path, said, key.case_id, key.provider)
        yield FilePlace("answer", path, line or line_with(path, key.case_id) or 1)
    if header.suite_path and Path(header.suite_path).is_file():
        path = Path(header.suite_path)
        yield FilePlace("suite", path, line_with(path, key.case_id) or 1)


def line_with(path: Path, text: str, *beside: str) -> int | None:
    """The first line where the words of a text begin, whatever stands between them; a
    line that also has what is named beside goes first. Raises InputError."""
    words = re.findall(r"\w+", text)[:ENOUGH]
    try:
        content = read_regular(path, LARGEST).decode("utf-8", "replace")
    except OSError as error:
        raise InputError(
            f"{path}: {error.strerror or error}",
            "it was moved or removed since the run; bring it back to open it",
        ) from error
    if not words:
        return None
    # What stands between two words of a sentence, also in HTML and JSON.
    between = r"(?:\W|_|<[^<>\w]*\w[^<>]*>|\\[nt])+?"
    found = list(re.finditer(rf"\b{between.join(map(re.escape, words))}\b", content))
    for match in found:
        begin = content.rfind("\n", 0, match.start()) + 1
        end = content.find("\n", match.end())
        line = content[begin : end if end >= 0 else None]
        if all(name in line for name in beside):
            return content.count("\n", 0, match.start()) + 1
    return content.count("\n", 0, found[0].start()) + 1 if found else None
