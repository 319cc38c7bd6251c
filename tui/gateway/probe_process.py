"""A probe as a process of its own, followed by the progress it prints.

The libraries that speak to a server stay out of the process that draws the screen,
and stopping is ending a process: nothing of a probe is kept before its end.
"""

from __future__ import annotations

from collections.abc import Callable

from claimscope.core.errors import ModelError
from claimscope.core.ports import OnProgress
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.process.child import run_command

PROBED = (0, 1)
"""Exit codes of a probe that came to a verdict."""


def run_probe(
    workspace: Workspace,
    model: str,
    context_tokens: int | None,
    on_step: OnProgress,
    is_stopped: Callable[[], bool],
) -> bool:
    """Probes a model to its end; False when stopped. Raises ModelError with the words
    of the process when it came to no verdict."""
    words = ["models", "probe", "--lines"]
    if context_tokens is not None:
        words += ["--context-tokens", str(context_tokens)]
    ended = run_command(workspace, [*words, "--", model], on_step, is_stopped)
    if ended is None:
        return False
    if ended.code in PROBED:
        return True
    first, *rest = ended.said or (f"the probe ended (exit {ended.code})",)
    raise ModelError(first.removeprefix("claimscope: "), " ".join(rest))
