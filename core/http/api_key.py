"""The key that a server wants: from the environment or a file, kept nowhere.

It is no setting, so that no settings file, journal, report, log or list of settings can
hold it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from claimscope.core.errors import SettingsError

VARIABLE = "CLAIMSCOPE_API_KEY"
LONGEST = 8192
"""Characters; some keys are signed tokens."""


def api_key(
    file: str | None = None, environment: Mapping[str, str] = os.environ
) -> str | None:
    """The key in CLAIMSCOPE_API_KEY, else in `file`; None where neither names one.
    Raises SettingsError, which never repeats it."""
    key = environment.get(VARIABLE, "").strip()
    source = VARIABLE
    if not key and file:
        source = f"api_key_file = {file}"
        key = _in_file(Path(file).expanduser(), source)
    if not key:
        return None
    if len(key) > LONGEST or not key.isascii() or not key.isprintable() or " " in key:
        raise SettingsError(
            f"{source}: what is there is no key of a server.",
            "A key is one line of letters, digits and marks, without blanks.",
        )
    return key


def _in_file(path: Path, source: str) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(LONGEST + 2)
    except OSError as error:
        raise SettingsError(
            f"{source}: {error.strerror or error}",
            "name a file that holds the key and nothing else, or set "
            f"{VARIABLE} in its place",
        ) from error
    key = data.decode("utf-8", "replace").strip()
    if not key:
        raise SettingsError(f"{source}: the file is empty", "write the key into it")
    return key
