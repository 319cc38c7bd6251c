"""How far several judges agree beyond chance: Krippendorff's alpha, with its interval.

Percent agreement flatters judges that mostly say the same word of everything; alpha
compares the disagreement seen with that expected by chance. It allows for missing
values, any number of judges, and grades whose order counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Literal

from claimscope.core.models import Grade, Label, Model, SampleResult

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Doubles = npt.NDArray[np.float64]

Level = Literal["nominal", "ordinal"]
RESAMPLES = 1000
SEED = 20110125
"""Fixed: the same votes have the same interval."""
LEAST_UNITS = 10
"""An interval takes as many units: resamples of a few are all alike."""
LEAST_DEFINED = 0.5
"""Part of the resamples that must have an alpha, or no interval is given."""
FAR_APART = 2
"""Grades that differ by as much are a dispute; one step is a matter of taste."""

Ratings = dict[str, float]
"""What judges said of one unit, by judge; who said nothing is not in it."""


class Alpha(Model):
    """Krippendorff's alpha: 1 full agreement, 0 that of chance, negative worse."""

    value: float | None = None
    low: float | None = None
    """95 % interval, by a bootstrap over units."""
    high: float | None = None
    units: int
    """Units that two judges or more spoke on."""
    reason: str = ""
    """Why there is no value; else empty."""


class JudgePair(Model):
    """How often two judges gave the same label."""

    first: str
    second: str
    same: int
    claims: int
    """Claims both gave a label to."""

    @property
    def share(self) -> float | None:
        """Of the claims, [0, 1]; None without any."""
        return self.same / self.claims if self.claims else None


class Agreement(Model):
    """Of the judges of a run."""

    judges: tuple[str, ...]
    labels: Alpha
    """Nominal, over claims; unscored is a missing value. The judges of a run share
    its evidence and rules, so they agree more than bare models would."""
    grades: dict[str, Alpha] = {}
    """Ordinal, over samples, by grade."""
    pairs: tuple[JudgePair, ...] = ()
    claims: int
    """Claims that judges were asked on."""
    disputed: int
    """Those of them that judges gave different labels to."""
    disputed_grades: dict[str, int] = {}
    """Samples whose grades lie FAR_APART or more, by grade."""


def agreement(samples: Iterable[SampleResult]) -> Agreement | None:
    """Of all judges in samples, each of which is looked at once; None when nobody was
    judged by several."""
    labels: list[Ratings] = []
    grades: dict[str, list[Ratings]] = {}
    by_verdict: dict[str, None] = {}
    by_grade: dict[str, None] = {}
    disputed = 0
    disputed_grades: Counter[str] = Counter()
    for sample in samples:
        for verdict in (one.verdict for one in sample.claims if one.verdict.votes):
            by_verdict |= dict.fromkeys(v.judge for v in verdict.votes)
            labels.append(
                {v.judge: _CODES[v.label] for v in verdict.votes if v.label in _CODES}
            )
            disputed += verdict.is_disputed
        for grade in (one for one in sample.grades if one.votes):
            by_grade |= dict.fromkeys(v.judge for v in grade.votes)
            said = {v.judge: float(v.value) for v in grade.votes if v.value is not None}
            grades.setdefault(grade.name, []).append(said)
            disputed_grades[grade.name] += grade_disputed(grade)
    if not labels and not grades:
        return None
    judges = tuple(by_verdict | by_grade)
    return Agreement(
        judges=judges,
        labels=alpha(labels, "nominal"),
        grades={name: alpha(units, "ordinal") for name, units in grades.items()},
        pairs=tuple(_pairs(judges, labels)) if labels else (),
        claims=len(labels),
        disputed=disputed,
        disputed_grades={name: disputed_grades[name] for name in grades},
    )


_CODES = {label: float(n) for n, label in enumerate(Label) if label != Label.UNSCORED}


def _pairs(judges: Sequence[str], units: Sequence[Ratings]) -> Iterator[JudgePair]:
    for first, second in combinations(judges, 2):
        both = [unit for unit in units if first in unit and second in unit]
        same = sum(unit[first] == unit[second] for unit in both)
        yield JudgePair(first=first, second=second, same=same, claims=len(both))


def grade_disputed(grade: Grade) -> bool:
    """Whether the grades of two judges lie FAR_APART or more."""
    values = [vote.value for vote in grade.votes if vote.value is not None]
    return bool(values) and max(values) - min(values) >= FAR_APART


# --- Krippendorff's alpha -----------------------------------------------------


def alpha(units: Sequence[Ratings], level: Level) -> Alpha:
    """Of what judges said of units, with a bootstrap interval over units.

    No value without two judges on one unit, or when all that was said is the same:
    chance alone would then agree as well. K. Krippendorff, Computing Krippendorff's
    Alpha-Reliability (2011).
    """
    import numpy as np

    paired = [unit for unit in units if len(unit) > 1]
    if not paired:
        return Alpha(units=0, reason="no two judges spoke on the same one")
    values = sorted({value for unit in paired for value in unit.values()})
    if len(values) < 2:
        return Alpha(units=len(paired), reason="all judges said the same of everything")
    # Units with the same counts of values weigh the same, and there are few kinds.
    kinds = Counter(
        tuple(list(unit.values()).count(value) for value in values) for unit in paired
    )
    ordered = sorted(kinds)  # not as they came: the same units have one interval
    pieces = np.stack([coincidences(np.array(kind, float)) for kind in ordered])
    times = np.array([kinds[kind] for kind in ordered], float)
    value = float(alphas(times[None, :], pieces, level)[0])
    drawn = np.random.default_rng(SEED).multinomial(
        len(paired), times / times.sum(), size=RESAMPLES
    )
    found = alphas(drawn.astype(float), pieces, level)
    found = found[np.isfinite(found)]
    if len(found) < LEAST_DEFINED * RESAMPLES or len(paired) < LEAST_UNITS:
        return Alpha(value=value, units=len(paired))
    low, high = np.percentile(found, [2.5, 97.5])
    return Alpha(value=value, low=float(low), high=float(high), units=len(paired))


def coincidences(counts: Doubles) -> Doubles:
    """What one unit adds to the coincidence matrix, shape (values, values): pairs of
    values by different judges, each weighed by 1 / (judges - 1)."""
    import numpy as np

    pairs = np.outer(counts, counts) - np.diag(counts)
    return np.asarray(pairs / (counts.sum() - 1), dtype=np.float64)


def alphas(times: Doubles, pieces: Doubles, level: Level) -> Doubles:
    """An alpha for each row of `times`: how often each kind of unit occurs, shape
    (rows, kinds); `pieces`: their coincidences, (kinds, values, values). NaN where it
    is not defined, which never leaves this module."""
    import numpy as np

    observed = np.tensordot(times, pieces, axes=1)
    totals = observed.sum(axis=2)
    n = totals.sum(axis=1)
    distance = _distances(totals, level)
    seen = (observed * distance).sum(axis=(1, 2))
    by_chance = (totals[:, :, None] * totals[:, None, :] * distance).sum(axis=(1, 2))
    defined = by_chance > 0
    share = np.divide(
        (n - 1) * seen, by_chance, out=np.full(len(n), np.nan), where=defined
    )
    return np.asarray(1 - share, dtype=np.float64)


def _distances(totals: Doubles, level: Level) -> Doubles:
    """Squared distance of values, shape (rows, values, values). Ordinal: how many
    values lie between the two, those of the two themselves by half."""
    import numpy as np

    rows, values = totals.shape
    if level == "nominal":
        return np.broadcast_to(1 - np.eye(values), (rows, values, values))
    middle = np.cumsum(totals, axis=1) - totals / 2
    return np.asarray((middle[:, :, None] - middle[:, None, :]) ** 2, dtype=np.float64)
