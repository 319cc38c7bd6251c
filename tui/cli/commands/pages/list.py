"""`claimscope pages`: the pages of an index; one with its sentences; delete some."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from claimscope.core.errors import InputError
from claimscope.stores.workspace.paths import safe_name
from claimscope.tui.process.output import say, write_json, write_json_line
from claimscope.tui.services.workspace import (
    command_settings,
    corpus_named,
    open_workspace,
)

if TYPE_CHECKING:
    from claimscope.core.errors import InputError
    from claimscope.stores.workspace.paths import Workspace

EPILOG = """\
With PAGE: where it is from and when it was indexed, then its sentences as they are
cited, `S:4  text`; with --json a line a sentence: {"page_id", "index", "text", "start",
"end"}.
A deleted page comes back when its folder is indexed again and its file is still
there: delete the file too, or `claimscope pages index FOLDER --exclude FILE`.

exit codes: 0 done; 2 wrong use, or there is no such corpus or page
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("page", nargs="?", metavar="PAGE", help="print the sentences of this page")
    add("--corpus", metavar="NAME", help="needed when there are several")
    add(
        "--delete",
        action="append",
        default=[],
        metavar="PAGE_ID",
        help="delete this page (repeatable)",
    )
    add("--embedding-model", metavar="FOLDER")


def run(arguments: argparse.Namespace) -> int:
    if arguments.page is not None and arguments.delete:
        raise InputError("a page and --delete at once", "give one of them")
    workspace = open_workspace(arguments)
    corpus = corpus_named(workspace, arguments.corpus)
    if arguments.delete:
        return delete(workspace, corpus, arguments)
    if arguments.page is not None:
        return show_page(workspace, corpus, arguments.page, json=arguments.json)
    return show(workspace, corpus, json=arguments.json)


def show(workspace: Workspace, corpus: str, *, json: bool) -> int:
    from contextlib import closing
    from dataclasses import asdict

    from claimscope.core.report.text import one_line
    from claimscope.stores.index.page_list import PageList
    from claimscope.tui.views.page import page_line

    with closing(PageList(workspace.index, corpus)) as pages:
        for head in pages.heads(pages.ids()).values():
            if json:
                write_json_line(asdict(head))
            else:
                print(one_line(page_line(head)))
    return 0


def show_page(workspace: Workspace, corpus: str, page_id: str, *, json: bool) -> int:
    """The sentences of a page, each by its index. Raises InputError."""
    from contextlib import closing

    from claimscope.core.report.text import one_line
    from claimscope.stores.index.page_index import ARCHIVE
    from claimscope.stores.index.page_texts import PageArchive
    from claimscope.tui.views.page import about_page, place_words

    path = workspace.index / safe_name(corpus) / ARCHIVE
    with closing(PageArchive(path)) as archive:
        entry, indexed = archive.entry(page_id), archive.indexed_at(page_id)
    if entry is None:
        raise no_such_page(workspace, corpus, page_id)
    page, sentences = entry
    if json:
        for sentence in sentences:
            write_json_line(sentence)
        return 0
    print(one_line(f"{page.page_id}  {about_page(page)}"))
    if place := place_words(page, indexed):
        print(one_line(place))
    for sentence in sentences:
        print(f"S:{sentence.index}  {one_line(sentence.text)}")
    return 0


def no_such_page(workspace: Workspace, corpus: str, page_id: str) -> InputError:
    """The error for a page that is not there; names the nearest."""
    from contextlib import closing
    from difflib import get_close_matches

    from claimscope.stores.index.page_list import PageList

    with closing(PageList(workspace.index, corpus)) as pages:
        near = get_close_matches(page_id, pages.ids(), n=1, cutoff=0.5)
    hint = f"is {near[0]!r} meant?" if near else "`claimscope pages` lists them"
    return InputError(f"{corpus} has no page {page_id!r}", hint)


def delete(workspace: Workspace, corpus: str, arguments: argparse.Namespace) -> int:
    """Deletes pages from the index; the files they came from stay."""
    from contextlib import closing

    from claimscope.stores.index.page_index import PageIndex
    from claimscope.tui.bootstrap.judges import cached_embedder
    from claimscope.tui.bootstrap.servers import chroma_of

    settings = command_settings(workspace, arguments)
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
