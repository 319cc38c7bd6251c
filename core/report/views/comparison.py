"""Two runs held against one another: what differs, by figures, then what flipped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from claimscope.core.analysis.compare.comparison import Comparison
from claimscope.core.analysis.compare.differences import FigureDifference
from claimscope.core.analysis.compare.header_differences import HeaderDifference
from claimscope.core.metrics.overall import is_low_good
from claimscope.core.models import SampleKey
from claimscope.core.report.terms import aside_words
from claimscope.core.report.text import minute_of
from claimscope.core.report.view import (
    Column,
    Part,
    Prose,
    Row,
    Section,
    Sign,
    Span,
    Table,
    line,
    list_section,
    row,
)
from claimscope.core.report.views.flips import (
    Flip,
    FlipKind,
    flip_entry,
    flip_title,
    flips,
)
from claimscope.core.report.words import interval_text, number
from claimscope.core.text.plurals import counted_noun

SHOWN = 20
"""Flips of a kind, where not all are asked for."""
NAMED = 2
"""Samples without a partner that a head names."""
WIDE, WIDEST = 120, 160
"""Columns of a screen from which on further figures have room."""


def comparison_view(found: Comparison, limit: int | None = None) -> Iterator[Part]:
    """All of it: head, figures, flips. limit: of each kind of flip; None = all."""
    yield from head(found, named=limit)
    yield line()
    table = found.outcomes
    yield line(
        f"passed in both {table.both_passed}, A only {table.lost}, B only "
        f"{table.gained}, failed in both {table.both_failed}, unscored "
        f"{table.unscored}; McNemar exact p {p_text(table.mcnemar_p) or '–'}"
    )
    shown, aside = applying(found)
    yield Table(FIGURES, tuple(map(figure_row, shown)))
    if aside:
        yield line(aside)
    yield line()
    yield from _lists(found, limit)


def _lists(found: Comparison, limit: int | None) -> Iterator[Section]:
    by_kind: dict[FlipKind, list[Flip]] = {}
    for flip in flips(found):
        by_kind.setdefault(flip.kind, []).append(flip)

    def of(*kinds: FlipKind) -> list[Flip]:
        return [flip for kind in kinds for flip in by_kind.get(kind, ())]

    def first(
        title: str, all_of: Sequence[Flip], build: Callable[[Flip], Part]
    ) -> Section:
        shown = all_of[:limit]
        return list_section(title, map(build, shown), len(all_of) - len(shown))

    samples = of("lost", "gained", "outcome")
    yield first(f"samples that flipped: {len(samples)}", samples, flip_entry)
    claims = of("worse", "better", "verdict")
    how = ", ".join(f"by {by} {count}" for by, count in found.claims_paired.items())
    yield first(
        f"claims that flipped: {len(claims)} (paired {how}; only in A "
        f"{len(found.claims_gone)}, only in B {len(found.claims_new)})",
        claims,
        flip_entry,
    )
    for letter, lone in (("A", of("only_a")), ("B", of("only_b"))):
        if lone:
            title = f"claims only in {letter}: {len(lone)}"
            yield first(title, lone, flip_title)
    fell, rose = of("lower"), of("higher")
    if fell or rose:
        title = f"tiers that moved: {len(fell) + len(rose)}, {len(fell)} of them down"
        yield first(title, [*fell, *rose], flip_entry)
    if required := of("unfound", "found"):
        title = f"required claims that flipped: {len(required)}"
        yield first(title, required, flip_title)


# --- head -----------------------------------------------------------------------


def head(found: Comparison, named: int | None = NAMED) -> Iterator[Prose]:
    """Both sides, whether anything differs, what was changed between them. named:
    samples without a partner that are named; None = all."""
    yield _side("A", found, old=True)
    yield _side("B", found, old=False)
    figures = (found.pass_rate, *found.metrics)
    real = [figure for figure in figures if not figure.within_noise]
    if real:
        spans: list[Span] = [Span("beyond noise: ", "strong")]
        for figure in real:
            gap = ", " if figure is not real[-1] else ""
            spans += [Span(f"{figure.name} "), judgement(figure), Span(gap)]
        yield line(*spans)
    else:
        text = "within noise: no figure differs by more than chance explains"
        yield line(Span(text, "strong", "level"))
    yield line(f"changed between them: {'; '.join(_changes(found)) or NOTHING}")
    yield line(Span(_pairs(found, named), "faint"))


NOTHING = "nothing (same suite, answers, pages, settings)"


def _changes(found: Comparison) -> Iterator[str]:
    yield from map(change_text, found.changes)
    if found.cases_changed:
        yield f"cases with another text: {', '.join(found.cases_changed)}"
    if found.answers_changed:
        yield f"answers with another text: {len(found.answers_changed)}"


def change_text(change: HeaderDifference) -> str:
    """`model: oak:2b -> elm:4b`."""
    before, after = (_short(word) for word in (change.before, change.after))
    return f"{change.what}: {before} -> {after}"


def _short(word: str | None) -> str:
    """A digest by its first signs."""
    if word is None:
        return "none"
    is_digest = len(word) >= 40 and set(word) <= set("0123456789abcdef")
    return word[:12] if is_digest else word


def _side(letter: str, found: Comparison, *, old: bool) -> Prose:
    side = found.before if old else found.after
    made = minute_of(side.created)
    run = "" if side.name == side.run_id else f"  {side.run_id}"
    unscored = side.samples - side.judged
    is_common = found.before.passed_by == found.after.passed_by
    return line(
        Span(f"{letter} ", "heading"),
        Span(side.name, "strong"),
        f"{run}  {made}  {side.passed} of {side.judged} passed",
        Span(f", {unscored} unscored", "unscored" if unscored else ""),
        Span("" if is_common else f"  {side.passed_by}", "strong"),
    )


def _pairs(found: Comparison, named: int | None) -> str:
    by = "case, iteration" if found.across_providers else "case, provider, iteration"
    text = (
        f"paired by {by}: {counted_noun(found.pairs, 'sample')} of "
        f"{counted_noun(found.cases, 'case')}"
    )
    for letter, keys in (("A", found.only_before), ("B", found.only_after)):
        if keys:
            text += f"; only in {letter}: {len(keys)} ({_name_samples(keys, named)})"
    if found.before.passed_by == found.after.passed_by:
        text = f"{found.before.passed_by}; {text}"
    if found.tested > 1:
        text += f"; p of {found.tested} metrics corrected (Holm)"
    return text


def _name_samples(keys: Sequence[SampleKey], named: int | None) -> str:
    shown = ", ".join(map(str, keys[:named]))
    more = 0 if named is None else len(keys) - named
    return f"{shown} and {more} more" if more > 0 else shown


# --- figures --------------------------------------------------------------------

FIGURES = (
    Column("figure"),
    Column("A", "right", 6),
    Column("B", "right", 6),
    Column("B - A", "right", 7),
    Column("95% interval", width=16),
    Column("pairs", "right", 7),
    Column("cases", "right", 5, least=WIDEST),
    Column("effect", "right", 6, least=WIDE),
    Column("p", "right", 7, least=WIDE),
    Column("noise floor", "right", 11, least=WIDE, is_optional=True),
    Column("verdict", width=14),
)


def applying(found: Comparison) -> tuple[list[FigureDifference], str]:
    """The figures that apply to some pair, and a line on the others; empty for none."""
    shown, aside = [found.pass_rate], []
    for figure in found.metrics:
        if figure.n or figure.unscored or not figure.not_applicable:
            shown.append(figure)
        else:
            aside.append(figure.name)
    return shown, aside_words(aside)


def figure_row(figure: FigureDifference) -> Row:
    """Both means, difference, interval, pairs it is over, verdict."""
    scale = figure.scale
    p = figure.p if figure.p_holm is None else figure.p_holm
    return row(
        figure.name,
        number(figure.before, scale),
        number(figure.after, scale),
        Span(number(figure.difference, scale, sign=True), "strong"),
        interval_text(figure.interval, scale, sign=True),
        f"{figure.n}/{figure.n + figure.unscored}",
        str(figure.cases),
        "" if figure.effect is None else f"{figure.effect:+.2f}",
        p_text(p),
        number(figure.noise_floor, scale),
        judgement(figure),
    )


def judgement(figure: FigureDifference) -> Span:
    """Whether it moved, and whether that is good: sign of the move, word, role."""
    if figure.difference is None:
        return Span("no pair", "unscored", "unscored")
    if not figure.difference and figure.p == 1:
        return Span("same", "faint", "level")
    if figure.within_noise:
        return Span("within noise", "faint", "level")
    rose = figure.difference > 0
    sign: Sign = "risen" if rose else "fallen"
    if rose == is_low_good(figure.name):
        return Span("worse", "contradicted", sign)
    return Span("better", "supported", sign)


def p_text(value: float | None) -> str:
    """Three decimals; empty where there is none."""
    if value is None:
        return ""
    return "< 0.001" if value < 0.001 else f"{value:.3f}"
