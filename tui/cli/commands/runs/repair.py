"""`claimscope runs repair RUN|FILE`: keeps every good record of a damaged journal."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from claimscope.core.text.plurals import counted_noun
from claimscope.tui.process.output import write_json
from claimscope.tui.services.workspace import open_runs, open_workspace, run_named

if TYPE_CHECKING:
    from claimscope.stores.runs.repair import Repair

EPILOG = """\
The damaged file stays beside the new one, under a name that ends in .damaged-TIME.
What was lost of a run is judged again by `claimscope runs resume`.

exit codes:
  0  nothing was damaged, or every good record was kept
  2  wrong use
  3  it could not be repaired (no such run, in use, disk full): nothing was changed
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "target", metavar="RUN|FILE", help="a run id, `last`, or a journal file"
    )


def run(arguments: argparse.Namespace) -> int:
    repairs = _repairs(arguments)
    if arguments.json:
        write_json([repair_facts(found) for found in repairs])
        return 0
    for found in repairs:
        for line in repair_lines(found):
            print(line)
    if any(found.lost for found in repairs) and repairs[0].path.name == "run.journal":
        print(
            "what is missing is judged again: "
            f"claimscope runs resume {arguments.target}"
        )
    return 0


def _repairs(arguments: argparse.Namespace) -> list[Repair]:
    from claimscope.stores.runs.repair import repair

    path = Path(arguments.target)
    if path.is_file():
        return [repair(path.absolute())]
    runs = open_runs(open_workspace(arguments))
    return runs.repair(run_named(runs, arguments.target))


def repair_lines(found: Repair) -> list[str]:
    records = counted_noun(found.kept, "record")
    if not found.lost:
        rest = f"; {found.torn} bytes of an unfinished save at its end"
        torn = rest if found.torn else ""
        return [f"{found.path}: nothing is damaged, {records}{torn}"]
    lines = [f"{found.path}: {records} kept, {found.lost_bytes} bytes lost"]
    for place in found.lost[:20]:
        end = place.offset + place.length
        lines.append(f"  bytes {place.offset} to {end} ({place.length} lost)")
    if len(found.lost) > 20:
        lines.append(f"  and {len(found.lost) - 20} more places")
    if found.torn:
        lines.append(f"  the last {found.torn} bytes are of a save that was cut short")
    if found.header_restored:
        lines.append("  the run's header was lost; the list of runs still had it")
    lines.append(f"  the damaged file is kept: {found.original}")
    return lines


def repair_facts(found: Repair) -> dict[str, object]:
    return {
        "path": str(found.path),
        "kept": found.kept,
        "lost_bytes": found.lost_bytes,
        "lost": [{"offset": p.offset, "length": p.length} for p in found.lost],
        "torn": found.torn,
        "header_restored": found.header_restored,
        "original": None if found.original is None else str(found.original),
    }
