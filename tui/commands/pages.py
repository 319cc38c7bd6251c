"""`claimscope pages`: the pages of an index; delete some."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from claimscope.stores.paths import Workspace

EPILOG = """\
A deleted page comes back when its folder is indexed again and its file is still
there: delete the file too, or `claimscope index FOLDER --exclude FILE`.

exit codes: 0 done; 2 wrong use, or there is no such corpus or page
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which corpus, and what to delete."""
    parser.add_argument(
        "--corpus", metavar="NAME", help="needed when there are several"
    )
    parser.add_argument(
        "--delete",
        action="append",
        default=[],
        metavar="PAGE_ID",
        help="delete this page (repeatable)",
    )
    parser.add_argument("--embedding-model", metavar="FOLDER")


def run(arguments: argparse.Namespace) -> int:
    """Lists the pages, or deletes some of them."""
    from claimscope.tui.workspace import corpus_named, open_workspace

    workspace = open_workspace(arguments)
    corpus = corpus_named(workspace, arguments.corpus)
    if arguments.delete:
        return delete(workspace, corpus, arguments)
    return show(workspace, corpus, json=arguments.json)


def show(workspace: Workspace, corpus: str, *, json: bool) -> int:
    """A line a page."""
    from contextlib import closing
    from dataclasses import asdict

    from claimscope.core.report.text import one_line
    from claimscope.stores.page_list import PageList
    from claimscope.tui.output import write_json_line

    with closing(PageList(workspace.index, corpus)) as pages:
        for head in pages.heads(pages.ids()).values():
            if json:
                write_json_line(asdict(head))
            else:
                title = f"  {head.title}" if head.title else ""
                print(one_line(f"{head.page_id}  {head.sentences} sentences{title}"))
    return 0


def delete(workspace: Workspace, corpus: str, arguments: argparse.Namespace) -> int:
    """Deletes pages from the index; the files they came from stay."""
    from contextlib import closing

    from claimscope.core.errors import InputError
    from claimscope.stores.pages import PageIndex
    from claimscope.tui.flags import given
    from claimscope.tui.output import say, write_json
    from claimscope.tui.wiring import cached_embedder, chroma_of
    from claimscope.tui.workspace import configuration

    settings = configuration(workspace, given(arguments)).settings
    wanted = dict.fromkeys(arguments.delete)
    with (
        cached_embedder(workspace, settings) as embedder,
        closing(
            PageIndex(
                workspace.index,
                corpus,
                embedder,
                write=True,
                server=chroma_of(settings),
            )
        ) as index,
    ):
        if unknown := [page_id for page_id in wanted if index.page(page_id) is None]:
            raise InputError(
                f"{corpus} has no page {unknown[0]!r}",
                "`claimscope pages` lists them; nothing was deleted",
            )
        kept = [index.page(page_id) for page_id in index.page_ids()]
        report = index.index_pages(p for p in kept if p and p.page_id not in wanted)
    if arguments.json:
        write_json({"corpus": corpus, "deleted": report.deleted})
    else:
        say(f"{corpus}: {report.deleted} deleted")
    return 0
