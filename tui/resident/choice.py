"""Whether the resident engine is asked: off, use (one that runs), start (one).

Flags, then CLAIMSCOPE_DAEMON, then `daemon` in the settings file; else, for a check and
for a search of the interface, `use`: memory and a process that outlives the command are
taken only by who asked for them once. The server of an editor starts one, since it
would itself hold the same models for as long as the editor is open.
"""

from __future__ import annotations

import argparse
import os
import sys
import tomllib

from claimscope.stores.workspace.interface_settings import FILE, workspace_root
from claimscope.stores.workspace.regular_files import read_regular

VARIABLE = "CLAIMSCOPE_DAEMON"
MODES = ("off", "use", "start")
is_resident = False
"""True in the engine's copies, which ask nobody."""


def mode_of(arguments: argparse.Namespace, default: str = "use") -> str:
    """One of MODES, `default` where nobody says; a value that is none of them is told
    of and means off."""
    if is_resident:
        return "off"
    if arguments.daemon is not None:
        return "start" if arguments.daemon else "off"
    value, source = os.environ.get(VARIABLE) or None, VARIABLE
    if value is None:
        path = workspace_root(arguments.workspace) / FILE
        try:
            found = tomllib.loads(read_regular(path).decode("utf-8"))
        except (OSError, ValueError):
            found = {}  # what is wrong with the file is told by who reads all of it
        value, source = found.get("daemon"), f"{path}: daemon"
    if value is None:
        return default
    if value in MODES:
        return str(value)
    print(
        f"note: {source} = {value!r} is none of {', '.join(MODES)}; taken as off",
        file=sys.stderr,
    )
    return "off"
