"""Themes as data: read from `themes/` and from the user's folder.

A broken theme is told of and left out; the app starts all the same.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from textual.color import Color, ColorParseError
from textual.css.stylesheet import Stylesheet, StylesheetParseError
from textual.css.tokenizer import TokenError
from textual.theme import BUILTIN_THEMES, Theme

from claimscope.stores.workspace.regular_files import read_regular

SHIPPED = Path(__file__).resolve().parents[2] / "themes"
DEFAULT = "claimscope-dark"
ANSI = "claimscope-ansi"
"""For terminals of 16 colours: theirs."""
MONOCHROME = "claimscope-monochrome"
"""For NO_COLOR."""
_COLOURS = tuple(
    """primary secondary accent foreground background surface panel boost success
    warning error""".split()
)


def shipped_theme(name: str) -> Theme | None:
    """One of ours, without reading the others; None = there is none of that name, or
    it is broken, which `read_themes` tells."""
    stem = name.removeprefix("claimscope-").replace("-", "_")
    found, _ = _read([SHIPPED / f"{stem}.toml"]) if stem.isidentifier() else ({}, [])
    return found.get(name)


def read_themes(folders: Iterable[Path]) -> tuple[list[Theme], list[str]]:
    """(themes, problems): all `*.toml` of the folders, a later one of a name wins."""
    paths = (path for folder in folders for path in sorted(folder.glob("*.toml")))
    themes, problems = _read(paths)
    return list(themes.values()), problems


def _read(paths: Iterable[Path]) -> tuple[dict[str, Theme], list[str]]:
    themes: dict[str, Theme] = {}
    problems: list[str] = []
    for path in paths:
        try:
            text = read_regular(path).decode("utf-8")
            theme = _theme(tomllib.loads(text), path.stem)
        except (OSError, ValueError, TypeError) as error:
            problems.append(f"{path}: {error}")
        else:
            themes[theme.name] = theme
    return themes, problems


def fits(theme: Theme, sheet: Stylesheet, defaults: dict[str, str]) -> bool:
    """Whether all style rules can be read with the variables of a theme.

    Variables of a theme are free text: one that is no colour would else end the app
    at the moment the theme is chosen.
    """
    trial = sheet.copy()
    trial.set_variables(
        {**defaults, **theme.to_color_system().generate(), **theme.variables}
    )
    try:
        trial.parse()
    except (StylesheetParseError, TokenError):
        return False
    return True


def _theme(data: dict[str, Any], stem: str) -> Theme:
    """Raises ValueError with the field that is wrong."""
    known = {"name", "dark", "ansi", "variables", *_COLOURS}
    unknown = sorted(set(data) - known)
    if unknown:
        raise ValueError(f"unknown field {unknown[0]!r}; known: {sorted(known)}")
    if "primary" not in data:
        raise ValueError("field 'primary' is missing: a colour such as \"#7aa2d6\"")
    variables = data.get("variables", {})
    if not isinstance(variables, dict):
        raise ValueError("'variables' is not a table of names and values")
    for field in _COLOURS:
        if field in data:
            _check_colour(field, data[field])
    for field in ("dark", "ansi"):
        if not isinstance(data.get(field, False), bool):
            raise ValueError(f"field {field!r} is neither true nor false")
    dark, ansi = data.get("dark", True), data.get("ansi", False)
    return Theme(
        name=str(data.get("name", stem)),
        dark=dark,
        ansi=ansi,
        variables={
            **(_ansi_variables(dark) if ansi else {}),
            **{str(key): str(value) for key, value in variables.items()},
        },
        **{field: data[field] for field in _COLOURS if field in data},
    )


def _ansi_variables(dark: bool) -> dict[str, str]:
    """What Textual's own rules need to know of a theme in the terminal's colours."""
    return BUILTIN_THEMES["ansi-dark" if dark else "ansi-light"].variables


def _check_colour(field: str, value: object) -> None:
    try:
        Color.parse(str(value))
    except ColorParseError:
        raise ValueError(f"field {field!r}: {value!r} is not a colour") from None
