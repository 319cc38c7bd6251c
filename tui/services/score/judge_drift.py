"""A pinned set of graded rows: written once, graded again when the judge is another."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from claimscope.core.errors import InputError
from claimscope.core.models import digest
from claimscope.core.prompts.templates import prompt, rubric
from claimscope.core.services.judge_drift import Identity, PinnedRow, PinnedSet
from claimscope.stores.workspace.paths import write_atomically
from claimscope.stores.workspace.regular_files import read_regular

if TYPE_CHECKING:
    from claimscope.core.services.scoring import Row, ScoredRow
    from claimscope.core.settings import Settings


async def identity(
    settings: Settings, rubric_name: str, against: Path | None = None
) -> Identity:
    """Who grades by these settings and, with a folder, by which pages. Raises
    InputError, PageError, ServerDown, ModelMissing."""
    from claimscope.tui.bootstrap.judges import chat_models

    words = digest(prompt("grade").digest, rubric(rubric_name).digest)
    async with chat_models(settings) as chats:
        assert chats is not None  # a judge is asked for
        name = ", ".join(chat.name for chat in chats.judging(1))
        weights = [chat.digest for chat in chats.judging(1)]
    return Identity(
        model=name,
        model_digest=digest(*map(str, weights)) if all(weights) else None,
        rubric=rubric_name,
        prompts=words,
        pages=None if against is None else pages_digest(against),
    )


def pages_digest(folder: Path) -> str:
    """Of the ids and texts of the pages in a folder, in whatever files they lie."""
    from claimscope.stores.pages.folder import read_folder
    from claimscope.tui.services.workspace import refuse_no_folder

    refuse_no_folder(folder)
    pages = sorted((page.page_id, page.text) for page in read_folder(folder).pages)
    return digest(*(part for page in pages for part in page))


def text_digest(row: Row) -> str:
    """Of all that a grade is given for."""
    pages = [page.text for page in row.pages]
    return digest(row.question, row.answer, *row.contexts, "pages", *pages)


def pinned_row(scored: ScoredRow, passed: bool | None) -> PinnedRow:
    """A row as it was graded."""
    values = {score.metric: score.value for score in scored.scores}
    return PinnedRow(
        id=str(scored.row.id),
        text=text_digest(scored.row),
        faithfulness=values.get("judge_faithfulness"),
        completeness=values.get("judge_completeness"),
        passed=passed,
    )


def read_pinned(path: Path) -> PinnedSet | None:
    """None where there is no such file yet. Raises InputError."""
    if not path.exists():
        return None
    try:
        return PinnedSet.model_validate_json(read_regular(path))
    except (OSError, ValidationError) as error:
        raise InputError(
            f"--pinned {path}: it is no pinned set ({type(error).__name__})",
            "name a file that `answers grade --pinned` wrote, or one not there yet",
        ) from error


def write_pinned(path: Path, judge: Identity, rows: Sequence[PinnedRow]) -> None:
    """Whole or not at all. Raises StoreError."""
    from claimscope.stores.runs.records import utc_now

    pinned = PinnedSet(made=utc_now(), judge=judge, rows=tuple(rows))
    write_atomically(path, pinned.model_dump_json(indent=2).encode())
