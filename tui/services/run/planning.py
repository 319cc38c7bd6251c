"""From the words of a command to a plan that can be run: suite, pages, models.

Everything that can be refused is refused here, before a sample is judged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, overload

from claimscope.core.errors import InputError
from claimscope.core.metrics.discovery import found_plugins
from claimscope.core.models import RunHeader, digest
from claimscope.core.report.text import one_line
from claimscope.core.run.header_changes import join_answers
from claimscope.core.run.plan import Models, RunPlan, further_judges, make_plan
from claimscope.core.services.scoring import check_weights, chosen_metrics
from claimscope.core.settings import JUDGING, LANGUAGE_MODEL, Settings
from claimscope.stores.runs.records import utc_now
from claimscope.stores.runs.run_store import new_run_id
from claimscope.stores.suites.loading import LoadedSuite, load_answers, load_suite
from claimscope.tui.process.output import say
from claimscope.tui.process.version import version

if TYPE_CHECKING:
    from claimscope.core.ports import Corpus


@dataclass(frozen=True)
class RunRequest:
    suite: str
    """A shipped name or a path."""
    answers: Path | None = None
    pages: Path | None = None
    metrics: tuple[str, ...] = ()
    skip_bad_cases: bool = False
    """Leave malformed cases of the suite out, say so, and judge the others."""
    include_unreviewed: bool = False
    """Take in cases that a model wrote and nobody has accepted."""
    progress_file: Path | None = None
    """Rewritten after each sample with what is done."""
    run_id: str | None = None
    created: str | None = None
    added: tuple[Path, ...] = ()
    """Answers files that were added to the run later."""
    made_from: str | None = None
    carries: bool = False
    """Of a re-analysis: see RunHeader."""


def request_of_run(header: RunHeader) -> RunRequest:
    """What a run was asked to do when it was started. Raises InputError."""
    if header.suite_path is None:
        raise InputError(
            f"run {header.run_id} has no suite file to go on with", "start a new run"
        )
    return RunRequest(
        suite=header.suite_path,
        answers=Path(header.answers_path) if header.answers_path else None,
        pages=Path(header.pages_path) if header.pages_path else None,
        metrics=header.metrics,
        skip_bad_cases=header.skip_bad_cases,
        include_unreviewed=header.include_unreviewed,
        run_id=header.run_id,
        created=header.created,
        added=tuple(Path(file) for file in header.added_answers),
        made_from=header.made_from,
        carries=header.carries,
    )


def settings_of_run(
    header: RunHeader, now: Settings, flags: Mapping[str, object | None] | None = None
) -> Settings:
    """The settings a run was started with; what does not change verdicts (the host,
    retries) is as it is now, and so is what `flags` say. Raises SettingsError."""
    given = {name for name, value in (flags or {}).items() if value is not None}
    old = {name: header.settings[name] for name in JUDGING if name in header.settings}
    old.setdefault("server", "ollama")  # there was no other, and no such setting
    if old.get("verifier") in LANGUAGE_MODEL:
        old["verifier"] = "model"  # of whichever server it is now
    return Settings.model_validate(
        {
            **now.model_dump(),
            **old,
            "model": header.model,
            "judges": further_judges(header),
            "iterations": header.iterations,
            "concurrency": header.concurrency,
            # `now` has read and checked them.
            **{name: getattr(now, name) for name in given},
        }
    )


def load(wanted: RunRequest) -> LoadedSuite:
    """The suite with its answers. Raises SuiteError, InputError."""
    chosen_metrics(wanted.metrics)
    for problem in found_plugins().problems:
        say(f"note: {one_line(problem)}")
    loaded = load_suite(
        wanted.suite,
        answers=wanted.answers,
        lenient=wanted.skip_bad_cases,
        which="not_dropped" if wanted.include_unreviewed else "accepted",
    )
    for note in loaded.notes:
        say(f"note: {one_line(note)}")
    return with_added(loaded, wanted.added)


def with_added(loaded: LoadedSuite, files: Sequence[Path]) -> LoadedSuite:
    """The suite with the answers of further files. Raises SuiteError, InputError."""
    for file in files:
        further = load_answers(file, loaded.suite, loaded.left_out)
        answers = join_answers(loaded.answers, further, file.name)
        texts = (answer.model_dump_json() for answer in answers)
        loaded = replace(loaded, answers=answers, answers_digest=digest(*texts))
    return loaded


def pages_folder(wanted: RunRequest, loaded: LoadedSuite) -> Path | None:
    """The folder of ground truth: the flag's, else the suite's."""
    if wanted.pages is not None:
        return wanted.pages.absolute()
    if loaded.suite.pages is None:
        return None
    return (loaded.path.parent / loaded.suite.pages).absolute()


def plan(
    wanted: RunRequest,
    loaded: LoadedSuite,
    corpus: Corpus | None,
    settings: Settings,
    models: Models,
) -> RunPlan:
    """The plan, with a new run id unless one is wanted. Raises InputError."""
    check_weights(settings)
    folder = pages_folder(wanted, loaded)
    made = make_plan(
        loaded.suite,
        loaded.answers,
        settings,
        models,
        run_id=wanted.run_id or new_run_id(),
        created=wanted.created or utc_now(),
        version=version(),
        corpus=(corpus.name, corpus.version) if corpus else None,
        paths=(
            str(loaded.path.absolute()),
            str(wanted.answers.absolute()) if wanted.answers else None,
            str(folder) if folder else None,
        ),
        digests=(loaded.digest, loaded.answers_digest),
        metrics=wanted.metrics or chosen_metrics((), settings),
    )
    kept = {
        "skip_bad_cases": wanted.skip_bad_cases,
        "include_unreviewed": wanted.include_unreviewed,
        "added_answers": tuple(str(file.absolute()) for file in wanted.added),
        "made_from": wanted.made_from,
        "carries": wanted.carries,
    }
    return replace(made, header=made.header.model_copy(update=kept))


class QuestionsAndAnswers(Sequence[str]):
    """Each question of a suite with its answer: how long the prompts of a judge become
    is planned by them. Made when looked at: 20,000 would hold 12 MB while a run goes
    on."""

    def __init__(self, loaded: LoadedSuite) -> None:
        self._loaded = loaded
        self._questions = {case.id: case.question for case in loaded.suite.cases}

    def __len__(self) -> int:
        return len(self._loaded.answers)

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...

    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        if isinstance(place, slice):
            return [self[number] for number in range(len(self))[place]]
        answer = self._loaded.answers[place]
        return self._questions.get(answer.case_id, "") + answer.text
