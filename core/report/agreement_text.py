"""How far judge and people agree, as plain lines: for a terminal and for a screen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from claimscope.core.analysis.agreement.corrected_rate import CorrectedRate
from claimscope.core.analysis.agreement.human_agreement import (
    HumanAgreement,
    JudgeAgreement,
    PeopleAgreement,
)
from claimscope.core.analysis.agreement.labels import NO_CLAIM
from claimscope.core.analysis.agreement.validation import Figure
from claimscope.core.analysis.agreement.weight_fit import WeightFit
from claimscope.core.models import Label
from claimscope.core.report.text import one_line
from claimscope.core.report.views.summary import alpha_text

COLUMNS = {
    Label.SUPPORTED.value: "supported",
    Label.CONTRADICTED.value: "contradicted",
    Label.NOT_ENOUGH_INFO.value: "not enough info",
    Label.UNSCORED.value: "unscored",
    NO_CLAIM: "no claim",
}
NOBODY = (
    "Nobody has agreed with a verdict or overruled one yet: a and o in the claim "
    "stepper, or `claimscope overrule`."
)


def figure_text(figure: Figure) -> str:
    """A value with its interval and n, or why there is none."""
    if figure.value is None:
        return f"none: {figure.reason} (over {figure.n})"
    if figure.low is None or figure.high is None:
        return f"{figure.value:.3f} (over {figure.n})"
    interval = f"95% {figure.low:.3f} to {figure.high:.3f}"
    return f"{figure.value:.3f} ({interval}, over {figure.n})"


def human_agreement_lines(found: HumanAgreement) -> Iterator[str]:
    """All of it; one line when nobody looked at anything."""
    if not found.overall.table:
        yield NOBODY
        return
    runs = f"{len(found.runs)} runs" if len(found.runs) > 1 else f"run {found.runs[0]}"
    judge = f", {found.by_judge[0].name}" if len(found.by_judge) == 1 else ""
    yield one_line(f"judge against people, {runs}{judge}")
    yield from judge_agreement_lines(found.overall)
    for title, groups in (("judge", found.by_judge), ("suite", found.by_suite)):
        if len(groups) > 1:
            for group in groups:
                yield from group_lines(title, group)
    if found.people is not None:
        yield ""
        yield from people_lines(found.people)
    for rate in found.rates:
        yield ""
        yield from rate_lines(rate)
    yield ""
    yield one_line(found.note)


def judge_agreement_lines(found: JudgeAgreement) -> Iterator[str]:
    """Confusion table, kappa, and precision and recall by label."""
    yield from table_lines(found.table)
    yield f"  same label   {figure_text(found.same)}"
    yield f"  kappa        {figure_text(found.kappa)}"
    yield f"    of all     {figure_text(found.weighed_kappa)}"
    for name, label in found.labels.items():
        if label.precision.n or label.recall.n:
            yield f"  {COLUMNS[name]}"
            yield f"    precision  {figure_text(label.precision)}"
            yield f"    recall     {figure_text(label.recall)}"
            yield f"    of all     {figure_text(label.weighed_recall)}"
    yield f"  state a fact {figure_text(found.claim_detection)}"


def table_lines(table: dict[str, dict[str, int]]) -> Iterator[str]:
    """A row for each label of the judge, a column for each of people."""
    names = [n for n in COLUMNS if any(n in row for row in table.values())]
    widths = {name: max(len(COLUMNS[name]), 5) for name in names}
    head = "  ".join(f"{COLUMNS[name]:>{widths[name]}}" for name in names)
    yield f"  {'judge, people:':<16} {head}"
    for label, row in table.items():
        cells = "  ".join(f"{row.get(name, 0):>{widths[name]}}" for name in names)
        yield f"  {COLUMNS[label]:<16} {cells}"


def group_lines(title: str, group: JudgeAgreement) -> Iterator[str]:
    """One judge or suite in short."""
    yield f"  {title} {one_line(group.name)}: kappa {figure_text(group.kappa)}"
    for name, label in group.labels.items():
        if label.precision.n or label.recall.n:
            yield (
                f"    {COLUMNS[name]}: precision {short(label.precision)}, "
                f"recall {short(label.recall)}"
            )


def short(figure: Figure) -> str:
    """`0.83 of 24`; never a number for no value."""
    return f"{figure.value:.2f} of {figure.n}" if figure.value is not None else "none"


def people_lines(found: PeopleAgreement) -> Iterator[str]:
    """People against one another."""
    names = one_line(", ".join(found.people))
    yield f"people against one another: {found.claims} claims, {names}"
    for pair, figure in found.cohen.items():
        yield f"  Cohen's kappa {one_line(pair)}: {figure_text(figure)}"
    if len(found.people) > 2:
        yield f"  Fleiss' kappa {figure_text(found.fleiss)}"
        yield f"  {alpha_text(found.krippendorff)}"


def rate_lines(rate: CorrectedRate) -> Iterator[str]:
    """A rate as the machine has it, and put right; what each figure rests on."""
    left = f", {rate.left_out} unscored left out" if rate.left_out else ""
    yield f"{rate.what}, by the machine: {figure_text(rate.machine)}{left}"
    yield f"  corrected  {figure_text(rate.stratified)}"
    if rate.stratified.value is None:
        return
    yield "    each verdict of the machine weighed by how often people share it"
    yield f"  prediction-powered  {figure_text(rate.prediction_powered)}"
    yield f"  Rogan-Gladen        {figure_text(rate.rogan_gladen)}"
    yield "    these two only if people looked at a random sample"


def score_lines(found: JudgeAgreement, problems: Sequence[str] = ()) -> Iterator[str]:
    """A verifier on labelled rows."""
    yield from table_lines(found.table)
    yield f"  accuracy     {figure_text(found.same)}"
    yield f"  kappa        {figure_text(found.kappa)}"
    for name, label in found.labels.items():
        if label.precision.n or label.recall.n:
            yield f"  {COLUMNS[name]}"
            yield f"    precision  {figure_text(label.precision)}"
            yield f"    recall     {figure_text(label.recall)}"
    yield from problems


def fit_lines(found: WeightFit) -> list[str]:
    """Weights of `overall` fitted to ratings, and how the setting is typed."""
    lines = [
        f"weights of overall, fitted to ratings of {found.rated}: {found.n} samples of "
        f"{found.cases} cases, {found.left_out} left out"
    ]
    lines += [f"  {name:<26} {weight:.3f}" for name, weight in found.weights.items()]
    return [
        *lines,
        f"  Pearson, held out  {figure_text(found.held_out)}",
        f"  Spearman, held out {figure_text(found.held_out_ranks)}",
        f"  Pearson, fitted    {figure_text(found.fitted)}",
        f"  Pearson, equal     {figure_text(found.equal)}",
        f"use them: --weights {found.setting}",
    ]
