"""The lines of the Judge screen: models that can be probed, with their probes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from claimscope.core.report.view import Prose, Row, Span, line
from claimscope.core.report.views.probe import probe_row, probe_view
from claimscope.tui.ports.gateway import HostInfo, KeptProbe

NEVER = "Never probed. p: probe now (about two minutes on a small machine)."
OUTDATED = "Made with other cases or prompts than this version has; p: probe again."
NO_HOST = """\
No model server answers, and no probe is kept.
  ollama serve             starts one; r reads again
  claimscope doctor        says what works here"""
NO_MODELS = """\
No server has a model to probe.
  claimscope models pull NAME     has it fetch one; r reads again"""


@dataclass(frozen=True)
class Judge:
    """A line of the list: a model, with a probe of it if there is one."""

    model: str
    is_installed: bool
    kept: KeptProbe | None = None


def judges(hosts: Sequence[HostInfo], kept: Sequence[KeptProbe]) -> list[Judge]:
    """Installed models with their probes, one line for each context; models without
    one; then probes of models that no host has (any more)."""
    installed = {
        model.digest: model.name
        for host in hosts
        for model in host.models
        if not model.is_remote
    }
    found = []
    for digest, name in sorted(installed.items(), key=lambda item: item[1]):
        own = [one for one in kept if one.probe.digest == digest]
        found += [Judge(name, True, one) for one in own] or [Judge(name, True)]
    gone = [one for one in kept if one.probe.digest not in installed]
    return found + [Judge(one.probe.model, False, one) for one in gone]


def judge_row(judge: Judge) -> Row:
    """A line of the list."""
    name = judge.model if judge.is_installed else f"{judge.model} (not here)"
    kept = judge.kept
    if kept is None:
        return probe_row(name, None)
    return probe_row(name, kept.probe, is_outdated=kept.is_outdated)


def judge_view(judge: Judge) -> Iterator[Prose]:
    """What its probe found, or that there is none."""
    kept = judge.kept
    if kept is None:
        yield line(Span(NEVER, "human"))
        return
    if kept.is_outdated:
        yield line(Span(OUTDATED, "human"))
    yield from probe_view(kept.probe, is_outdated=kept.is_outdated)
