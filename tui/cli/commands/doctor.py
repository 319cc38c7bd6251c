"""`claimscope doctor`: what works here, and where each setting comes from."""

from __future__ import annotations

import argparse
from pathlib import Path

from claimscope.core.logins import shown_setting
from claimscope.tui.cli.flags import add_model_flags
from claimscope.tui.process.output import say, write_json, write_view
from claimscope.tui.services.workspace import (
    configuration,
    flag_settings,
    open_workspace,
)


def arguments(parser: argparse.ArgumentParser) -> None:
    add_model_flags(parser)
    parser.add_argument(
        "--bundle",
        metavar="FILE",
        help="write a zip file for a report: the log, settings without secrets, "
        "versions, checks, and of runs how they were made and what went wrong",
    )


def run(arguments: argparse.Namespace) -> int:
    """One line a check with its remedy; exit 3 when something needed does not work."""
    from claimscope.core.report.view import Fields, line
    from claimscope.tui.services.health import checks
    from claimscope.tui.services.problem_report import bundle, settings_with_sources
    from claimscope.tui.views.health import health_view

    workspace = open_workspace(arguments)
    configured = configuration(workspace, flag_settings(arguments))
    found = checks(workspace, configured.settings)
    if arguments.json:
        checked = [check._asdict() for check in found]
        write_json({"checks": checked, "settings": settings_with_sources(configured)})
    else:
        sources = configured.sources
        settings = (
            (name, line(f"{shown_setting(value)!s:<12} ({sources[name]})"))
            for name, value in configured.settings
        )
        write_view([health_view(found), line(), Fields(tuple(settings))])
    if arguments.bundle:
        path = Path(arguments.bundle).expanduser().absolute()
        names = bundle(path, workspace, configured, found)
        say(f"{path}: {', '.join(names)}")
        say("errors in it may repeat a text of yours: read it before you send it")
    return 3 if any(check.state == "error" for check in found) else 0
