"""Loads what a check needs by judging two sentences, in memory and in no other thread.

A copy of a process has no thread but one. So models are loaded that run in the thread
that asks, and ChromaDB, which keeps threads, is not loaded at all.
"""

from __future__ import annotations

import asyncio
import os

PAGE = "# The mill\n\nThe mill of Arbel was built in 1503. It has 12 rooms.\n"
ANSWER = "The mill of Arbel was built in 1530, and it has 12 rooms. No fire began."
GERMAN = "Die Mühle wurde im Jahre 1503 von der Zunft der Weber gebaut."


def load() -> None:
    """Raises EmbeddingError."""
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    from claimscope.core.text.languages import language
    from claimscope.tui.bootstrap.judges import models_for_copies
    from claimscope.tui.process.memory import give_back

    give_back()
    models_for_copies()
    language(GERMAN)
    asyncio.run(_judge())


async def _judge() -> None:
    from claimscope.core.models import Page
    from claimscope.core.report.check_findings import AnswerText
    from claimscope.core.run.sample import evaluate
    from claimscope.core.settings import Settings
    from claimscope.stores.index.memory_corpus import MemoryCorpus
    from claimscope.stores.runs.memory import MemoryRunStore
    from claimscope.tui.bootstrap.judges import make_embedder
    from claimscope.tui.services.check.answers import METRICS, RUBRIC, plan_of
    from claimscope.tui.services.run.parts import parts_of

    settings = Settings()
    embedder = make_embedder(settings)
    corpus = MemoryCorpus("mill", [Page(page_id="mill.md", text=PAGE)], embedder)
    parts = parts_of(settings, embedder, corpus, None, RUBRIC, METRICS)
    plan = plan_of(
        [AnswerText("answer.md", ANSWER)],
        settings,
        parts.models,
        (corpus.name, corpus.version),
        None,
    )
    journal = MemoryRunStore().create(plan.header)
    for task in plan.tasks:
        await evaluate(task, parts.services(journal, 1))
