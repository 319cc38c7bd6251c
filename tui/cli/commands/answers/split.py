"""`claimscope answers split FILE`: sentences with offsets, as JSON lines."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from claimscope.tui.process.output import write_json_line

if TYPE_CHECKING:
    from claimscope.core.models import Page


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("file", help="a page file, or - for stdin")
    add(
        "--markup",
        choices=("auto", "text", "markdown"),
        default="auto",
        help="how to find blocks (auto: by the file's suffix)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Writes {"index", "start", "end", "text"} a line; several pages in one file
    (JSONL) add "page_id"."""
    from claimscope.core.text.sentences import sentences

    pages = _pages(arguments)
    for page in pages:
        for sentence in sentences(page):
            row: dict[str, object] = {
                "index": sentence.index,
                "start": sentence.start,
                "end": sentence.end,
                "text": sentence.text,
            }
            write_json_line({"page_id": page.page_id, **row} if len(pages) > 1 else row)
    return 0


def _pages(arguments: argparse.Namespace) -> tuple[Page, ...]:
    from pathlib import Path

    from claimscope.core.models import Page
    from claimscope.stores.pages.folder import read_file

    if arguments.file == "-":
        text = sys.stdin.buffer.read().decode("utf-8", "replace")
        markup = "markdown" if arguments.markup == "markdown" else "text"
        return (Page(page_id="-", text=text, markup=markup),)
    pages = read_file(Path(arguments.file))
    if arguments.markup != "auto":
        update = {"markup": arguments.markup}
        pages = tuple(page.model_copy(update=update) for page in pages)
    return pages
