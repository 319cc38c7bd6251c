"""Writing one setting into the settings file, and nothing else of it.

People write comments into that file and put it in an order of theirs, so it is not
written anew: one line is replaced or added, and what the file then says is read back
before it takes the place of the old one.
"""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

from claimscope.core.errors import SettingsError
from claimscope.stores.configuration import FILE
from claimscope.stores.paths import make_private, write_atomically


def save_setting(workspace: Path, name: str, value: str) -> Path:
    """Sets a setting in the file of a workspace; gives the file's path.

    Raises SettingsError when the file is not TOML, or writes the setting in a way that
    cannot be replaced safely; StoreError when it cannot be written.
    """
    path = make_private(workspace) / FILE
    try:
        text = path.read_text("utf-8")
        wanted = tomllib.loads(text)
    except FileNotFoundError:
        text, wanted = "", {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(
            f"{path}: not TOML: {error}", "correct the line, or delete the file"
        ) from None
    except OSError as error:
        raise SettingsError(f"{path}: {error.strerror}", "check its mode") from None
    line = f"{name} = {json.dumps(value, ensure_ascii=False)}"
    changed, count = re.subn(
        rf"^[ \t]*{re.escape(name)}[ \t]*=.*$", lambda _: line, text, flags=re.M
    )
    if not count:
        # Before everything else: after a table's head it would belong to the table.
        changed = f"{line}\n{text}"
    wanted[name] = value
    if _read(changed) != wanted:
        raise SettingsError(
            f"{path}: the line of {name} cannot be replaced safely",
            f"write `{line}` into the file yourself",
        )
    write_atomically(path, changed.encode())
    return path


def _read(text: str) -> object:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None
