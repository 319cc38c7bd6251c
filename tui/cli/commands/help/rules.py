"""`claimscope help rules`: the rules that hold claims against sentences."""

from __future__ import annotations

import argparse

from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.cli.flags import add_setting_flag
from claimscope.tui.process.output import write_json_line, write_lines
from claimscope.tui.services.workspace import flag_settings

EPILOG = """\
A rule that is off is not asked: rules_off = "hedge,order" in the settings file, or
--set rules_off=hedge,order. It belongs to a run: runs with other rules are not mixed.
How often each is right is printed by benchmarks/quality/rule_precision.py.
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    add_setting_flag(parser)


def run(arguments: argparse.Namespace) -> int:
    from claimscope.core.verify.rules.registry import RULES
    from claimscope.stores.workspace.configuration import load

    root = Workspace.find(arguments.workspace).root
    off = load(root, flag_settings(arguments)).settings.rules_without
    rows = [
        {
            "id": rule.id,
            "version": rule.version,
            "about": rule.about,
            "on": rule.id not in off,
        }
        for rule in RULES
    ]
    if arguments.json:
        for row in rows:
            write_json_line(row)
        return 0
    width = max(len(rule.id) for rule in RULES)
    write_lines(
        f"{row['id']:<{width}}  {row['version']}  {'on ' if row['on'] else 'off'}  "
        f"{row['about']}"
        for row in rows
    )
    return 0
