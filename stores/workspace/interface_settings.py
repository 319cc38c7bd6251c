"""What the settings file says of the terminal interface: its theme and its keys.

Read before the first frame is painted, so nothing slow is imported here; and read on
its own, because a mistake in it is told of and never keeps the interface from opening.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from claimscope.stores.workspace.regular_files import read_regular

FILE = "claimscope.toml"
NAMES = ("theme", "key_set", "keys", "daemon")
"""What is in the file for the program and is no setting of a run."""
THEME_VARIABLES = ("CLAIMSCOPE_THEME", "TEXTUAL_THEME")
WORKSPACE_VARIABLE = "CLAIMSCOPE_WORKSPACE"
APP = "claimscope"


def workspace_root(given: str | Path | None = None) -> Path:
    """What was given, else $CLAIMSCOPE_WORKSPACE, else the user's data folder."""
    place = given or os.environ.get(WORKSPACE_VARIABLE)
    if place:
        return Path(place).expanduser().absolute()
    import platformdirs

    return Path(platformdirs.user_data_dir(APP, appauthor=False))


@dataclass(frozen=True)
class Interface:
    """How the interface is to look and which keys it has."""

    theme: str | None = None
    theme_source: str = "default"
    key_set: str | None = None
    """Name of a set of keys that ships; None = the program's own."""
    keys: Mapping[str, str] = field(default_factory=dict)
    """Keys by the id of an action, several with commas between them."""
    problems: tuple[str, ...] = ()
    """What could not be used, and why."""


def read_interface(
    workspace: Path, environment: Mapping[str, str] = os.environ
) -> Interface:
    """From the settings file of a workspace, the environment over it. Never raises."""
    path = workspace / FILE
    problems: list[str] = []
    try:
        values = tomllib.loads(read_regular(path).decode("utf-8"))
    except FileNotFoundError:
        values = {}
    except (OSError, ValueError) as error:
        problems.append(f"{path}: {error}; its theme and keys are left out")
        values = {}
    theme, source = values.get("theme"), str(path)
    if theme is not None and not isinstance(theme, str):
        problems.append(f"{path}: theme = {theme!r} is no name of a theme")
        theme = None
    for variable in THEME_VARIABLES:
        if environment.get(variable):
            theme, source = environment[variable], variable
            break
    key_set = values.get("key_set")
    if key_set is not None and not isinstance(key_set, str):
        problems.append(f"{path}: key_set = {key_set!r} is no name of a set of keys")
        key_set = None
    keys = keys_of(values.get("keys", {}), path, problems)
    return Interface(
        theme,
        source if theme is not None else "default",
        key_set,
        keys,
        tuple(problems),
    )


def keys_of(table: object, path: Path, problems: list[str]) -> Mapping[str, str]:
    """Ids with dots may be quoted or not: `"step.agree" = "y"`, or [keys.step]."""
    if not isinstance(table, dict):
        problems.append(f'{path}: [keys] is no table; write "step.agree" = "y"')
        return {}
    found: dict[str, str] = {}

    def gather(values: Mapping[str, object], prefix: str) -> None:
        for name, value in values.items():
            if isinstance(value, dict):
                gather(value, f"{prefix}{name}.")
            elif isinstance(value, str) and value.strip():
                found[prefix + name] = value.strip()
            else:
                problems.append(f"{path}: [keys] {prefix}{name} = {value!r} is no key")

    gather(table, "")
    return found
