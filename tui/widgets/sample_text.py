"""A sample in a few lines: the header of the stepper and the cells of Results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.cells import cell_len

from claimscope.core.models import RowScore, SampleKey, SampleResult, SampleRow, Score
from claimscope.core.report.terms import LIKELY, WORDS
from claimscope.core.report.view import outcome_span
from claimscope.core.report.views.citations import is_good
from claimscope.tui.review.item_text import texts_of
from claimscope.tui.review.items import Item, Words
from claimscope.tui.widgets import rendered
from claimscope.tui.widgets.flow import Paragraph, Piece, clip, para, plain
from claimscope.tui.widgets.glyphs import Glyphs, verdict_role

LEAST_NAME = 8
"""Cells that the name of a suite has however narrow the screen is."""
SIGN_WIDTH, KIND_WIDTH = 5, 10


def outcome(sample: SampleResult | SampleRow, glyphs: Glyphs) -> Piece:
    """Sign and word of a sample."""
    return rendered.piece(outcome_span(sample.passed), glyphs)


def score_text(score: Score | RowScore) -> str:
    """A value on its scale; never a number for none. Empty where the metric does not
    apply."""
    if score.value is None:
        return "unscored" if score.applicable else ""
    return f"{score.value:.2f}" if score.scale[1] <= 1 else f"{score.value:.0f}"


def title(
    suite: str,
    run_id: str,
    key: SampleKey,
    place: tuple[int, int],
    glyphs: Glyphs,
    width: int,
) -> Paragraph:
    """One line: suite, run, case, provider, which sample of how many.

    place: (number of the sample from 1, number of samples). Where the width is too
    small, the name of the suite gives way first.
    """
    dot = f" {glyphs.skipped} "
    where = plain(f"{dot}{key.case_id}{dot}{key.provider}")
    if key.iteration > 1:
        where += f"{dot}iteration {key.iteration}"
    count = f"  sample {place[0]} of {place[1]}"
    run = plain(f"{dot}{run_id}")
    rest = cell_len(run) + cell_len(where) + len(count)
    name = clip(plain(suite), max(width - rest, LEAST_NAME), glyphs.more)
    room = width - cell_len(name) - cell_len(run) - len(count)
    where = dot + clip(where.removeprefix(dot), room - len(dot), glyphs.more)
    return para(
        Piece(name, "strong"), Piece(run, "dim"), Piece(where, "strong"), Piece(count)
    )


def header(
    sample: SampleResult,
    now: SampleResult,
    row: Sequence[Item],
    current: int,
    words: Words,
    only: str,
    rule: str,
    glyphs: Glyphs,
    width: int,
) -> list[Paragraph]:
    """Three lines: outcome and question, scores, items.

    now: the sample with people's verdicts in place of the machine's, which are told
    beside where they differ. only: what is stepped through, in words; may be empty.
    rule: what decides whether it passes.
    """
    state = outcome(now, glyphs)
    machine = ""
    if now.passed != sample.passed:
        machine = f" (machine: {outcome(sample, glyphs).text})"
    shown = f"  {only}" if only else ""
    by = f" {rule}"
    taken = len(state.text) + len(by) + len(machine) + cell_len(shown) + len("  Q  ")
    room = width - taken
    first = para(
        state,
        Piece(by, "dim"),
        Piece(machine, "dim"),
        Piece(shown, "human"),
        Piece("  Q  ", "heading"),
        Piece(clip(plain(sample.case.question), room, glyphs.more)),
    )
    return [
        first,
        para(Piece(clip(_scores(sample, now, glyphs), width, glyphs.more))),
        para(*_fitting(list(_strip(sample, row, current, glyphs, words)), width)),
    ]


def _scores(sample: SampleResult, now: SampleResult, glyphs: Glyphs) -> str:
    parts = [
        f"{score.metric} {score_text(score)}"
        + (f" (machine {score_text(was)})" if score.value != was.value else "")
        for was, score in zip(sample.scores, now.scores, strict=True)
        if score.applicable
    ]
    parts += [
        f"{grade.name} {grade.value:.3g}/5" if grade.value else f"{grade.name} unscored"
        for grade in sample.grades
        if not any(grade.name in score.metric for score in sample.scores)
    ]
    if sample.abstained:
        parts.insert(0, "abstained")
    return f" {glyphs.skipped} ".join(parts) or "no scores"


def _strip(
    sample: SampleResult,
    row: Sequence[Item],
    current: int,
    glyphs: Glyphs,
    words: Words,
) -> Iterator[Piece]:
    """All items as signs, the one in hand marked; then the person's words."""
    agreed, overruled = words.counts()
    if agreed or overruled:
        yield Piece(f"you: {agreed} agreed, {overruled} overruled  ", "human")
    yield Piece(f"{current + 1}/{len(row)} " if row else "nothing to step through")
    kind = ""
    for number, item in enumerate(row):
        if item.kind != kind:
            kind = item.kind
            yield Piece(f" {kind} ", "dim")
        sign, role = _sign(sample, item, glyphs, words)
        sign += " " if len(sign) > 1 else ""  # or 3.5 and 4 would read 3.54
        sign = sign.rstrip() + glyphs.disputed + " " if item.is_disputed else sign
        yield Piece(sign, f"{role} current" if number == current else role)


def _sign(
    sample: SampleResult, item: Item, glyphs: Glyphs, words: Words
) -> tuple[str, str]:
    word = words.on(sample, item)
    if word is not None and word.human is not None:
        sign = glyphs.label(word.human) if word.is_claim else glyphs.skipped
        return sign, "human" if word.is_overrule else word.human.value
    if item.kind == "claim":
        result = sample.claims[item.index]
        return glyphs.verdict(result.verdict), verdict_role(result.verdict)
    if item.kind == "skipped":
        return glyphs.skipped, "skipped"
    if item.kind == "grade":
        value = sample.grades[item.index].value
        role = "contradicted" if item.is_failure else "supported"
        return (glyphs.unscored if value is None else f"{value:.3g}"), role
    if item.kind == "citation":
        if is_good(sample.citations[item.index]):
            return glyphs.supported, "supported"
        return glyphs.contradicted, "contradicted"
    if item.is_failure:
        return glyphs.contradicted, "contradicted"
    if item.kind == "missing":
        return glyphs.not_enough_info, "not_enough_info"
    return glyphs.supported, "supported"


def legend(glyphs: Glyphs) -> list[str]:
    """What the signs of claims mean, each sign with its word."""
    signs = [f"{glyphs.label(label)} {word}" for label, word in WORDS.items()]
    signs.insert(1, f"{glyphs.likely} {LIKELY}")
    return signs


def item_lines(
    sample: SampleResult,
    row: Sequence[Item],
    current: int,
    words: Words,
    glyphs: Glyphs,
    width: int,
) -> list[Paragraph]:
    """All items, one on a line: sign, kind, text; the one in hand is marked."""
    lines = []
    for number, item in enumerate(row):
        sign, role = _sign(sample, item, glyphs, words)
        room = width - KIND_WIDTH - SIGN_WIDTH
        text = next((text for text in texts_of(sample, item) if text), "")
        here = " current" if number == current else ""
        lines.append(
            para(
                Piece(f"{sign.strip():<{SIGN_WIDTH}}", f"{role}{here}"),
                Piece(f"{item.kind:<{KIND_WIDTH}}", f"dim{here}"),
                Piece(clip(plain(text), room, glyphs.more), here.strip()),
            )
        )
    return lines


def _fitting(pieces: Sequence[Piece], width: int) -> list[Piece]:
    """The pieces that fit one line, such that the one in hand is among them."""
    at = next((n for n, piece in enumerate(pieces) if piece.has("current")), 0)
    start = 0
    while sum(len(piece.text) for piece in pieces[start : at + 1]) > width - 1:
        start += 1
    fitting: list[Piece] = []
    used = 0
    for piece in pieces[start:]:
        used += len(piece.text)
        if used > width:
            break
        fitting.append(piece)
    return fitting
