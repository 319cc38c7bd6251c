"""`claimscope pages index FOLDER`: read pages into an index."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from claimscope.core.errors import InputError
from claimscope.core.text.plurals import counted_noun
from claimscope.tui.cli.flags import add_selection_flags
from claimscope.tui.process.output import progress_bar, progress_lines, write_json
from claimscope.tui.services.workspace import command_settings, open_workspace

if TYPE_CHECKING:
    from claimscope.stores.index.chroma_connection import ChromaServer

EPILOG = """\
A second index of the same folder embeds only what changed. An index that was broken
by a kill is found and rebuilt from the stored vectors, without embedding.

Patterns are those of .gitignore: '*.md' anywhere, 'drafts/' and all below it,
'/top.md' at the top only. Both options may be given several times. What can be read,
and what is reported, is in docs/formats.md.

exit codes: 0 done; 2 wrong use; 3 a failure, and with --strict: most files of the
folder were left aside, because no format of theirs is read or nothing was read of them
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("folder", type=Path, nargs="?", metavar="FOLDER")
    add("--name", help="name of the corpus (default: the folder's)")
    add(
        "--rebuild",
        action="store_true",
        help="make the index anew with the embedding model in use",
    )
    add(
        "--replace",
        action="store_true",
        help="the corpus of that name may be of another folder: delete its pages",
    )
    add_selection_flags(parser)
    add(
        "--strict",
        action="store_true",
        help="exit 3 when most files of the folder were left aside",
    )
    add("--embedding-model", metavar="FOLDER")
    add("--chroma-url", metavar="URL", help="index on this Chroma server")
    add("--lines", action="store_true", help=argparse.SUPPRESS)


def run(arguments: argparse.Namespace) -> int:
    """Indexes and says what changed. Without FOLDER, --name NAME --rebuild makes a
    corpus anew of the pages it has."""
    from claimscope.tui.bootstrap.judges import cached_embedder
    from claimscope.tui.bootstrap.servers import chroma_of

    workspace = open_workspace(arguments)
    settings = command_settings(workspace, arguments)
    with cached_embedder(workspace, settings) as embedder:
        found = (
            index(workspace.index, arguments, embedder, chroma_of(settings))
            if arguments.folder
            else remake(workspace.index, arguments, embedder, chroma_of(settings))
        )
    if arguments.json:
        write_json(found)
    else:
        print(line(found))
    return 3 if arguments.strict and found.get("mostly_unread") else 0


def index(  # type: ignore[no-untyped-def]
    root: Path,
    arguments: argparse.Namespace,
    embedder,
    server: ChromaServer | None = None,
):
    """The counts of an index of a folder."""
    from dataclasses import asdict

    from claimscope.tui.services.pages.index import index_folder

    name = arguments.name or arguments.folder.absolute().name
    with index_folder(
        root,
        name,
        arguments.folder,
        embedder,
        rebuild=arguments.rebuild,
        quiet=arguments.json,
        include=arguments.include,
        exclude=arguments.exclude,
        text_field=arguments.text_field,
        on_progress=progress_lines if arguments.lines else None,
        server=server,
        replace=arguments.replace,
    ) as indexed:
        unread = indexed.reading.unread()
        return {
            "corpus": name,
            "version": indexed.corpus.version,
            "model": indexed.corpus.model_id,
            "pages": len(indexed.corpus.page_ids()),
            **asdict(indexed.report),
            "formats": [asdict(count) for count in indexed.reading.formats()],
            "excluded": indexed.reading.excluded,
            "ignored": len(indexed.reading.ignored),
            "unread": {
                "files": unread.count,
                "of": unread.of,
                "kinds": dict(unread.kinds),
            },
            "mostly_unread": unread.warning,
            "notes": list(indexed.reading.notes),
            "problems": [list(problem) for problem in indexed.reading.problems],
        }


def remake(  # type: ignore[no-untyped-def]
    root: Path,
    arguments: argparse.Namespace,
    embedder,
    server: ChromaServer | None = None,
):
    """The counts of a corpus made anew of its stored pages."""
    from claimscope.stores.index.page_index import PageIndex

    if not (arguments.name and arguments.rebuild):
        raise InputError(
            "no folder is named",
            "claimscope pages index FOLDER, or --name NAME --rebuild",
        )
    with progress_bar(quiet=arguments.json) as bar:
        corpus = PageIndex(
            root, arguments.name, embedder, rebuild=True, on_progress=bar, server=server
        )
    try:
        return {
            "corpus": arguments.name,
            "version": corpus.version,
            "model": corpus.model_id,
            "pages": len(corpus.page_ids()),
            "sentences": sum(len(corpus.sentences(p)) for p in corpus.page_ids()),
            "problems": [],
        }
    finally:
        corpus.close()


def line(found: dict[str, Any]) -> str:
    """The counts for people."""
    from claimscope.tui.ports.library import IndexOutcome
    from claimscope.tui.views.pages import outcome_words

    outcome = IndexOutcome.of(found)
    text = outcome_words(outcome)
    if outcome.problems:
        text += f"; {counted_noun(outcome.problems, 'problem')}, see above"
    if outcome.unread:
        text += f"; {outcome.unread}"
    if found.get("excluded"):
        text += f"; {counted_noun(found['excluded'], 'file')} excluded"
    formats = found.get("formats", ())
    return text + "".join(f"\n  {_count(count)}" for count in formats)


def _count(count: dict[str, object]) -> str:
    words = f"{count['suffix']:10} pages {count['pages']}, files {count['files']}"
    return words + (f", with problems {count['problems']}" if count["problems"] else "")
