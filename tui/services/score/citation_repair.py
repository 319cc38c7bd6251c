"""`answers cite --fix`: takes proposals, writes the answers anew, shows what changed.

What is proved is taken, what is only likely on demand; a marker whose claim no sentence
supports is told of and left as it is.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import unified_diff
from pathlib import Path

from claimscope.core.cite.marker_edits import apply_changes
from claimscope.core.cite.repair import citations_without_repair
from claimscope.core.errors import InputError
from claimscope.core.models import (
    CitationProposal,
    CitationResult,
    CitationState,
    SampleResult,
)
from claimscope.core.report.check_findings import line_starts, place
from claimscope.core.report.text import one_line
from claimscope.core.report.views.citations import proposal_text
from claimscope.core.services.scoring import ScoredRow
from claimscope.core.text.plurals import counted_noun
from claimscope.core.text.sanitising import sanitise
from claimscope.stores.workspace.paths import write_atomically
from claimscope.tui.process.output import say
from claimscope.tui.services.score.answer_rows import AnswerSource
from claimscope.tui.services.score.rows import FileOutcome, Line, write_row

FIXED = ".fixed"
CONTEXT = 1
"""Unchanged lines around a change."""


class PlaceNames:
    """FILE:LINE:COLUMN of offsets, as compilers write it; columns in code points."""

    def __init__(self, name: str, text: str) -> None:
        self._name = name
        self._starts = line_starts(text)

    def __call__(self, offset: int) -> str:
        line, column = place(self._starts, offset)
        return f"{self._name}:{line}:{column}"


@dataclass
class RepairOutcome:
    """What came of a file."""

    answers: dict[int, str] = field(default_factory=dict)
    """New answers, by the number of their row."""
    taken: int = 0
    likely: int = 0
    """Left because they are only likely."""
    unrepaired: int = 0
    unjudged: int = 0
    """Citations of which nobody can tell whether they hold."""
    talk: list[str] = field(default_factory=list)
    """A line for each thing that is left."""

    @property
    def is_clean(self) -> bool:
        """Whether nothing is left that does not hold, or may not."""
        return not (self.likely or self.unrepaired or self.unjudged)


def check_flags(arguments: argparse.Namespace) -> None:
    """Raises InputError for flags that say nothing without --fix, and for a place
    where nothing can be written."""
    wanted = ("likely", "out", "in_place", "dry_run", "force")
    for name in wanted if not arguments.fix else ():
        if getattr(arguments, name):
            flag = f"--{name.replace('_', '-')}"
            raise InputError(f"{flag} goes with --fix", "add --fix, or leave it out")
    if arguments.fix and not arguments.dry_run:
        target_of(arguments)


def target_of(arguments: argparse.Namespace) -> Path:
    """The file that is written. Raises InputError."""
    file = arguments.file
    if file == "-" and arguments.out is None:
        raise InputError(
            "--fix of stdin: there is no file to write it beside",
            "-o FILE names one, --dry-run prints the difference alone",
        )
    if arguments.in_place:
        return Path(file)
    path: Path = arguments.out or Path(file).with_suffix(FIXED + Path(file).suffix)
    if file != "-" and path.exists() and os.path.samefile(path, file):
        raise InputError(f"-o {path}: this is the file itself", "say --in-place")
    if path.exists() and not arguments.force:
        raise InputError(
            f"{path}: it exists already", "name another with -o, or --force"
        )
    return path


async def fix(
    arguments: argparse.Namespace,
    source: AnswerSource,
    rows: AsyncIterator[ScoredRow],
    tally: FileOutcome,
) -> int:
    """Takes what is to be taken of each row, prints it, writes the file."""
    fixed = RepairOutcome()
    number = 0
    async for row in rows:
        if row.result is not None:
            _take(row, row.result, number, fixed, arguments, source)
        number += 1
    _write(arguments, source, fixed)
    for line in fixed.talk:
        say(line)
    say(_summary(fixed, source.name))
    code = tally.exit_code()
    return code or (0 if fixed.is_clean else 1)


def _take(
    row: ScoredRow,
    result: SampleResult,
    number: int,
    fixed: RepairOutcome,
    arguments: argparse.Namespace,
    source: AnswerSource,
) -> None:
    taken = [p for p in result.proposals if arguments.likely or not p.is_likely]
    left = [p for p in result.proposals if p not in taken]
    lost, unjudged = citations_without_repair(result), unjudged_of(result)
    text = result.answer.text
    new = apply_changes(text, taken)
    if taken:
        fixed.answers[number] = new
    fixed.taken += len(taken)
    fixed.likely += len(left)
    fixed.unrepaired += len(lost)
    fixed.unjudged += len(unjudged)
    name = source.name if source.is_text else f"{source.name} {row.row.id}"
    at = PlaceNames(name, text)
    fixed.talk += [one_line(f"{at(p.start)}: left: {proposal_text(p)}") for p in left]
    told = [(one.start, left_text(one)) for one in lost]
    told += [
        (one.start, f"left: {one.text} (unverifiable): {one.reason}")
        for one in unjudged
    ]
    fixed.talk += [one_line(f"{at(start)}: {text}") for start, text in told]
    if arguments.json:
        write_row(_line(row, result, taken, left, new))
    else:
        for line in difference(text, new, name):
            print(line)


def difference(old: str, new: str, name: str) -> Iterator[str]:
    """A unified diff; nothing where both are the same."""
    lines = unified_diff(
        sanitise(old).splitlines(),
        sanitise(new).splitlines(),
        one_line(name),
        one_line(f"{name} (fixed)"),
        lineterm="",
        n=CONTEXT,
    )
    yield from lines


def _write(
    arguments: argparse.Namespace, source: AnswerSource, fixed: RepairOutcome
) -> None:
    """A new file is made only where something changed, one that was named always."""
    if arguments.dry_run or (not fixed.answers and arguments.out is None):
        return
    path = target_of(arguments)
    mode = os.stat(source.name).st_mode if source.name != "-" else None
    write_atomically(path, source.anew(fixed.answers))
    if mode is not None:
        path.chmod(mode & 0o777)
    say(f"{path}: written")


def _summary(fixed: RepairOutcome, name: str) -> str:
    parts = [f"{counted_noun(fixed.taken, 'proposal')} taken"]
    if fixed.likely:
        parts.append(f"{fixed.likely} only likely and left (--likely takes those too)")
    if fixed.unrepaired:
        kept = counted_noun(fixed.unrepaired, "citation")
        parts.append(f"{kept} left that no sentence is known for")
    if fixed.unjudged:
        parts.append(f"{counted_noun(fixed.unjudged, 'citation')} could not be judged")
    return one_line(f"{name}: {'; '.join(parts)}")


def _line(
    row: ScoredRow,
    result: SampleResult,
    taken: Sequence[CitationProposal],
    left: Sequence[CitationProposal],
    new: str,
) -> Line:
    return {
        "id": row.row.id,
        "answer": new,
        "taken": [proposal_line(one, result) for one in taken],
        "left": [proposal_line(one, result) for one in left],
        "unrepaired": [left_line(one) for one in citations_without_repair(result)],
    }


def unjudged_of(result: SampleResult) -> list[CitationResult]:
    """Citations of which nobody could tell; not those of sentences without a claim."""
    return [
        one
        for one in result.citations
        if one.state is CitationState.UNVERIFIABLE
        and (one.claim_indexes or not result.claims)
    ]


def proposal_line(one: CitationProposal, result: SampleResult) -> Line:
    """For programs: with the texts of its claims."""
    line: Line = one.model_dump(mode="json", exclude={"claim_indexes"})
    claims = [r for r in result.claims if r.claim.index in one.claim_indexes]
    line["claims"] = [result.claim.text for result in claims]
    return line


def left_line(one: CitationResult) -> Line:
    """A citation that nothing is proposed for."""
    return one.model_dump(
        mode="json", include={"text", "start", "end", "state", "reason"}
    )


def left_text(one: CitationResult) -> str:
    """`left: [M:1, S:3] (unsupported): no sentence is known that supports …`."""
    why = "no sentence is known that supports its claim"
    if one.supported_by is not None:
        why = f"{one.supported_by} does say it, but no marker can be written for that"
    return f"left: {one.text} ({one.state.value}): {why}"
