"""Everything that can happen in a run, as one discriminated union.

The engine saves first and yields then, so whoever sees an event knows that it is
on disk. Names are in the past tense.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from claimscope.core.models import Model, RunStatus, SampleKey, SampleResult


class RunStarted(Model):
    """The plan was accepted; `status` counts what earlier parts finished."""

    kind: Literal["run_started"] = "run_started"
    status: RunStatus


class SampleStarted(Model):
    """A worker took a sample."""

    kind: Literal["sample_started"] = "sample_started"
    key: SampleKey


class SampleFinished(Model):
    """A sample was judged and saved."""

    kind: Literal["sample_finished"] = "sample_finished"
    result: SampleResult
    status: RunStatus


class Noted(Model):
    """Something a person should know: a retry, a warning."""

    kind: Literal["noted"] = "noted"
    message: str


class RunPaused(Model):
    """Calls in flight were finished; the engine waits."""

    kind: Literal["run_paused"] = "run_paused"
    status: RunStatus


class RunResumed(Model):
    """The engine goes on after a pause."""

    kind: Literal["run_resumed"] = "run_resumed"
    status: RunStatus


class RunFinished(Model):
    """All samples are done, or the run was cancelled or stopped (see state)."""

    kind: Literal["run_finished"] = "run_finished"
    status: RunStatus


Event = Annotated[
    RunStarted
    | SampleStarted
    | SampleFinished
    | Noted
    | RunPaused
    | RunResumed
    | RunFinished,
    Field(discriminator="kind"),
]
