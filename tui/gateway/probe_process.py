"""A probe as a process of its own, followed by the lines it prints.

The libraries that speak to a server stay out of the process that draws the screen,
and stopping is ending a process: nothing of a probe is kept before its end.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from claimscope.core.errors import ModelError
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.ports.gateway import OnProbeStep, ProbeStep
from claimscope.tui.process.child import follow_command

STEP = re.compile(r"(\d+)/(\d+) (.*)")
"""A line for a case, as `claimscope models probe --lines` prints it."""
PROBED = (0, 1)
"""Exit codes of a probe that came to a verdict."""


def run_probe(
    workspace: Workspace,
    model: str,
    context_tokens: int | None,
    on_step: OnProbeStep,
    is_stopped: Callable[[], bool],
) -> bool:
    """Probes a model to its end; False when stopped. Raises ModelError with the words
    of the process when it came to no verdict."""

    def take(line: str) -> bool:
        step = STEP.fullmatch(line)
        if step:
            on_step(ProbeStep(int(step[1]), int(step[2]), step[3]))
        return step is not None

    words = ["models", "probe", "--lines"]
    if context_tokens is not None:
        words += ["--context-tokens", str(context_tokens)]
    ended = follow_command(workspace, [*words, "--", model], take, is_stopped)
    if ended is None:
        return False
    if ended.code in PROBED:
        return True
    first, *rest = ended.said or (f"the probe ended (exit {ended.code})",)
    raise ModelError(first.removeprefix("claimscope: "), " ".join(rest))
