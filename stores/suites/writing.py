"""A suite that was imported or built becomes files: its cases, with its answers beside.

What a terminal would obey is written as `\\u` escapes; who reads the files has the text
as it was.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from claimscope.core.errors import ClaimscopeError
from claimscope.core.models import Answer, Suite
from claimscope.core.text.sanitising import escape_json
from claimscope.stores.suites.loading import read_raw
from claimscope.stores.workspace.paths import write_atomically


def write_suite(
    suite: Suite, given: Sequence[Answer], out: Path, answers: Path | None
) -> Path | None:
    """Writes both; gives where the answers are. Two files cannot be replaced at once:
    a suite that is there keeps its own answers until it is replaced itself."""
    old = _answers_of(out)
    lines = escape_json("".join(f"{answer.model_dump_json()}\n" for answer in given))
    if answers is not None and answers.name == old:
        answers = answers.with_stem(f"{answers.stem}-2")
    if answers is not None:
        write_atomically(answers, lines.encode())
    suite = suite.model_copy(update={"answers": answers.name if answers else None})
    text = escape_json(suite.model_dump_json(indent=2, exclude_defaults=True))
    write_atomically(out, (_with_format_first(text) + "\n").encode())
    if old is not None and (answers is None or old != answers.name):
        out.with_name(old).unlink(missing_ok=True)
    return answers


def _answers_of(out: Path) -> str | None:
    """The name of the answers that the suite there names, if we have written them."""
    try:
        named = read_raw(out).fields.get("answers") if out.exists() else None
    except ClaimscopeError:
        return None
    is_ours = isinstance(named, str) and re.fullmatch(
        rf"{re.escape(out.stem)}\.answers(-2)?\.jsonl", named
    )
    return str(named) if is_ours else None


def _with_format_first(text: str) -> str:
    """Says the format first: it has a default, and is left out otherwise."""
    return text.replace(
        "{\n", '{\n  "format": "claimscope.suite",\n  "version": 1,\n', 1
    )
