"""Readers, formats and importers by what their modules hold: to add one, add a file."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any


def members(package: str, name: str) -> list[Any]:
    """What the modules of a package have under a name; those without it are left
    out."""
    modules = pkgutil.iter_modules(importlib.import_module(package).__path__)
    found = (importlib.import_module(f"{package}.{one.name}") for one in modules)
    return [vars(module)[name] for module in found if name in vars(module)]


def by_suffix(package: str, name: str) -> dict[str, Any]:
    """The same by each of their `suffixes`, in order."""
    found = {end: one for one in members(package, name) for end in one.suffixes}
    return dict(sorted(found.items()))
