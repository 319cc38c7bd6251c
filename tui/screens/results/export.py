"""Writes what a list shows to a file: CSV, JSON lines, Markdown.

CSV and JSON lines have the whole of each sample, as a report has; each is read, written
and forgotten, so that 100,000 need no more memory than one. Markdown is the table as it
stands on the screen.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from claimscope.core.models import SampleResult, SampleRow
from claimscope.core.ports import RunReader
from claimscope.stores.workspace.paths import replace_file, safe_name
from claimscope.tui.screens.results.columns import RowColumn
from claimscope.tui.services.exports import FOLDER, prepare_folder

Format = Literal["csv", "jsonl", "md"]
FORMATS: Mapping[Format, str] = {
    "csv": "CSV, a row a sample, for a spreadsheet",
    "jsonl": "JSON lines, each sample in full",
    "md": "Markdown, the table as shown",
}


class Stopped(Exception):
    """The person left meanwhile."""


@dataclass(frozen=True)
class ListedSamples:
    """What stands in the list."""

    reader: RunReader
    samples: Sequence[SampleResult]
    """As the machine judged them; read one by one."""
    rows: Sequence[SampleRow]
    """As people see them, in the same order."""
    columns: Sequence[RowColumn]
    title: str
    """Filter and order in words."""
    overruled: int = 0


def export_path(workspace: Path, run_id: str, stamp: str) -> Path:
    """Where an export is written unless a person says otherwise; without suffix."""
    digits = "".join(sign for sign in stamp if sign.isalnum())
    return workspace / FOLDER / f"{safe_name(run_id)}-{digits}"


def write_shown(
    shown: ListedSamples,
    name: Format,
    path: Path,
    workspace: Path,
    is_stopped: Callable[[], bool],
) -> None:
    """Writes the file. Raises StoreError, SettingsError, InputError for a folder that
    is not there, and Stopped, which leaves no file."""
    prepare_folder(path.parent, workspace)
    pieces = _table(shown) if name == "md" else _whole(shown, name, workspace)

    def encoded() -> Iterator[bytes]:
        for piece in pieces:
            if is_stopped():
                raise Stopped
            yield piece.encode("utf-8", "replace")

    replace_file(path, encoded())


def _table(shown: ListedSamples) -> Iterator[str]:
    """The columns of the screen, for a page of a wiki or a merge request."""
    from claimscope.core.report.renderers.markdown import plain, rows_below
    from claimscope.core.report.view import row
    from claimscope.core.report.views.run_status import name_of

    head = shown.reader.status().header
    yield f"# {plain(name_of(head))}\n\n"
    yield f"Run {plain(head.run_id)}: {plain(shown.title)}\n\n"
    heads = [c.title for column in shown.columns for c in column.columns]
    rows = (
        row(*(piece.text for column in shown.columns for piece in column.cells(one)))
        for one in shown.rows
    )
    for line in rows_below(heads, rows):
        yield line + "\n"


def _whole(shown: ListedSamples, name: Format, workspace: Path) -> Iterator[str]:
    from claimscope.core.analysis.summary.summary import metrics_of
    from claimscope.core.report.document import run_info
    from claimscope.core.report.rows import sample_lines, sample_rows
    from claimscope.core.text.sanitising import escape_json

    run = run_info(shown.reader.status(), shown.overruled)
    samples = _samples(shown, workspace)
    if name == "jsonl":
        yield from map(escape_json, sample_lines(run, samples))
    else:
        yield from sample_rows(run, samples, metrics_of(shown.rows))


def _samples(shown: ListedSamples, workspace: Path) -> Iterator[SampleResult]:
    """As people see them, without what this machine keeps secret."""
    from claimscope.core.analysis.agreement.overrides import (
        sample_with_overrides,
        settings_of,
        words_that_count,
    )
    from claimscope.core.report.confidential import (
        secrets_of,
        without_logins,
        without_secrets,
    )
    from claimscope.stores.workspace.configuration import load

    words = words_that_count(shown.reader.human_verdicts())
    judged_by = settings_of(shown.reader.status().header)
    secrets = secrets_of(load(workspace, {}).settings.model_dump(), os.environ)
    for machine in shown.samples:
        (sample,) = without_secrets(
            [sample_with_overrides(machine, words, judged_by)], secrets
        )
        if sample.error:
            error = without_logins(sample.error)
            sample = sample.model_copy(update={"error": error})
        yield sample
