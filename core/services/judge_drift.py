"""Does a judge still grade as it did? A pinned set of rows, graded again.

A new version of a model, or a prompt that was changed, moves grades though no answer
did; a trend over such a change says nothing of the answers. So some rows are graded
once and kept, with who graded them and in what words; when either is another, they are
graded again and both gradings are compared row by row.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import Literal

from claimscope.core.analysis.agreement.validation import Estimate, cohen
from claimscope.core.models import Model
from claimscope.core.text.plurals import counted_noun

NAMES = ("faithfulness", "completeness")


class Identity(Model):
    """Who grades, in what words, by which pages."""

    model: str
    model_digest: str | None
    """Of the weights; None where the server tells none."""
    rubric: str
    prompts: str
    """Digest of the prompt and the rubric."""
    pages: str | None = None
    """Digest of the pages that all rows share; None = each row brings its own."""


class PinnedRow(Model):
    """One row with its grades."""

    id: str
    text: str
    """Digest of question, answer and ground truth."""
    faithfulness: float | None
    completeness: float | None
    passed: bool | None


class PinnedSet(Model):
    """A set of rows as it was graded."""

    format: Literal["claimscope.pinned"] = "claimscope.pinned"
    version: Literal[1] = 1
    made: str
    """UTC, ISO 8601."""
    judge: Identity
    rows: tuple[PinnedRow, ...]


class GradeDrift(Model):
    """One grade over the rows that have it both times."""

    name: str
    n: int
    before: float | None
    """Mean."""
    after: float | None
    shift: float | None
    """after - before."""
    same: int
    """Rows with the same grade."""
    kappa: Estimate
    """Cohen's, weighted by the distance of grades."""


class OutcomeFlip(Model):
    """A row whose outcome is another."""

    id: str
    before: bool | None
    after: bool | None


class Drift(Model):
    """A pinned set and what it is graded now."""

    changed: tuple[str, ...]
    """What is another: `model`, `model_digest`, `rubric`, `prompts`,
    `pages`."""
    rows: int
    """Rows that are in both with the same text."""
    left_out: int
    """Rows that are only in one, or have another text now."""
    grades: tuple[GradeDrift, ...]
    flips: tuple[OutcomeFlip, ...]

    @property
    def has_drifted(self) -> bool:
        """Some outcome is another."""
        return bool(self.flips)


def changed_parts(before: Identity, now: Identity) -> tuple[str, ...]:
    """Which parts of a judge are another; empty = the same judge."""
    names = type(before).model_fields
    return tuple(name for name in names if getattr(before, name) != getattr(now, name))


def drift(pinned: PinnedSet, judge: Identity, rows: Sequence[PinnedRow]) -> Drift:
    """What is graded otherwise now; rows are paired by id."""
    old = {row.id: row for row in pinned.rows}
    pairs = [
        (old[row.id], row)
        for row in rows
        if row.id in old and old[row.id].text == row.text
    ]
    every = {row.id for row in rows} | set(old)
    return Drift(
        changed=changed_parts(pinned.judge, judge),
        rows=len(pairs),
        left_out=len(every) - len(pairs),
        grades=tuple(_grade_drift(name, pairs) for name in NAMES),
        flips=tuple(
            OutcomeFlip(id=a.id, before=a.passed, after=b.passed)
            for a, b in pairs
            if a.passed != b.passed
        ),
    )


def _grade_drift(name: str, pairs: Sequence[tuple[PinnedRow, PinnedRow]]) -> GradeDrift:
    both = [(getattr(a, name), getattr(b, name)) for a, b in pairs]
    known = [(a, b) for a, b in both if a is not None and b is not None]
    before = fmean(a for a, _ in known) if known else None
    after = fmean(b for _, b in known) if known else None
    return GradeDrift(
        name=name,
        n=len(known),
        before=before,
        after=after,
        shift=None if before is None or after is None else after - before,
        same=sum(a == b for a, b in known),
        kappa=cohen([a for a, _ in known], [b for _, b in known], "quadratic"),
    )


WHAT: Mapping[str, str] = {
    "model": "the model",
    "model_digest": "its weights",
    "rubric": "the rubric",
    "prompts": "prompt or rubric text",
    "pages": "the pages of --against",
}


def drift_lines(found: Drift) -> Iterator[str]:
    from claimscope.core.report.terms import OUTCOMES
    from claimscope.core.report.text import one_line
    from claimscope.core.report.views.agreement import figure_text

    what = ", ".join(WHAT[name] for name in found.changed) or "nothing"
    left = f", {found.left_out} left out (other text, or only in one)"
    yield (
        f"changed since it was pinned: {what}; "
        f"{counted_noun(found.rows, 'row')} compared" + (left if found.left_out else "")
    )
    for one in found.grades:
        if one.shift is None:
            yield f"  {one.name}: no row has it both times"
            continue
        yield (
            f"  {one.name}: {one.before:.2f} -> {one.after:.2f} ({one.shift:+.2f}), "
            f"same {one.same} of {one.n}, kappa {figure_text(one.kappa)}"
        )
    if "pages" in found.changed:
        yield "  other pages call for other grades too: not all of this is the judge's"
    yield f"  outcomes that changed: {len(found.flips)}"
    for flip in found.flips:
        words = f"{OUTCOMES[flip.before]} -> {OUTCOMES[flip.after]}"
        yield one_line(f"    {words}  {flip.id}")
