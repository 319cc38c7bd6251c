"""What is in a workspace: suites, indexed pages, runs, and whether all works."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from claimscope.core.models import RunState, RunStatus
from claimscope.core.report.view import (
    TEXT_ONLY,
    Column,
    Part,
    Role,
    Row,
    Section,
    Sign,
    Span,
    Table,
    line,
    row,
    sign_span,
)
from claimscope.core.run.outcome import pass_words
from claimscope.tui.ports.gateway import CorpusInfo, Gateway, SuiteInfo
from claimscope.tui.views.health import health_view

SUITES = (
    Column("suite"),
    Column("cases", "right", 5),
    Column("name", least=TEXT_ONLY),
)
CORPORA = (
    Column("indexed pages"),
    Column("pages", "right", 6),
    Column("sentences", "right", 9),
    Column("embedding model", least=TEXT_ONLY),
)
RUNS = (
    Column("run"),
    Column("state", width=11),
    Column("done", "right", 9),
    Column("passed", "right", 6),
    Column("failed", "right", 6),
    Column("unscored", "right", 8),
    Column("begun (UTC)", width=16),
    Column("id", least=TEXT_ONLY),
    Column("what passes", least=TEXT_ONLY),
)
STATES: Mapping[RunState, tuple[Sign, Role]] = {
    "running": ("running", ""),
    "paused": ("paused", ""),
    "finished": ("supported", ""),
    "cancelled": ("unscored", ""),
    "failed": ("contradicted", "contradicted"),
    "stopped": ("stopped", "not_enough_info"),
}
NO_PAGES = "none yet: claimscope pages index FOLDER"
NO_RUNS = "none yet: claimscope demo, or claimscope run SUITE"


def home_view(gateway: Gateway) -> Iterator[Part]:
    yield _table("suites", SUITES, map(suite_row, gateway.suites()), "none")
    yield line()
    pages = map(corpus_row, gateway.corpora())
    yield _table("indexed pages", CORPORA, pages, NO_PAGES)
    yield line()
    yield _table("runs", RUNS, map(run_row, gateway.runs.runs()), NO_RUNS)
    yield line()
    yield Section(line("health"), (health_view(gateway.health()),))


def _table(
    title: str, columns: tuple[Column, ...], rows: Iterator[Row], empty: str
) -> Section:
    found = tuple(rows)
    return Section(line(title), (Table(columns, found) if found else line(empty),))


def suite_row(suite: SuiteInfo) -> Row:
    """Title and cases, or why it cannot be used."""
    if suite.problem:
        text = f"{suite.name}: {suite.problem}"
        return row(sign_span(text, "contradicted"), "", suite.name)
    return row(suite.title or suite.name, str(suite.cases), suite.name)


def corpus_row(corpus: CorpusInfo) -> Row:
    pages, sentences = f"{corpus.pages:,}", f"{corpus.sentences:,}"
    return row(corpus.name, pages, sentences, corpus.model_id)


def run_row(status: RunStatus) -> Row:
    """Where a run stands."""
    head = status.header
    sign, role = STATES[status.state]
    return row(
        head.suite_title or head.suite_id,
        Span(status.state, role, sign),
        f"{status.completed}/{head.total_samples}",
        Span(str(status.passed), "supported"),
        Span(str(status.failed), "contradicted" if status.failed else ""),
        Span(str(status.unscored), "unscored"),
        head.created.replace("T", " ")[:16],
        head.run_id,
        pass_words(head.settings, judge=head.judge),
    )
