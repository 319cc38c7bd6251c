"""One file for a report: log, settings without secrets, versions, what runs were like.

Texts of pages, questions and answers are not in it, but for what an error repeats; so
who sends it is told what is inside, and reads it before.
"""

from __future__ import annotations

import json
import os
import platform
import sys
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import distributions
from io import BytesIO
from pathlib import Path
from typing import Any

from claimscope.core.errors import ClaimscopeError, InputError
from claimscope.core.logins import shown_setting, without_logins
from claimscope.core.report.confidential import blot_out, secrets_of
from claimscope.stores.runs.run_store import DiskRunStore
from claimscope.stores.workspace.configuration import Configuration
from claimscope.stores.workspace.log_file import log_files
from claimscope.stores.workspace.paths import Workspace, write_atomically
from claimscope.stores.workspace.regular_files import read_regular
from claimscope.tui.ports.gateway import HealthCheck
from claimscope.tui.process.version import version

LARGEST_LOG = 1 << 20
"""Of a longer log its end is taken."""
MOST_LOGS = 12
MOST_RUNS = 50
HEADS = tuple(
    """run_id created version verifier model model_digest embedding_model total_samples
    concurrency made_from""".split()
)
"""Of a run's header; its suite, pages and settings may name what is confidential."""


def bundle(
    path: Path,
    workspace: Workspace,
    configured: Configuration,
    checks: Sequence[HealthCheck],
) -> list[str]:
    """Writes the file, mode 0600; gives the names of what is in it. Raises InputError
    when there is one already, StoreError."""
    if path.exists():
        raise InputError(f"{path}: there is a file already", "choose another name")
    secrets = secrets_of(dict(configured.settings), os.environ)
    packed, names = BytesIO(), []
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in _parts(workspace, configured, checks):
            archive.writestr(name, blot_out(without_logins(text), secrets))
            names.append(name)
    write_atomically(path, packed.getvalue())
    return names


def _parts(
    workspace: Workspace, configured: Configuration, checks: Sequence[HealthCheck]
) -> Iterator[tuple[str, str]]:
    """(name, text) of each part."""
    yield "versions.json", _json(versions())
    yield "settings.json", _json(settings_with_sources(configured))
    yield "checks.json", _json([check._asdict() for check in checks])
    yield "runs.json", _json(list(runs(workspace)))
    for path in log_files(workspace.root)[:MOST_LOGS]:
        try:
            yield f"logs/{path.name}", _end_of(path)
        except OSError as error:
            yield f"logs/{path.name}", f"not read: {error}"


def versions() -> dict[str, Any]:
    """The program, the interpreter, the machine and every package beside it."""
    packages = {one.name: one.version for one in distributions()}
    return {
        "claimscope": version(),
        "python": sys.version,
        "platform": platform.platform(),
        "processors": os.cpu_count(),
        "packages": dict(sorted(packages.items(), key=lambda item: item[0].lower())),
    }


def settings_with_sources(configured: Configuration) -> Mapping[str, Any]:
    """Each setting as it may be shown, with where it comes from."""
    values = configured.settings.model_dump(mode="json")
    return {
        name: {"value": shown_setting(value), "source": configured.sources[name]}
        for name, value in values.items()
    }


def runs(workspace: Workspace) -> Iterator[dict[str, Any]]:
    """The newest runs: how they were made and ended, and the notes of their logs."""
    if not (workspace.root / "runs").is_dir():
        return
    store = DiskRunStore(workspace.runs)
    for status in list(store.runs())[:MOST_RUNS]:
        found = status.model_dump(mode="json", exclude={"header"})
        found |= status.header.model_dump(mode="json", include=set(HEADS))
        try:
            found["notes"] = store.read(status.header.run_id).notes()
        except ClaimscopeError as error:
            found["notes"] = f"not read: {error.message}"
        yield found


def _end_of(path: Path) -> str:
    data = read_regular(path)
    return data[-LARGEST_LOG:].decode("utf-8", "replace")


def _json(value: object) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False, default=str) + "\n"
