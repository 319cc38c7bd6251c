"""`claimscope models`: what each server of the pool has."""

from __future__ import annotations

import argparse

from claimscope.tui.cli.flags import add_server_flags
from claimscope.tui.process.output import say, write_json, write_view
from claimscope.tui.services.workspace import command_settings, open_workspace

EPILOG = """\
The model of the settings is marked with *. LOADED says with which context a model is
in memory and until when. PROBE is what its last `claimscope models probe` said.
exit codes: 0 a host answered; 2 wrong use; 3 none did
"""
HOW_TO_GET_ONE = (
    "no model yet: `claimscope models pull NAME` has Ollama fetch one, e.g. "
    "`claimscope models pull qwen2.5:7b`"
)


def arguments(parser: argparse.ArgumentParser) -> None:
    add_server_flags(parser)


def run(arguments: argparse.Namespace) -> int:
    import asyncio
    from dataclasses import asdict

    from claimscope.tui.services.models.inventory import inventory
    from claimscope.tui.services.models.probe import last_verdict
    from claimscope.tui.views.models import models_view

    workspace = open_workspace(arguments)
    settings = command_settings(workspace, arguments)
    hosts = asyncio.run(inventory(settings, last_verdict(workspace)))
    if arguments.json:
        write_json([asdict(host) for host in hosts])
    else:
        write_view(models_view(hosts), has_signs=True)
    for host in hosts:
        if host.problem:
            say(f"claimscope: {host.problem}\n  {host.remedy}".rstrip())
    if not any(host.version for host in hosts):
        return 3
    if not any(host.models for host in hosts) and settings.server == "ollama":
        say(HOW_TO_GET_ONE)
    return 0
