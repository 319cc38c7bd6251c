"""The judge against people: where they differ, how much, and what that is worth.

Labels come from what people chose to look at, failures first as a rule. Precision of a
label (of what the judge called so, how much is so) does not suffer from that; recall
and kappa do, so both are also given weighed by how often the judge gives each label.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from claimscope.core.analysis.agreement.corrected_rate import (
    CorrectedRate,
    RatedUnit,
    corrected_rate,
)
from claimscope.core.analysis.agreement.labels import NO_CLAIM, LabelledClaim, RunLabels
from claimscope.core.analysis.agreement.validation import Estimate, cohen, fleiss, share
from claimscope.core.analysis.statistics.alpha import Alpha, alpha
from claimscope.core.models import Label, Model

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Doubles = npt.NDArray[np.float64]

JUDGED = (Label.SUPPORTED, Label.CONTRADICTED, Label.NOT_ENOUGH_INFO)
RESAMPLES = 1000
SEED = 20110125
"""Fixed: the same labels have the same intervals."""
LEAST_SAMPLES = 10
"""An interval by resampling takes as many samples."""


class LabelAgreement(Model):
    """One label of the judge, people taken as right; intervals are Wilson's but for
    the weighed recall."""

    precision: Estimate
    """Of the claims the judge gave it, those people gave it."""
    recall: Estimate
    """Of the claims people gave it, those the judge gave it."""
    weighed_recall: Estimate
    """The same for all claims the judge judged, looked at or not."""


class JudgeAgreement(Model):
    """A judge, or several, against people."""

    name: str
    claims: int
    """Those that machine and person both gave a verdict."""
    table: dict[str, dict[str, int]]
    """Claims by the judge's label, then by people's (with `no_claim`)."""
    looked_at: dict[str, tuple[int, int]]
    """By the judge's label: (claims looked at, all claims)."""
    same: Estimate
    """Share with the same label."""
    kappa: Estimate
    """Cohen's; interval by a bootstrap over samples."""
    weighed_kappa: Estimate
    labels: dict[str, LabelAgreement]
    claim_detection: Estimate
    """Share of the looked-at claims that state a fact."""


class PeopleAgreement(Model):
    """People against one another, on the claims that two or more labelled."""

    people: tuple[str, ...]
    claims: int
    cohen: dict[str, Estimate]
    """By pair, `a / b`."""
    fleiss: Estimate
    krippendorff: Alpha


class HumanAgreement(Model):
    """Judges and people, of one run or many."""

    runs: tuple[str, ...]
    overall: JudgeAgreement
    by_judge: tuple[JudgeAgreement, ...]
    by_suite: tuple[JudgeAgreement, ...]
    people: PeopleAgreement | None
    """None when no two people labelled the same claim."""
    rates: tuple[CorrectedRate, ...]
    """Of samples passed and of claims supported."""
    note: str
    """What the figures rest on."""


def human_agreement(labels: Sequence[RunLabels]) -> HumanAgreement:
    claims = [claim for run in labels for claim in run.claims]
    verdicts: dict[tuple[str, str], Counter[str]] = {}
    for run in labels:
        for judge, counts in run.verdicts.items():
            verdicts.setdefault((judge, run.suite), Counter()).update(counts)

    def figures(name: str, wanted: Callable[[str, str], bool]) -> JudgeAgreement:
        totals = sum(
            (n for place, n in verdicts.items() if wanted(*place)), Counter[str]()
        )
        chosen = [claim for claim in claims if wanted(claim.judge, claim.suite)]
        return judge_agreement(name, chosen, totals)

    def groups(names: Iterable[str], at: int) -> tuple[JudgeAgreement, ...]:
        return tuple(
            figures(name, lambda judge, suite, n=name: (judge, suite)[at] == n)  # type: ignore[misc]
            for name in sorted(set(names))
        )

    return HumanAgreement(
        runs=tuple(run.run for run in labels),
        overall=figures("all", lambda judge, suite: True),
        by_judge=groups((claim.judge for claim in claims), 0),
        by_suite=groups((claim.suite for claim in claims), 1),
        people=people_agreement([unit for run in labels for unit in run.people]),
        rates=tuple(_rates(labels, claims)),
        note=_note(labels, claims),
    )


def judge_agreement(
    name: str, claims: Sequence[LabelledClaim], totals: Counter[str]
) -> JudgeAgreement:
    """Of labelled claims; totals: all verdicts of the judge by label."""
    import numpy as np

    table: dict[str, dict[str, int]] = {}
    for claim in claims:
        said = claim.human.value if claim.is_claim else NO_CLAIM
        row = table.setdefault(claim.machine.value, {})
        row[said] = row.get(said, 0) + 1
    judged = [claim for claim in claims if claim.is_judged]
    counts = _confusion(judged)
    weighed = _weighed_estimates(
        counts, np.array([totals[label.value] for label in JUDGED])
    )
    looked = Counter(claim.machine.value for claim in claims)
    return JudgeAgreement(
        name=name,
        claims=len(judged),
        table={label.value: table[label.value] for label in Label if label in table},
        looked_at={
            label.value: (looked[label.value], totals[label.value])
            for label in Label
            if totals[label.value]
        },
        same=share([c.machine == c.human for c in judged]),
        kappa=_kappa(judged),
        weighed_kappa=weighed[NO_CLAIM],
        labels={
            label.value: LabelAgreement(
                precision=share(
                    [c.human == label for c in judged if c.machine == label]
                ),
                recall=share([c.machine == label for c in judged if c.human == label]),
                weighed_recall=weighed[label.value],
            )
            for label in JUDGED
        },
        claim_detection=share([claim.is_claim for claim in claims]),
    )


def _confusion(claims: Iterable[LabelledClaim]) -> Doubles:
    """Claims by (judge's label, people's label), shape (3, 3)."""
    import numpy as np

    place = {label: n for n, label in enumerate(JUDGED)}
    table = np.zeros((len(JUDGED), len(JUDGED)))
    for claim in claims:
        table[place[claim.machine], place[claim.human]] += 1
    return table


def _kappa(claims: Sequence[LabelledClaim]) -> Estimate:
    """With an interval by drawing samples anew: claims of one answer go together."""
    import numpy as np

    value = cohen([c.machine.value for c in claims], [c.human.value for c in claims])
    by_sample: dict[tuple[str, str], list[LabelledClaim]] = {}
    for claim in claims:
        by_sample.setdefault((claim.run, claim.sample), []).append(claim)
    if value.value is None or len(by_sample) < LEAST_SAMPLES:
        return value
    pieces = np.stack([_confusion(by_sample[key]).ravel() for key in sorted(by_sample)])
    n = len(pieces)
    drawn = np.random.default_rng(SEED).multinomial(n, [1 / n] * n, size=RESAMPLES)
    tables = (drawn @ pieces).reshape(-1, len(JUDGED), len(JUDGED))
    return _with_interval(value, kappas(tables))


def _with_interval(value: Estimate, found: Doubles) -> Estimate:
    """No interval where half of the draws have no value."""
    import numpy as np

    found = found[np.isfinite(found)]
    if len(found) < RESAMPLES / 2:
        return value
    low, high = np.percentile(found, [2.5, 97.5])
    return value.model_copy(update={"low": float(low), "high": float(high)})


def kappas(tables: Doubles) -> Doubles:
    """Cohen's kappa of each table, shape (n, k, k) to (n,); NaN where it is not
    defined, which never leaves this module."""
    import numpy as np

    total = tables.sum(axis=(1, 2))
    seen = np.trace(tables, axis1=1, axis2=2)
    chance = (tables.sum(axis=1) * tables.sum(axis=2)).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        expected = chance / total
        return np.asarray((seen - expected) / (total - expected), dtype=np.float64)


def _weighed_estimates(counts: Doubles, totals: Doubles) -> dict[str, Estimate]:
    """Recall by label, and kappa (under `no_claim`), as if all were looked at.

    Each row of looked-at claims is blown up to all claims of the judge's label. C. B.
    Begg, R. A. Greenes, Assessment of diagnostic tests when disease verification is
    subject to selection bias (Biometrics 39, 1983). Intervals: 95 % of draws of each
    row from its posterior with Jeffreys' prior, over the labels that occur.
    """
    import numpy as np

    n, seen = int(counts.sum()), counts.sum(axis=1)
    names = [*(label.value for label in JUDGED), NO_CLAIM]
    for label, total, some in zip(JUDGED, totals, seen, strict=True):
        if total and not some:
            reason = f"no claim the judge called {label.value} was looked at"
            return {name: Estimate(n=n, reason=reason) for name in names}
    if not n:
        return {name: Estimate(reason="no claim was looked at") for name in names}
    rows = counts / np.maximum(seen, 1)[:, None] * totals[:, None]
    generator = np.random.default_rng(SEED)
    used = (counts.sum(axis=0) + seen) > 0
    drawn = np.zeros((RESAMPLES, *counts.shape))
    for place, total in enumerate(totals):
        prior = counts[place, used] + 0.5
        drawn[:, place, used] = generator.dirichlet(prior, RESAMPLES) * total
    found: dict[str, Estimate] = {}
    for place, label in enumerate(JUDGED):
        column = rows[:, place].sum()
        if not column:
            reason = f"people called no claim {label.value}"
            found[label.value] = Estimate(n=n, reason=reason)
            continue
        value = Estimate(value=float(rows[place, place] / column), n=n)
        draws = drawn[:, place, place] / drawn[:, :, place].sum(axis=1)
        found[label.value] = _with_interval(value, draws)
    (kappa,) = kappas(rows[None])
    if not np.isfinite(kappa):
        reason = "both gave one and the same label throughout"
        return {**found, NO_CLAIM: Estimate(n=n, reason=reason)}
    value = Estimate(value=float(kappa), n=n)
    return {**found, NO_CLAIM: _with_interval(value, kappas(drawn))}


def people_agreement(units: Sequence[dict[str, str]]) -> PeopleAgreement | None:
    """Of claims with words of two people or more."""
    if not units:
        return None
    people = sorted({who for unit in units for who in unit})
    pairs = {
        f"{one} / {two}": [
            (unit[one], unit[two]) for unit in units if one in unit and two in unit
        ]
        for one, two in combinations(people, 2)
    }
    codes = {name: float(n) for n, name in enumerate([*Label, NO_CLAIM])}
    return PeopleAgreement(
        people=tuple(people),
        claims=len(units),
        cohen={
            name: cohen([a for a, _ in both], [b for _, b in both])
            for name, both in pairs.items()
            if both
        },
        fleiss=fleiss([list(unit.values()) for unit in units]),
        krippendorff=alpha(
            [{who: codes[said] for who, said in unit.items()} for unit in units],
            "nominal",
        ),
    )


def _all_verdicts(labels: Sequence[RunLabels]) -> Counter[str]:
    """The judge's verdicts by label, looked at or not."""
    counts = (Counter(n) for run in labels for n in run.verdicts.values())
    return sum(counts, Counter[str]())


def _rates(
    labels: Sequence[RunLabels], claims: Sequence[LabelledClaim]
) -> Iterable[CorrectedRate]:
    passes = [
        RatedUnit(machine, human) for run in labels for machine, human in run.samples
    ]
    yield corrected_rate(
        "samples passed", passes, sum(run.unscored_samples for run in labels)
    )
    totals = _all_verdicts(labels)
    said = [
        RatedUnit(c.machine is Label.SUPPORTED, c.human is Label.SUPPORTED)
        for c in claims
        if c.is_judged
    ]
    out = Counter(c.machine for c in claims if not c.is_judged)
    looked = Counter(c.machine for c in claims)
    rest = {label: totals[label.value] - looked[label] for label in JUDGED}
    for label in JUDGED:
        said += [RatedUnit(label is Label.SUPPORTED)] * rest[label]
    left_out = totals[Label.UNSCORED.value] + sum(out[label] for label in JUDGED)
    words = ("called supported", "called not supported")
    yield corrected_rate("claims supported", said, left_out, words)


def _note(labels: Sequence[RunLabels], claims: Sequence[LabelledClaim]) -> str:
    totals = _all_verdicts(labels)
    looked = Counter(claim.machine.value for claim in claims)
    parts = [
        f"{looked[label.value]} of {totals[label.value]} {label.value}"
        for label in Label
        if totals[label.value]
    ]
    return (
        f"Labels come from what people chose to look at ({', '.join(parts)}), not from "
        "a random sample. Precision holds if they did not choose within a label; "
        "recall and kappa are those of the looked-at claims, the weighed ones of all."
    )
