"""`claimscope search QUERY`: sentences of an index, best first."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from claimscope.core.models import Evidence


def arguments(parser: argparse.ArgumentParser) -> None:
    """What to look for, and where."""
    parser.add_argument("query", metavar="QUERY", nargs="?", default="")
    parser.add_argument(
        "--corpus", metavar="NAME", help="needed when there are several"
    )
    parser.add_argument("-k", type=int, default=10, help="how many (default 10)")
    parser.add_argument(
        "--min-similarity", type=float, metavar="COS", help="at least this cosine"
    )
    parser.add_argument(
        "--source",
        action="append",
        default=[],
        help="only pages of this source, or whose id begins with it (repeatable)",
    )
    parser.add_argument("--embedding-model", metavar="FOLDER")
    parser.add_argument(
        "--chroma-url", metavar="URL", help="search in a corpus of this Chroma server"
    )
    parser.add_argument("--lines", action="store_true", help=argparse.SUPPRESS)


def run(arguments: argparse.Namespace) -> int:
    """Prints the sentences with their neighbours; nothing found is exit 0."""
    from contextlib import closing

    from claimscope.core.errors import InputError
    from claimscope.tui.flags import given
    from claimscope.tui.indexing import opened_corpus
    from claimscope.tui.output import say, write_json_line
    from claimscope.tui.wiring import cached_embedder, chroma_of
    from claimscope.tui.workspace import (
        configuration,
        corpus_named,
        has_corpus,
        open_workspace,
    )

    if arguments.lines:
        return serve(arguments)
    if not arguments.query.strip():
        raise InputError("the query is empty", "write a few words or a sentence")
    if arguments.k < 1:
        raise InputError(f"-k {arguments.k}: at least 1 is needed", "")
    workspace = open_workspace(arguments)
    settings = configuration(workspace, given(arguments)).settings
    server, name = chroma_of(settings), arguments.corpus
    if server is None or name is None or has_corpus(workspace, name):
        name = corpus_named(workspace, name)
    with (
        cached_embedder(workspace, settings) as embedder,
        closing(opened_corpus(workspace.index, name, embedder, server)) as corpus,
    ):
        result = corpus.search(
            arguments.query,
            k=arguments.k,
            min_similarity=arguments.min_similarity,
            sources=arguments.source,
        )
    for number, hit in enumerate(result.hits, 1):
        if arguments.json:
            write_json_line(hit)
        else:
            show(number, hit)
    if not result.hits:
        say("nothing found")
    return 0


def serve(arguments: argparse.Namespace) -> int:
    """Answers queries from stdin until it is closed (tui/search_lines.py)."""
    import sys

    from claimscope.tui.flags import given
    from claimscope.tui.search_lines import answer_lines
    from claimscope.tui.workspace import configuration, corpus_named, open_workspace

    workspace = open_workspace(arguments)
    settings = configuration(workspace, given(arguments)).settings
    name = corpus_named(workspace, arguments.corpus)
    answer_lines(workspace, name, settings, sys.stdin, sys.stdout)
    return 0


def show(number: int, hit: Evidence) -> None:
    """A sentence between its neighbours."""
    from claimscope.core.report.text import one_line

    scores = []
    if hit.similarity is not None:
        scores.append(f"similarity {hit.similarity:.2f}")
    if hit.lexical is not None:
        scores.append(f"words {hit.lexical:.1f}")
    print(f"{number}. {one_line(hit.sentence_id)}  ({', '.join(scores)})")
    if hit.title:
        print(f"   {one_line(hit.title)}")
    for sign, text in ((" ", hit.before), (">", hit.text), (" ", hit.after)):
        if text:
            print(f"   {sign} {one_line(text)}")
