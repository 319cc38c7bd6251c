"""`claimscope answers verify FILE`: rows of claim and evidence in, verdicts out."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from claimscope.core.errors import InputError
from claimscope.core.text.plurals import counted_noun
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.cli.flags import add_model_flags
from claimscope.tui.process.output import say, write_json, write_json_line, write_view
from claimscope.tui.services.workspace import flag_settings

if TYPE_CHECKING:
    from claimscope.core.models import Verdict
    from claimscope.core.ports import Embedder, Verifier

BATCH = 32
"""Rows judged together: their texts are embedded in one go."""

EPILOG = """\
in:  {"id", "claim", "evidence", "question"?} a line; evidence is a text
     --score also reads "label": supported, contradicted or not_enough_info
out: {"id", "verdict", "support", "evidence": [{"text", "start", "end"}], "rules",
     "verifier"} a line; verdict is supported, likely (supported by no proof and no
     two witnesses), contradicted, not_enough_info or unscored; support is a
     probability in [0, 1] at even odds, null when unscored
A line that cannot be read is reported on stderr and skipped; the exit code is then
2, or 3 when a row could not be judged.
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("file", help="a JSON lines file, or - for stdin")
    add(
        "--score",
        action="store_true",
        help="print how well the verdicts fit the labels of the rows, not the verdicts",
    )
    add_model_flags(parser)


def run(arguments: argparse.Namespace) -> int:
    from claimscope.stores.workspace.configuration import load
    from claimscope.tui.bootstrap.judges import row_verifier
    from claimscope.tui.services.score.json_lines import batches, read_lines

    problems: list[str] = []
    open_ = 0
    scored: list[tuple[Row, Verdict]] = []
    rows_read = read_lines(arguments.file, row_of, problems, "name a JSON lines file")
    root = Workspace.find(arguments.workspace).root
    embedder, verifier = row_verifier(load(root, flag_settings(arguments)).settings)
    for rows in batches(rows_read, BATCH):
        verdicts = asyncio.run(judge(rows, embedder, verifier))
        for row, verdict in zip(rows, verdicts, strict=True):
            if arguments.score:
                scored.append((row, verdict))
            else:
                write_json_line(as_row(row, verdict))
            open_ += verdict.support is None
    if arguments.score:
        write_score(scored, as_json=arguments.json)
    for problem in problems:
        say(problem)
    if problems:
        return 2
    return 3 if open_ else 0


Row = dict[str, object]


def row_of(line: bytes) -> Row:
    """A row with id, claim and evidence. Raises ValueError that names the field."""
    import json

    try:
        row = json.loads(line)
    except ValueError as error:
        raise ValueError(f"not JSON: {error}") from None
    if not isinstance(row, dict):
        raise ValueError('not an object: write {"id", "claim", "evidence"}')
    if not isinstance(row.get("id"), str | int):
        raise ValueError('field "id": a text or a number is needed')
    for field in ("claim", "evidence"):
        if not isinstance(row.get(field), str):
            raise ValueError(f'field "{field}": a text is needed')
    if not str(row["claim"]).strip():
        raise ValueError('field "claim": it is empty')
    return row


async def judge(
    rows: Sequence[Row], embedder: Embedder, verifier: Verifier
) -> Sequence[Verdict]:
    from claimscope.core.verify.evidence import questions_of_rows

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


def write_score(pairs: Sequence[tuple[Row, Verdict]], *, as_json: bool) -> None:
    """How well verdicts fit labels. Raises InputError when no row has a label."""
    from collections import Counter

    from claimscope.core.analysis.agreement.human_agreement import (
        JUDGED,
        judge_agreement,
    )
    from claimscope.core.analysis.agreement.labels import LabelledClaim
    from claimscope.core.models import Label
    from claimscope.core.report.views.agreement import score_view

    claims = [
        LabelledClaim(
            run="",
            suite="",
            sample=str(row["id"]),
            claim_index=0,
            claim=str(row["claim"]),
            machine=verdict.label,
            human=Label(str(row["label"])),
            is_claim=True,
            verifier=verdict.verifier,
            model=verdict.model,
        )
        for row, verdict in pairs
        if row.get("label") in [label.value for label in JUDGED]
    ]
    if not claims:
        raise InputError(
            "no row has a label to score by",
            f"label: one of {', '.join(JUDGED)}; `claimscope labels` writes such rows",
        )
    if len(claims) < len(pairs):
        say(
            f"{counted_noun(len(pairs) - len(claims), 'row')} without one of the "
            f"labels, not counted"
        )
    totals = Counter(claim.machine.value for claim in claims)
    found = judge_agreement(claims[0].judge, claims, totals)
    if as_json:
        write_json(found)
    else:
        write_view(score_view(found))


def as_row(row: Row, verdict: Verdict) -> dict[str, object]:
    from claimscope.core.report.terms import LIKELY

    shown = [*verdict.evidence, *verdict.conflicting]
    line: dict[str, object] = {
        "id": row["id"],
        "verdict": LIKELY if verdict.is_likely else verdict.label.value,
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
