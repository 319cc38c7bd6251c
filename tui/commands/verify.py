"""`claimscope verify FILE`: rows of claim and evidence in, verdicts out."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from claimscope.core.models import Verdict
    from claimscope.core.ports import Embedder, Verifier

BATCH = 32
"""Rows judged together: their texts are embedded in one go."""

EPILOG = """\
in:  {"id", "claim", "evidence", "question"?} a line; evidence is a text
out: {"id", "verdict", "support", "evidence": [{"text", "start", "end"}], "rules",
     "verifier"} a line; support is a probability in [0, 1], null when unscored
A line that cannot be read is reported on stderr and skipped; the exit code is then
2, or 3 when a row could not be judged.
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """FILE and the verifier."""
    from claimscope.tui.flags import add_model_flags

    parser.add_argument("file", help="a JSON lines file, or - for stdin")
    add_model_flags(parser)


def run(arguments: argparse.Namespace) -> int:
    """Judges all rows; the output has a line for each row that could be read."""
    from claimscope.tui.output import say, write_json_line
    from claimscope.tui.wiring import verifying

    problems: list[str] = []
    open_ = 0
    with verifying(arguments) as (embedder, verifier):
        for rows in batches(read_rows(arguments.file, problems)):
            verdicts = asyncio.run(judge(rows, embedder, verifier))
            for row, verdict in zip(rows, verdicts, strict=True):
                write_json_line(as_row(row, verdict))
                open_ += verdict.support is None
    for problem in problems:
        say(problem)
    if problems:
        return 2
    return 3 if open_ else 0


Row = dict[str, object]


def read_rows(file: str, problems: list[str]) -> Iterator[Row]:
    """Rows that have an id, a claim and evidence; the others go to problems."""
    import json

    from claimscope.core.errors import InputError

    try:
        stream = sys.stdin.buffer if file == "-" else open(file, "rb")
    except OSError as error:
        raise InputError(
            f"{file}: {error.strerror}", "name a JSON lines file"
        ) from None
    with stream:
        for number, line in enumerate(stream, 1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except ValueError as error:
                problems.append(f"{file}: line {number}: not JSON: {error}")
                continue
            problem = problem_of(row)
            if problem:
                problems.append(f"{file}: line {number}: {problem}")
            else:
                yield row


def problem_of(row: object) -> str | None:
    """What is wrong with a row; None when nothing is."""
    if not isinstance(row, dict):
        return 'not an object: write {"id", "claim", "evidence"}'
    if not isinstance(row.get("id"), str | int):
        return 'field "id": a text or a number is needed'
    for field in ("claim", "evidence"):
        if not isinstance(row.get(field), str):
            return f'field "{field}": a text is needed'
    if not str(row["claim"]).strip():
        return 'field "claim": it is empty'
    return None


def batches(rows: Iterator[Row]) -> Iterator[list[Row]]:
    """Rows in groups of BATCH."""
    group: list[Row] = []
    for row in rows:
        group.append(row)
        if len(group) == BATCH:
            yield group
            group = []
    if group:
        yield group


async def judge(
    rows: Sequence[Row], embedder: Embedder, verifier: Verifier
) -> Sequence[Verdict]:
    """One verdict a row."""
    from claimscope.core.verification.evidence import questions_of_rows

    asked = [
        (
            str(row["claim"]),
            str(row["evidence"]),
            str(row["question"]) if row.get("question") else None,
        )
        for row in rows
    ]
    questions = await asyncio.to_thread(questions_of_rows, asked, embedder)
    return await verifier.verify(questions)


def as_row(row: Row, verdict: Verdict) -> dict[str, object]:
    """A line of the output."""
    shown = [*verdict.evidence, *verdict.conflicting]
    line: dict[str, object] = {
        "id": row["id"],
        "verdict": verdict.label.value,
        "support": verdict.support,
        "evidence": [
            {"text": one.text, "start": one.start, "end": one.end} for one in shown
        ],
        "rules": [finding.model_dump(mode="json") for finding in verdict.rules],
        "verifier": verdict.verifier,
    }
    if verdict.unscored_reason:
        line["unscored_reason"] = verdict.unscored_reason
    return line
