"""A suite of a sample of logged questions, with the answers that were logged."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

from claimscope.core.models import Suite
from claimscope.core.report.text import one_line
from claimscope.core.services.suite_building.sampling import DrawnSample, sample
from claimscope.core.settings import Settings
from claimscope.core.text.plurals import counted_noun
from claimscope.stores.suites.importing import ImportResult, import_file
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.bootstrap.judges import cached_embedder
from claimscope.tui.services.suite.build import SuiteToWrite


def from_logs(
    workspace: Workspace, settings: Settings, arguments: Namespace
) -> SuiteToWrite:
    """The suite of `--from-logs`: people asked these questions, so nobody needs to
    accept them. Raises SuiteError, EmbeddingError."""
    file: Path = arguments.from_logs
    found = import_file(file, arguments.provider)
    with cached_embedder(workspace, settings) as embedder:
        drawn = sample(found.suite.cases, arguments.cases, settings.seed, embedder)
    known = {case.id for case in drawn.cases}
    suite = Suite(
        id=arguments.out.stem,
        title=f"Sample of {file.name}",
        description=f"{len(drawn.cases)} of {drawn.read} logged questions, by category "
        f"in proportion to how many different ones it has (seed {settings.seed}).",
        cases=drawn.cases,
    )
    answers = tuple(one for one in found.answers if one.case_id in known)
    return SuiteToWrite(
        suite, answers, tuple(_words(found, drawn)), _figures(found, drawn)
    )


def _words(found: ImportResult, drawn: DrawnSample) -> Iterator[str]:
    yield (
        f"{found.tool}: {counted_noun(found.rows, 'row')}, "
        f"{counted_noun(drawn.read, 'question')}, {drawn.equal} in "
        f"the same words as another, {drawn.near} passed over as near one that was "
        f"taken; {len(drawn.cases)} taken"
    )
    for name, (taken, size) in drawn.by_category.items():
        yield one_line(f"  {name or '(no category)'}  {taken} of {size}")
    for problem in found.problems:
        yield one_line(f"  not taken  {problem}")


def _figures(found: ImportResult, drawn: DrawnSample) -> dict[str, object]:
    return {
        "tool": found.tool,
        "rows": found.rows,
        "questions": drawn.read,
        "equal": drawn.equal,
        "near": drawn.near,
        "categories": [
            {"category": name, "taken": taken, "different": size}
            for name, (taken, size) in drawn.by_category.items()
        ],
        "problems": list(found.problems),
    }
