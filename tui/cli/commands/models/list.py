"""`claimscope models`: what each server of the pool has."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from claimscope.core.text.plurals import counted_noun

if TYPE_CHECKING:
    from claimscope.tui.ports.gateway import HostInfo, ModelInfo

EPILOG = """\
The model of the settings is marked with *. LOADED says with which context a model is
in memory and until when. PROBE is what its last `claimscope probe` said.
exit codes: 0 a host answered; 2 wrong use; 3 none did
"""
TITLES = (
    "NAME",
    "SIZE",
    "PARAMS",
    "QUANT",
    "CONTEXT",
    "LOADED",
    "DIGEST",
    "CAN",
    "PROBE",
)
HOW_TO_GET_ONE = (
    "no model yet: `claimscope pull NAME` has Ollama fetch one, e.g. "
    "`claimscope pull qwen2.5:7b`"
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which hosts."""
    from claimscope.tui.cli.flags import add_server_flags

    add_server_flags(parser)


def run(arguments: argparse.Namespace) -> int:
    """A table for each host, with --json one object a host."""
    import asyncio
    from dataclasses import asdict

    from claimscope.tui.process.output import say, write_json
    from claimscope.tui.services.models.inventory import inventory
    from claimscope.tui.services.models.probe import last_verdict
    from claimscope.tui.services.workspace import configuration, given, open_workspace

    workspace = open_workspace(arguments)
    settings = configuration(workspace, given(arguments)).settings
    hosts = asyncio.run(inventory(settings, last_verdict(workspace)))
    if arguments.json:
        write_json([asdict(host) for host in hosts])
    else:
        show(hosts)
    for host in hosts:
        if host.problem:
            say(f"claimscope: {host.problem}\n  {host.remedy}".rstrip())
    if not any(host.version for host in hosts):
        return 3
    if not any(host.models for host in hosts) and settings.server == "ollama":
        say(HOW_TO_GET_ONE)
    return 0


def show(hosts: Sequence[HostInfo]) -> None:
    """Prints the tables."""
    from claimscope.core.text.sanitising import sanitise

    rows = [row(model) for host in hosts for model in host.models]
    widths = [max(map(len, column)) for column in zip(TITLES, *rows, strict=True)]
    for host in hosts:
        if host.version is None:
            continue
        count = counted_noun(len(host.models), "model")
        print(sanitise(f"{host.url}  {host.software} {host.version}, {count}"))
        if host.models:
            print("  " + spread(TITLES, widths))
        for model in host.models:
            mark = "*" if model.is_chosen else " "
            print(f"{mark} {spread(row(model), widths)}")


def row(model: ModelInfo) -> tuple[str, ...]:
    """The cells of a model, inert."""
    from claimscope.core.report.text import one_line
    from claimscope.tui.services.models.status import in_memory, size

    context = str(model.context_tokens) if model.context_tokens else "?"
    return tuple(
        one_line(cell)
        for cell in (
            model.name,
            size(model.size_bytes) if model.size_bytes else "?",
            model.parameters or "?",
            model.quantization or "?",
            context,
            in_memory(model),
            model.digest[:12] or "?",
            model.refused or ", ".join(model.capabilities) or "?",
            model.fitness or "unprobed",
        )
    )


def spread(cells: Sequence[str], widths: Sequence[int]) -> str:
    """Cells in columns, two spaces between."""

    def padded() -> Iterator[str]:
        for cell, width in zip(cells, widths, strict=True):
            yield cell.ljust(width)

    return "  ".join(padded()).rstrip()
