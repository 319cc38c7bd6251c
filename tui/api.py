"""The Python API: the use cases of core with this machine's files and models.

`from claimscope import evaluate, check, score_row`; docs/python.md shows them at work.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from claimscope.core.events import Event
from claimscope.core.models import Case, Score, Suite
from claimscope.core.ports import Corpus, Embedder
from claimscope.core.services.evaluation import (
    Answers,
    Evaluated,
    Evaluation,
    Request,
    Truth,
)
from claimscope.core.services.scoring import Row, ScoredRow, score_rows
from claimscope.core.settings import Settings


def evaluate(
    suite: Suite | str | os.PathLike[str],
    answers: Answers | None = None,
    *,
    pages: Truth | None = None,
    settings: Settings | None = None,
    metrics: Sequence[str] = (),
    workspace: str | os.PathLike[str] | None = None,
    embedder: Embedder | None = None,
) -> Evaluation:
    """Judges the answers of a suite: `await` it for the result, or iterate over it
    for the events.

    `suite`: a Suite, a suite file, a folder with one, or the name of one that ships.
    `answers`: Answer objects, texts by case id, or a file; else those of the suite.
    `pages`: Page objects, a folder, or a Corpus; else those of the suite.
    `settings`: as given; neither settings file nor environment is read.
    `workspace`: a folder in which the run is kept, to be shown by `claimscope`.

    Raises ClaimscopeError when it is awaited: `InputError` and `SuiteError` for what
    was given, `ModelError` when a language model cannot be asked at all.
    """
    from claimscope.core.report.notebook import show_samples_in_notebook
    from claimscope.tui.workbench import MachineWorkbench

    show_samples_in_notebook()
    request = Request(
        suite=suite,
        answers=answers,
        pages=pages,
        settings=settings or Settings(),
        metrics=(metrics,) if isinstance(metrics, str) else tuple(metrics),
        workspace=None if workspace is None else Path(workspace),
        embedder=embedder,
    )
    return Evaluation(request, MachineWorkbench())


def evaluate_sync(
    suite: Suite | str | os.PathLike[str],
    answers: Answers | None = None,
    *,
    pages: Truth | None = None,
    settings: Settings | None = None,
    metrics: Sequence[str] = (),
    workspace: str | os.PathLike[str] | None = None,
    embedder: Embedder | None = None,
    on_event: Callable[[Event], None] = lambda event: None,
) -> Evaluated:
    """`evaluate`, to its end, for programs without an event loop; `on_event` hears
    what happens meanwhile. Raises RuntimeError inside a running loop (a notebook):
    there, `await evaluate(…)`."""
    if has_running_loop():
        raise RuntimeError("an event loop is running here: await evaluate(…) instead")
    evaluation = evaluate(
        suite,
        answers,
        pages=pages,
        settings=settings,
        metrics=metrics,
        workspace=workspace,
        embedder=embedder,
    )

    async def to_its_end() -> Evaluated:
        async with contextlib.aclosing(evaluation.events()) as events:
            async for event in events:
                on_event(event)
        return await evaluation

    return asyncio.run(to_its_end())


def check(
    answer: str,
    against: Truth,
    *,
    question: str = "",
    settings: Settings | None = None,
    embedder: Embedder | None = None,
) -> Evaluated:
    """One answer against pages, claim by claim, without a suite: what `claimscope
    check` does for a file. `against`: pages, a corpus, or a file or folder of pages.

    Raises as `evaluate`, and RuntimeError inside a running event loop.
    """
    from claimscope.tui.services.check.answers import QUESTION

    case = Case(id="answer", question=question or QUESTION)
    suite = Suite(id="check", cases=(case,))
    return evaluate_sync(
        suite, {"answer": answer}, pages=against, settings=settings, embedder=embedder
    )


def read_run(
    run_id: str = "last", *, workspace: str | os.PathLike[str] | None = None
) -> Evaluated:
    """A run that the program kept, with its people's words in place of the verdicts
    they overruled. `workspace`: its folder; None = the one that `claimscope` would
    take. Raises ClaimscopeError: no such run, damaged."""
    from claimscope.core.report.notebook import show_samples_in_notebook
    from claimscope.tui.workbench import MachineWorkbench

    show_samples_in_notebook()
    folder = None if workspace is None else Path(workspace)
    return MachineWorkbench().recall(run_id, folder)


def score_row(
    row: Mapping[str, object],
    metrics: Sequence[str] = (),
    settings: Settings | None = None,
) -> dict[str, Score]:
    """Scores of one row by metric id, without a language model. Its pages, else its
    contexts, are the ground truth.

    >>> scores = score_row(
    ...     {
    ...         "id": 1,
    ...         "question": "When was the crane built?",
    ...         "answer": "It was built in 1952 [PMID:7, S:2].",
    ...         "citations": [{"page_id": "PMID:7", "sentence": 2}],
    ...     },
    ...     metrics=["citation_recall", "citation_precision"],
    ... )
    >>> scores["citation_recall"].value
    1.0
    >>> scores["citation_precision"].reason
    'the row has no ground truth: neither contexts nor pages'

    Raises pydantic.ValidationError for a row that is none, InputError for a metric
    that is not known. Not to be called in a running event loop: use `score_rows`.
    """
    from claimscope.tui.bootstrap.judges import services_of_rows
    from claimscope.tui.workbench import MachineWorkbench

    services = services_of_rows(settings or Settings(), metrics)
    bench = MachineWorkbench()

    def corpus_of(one: Row) -> Corpus | None:
        if not one.pages:
            return None
        return bench.corpus(f"row {one.id}", one.pages, services.embedder)

    async def first() -> ScoredRow:
        read = [Row.model_validate(row)]
        async for scored_row in score_rows(read, services, corpus_of):
            return scored_row
        raise AssertionError("a row has scores")

    return {score.metric: score for score in asyncio.run(first()).scores}


def has_running_loop() -> bool:
    """Whether an event loop runs in this thread."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
