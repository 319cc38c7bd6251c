"""Models, pulls and what a model does now, in words: for commands and screens alike."""

from __future__ import annotations

from datetime import datetime

from claimscope.core.ports import ModelState
from claimscope.tui.ports.gateway import ModelInfo, PullStep
from claimscope.tui.process.output import duration


def size(count: int) -> str:
    """Bytes as Ollama writes them: powers of 1000, e.g. `98 MB`, `1.1 GB`."""
    if count < 1000**2:
        return f"{count / 1000:.0f} kB"
    if count < 1000**3:
        return f"{count / 1000**2:.0f} MB"
    return f"{count / 1000**3:.1f} GB"


def clock_time(moment: str | None) -> str:
    """The local time of day of an ISO 8601 moment; empty for none."""
    try:
        found = datetime.fromisoformat(moment or "")
    except ValueError:
        return ""
    return found.astimezone().strftime("%H:%M")


def in_memory(model: ModelInfo) -> str:
    """`no`, or `2048 tokens, until 14:05`."""
    if not model.is_loaded:
        return "no"
    words = []
    if model.loaded_context:
        words.append(f"{model.loaded_context} tokens")
    if until := clock_time(model.loaded_until):
        words.append(f"until {until}")
    return ", ".join(words) or "yes"


def is_coming(step: PullStep) -> bool:
    """Whether bytes are on their way: after them the server checks and writes."""
    return step.total > 0 and step.status.startswith("pulling ")


def pull_words(step: PullStep) -> str:
    """`pulling 34 % of 1.1 GB, 5.2 MB/s, 2 min 10 s left`, or the bare status."""
    if not is_coming(step):
        return step.status
    text = f"pulling {100 * step.done // step.total} % of {size(step.total)}"
    if step.rate:
        text += f", {size(round(step.rate))}/s, {duration(step.eta_seconds)} left"
    return text


PHASES = {
    "loading": "loading {model}",
    "queued": "{model} waits in the server's queue",
    "reading": "{model} reads the prompt",
    "writing": "{model} writes",
    "idle": "{model} is idle",
}


def state_words(state: ModelState, *, with_host: bool = False) -> str:
    """`loading qwen2.5:7b, 38 s`."""
    text = PHASES[state.phase].format(model=state.model)
    if with_host:
        text += f" at {state.host.removeprefix('http://')}"
    if state.phase != "idle":
        text += f", {duration(state.seconds)}"
    return text
