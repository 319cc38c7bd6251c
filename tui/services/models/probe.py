"""Probing a model from here: the server, the progress, the keeping of what came out."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from claimscope.core.grade.probe import Probe, ProbeCase, Use
from claimscope.core.ports import ChatModel, OnProgress, Progress, RunWriter
from claimscope.core.report.views.probe import UNPROBED, case_line, fitness_notes
from claimscope.core.run.plan import RunPlan
from claimscope.core.settings import Settings
from claimscope.stores.workspace.paths import Workspace
from claimscope.stores.workspace.probes import ProbeStore
from claimscope.tui.bootstrap.servers import model_on_one_server
from claimscope.tui.ports.gateway import KeptProbe
from claimscope.tui.process.output import say

CONTEXT_TOKENS = 4096
"""num_ctx of a probe when neither flag nor settings name one."""
OnCase = Callable[[ProbeCase], None]


async def probe_model(
    settings: Settings, model: str, *, full_context: bool, on_case: OnCase | None = None
) -> Probe:
    """Probes a model of the configured servers. Of several hosts each must hold the
    same weights; then what is found out on the first that answers holds for all.
    Raises ServerDown, ModelMissing, ModelError (hosts with other weights)."""
    from claimscope.core.grade.probing import ProbedModel, probe
    from claimscope.core.verify.witnesses.model_question import form_of

    context = settings.context_tokens or CONTEXT_TOKENS
    async with model_on_one_server(settings, model, context) as (chat, host):

        async def given() -> int | None:
            return await host.context_of(chat.name)

        subject = ProbedModel(
            chat,
            await host.version(),
            context,
            given,
            form_of(model, settings.server),
            is_window_fixed=settings.server == "openai",
        )
        return await probe(subject, full_context=full_context, on_case=on_case)


class ProbeProgress:
    """Progress of a probe for a bar, or for another program, which hears of the case
    too."""

    def __init__(
        self, total: int, bar: OnProgress | None, lines: OnProgress | None
    ) -> None:
        self._total, self._bar, self._lines = total, bar, lines
        self._done = 0
        self._started = time.monotonic()

    def __call__(self, case: ProbeCase) -> None:
        self._done += 1
        seconds = time.monotonic() - self._started
        step = Progress.paced("probing", self._done, self._total, seconds)
        if self._lines is not None:
            self._lines(replace(step, note=case_line(case)))
        if self._bar is not None:
            self._bar(step)


# --- runs -------------------------------------------------------------------------


def fitness(
    workspace: Workspace, settings: Settings, models: Sequence[ChatModel]
) -> dict[str, str]:
    """By model that verifies or judges in a run: the verdict of its probe, or
    "unprobed" when there is none for these weights, context, cases and prompts."""
    uses = uses_of(settings)
    if not uses or not models:
        return {}
    from claimscope.core.grade.probing import probe_digest

    planted, store = probe_digest(), ProbeStore(workspace.probes)
    found: dict[str, str] = {}
    for model in models:
        weights, context = model.digest or model.name, model.context_tokens
        kept = store.covering(weights, context, planted)
        found[model.name] = kept.verdict_for(*uses) if kept else UNPROBED
    return found


def uses_of(settings: Settings) -> tuple[Use, ...]:
    """What a run with these settings asks its models for."""
    verdicts: tuple[Use, ...] = ("verdicts",) if settings.asks_model else ()
    return (*verdicts, "grades") if settings.judge else verdicts


def with_fitness(
    plan: RunPlan, workspace: Workspace, settings: Settings, models: Sequence[ChatModel]
) -> RunPlan:
    """The plan with what is known of its judges in its header; its fingerprint stays,
    because a probe changes no verdict."""
    known = fitness(workspace, settings, models)
    return replace(plan, header=plan.header.model_copy(update={"fitness": known}))


def tell_fitness(journal: RunWriter, models: Sequence[ChatModel]) -> None:
    """Notes, on stderr and in the run's log, for judges not known to be fit."""
    contexts = {model.name: model.context_tokens for model in models}
    for note in fitness_notes(journal.header().fitness, contexts):
        say(f"note: {note}")
        journal.save_note(note)


# --- what is kept -----------------------------------------------------------------


def kept_probes(workspace: Workspace) -> list[KeptProbe]:
    """All probes that can be read, newest first."""
    from claimscope.core.grade.probing import probe_digest

    planted = probe_digest()
    return [
        KeptProbe(probe, probe.planted != planted)
        for probe in ProbeStore(workspace.probes).probes()
    ]


def last_verdict(workspace: Workspace) -> Callable[[str], str | None]:
    """From a model's digest, or its name without one, to the verdict of its newest
    probe that still counts."""
    found: dict[str, str] = {}
    for probe, is_outdated in kept_probes(workspace):
        if not is_outdated:
            found.setdefault(probe.digest or probe.model, probe.verdict)
    return found.get
