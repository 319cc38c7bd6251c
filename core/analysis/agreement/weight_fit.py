"""Weights of the metric `overall`, fitted to what people said of the samples.

Least squares of the mean rating on the metrics' values, each brought to 0 (bad) to 1
(good), with a free constant and no weight below 0 (Lawson & Hanson 1974); then the
weights are divided by their sum. A fit is worth what it says of samples that it has
not seen: cases are left out in turn, their `overall` is made with weights fitted on
the others, and it is correlated with their ratings. (Not
the prediction with its constant: the constants of the parts lean against what was left
out, so that ratings by chance would be "predicted" at r = -0.5.) Equal weights stand
beside it, which need no fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import TYPE_CHECKING

from claimscope.core.analysis.agreement.validation import (
    Estimate,
    Rating,
    pearson,
    spearman,
)
from claimscope.core.errors import InputError
from claimscope.core.metrics.discovery import discover
from claimscope.core.metrics.overall import to_unit_scale
from claimscope.core.models import Model, SampleKey, SampleResult

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Doubles = npt.NDArray[np.float64]

LEAST_CASES = 6
"""Fewer say nothing of what was held out."""
FOLDS = 10
"""Cases are left out one by one up to so many, else in so many parts."""
NO_SPREAD = 1e-12
"""Squares of a column that is the same everywhere: what rounding leaves of it."""


class WeightFit(Model):
    """What the ratings make of the metrics."""

    rated: str
    """What was rated."""
    weights: dict[str, float]
    """By metric, sum 1."""
    n: int
    """Rated samples that have all values."""
    cases: int
    left_out: int
    """Rated samples that lack a value, or are not in the run."""
    held_out: Estimate
    """Pearson of overall and rating, its weights fitted without the case."""
    held_out_ranks: Estimate
    """Spearman of the same."""
    fitted: Estimate
    """Pearson on the samples it was fitted to: kinder than it deserves."""
    equal: Estimate
    """Pearson of equal weights."""

    @property
    def setting(self) -> str:
        """As the setting metric_weights takes it; weights of 0 left out."""
        kept = {name: round(w, 3) for name, w in self.weights.items() if w >= 0.0005}
        return ",".join(f"{name}={weight:g}" for name, weight in kept.items())


def fit_weights(
    ratings: Iterable[Rating],
    samples: Iterable[SampleResult],
    metrics: Sequence[str],
    rated: str | None = None,
) -> WeightFit:
    """Raises InputError for metrics or ratings that cannot be used."""
    said = list(ratings)
    chosen = _rated_metric(said, rated)
    names = tuple(dict.fromkeys(metrics))
    _check_metrics(names)
    wanted: dict[SampleKey, list[float]] = {}
    for rating in said:
        if rating.metric == chosen:
            wanted.setdefault(rating.key, []).append(rating.value)
    rows: list[tuple[str, list[float], float]] = []
    for sample in samples:
        values = {
            s.metric: to_unit_scale(s) for s in sample.scores if s.value is not None
        }
        if sample.key in wanted and all(name in values for name in names):
            rating_of = fmean(wanted[sample.key])
            row = [values[name] for name in names]
            rows.append((sample.key.case_id, row, rating_of))
    cases = sorted({case for case, _, _ in rows})
    if len(cases) < LEAST_CASES:
        raise InputError(
            f"{len(rows)} rated samples of {len(cases)} cases have values of "
            f"{', '.join(names)}; a fit takes {LEAST_CASES} cases",
            "rate more cases, name metrics that apply to them, or another --run",
        )
    return _fit(chosen, names, rows, cases, len(wanted) - len(rows))


def _rated_metric(said: Sequence[Rating], rated: str | None) -> str:
    known = list(dict.fromkeys(rating.metric for rating in said))
    if rated is None and len(known) == 1:
        return known[0]
    chosen = rated or "overall"
    if chosen not in known:
        raise InputError(
            f"nobody rated {chosen!r}",
            f"--rated names one of: {', '.join(known) or 'none'}",
        )
    return chosen


def _check_metrics(names: Sequence[str]) -> None:
    unknown = [name for name in names if name not in discover() or name == "overall"]
    if unknown or len(names) < 2:
        raise InputError(
            f"weights of {', '.join(unknown) or 'one metric'} cannot be fitted",
            "name two metrics or more (`claimscope help metrics` lists them), not "
            "overall",
        )


def _fit(
    rated: str,
    names: tuple[str, ...],
    rows: Sequence[tuple[str, list[float], float]],
    cases: Sequence[str],
    left_out: int,
) -> WeightFit:
    import numpy as np

    x = np.array([row for _, row, _ in rows])
    y = np.array([rating for _, _, rating in rows])
    weights, constant = least_squares(x, y)
    total = weights.sum()
    if total <= 0:
        raise InputError(
            f"no metric of {', '.join(names)} goes with the ratings",
            "look at each by itself: claimscope labels validate RATINGS",
        )
    predicted = np.empty(len(rows))
    part_of = {case: number % FOLDS for number, case in enumerate(cases)}
    parts = np.array([part_of[case] for case, _, _ in rows])
    for part in range(min(FOLDS, len(cases))):
        inside = parts != part
        fold, _ = least_squares(x[inside], y[inside])
        share = fold / fold.sum() if fold.sum() > 0 else np.full(len(names), 1.0)
        predicted[~inside] = x[~inside] @ share
    own, seen = y.tolist(), (x @ weights + constant).tolist()
    return WeightFit(
        rated=rated,
        weights={n: float(w / total) for n, w in zip(names, weights, strict=True)},
        n=len(rows),
        cases=len(cases),
        left_out=left_out,
        held_out=pearson(predicted.tolist(), own),
        held_out_ranks=spearman(predicted.tolist(), own),
        fitted=pearson(seen, own),
        equal=pearson(x.mean(axis=1).tolist(), own),
    )


def least_squares(x: Doubles, y: Doubles) -> tuple[Doubles, float]:
    """(weights not below 0, constant) of y = x @ weights + constant; shapes (n, k) and
    (n,). A column that is the same everywhere gets 0."""
    import numpy as np
    from scipy.optimize import nnls

    means, level = x.mean(axis=0), float(y.mean())
    centred = x - means
    varies = (centred**2).sum(axis=0) > NO_SPREAD
    weights = np.zeros(x.shape[1])
    if varies.any():  # nnls ends the process when it gets no column at all
        weights[varies], _ = nnls(centred[:, varies], y - level)
    return weights, level - float(means @ weights)
