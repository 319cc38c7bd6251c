"""Operational figures as lines for people: a table of runs, one of domains, errors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from claimscope.core.analysis.summary.operations import Operations, RunOperations, Stats
from claimscope.core.report.text import one_line

HEADS = ("samples", "unscored", "errors", "50 % s", "95 % s", "tokens")
"""`50 % s`: seconds that half of the samples did not exceed."""
NAME = 24
"""Widest name before it is cut."""


def stats_lines(found: Stats) -> Iterator[str]:
    """Everything; `–` stands for what is not known."""
    runs = found.runs
    if runs:
        yield f"{len(runs)} runs, {runs[0].created[:10]} to {runs[-1].created[:10]}"
        yield ""
    yield from _table(("run", *HEADS, "embed"), [_run(run) for run in runs])
    yield ""
    of_all = found.total.model_copy(update={"name": "all"})
    rows = [_operations(one) for one in (*found.domains, of_all)]
    yield from _table(("domain", *HEADS), rows)
    yield ""
    yield f"embedding tokens of all runs: {_count(found.embedding_tokens)}"
    yield from _errors(found.total)
    for run in runs:
        yield from _calls(run)
    for run in runs:
        yield from _searches(run)
    for run in runs:
        if run.state != "finished" or run.error:
            yield one_line(f"run {run.run_id}: {run.state} {run.error or ''}")
    for line in found.unreadable:
        yield one_line(f"not counted: {line}")


def _calls(run: RunOperations) -> Iterator[str]:
    """What the calls of a run were for, and how many a sample; those of a probe are
    made once a run."""
    if not run.calls:
        return
    parts = [
        f"{one.purpose} {one.calls:,} ({one.prompt_tokens:,} prompt tokens)"
        for one in run.calls
    ]
    own = [one for one in run.calls if one.purpose != "probe"]
    samples = run.samples.analyses
    each = ""
    if samples:
        calls = sum(one.calls for one in own) / samples
        tokens = sum(one.prompt_tokens for one in own) / samples
        each = f"; a sample {calls:.1f} calls, {tokens:,.0f} prompt tokens"
    yield one_line(f"calls of {run.run_id}: {', '.join(parts)}{each}")


def _searches(run: RunOperations) -> Iterator[str]:
    """How long the corpus took to answer."""
    took = run.searches
    if took is not None:
        yield one_line(
            f"searches of {run.run_id}: {took.n:,}; half within "
            f"{took.median * 1000:.3g} ms, 95 % within {took.p95 * 1000:.3g} ms, "
            f"the longest {took.longest * 1000:.3g} ms"
        )


def _errors(total: Operations) -> Iterator[str]:
    if not total.errors:
        yield "no sample ended in an error"
    for kind, count in total.errors.items():
        share = count / total.analyses
        yield one_line(f"error: {kind}: {count} of {total.analyses} ({share:.1%})")


def _run(run: RunOperations) -> tuple[str, ...]:
    tokens = run.usage.prompt_tokens + run.usage.completion_tokens
    *cells, _ = _operations(run.samples)
    return (*cells, _count(tokens), _count(run.embedding_tokens))


def _operations(one: Operations) -> tuple[str, ...]:
    latency = one.latency
    return (
        one_line(one.name)[:NAME],
        f"{one.analyses:,}",
        f"{one.unscored:,}",
        f"{sum(one.errors.values()):,}",
        f"{latency.median:.2f}" if latency else "–",
        f"{latency.p95:.2f}" if latency else "–",
        _count(one.prompt_tokens + one.completion_tokens),
    )


def _count(number: int | None) -> str:
    return "–" if number is None else f"{number:,}"


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """The first column to the left, the others to the right."""
    columns = list(zip(heads, *rows, strict=True))
    widths = [max(map(len, column)) for column in columns]
    for row in (heads, *rows):
        cells = [
            cell.rjust(width) if place else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()
