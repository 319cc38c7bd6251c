"""`claimscope check ANSWER … --against FOLDER`: a linter for answers."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from claimscope.core.errors import ClaimscopeError, InputError
from claimscope.core.text.sanitising import escape_json
from claimscope.tui.cli.exit_codes import report_error
from claimscope.tui.cli.flags import add_model_flags, add_selection_flags
from claimscope.tui.process.output import (
    say,
    stage,
    write_json,
    write_json_line,
    write_lines,
)

if TYPE_CHECKING:
    from claimscope.core.models import SampleResult
    from claimscope.core.report.check_findings import AnswerText, Finding
    from claimscope.stores.workspace.project import Project
    from claimscope.tui.services.check.answers import CheckResult

EPILOG = """\
One line a claim, as compilers write: FILE:LINE:COLUMN: verdict: claim [evidence].
The index of the folder is kept in the cache; a second check reads only what changed.
Of several folders all pages are true. With several answers each has a line with its
counts, and --json prints {"answers": […]}; one that cannot be read is said and the
others are judged.

What is judged, against what and how may stand in the project's file, so that CI is
`claimscope check`: claimscope.toml, or [tool.claimscope] of pyproject.toml, here or
above: against = ["pages"], answers = ["answers/*.md"], strict = true, include, exclude,
text_field, and settings such as verifier = "ollama". Flags win over it.

With --daemon a process stays that has all models loaded, and further checks take a
tenth of the time (claimscope serve daemon --help).

--watch judges again whenever an answer or a page changes, until Ctrl-C; --json then
prints a line a time. The exit code is that of the last judgement.

exit codes: 0 nothing stands against the answer; 1 a claim is contradicted
(--strict: or not supported, or a citation is broken or misattributed); 2 wrong use;
3 it could not be checked: no page could be read, the answer makes no claim, or every
verdict is unscored (--strict: or any; or most files of the folder were left aside).
Of several answers, 1 where one of them has it, else 3 where one has that.
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "answers",
        nargs="*",
        metavar="ANSWER",
        help="a text or Markdown file, or - for stdin (default: `answers` of the "
        "project's file)",
    )
    add(
        "--against",
        action="append",
        default=[],
        metavar="FOLDER",
        help="pages that are true (repeatable; default: `against` of the project's "
        "file)",
    )
    add_selection_flags(parser)
    add(
        "--name",
        metavar="FILE",
        help="name the answer in messages so, e.g. when it comes from stdin",
    )
    add(
        "--question",
        metavar="TEXT",
        help="what the answer replies to: of pages of one kind it says which is meant",
    )
    add("--strict", action="store_true", help="what is not supported fails as well")
    add("--github", action="store_true", help="print GitHub workflow annotations")
    add(
        "--sarif",
        type=Path,
        metavar="FILE",
        help="write what was found as SARIF 2.1.0 as well",
    )
    add("--tui", action="store_true", help="step through the claims afterwards")
    add("--watch", action="store_true", help="judge again when a file changes")
    add(
        "--daemon",
        action=argparse.BooleanOptionalAction,
        help="ask the resident engine, and start one for the next time "
        "(default: ask one that runs)",
    )
    add_model_flags(parser)


def elsewhere(arguments: argparse.Namespace) -> int | None:
    """Has the resident engine do it; None where it is done in this process."""
    from claimscope.tui.resident.choice import mode_of

    mode = mode_of(arguments)
    if mode == "off" or arguments.watch or arguments.tui:
        return None
    from claimscope.tui.resident.client import ask
    from claimscope.tui.resident.starting import start

    try:
        code = ask(arguments.words, reads_stdin="-" in arguments.answers)
    except FileNotFoundError:
        code = None
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    if code is None and mode == "start":
        start()
    return code


def run(arguments: argparse.Namespace) -> int:
    arguments.project = add_project(arguments)
    arguments.answers = list(dict.fromkeys(arguments.answers))
    check_use(arguments)
    if arguments.watch:
        return watch(arguments)
    steps = arguments.tui and sys.stdout.isatty()
    if steps:
        from claimscope.tui.cli.terminal import take_terminal

        take_terminal()  # before a minute's work that nobody could look at
    stage("loading")
    try:
        code, checked = judge(arguments)
    finally:
        stage("")
    if steps and checked is not None:
        from claimscope.tui.cli.terminal import open_interface

        root = str(checked.workspace.root)
        open_interface(root, run_id=checked.run_id, step=True)
    return code


def add_project(arguments: argparse.Namespace) -> Project | None:
    """Fills in what was not given from the project's file. Raises InputError when
    nobody says what is judged, or against what."""
    # Not above: where the resident engine judges, nothing else is to be loaded.
    from claimscope.stores.workspace.project import project_above

    project = project_above(Path.cwd())
    if project is not None:
        arguments.answers = arguments.answers or [
            shown_path(path) for path in project.answer_files()
        ]
        arguments.against = arguments.against or list(map(str, project.against))
        arguments.include = arguments.include or list(project.include)
        arguments.exclude = arguments.exclude or list(project.exclude)
        arguments.text_field = arguments.text_field or project.text_field
        arguments.strict = arguments.strict or project.strict
    where = f", and {project.path} does not say" if project else ""
    if not arguments.answers:
        raise InputError(
            f"no answer is named{where}",
            "name a file, or write answers = ['answers/*.md'] into claimscope.toml",
        )
    if not arguments.against:
        raise InputError(
            f"--against is missing{where}: which pages are true?",
            "name their folder, or write against = ['pages'] into claimscope.toml",
        )
    return project


def shown_path(path: Path) -> str:
    """A path as a person would type it here."""
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


def check_use(arguments: argparse.Namespace) -> None:
    if arguments.name and len(arguments.answers) > 1:
        raise InputError(
            "--name names one answer, and there are several",
            "check the one from stdin by itself",
        )
    if arguments.question is not None and len(arguments.answers) > 1:
        raise InputError(
            "--question is that of one answer, and there are several",
            "check each by itself, or make a suite of questions and answers "
            "(claimscope suite --help)",
        )
    if arguments.question is not None and not arguments.question.strip():
        raise InputError("--question is empty", "say what the answer replies to")
    if arguments.watch and "-" in arguments.answers:
        raise InputError(
            "--watch: standard input is read once and never changes",
            "name the file of the answer",
        )
    if arguments.watch and arguments.tui:
        raise InputError("--watch and --tui both want the terminal", "use one of them")


def judge(arguments: argparse.Namespace) -> tuple[int, CheckResult | None]:
    """Reads the answers, judges them and prints; the exit code. Raises what reading
    and judging raise where that leaves no answer."""
    from claimscope.tui.services.check.answers import check_answers

    answers, unread = read_answers(arguments.answers, arguments.name)
    folders = [Path(folder) for folder in arguments.against]
    checked = check_answers(answers, folders, arguments)
    stage("")  # before anything is printed on the same terminal
    codes = show(answers, checked, arguments)
    codes += [unread] if unread else []
    return (1 if 1 in codes else max(codes)), checked


def show(
    answers: Sequence[AnswerText], checked: CheckResult, arguments: argparse.Namespace
) -> list[int]:
    """Prints what was found in each; their exit codes."""
    from claimscope.core.report.check_findings import (
        as_document,
        finding_lines,
        findings,
        summary_line,
    )
    from claimscope.core.report.text import one_line

    codes: list[int] = []
    documents: list[dict[str, object]] = []
    unread, strict = checked.unread, arguments.strict
    reported = [findings(sample) for sample in checked.samples]
    for answer, sample, found in zip(answers, checked.samples, reported, strict=True):
        if sample.error:
            say(f"{one_line(answer.name)}: could not be checked: {sample.error}")
        if arguments.json:
            document = as_document(sample, found, answer.text, unread)
            documents.append({"name": answer.name, **document})
        elif not sample.error:
            write_lines(finding_lines(answer, found, github=arguments.github))
            title = f"{one_line(answer.name)}: " if len(arguments.answers) > 1 else ""
            print(title + summary_line(sample, found, unread))
        code = exit_code(sample, found, strict=strict, unread=bool(unread))
        codes.append(3 if sample.error else code)
    if arguments.sarif is not None:
        write_sarif(
            arguments.sarif,
            list(zip(answers, reported, strict=True)),
            arguments.against,
        )
    if arguments.json:
        one, write = documents[0], write_json_line if arguments.watch else write_json
        write(one if len(arguments.answers) == 1 else {"answers": documents})
    return codes


def exit_code(
    sample: SampleResult, found: list[Finding], *, strict: bool, unread: bool = False
) -> int:
    """As EPILOG says. What is not supported may stand in what is unread."""
    from claimscope.core.models import Label

    if any(f.grave for f in found):
        return 1
    if strict and unread:
        return 3
    if strict and any(f.doubtful for f in found):
        return 1
    judged = [r for r in sample.claims if r.verdict.label is not Label.UNSCORED]
    if not judged:
        return 3
    if strict and len(judged) < len(sample.claims):
        return 3
    return 0


def write_sarif(
    file: Path,
    reported: Sequence[tuple[AnswerText, list[Finding]]],
    against: Sequence[str],
) -> None:
    """Writes the findings. Raises StoreError."""
    import json

    from claimscope.core.report.sarif import sarif_log
    from claimscope.stores.pages.folder import shared_root
    from claimscope.stores.workspace.paths import write_atomically
    from claimscope.tui.process.version import version

    folders = [Path(folder).resolve() for folder in against]
    log = sarif_log(reported, version(), [shared_root(folders)])
    text = json.dumps(log, ensure_ascii=False, indent=2)
    write_atomically(file, f"{escape_json(text)}\n".encode())


def watch(arguments: argparse.Namespace) -> int:
    """Judges at once and after each change, until it is interrupted."""
    from claimscope.tui.services.check.file_watch import changes

    files = [Path(name) for name in arguments.answers]
    folders = [Path(folder) for folder in arguments.against]
    code = 0
    try:
        for changed in changes(files, folders):
            if changed:
                say(f"changed: {changed}")
            stage("loading")
            try:
                code, _ = judge(arguments)
            except ClaimscopeError as error:
                stage("")
                code = report_error(error)
            sys.stdout.flush()
            stage("watching; Ctrl-C ends")
    except KeyboardInterrupt:
        stage("")
    return code


def read_answers(
    files: Sequence[str], name: str | None = None
) -> tuple[list[AnswerText], int]:
    """The answers, and the exit code for those that could not be read, which are said.
    Raises InputError when none could."""
    from claimscope.core.report.check_findings import AnswerText

    answers: list[AnswerText] = []
    errors: list[InputError] = []
    for file in files:
        try:
            named, text = read_answer(file)
            answers.append(AnswerText(name or named, text))
        except InputError as error:
            errors.append(error)
    if not answers:
        raise errors[0]
    return answers, max(map(report_error, errors), default=0)


def read_answer(file: str) -> tuple[str, str]:
    """(name for messages, text). Raises InputError."""
    from claimscope.stores.workspace.regular_files import read_regular

    try:
        data = sys.stdin.buffer.read() if file == "-" else read_regular(file)
    except OSError as error:
        raise InputError(
            f"{file}: {error.strerror}", "name a text or Markdown file, or - for stdin"
        ) from None
    name = "-" if file == "-" else file
    if b"\0" in data:
        raise InputError(f"{name}: this is a binary file", "name a text file")
    try:
        return name, data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{name}: byte {error.start}: not UTF-8", "save the file as UTF-8"
        ) from None
