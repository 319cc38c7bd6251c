"""`claimscope answers grade FILE --model M`: two grades a row from a local model."""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from claimscope.core.text.plurals import counted_noun
from claimscope.tui.cli.flags import add_row_flags
from claimscope.tui.process.output import say, write_json, write_lines

if TYPE_CHECKING:
    from claimscope.core.services.scoring import ScoredRow
    from claimscope.core.settings import Settings

METRICS = ("judge_faithfulness", "judge_completeness")

EPILOG = """\
in:  rows as `claimscope score` takes them: {"id", "question", "answer", "contexts"}
out: {"id", "scores": {"judge_faithfulness": {"value", "scale", "reason"},
     "judge_completeness": …}, "overall", "passed"} a line; overall is the mean of both
     grades, passed says whether both reach the setting pass_grade (4; or each its own,
     pass_faithfulness and pass_completeness), null = unscored
Each grade is asked for in a call of its own. A row without ground truth is not graded.
With --pinned FILE the grades are kept there the first time; from then on the rows are
graded again only when model, weights, prompt, rubric or the pages of --against are
others, and what moved is told: means, agreement, rows whose outcome is another.
--accept keeps the new grades.
exit codes: 1 with --pinned: an outcome is another; 2 a line was skipped; 3 a row could
not be graded
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    add_row_flags(parser)
    add = parser.add_argument
    add(
        "--rubric",
        default="general",
        metavar="NAME",
        help="general (default) or course_recommendation",
    )
    add(
        "--pinned",
        type=Path,
        metavar="FILE",
        help="keep the grades there, and tell later how far the judge has drifted",
    )
    add("--again", action="store_true", help="grade pinned rows by the same judge too")
    add("--accept", action="store_true", help="keep the new grades in the pinned file")


def run(arguments: argparse.Namespace) -> int:
    from claimscope.core.prompts.templates import rubric
    from claimscope.tui.services.score.rows import (
        FileOutcome,
        scored_file,
        scores_line,
        settings_of,
        write_all,
    )

    settings = settings_of(arguments, judge=True)
    rubric(arguments.rubric)  # an unknown one is refused before anything is asked
    if arguments.pinned is not None:
        return asyncio.run(against_pinned(arguments, settings))
    tally = FileOutcome()
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


async def against_pinned(arguments: argparse.Namespace, settings: Settings) -> int:
    """Pins the rows, or grades them again when the judge is another one."""
    from claimscope.core.services.judge_drift import changed_parts, drift, drift_lines
    from claimscope.tui.services.score.judge_drift import (
        identity,
        pinned_row,
        read_pinned,
        write_pinned,
    )
    from claimscope.tui.services.score.rows import FileOutcome, scored_file

    path: Path = arguments.pinned
    pinned = read_pinned(path)
    judge = await identity(settings, arguments.rubric, arguments.against)
    if (
        pinned is not None
        and not arguments.again
        and not changed_parts(pinned.judge, judge)
    ):
        say(f"{path}: the judge is the one that graded it; --again grades it anyway")
        return 0
    tally, rows = FileOutcome(), []
    async for row in scored_file(arguments, settings, METRICS, tally, arguments.rubric):
        passed = outcome(row, settings.pass_grades)["passed"]
        rows.append(pinned_row(row, None if passed is None else bool(passed)))
    code = tally.exit_code()
    if not code and (pinned is None or arguments.accept):
        write_pinned(path, judge, rows)
        say(f"{path}: {counted_noun(len(rows), 'row')} pinned")
    if pinned is None:
        return code
    found = drift(pinned, judge, rows)
    if arguments.json:
        write_json(found)
    else:
        write_lines(drift_lines(found))
    return code or int(found.has_drifted)


def outcome(row: ScoredRow, least: tuple[int, int]) -> dict[str, object]:
    """Mean of both grades, and whether both are high enough (METRICS B)."""
    grades = [score.value for score in row.scores]
    known = [grade for grade in grades if grade is not None]
    if len(known) < len(grades):
        return {"overall": None, "passed": None}
    reached = all(value >= bound for value, bound in zip(known, least, strict=True))
    return {"overall": sum(known) / len(known), "passed": reached}
