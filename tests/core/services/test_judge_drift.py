"""A pinned set graded again: shifts, agreement and outcomes by hand."""

from __future__ import annotations

import pytest

from claimscope.core.services.judge_drift import (
    Identity,
    PinnedRow,
    PinnedSet,
    changed_parts,
    drift,
    drift_lines,
)

JUDGE = Identity(model="oak:2b", model_digest="a", rubric="general", prompts="p")
NEWER = JUDGE.model_copy(update={"model_digest": "b"})


def row(
    name: str, faithful: float | None, complete: float | None, text: str = "t"
) -> PinnedRow:
    known = faithful is not None and complete is not None
    passed = min(faithful or 0, complete or 0) >= 4 if known else None
    return PinnedRow(
        id=name, text=text, faithfulness=faithful, completeness=complete, passed=passed
    )


def pinned(*rows: PinnedRow) -> PinnedSet:
    return PinnedSet(made="2026-11-29T00:00:00Z", judge=JUDGE, rows=rows)


OLD = (row("a", 5, 4), row("b", 4, 4), row("c", 2, 3), row("d", 1, 1))


def test_a_judge_is_another_when_any_part_of_it_is() -> None:
    assert changed_parts(JUDGE, JUDGE) == ()
    assert changed_parts(JUDGE, NEWER) == ("model_digest",)
    other = JUDGE.model_copy(update={"model": "elm:4b", "prompts": "q"})
    assert changed_parts(JUDGE, other) == ("model", "prompts")


def test_pages_that_are_others_are_told_beside_what_moved() -> None:
    other = JUDGE.model_copy(update={"pages": "new"})
    assert changed_parts(JUDGE, other) == ("pages",)
    found = drift(pinned(*OLD), other, OLD)
    lines = list(drift_lines(found))
    assert lines[0] == (
        "changed since it was pinned: the pages of --against; 4 rows compared"
    )
    assert lines[3].startswith("  other pages call for other grades too")


def test_shift_agreement_and_outcomes() -> None:
    """Faithfulness 5 4 2 1 -> 4 3 2 1: means 3 and 2.5. Squared distances 2 of those by
    chance: rows 5 4 2 1 against columns 4 3 2 1, sum over all 16 pairs / 4 = 54 / 4."""
    found = drift(pinned(*OLD), NEWER, (row("a", 4, 4), row("b", 3, 4), *OLD[2:]))
    faithful, complete = found.grades
    assert (faithful.before, faithful.after, faithful.shift) == (3, 2.5, -0.5)
    assert (faithful.n, faithful.same) == (4, 2)
    # (5-4)2+(5-3)2+(5-2)2+(5-1)2 = 30; 0+1+4+9 = 14; 4+1+0+1 = 6; 9+4+1+0 = 14: 64
    assert faithful.kappa.value == pytest.approx(1 - 2 / (64 / 4))
    assert complete.shift == 0 and complete.same == 4 and complete.kappa.value == 1
    assert [(f.id, f.before, f.after) for f in found.flips] == [("b", True, False)]
    assert found.has_drifted and found.changed == ("model_digest",)
    lines = list(drift_lines(found))
    assert lines[0] == "changed since it was pinned: its weights; 4 rows compared"
    assert lines[1].startswith("  faithfulness: 3.00 -> 2.50 (-0.50), same 2 of 4")
    assert lines[-1].endswith(" b") and "passed -> " in lines[-1]


def test_rows_with_another_text_or_of_one_side_are_left_out() -> None:
    now = (row("a", 1, 1, text="other"), row("b", 4, 4), row("new", 1, 1))
    found = drift(pinned(*OLD), JUDGE, now)
    assert (found.rows, found.left_out) == (1, 4)
    assert not found.has_drifted and found.changed == ()
    assert "nothing; 1 row compared, 4 left out" in next(drift_lines(found))


def test_what_has_no_grade_is_in_no_mean() -> None:
    found = drift(pinned(row("a", 5, 5)), NEWER, (row("a", None, 5),))
    assert found.grades[0].shift is None and found.grades[1].shift == 0
    assert [(f.before, f.after) for f in found.flips] == [(True, None)]
    assert "  faithfulness: no row has it both times" in list(drift_lines(found))
