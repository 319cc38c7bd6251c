"""What each metric says of itself: the pages of its help.

A metric's page is made of what stands beside its code: the docstring of its module
(formula and source), of its class, of its `score`, and of the functions it is given.
So a page cannot say something else than the code does, and a metric of another
package has one as well.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import TYPE_CHECKING

from claimscope.core.metrics.base import Metric, Need
from claimscope.core.metrics.discovery import discover

if TYPE_CHECKING:
    from claimscope.core.metrics.plugins import ForeignMetric

NEEDS: Mapping[Need, str] = {
    "claims": "claims of the answer, held against ground truth",
    "required_claims": "required claims of the case",
    "citations": "citations in the answer, and what they name",
    "expected_citations": "expected citations of the case",
    "judge": "a local model that gives grades (--judge --model NAME)",
    "reference": "a reference answer of the case",
    "source_names": "the case's domain or brands",
    "both_directions": "claims of answer and reference, each verified on the other",
    "cited_support": "what each sentence's citations carry",
    "retrieval": "what was retrieved, and expected citations of the case",
}
_SCALE = re.compile(r"[Ss]cale:? (\d+(?:\.\d+)?)\s*(?:-|–|to)\s*(\d+(?:\.\d+)?)")
_TIERED = re.compile(r"\b100 x|\b0-100\b|from 0 to 100")


@dataclass(frozen=True)
class MetricPage:
    """The help of one metric."""

    id: str
    title: str
    scale: tuple[float, float]
    needs: tuple[str, ...]
    """What it needs, in words."""
    paragraphs: tuple[str, ...]
    """Formula and rules, as its code says them."""
    origin: str
    """Module the text was read from, or the package that brought it."""


def pages() -> tuple[MetricPage, ...]:
    """One page a metric, in the order they are shown."""
    return tuple(page_of(metric) for metric in discover().values())


def page_of(metric: Metric) -> MetricPage:
    """The page of a metric."""
    package = getattr(metric, "package", None)
    inner = inner_of(metric)
    texts = tuple(dict.fromkeys(texts_of(inner)))
    module = type(inner).__module__
    return MetricPage(
        id=metric.id,
        title=metric.title,
        scale=scale_of(inner, texts),
        needs=tuple(NEEDS[need] for need in NEEDS if need in metric.needs),
        paragraphs=texts,
        origin=f"{module} ({package})" if package else module,
    )


def inner_of(metric: Metric | ForeignMetric) -> object:
    """The metric itself where it is held at arm's length."""
    return getattr(metric, "inner", metric)


def texts_of(metric: object) -> Iterator[str]:
    """Docstrings, from the module's to those of the functions it is given; each
    paragraph on one line."""
    kind = type(metric)
    documented: list[object] = [sys.modules.get(kind.__module__), kind]
    documented.append(getattr(kind, "score", None))
    if is_dataclass(kind):
        values = [getattr(metric, field.name) for field in fields(kind)]
        documented += [value for value in values if inspect.isfunction(value)]
    for thing in documented:
        text = inspect.getdoc(thing) if thing is not None else None
        generated = is_dataclass(thing) and str(text).startswith(f"{kind.__name__}(")
        for paragraph in re.split(r"\n\s*\n", text or "") if not generated else ():
            if paragraph.strip():
                yield " ".join(paragraph.split())


def scale_of(metric: object, texts: tuple[str, ...]) -> tuple[float, float]:
    """Its attribute `scale`, else what its text says of the scale, else 0 to 1."""
    own = getattr(metric, "scale", None)
    if isinstance(own, tuple) and len(own) == 2:
        return float(own[0]), float(own[1])
    for text in reversed(texts):  # what stands nearest to the metric counts first
        found = _SCALE.search(text)
        if found:
            return float(found.group(1)), float(found.group(2))
    if any(_TIERED.search(text) for text in texts):
        return 0.0, 100.0
    return 0.0, 1.0
