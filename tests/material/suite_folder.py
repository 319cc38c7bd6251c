"""A suite on disk, with pages and answers, as a user would write it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any


def write_suite(
    folder: Path,
    suite_id: str,
    pages: Mapping[str, str],
    cases: list[dict[str, Any]],
    answers: Iterable[Mapping[str, Any]],
) -> Path:
    """Writes `suite.json`, `answers.jsonl` and `pages/NAME.txt`; gives the first."""
    (folder / "pages").mkdir(parents=True)
    for name, text in pages.items():
        (folder / "pages" / f"{name}.txt").write_text(text)
    document = {
        "format": "claimscope.suite",
        "version": 1,
        "id": suite_id,
        "pages": "pages",
        "answers": "answers.jsonl",
        "cases": cases,
    }
    (folder / "suite.json").write_text(json.dumps(document))
    (folder / "answers.jsonl").write_text("\n".join(map(json.dumps, answers)))
    return folder / "suite.json"
