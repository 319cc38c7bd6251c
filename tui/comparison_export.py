"""Writes a comparison to the workspace: lines for people, JSON for programs."""

from __future__ import annotations

from pathlib import Path

from claimscope.core.analysis.comparison import Comparison
from claimscope.core.report.comparison_text import comparison_lines
from claimscope.core.text.inert import escaped
from claimscope.stores.paths import make_private, replace_file, safe_name

FOLDER = "exports"


def export_comparison(found: Comparison, workspace: Path) -> Path:
    """Every flip, none left out; gives the text file, beside which the JSON lies.

    The same two sides are written to the same files. Raises StoreError.
    """
    folder = make_private(workspace / FOLDER)
    sides = (found.before, found.after)
    names = [
        side.run_id if side.name == side.run_id else f"{side.run_id}-{side.name}"
        for side in sides
    ]
    stem = safe_name(f"compare-{names[0]}-{names[1]}")
    lines = (f"{line}\n" for line in comparison_lines(found, limit=None))
    text = folder / f"{stem}.txt"
    replace_file(text, (line.encode("utf-8", "replace") for line in lines))
    as_json = escaped(found.model_dump_json(indent=2))
    replace_file(folder / f"{stem}.json", [as_json.encode("utf-8", "replace")])
    return text
