"""How much was judged, how fast, at what cost, and what went wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from claimscope.core.analysis.summary.operations import Operations, RunOperations, Stats
from claimscope.core.report.view import Column, Part, Prose, Row, Table, line, row
from claimscope.core.text.plurals import counted_noun

COUNTS = (
    Column("samples", "right"),
    Column("unscored", "right"),
    Column("errors", "right"),
    Column("50 % s", "right"),
    Column("95 % s", "right"),
    Column("tokens", "right"),
)
"""`50 % s`: seconds that half of the samples did not exceed."""


def operations_view(found: Stats) -> Iterator[Part]:
    """A table of runs, one of domains, then lines; `–` stands for what is not known."""
    runs = found.runs
    if runs:
        first, last = runs[0].created[:10], runs[-1].created[:10]
        yield line(f"{counted_noun(len(runs), 'run')}, {first} to {last}")
        yield line()
    embedded = Column("embed", "right")
    yield Table((Column("run"), *COUNTS, embedded), tuple(map(_run, runs)))
    yield line()
    of_all = found.total.model_copy(update={"name": "all"})
    rows = tuple(map(_operations, (*found.domains, of_all)))
    yield Table((Column("domain"), *COUNTS), rows)
    yield line()
    yield line(f"embedding tokens of all runs: {_count(found.embedding_tokens)}")
    yield from _errors(found.total)
    yield from _calls(runs)
    yield from _searches(runs)
    for run in runs:
        if run.state != "finished" or run.error:
            yield line(f"run {run.run_id}: {run.state} {run.error or ''}")
    for unread in found.unreadable:
        yield line(f"not counted: {unread}")


def _calls(runs: Iterable[RunOperations]) -> Iterator[Prose]:
    """What the calls of a run were for, and how many a sample; those of a probe are
    made once a run."""
    for run in runs:
        if not run.calls:
            continue
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
        yield line(f"calls of {run.run_id}: {', '.join(parts)}{each}")


def _searches(runs: Iterable[RunOperations]) -> Iterator[Prose]:
    """How long the corpus took to answer."""
    for run in runs:
        if (took := run.searches) is not None:
            yield line(
                f"searches of {run.run_id}: {took.n:,}; half within "
                f"{took.median * 1000:.3g} ms, 95 % within {took.p95 * 1000:.3g} ms, "
                f"the longest {took.longest * 1000:.3g} ms"
            )


def _errors(total: Operations) -> Iterator[Prose]:
    if not total.errors:
        yield line("no sample ended in an error")
    for kind, count in total.errors.items():
        share = count / total.analyses
        yield line(f"error: {kind}: {count} of {total.analyses} ({share:.1%})")


def _run(run: RunOperations) -> Row:
    tokens = run.usage.prompt_tokens + run.usage.completion_tokens
    *cells, _ = _operations(run.samples)
    return (*cells, *row(_count(tokens), _count(run.embedding_tokens)))


def _operations(one: Operations) -> Row:
    latency = one.latency
    return row(
        one.name,
        f"{one.analyses:,}",
        f"{one.unscored:,}",
        f"{sum(one.errors.values()):,}",
        f"{latency.median:.2f}" if latency else "–",
        f"{latency.p95:.2f}" if latency else "–",
        _count(one.prompt_tokens + one.completion_tokens),
    )


def _count(number: int | None) -> str:
    return "–" if number is None else f"{number:,}"
