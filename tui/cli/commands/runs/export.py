"""`claimscope runs export RUN`: a run as plain TinyDB JSON, or its repaired answers."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from claimscope.core.errors import InputError
from claimscope.core.text.plurals import counted_noun
from claimscope.core.text.sanitising import escape_json
from claimscope.stores.workspace.paths import replace_file, write_atomically
from claimscope.tui.process.output import say, write_json
from claimscope.tui.services.workspace import read_run

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from claimscope.core.models import Answer, CitationProposal, SampleResult

EPILOG = """\
The file is one JSON document, {table: {id: document}}; in Python, `TinyDB(path)` opens
it. Without -o it goes to stdout. A run that is still going is exported as far as it is.
--answers writes an answers file instead (JSON lines), with the citations that people
accepted in the claim stepper (t); --take proved or all takes proposals unseen.

exit codes:
  0  done
  2  wrong use
  3  no such run, or it could not be read or written: a file that was there before is
     unharmed
"""


TAKEN: dict[str, Callable[[CitationProposal], bool]] = {
    "accepted": lambda one: one.accepted,
    "proved": lambda one: one.accepted or not one.is_likely,
    "all": lambda one: True,
}


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("run_id", metavar="RUN", help="a run id, or `last`")
    add("-o", "--output", metavar="FILE", help="write to this file; `-` is stdout")
    add(
        "--answers",
        action="store_true",
        help="the answers alone, with repaired citations, as an answers file",
    )
    add(
        "--take",
        choices=tuple(TAKEN),
        help="with --answers, which proposals: those people accepted (default), those "
        "that are proved as well, or all",
    )


def run(arguments: argparse.Namespace) -> int:
    import sys

    from claimscope.core.analysis.agreement.overrides import apply_overrides
    from claimscope.stores.runs.journal import plain_tinydb

    if arguments.take and not arguments.answers:
        raise InputError("--take says which citations", "it goes with --answers")
    reader = read_run(arguments)
    if arguments.answers:
        return write_answers(apply_overrides(reader).samples, arguments)
    tables = reader.tables()
    if arguments.output in (None, "-"):
        sys.stdout.flush()
        for part in plain_tinydb(tables):
            sys.stdout.buffer.write(part)
        sys.stdout.buffer.flush()
        return 0
    path = Path(arguments.output).absolute()
    replace_file(path, plain_tinydb(tables))
    counts = {name: len(table) for name, table in tables.items()}
    if arguments.json:
        write_json({"path": str(path), "records": counts})
    else:
        words = ", ".join(f"{count} {name}" for name, count in counts.items())
        say(f"{path}: {words}")
    return 0


def write_answers(
    samples: Sequence[SampleResult], arguments: argparse.Namespace
) -> int:
    """One line an answer; of several iterations the one with the most repairs."""
    answers, repaired = repaired_answers(samples, TAKEN[arguments.take or "accepted"])
    lines = "".join(
        escape_json(answer.model_dump_json(exclude_defaults=True)) + "\n"
        for answer in answers
    )
    counts = {"answers": len(answers), "repaired": repaired}
    if arguments.output in (None, "-"):
        print(lines, end="")
    else:
        path = Path(arguments.output).absolute()
        write_atomically(path, lines.encode())
        if arguments.json:
            write_json({"path": str(path), **counts})
            return 0
    say(f"{counted_noun(len(answers), 'answer')}, {repaired} with repaired citations")
    return 0


def repaired_answers(
    samples: Sequence[SampleResult], takes: Callable[[CitationProposal], bool]
) -> tuple[list[Answer], int]:
    """(answers in order, how many were changed)."""
    from claimscope.core.cite.marker_edits import apply_changes

    found: dict[tuple[str, str], tuple[int, Answer]] = {}
    for sample in samples:
        chosen = [one for one in sample.proposals if takes(one)]
        text = apply_changes(sample.answer.text, chosen)
        answer = sample.answer.model_copy(update={"text": text})
        key = sample.key.case_id, sample.key.provider
        if key not in found or len(chosen) > found[key][0]:
            found[key] = len(chosen), answer
    return [a for _, a in found.values()], sum(n > 0 for n, _ in found.values())
