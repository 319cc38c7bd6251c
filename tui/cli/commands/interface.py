"""`claimscope`: the terminal interface."""

from __future__ import annotations

import argparse


def run(arguments: argparse.Namespace) -> int:
    from claimscope.tui.cli.terminal import open_interface

    return open_interface(arguments.workspace)
