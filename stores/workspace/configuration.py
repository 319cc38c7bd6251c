"""Settings from file, environment and flags, each with where it came from.

The later wins: defaults, `claimscope.toml` in the workspace, the project's file (of a
check), `CLAIMSCOPE_<NAME>` in the environment, flags.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from claimscope.core.errors import SettingsError
from claimscope.core.logins import HIDDEN, shown_setting
from claimscope.core.settings import Settings
from claimscope.stores.workspace.interface_settings import FILE, NAMES
from claimscope.stores.workspace.project import NAMES as PROJECT_NAMES
from claimscope.stores.workspace.settings_file import read_settings

__all__ = ["FILE", "Configuration", "load"]
PREFIX = "CLAIMSCOPE_"
OTHER_VARIABLES = {"WORKSPACE", "CACHE", "CONFIG", "REQUIRE_OLLAMA", "THEME", "API_KEY"}
"""Variables with our prefix that are not settings of a run."""


@dataclass(frozen=True)
class Configuration:
    """Settings and, by name, the source of each value."""

    settings: Settings
    sources: Mapping[str, str]


def load(
    workspace: Path,
    flags: Mapping[str, object | None],
    environment: Mapping[str, str] = os.environ,
    project: tuple[str, Mapping[str, Any]] | None = None,
) -> Configuration:
    """Flags that are None were not given. `project`: the name of the project's file and
    the settings in it, which win over those of the workspace. Raises SettingsError that
    names file or variable, setting and remedy."""
    values: dict[str, Any] = {}
    sources = dict.fromkeys(Settings.model_fields, "default")
    path = workspace / FILE
    _, in_file = read_settings(path)
    for other in (*NAMES, *PROJECT_NAMES):  # it may be the file of a project as well
        in_file.pop(other, None)
    layers: list[tuple[str, Mapping[str, Any]]] = [
        (str(path), in_file),
        project or ("", {}),
        ("environment", _from_environment(environment)),
        ("flag", {name: v for name, v in flags.items() if v is not None}),
    ]
    for source, layer in layers:
        for name, value in layer.items():
            if name not in Settings.model_fields:
                raise SettingsError(
                    f"{source}: there is no setting named {name!r}",
                    "settings are: " + ", ".join(sorted(Settings.model_fields)),
                )
            values[name] = _as_list(name, value)
            sources[name] = (
                f"{PREFIX}{name.upper()}" if source == "environment" else source
            )
    try:
        return Configuration(Settings.model_validate(values), sources)
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0])
        field = Settings.model_fields[name]
        shown = shown_setting(values.get(name, field.default))
        if "SecretStr" in str(field.annotation):
            shown = HIDDEN
        why = first["msg"].removeprefix("Value error, ")  # pydantic's own words
        raise SettingsError(
            f"{sources[name]}: setting {name} = {shown!r}: {why}",
            f"its default is {field.default!r}",
        ) from None


def _as_list(name: str, value: Any) -> Any:
    """`A,B` for a setting that is a list, as a flag or the environment gives it."""
    if isinstance(value, str) and Settings.model_fields[name].default == ():
        return tuple(part.strip() for part in value.split(",") if part.strip())
    return value


def _from_environment(environment: Mapping[str, str]) -> Mapping[str, Any]:
    """Unknown names are let be: other tools may use our prefix."""
    found = {}
    for variable, value in environment.items():
        name = variable.removeprefix(PREFIX)
        if variable.startswith(PREFIX) and name not in OTHER_VARIABLES:
            if name.lower() in Settings.model_fields:
                found[name.lower()] = value
    return found
