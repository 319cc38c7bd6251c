"""Metrics that other installed packages bring, by the entry point `claimscope.metrics`.

In the `pyproject.toml` of such a package:

    [project.entry-points."claimscope.metrics"]
    shortness = "their_package.metrics:METRICS"

The entry names a metric, a tuple of metrics, or a module with a `METRICS` tuple; a
metric has `id`, `title`, `needs` and `score(findings) -> Score`. One that cannot be
used is left out and named; what it does wrong later leaves its own score unscored.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType
from typing import TYPE_CHECKING, get_args

from claimscope.core.models import Score

if TYPE_CHECKING:
    from claimscope.core.metrics.base import Findings, Metric, Need
    from claimscope.core.settings import Settings

GROUP = "claimscope.metrics"


@dataclass(frozen=True)
class FoundPlugins:
    """Metrics by id, and one line for each that was left out."""

    metrics: Mapping[str, Metric]
    problems: tuple[str, ...] = ()


@dataclass(frozen=True)
class ForeignMetric:
    """A metric of another package, held at arm's length."""

    inner: Metric
    package: str
    """What brought it, for messages."""

    @property
    def id(self) -> str:
        return self.inner.id

    @property
    def title(self) -> str:
        return str(self.inner.title)

    @property
    def needs(self) -> frozenset[Need]:
        return frozenset(self.inner.needs)

    def is_idle(self, settings: Settings) -> bool:
        """Never, unless it says so itself."""
        from claimscope.core.metrics.base import is_idle

        return is_idle(self.inner, settings)

    def score(self, findings: Findings) -> Score:
        """Its score; an exception or a value that is no number leaves it unscored."""
        try:
            score = self.inner.score(findings)
        except Exception as error:
            said = f"{type(error).__name__}: {error}"
            return self._without_value(f"it failed: {said}")
        if not isinstance(score, Score):
            return self._without_value(f"it gave a {type(score).__name__}, not a Score")
        if score.value is not None and not math.isfinite(score.value):
            return self._without_value(f"its value is {score.value}")
        return score.model_copy(update={"metric": self.id})

    def _without_value(self, reason: str) -> Score:
        return Score(
            metric=self.id, reason=f"metric {self.id} of {self.package}: {reason}"
        )


def find_plugins(
    known: Mapping[str, Metric], entries: Iterable[EntryPoint] | None = None
) -> FoundPlugins:
    """All of them; an id that is taken is refused, so that no package changes what a
    known figure means. `entries`: those of the installed packages."""
    found: dict[str, Metric] = {}
    problems: list[str] = []
    if entries is None:
        entries = entry_points(group=GROUP)
    for entry in sorted(entries, key=lambda one: (package_of(one), one.name)):
        source = f"{package_of(entry)} ({entry.name} = {entry.value})"
        try:
            metrics = list(metrics_in(entry.load()))
        except Exception as error:
            said = f"{type(error).__name__}: {error}"
            problems.append(f"metric of {source} left out: {said}")
            continue
        for metric in metrics:
            problem = problem_of(metric)
            if problem is None and (metric.id in known or metric.id in found):
                problem = f"the id {metric.id!r} is taken by another metric"
            if problem is None:
                found[metric.id] = ForeignMetric(metric, package_of(entry))
            else:
                problems.append(f"metric of {source} left out: {problem}")
    return FoundPlugins(found, tuple(problems))


def package_of(entry: EntryPoint) -> str:
    """Name and version of the package behind an entry."""
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else "a package"


def metrics_in(loaded: object) -> Iterator[Metric]:
    """What an entry names, one by one. Raises TypeError when that is no metric."""
    if isinstance(loaded, ModuleType):
        loaded = loaded.METRICS
    if isinstance(loaded, tuple | list):
        yield from loaded
    elif isinstance(loaded, type):
        yield loaded()
    else:
        yield loaded  # type: ignore[misc]  # checked by problem_of


def problem_of(metric: object) -> str | None:
    """What keeps an object from being a metric."""
    from claimscope.core.metrics.base import Need

    name = getattr(metric, "id", None)
    if not isinstance(name, str) or not name.isidentifier():
        return f"its id is {name!r}; it must be a name such as answer_length"
    if not isinstance(getattr(metric, "title", None), str):
        return f"{name} has no title"
    if not callable(getattr(metric, "score", None)):
        return f"{name} has no method score(findings)"
    try:
        needs = frozenset(getattr(metric, "needs", None) or ())
    except TypeError:
        return f"{name}: needs is not a set"
    unknown = sorted(map(str, needs - set(get_args(Need))))
    if unknown or not hasattr(metric, "needs"):
        said = (
            f"needs {unknown[0]!r}, which is not known" if unknown else "has no needs"
        )
        return f"{name} {said}; needs are: {', '.join(get_args(Need))}"
    return None
