"""The workspace of a command: its folder, its settings, its runs."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from claimscope.core.errors import InputError
from claimscope.stores.workspace.paths import Workspace
from claimscope.stores.workspace.permissions import revoke_write_of_others
from claimscope.tui.process.output import say

if TYPE_CHECKING:
    from claimscope.core.ports import RunStore
    from claimscope.core.settings import Settings
    from claimscope.stores.runs.run_store import DiskRunReader, DiskRunStore
    from claimscope.stores.workspace.configuration import Configuration
    from claimscope.stores.workspace.project import Project

MODEL_FLAGS = tuple(
    """verifier classifier classifier_labels model judges panel server base_url
    ollama_host context_tokens embedding_model concurrency judge pass_rule
    iterations seed metric_weights cluster chroma_url""".split()
)
"""Flags that are settings of the same name."""


def open_workspace(arguments: argparse.Namespace) -> Workspace:
    """The folder of --workspace, CLAIMSCOPE_WORKSPACE or the default; closed to others,
    which is said."""
    return closed_to_others(Workspace.find(arguments.workspace))


def closed_to_others(workspace: Workspace) -> Workspace:
    """The same. Raises StoreError where others may write and that cannot be changed."""
    for path in revoke_write_of_others(workspace.root):
        say(f"note: others could write in {path}; now only you can")
    return workspace


def refuse_no_folder(folder: Path) -> None:
    """Raises InputError for what --against cannot name."""
    if not folder.is_dir():
        what = "is not a folder" if folder.exists() else "no such folder"
        raise InputError(
            f"--against {folder}: {what}", "name the folder of the pages that are true"
        )


def open_runs(workspace: Workspace) -> DiskRunStore:
    """All runs of a workspace; what one lost is said."""
    from claimscope.stores.runs.run_store import DiskRunStore

    return DiskRunStore(workspace.runs, say)


def read_run(arguments: argparse.Namespace) -> DiskRunReader:
    """The run that a command names. Raises InputError, StoreError."""
    runs = open_runs(open_workspace(arguments))
    return runs.read(run_named(runs, arguments.run_id))


def run_named(runs: RunStore, name: str) -> str:
    """A run id; `last` is the newest run. Raises InputError when there is none."""
    if name != "last":
        return name
    newest = next(iter(runs.runs()), None)
    if newest is None:
        raise InputError(
            "there is no run in this workspace", "`claimscope run SUITE` makes one"
        )
    return newest.header.run_id


def flag_settings(arguments: argparse.Namespace) -> dict[str, object | None]:
    """Settings given as flags; None = not given."""
    named = dict(getattr(arguments, "set", None) or ())
    flags = {name: getattr(arguments, name, None) for name in MODEL_FLAGS}
    return {
        **named,
        **{n: v for n, v in flags.items() if v is not None or n not in named},
    }


def command_settings(workspace: Workspace, arguments: argparse.Namespace) -> Settings:
    """The settings of a workspace with those that were given as flags."""
    return configuration(workspace, flag_settings(arguments)).settings


def configuration(
    workspace: Workspace,
    flags: Mapping[str, object | None],
    project: Project | None = None,
) -> Configuration:
    """Settings from defaults, file, the project's file, environment and flags."""
    from claimscope.stores.workspace.configuration import load

    own = (str(project.path), project.settings) if project else None
    return load(workspace.root, flags, project=own)


def has_corpus(workspace: Workspace, name: str) -> bool:
    from claimscope.stores.index.manifest import corpora

    return name in (manifest.name for manifest in corpora(workspace.index))


def corpora_named(workspace: Workspace, name: str | None) -> list[str]:
    """The corpus of that name, or all. Raises InputError."""
    from claimscope.stores.index.manifest import corpora

    known = [manifest.name for manifest in corpora(workspace.index)]
    return known if name is None and known else [corpus_named(workspace, name)]


def corpus_named(workspace: Workspace, name: str | None) -> str:
    """The corpus of that name, or the only one. Raises InputError."""
    from claimscope.stores.index.manifest import corpora

    known = [manifest.name for manifest in corpora(workspace.index)]
    if name is not None and name not in known:
        raise InputError(
            f"there is no corpus {name!r} in this workspace",
            f"there are: {', '.join(known)}"
            if known
            else "claimscope pages index FOLDER",
        )
    if name is None and len(known) != 1:
        raise InputError(
            "which corpus?" if known else "there is no corpus in this workspace",
            f"--corpus: one of {', '.join(known)}"
            if known
            else "claimscope pages index FOLDER makes one",
        )
    return name or known[0]
