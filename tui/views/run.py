"""A run at work: its figures as they change, what it costs, and its log."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from claimscope.core.models import RunStatus, SampleRow, Usage
from claimscope.core.ports import Control, ModelState
from claimscope.core.report.terms import rule_words
from claimscope.core.report.text import without_traceback
from claimscope.core.report.view import Prose, Span, line, sign_span
from claimscope.core.report.views.probe import fitness_notes
from claimscope.core.report.views.run_status import STATES, name_of, outcome_spans
from claimscope.tui.services.models.status import state_words

if TYPE_CHECKING:
    from claimscope.core.analysis.summary.cost import Prices

HEADLINES = ("overall", "claim_support", "citation_f1", "completeness", "accuracy")
"""Metrics whose means are told while a run goes."""
SHOWN_SCORES = 2
SLOW = 0.1
"""Samples a second; fewer are told by the minute."""
KEY_SLASHES = 2
"""In `case/provider/iteration`, with which a note of a sample begins."""
LAST_ENTRIES = 50
"""Of the log, that are shown."""
ENDED = ("finished", "cancelled", "failed", "stopped")


@dataclass(frozen=True)
class SoFar:
    """The mean of a metric over the samples that are finished."""

    metric: str
    mean: float
    scored: int
    unscored: int
    """Samples it applies to that have no value: in no mean, and not zero."""

    def __str__(self) -> str:
        """`claim_support 0.82 (over 12, 3 unscored)`."""
        more = f", {self.unscored} unscored" if self.unscored else ""
        return f"{self.metric} {self.mean:.2f} (over {self.scored}{more})"


def scores_so_far(rows: Sequence[SampleRow]) -> tuple[SoFar, ...]:
    """Of the first metrics in HEADLINES that have a value."""
    found = []
    for metric in HEADLINES:
        scores = [row.scores[metric] for row in rows if metric in row.scores]
        values = [one.value for one in scores if one.value is not None]
        if values:
            applying = sum(one.applicable for one in scores)
            errors = sum(row.error is not None for row in rows)
            unscored = applying - len(values) + errors
            mean = sum(values) / len(values)
            found.append(SoFar(metric, mean, len(values), unscored))
    return tuple(found[:SHOWN_SCORES])


def clock(seconds: float) -> str:
    """`1:02:03`, or `2:03` below an hour."""
    whole = round(seconds)
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def run_figures(
    status: RunStatus,
    rate: float | None,
    asked: Control | None,
    width: int,
    states: Sequence[ModelState] = (),
    scores: Sequence[SoFar] = (),
    prices: Prices | None = None,
) -> Iterator[Prose]:
    """State, bar, counts and costs of a run, and what one may do now.

    rate: samples a second as seen of late; None = not known yet. width: cells that
    there are. states: what the models do, told while the run is at work. scores: means
    over what is finished. prices: None = none is set, so nothing is said of money.
    """
    yield _title(status)
    total, done = status.header.total_samples, status.completed
    percent = f" {100 * done // total} %" if total else ""
    room = max(10, min(40, width - 40))
    bar = Span("", "supported", share=(done, total), bar=room)
    yield line(bar, f" {done} of {total}{percent}", _pace(status, rate), hangs=False)
    rule = rule_words(status.header.settings, judge=status.header.judge)
    passed, *others = outcome_spans(status.passed, status.failed, status.unscored)
    counts = [passed, *(part for one in others for part in (Span("   "), one))]
    yield line(
        *counts, f"   of {done} finished", Span(f"  {rule}", "faint"), hangs=False
    )
    if status.state == "running" and not done:
        yield line(Span(_beginning(status), "faint"), hangs=False)
    if scores:
        words = ", ".join(map(str, scores))
        yield line(Span("so far: ", "heading"), words, hangs=False)
    yield from _costs(status, prices)
    if states and status.state in ("running", "paused"):
        several = len({state.host for state in states}) > 1
        words = "; ".join(state_words(state, with_host=several) for state in states)
        yield line(Span("now: ", "heading"), words, hangs=False)
    for note in fitness_notes(status.header.fitness):
        yield line(sign_span("judge: ", "not_enough_info"), note)
    yield from _what_now(status, asked)


def _title(status: RunStatus) -> Prose:
    head = status.header
    judge = ", judge" if head.judge else ""
    model = f", {head.model}" if head.model else ""
    return line(
        Span(status.state, "strong", STATES[status.state][0]),
        f"  {name_of(head)}  ",
        Span(f"{head.verifier}{judge}{model}  {head.run_id}", "faint"),
        hangs=False,
    )


def _beginning(status: RunStatus) -> str:
    """What goes on while nothing is finished: on a slow machine it takes minutes."""
    if status.usage.calls:
        return "the first samples are being judged"
    return "getting ready: pages are read and models are tried, then samples follow"


def _costs(status: RunStatus, prices: Prices | None) -> Iterator[Prose]:
    usage = status.usage
    words = []
    if usage.calls:
        tokens = f"{usage.prompt_tokens:,} tokens in, {usage.completion_tokens:,} out"
        calls = f"model calls: {usage.calls:,}, time {clock(usage.model_seconds)}"
        money = f", {money_text(usage, prices)}" if prices else ""
        words = [f"{tokens}, {calls}{money}", ", ".join(_model_pace(usage))]
    if status.parts > 1:
        words.append(f"part {status.parts} of this run")
    for found in filter(None, words):
        yield line(Span(found, "faint"), hangs=False)


def money_text(usage: Usage, prices: Prices) -> str:
    """`cost 0.0123 EUR`, of all calls so far."""
    # Loads the analyses, which a run without prices need not wait for.
    from claimscope.core.analysis.summary.cost import price_of

    found = price_of("run", usage, prices, samples=0, unscored=0)
    return f"cost {found.amount:.4f} {found.currency}"


def log_lines(notes: Sequence[tuple[str, str]]) -> Iterator[Prose]:
    """(time, message) of a log, newest first; samples that could not be judged for the
    same reason are one entry, so that many of them hide nothing else."""
    entries: dict[str, tuple[str, str, int]] = {}
    for at, note in reversed(notes):
        text = without_traceback(note)
        sample, _, reason = text.partition(": ")
        same = reason if sample.count("/") == KEY_SLASHES else text
        first_at, first, count = entries.get(same, (at, text, 0))
        entries[same] = (first_at, first, count + 1)
    for at, text, count in list(entries.values())[:LAST_ENTRIES]:
        more = f"  (and {count - 1:,} more samples)" if count > 1 else ""
        yield line(Span(f"{at[11:19]} ", "faint"), text, Span(more, "strong"))


def _model_pace(usage: Usage) -> Iterator[str]:
    """How fast the models read and write, and what they need not read again."""
    fresh = usage.prompt_tokens - usage.cached_tokens
    if fresh > 0 and usage.prompt_seconds > 0:
        yield f"reads {fresh / usage.prompt_seconds:,.0f} tokens/s"
    # What is left of a model's time is spent writing; servers that do not say how
    # long they read leave nothing that could be told apart.
    writing = usage.model_seconds - usage.prompt_seconds - usage.load_seconds
    if usage.completion_tokens and usage.prompt_seconds > 0 and writing > 0:
        yield f"writes {usage.completion_tokens / writing:,.0f}/s"
    if usage.cached_tokens and usage.prompt_tokens:
        share = 100 * usage.cached_tokens / usage.prompt_tokens
        yield f"{share:.0f} % of the prompts from the cache"
    if usage.load_seconds >= 1:
        yield f"loading {clock(usage.load_seconds)}"


def _pace(status: RunStatus, rate: float | None) -> str:
    """Rate and time to go; of a run that has ended, how long it took."""
    if status.state in ENDED:
        return f"   in {clock(status.usage.wall_seconds)}"
    if status.state == "paused":
        return ""
    if rate is None and status.usage.wall_seconds > 0:
        rate = status.completed / status.usage.wall_seconds
    left = seconds_left(status, rate)
    if left is None or not rate or rate < 0:
        return "" if left is None else f"   ETA {clock(left)}"
    pace = f"{rate:.1f}/s" if rate >= SLOW else f"{60 * rate:.1f}/min"
    return f"   {pace}   ETA {clock(left)}"


def seconds_left(status: RunStatus, rate: float | None) -> float | None:
    """Seconds until a run is done; None = not known yet.

    Where models are asked, of the calls so far: samples left × calls a sample ×
    seconds a call / samples at once. A rate of samples says nothing in the minutes
    between two of them, and swings when several end together. The time in which a
    model was loaded does not come again. Without calls, of the rate.
    """
    usage, done = status.usage, status.completed
    left = status.header.total_samples - done
    working = usage.model_seconds - usage.load_seconds
    if usage.calls and done and working > 0:
        calls_a_sample, call_seconds = usage.calls / done, working / usage.calls
        at_once = max(1, min(status.header.concurrency, left))
        return left * calls_a_sample * call_seconds / at_once
    return left / rate if rate and rate > 0 else None


def _what_now(status: RunStatus, asked: Control | None) -> Iterator[Prose]:
    """What a person may want to do now."""
    says = {
        "stopped": "The engine is gone (killed, or the machine went down). "
        "What was finished is saved. r: resume",
        "paused": "Paused. r: resume",
        "cancelled": "Cancelled. What was finished is saved. r: resume",
        "failed": "The engine gave up. r: resume when the cause is mended",
        "finished": "Finished. enter: results",
    }
    if status.error:
        yield line(Span("Error  ", "contradicted"), status.error, hangs=False)
    if asked:
        words = {"pause": "Pause", "cancel": "Cancel", "run": "Resume"}
        told = f"{words[asked]} was asked for; calls in flight end first."
        yield line(Span(told, "human"), hangs=False)
    elif status.state in says:
        yield line(Span(says[status.state], "human"), hangs=False)
