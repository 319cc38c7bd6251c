"""A run as a document for programs: what `--format json` writes, and its JSON Schema.

Only what is named here leaves: no address of a host, no path of the machine that made
the run, no setting that does not say how the run was judged. A change of the shape
raises `VERSION`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any, Literal

from claimscope.core.analysis.agreement.overrides import settings_of
from claimscope.core.analysis.gate import Gate
from claimscope.core.analysis.summary.cost import Cost
from claimscope.core.analysis.summary.failures import FailureAnalysis, analyse_failures
from claimscope.core.analysis.summary.iterations import (
    GradeSummary,
    Iterations,
    PassGrade,
    grade_summary,
    over_iterations,
)
from claimscope.core.analysis.summary.quadrant import Quadrant, quadrant
from claimscope.core.analysis.summary.summary import Summary, summarise
from claimscope.core.models import (
    JsonValue,
    Model,
    RunState,
    RunStatus,
    SampleResult,
    Usage,
)
from claimscope.core.settings import JUDGING

VERSION = 1
SCHEMA_ID = f"urn:claimscope:report:{VERSION}"


class RunInfo(Model):
    """What a run is and where it stands."""

    run_id: str
    created: str
    updated: str | None
    state: RunState
    error: str | None
    suite: str
    suite_title: str | None
    rubric: str
    corpus: str | None
    corpus_version: str | None
    embedding_model: str | None
    verifier: str
    judge: bool
    model: str | None
    model_digest: str | None
    judges: tuple[str, ...]
    fitness: dict[str, str]
    metrics: tuple[str, ...]
    providers: tuple[str, ...]
    iterations: int
    fingerprint: str
    version: str
    """Claimscope's version."""
    settings: dict[str, JsonValue]
    """Those that change what a run finds out."""
    samples: int
    """Samples the run is to have."""
    completed: int
    passed: int
    failed: int
    unscored: int
    overruled: int
    """Claims whose verdict here is a person's, not the machine's."""
    parts: int
    usage: Usage


class Report(Model):
    """A run, its figures, what failed, what it cost, and every sample."""

    format: Literal["claimscope.report"] = "claimscope.report"
    version: Literal[1] = 1
    run: RunInfo
    gate: Gate | None
    """None when nothing was demanded."""
    summary: Summary
    grades: GradeSummary
    iterations: Iterations
    failures: FailureAnalysis
    quadrant: Quadrant
    """Faithful by complete."""
    cost: Cost
    samples: tuple[SampleResult, ...]
    """Those that did not pass first, in the order of the run."""


def report_of(
    status: RunStatus,
    samples: Sequence[SampleResult],
    *,
    cost: Cost,
    pass_grade: PassGrade,
    overruled: int = 0,
    gate: Gate | None = None,
) -> Report:
    """The document of a run as it stands."""
    return Report(
        run=run_info(status, overruled),
        gate=gate,
        summary=summarise(samples, settings_of(status.header)),
        grades=grade_summary(samples, pass_grade),
        iterations=over_iterations(samples, pass_grade),
        failures=analyse_failures(samples),
        quadrant=quadrant(samples, pass_grade),
        cost=cost,
        samples=tuple(sorted(samples, key=urgency)),
    )


def urgency(sample: SampleResult) -> int:
    """Failed before unscored before passed."""
    return {False: 0, None: 1, True: 2}[sample.passed]


def run_info(status: RunStatus, overruled: int) -> RunInfo:
    """The part of a run's header and state that may leave."""
    head = status.header
    shared = set(RunInfo.model_fields) & set(type(head).model_fields)
    known = {name: getattr(head, name) for name in shared - {"settings"}}
    return RunInfo(
        **known,
        **{name: getattr(status, name) for name in _OF_STATUS},
        suite=head.suite_id,
        samples=head.total_samples,
        overruled=overruled,
        settings=public_settings(head.settings),
    ).model_copy(update={"embedding_model": _nameless(head.embedding_model)})


_OF_STATUS = tuple(
    """updated state error completed passed failed unscored parts usage""".split()
)


def public_settings(settings: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Settings of judging by name; of a path, its last part."""
    return {name: _nameless(settings[name]) for name in JUDGING if name in settings}


def _nameless(value: Any) -> Any:
    if isinstance(value, str) and value.startswith(("/", "~", "\\")):
        return PurePath(value).name
    return value


def schema() -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of a report."""
    found = Report.model_json_schema(mode="serialization")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": SCHEMA_ID,
        **found,
    }
