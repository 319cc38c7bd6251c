"""A run made into a document, and what goes to GitHub's runner."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from claimscope.core.errors import InputError, StoreError
from claimscope.core.report.confidential import (
    secrets_of,
    without_logins,
    without_secrets,
)
from claimscope.stores.workspace.paths import replace_file
from claimscope.tui.services.workspace import configuration

if TYPE_CHECKING:
    from claimscope.core.analysis.agreement.overrides import CorrectedRun
    from claimscope.core.analysis.gate import Gate
    from claimscope.core.analysis.summary.cost import Prices
    from claimscope.core.models import RunStatus
    from claimscope.core.report.document import Report
    from claimscope.stores.workspace.paths import Workspace

SUMMARY_VARIABLE = "GITHUB_STEP_SUMMARY"


def publishable(workspace: Workspace, found: CorrectedRun) -> CorrectedRun:
    """A run with nothing in it that this machine keeps secret."""
    from dataclasses import replace

    settings = configuration(workspace, {}).settings
    secrets = secrets_of(settings.model_dump(), os.environ)
    (status,) = without_secrets([found.status], secrets)
    if status.error:
        error = without_logins(status.error)
        status = status.model_copy(update={"error": error})
    samples = [
        sample.model_copy(update={"error": without_logins(sample.error)})
        if sample.error
        else sample
        for sample in without_secrets(found.samples, secrets)
    ]
    return replace(found, status=status, samples=samples)


def document_of(
    found: CorrectedRun, gate: Gate | None, prices: Prices | None = None
) -> Report:
    """The report of a run that may be published."""
    from claimscope.core.analysis.summary.cost import Prices, price_of
    from claimscope.core.report.document import report_of

    status, samples = found.status, found.samples
    cost = price_of(
        "run",
        status.usage,
        prices or Prices(),
        samples=len(samples),
        unscored=sum(sample.passed is None for sample in samples),
    )
    return report_of(
        status,
        samples,
        cost=cost,
        pass_grade=pass_grade(status),
        overruled=found.overruled,
        gate=gate,
    )


def pass_grade(status: RunStatus) -> tuple[float, float]:
    """What the run's faithfulness and completeness had to reach."""
    settings = status.header.settings
    usual = settings.get("pass_grade", 4)
    values = [
        settings.get(f"pass_{name}") or usual
        for name in ("faithfulness", "completeness")
    ]
    first, second = (float(v) if isinstance(v, int | float) else 4.0 for v in values)
    return first, second


def write_pieces(path: Path, pieces: Iterable[str]) -> None:
    """Replaces a file by pieces of text, as UTF-8 and private to the user. What is no
    plain file (a pipe, a terminal) is written to as it is.

    Raises InputError when it is a folder or in none, StoreError; an old file is then
    unharmed.
    """
    if path.is_dir() or not path.parent.is_dir():
        raise InputError(
            f"-o {path}: that is a folder, or in a folder that does not exist",
            "name a file in an existing folder",
        )
    parts = (piece.encode() for piece in pieces)
    if not path.exists() or path.is_file():
        replace_file(path, parts)
        return
    try:
        with path.open("wb") as stream:
            stream.writelines(parts)
    except OSError as error:
        raise StoreError(f"-o {path}: {error.strerror}", "choose another") from error


def tell_github(report: Report, status: RunStatus, *, to_stderr: bool) -> None:
    """Appends the summary to the runner's file, or prints it; prints annotations.

    Raises StoreError when that file cannot be written to.
    """
    from claimscope.core.report.github import job_summary, workflow_commands

    stream = sys.stderr if to_stderr else sys.stdout
    text = "\n".join(job_summary(report)) + "\n"
    path = os.environ.get(SUMMARY_VARIABLE)
    if path:
        try:
            with open(path, "a", encoding="utf-8") as file:
                file.write(text)
        except OSError as error:
            raise StoreError(
                f"{SUMMARY_VARIABLE} {path}: {error.strerror}",
                "unset it, or name a file that can be written to",
            ) from error
    else:
        print(text, file=stream, end="")
    for line in workflow_commands(report, suite_file(status)):
        print(line, file=stream)


def suite_file(status: RunStatus) -> str | None:
    """The suite's file as seen from here; None when it lies elsewhere."""
    if status.header.suite_path is None:
        return None
    path = Path(status.header.suite_path)
    here = Path.cwd()
    path = path if path.is_absolute() else here / path
    if not path.is_file() or not path.is_relative_to(here):
        return None
    return path.relative_to(here).as_posix()
