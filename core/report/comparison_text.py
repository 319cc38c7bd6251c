"""Comparisons and trends as lines for people: what differs, then what flipped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from claimscope.core.analysis.compare.comparison import Comparison
from claimscope.core.analysis.compare.differences import Figure
from claimscope.core.analysis.compare.flips import ClaimFlip, LoneClaim, SampleFlip
from claimscope.core.analysis.compare.header_differences import Change
from claimscope.core.analysis.compare.tier_movements import TierMove
from claimscope.core.analysis.statistics.intervals import Interval
from claimscope.core.analysis.trends import Point, Step, Trend
from claimscope.core.metrics.overall import is_low_good
from claimscope.core.models import ClaimResult, Label, SampleKey
from claimscope.core.report.spread_text import counts_text
from claimscope.core.report.terms import OUTCOMES, aside_words
from claimscope.core.report.text import one_line

SHOWN = 20
"""Lines of a list without --all."""


def comparison_lines(found: Comparison, *, limit: int | None = SHOWN) -> Iterator[str]:
    """Everything of a comparison; lists end after `limit` with the count of the rest.
    None = all."""
    yield one_line(f"A  {found.before.name}: {_side(found, first=True)}")
    yield one_line(f"B  {found.after.name}: {_side(found, first=False)}")
    yield from change_lines(found)
    yield ""
    yield from _pair_lines(found, limit)
    yield ""
    yield from figure_lines(found)
    yield ""
    yield from _listed(
        f"samples that flipped: {len(found.sample_flips)}",
        [list(sample_flip_lines(flip)) for flip in found.sample_flips],
        limit,
    )
    yield from _listed(
        f"claims that flipped: {len(found.claim_flips)} "
        f"({_paired(found)}; only in A {len(found.claims_gone)}, only in B "
        f"{len(found.claims_new)})",
        [list(claim_flip_lines(flip)) for flip in found.claim_flips],
        limit,
    )
    for title, claims in (("A", found.claims_gone), ("B", found.claims_new)):
        if claims:
            yield from _listed(
                f"claims only in {title}: {len(claims)}",
                [[_lone(claim)] for claim in claims],
                limit,
            )
    if found.tier_moves:
        fell = sum(not move.rose for move in found.tier_moves)
        yield from _listed(
            f"tiers that moved: {len(found.tier_moves)}, {fell} of them down",
            [list(tier_move_lines(move)) for move in found.tier_moves],
            limit,
        )
    if found.required_flips:
        words = {True: "found", False: "missing"}
        yield from _listed(
            f"required claims that flipped: {len(found.required_flips)}",
            [
                [
                    f"  {_keys(flip.before_key, flip.after_key)}: {words[flip.before]} "
                    f"-> {words[flip.after]}: {one_line(flip.text)}"
                ]
                for flip in found.required_flips
            ],
            limit,
        )


def tier_move_lines(move: TierMove) -> Iterator[str]:
    """`accuracy good -> fair (72.0 -> 64.0)  c07/alder/1`, then the claims that changed
    with it."""
    yield (
        f"  {move.metric} {move.before} -> {move.after} "
        f"({moved_values(move)})  {_keys(move.before_key, move.after_key)}"
    )
    for claim in move.claims:
        yield f"      {one_line(claim)}"


def moved_values(move: TierMove) -> str:
    """`72.0 -> 64.0`; of a score from 0 to 1 `0.72 -> 0.64`."""
    digits = 2 if max(move.before_value, move.after_value) <= 1 else 1
    return f"{move.before_value:.{digits}f} -> {move.after_value:.{digits}f}"


def _side(found: Comparison, *, first: bool) -> str:
    side = found.before if first else found.after
    run = "" if side.name == side.run_id else f"run {side.run_id}, "
    return (
        f"{run}{side.samples} samples, {side.passed} of {side.judged} judged passed, "
        f"{side.samples - side.judged} unscored; {side.passed_by}"
    )


def change_lines(found: Comparison) -> Iterator[str]:
    """What is not the same in the two runs."""
    changes = list(map(change_text, found.changes))
    if found.cases_changed:
        changes.append(f"cases with another text: {', '.join(found.cases_changed)}")
    if found.answers_changed:
        changes.append(f"answers with another text: {len(found.answers_changed)}")
    if not changes:
        yield "changed between them: nothing (same suite, answers, pages, settings)"
        return
    yield "changed between them:"
    for line in changes:
        yield one_line(f"  {line}")


def change_text(change: Change) -> str:
    """`model: oak:2b -> elm:4b`."""
    before, after = (_short(word) for word in (change.before, change.after))
    return f"{change.what}: {before} -> {after}"


def _short(word: str | None) -> str:
    """A digest by its first signs."""
    if word is None:
        return "none"
    is_digest = len(word) >= 40 and set(word) <= set("0123456789abcdef")
    return word[:12] if is_digest else word


def _pair_lines(found: Comparison, limit: int | None) -> Iterator[str]:
    how = (
        "case and iteration" if found.across_providers else "case, provider, iteration"
    )
    yield f"paired by {how}: {found.pairs} samples of {found.cases} cases"
    for name, keys in (("A", found.only_before), ("B", found.only_after)):
        if keys:
            shown = [one_line(str(key)) for key in keys[:limit]]
            more = f" and {len(keys) - len(shown)} more" if keys[len(shown) :] else ""
            yield f"  only in {name}: {len(keys)}: {', '.join(shown)}{more}"


def figure_lines(found: Comparison) -> Iterator[str]:
    """Each figure with its difference, and whether it is one."""
    table = found.outcomes
    yield (
        f"passed in both {table.both_passed}, A only {table.lost}, B only "
        f"{table.gained}, failed in both {table.both_failed}, unscored "
        f"{table.unscored}; McNemar exact p {_p(table.mcnemar_p)}"
    )
    shown, aside = applying(found)
    width = max(len(figure.name) for figure in shown)
    for figure in shown:
        yield figure_line(figure, width)
    if aside:
        yield f"  {aside}"
    if found.tested > 1:
        yield (
            f"  {found.tested} metrics were tested: their p is corrected for that "
            "(Holm), the interval is of each alone"
        )
    if found.within_noise:
        yield "within noise: no figure differs by more than chance explains"
        return
    real = [f.name for f in (found.pass_rate, *found.metrics) if not f.within_noise]
    yield f"beyond noise: {', '.join(real)}"


def applying(found: Comparison) -> tuple[list[Figure], str]:
    """The figures that apply to some pair, and a line on the others; empty for none."""
    shown, aside = [found.pass_rate], []
    for figure in found.metrics:
        if figure.n or figure.unscored or not figure.not_applicable:
            shown.append(figure)
        else:
            aside.append(figure.name)
    return shown, aside_words(aside)


def figure_line(figure: Figure, width: int = 26) -> str:
    """`claim_support  0.83 -> 0.71  -0.120 [-0.200, -0.050]  effect -0.6  p 0.02`."""
    line = f"  {figure.name:<{width}} "
    if figure.before is None or figure.after is None or figure.difference is None:
        return f"{line} no pair with a value (unscored)"
    line += f" {figure.before:.3f} -> {figure.after:.3f}  {figure.difference:+.3f}"
    line += interval_text(figure.interval, "+.3f")
    if figure.effect is not None:
        line += f"  effect {figure.effect:+.2f}"
    line += f"  p {_p(figure.p_holm if figure.p_holm is not None else figure.p)}"
    line += f"  n {figure.n} of {figure.n + figure.unscored}"
    line += f" ({figure.cases} cases)"
    if figure.noise_floor is not None:
        line += f"  noise floor {figure.noise_floor:.3f}"
    return f"{line}  {verdict_of(figure)}"


def verdict_of(figure: Figure) -> str:
    """`same`, `within noise`, `better` or `worse`: of some figures low is good."""
    if not figure.difference and figure.p == 1:
        return "same"
    if figure.within_noise or figure.difference is None:
        return "within noise"
    rose = figure.difference > 0
    return "worse" if rose == is_low_good(figure.name) else "better"


def interval_text(interval: Interval | None, form: str = ".2f") -> str:
    """` [0.71, 0.90]`; nothing without an interval."""
    if interval is None:
        return ""
    return f" [{interval.low:{form}}, {interval.high:{form}}]"


def _p(value: float | None) -> str:
    if value is None:
        return "–"
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _listed(
    title: str, entries: Sequence[Sequence[str]], limit: int | None
) -> Iterator[str]:
    yield title
    for lines in islice(entries, limit):
        yield from lines
    if limit is not None and len(entries) > limit:
        yield f"  and {len(entries) - limit} more (--all)"


def _keys(before: SampleKey, after: SampleKey) -> str:
    if before == after:
        return one_line(str(before))
    return one_line(
        f"{before.case_id}/{before.iteration}, {before.provider} -> {after.provider}"
    )


def sample_flip_lines(flip: SampleFlip) -> Iterator[str]:
    """`pass -> FAIL  c07/alder/1`, then the failures that came and went."""
    changed = "  (another answer)" if flip.answer_changed else ""
    yield (
        f"  {OUTCOMES[flip.before]} -> {OUTCOMES[flip.after]}  "
        f"{_keys(flip.before_key, flip.after_key)}{changed}"
    )
    for sign, messages in (("-", flip.gone), ("+", flip.new)):
        for message in messages:
            yield f"      {sign} {one_line(message)}"


def claim_flip_lines(flip: ClaimFlip) -> Iterator[str]:
    """Both verdicts with their evidence."""
    how = {
        "place": "same place",
        "text": "same text",
        "likeness": f"likest text, {flip.likeness:.0%} alike",
    }[flip.paired_by]
    yield (
        f"  {flip.before.verdict.word} -> "
        f"{flip.after.verdict.word}  "
        f"{_keys(flip.before_key, flip.after_key)}  ({how})"
    )
    for name, result in (("A", flip.before), ("B", flip.after)):
        yield from _side_lines(name, result)


def _side_lines(name: str, result: ClaimResult) -> Iterator[str]:
    verdict = result.verdict
    share = "" if verdict.support is None else f" {verdict.support:.2f}"
    label = verdict.word
    yield f"      {name} [{label}{share}] {one_line(result.claim.text)}"
    for evidence in verdict.evidence[:1]:
        yield f"          {one_line(evidence.sentence_id)}: “{one_line(evidence.text)}”"
    if verdict.label is not Label.SUPPORTED:
        why = verdict.unscored_reason or verdict.reason
        if why:
            yield f"          {one_line(why)}"


def _lone(claim: LoneClaim) -> str:
    result = claim.result
    return (
        f"  {one_line(str(claim.key))}: [{result.verdict.word}] "
        f"{one_line(result.claim.text)}"
    )


def _paired(found: Comparison) -> str:
    count = found.claims_paired
    return (
        f"paired by place {count['place']}, by text {count['text']}, by likeness "
        f"{count['likeness']}"
    )


# --- trends -------------------------------------------------------------------


def trend_lines(
    trend: Trend, metrics: Sequence[str] = (), domain: str | None = None
) -> Iterator[str]:
    """A line a run and figure, oldest first; of `metrics` only, when any is named."""
    of = f" with domain {one_line(domain)}" if domain else ""
    yield f"suite {one_line(trend.suite_id)}: {len(trend.points)} finished runs{of}"
    for point in trend.points:
        yield ""
        yield from _point_lines(point, metrics)
    if trend.left_out:
        yield ""
        yield f"not finished, not counted: {', '.join(trend.left_out)}"


def _point_lines(point: Point, metrics: Sequence[str]) -> Iterator[str]:
    yield f"{point.run_id}  {point.created}"
    if point.step is not None:
        yield from _step_lines(point.step)
    rate = "  –  " if point.pass_rate is None else f"{point.pass_rate:.3f}"
    rate += interval_text(point.pass_interval, ".3f")
    cover = "" if point.coverage is None else f" ({point.coverage:.0%} coverage)"
    yield (
        f"  {'pass_rate':<26} {rate}  {point.judged} of {point.total_samples}{cover}"
        + _moved(point.step.pass_rate if point.step else None)
    )
    steps = {f.name: f for f in point.step.metrics} if point.step else {}
    for mean in point.means:
        if (metrics and mean.metric not in metrics) or not mean.total:
            continue
        value = "  –  " if mean.mean is None else f"{mean.mean:.3f}"
        value += interval_text(mean.interval, ".3f")
        value += f" {mean.tier}" if mean.tier else ""
        share = f" ({mean.coverage:.0%} coverage)" if mean.coverage is not None else ""
        yield (
            f"  {mean.metric:<26} {value}  {mean.n} of {mean.total}{share}"
            + _moved(steps.get(mean.metric))
        )
        yield from (
            f"  {'':<26} by tier: {counts_text(spread)}"
            for spread in point.spreads
            if spread.metric == mean.metric
        )


def _step_lines(step: Step) -> Iterator[str]:
    if not step.pairs:
        yield f"  no sample in common with {step.before}"
    else:
        yield (
            f"  since {step.before}: {step.pairs} samples in common, "
            f"{step.answers_changed} answers changed"
        )
    for change in step.changes:
        yield one_line(f"  not the same as before: {change_text(change)}")


def _moved(figure: Figure | None) -> str:
    if figure is None or figure.difference is None:
        return ""
    return f"  {figure.difference:+.3f} {verdict_of(figure)}"
