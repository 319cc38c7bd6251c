"""Reading the settings file, and writing one setting into it and nothing else.

People write comments into that file and put it in an order of theirs, so it is edited,
not written anew, and what it then says is read back before it takes the place of the
old one.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from claimscope.core.errors import SettingsError
from claimscope.stores.workspace.interface_settings import FILE
from claimscope.stores.workspace.paths import make_private, write_atomically
from claimscope.stores.workspace.regular_files import read_regular

if TYPE_CHECKING:
    from tomlkit import TOMLDocument


def save_setting(workspace: Path, name: str, value: object) -> Path:
    """Sets a setting in the file of a workspace; gives the file's path.

    value: text, number, truth, a list of them or a table of them by name.
    Raises SettingsError when the file is not TOML, or the value cannot be written into
    it safely; StoreError when it cannot be written.
    """
    written = list(value) if isinstance(value, tuple) else value

    def put(document: TOMLDocument | dict[str, Any]) -> None:
        document[name] = written

    return _edit_file(workspace, name, put)


def remove_setting(workspace: Path, name: str) -> Path:
    """Takes a setting out of the file, so that its default counts; nothing happens
    when it is not there. Raises as save_setting."""

    def drop(document: TOMLDocument | dict[str, Any]) -> None:
        if name in document:
            del document[name]

    return _edit_file(workspace, name, drop)


def _edit_file(
    workspace: Path, name: str, change: Callable[[TOMLDocument | dict[str, Any]], None]
) -> Path:
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    path = make_private(workspace) / FILE
    text, wanted = read_settings(path)
    change(wanted)
    try:
        document = tomlkit.parse(text)
        change(document)
        changed = document.as_string()
    except (TOMLKitError, ValueError, TypeError) as error:
        raise _unsafe(path, name, str(error)) from None
    if _parse_toml(changed) != wanted:
        raise _unsafe(path, name, "the file would say something else")
    write_atomically(path, changed.encode())
    return path


def _unsafe(path: Path, name: str, why: str) -> SettingsError:
    return SettingsError(
        f"{path}: {name} cannot be written safely: {why}",
        f"write the line of {name} into the file yourself",
    )


def read_settings(path: Path) -> tuple[str, dict[str, Any]]:
    """The file as it is written and what it says; both empty when there is none.
    Raises SettingsError."""
    try:
        text = read_regular(path).decode("utf-8")
        return text, tomllib.loads(text)
    except FileNotFoundError:
        return "", {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(
            f"{path}: not TOML: {error}", "correct the line, or delete the file"
        ) from None
    except OSError as error:
        raise SettingsError(f"{path}: {error.strerror}", "check its mode") from None


def _parse_toml(text: str) -> object:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None
