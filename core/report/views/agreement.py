"""How far judge and people agree: what they said of the same claims, kappa, precision
and recall by label, and rates put right by it; and the fit of weights to ratings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from claimscope.core.analysis.agreement.corrected_rate import CorrectedRate
from claimscope.core.analysis.agreement.human_agreement import (
    HumanAgreement,
    JudgeAgreement,
    PeopleAgreement,
)
from claimscope.core.analysis.agreement.labels import NO_CLAIM
from claimscope.core.analysis.agreement.validation import (
    Estimate,
    JudgeValidation,
    MetricValidation,
)
from claimscope.core.analysis.agreement.weight_fit import WeightFit
from claimscope.core.report.terms import WORDS
from claimscope.core.report.view import (
    Column,
    Fields,
    Part,
    Section,
    Span,
    Table,
    line,
    list_section,
    row,
)
from claimscope.core.report.views.summary import alpha_text
from claimscope.core.text.plurals import counted_noun

NAMES: Mapping[str, str] = {
    **{label.value: word for label, word in WORDS.items()},
    NO_CLAIM: "no claim",
}
NOBODY = (
    "Nobody has agreed with a verdict or overruled one yet: a and o in the claim "
    "stepper, or `claimscope labels override`."
)


def human_agreement_view(found: HumanAgreement) -> Iterator[Part]:
    """All of it; one line when nobody looked at anything."""
    if not found.overall.table:
        yield line(NOBODY)
        return
    runs = (
        counted_noun(len(found.runs), "run")
        if len(found.runs) > 1
        else f"run {found.runs[0]}"
    )
    judge = f", {found.by_judge[0].name}" if len(found.by_judge) == 1 else ""
    parts = [*_overall(found.overall)]
    for title, groups in (("judge", found.by_judge), ("suite", found.by_suite)):
        if len(groups) > 1:
            parts += (_group(title, group) for group in groups)
    head = Span(f"judge against people, {runs}{judge}", "strong")
    yield list_section(head, parts)
    if found.people is not None:
        yield line()
        yield _people(found.people)
    for rate in found.rates:
        yield line()
        yield _rate(rate)
    yield line()
    yield line(found.note)


def _overall(found: JudgeAgreement) -> Iterator[Part]:
    yield confusion(found.table)
    yield _fields(
        ("same label", found.same),
        ("kappa", found.kappa),
        ("kappa of all", found.weighed_kappa),
        ("state a fact", found.claim_detection),
    )
    yield from _labels(found, weighed=True)


def _labels(found: JudgeAgreement, *, weighed: bool) -> Iterator[Section]:
    for name, label in found.labels.items():
        if label.precision.n or label.recall.n:
            fields = [("precision", label.precision), ("recall", label.recall)]
            if weighed:
                fields.append(("recall of all", label.weighed_recall))
            yield list_section(NAMES[name], [_fields(*fields)])


def _fields(*fields: tuple[str, Estimate]) -> Fields:
    return Fields(tuple((name, line(figure_text(one))) for name, one in fields))


def figure_text(figure: Estimate) -> str:
    """A value with its interval and n, or why there is none."""
    if figure.value is None:
        return f"none: {figure.reason} (over {figure.n})"
    if figure.low is None or figure.high is None:
        return f"{figure.value:.3f} (over {figure.n})"
    interval = f"95% {figure.low:.3f} to {figure.high:.3f}"
    return f"{figure.value:.3f} ({interval}, over {figure.n})"


def confusion(table: Mapping[str, Mapping[str, int]]) -> Table:
    """A row for each label of the judge, a column for each of people."""
    names = [name for name in NAMES if any(name in one for one in table.values())]
    heads = (Column(NAMES[name], "right") for name in names)
    return Table(
        (Column("judge, people:"), *heads),
        tuple(
            row(NAMES[label], *(str(one.get(name, 0)) for name in names))
            for label, one in table.items()
        ),
    )


def _group(title: str, group: JudgeAgreement) -> Section:
    """One judge or suite in short."""
    shown = [
        line(
            f"{NAMES[name]}: precision {_short(label.precision)}, recall "
            f"{_short(label.recall)}"
        )
        for name, label in group.labels.items()
        if label.precision.n or label.recall.n
    ]
    head = f"{title} {group.name}: kappa {figure_text(group.kappa)}"
    return list_section(head, shown)


def _short(figure: Estimate) -> str:
    """`0.83 of 24`; never a number for no value."""
    return f"{figure.value:.2f} of {figure.n}" if figure.value is not None else "none"


def _people(found: PeopleAgreement) -> Section:
    """People against one another."""
    head = f"people against one another: {counted_noun(found.claims, 'claim')}, "
    lines = [
        f"Cohen's kappa {pair}: {figure_text(figure)}"
        for pair, figure in found.cohen.items()
    ]
    if len(found.people) > 2:
        lines.append(f"Fleiss' kappa {figure_text(found.fleiss)}")
        lines.append(alpha_text(found.krippendorff))
    title = Span(head + ", ".join(found.people), "strong")
    return list_section(title, map(line, lines))


def _rate(rate: CorrectedRate) -> Section:
    """A rate as the machine has it, and put right; what each figure rests on."""
    left = f", {rate.left_out} unscored left out" if rate.left_out else ""
    head = f"{rate.what}, by the machine: {figure_text(rate.machine)}{left}"
    parts: list[Part] = [_fields(("corrected", rate.stratified))]
    if rate.stratified.value is not None:
        how = "each verdict of the machine weighed by how often people share it"
        random = "these two only if people looked at a random sample"
        parts += [
            line(Span(how, "faint"), level=1),
            _fields(
                ("prediction-powered", rate.prediction_powered),
                ("Rogan-Gladen", rate.rogan_gladen),
            ),
            line(Span(random, "faint"), level=1),
        ]
    return list_section(Span(head, "strong"), parts)


def score_view(found: JudgeAgreement) -> Iterator[Part]:
    """A verifier on labelled rows."""
    yield confusion(found.table)
    yield _fields(("accuracy", found.same), ("kappa", found.kappa))
    yield from _labels(found, weighed=False)


def fit_view(found: WeightFit) -> Iterator[Part]:
    """Weights of `overall` fitted to ratings, and how the setting is typed."""
    head = (
        f"weights of overall, fitted to ratings of {found.rated}: "
        f"{counted_noun(found.n, 'sample')} of "
        f"{counted_noun(found.cases, 'case')}, {found.left_out} left out"
    )
    weights = ((name, line(f"{one:.3f}")) for name, one in found.weights.items())
    fits = _fields(
        ("Pearson, held out", found.held_out),
        ("Spearman, held out", found.held_out_ranks),
        ("Pearson, fitted", found.fitted),
        ("Pearson, equal", found.equal),
    )
    yield Section(line(head), (Fields(tuple(weights)), fits))
    yield line(f"use them: --weights {found.setting}")


def metric_section(found: MetricValidation) -> Section:
    """A metric against ratings of people, and people against one another."""
    parts: list[Part] = [
        _fields(("Pearson", found.pearson), ("Spearman", found.spearman))
    ]
    if found.unmatched:
        parts.append(line(f"{found.unmatched} rated samples have no score in the run"))
    for pair, figure in found.cohen.items():
        parts.append(line(f"Cohen's kappa {pair}: {figure_text(figure)}"))
    if len(found.raters) > 1:
        parts.append(line(f"Fleiss' kappa {figure_text(found.fleiss)}"))
        parts.append(line(alpha_text(found.krippendorff)))
    return Section(line(found.metric), tuple(parts))


def judge_section(found: JudgeValidation) -> Section:
    """What people said of the verdicts; `claimscope labels agreement` says more."""
    fields = [("kappa", found.kappa)]
    for label, one in found.labels.items():
        fields.append((f"{NAMES[label]}: precision", one.precision))
        fields.append((f"{NAMES[label]}: recall", one.recall))
    fields.append(("let stand as claims", found.claim_detection))
    return Section(line(f"verdicts looked at: {found.claims}"), (_fields(*fields),))
