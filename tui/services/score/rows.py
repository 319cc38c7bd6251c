"""Rows from a file, scores to stdout: for `score`, `answers grade`, `answers cite`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from claimscope.core.metrics.descriptions import page_of
from claimscope.core.metrics.discovery import discover, found_plugins
from claimscope.core.models import JsonValue, Score
from claimscope.core.services.scoring import (
    CorpusOf,
    MemoEmbedder,
    Row,
    ScoredRow,
    check_weights,
    score_rows,
)
from claimscope.core.settings import Settings
from claimscope.stores.pages.parsing.missing_values import missing_as_written
from claimscope.stores.suites.formats.cell_lists import UnreadableList
from claimscope.stores.suites.formats.contexts import passages_of
from claimscope.stores.suites.validation_messages import problems_of
from claimscope.stores.workspace.paths import Workspace, cache_folder
from claimscope.tui.process.output import say, write_json_line
from claimscope.tui.services.score.json_lines import batches, read_lines
from claimscope.tui.services.workspace import (
    configuration,
    flag_settings,
    open_workspace,
    refuse_no_folder,
)

if TYPE_CHECKING:
    from claimscope.core.ports import Corpus
    from claimscope.core.run.sample import Stage

BATCH = 32
"""Rows whose texts are embedded together."""
Line = dict[str, object]


@dataclass
class FileOutcome:
    problems: list[str] = field(default_factory=list)
    open: int = 0
    """Rows with a score that should have a value and has none."""

    def exit_code(self) -> int:
        """2 when a line could not be read, 3 when a row could not be judged."""
        for problem in self.problems:
            say(problem)
        if self.problems:
            return 2
        return 3 if self.open else 0


def read_rows(file: str, problems: list[str]) -> Iterator[Row]:
    """Rows of a JSON lines file or of stdin (`-`), as they come. Lines that are none
    go to problems, with file, line and field. Raises InputError."""
    hint = "name a JSON lines file, or - for stdin"
    return read_lines(file, _row_or_skipped, problems, hint)


def _row_or_skipped(line: bytes) -> Row:
    try:
        return row_of(line)
    except ValueError as error:
        raise ValueError(f"{error}; the line is skipped") from None


def row_of(line: bytes) -> Row:
    """A row. Raises ValueError that names the field."""
    try:
        fields = json.loads(line)
    except ValueError as error:
        raise ValueError(f"not JSON: {error}") from None
    if not isinstance(fields, dict):
        raise ValueError('not an object: write {"id", "question", "answer"}')
    fields = from_log(fields)
    if isinstance(fields.get("id"), bool):
        raise ValueError("field id: a text or a number is needed")
    try:
        row = Row.model_validate(
            {k: v for k, v in fields.items() if v == "" or not missing_as_written(v)}
        )
        row.model_dump_json()
    except ValidationError as error:
        words = list(dict.fromkeys(problems_of(error, Row)))
        raise ValueError("; ".join(words)) from None
    except ValueError:
        raise ValueError("it holds half a character; write it whole") from None
    return row


def settings_of(arguments: argparse.Namespace, **more: object) -> Settings:
    """The settings of a command; says which foreign metrics were left out.

    Raises SettingsError, InputError.
    """
    flags = {**flag_settings(arguments), **more}
    settings = configuration(open_workspace(arguments), flags).settings
    check_weights(settings)
    for problem in found_plugins().problems:
        say(f"note: {problem}")
    return settings


def from_log(fields: Line) -> Line:
    """A row of query logs in our own names: `queryLogId` is its id, `context` (a text,
    texts, or objects as a system kept them) its contexts. Raises ValueError."""
    more: Line = {}
    if "id" not in fields and "queryLogId" in fields:
        more["id"] = fields["queryLogId"]
    if "contexts" not in fields and fields.get("context"):
        try:
            more["contexts"] = passages_of(fields["context"]).texts
        except UnreadableList as error:
            raise ValueError(f"field context: {error}") from None
    return {**fields, **more}


async def scored_file(
    arguments: argparse.Namespace,
    settings: Settings,
    metrics: Sequence[str],
    tally: FileOutcome,
    rubric: str = "general",
    *,
    given: Iterable[Row] | None = None,
    stages: frozenset[Stage] | None = None,
) -> AsyncIterator[ScoredRow]:
    """The rows of the file, or those given, with their scores, in their order.
    `stages`: what is found out beside what the metrics need."""
    from claimscope.tui.bootstrap.judges import (
        chat_models,
        make_embedder,
        no_leanings,
        services_without_chats,
        with_models,
    )
    from claimscope.tui.bootstrap.servers import say_note

    rows = read_rows(arguments.file, tally.problems) if given is None else iter(given)
    asked: list[str] = []
    if settings.judge:  # its context is planned for the longest row
        known = list(rows)
        asked = [row.question + row.answer for row in known]
        rows = iter(known)
    embedder = MemoEmbedder(make_embedder(settings))
    plain = services_without_chats(
        settings, embedder, metrics=tuple(metrics), stages=stages
    )
    with ExitStack() as stack:
        corpus_of = corpora(arguments.against, embedder, stack)
        async with chat_models(settings, asked) as chats:
            services = plain
            if chats is not None:
                models = chats.judging(1)
                services = with_models(
                    plain, models, rubric, no_leanings(), say_note, say
                )
            for group in batches(rows, BATCH):
                async for scored in score_rows(group, services, corpus_of):
                    tally.open += scored.is_open
                    yield scored


def corpora(folder: Path | None, embedder: MemoEmbedder, stack: ExitStack) -> CorpusOf:
    """The ground truth of a row: its own pages, its contexts, else the folder."""
    common: Corpus | None = None
    if folder is not None:
        from claimscope.core.models import digest
        from claimscope.tui.services.pages.index import index_folder

        refuse_no_folder(folder)
        where = folder.resolve()
        name = f"{where.name}-{digest(str(where))[:12]}"
        root = Workspace(cache_folder("check")).index
        common = stack.enter_context(index_folder(root, name, where, embedder)).corpus

    def corpus_of(row: Row) -> Corpus | None:
        if row.pages:
            from claimscope.stores.index.memory_corpus import MemoryCorpus
            from claimscope.tui.services.pages.index import first_of_each

            return MemoryCorpus(f"row {row.id}", first_of_each(row.pages), embedder)
        return common

    return corpus_of


@cache
def scale_named(metric: str) -> tuple[float, float]:
    """The scale of a metric that gave no value."""
    return page_of(discover()[metric]).scale


def score_line(score: Score, reason: str = "", *, details: bool = False) -> Line:
    """`{"value", "scale", "tier" or "level", "reason"}`; `applicable` is false where a
    score has no meaning for the row, so that it is not taken for a missing one."""
    scale = score.scale if score.value is not None else scale_named(score.metric)
    line: Line = {"value": score.value, "scale": list(scale)}
    for name in ("tier", "level"):
        placed: JsonValue = getattr(score, name)
        if placed is not None:
            line[name] = placed
    line["reason"] = score.reason or reason
    if not score.applicable:
        line["applicable"] = False
    if details:
        line["details"] = dict(score.details)
        line["evidence"] = [span.model_dump(mode="json") for span in score.evidence]
    return line


def scores_line(scored: ScoredRow, *, details: bool = False) -> Line:
    """All scores of a row by metric id; a judge's reasons beside its grades."""
    grades = scored.result.grades if scored.result else ()
    reasons = {f"judge_{grade.name}": grade.reason for grade in grades}
    return {
        score.metric: score_line(score, reasons.get(score.metric, ""), details=details)
        for score in scored.scores
    }


def write_row(line: Line) -> None:
    """A line of stdout, at once: the reader may wait for it."""
    write_json_line(line)
    sys.stdout.flush()


async def write_all(
    rows: AsyncIterator[ScoredRow], as_line: Callable[[ScoredRow], Line]
) -> None:
    async for scored in rows:
        write_row({"id": scored.row.id, **as_line(scored)})
