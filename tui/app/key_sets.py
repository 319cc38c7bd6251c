"""Whole sets of keys that ship as data: those of vim and of Emacs.

Each is a file `themes/keys/<name>.toml` with a table [keys], as a person writes one; a
person's own keys go before those of the set.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping

from claimscope.stores.workspace.interface_settings import Interface, keys_of
from claimscope.tui.app.themes import SHIPPED

FOLDER = SHIPPED / "keys"
OWN = "default"
"""The name of the program's own keys."""


def key_sets() -> list[str]:
    """Names of all sets, the program's own keys first."""
    return [OWN, *sorted(path.stem for path in FOLDER.glob("*.toml"))]


def keys_in(name: str) -> Mapping[str, str]:
    """The keys of a set by the id of an action; none for a name that is not there."""
    if name == OWN or name not in key_sets():
        return {}
    path = FOLDER / f"{name}.toml"
    return keys_of(tomllib.loads(path.read_text("utf-8"))["keys"], path, [])


def wanted_keys(interface: Interface) -> tuple[Mapping[str, str], list[str]]:
    """(keys, problems): those of the chosen set, and a person's own over them."""
    name = interface.key_set or OWN
    problems = list(interface.problems)
    if name not in key_sets():
        known = ", ".join(key_sets())
        problems.append(f"key_set = {name!r}: there is no such set; there are: {known}")
    return {**keys_in(name), **interface.keys}, problems
