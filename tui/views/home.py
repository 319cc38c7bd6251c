"""What is in a workspace: suites, indexed pages, runs, and whether all works."""

from __future__ import annotations

from collections.abc import Iterator

from claimscope.core.report.view import (
    TEXT_ONLY,
    Column,
    Part,
    Row,
    Section,
    Table,
    line,
    row,
    sign_span,
)
from claimscope.core.report.views.run_status import COLUMNS, run_row
from claimscope.tui.ports.gateway import CorpusInfo, Gateway, SuiteInfo
from claimscope.tui.views.health import health_view

SUITES = (Column("suite"), Column("cases", "right", 5), Column("name", least=TEXT_ONLY))
CORPORA = (
    Column("indexed pages"),
    Column("pages", "right", 6),
    Column("sentences", "right", 9),
    Column("embedding model", least=TEXT_ONLY),
)
NO_PAGES = "none yet: claimscope pages index FOLDER"
NO_RUNS = "none yet: claimscope demo, or claimscope run SUITE"


def home_view(gateway: Gateway) -> Iterator[Part]:
    yield _table("suites", SUITES, map(suite_row, gateway.suites()), "none")
    yield line()
    pages = map(corpus_row, gateway.corpora())
    yield _table("indexed pages", CORPORA, pages, NO_PAGES)
    yield line()
    yield _table("runs", COLUMNS, map(run_row, gateway.runs.runs()), NO_RUNS)
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
