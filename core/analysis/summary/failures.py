"""Why answers fail: kinds by grade, patterns among the failures, what to do about it.

A pattern is a group whose failure rate lies above that of the whole run. Two failures
of three are no pattern: a group needs LEAST_GROUP samples and LEAST_FAILED failures,
and the Wilson interval of its rate must lie above the base rate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from claimscope.core.analysis.statistics.intervals import wilson
from claimscope.core.analysis.summary.iterations import grade
from claimscope.core.models import Label, Model, SampleResult

LEAST_GROUP = 5
LEAST_FAILED = 3
SHORT, LONG = 50, 200
"""Words of an answer: short below the first, long above the second."""


class Category(Model):
    """Samples of one kind of failure by grade (METRICS B)."""

    name: str
    samples: tuple[str, ...]
    """Their keys."""
    n: int
    """Samples with the grade it goes by."""


class Pattern(Model):
    """A group that fails more often than the rest."""

    by: str
    """category, provider, difficulty, page, length, failure or rule."""
    value: str
    failed: int
    n: int
    """Judged samples of the group."""
    rate: float
    base_rate: float
    lift: float
    """rate / base_rate."""
    low: float
    """95 % Wilson interval of the rate."""
    high: float


class Recommendation(Model):
    """What to do, and the figures that say so."""

    text: str
    evidence: str


class FailureAnalysis(Model):
    """Of a run."""

    judged: int
    failed: int
    unscored: int
    categories: tuple[Category, ...]
    kinds: dict[str, int]
    """Samples by kind of failure; one may have several."""
    rules: dict[str, int]
    """Rule conflicts of claims, by rule."""
    patterns: tuple[Pattern, ...]
    """Greatest lift first."""
    recommendations: tuple[Recommendation, ...]


def analyse_failures(samples: Sequence[SampleResult]) -> FailureAnalysis:
    """Of all samples; the order of samples changes nothing but the lists of keys."""
    judged = [sample for sample in samples if sample.passed is not None]
    failed = [sample for sample in judged if sample.passed is False]
    kinds = _by_frequency(
        kind for s in failed for kind in sorted({f.kind.value for f in s.failures})
    )
    rules = _by_frequency(rule for s in failed for rule in _conflicts(s))
    categories = tuple(_categories(samples))
    patterns = tuple(_patterns(judged, len(failed)))
    return FailureAnalysis(
        judged=len(judged),
        failed=len(failed),
        unscored=len(samples) - len(judged),
        categories=categories,
        kinds=kinds,
        rules=rules,
        patterns=patterns,
        recommendations=tuple(
            _recommendations(categories, kinds, rules, patterns, len(failed))
        ),
    )


def _by_frequency(names: Iterator[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for name in names:
        found[name] = found.get(name, 0) + 1
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))


CATEGORIES: tuple[tuple[str, str, Callable[[float], bool]], ...] = (
    # The mean of several judges may lie between two grades: it counts below.
    ("completely false", "faithfulness", lambda g: g < 2),
    ("mostly false", "faithfulness", lambda g: 2 <= g < 3),
    ("mixed", "faithfulness", lambda g: 3 <= g < 4),
    ("completeness failure", "completeness", lambda g: g < 4),
)


def _categories(samples: Sequence[SampleResult]) -> Iterator[Category]:
    for name, of, belongs in CATEGORIES:
        graded = [(s, g) for s in samples if (g := grade(s, of)) is not None]
        keys = tuple(str(s.key) for s, g in graded if belongs(g))
        yield Category(name=name, samples=keys, n=len(graded))


def _conflicts(sample: SampleResult) -> list[str]:
    return [
        finding.rule
        for result in sample.claims
        for finding in result.verdict.rules
        if finding.outcome == "conflict" and result.verdict.label != Label.SUPPORTED
    ]


def _length(sample: SampleResult) -> list[str]:
    words = len(sample.answer.text.split())
    if words < SHORT:
        return [f"under {SHORT} words"]
    return [f"over {LONG} words"] if words > LONG else [f"{SHORT}-{LONG} words"]


def _pages(sample: SampleResult) -> list[str]:
    """Pages that the verdicts of its claims rest on, best evidence each."""
    best = (r.verdict.evidence[0].page_id for r in sample.claims if r.verdict.evidence)
    return sorted(set(best))


def _rules(sample: SampleResult) -> list[str]:
    """Kinds of claim, by what a rule found to compare in it: numbers, dates …"""
    return sorted({f.rule for r in sample.claims for f in r.verdict.rules})


def _as_list(value: str | None) -> list[str]:
    return [] if value is None else [value]


GROUPINGS: dict[str, Callable[[SampleResult], list[str]]] = {
    "category": lambda s: _as_list(s.case.category),
    "difficulty": lambda s: _as_list(s.case.difficulty),
    "domain": lambda s: _as_list(s.case.domain),
    "provider": lambda s: _as_list(s.key.provider),
    "length": _length,
    "page": _pages,
    "kind of claim": _rules,
}


def _patterns(judged: Sequence[SampleResult], failed: int) -> Iterator[Pattern]:
    base = failed / len(judged) if judged else 0.0
    found: list[Pattern] = []
    for by, values in GROUPINGS.items():
        groups: dict[str, list[bool]] = {}
        for sample in judged:
            for value in values(sample):
                groups.setdefault(value, []).append(sample.passed is False)
        for value, words in groups.items():
            bad, n = sum(words), len(words)
            interval = wilson(bad, n)
            if n < LEAST_GROUP or bad < LEAST_FAILED or interval is None:
                continue
            if interval.low <= base:
                continue
            found.append(
                Pattern(
                    by=by,
                    value=value,
                    failed=bad,
                    n=n,
                    rate=bad / n,
                    base_rate=base,
                    lift=bad / n / base,
                    low=interval.low,
                    high=interval.high,
                )
            )
    yield from sorted(found, key=lambda p: (-p.lift, -p.n, p.by, p.value))


ADVICE = {
    "contradicted": "Have the answers quote the pages for facts: some say otherwise.",
    "not_supported": "Tell the model to leave out what the pages do not state, or add "
    "the pages that do.",
    "missing_claim": "Ask for the required facts by name, or retrieve more pages.",
    "broken_citation": "Give the model the list of ids it may cite.",
    "misattributed": "Ask for the citation right after the sentence it proves.",
    "empty": "Find out why the provider gave no text before anything else.",
    "wrong_abstention": "Check retrieval: an answer said nothing was there, or "
    "answered what it should not have.",
    "planted_grade": "Look at these answers by hand: text in them addresses the judge.",
}
"""What to do about each kind of failure."""

GRADE_ADVICE = {
    "completely false": "Forbid outside knowledge in the prompt of the answers.",
    "mostly false": "Shorten the context or ask for fewer facts an answer.",
    "mixed": "Ask for a citation a sentence, so that invented ones stand out.",
    "completeness failure": "Ask the answers to say why the facts fit the question.",
}
RULE_ADVICE = "Have numbers, dates and names copied from the page, not retold."


def _recommendations(
    categories: Sequence[Category],
    kinds: dict[str, int],
    rules: dict[str, int],
    patterns: Sequence[Pattern],
    failed: int,
) -> Iterator[Recommendation]:
    for category in categories:
        if category.samples:
            yield Recommendation(
                text=GRADE_ADVICE[category.name],
                evidence=f"{category.name}: {len(category.samples)} of "
                f"{category.n} graded samples",
            )
    for kind, count in kinds.items():
        if kind in ADVICE:
            yield Recommendation(
                text=ADVICE[kind], evidence=f"{kind}: {count} of {failed} failures"
            )
    if rules:
        listed = ", ".join(f"{rule} {count}" for rule, count in rules.items())
        yield Recommendation(text=RULE_ADVICE, evidence=f"rule conflicts: {listed}")
    for pattern in patterns:
        yield Recommendation(
            text=f"Begin with {pattern.by} {pattern.value!r}: it fails more than "
            "the rest.",
            evidence=f"{pattern.failed} of {pattern.n} failed, "
            f"{pattern.lift:.1f} times the base rate",
        )
