"""`claimscope search QUERY`: sentences of an index, or of all, best first."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from claimscope.core.models import Evidence
    from claimscope.core.ports import Embedder
    from claimscope.stores.chroma_connection import ChromaServer


def arguments(parser: argparse.ArgumentParser) -> None:
    """What to look for, and where."""
    parser.add_argument("query", metavar="QUERY", nargs="?", default="")
    parser.add_argument(
        "--corpus", metavar="NAME", help="only this one; otherwise all that there are"
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
    from claimscope.core.errors import InputError
    from claimscope.tui.flags import given
    from claimscope.tui.output import say, write_json_line
    from claimscope.tui.wiring import cached_embedder, chroma_of
    from claimscope.tui.workspace import (
        configuration,
        corpora_named,
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
    names = [name]
    if server is None or name is None or has_corpus(workspace, name):
        names = corpora_named(workspace, name)
    with cached_embedder(workspace, settings) as embedder:
        found = search_all(workspace.index, names, embedder, server, arguments)
    for number, (corpus, hit) in enumerate(found, 1):
        if arguments.json:
            write_json_line(hit)
        else:
            show(number, hit, corpus if len(names) > 1 else "")
    if not found:
        say("nothing found")
    return 0


def search_all(
    root: Path,
    names: Sequence[str],
    embedder: Embedder,
    server: ChromaServer | None,
    arguments: argparse.Namespace,
) -> list[tuple[str, Evidence]]:
    """(corpus, hit), at most k. Of several corpora the nearest hits come first; one
    that cannot be searched is told of and left out."""
    from contextlib import closing

    from claimscope.core.errors import ClaimscopeError
    from claimscope.tui.indexing import opened_corpus
    from claimscope.tui.output import say

    found: list[tuple[str, Evidence]] = []
    for name in names:
        try:
            with closing(opened_corpus(root, name, embedder, server)) as corpus:
                hits = corpus.search(
                    arguments.query,
                    k=arguments.k,
                    min_similarity=arguments.min_similarity,
                    sources=arguments.source,
                ).hits
        except ClaimscopeError as error:
            if len(names) == 1:
                raise
            say(f"corpus {name} left out: {error}")
        else:
            found += [(name, hit) for hit in hits]
    if len(names) > 1:
        found.sort(key=lambda pair: -(pair[1].similarity or 0.0))
    return found[: arguments.k]


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


def show(number: int, hit: Evidence, corpus: str) -> None:
    """A sentence between its neighbours. corpus: named where there are several."""
    from claimscope.core.report.text import one_line

    scores = []
    if hit.similarity is not None:
        scores.append(f"similarity {hit.similarity:.2f}")
    if hit.lexical is not None:
        scores.append(f"words {hit.lexical:.1f}")
    where = f"{one_line(corpus)}: " if corpus else ""
    print(f"{number}. {where}{one_line(hit.sentence_id)}  ({', '.join(scores)})")
    if hit.title:
        print(f"   {one_line(hit.title)}")
    for sign, text in ((" ", hit.before), (">", hit.text), (" ", hit.after)):
        if text:
            print(f"   {sign} {one_line(text)}")
