"""A run in figures: outcomes, claims, and means, never one without the number it is
over; of all samples, by provider and by what the cases are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from claimscope.core.analysis.statistics.alpha import Agreement, Alpha
from claimscope.core.analysis.statistics.intervals import LEAST_CASES
from claimscope.core.analysis.summary.summary import Group, Mean, Summary
from claimscope.core.metrics.discovery import discover
from claimscope.core.models import FailureKind, Label
from claimscope.core.report.terms import FAILURES, LIKELY, WORDS, aside_words
from claimscope.core.report.view import (
    Column,
    Part,
    Prose,
    Row,
    Section,
    Span,
    Table,
    line,
    row,
)
from claimscope.core.report.views.run_status import outcome_words
from claimscope.core.report.words import figure, interval_text, number
from claimscope.core.text.plurals import counted_noun

COLUMNS = (
    Column("metric"),
    Column("mean", "right"),
    Column("of", "right"),
    Column("tier", is_optional=True),
    Column("95 % interval", is_optional=True),
    Column("sd", "right", is_optional=True),
    Column("median", "right"),
    Column("lowest", "right"),
    Column("highest", "right"),
    Column("over", "right"),
    Column("unscored", "right"),
    Column("what it is"),
)
IN_REPORTS = ("what it is",)
IN_TERMINALS = ("median", "lowest", "highest")
"""What each has no room for."""


def summary_view(found: Summary) -> Iterator[Part]:
    """All samples, then each provider where there are several, then how judges
    agree."""
    yield group(found.overall)
    told = frozenset(mean.metric for mean in found.overall.means if not mean.total)
    if len(found.by_provider) > 1:
        for provider in found.by_provider:
            yield line()
            yield group(provider, "provider ", told, again=True)
    if found.agreement is not None:
        yield line()
        yield judges(found.agreement)


def breakdowns(found: Summary) -> Iterator[Part]:
    """Rate and means of each category, difficulty and domain, where there are several;
    providers are told by `summary_view`."""
    for by, groups in groups_of(found).items():
        if by != "provider" and len(groups) > 1:
            yield line()
            inner = tuple(
                Section(outcomes(one), (pass_rate_line(one), _means(one, again=True)))
                for one in groups
            )
            yield Section(line(f"by {by}"), inner)
    shown = (found.overall, *found.by_category, *found.by_difficulty, *found.by_domain)
    if any(m.n and m.interval is None for one in shown for m in one.means):
        yield line()
        yield line(
            f"no interval: fewer than {LEAST_CASES} cases are scored, or all values "
            "are alike"
        )


def groups_of(found: Summary) -> Mapping[str, tuple[Group, ...]]:
    """The groups by what they share."""
    return {
        "provider": found.by_provider,
        "category": found.by_category,
        "difficulty": found.by_difficulty,
        "domain": found.by_domain,
    }


# --- a group --------------------------------------------------------------------


def group(
    found: Group,
    prefix: str = "",
    told: frozenset[str] = frozenset(),
    *,
    again: bool = False,
) -> Section:
    """Outcomes, rate, claims, means, kinds of failure. told: metrics of which it was
    said before that they do not apply. again: what metrics are was said before."""
    parts: list[Part] = [pass_rate_line(found), *likely_passes(found)]
    counts = ", ".join(claim_counts(found))
    parts.append(line(f"claims: {sum(found.claims.values())}: {counts}"))
    if any(mean.total for mean in found.means):
        parts.append(_means(found, again=again))
    parts += metrics_aside(found, told)
    if found.failures:
        kinds = [f"{FAILURES[FailureKind(k)]} {n}" for k, n in found.failures.items()]
        parts.append(line(f"samples by kind of failure: {', '.join(kinds)}"))
    return Section(outcomes(found, prefix), tuple(parts))


def outcomes(found: Group, prefix: str = "") -> Prose:
    """`boats: 10 samples: 6 passed, 3 failed, 1 unscored`."""
    counts = outcome_words(found.passed, found.failed, found.unscored)
    abstained = f" ({found.abstained} abstained)" if found.abstained else ""
    return line(
        Span(f"{prefix}{found.name}", "strong"),
        f": {counted_noun(found.samples, 'sample')}: {counts}{abstained}",
    )


def pass_rate_line(found: Group) -> Prose:
    """`Pass rate 0.600, 95 % [0.381, 0.784], over 20 of 22 (91% coverage)`."""
    value = "–" if found.pass_rate is None else f"{found.pass_rate:.3f}"
    interval = interval_text(found.pass_interval, (0, 1))
    interval = f", 95 % {interval}," if interval else ""
    share = "" if found.coverage is None else f" ({found.coverage:.0%} coverage)"
    return line(
        f"Pass rate {value}{interval} over {found.judged} of {found.samples}{share}"
    )


def likely_passes(found: Group) -> Iterator[Prose]:
    """How many of the passes rest on what is only likely; nothing for none."""
    if found.passed_on_likely:
        yield line(
            f"{found.passed_on_likely} of {found.passed} passed have a claim that is "
            f"only {LIKELY}"
        )


def claim_counts(found: Group) -> list[str]:
    """`12 supported`, `3 likely` …; each label, and "likely" apart from "supported"."""
    counts = {WORDS[label]: found.claims[label] for label in Label}
    counts[WORDS[Label.SUPPORTED]] -= found.likely
    first, *others = counts.items()
    parts = (first, (LIKELY, found.likely), *others)
    return [f"{count} {word}" for word, count in parts]


def metrics_aside(found: Group, told: frozenset[str] = frozenset()) -> Iterator[Prose]:
    """What the metrics need that apply to no sample; nothing without any."""
    ids = (mean.metric for mean in found.means if not mean.total)
    if words := aside_words(metric for metric in ids if metric not in told):
        yield line(Span(words, "faint"))


def figures(found: Group) -> Table:
    """A row for each metric that applies to some sample."""
    return Table(COLUMNS, tuple(mean_row(mean) for mean in found.means if mean.total))


def _means(found: Group, *, again: bool) -> Table:
    more = IN_REPORTS if again else ()
    return figures(found).without(*IN_TERMINALS, *more)


def mean_row(mean: Mean) -> Row:
    """A mean with its spread, and what it is over."""
    scale = mean.scale
    known = discover().get(mean.metric)
    return row(
        mean.metric,
        number(mean.mean, scale) or "–",
        f"{scale[1]:g}",
        mean.tier or "",
        interval_text(mean.interval, scale),
        number(mean.sd, scale) if mean.interval else "",
        *(number(v, scale) or "–" for v in (mean.median, mean.low, mean.high)),
        f"{mean.n} of {mean.total}",
        str(mean.unscored),
        known.title if known else "",
    )


def outcome_table(by: str, groups: tuple[Group, ...]) -> Section:
    """Outcomes, a row a group."""
    names = ("samples", "passed", "failed", "unscored")
    columns = (Column(by), *(Column(name, "right") for name in names))
    rows = tuple(
        row(g.name, *map(str, (g.samples, g.passed, g.failed, g.unscored)))
        for g in groups
    )
    return Section(line(f"By {by}"), (Table(columns, rows),))


# --- citations ------------------------------------------------------------------

CITATIONS = {
    "citation_existence": "exist (citation_existence)",
    "citation_precision": "exist and support (citation_precision)",
    "citation_recall": "recall (citation_recall)",
    "citation_f1": "F1 (citation_f1)",
}


def citations(found: Summary) -> Iterator[Section]:
    """Figures of citations by category and by difficulty, where there are any: that
    they exist at all and that they support their claim are told apart by name."""
    for by in ("category", "difficulty"):
        groups = groups_of(found)[by]
        shown = [name for name in CITATIONS if any(_mean(g, name) for g in groups)]
        if shown:
            heads = (Column(CITATIONS[name], "right") for name in shown)
            rows = tuple(
                row(one.name, *(_over(_mean(one, name)) for name in shown))
                for one in groups
            )
            table = Table((Column(by), *heads), rows)
            yield Section(line(f"Citations by {by}"), (table,))


def _mean(found: Group, metric: str) -> Mean | None:
    mean = found.mean_of(metric)
    return mean if mean is not None and mean.total else None


def _over(mean: Mean | None) -> str:
    """`0.75 (6 of 7)`: the mean and what it is over; a dash where it does not apply."""
    return "–" if mean is None else f"{figure(mean.mean)} ({mean.n} of {mean.total})"


# --- judges ---------------------------------------------------------------------


def judges(found: Agreement) -> Section:
    """How far several judges agree: alpha with its interval, then pair by pair."""
    lines = []
    if found.claims:
        lines.append(
            f"claims judges disagree on: {found.disputed} of {found.claims}; "
            f"{alpha_text(found.labels)}"
        )
    for name, alpha in found.grades.items():
        lines.append(
            f"samples whose {name} grades lie two or more apart: "
            f"{found.disputed_grades[name]}; {alpha_text(alpha)}"
        )
    for pair in found.pairs:
        share = "no claim" if pair.share is None else f"{pair.share:.0%} of claims"
        lines.append(
            f"same label by {pair.first} and {pair.second}: {share} ({pair.same} of "
            f"{pair.claims})"
        )
    return Section(line(f"judges: {', '.join(found.judges)}"), tuple(map(line, lines)))


def alpha_text(alpha: Alpha) -> str:
    """`Krippendorff's alpha 0.62 (0.41 to 0.80, 95 %) over 38`."""
    name = "Krippendorff's alpha"
    if alpha.value is None:
        return f"{name} is not defined: {alpha.reason}"
    interval = ""
    if alpha.low is not None and alpha.high is not None:
        interval = f" ({alpha.low:.2f} to {alpha.high:.2f}, 95 %)"
    return f"{name} {alpha.value:.2f}{interval} over {alpha.units}"
