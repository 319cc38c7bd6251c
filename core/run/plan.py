"""What a run will do, decided and refused early, before any model is asked.

The fingerprint of a plan covers everything that changes a verdict: suite, answers,
corpus version, metrics, prompts, models, and the settings named in `JUDGING`. A run
is resumed only when its fingerprint is still the same (core/run/header_changes.py).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from claimscope.core.errors import InputError
from claimscope.core.models import (
    Answer,
    Case,
    JsonValue,
    RunHeader,
    SampleKey,
    SampleRow,
    Suite,
    digest,
)
from claimscope.core.ports import RunWriter
from claimscope.core.settings import JUDGING, Settings

SHOWN = {
    "suite_digest": "the suite",
    "answers_digest": "the answers",
    "corpus_version": "the pages, or how they are split and embedded",
    "embedding_model": "the embedding model",
    "verifier": "the verifier",
    "judge": "whether the judge is asked",
    "model": "the model",
    "model_digest": "the model's weights",
    "judges": "the judges, or their weights",
    "metrics": "the metrics",
    "rubric": "the rubric",
    "iterations": "the number of iterations",
    "settings": "the settings",
}
"""Parts of a header that belong to the fingerprint, with their names for people."""


@dataclass(frozen=True)
class SampleTask:
    """One sample to judge: pure data, so that any worker can take it."""

    key: SampleKey
    case: Case
    answer: Answer


@dataclass(frozen=True)
class Models:
    """The models a run uses, as they are at its start."""

    embedding: str | None = None
    verifier: str = "none"
    model: str | None = None
    model_digest: str | None = None
    judges: tuple[str, ...] = ()
    """All models that judge, when they are several, as `judge_id` names them."""
    prompts_digest: str = ""
    evidence_digest: str = ""
    """Of the fitted model behind verdicts without a language model."""


@dataclass(frozen=True)
class RunPlan:
    """A header without its run id and time, and the samples it stands for."""

    header: RunHeader
    tasks: tuple[SampleTask, ...]


def make_plan(
    suite: Suite,
    answers: Sequence[Answer],
    settings: Settings,
    models: Models,
    *,
    run_id: str,
    created: str,
    version: str,
    corpus: tuple[str, str] | None,
    paths: tuple[str | None, str | None, str | None] = (None, None, None),
    digests: tuple[str, str] = ("", ""),
    metrics: Sequence[str] = (),
) -> RunPlan:
    """The plan of a run; corpus is (name, version), paths are those of
    (suite, answers, pages), digests those of (suite, answers). Raises InputError when
    there is nothing to judge, or nothing to judge it by."""
    tasks = make_tasks(suite, answers, settings.iterations)
    check_keys(suite, tasks)
    if not tasks:
        raise InputError(
            f"suite {suite.id}: no case has an answer, so there is nothing to judge",
            'give answers: a file named by "answers" in the suite, or --answers FILE',
        )
    if corpus is None and not any(has_contexts(task.case) for task in tasks):
        raise InputError(
            f"suite {suite.id}: there is no ground truth: the suite names no pages "
            "and no case has contexts",
            'name a folder by "pages" in the suite, or give --pages FOLDER',
        )
    if settings.pass_rule == "grades" and not settings.judge:
        raise InputError(
            "samples are to pass by grades, and no judge gives any",
            "add --judge --model NAME, or --pass-rule claims",
        )
    header = RunHeader(
        run_id=run_id,
        created=created,
        fingerprint="",
        suite_id=suite.id,
        suite_title=suite.title,
        suite_path=paths[0],
        suite_digest=digests[0],
        answers_path=paths[1],
        pages_path=paths[2],
        answers_digest=digests[1],
        corpus=corpus[0] if corpus else None,
        corpus_version=corpus[1] if corpus else None,
        embedding_model=models.embedding,
        verifier=models.verifier,
        judge=settings.judge,
        model=models.model,
        model_digest=models.model_digest,
        judges=models.judges,
        metrics=tuple(metrics),
        rubric=suite.rubric,
        providers=tuple(sorted({task.answer.provider for task in tasks})),
        iterations=settings.iterations,
        concurrency=settings.concurrency,
        seed=settings.seed,
        total_samples=len(tasks),
        version=version,
        settings=judging_settings(settings, models),
        prices=settings.prices,
        currency=settings.currency,
    )
    header = header.model_copy(update={"fingerprint": fingerprint(header)})
    return RunPlan(header, tasks)


def has_contexts(case: Case) -> bool:
    """Whether a case brings its own ground truth."""
    return any(context.strip() for context in case.contexts)


def make_tasks(
    suite: Suite, answers: Sequence[Answer], iterations: int
) -> tuple[SampleTask, ...]:
    """Samples in the order of the suite's cases, then answers, then iterations."""
    by_case: dict[str, list[Answer]] = {}
    for answer in answers:
        by_case.setdefault(answer.case_id, []).append(answer)
    return tuple(
        SampleTask(
            SampleKey(case_id=case.id, provider=answer.provider, iteration=iteration),
            case,
            answer,
        )
        for iteration in range(1, iterations + 1)
        for case in suite.cases
        for answer in by_case.get(case.id, ())
    )


def check_keys(suite: Suite, tasks: Sequence[SampleTask]) -> None:
    """Raises InputError when two samples would be saved under one key, so that one
    would silently stand for both."""
    seen: set[str] = set()
    for task in tasks:
        if str(task.key) in seen:
            raise InputError(
                f"suite {suite.id}: there are two answers for sample {task.key}",
                "keep one of them, or give each its own provider",
            )
        seen.add(str(task.key))


def judging_settings(settings: Settings, models: Models) -> dict[str, JsonValue]:
    """The settings that change verdicts, and the digest of all prompts."""
    values: dict[str, JsonValue] = {name: getattr(settings, name) for name in JUDGING}
    return {
        **values,
        "prompts": models.prompts_digest,
        "evidence_model": models.evidence_digest,
    }


def further_judges(header: RunHeader) -> tuple[str, ...]:
    """Names of the models that judge beside the header's own, in their order."""
    names = (one.rpartition("@")[0] or one for one in header.judges)
    return tuple(name for name in names if name != header.model)


def fingerprint(header: RunHeader) -> str:
    """Digest of the parts of header named in `SHOWN`."""
    return digest(header.model_dump_json(include=set(SHOWN)))


@dataclass(frozen=True)
class JudgeAgain:
    """Which finished samples are judged again."""

    errors: bool = False
    """Those that could not be judged."""
    failures: bool = False
    """Those that failed."""

    def wants(self, row: SampleRow) -> bool:
        return (self.errors and row.error is not None) or (
            self.failures and row.passed is False
        )

    def __bool__(self) -> bool:
        return self.errors or self.failures


def remaining_tasks(
    plan: RunPlan, journal: RunWriter, again: JudgeAgain
) -> deque[SampleTask]:
    """The samples of a plan that are to be judged. Keys say what is finished; rows, of
    which 100,000 take seconds and 70 MB, are read only where it counts what failed."""
    if again.failures:
        rows = {str(row.key): row for row in journal.rows()}
        return deque(
            task
            for task in plan.tasks
            if (row := rows.get(str(task.key))) is None or again.wants(row)
        )
    errors = journal.finished_keys()
    done = {key for key, error in errors.items() if not again.errors or error is None}
    return deque(task for task in plan.tasks if str(task.key) not in done)
