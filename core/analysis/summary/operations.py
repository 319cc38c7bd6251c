"""Operational figures over time: how much was judged, how fast, at what cost, and what
went wrong, per run and per domain.

Not how good the answers were: that is what summaries and trends are for. Made of the
light rows in the runs' indexes, so that no result is read. A sample that could not be
judged is an analysis too: it took time, and is counted as an error by its kind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from claimscope.core.models import (
    CallCount,
    Model,
    RunState,
    RunStatus,
    SampleRow,
    Usage,
)
from claimscope.core.ports import RunReader
from claimscope.core.run.search_times import Times, quantile, seconds_of

NO_DOMAIN = "(no domain)"
INTERNAL = "internal error"
"""Kind of an error that is a fault of the program."""


class Latency(Model):
    """Wall seconds: of samples, each from its start to its result, or of searches."""

    n: int
    mean: float
    median: float
    p95: float
    """The least that 95 % did not exceed."""
    longest: float


class Operations(Model):
    """Of the samples of a run, of a domain, or of all."""

    name: str
    analyses: int
    """Samples that were judged or ended in an error."""
    judged: int
    unscored: int
    """Neither pass nor fail; those that ended in an error are among them."""
    errors: dict[str, int]
    """Samples that ended in an error, by its kind, the most frequent first."""
    error_rate: float | None
    """Errors of analyses, [0, 1]; None of none."""
    latency: Latency | None
    prompt_tokens: int
    completion_tokens: int


class RunOperations(Model):
    """A run as it was carried out."""

    run_id: str
    created: str
    suite_id: str
    state: RunState
    model: str | None
    parts: int
    """How often it was started or resumed."""
    seconds: float
    """Of its parts together."""
    usage: Usage
    """Of all model calls, each once; of the samples where no call was journalled."""
    embedded_texts: int | None
    embedding_tokens: int | None
    """Read by its embedding model; stored vectors cost nothing. None = not recorded:
    an older run, or one whose parts were all killed."""
    samples: Operations
    searches: Latency | None
    """Of the corpus, to 5 %; None = not recorded, or the cases have contexts."""
    calls: tuple[CallCount, ...]
    """Model calls by purpose."""
    error: str | None
    """Why it failed as a whole."""


class Stats(Model):
    """Of several runs, oldest first."""

    runs: tuple[RunOperations, ...]
    domains: tuple[Operations, ...]
    """Over all runs, by name; what has no domain last."""
    total: Operations
    embedding_tokens: int | None
    """Of the runs that recorded it; None = no run did."""
    unreadable: tuple[str, ...]
    """Runs that could not be read, and why: their samples are not counted."""


def kind_of(error: str) -> str:
    """The kind of a sample's error: the title in front of its message."""
    title = error.partition(":")[0].strip()
    return INTERNAL if title.startswith(INTERNAL) else title


def operations(name: str, rows: Sequence[SampleRow]) -> Operations:
    """Figures of some samples. What was carried over from another run took no time
    here and is left out of the latency."""
    errors = Counter(kind_of(row.error) for row in rows if row.error)
    return Operations(
        name=name,
        analyses=len(rows),
        judged=sum(row.passed is not None for row in rows),
        unscored=sum(row.passed is None for row in rows),
        errors=dict(errors.most_common()),
        error_rate=errors.total() / len(rows) if rows else None,
        latency=latency_of([row.seconds for row in rows if row.seconds > 0]),
        prompt_tokens=sum(row.prompt_tokens for row in rows),
        completion_tokens=sum(row.completion_tokens for row in rows),
    )


def latency_of(seconds: Sequence[float]) -> Latency | None:
    """None of nothing."""
    if not seconds:
        return None
    median, p95 = np.quantile(seconds, (0.5, 0.95), method="inverted_cdf")
    return Latency(
        n=len(seconds),
        mean=round(float(np.mean(seconds)), 3),
        median=round(float(median), 3),
        p95=round(float(p95), 3),
        longest=round(max(seconds), 3),
    )


def stats(
    runs: Iterable[tuple[RunStatus, RunReader]], unreadable: Sequence[str] = ()
) -> Stats:
    """Figures of runs, given in any order."""
    found: list[RunOperations] = []
    everything: list[SampleRow] = []
    for status, run in runs:
        rows = list(run.rows())
        found.append(_run_operations(status, rows, run))
        everything += rows
    found.sort(key=lambda run: (run.created, run.run_id))
    known = [r.embedding_tokens for r in found if r.embedding_tokens is not None]
    return Stats(
        runs=tuple(found),
        domains=tuple(by_domain(everything)),
        total=operations("all", everything),
        embedding_tokens=sum(known) if known else None,
        unreadable=tuple(unreadable),
    )


def searches_of(times: Times | None) -> Latency | None:
    """None of nothing."""
    count = sum(times.values()) if times else 0
    if not times or not count:
        return None
    total = sum(seconds_of(number) * many for number, many in times.items())
    return Latency(
        n=count,
        mean=round(total / count, 6),
        median=round(quantile(times, 0.5), 6),
        p95=round(quantile(times, 0.95), 6),
        longest=round(seconds_of(max(times)), 6),
    )


def _run_operations(
    status: RunStatus, rows: Sequence[SampleRow], run: RunReader
) -> RunOperations:
    header = status.header
    texts, tokens = run.embedded() or (None, None)
    return RunOperations(
        run_id=header.run_id,
        created=header.created,
        suite_id=header.suite_id,
        state=status.state,
        model=header.model,
        parts=status.parts,
        seconds=status.usage.wall_seconds,
        usage=status.usage,
        embedded_texts=texts,
        embedding_tokens=tokens,
        samples=operations(header.run_id, rows),
        searches=searches_of(run.searched()),
        calls=status.calls,
        error=status.error,
    )


def by_domain(rows: Iterable[SampleRow]) -> Iterator[Operations]:
    """Those of each domain, by name; what has none comes last."""
    by_name: dict[str | None, list[SampleRow]] = {}
    for row in rows:
        by_name.setdefault(row.domain or None, []).append(row)
    for name in sorted(by_name, key=lambda name: (name is None, name or "")):
        yield operations(name or NO_DOMAIN, by_name[name])
