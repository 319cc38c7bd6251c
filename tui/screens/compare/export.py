"""Writes a comparison: lines for people, JSON for programs."""

from __future__ import annotations

from pathlib import Path

from claimscope.core.analysis.compare.comparison import Comparison
from claimscope.core.report.renderers.plain import lines
from claimscope.core.report.views.comparison import comparison_view
from claimscope.core.text.sanitising import escape_json
from claimscope.stores.workspace.paths import replace_file, safe_name
from claimscope.tui.services.exports import FOLDER, prepare_folder


def comparison_path(found: Comparison, workspace: Path) -> Path:
    """Where it is written unless a person says otherwise: the same two sides to the
    same file."""
    sides = (found.before, found.after)
    names = [
        side.run_id if side.name == side.run_id else f"{side.run_id}-{side.name}"
        for side in sides
    ]
    stem = safe_name(f"compare-{names[0]}-{names[1]}")
    return workspace / FOLDER / f"{stem}.txt"


def export_comparison(found: Comparison, text: Path, workspace: Path) -> Path:
    """Every flip, none left out; gives the JSON file that lies beside the text.

    Raises StoreError, and InputError for a folder that is not there.
    """
    prepare_folder(text.parent, workspace)
    told = (f"{line}\n" for line in lines(comparison_view(found)))
    replace_file(text, (line.encode("utf-8", "replace") for line in told))
    as_json = escape_json(found.model_dump_json(indent=2))
    beside = text.with_name(f"{text.stem}.json")
    replace_file(beside, [as_json.encode("utf-8", "replace")])
    return beside
