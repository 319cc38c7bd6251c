"""A comparison as the screen shows it: what differs, each figure, each flip."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from claimscope.core.analysis.compare.comparison import Comparison
from claimscope.core.analysis.compare.differences import Figure
from claimscope.core.analysis.compare.flips import (
    ClaimFlip,
    LoneClaim,
    RequiredFlip,
    SampleFlip,
)
from claimscope.core.analysis.compare.tier_movements import TierMove
from claimscope.core.analysis.statistics.intervals import Interval
from claimscope.core.models import ClaimResult, Label
from claimscope.core.report.comparison_text import (
    change_lines,
    moved_values,
    verdict_of,
)
from claimscope.tui.review.comparison import Flip
from claimscope.tui.widgets.flow import Paragraph, Piece, para, said
from claimscope.tui.widgets.glyphs import Glyphs, verdict_role
from claimscope.tui.widgets.table import Column

FINE = 10.0
"""Up to this span a scale has three decimals, above it one."""


def number(
    value: float | None, scale: tuple[float, float], *, sign: bool = False
) -> str:
    """A value, or `unscored`: what has no value is never shown as one."""
    if value is None:
        return "unscored"
    places = 3 if scale[1] - scale[0] <= FINE else 1
    return f"{value:{'+' if sign else ''}.{places}f}"


def interval(
    found: Interval | None, scale: tuple[float, float], *, sign: bool = False
) -> str:
    """`[0.61, 0.78]`, or nothing."""
    if found is None:
        return ""
    low, high = (number(v, scale, sign=sign) for v in (found.low, found.high))
    return f"[{low}, {high}]"


def judgement(figure: Figure, glyphs: Glyphs) -> Piece:
    """Whether it moved, and whether that is good: sign of the move, word, colour."""
    word = verdict_of(figure)
    if figure.difference is None:
        return Piece(f"{glyphs.unscored} no pair", "unscored")
    if word in ("same", "within noise"):
        return Piece(f"{glyphs.level} {word}", "dim")
    sign = glyphs.risen if figure.difference > 0 else glyphs.fallen
    role = "contradicted" if word == "worse" else "supported"
    return Piece(f"{sign} {word}", role)


# --- head ---------------------------------------------------------------------


def head(found: Comparison, glyphs: Glyphs) -> Iterator[Paragraph]:
    """Both sides, whether anything differs, what was changed between them."""
    yield _side("A", found, old=True)
    yield _side("B", found, old=False)
    figures = (found.pass_rate, *found.metrics)
    real = [figure for figure in figures if not figure.within_noise]
    if real:
        pieces = [Piece("beyond noise: ", "strong")]
        for figure in real:
            gap = ", " if figure is not real[-1] else ""
            verdict = judgement(figure, glyphs)
            pieces += [said(f"{figure.name} "), verdict, Piece(gap)]
        yield para(*pieces, hanging=2)
    else:
        text = f"{glyphs.level} within noise: no figure differs by more than chance"
        yield para(Piece(text, "strong"))
    first, *rest = change_lines(found)
    yield para(
        said(f"{first} "), said("; ".join(line.strip() for line in rest)), hanging=2
    )
    yield para(said(_pairs(found), "dim"), hanging=2)


def _side(letter: str, found: Comparison, *, old: bool) -> Paragraph:
    side = found.before if old else found.after
    made = side.created.replace("T", " ")[:16]
    run = "" if side.name == side.run_id else f"  {side.run_id}"
    unscored = side.samples - side.judged
    is_common = found.before.passed_by == found.after.passed_by
    return para(
        Piece(f"{letter} ", "heading"),
        said(side.name, "strong"),
        said(f"{run}  {made}  {side.passed} of {side.judged} passed"),
        Piece(f", {unscored} unscored", "unscored" if unscored else ""),
        Piece("" if is_common else f"  {side.passed_by}", "strong"),
        hanging=2,
    )


def _pairs(found: Comparison) -> str:
    by = "case, iteration" if found.across_providers else "case, provider, iteration"
    text = f"paired by {by}: {found.pairs} samples of {found.cases} cases"
    for letter, keys in (("A", found.only_before), ("B", found.only_after)):
        if keys:
            named = ", ".join(str(key) for key in keys[:2])
            more = f" and {len(keys) - 2} more" if len(keys) > 2 else ""
            text += f"; only in {letter}: {len(keys)} ({named}{more})"
    if found.before.passed_by == found.after.passed_by:
        text = f"{found.before.passed_by}; {text}"
    if found.tested > 1:
        text += f"; p of {found.tested} metrics corrected (Holm)"
    return text


# --- figures ------------------------------------------------------------------


def figure_columns(*, wide: bool) -> list[Column]:
    """Of a line a figure."""
    columns = [
        Column("figure"),
        Column("A", 6, "right"),
        Column("B", 6, "right"),
        Column("B - A", 7, "right"),
        Column("95% interval", 16),
        Column("pairs", 7, "right"),
    ]
    if wide:
        columns += [
            Column("effect", 6, "right"),
            Column("p", 7, "right"),
            Column("noise floor", 11, "right"),
        ]
    return [*columns, Column("verdict", 14)]


def figure_cells(figure: Figure, glyphs: Glyphs, *, wide: bool) -> list[Piece]:
    """One figure: both means, difference, interval, pairs it is over, verdict."""
    scale = figure.scale
    moved = figure.difference
    cells = [
        said(figure.name),
        Piece("" if figure.before is None else number(figure.before, scale)),
        Piece("" if figure.after is None else number(figure.after, scale)),
        Piece("" if moved is None else number(moved, scale, sign=True), "strong"),
        Piece(interval(figure.interval, scale, sign=True)),
        Piece(f"{figure.n}/{figure.n + figure.unscored}"),
    ]
    if wide:
        p = figure.p if figure.p_holm is None else figure.p_holm
        floor = figure.noise_floor
        cells += [
            Piece("" if figure.effect is None else f"{figure.effect:+.2f}"),
            Piece("" if p is None else "< 0.001" if p < 0.001 else f"{p:.3f}"),
            Piece("" if floor is None else number(floor, scale)),
        ]
    return [*cells, judgement(figure, glyphs)]


# --- flips --------------------------------------------------------------------


def flip_columns(*, wide: bool) -> list[Column]:
    """Of a line a flip; wide: both verdicts in words."""
    return [
        Column("what", 8),
        Column("A -> B", 36 if wide else 21),
        Column("case", 16 if wide else 12),
        Column("provider", 12 if wide else 8),
        Column("claim or reason"),
    ]


def flip_cells(flip: Flip, glyphs: Glyphs, *, wide: bool) -> list[Piece]:
    """What flipped, from what to what, where, and its text."""
    what, before, after = _turned(flip, glyphs)
    if wide or not (before and after):
        turned = " -> ".join(piece.text for piece in (before, after) if piece)
        if not before:
            turned = f"B only {turned}"
        elif not after:
            turned = f"A only {turned}"
    else:
        turned = f"{before.text.split()[0]} -> {after.text}"
    shown = after or before
    assert shown is not None
    return [
        Piece(what),
        Piece(turned, shown.roles),
        said(_case(flip)),
        said(_provider(flip)),
        said(flip.text),
    ]


def _case(flip: Flip) -> str:
    key = flip.key
    return key.case_id if key.iteration == 1 else f"{key.case_id} #{key.iteration}"


def _provider(flip: Flip) -> str:
    old, new = flip.before_key, flip.after_key
    if old and new and old.provider != new.provider:
        return new.provider
    return flip.key.provider


def _turned(flip: Flip, glyphs: Glyphs) -> tuple[str, Piece | None, Piece | None]:
    """(what it is, before, after); None for the side that does not have it."""
    match flip.found:
        case SampleFlip(before=before, after=after):
            return "sample", _outcome(before, glyphs), _outcome(after, glyphs)
        case RequiredFlip(before=had, after=has):
            return "required", _is_found(had, glyphs), _is_found(has, glyphs)
        case TierMove() as move:
            sign = glyphs.risen if move.rose else glyphs.fallen
            role = "supported" if move.rose else "contradicted"
            old_tier, new_tier = Piece(move.before, role), Piece(move.after, role)
            return f"tier {sign}", old_tier, new_tier
        case ClaimFlip(before=old, after=new):
            return "claim", _label(old, glyphs), _label(new, glyphs)
        case LoneClaim(result=result):
            label = _label(result, glyphs)
            return "claim", *((label, None) if flip.kind == "only_a" else (None, label))


def _outcome(passed: bool | None, glyphs: Glyphs) -> Piece:
    word = {True: "passed", False: "failed", None: "unscored"}[passed]
    role = {True: "supported", False: "contradicted", None: "unscored"}[passed]
    return Piece(f"{glyphs.passed(passed)} {word}", role)


def _is_found(found: bool, glyphs: Glyphs) -> Piece:
    sign = glyphs.supported if found else glyphs.contradicted
    role = "supported" if found else "contradicted"
    return Piece(f"{sign} {'found' if found else 'missing'}", role)


def _label(result: ClaimResult, glyphs: Glyphs) -> Piece:
    verdict = result.verdict
    said = f"{glyphs.verdict(verdict)} {verdict.word}"
    return Piece(said, verdict_role(verdict))


# --- one flip in full ---------------------------------------------------------


def flip_details(flip: Flip, glyphs: Glyphs) -> Iterator[Paragraph]:
    """Both sides with their reasons and evidence."""
    match flip.found:
        case SampleFlip() as sample:
            yield from _sample_details(sample, glyphs)
        case ClaimFlip(before=before, after=after, paired_by=by, likeness=likeness):
            yield from _claim_details("A", before, glyphs)
            yield from _claim_details("B", after, glyphs)
            alike = f", {likeness:.0%} alike" if by == "likeness" else ""
            yield para(Piece(f"paired by {by}{alike}", "dim"))
        case TierMove() as move:
            yield from _tier_details(move, glyphs)
        case RequiredFlip() as required:
            yield para(said(required.text, "strong"))
            for letter, has in (("A", required.before), ("B", required.after)):
                yield para(Piece(f"{letter} ", "heading"), _is_found(has, glyphs))
        case LoneClaim(result=result):
            letter = "A" if flip.kind == "only_a" else "B"
            yield from _claim_details(letter, result, glyphs)
            yield para(Piece("the other answer makes no such claim", "dim"))


def _tier_details(move: TierMove, glyphs: Glyphs) -> Iterator[Paragraph]:
    sign = glyphs.risen if move.rose else glyphs.fallen
    role = "supported" if move.rose else "contradicted"
    yield para(
        said(f"{move.metric} ", "strong"),
        Piece(f"{sign} {move.before} -> {move.after}", role),
        Piece(f"  {moved_values(move)}"),
    )
    if not move.claims:
        yield para(Piece("no claim changed with it", "dim"))
    for claim in move.claims:
        yield para(Piece("  "), said(claim), hanging=4)


def _sample_details(flip: SampleFlip, glyphs: Glyphs) -> Iterator[Paragraph]:
    yield para(said(flip.question, "strong"))
    yield para(
        Piece("A ", "heading"),
        _outcome(flip.before, glyphs),
        Piece("  B ", "heading"),
        _outcome(flip.after, glyphs),
        Piece(
            "  another answer" if flip.answer_changed else "  the same answer", "dim"
        ),
    )
    sides: Sequence[tuple[str, Sequence[str]]] = (("A", flip.gone), ("B", flip.new))
    for letter, messages in sides:
        for message in messages:
            text = f"failure only in {letter}: "
            yield para(Piece(text, "dim"), said(message), hanging=2)


def _claim_details(
    letter: str, result: ClaimResult, glyphs: Glyphs
) -> Iterator[Paragraph]:
    verdict = result.verdict
    support = "" if verdict.support is None else f" support {verdict.support:.2f}"
    yield para(
        Piece(f"{letter} ", "heading"),
        _label(result, glyphs),
        said(f"{support}  {verdict.verifier}", "dim"),
    )
    yield para(Piece("  "), said(result.claim.text), hanging=4)
    for evidence in verdict.evidence[:1]:
        yield para(
            Piece("  "),
            said(f"{evidence.sentence_id} ", "citation"),
            said(evidence.text),
            hanging=4,
        )
    why = verdict.unscored_reason or verdict.reason
    if why and verdict.label is not Label.SUPPORTED:
        yield para(Piece("  "), said(why, "dim"), hanging=4)
