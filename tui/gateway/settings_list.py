"""All settings as a person reads them: value, where it comes from, meaning, limits.

Made from `core/settings.py` itself, so that a new setting is here without a line.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
import types
import typing
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal

from pydantic import SecretStr, ValidationError
from pydantic.fields import FieldInfo

from claimscope.core.errors import SettingsError
from claimscope.core.logins import shown_setting
from claimscope.core.settings import JUDGING, Settings
from claimscope.stores.workspace.configuration import Configuration, load
from claimscope.stores.workspace.interface_settings import FILE, read_interface
from claimscope.stores.workspace.settings_file import remove_setting, save_setting
from claimscope.tui.app.key_sets import OWN, key_sets
from claimscope.tui.ports.gateway import SettingInfo

THEME = "theme"
KEY_SET = "key_set"


def setting_infos(workspace: Path) -> list[SettingInfo]:
    """Every setting of a workspace, in the order of core/settings.py; last theme and
    keys.

    Raises SettingsError when file or environment hold a mistake.
    """
    configured = load(workspace, {})
    found = [
        _info(name, field, configured) for name, field in Settings.model_fields.items()
    ]
    interface = read_interface(workspace)
    return [
        *found,
        SettingInfo(
            THEME,
            interface.theme or "",
            interface.theme_source,
            "",
            "Colours of the terminal interface; empty = by what the terminal can.",
            "name of a theme",
        ),
        SettingInfo(
            KEY_SET,
            interface.key_set or OWN,
            str(workspace / FILE) if interface.key_set else "default",
            OWN,
            "Keys of the terminal interface, from its next start on; a person's own, "
            "in the table [keys], go before them.",
            " or ".join(key_sets()),
        ),
    ]


def change_setting(workspace: Path, name: str, text: str | None) -> None:
    """Writes a setting into the file, as a person types it; None takes it out.

    Raises SettingsError that says why a value is refused; the file is then as before.
    """
    if text is None or (name in (THEME, KEY_SET) and not text.strip()):
        remove_setting(workspace, name)
        return
    if name == THEME:
        save_setting(workspace, THEME, text.strip())
        return
    if name == KEY_SET:
        if text.strip() not in key_sets():
            raise SettingsError(
                f"{name} = {text.strip()!r}: there is no such set of keys",
                f"it takes: {' or '.join(key_sets())}",
            )
        save_setting(workspace, KEY_SET, text.strip())
        return
    value = _validated(name, text.strip(), load(workspace, {}).settings)
    if value is None:
        remove_setting(workspace, name)
    else:
        is_secret = isinstance(value, SecretStr)
        save_setting(workspace, name, value.get_secret_value() if is_secret else value)


def _validated(name: str, text: str, now: Settings) -> Any:
    """The value of a text, validated beside all other settings."""
    field = Settings.model_fields[name]
    value: Any = text
    if field.default == ():
        value = tuple(part.strip() for part in text.split(",") if part.strip())
    elif not text and field.default is None:
        return None
    try:
        known = {**now.model_dump(), name: value}
        return getattr(Settings.model_validate(known), name)
    except ValidationError as error:
        first = error.errors()[0]
        raised = first["msg"].removeprefix("Value error, ")
        where = str(first["loc"][0])
        beside = "" if where == name else f"{where}: "
        raise SettingsError(
            f"{name} = {shown_setting(text)!r}: {beside}{raised}",
            f"it takes: {limits(name)}; its default is {format_value(field.default)!r}",
        ) from None


def _info(name: str, field: FieldInfo, configured: Configuration) -> SettingInfo:
    return SettingInfo(
        name,
        format_value(getattr(configured.settings, name)),
        configured.sources[name],
        format_value(field.default),
        meanings().get(name, ""),
        limits(name),
        name in JUDGING,
    )


def format_value(value: object) -> str:
    """As it is typed: nothing for None, true and false, commas in lists."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return ",".join(value)
    return f"{value:g}" if isinstance(value, float) else str(shown_setting(value))


def limits(name: str) -> str:
    """What a setting takes, in words."""
    field = Settings.model_fields[name]
    kinds = _kinds(field.annotation)
    choices = [choice for kind in kinds for choice in typing.get_args(kind)]
    if any(typing.get_origin(kind) is Literal for kind in kinds):
        return " or ".join(map(str, choices))
    words: Mapping[object, str] = {
        bool: "true or false",
        int: "a whole number",
        float: "a number",
        str: "a text",
    }
    first = str if kinds[0] is SecretStr else kinds[0]
    text = words.get(first, "a list with commas between")
    bounds = list(_bounds(field))
    if bounds:
        text += " " + " ".join(bounds)
    return text + (", or nothing" if field.default is None else "")


def _kinds(annotation: Any) -> Sequence[Any]:
    if isinstance(annotation, types.UnionType) or (
        typing.get_origin(annotation) is typing.Union
    ):
        return [k for k in typing.get_args(annotation) if k is not types.NoneType]
    return [annotation]


def _bounds(field: FieldInfo) -> typing.Iterator[str]:
    for bound in field.metadata:
        for sign, words in (
            ("ge", "from"),
            ("gt", "above"),
            ("le", "to"),
            ("lt", "and below"),
        ):
            value = getattr(bound, sign, None)
            if value is not None:
                yield f"{words} {value:g}"


@cache
def meanings() -> Mapping[str, str]:
    """The docstring of each setting, by its name."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(Settings)))
    body = tree.body[0].body  # type: ignore[attr-defined]
    found: dict[str, str] = {}
    for field, text in zip(body, body[1:], strict=False):
        if (
            isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(text, ast.Expr)
            and isinstance(text.value, ast.Constant)
        ):
            found[field.target.id] = " ".join(str(text.value.value).split())
    return found
