"""`claimscope pages search QUERY`: sentences of an index, or of all, best first."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import TYPE_CHECKING

from claimscope.core.errors import ClaimscopeError, EmbeddingError, InputError
from claimscope.tui.process.output import say, write_json_line
from claimscope.tui.services.workspace import (
    command_settings,
    corpora_named,
    corpus_named,
    has_corpus,
    open_workspace,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from claimscope.core.models import Evidence, Page
    from claimscope.core.ports import Embedder
    from claimscope.stores.index.chroma_connection import ChromaServer
    from claimscope.stores.index.chroma_server import ServedCorpus
    from claimscope.stores.index.corpus import IndexedCorpus
    from claimscope.stores.index.page_index import PageIndex

EPILOG = """\
--json prints a line a hit: {"rank", "corpus", "page_id", "index", "text", "start",
"end", "before", "after", "title", "url", "source", "date", "journal", "authors",
"domain", "doi", "indexedAt", "similarity" (cosine), "lexical" (BM25), "score" (both
orders fused), "context": [{"index", "text"}]}; what a page does not say is null.
exit codes: 0 done, also where nothing was found; 2 wrong use, no such corpus
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("query", metavar="QUERY", nargs="?", default="")
    add("--corpus", metavar="NAME", help="only this one; otherwise all that there are")
    add("-k", type=int, default=10, help="how many (default 10)")
    add("--min-similarity", type=float, metavar="COS", help="at least this cosine")
    add(
        "--source",
        action="append",
        default=[],
        help="only pages of this source, or whose id begins with it (repeatable)",
    )
    add(
        "--context",
        type=int,
        default=1,
        metavar="N",
        help="with N sentences of the page before and after each (default 1; 0: none)",
    )
    add("--embedding-model", metavar="FOLDER")
    add("--chroma-url", metavar="URL", help="search in a corpus of this Chroma server")
    add("--lines", action="store_true", help=argparse.SUPPRESS)


def run(arguments: argparse.Namespace) -> int:
    from claimscope.tui.bootstrap.judges import cached_embedder
    from claimscope.tui.bootstrap.servers import chroma_of

    if arguments.lines:
        return serve(arguments)
    if not arguments.query.strip():
        raise InputError("the query is empty", "write a few words or a sentence")
    if arguments.k < 1:
        raise InputError(f"-k {arguments.k}: at least 1 is needed", "")
    if arguments.context < 0:
        raise InputError(f"--context {arguments.context}: 0 or more", "0: none")
    workspace = open_workspace(arguments)
    settings = command_settings(workspace, arguments)
    server, name = chroma_of(settings), arguments.corpus
    names = [name]
    if server is None or name is None or has_corpus(workspace, name):
        names = corpora_named(workspace, name)
    with cached_embedder(workspace, settings) as embedder:
        found = search_all(workspace.index, names, embedder, server, arguments)
    for number, one in enumerate(found, 1):
        if arguments.json:
            write_json_line({"rank": number, **as_line(one)})
        else:
            show(number, one, named=len(names) > 1)
    if not found:
        say("nothing found")
    return 0


@dataclass(frozen=True)
class FoundSentences:
    """A hit with what its corpus knows of it."""

    corpus: str
    hit: Evidence
    page: Page | None
    indexed_at: str | None
    around: tuple[tuple[int, str], ...]
    """(index, text) of the sentences about it, in order, itself left out."""


def search_all(
    root: Path,
    names: Sequence[str],
    embedder: Embedder,
    server: ChromaServer | None,
    arguments: argparse.Namespace,
) -> list[FoundSentences]:
    """At most k. Of several corpora the nearest hits come first; one that cannot be
    searched is told of and left out, and where another search answered, that too."""
    from contextlib import closing

    found: list[FoundSentences] = []
    for name in names:
        try:
            with closing(open_searchable(root, name, embedder, server)) as corpus:
                result = corpus.search(
                    arguments.query,
                    k=arguments.k,
                    min_similarity=arguments.min_similarity,
                    sources=arguments.source,
                )
                some = [
                    with_page(corpus, hit, arguments.context) for hit in result.hits
                ]
        except ClaimscopeError as error:
            if len(names) == 1:
                raise
            say(f"corpus {name} left out: {error}")
        else:
            found += some
            if result.fallback is not None:
                say(f"note: {name}: {result.fallback}")
    if len(names) > 1:
        found.sort(key=lambda one: -(one.hit.similarity or 0.0))
    return found[: arguments.k]


def open_searchable(
    root: Path, name: str, embedder: Embedder, server: ChromaServer | None
) -> PageIndex | ServedCorpus:
    """A corpus; where the embedding model cannot be loaded, one that is searched by
    words. Raises StoreError, IndexMismatch."""
    from claimscope.stores.index.embeddings import UnavailableEmbedder
    from claimscope.tui.services.pages.index import open_corpus

    try:
        return open_corpus(root, name, embedder, server)
    except EmbeddingError as error:
        return open_corpus(root, name, UnavailableEmbedder(root, name, error), server)


def with_page(corpus: IndexedCorpus, hit: Evidence, context: int) -> FoundSentences:
    first = max(0, hit.index - context)
    sentences = corpus.sentences(hit.page_id)[first : hit.index + context + 1]
    return FoundSentences(
        corpus.name,
        hit,
        corpus.page(hit.page_id),
        corpus.indexed_at(hit.page_id),
        tuple((s.index, s.text) for s in sentences if s.index != hit.index),
    )


def as_line(one: FoundSentences) -> dict[str, object]:
    from claimscope.tui.views.page import page_data

    line: dict[str, object] = {"corpus": one.corpus, **one.hit.model_dump(mode="json")}
    near, place = dict(one.around), one.hit.index
    line["before"], line["after"] = near.get(place - 1), near.get(place + 1)
    line |= page_data(one.page, one.indexed_at)
    line["context"] = [{"index": index, "text": text} for index, text in one.around]
    return line


def serve(arguments: argparse.Namespace) -> int:
    """Answers queries from stdin until it is closed (tui/services/pages/search.py)."""
    import sys

    from claimscope.tui.services.pages.search import answer_lines

    workspace = open_workspace(arguments)
    settings = command_settings(workspace, arguments)
    name = corpus_named(workspace, arguments.corpus)
    answer_lines(workspace, name, settings, sys.stdin, sys.stdout)
    return 0


def show(number: int, one: FoundSentences, *, named: bool) -> None:
    """A sentence between its neighbours. named: with its corpus."""
    from claimscope.core.report.text import one_line
    from claimscope.tui.views.page import about_page, score_words

    hit = one.hit
    where = f"{one_line(one.corpus)}: " if named else ""
    print(f"{number}. {where}{one_line(hit.sentence_id)}  ({score_words(hit)})")
    about = about_page(one.page)
    if about:
        print(f"   {one_line(about)}")
    for index, text in sorted([*one.around, (hit.index, hit.text)]):
        print(f"   {'>' if index == hit.index else ' '} {one_line(text)}")
