"""Two runs, or two providers of one, sample by sample: what differs beyond noise, what
flipped, and what was changed between them.

Samples are paired by case, provider and iteration, so that the difficulty of a case
does not count as a difference. Cases, not samples, are drawn and tested: answers to
one case are not independent. Several figures are tested at once, so their p values
are corrected (Holm). What has no partner or no value is counted and named.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from claimscope.core.analysis.compare.differences import (
    FigureDifference,
    PairedOutcomes,
    metric_figures,
    outcome_table,
    pass_figure,
)
from claimscope.core.analysis.compare.flips import (
    ClaimFlip,
    LoneClaim,
    PairedBy,
    RequiredFlip,
    SampleFlip,
    claim_flips,
    required_flips,
    sample_flip,
)
from claimscope.core.analysis.compare.header_differences import (
    HeaderDifference,
    changes,
)
from claimscope.core.analysis.compare.tier_movements import TierMove, tier_moves
from claimscope.core.analysis.statistics.paired_tests import holm
from claimscope.core.errors import InputError
from claimscope.core.models import Model, RunHeader, SampleKey, SampleResult
from claimscope.core.run.outcome import pass_words


@dataclass(frozen=True)
class RunData:
    """A run, or a part of it, that is compared."""

    name: str
    header: RunHeader
    samples: Sequence[SampleResult]
    """As people see them (overrules.corrected)."""


class ComparedSide(Model):
    """What was compared."""

    name: str
    run_id: str
    created: str
    samples: int
    judged: int
    """Samples that passed or failed."""
    passed: int
    passed_by: str
    """What decides a pass, in words."""


class Comparison(Model):
    """Everything that is told of two runs."""

    before: ComparedSide
    after: ComparedSide
    across_providers: bool
    """Pairs are answers of different providers to one case."""
    changes: tuple[HeaderDifference, ...]
    pairs: int
    cases: int
    only_before: tuple[SampleKey, ...]
    """Samples without a partner."""
    only_after: tuple[SampleKey, ...]
    answers_changed: tuple[SampleKey, ...]
    cases_changed: tuple[str, ...]
    """Ids of cases whose question, reference or claims differ."""
    pass_rate: FigureDifference
    outcomes: PairedOutcomes
    metrics: tuple[FigureDifference, ...]
    tested: int
    """Metrics whose p values were corrected together, over all comparisons."""
    sample_flips: tuple[SampleFlip, ...]
    claim_flips: tuple[ClaimFlip, ...]
    required_flips: tuple[RequiredFlip, ...]
    claims_paired: dict[PairedBy, int]
    claims_gone: tuple[LoneClaim, ...]
    claims_new: tuple[LoneClaim, ...]
    tier_moves: tuple[TierMove, ...] = ()
    """Scores in another tier, with the claims that changed."""
    within_noise: bool = True
    """No figure differs beyond noise."""


def compare(before: RunData, after: RunData) -> Comparison:
    """Two runs. Raises InputError when no sample of one has a partner in the other."""
    return compare_many([before, after])[0]


def compare_many(runs: Sequence[RunData]) -> tuple[Comparison, ...]:
    """Each later run with the first; p values are corrected over all of them."""
    first, *others = runs
    return _correct_p_values([_compare(first, other) for other in others])


def between_providers(
    run: RunData, base: str | None = None, against: Sequence[str] = ()
) -> tuple[Comparison, ...]:
    """Each provider of a run with `base`, or with the first by name.

    Raises InputError for fewer than two providers, or one the run does not have.
    """
    known = sorted({sample.key.provider for sample in run.samples})
    if len(known) < 2:
        raise InputError(
            f"run {run.name} has answers of {len(known)} provider(s): "
            f"{', '.join(known) or 'none yet'}",
            "compare it with another run: claimscope compare RUN_A RUN_B",
        )
    for name in (base, *against):
        if name is not None and name not in known:
            raise InputError(
                f"run {run.name} has no provider {name!r}",
                f"it has: {', '.join(known)}",
            )
    first = base or known[0]
    rest = list(against) or [name for name in known if name != first]
    parts = {
        name: RunData(
            name, run.header, [s for s in run.samples if s.key.provider == name]
        )
        for name in (first, *rest)
    }
    return _correct_p_values([_compare(parts[first], parts[name]) for name in rest])


# --- pairs --------------------------------------------------------------------


def _compare(before: RunData, after: RunData) -> Comparison:
    """With p values that are not corrected yet."""
    across = _is_across(before, after)
    old = {_place(s.key, across): s for s in before.samples}
    new = {_place(s.key, across): s for s in after.samples}
    pairs = [(old[place], new[place]) for place in old if place in new]
    if not pairs:
        raise InputError(
            f"{before.name} and {after.name} have no finished sample in common "
            "(by case, provider and iteration)",
            "compare runs of one suite, or providers of one run with --providers",
        )
    claims = claim_flips(pairs)
    required = [flip for a, b in pairs for flip in required_flips(a, b)]
    return Comparison(
        before=_compared_side(before),
        after=_compared_side(after),
        across_providers=across,
        changes=changes(before.header, after.header),
        pairs=len(pairs),
        cases=len({a.key.case_id for a, _ in pairs}),
        only_before=tuple(s.key for place, s in old.items() if place not in new),
        only_after=tuple(s.key for place, s in new.items() if place not in old),
        answers_changed=tuple(
            b.key for a, b in pairs if a.answer.text != b.answer.text
        ),
        cases_changed=tuple(
            dict.fromkeys(a.case.id for a, b in pairs if a.case != b.case)
        ),
        pass_rate=pass_figure(pairs),
        outcomes=outcome_table(pairs),
        metrics=metric_figures(before.samples, after.samples, pairs),
        tested=0,
        sample_flips=tuple(sample_flip(a, b) for a, b in pairs if a.passed != b.passed),
        required_flips=tuple(required),
        tier_moves=tier_moves(pairs, claims, required),
        claim_flips=tuple(claims.flips),
        claims_paired=claims.paired,
        claims_gone=tuple(claims.gone),
        claims_new=tuple(claims.new),
    )


def _is_across(before: RunData, after: RunData) -> bool:
    """One provider each, and not the same: their answers are what is compared."""
    sides = [{s.key.provider for s in run.samples} for run in (before, after)]
    return all(len(side) == 1 for side in sides) and sides[0] != sides[1]


def _place(key: SampleKey, across: bool) -> tuple[str, str, int]:
    return key.case_id, "" if across else key.provider, key.iteration


def _compared_side(run: RunData) -> ComparedSide:
    outcomes = [s.passed for s in run.samples if s.passed is not None]
    return ComparedSide(
        name=run.name,
        run_id=run.header.run_id,
        created=run.header.created,
        samples=len(run.samples),
        judged=len(outcomes),
        passed=sum(outcomes),
        passed_by=pass_words(run.header.settings, judge=run.header.judge),
    )


# --- figures ------------------------------------------------------------------


def _correct_p_values(raw: Sequence[Comparison]) -> tuple[Comparison, ...]:
    """Holm over all comparisons: the pass rates, which decide, among themselves, and
    the metrics among themselves. The gate draws the same line."""
    rates = with_holm([found.pass_rate for found in raw])
    metrics = with_holm([figure for found in raw for figure in found.metrics])
    done, begin = [], 0
    for found, rate in zip(raw, rates, strict=True):
        end = begin + len(found.metrics)
        figures, begin = tuple(metrics[begin:end]), end
        update = {
            "tested": sum(figure.p is not None for figure in metrics),
            "pass_rate": rate,
            "metrics": figures,
            "within_noise": all(f.within_noise for f in (rate, *figures)),
        }
        done.append(found.model_copy(update=update))
    return tuple(done)


def with_holm(figures: Sequence[FigureDifference]) -> list[FigureDifference]:
    """Those that have a p, with it corrected for their number."""
    adjusted = iter(holm([f.p for f in figures if f.p is not None]))
    return [f if f.p is None else f.with_p_holm(next(adjusted)) for f in figures]
