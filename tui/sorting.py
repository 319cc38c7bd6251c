"""Orders of samples, and what a search looks into. No screen in here."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from claimscope.core.models import SampleResult

DIFFICULTIES = {"easy": 0, "medium": 1, "hard": 2}
DEFAULT_ORDER = "case"
"""The answers of all providers to a case stand together."""
SortKey = Callable[[SampleResult], tuple[object, ...]]


def sort_keys(metrics: Sequence[str]) -> dict[str, SortKey]:
    """Ways to sort by name; samples without a value come last."""
    keys: dict[str, SortKey] = {
        DEFAULT_ORDER: lambda s: (s.key.case_id, s.key.provider, s.key.iteration),
        "failures, most first": lambda s: (-len(s.failures),),
        "as finished": lambda s: (),
        "provider": lambda s: (s.key.provider, s.key.case_id),
        "category": lambda s: (s.case.category is None, s.case.category or ""),
        "difficulty": lambda s: (DIFFICULTIES.get(s.case.difficulty or "", 3),),
    }
    for metric in metrics:
        keys[f"{metric}, lowest first"] = _by_metric(metric)
    return keys


def _by_metric(metric: str) -> SortKey:
    def sort_key(sample: SampleResult) -> tuple[object, ...]:
        value = next((s.value for s in sample.scores if s.metric == metric), None)
        return (value is None, 0.0 if value is None else value)

    return sort_key


def haystack(sample: SampleResult) -> str:
    """What a search looks into, folded for comparison."""
    parts = (
        sample.key.case_id,
        sample.key.provider,
        sample.case.category or "",
        sample.case.question,
        sample.answer.text,
    )
    return "\n".join(parts).casefold()
