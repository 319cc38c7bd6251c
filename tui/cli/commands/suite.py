"""`claimscope suite`: check suite files, build, import and export them."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from claimscope.core.errors import ClaimscopeError, InputError, SuiteError
from claimscope.core.text.plurals import counted_noun
from claimscope.core.text.sanitising import escape_json
from claimscope.stores.workspace.paths import write_atomically
from claimscope.tui.cli.flags import add_custom_flags, add_model_flags
from claimscope.tui.process.output import say, write_json
from claimscope.tui.services.workspace import (
    command_settings,
    open_runs,
    open_workspace,
    run_named,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from claimscope.stores.suites.exports import AnsweredCase
    from claimscope.stores.suites.importing import ImportResult
    from claimscope.stores.suites.lint import LintFinding

EPILOG = """\
  suite lint FILE …        each mistake with file, case, field and remedy; --fix points
                           expected citations to where their key phrase stands now
  suite import FILE        a suite of a file of ragas, promptfoo, DeepEval, RAGChecker,
                           of query logs, or of a test set with expected citations;
                           what the file is, is seen by what stands in it. JSON, JSON
                           lines, YAML, CSV, Parquet, Excel, a folder of Hugging Face
                           datasets; any table by --map question=Q,answer=Reply
  suite build -o FILE      a suite of a sample of query logs (--from-logs FILE), or of
                           pages, by a local model (--from-pages FOLDER --model NAME):
                           each claim with the sentences it stands in, for a person to
                           accept or drop on the Suite screen; a run leaves out what
                           nobody has accepted. The same command goes on after a stop
  suite export NAME        the answers of a run or suite as rows of ragas (JSON lines),
                           or as a file of DeepEval or promptfoo (--format)
  suite schema             the JSON Schema of suite files

exit codes: 0 done; 1 `lint`: a mistake (--strict: or a warning), `import`: a row was
not taken, `build`: fewer cases than asked for; 2 wrong use, or a file that cannot be
used; 3 `build`: the model cannot be asked
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    one = actions.add_parser("lint", help="find mistakes in suite files")
    add = one.add_argument
    add("files", nargs="+", metavar="SUITE", help="file, folder or name")
    add("--strict", action="store_true", help="exit 1 for warnings too")
    add(
        "--no-pages",
        action="store_true",
        help="do not read the pages to check expected citations",
    )
    add(
        "--fix",
        action="store_true",
        help="point expected citations to the sentence that holds their key phrase",
    )
    _add_common_arguments(one)
    one = actions.add_parser("import", help="make a suite of another tool's file")
    add = one.add_argument
    add("file", type=Path, metavar="FILE")
    add("-o", "--out", type=Path, metavar="SUITE.json")
    add(
        "--map",
        metavar="A=COLUMN,…",
        help="what the columns of any table are: question=Q,answer=Reply,reference=…,"
        "contexts=Doc1+Doc2,id=…,claims=…,citations=…,category=…,difficulty=…,"
        "domain=…,rationale=…,provider=…,model=…",
    )
    add("--provider", default="imported", help="who gave the answers")
    add("--force", action="store_true", help="replace files that exist")
    _add_common_arguments(one)
    _build_arguments(actions.add_parser("build", help="make a suite of logs or pages"))
    one = actions.add_parser("export", help="rows for another tool")
    add = one.add_argument
    add("name", metavar="RUN|SUITE", help="a run, `last`, or a suite")
    add(
        "--format",
        choices=("ragas", "deepeval", "promptfoo"),
        default="ragas",
        help="ragas: rows as JSON lines; deepeval: goldens as JSON; promptfoo: a "
        "configuration in YAML",
    )
    add("-o", "--out", type=Path, metavar="FILE")
    _add_common_arguments(one)
    actions.add_parser("schema", help="print the JSON Schema of suite files")


def _build_arguments(one: argparse.ArgumentParser) -> None:
    origin = one.add_mutually_exclusive_group(required=True)
    origin.add_argument("--from-logs", type=Path, metavar="FILE", help="query logs")
    origin.add_argument("--from-pages", type=Path, metavar="FOLDER", help="pages")
    add = one.add_argument
    add("-o", "--out", type=Path, required=True, metavar="SUITE.json")
    add("--cases", type=int, default=20, metavar="N", help="default 20")
    add("--seed", type=int, metavar="N", help="default 7")
    add("--provider", default="logged", help="who gave logged answers")
    add("--force", action="store_true", help="replace files that exist")
    _add_common_arguments(one)
    add_model_flags(one)
    add_custom_flags(one)


def _add_common_arguments(parser: argparse.ArgumentParser) -> None:
    from claimscope.tui.cli.parser import add_workspace

    add_workspace(parser, default=argparse.SUPPRESS)
    parser.add_argument(
        "--json",
        action="store_true",
        default=argparse.SUPPRESS,
        help="print JSON to stdout",
    )


def run(arguments: argparse.Namespace) -> int:
    actions = {
        "lint": lint,
        "import": import_suite,
        "build": build,
        "export": export,
        "schema": schema,
    }
    return actions[arguments.action](arguments)


def lint(arguments: argparse.Namespace) -> int:
    from claimscope.core.report.text import one_line

    if arguments.fix and arguments.no_pages:
        raise InputError("--fix and --no-pages at once", "give one of them")
    findings: list[LintFinding] = []
    for name in arguments.files:
        found = _lint_one(name, pages=not arguments.no_pages)
        if arguments.fix and any(finding.moved for finding in found):
            found = _move_citations(name, found)
        findings += found
    if arguments.json:
        write_json([vars(finding) for finding in findings])
    else:
        for finding in findings:
            print(one_line(str(finding)))
    errors = sum(finding.level == "error" for finding in findings)
    warnings = len(findings) - errors
    say(
        f"{counted_noun(len(arguments.files), 'file')}, "
        f"{counted_noun(errors, 'error')}, {counted_noun(warnings, 'warning')}"
    )
    return 1 if errors or (arguments.strict and warnings) else 0


def _lint_one(name: str, *, pages: bool) -> list[LintFinding]:
    from claimscope.stores.suites.lint import LintFinding
    from claimscope.stores.suites.lint import lint as findings_of
    from claimscope.stores.suites.loading import read_raw, resolve_suite

    path = resolve_suite(name)
    try:
        raw = read_raw(path)
    except SuiteError as error:
        return [LintFinding("error", path.name, "", "", error.message, error.hint)]
    return list(findings_of(raw, path, pages=pages))


def _move_citations(name: str, found: list[LintFinding]) -> list[LintFinding]:
    """Points expected citations anew and says so; what is left then."""
    from claimscope.core.report.text import one_line
    from claimscope.stores.suites.editing import is_editable, moves_of, open_draft
    from claimscope.stores.suites.loading import resolve_suite

    path = resolve_suite(name)
    if not is_editable(path):
        say(
            f"{path.name}: not fixed: it is read, not edited; make a copy of it as JSON"
        )
        return found
    try:
        draft = open_draft(path)
        draft.move(moves_of(draft, found))
    except ClaimscopeError as error:
        say(one_line(f"{path.name}: not fixed: {error.message} {error.hint}"))
        return found
    for finding in found:
        if finding.moved is not None:
            to = f"{finding.moved['page_id']}, S:{finding.moved['sentence']}"
            say(one_line(f"{path.name}: {finding.case}, {finding.field}: now {to}"))
    return _lint_one(name, pages=True)


def import_suite(arguments: argparse.Namespace) -> int:
    """Writes the suite and its answers; says what was taken and what was not."""
    from claimscope.stores.suites.importing import import_file
    from claimscope.stores.suites.writing import write_suite

    file: Path = arguments.file
    found = import_file(file, arguments.provider, arguments.map)
    out: Path = arguments.out or Path(f"{file.absolute().stem}.suite.json")
    answers = out.with_name(f"{out.stem}.answers.jsonl") if found.answers else None
    _check_free(out, answers, force=arguments.force)
    answers = write_suite(found.suite, found.answers, out, answers)
    if arguments.json:
        write_json(
            {
                "tool": found.tool,
                "suite": str(out),
                "answers": str(answers) if answers else None,
                "rows": found.rows,
                "cases": len(found.suite.cases),
                "answers_count": len(found.answers),
                "taken": [list(one) for one in found.taken],
                "left": [list(one) for one in found.left],
                "missing": [
                    {"field": source, "rows": [list(one) for one in places]}
                    for source, places in found.missing
                ],
                "problems": list(found.problems),
            }
        )
    else:
        _say_import(found)
        print(out)
    return 1 if found.problems else 0


def _say_import(found: ImportResult) -> None:
    from claimscope.core.report.text import one_line

    say(
        f"{found.tool}: {counted_noun(found.rows, 'row')}, "
        f"{counted_noun(len(found.suite.cases), 'case')},"
        f" {counted_noun(len(found.answers), 'answer')}"
    )
    for source, target, count in found.taken:
        say(f"  taken     {one_line(source)} -> {target} ({count})")
    for source, why, count in found.left:
        say(f"  no place  {one_line(source)}: {why} ({count})")
    for source, places in found.missing:
        say(f"  missing   {one_line(f'{source}: {_place_list(places)}')}")
    for problem in found.problems:
        say(f"  not taken {one_line(problem)}")


def _place_list(places: Sequence[tuple[str, str]], most: int = 5) -> str:
    """`line 1 (NaN), line 5 (null) and 3 more`."""
    text = ", ".join(f"{place} ({shown})" for place, shown in places[:most])
    return text + (f" and {len(places) - most:,} more" if len(places) > most else "")


def _check_free(out: Path, answers: Path | None, *, force: bool) -> None:
    for path in (out, answers):
        if path is not None and path.exists() and not force:
            raise InputError(
                f"{path}: it exists already", "name another with -o, or --force"
            )


def build(arguments: argparse.Namespace) -> int:
    """Writes the suite, with the answers of logs beside it; says what came of it."""
    from claimscope.stores.suites.writing import write_suite
    from claimscope.tui.services.suite.build import from_logs, from_pages

    out: Path = arguments.out
    if out.suffix.lower() != ".json":
        raise InputError(f"-o {out}: suites are built as JSON", "name a file *.json")
    if arguments.cases < 1:
        raise InputError(f"--cases {arguments.cases}: at least 1", "ask for more")
    answers = (
        out.with_name(f"{out.stem}.answers.jsonl") if arguments.from_logs else None
    )
    _check_free(out, answers, force=arguments.force)
    workspace = open_workspace(arguments)
    settings = command_settings(workspace, arguments)
    make = from_logs if arguments.from_logs else from_pages
    made = make(workspace, settings, arguments)
    write_suite(made.suite, made.answers, out, answers if made.answers else None)
    for line in made.words:
        say(line)
    if arguments.json:
        write_json({"suite": str(out), "cases": len(made.suite.cases), **made.figures})
    else:
        print(out)
    return 1 if len(made.suite.cases) < arguments.cases else 0


def export(arguments: argparse.Namespace) -> int:
    """The file of a tool to stdout, or to --out; --json: its rows."""
    from claimscope.stores.suites.exports import file_text, rows_for

    rows = rows_for(arguments.format, _answered_cases(arguments))
    if arguments.out is None and arguments.json:
        write_json(rows)
        return 0
    text = escape_json(file_text(arguments.format, rows))
    if arguments.out is None:
        print(text, end="")
        return 0
    write_atomically(arguments.out, text.encode())
    say(f"{arguments.out}: {counted_noun(len(rows), 'row')}")
    return 0


def _answered_cases(arguments: argparse.Namespace) -> list[AnsweredCase]:
    """Of a suite when there is one of that name, else of a run."""
    from claimscope.stores.suites.exports import answered_in_run, answered_in_suite
    from claimscope.stores.suites.loading import load_suite, resolve_suite

    name = arguments.name
    try:
        path = resolve_suite(name)
    except SuiteError as no_suite:
        runs = open_runs(open_workspace(arguments))
        try:
            return list(answered_in_run(runs.read(run_named(runs, name)).samples()))
        except ClaimscopeError as error:
            if name == "last" or Path(name).exists():
                raise
            raise InputError(
                f"{name}: there is no such run or suite",
                "`claimscope runs` lists the runs. " + no_suite.hint,
            ) from error
    loaded = load_suite(path)
    return list(answered_in_suite(loaded.suite.cases, loaded.answers))


def schema(arguments: argparse.Namespace) -> int:
    from claimscope.stores.suites.schema import schema_text

    print(schema_text(), end="")
    return 0
