"""`claimscope answers generate SUITE --model M --out FILE`: answers with citations."""

from __future__ import annotations

import argparse
from pathlib import Path

from claimscope.core.errors import InputError
from claimscope.core.text.plurals import counted_noun
from claimscope.tui.cli.flags import add_custom_flags, add_model_flags
from claimscope.tui.process.output import write_json, write_lines
from claimscope.tui.services.workspace import (
    configuration,
    flag_settings,
    open_workspace,
)

EPILOG = """\
For each case the best sentences of the pages are looked up, and the model writes an
answer from them with citations such as [PMID:12345, S:2], which are validated at once;
what is wrong with them is said on stderr. FILE is what `claimscope run SUITE --answers
FILE` takes. A case that has an answer in FILE is not asked again.
exit codes: 0 every case has an answer; 3 a case could not be answered
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("suite", metavar="SUITE")
    add("--out", type=Path, required=True, metavar="FILE")
    add("--pages", type=Path, metavar="FOLDER", help="pages in place of the suite's")
    add("--cases", metavar="A,B", help="only these cases (default: all)")
    add(
        "--provider", metavar="NAME", help="whose answers they are (default: the model)"
    )
    add("-k", type=int, metavar="N", help="sentences looked up (8)")
    add("--seed", type=int, metavar="N", help="of the model, default 7")
    add_model_flags(parser)
    add_custom_flags(parser)


def run(arguments: argparse.Namespace) -> int:
    import asyncio
    from dataclasses import asdict

    from claimscope.tui.services.run.planning import RunRequest, load, pages_folder
    from claimscope.tui.services.suite.generate import Wish, write_answers

    workspace = open_workspace(arguments)
    flags = {**flag_settings(arguments), "evidence_sentences": arguments.k}
    settings = configuration(workspace, flags).settings
    wanted = RunRequest(suite=arguments.suite, pages=arguments.pages)
    loaded = load(wanted)
    folder = pages_folder(wanted, loaded)
    if folder is not None and not folder.is_dir():
        raise InputError(f"--pages {folder}: no such folder", "name the pages' folder")
    names = [n.strip() for n in (arguments.cases or "").split(",") if n.strip()]
    by_id = {case.id: case for case in loaded.suite.cases}
    for name in names:
        if name not in by_id:
            raise InputError(
                f"--cases: suite {loaded.suite.id} has no case {name!r}",
                "cases are: " + ", ".join(list(by_id)[:10]),
            )
    cases = tuple(by_id[name] for name in names or by_id)
    if folder is None and not all(case.contexts for case in cases):
        raise InputError(
            f"suite {loaded.suite.id}: there are no pages to answer from",
            "--pages FOLDER names them",
        )
    wish = Wish(loaded, cases, folder, arguments.out, arguments.provider)
    outcome = asyncio.run(write_answers(workspace, settings, wish))
    if arguments.json:
        write_json(asdict(outcome))
    else:
        write_lines(
            [
                f"{counted_noun(outcome.written, 'answer')} written to "
                f"{arguments.out}, "
                f"{outcome.known} known, {outcome.failed} not answered; "
                f"{counted_noun(outcome.citations, 'citation')}, "
                f"{counted_noun(outcome.invalid, 'answer')} with a "
                "citation that is not valid or missing"
            ]
        )
    return 3 if outcome.failed else 0
