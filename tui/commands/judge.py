"""`claimscope judge FILE --model M`: two grades a row from a local model."""

from __future__ import annotations

import argparse
import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from claimscope.core.scoring import ScoredRow

METRICS = ("judge_faithfulness", "judge_completeness")

EPILOG = """\
in:  rows as `claimscope score` takes them: {"id", "question", "answer", "contexts"}
out: {"id", "scores": {"judge_faithfulness": {"value", "scale", "reason"},
     "judge_completeness": …}, "overall", "passed"} a line; overall is the mean of both
     grades, passed says whether both reach the setting pass_grade (4; or each its own,
     pass_faithfulness and pass_completeness), null = unscored
Each grade is asked for in a call of its own. A row without ground truth is not graded.
exit codes: 2 a line was skipped; 3 a row could not be graded
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """FILE, the model and the rubric."""
    from claimscope.tui.flags import add_row_flags

    add_row_flags(parser)
    parser.add_argument(
        "--rubric",
        default="general",
        metavar="NAME",
        help="general (default) or course_recommendation",
    )


def run(arguments: argparse.Namespace) -> int:
    """A line for each row, as soon as both grades are there."""
    from claimscope.core.inference.prompts import rubric
    from claimscope.tui.rows import (
        Tally,
        scored_file,
        scores_line,
        settings_of,
        write_all,
    )

    settings = settings_of(arguments, judge=True)
    rubric(arguments.rubric)  # an unknown one is refused before anything is asked
    tally = Tally()
    rows = scored_file(arguments, settings, METRICS, tally, arguments.rubric)
    asyncio.run(
        write_all(
            rows,
            lambda row: {
                "scores": scores_line(row, details=arguments.details),
                **outcome(row, settings.pass_grades),
            },
        )
    )
    return tally.exit_code()


def outcome(row: ScoredRow, least: tuple[int, int]) -> dict[str, object]:
    """Mean of both grades, and whether both are high enough (METRICS B)."""
    grades = [score.value for score in row.scores]
    known = [grade for grade in grades if grade is not None]
    if len(known) < len(grades):
        return {"overall": None, "passed": None}
    reached = all(value >= bound for value, bound in zip(known, least, strict=True))
    return {"overall": sum(known) / len(known), "passed": reached}
