"""The figures of the samples that tests went through, held to what markers demand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from claimscope.core.analysis.gate import Gate
from claimscope.core.models import RunHeader, RunStatus, SampleResult, Usage
from claimscope.core.report.text import one_line
from claimscope.core.services.evaluation import Evaluated

Records = Sequence[Mapping[str, Any]]


def gates(judged: Mapping[str, Records]) -> list[Gate]:
    """What became of the demands of each test."""
    return [gate_of(test, records) for test, records in judged.items()]


def gate_of(test: str, records: Records) -> Gate:
    """The gate of one test. A sample that its tests did not come to is unscored."""
    samples = tuple(
        SampleResult.model_validate_json(record["result"])
        for record in records
        if record["result"] is not None
    )
    wanted = dict(records[0]["gate"])
    evaluated = Evaluated(status_of(test, samples, len(records)), samples)
    return evaluated.gate(**wanted)


def status_of(test: str, samples: Sequence[SampleResult], total: int) -> RunStatus:
    """The samples of a test as if they were a run."""
    outcomes = [sample.passed for sample in samples]
    header = RunHeader(
        run_id=test,
        created="",
        fingerprint="",
        suite_id=test,
        suite_digest="",
        answers_digest="",
        verifier="",
        total_samples=total,
        version="",
    )
    return RunStatus(
        header=header,
        state="finished",
        completed=len(samples),
        passed=outcomes.count(True),
        failed=outcomes.count(False),
        unscored=outcomes.count(None),
        usage=sum((sample.usage for sample in samples), Usage()),
    )


def lines(found: Gate) -> Iterator[str]:
    """`passed  pass_rate 0.85 >= 0.8 over 17 of 20`, a line a demand."""
    yield one_line(found.run_id)
    for check in found.checks:
        reached = "no figure" if check.reached is None else f"{check.reached:.4g}"
        word = check.state.replace("_", " ")
        line = f"  {word}: {check.name} {reached} {check.demanded}"
        line += f" over {check.n} of {check.total}"
        yield line + (f" ({one_line(check.reason)})" if check.reason else "")
