"""`claimscope suite`: check suite files, make them of other tools' files, export."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from claimscope.stores.formats.importing import Imported
    from claimscope.stores.formats.lint import Finding

EPILOG = """\
  suite lint FILE …        each mistake with file, case, field and remedy
  suite import FILE        a suite of a file of ragas, promptfoo, DeepEval, RAGChecker,
                           of query logs, or of a test set with expected citations;
                           what the file is, is seen by what stands in it
  suite export NAME        the answers of a run or suite as rows of ragas (JSON lines)
  suite schema             the JSON Schema of suite files

exit codes: 0 done; 1 `lint`: a mistake (--strict: or a warning), `import`: a row was
not taken; 2 wrong use, or a file that cannot be used
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """One sub-command each."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    one = actions.add_parser("lint", help="find mistakes in suite files")
    one.add_argument("files", nargs="+", metavar="SUITE", help="file, folder or name")
    one.add_argument("--strict", action="store_true", help="exit 1 for warnings too")
    one.add_argument(
        "--no-pages",
        action="store_true",
        help="do not read the pages to check expected citations",
    )
    _json(one)
    one = actions.add_parser("import", help="make a suite of another tool's file")
    one.add_argument("file", type=Path, metavar="FILE")
    one.add_argument("-o", "--out", type=Path, metavar="SUITE.json")
    one.add_argument("--provider", default="imported", help="who gave the answers")
    one.add_argument("--force", action="store_true", help="replace files that exist")
    _json(one)
    one = actions.add_parser("export", help="rows for another tool")
    one.add_argument("name", metavar="RUN|SUITE", help="a run, `last`, or a suite")
    one.add_argument("--format", choices=("ragas",), default="ragas")
    one.add_argument("-o", "--out", type=Path, metavar="FILE")
    _json(one)
    actions.add_parser("schema", help="print the JSON Schema of suite files")


def _json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--json",
        action="store_true",
        default=argparse.SUPPRESS,
        help="print JSON to stdout",
    )


def run(arguments: argparse.Namespace) -> int:
    """Does what the action says."""
    actions = {"lint": lint, "import": take, "export": export, "schema": schema}
    return actions[arguments.action](arguments)


def lint(arguments: argparse.Namespace) -> int:
    """A line a finding."""
    from claimscope.core.report.text import one_line
    from claimscope.tui.output import say, write_json

    findings: list[Finding] = []
    for name in arguments.files:
        findings += _linted(name, pages=not arguments.no_pages)
    if arguments.json:
        write_json([vars(finding) for finding in findings])
    else:
        for finding in findings:
            print(one_line(str(finding)))
    errors = sum(finding.level == "error" for finding in findings)
    warnings = len(findings) - errors
    say(f"{len(arguments.files)} files, {errors} errors, {warnings} warnings")
    return 1 if errors or (arguments.strict and warnings) else 0


def _linted(name: str, *, pages: bool) -> list[Finding]:
    from claimscope.core.errors import SuiteError
    from claimscope.stores.formats.lint import Finding
    from claimscope.stores.formats.lint import lint as findings_of
    from claimscope.stores.suites import read_raw, resolve_suite

    path = resolve_suite(name)
    try:
        raw = read_raw(path)
    except SuiteError as error:
        return [Finding("error", path.name, "", "", error.message, error.hint)]
    return list(findings_of(raw, path, pages=pages))


def take(arguments: argparse.Namespace) -> int:
    """Writes the suite and its answers; says what was taken and what was not."""
    from claimscope.stores.formats.importing import import_text
    from claimscope.stores.suites import text_of
    from claimscope.tui.output import write_json

    file: Path = arguments.file
    found = import_text(text_of(file), file.name, arguments.provider)
    out: Path = arguments.out or Path(f"{file.stem}.suite.json")
    answers = out.with_name(f"{out.stem}.answers.jsonl") if found.answers else None
    _write(found, out, answers, force=arguments.force)
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
                "problems": list(found.problems),
            }
        )
    else:
        _tell(found)
        print(out)
    return 1 if found.problems else 0


def _tell(found: Imported) -> None:
    from claimscope.core.report.text import one_line
    from claimscope.tui.output import say

    say(
        f"{found.tool}: {found.rows} rows, {len(found.suite.cases)} cases,"
        f" {len(found.answers)} answers"
    )
    for source, target, count in found.taken:
        say(f"  taken     {one_line(source)} -> {target} ({count})")
    for source, why, count in found.left:
        say(f"  no place  {one_line(source)}: {why} ({count})")
    for problem in found.problems:
        say(f"  not taken {one_line(problem)}")


def _write(found: Imported, out: Path, answers: Path | None, *, force: bool) -> None:
    from claimscope.core.errors import InputError
    from claimscope.stores.paths import write_atomically

    for path in (out, answers):
        if path is not None and path.exists() and not force:
            raise InputError(
                f"{path}: it exists already", "name another with -o, or --force"
            )
    suite = found.suite.model_copy(
        update={"answers": answers.name if answers else None}
    )
    lines = "".join(f"{answer.model_dump_json()}\n" for answer in found.answers)
    if answers is not None:
        write_atomically(answers, lines.encode())
    text = suite.model_dump_json(indent=2, exclude_defaults=True)
    write_atomically(out, (_headed(text) + "\n").encode())


def _headed(text: str) -> str:
    """Says the format first: it has a default, and is left out otherwise."""
    return text.replace(
        "{\n", '{\n  "format": "claimscope.suite",\n  "version": 1,\n', 1
    )


def export(arguments: argparse.Namespace) -> int:
    """JSON lines to stdout, or to --out."""
    from claimscope.stores.paths import write_atomically
    from claimscope.tui.output import say, write_json, write_json_line

    rows = _rows(arguments)
    if arguments.out is None:
        if arguments.json:
            write_json(rows)
        else:
            for row in rows:
                write_json_line(row)
        return 0
    import json

    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    write_atomically(arguments.out, lines.encode())
    say(f"{arguments.out}: {len(rows)} rows")
    return 0


def _rows(arguments: argparse.Namespace) -> list[dict[str, Any]]:
    """Of a suite when there is one of that name, else of a run."""
    from claimscope.core.errors import ClaimscopeError, InputError, SuiteError
    from claimscope.stores.formats.ragas_rows import run_rows, suite_rows
    from claimscope.stores.suites import load_suite, resolve_suite
    from claimscope.tui.workspace import open_runs, open_workspace, run_named

    name = arguments.name
    try:
        path = resolve_suite(name)
    except SuiteError as no_suite:
        runs = open_runs(open_workspace(arguments))
        try:
            return list(run_rows(runs.read(run_named(runs, name)).samples()))
        except ClaimscopeError as error:
            if name == "last" or Path(name).exists():
                raise
            raise InputError(
                f"{name}: there is no such run or suite",
                "`claimscope runs` lists the runs. " + no_suite.hint,
            ) from error
    loaded = load_suite(path)
    return list(suite_rows(loaded.suite.cases, loaded.answers))


def schema(arguments: argparse.Namespace) -> int:
    """The schema to stdout."""
    from claimscope.stores.formats.schema import schema_text

    print(schema_text(), end="")
    return 0
