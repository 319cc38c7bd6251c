"""What the engine costs beside the work: wall time over the ideal.

    python -m benchmarks.speed.concurrency [--samples 1000] [--latency 0.25]
        [--concurrency 1,4,16,32]

Samples of a fixed latency that do nothing but wait are run through the engine into a
journal on this disk, every save durable. Ideal = ceil(samples / concurrency) x
latency. A loop without engine and journal runs beside it, as the floor of what this
machine's timers and event loop can do. Exit 1 when a ratio is above --aim.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import sys
import tempfile
import time
from collections import deque
from contextlib import closing
from pathlib import Path

from claimscope.core.events import SampleFinished
from claimscope.core.models import Answer, Case, RunHeader, SampleKey, SampleResult
from claimscope.core.run.engine import execute
from claimscope.core.run.plan import RunPlan, SampleTask
from claimscope.stores.runs.run_store import DiskRunStore


def plan_of(samples: int, concurrency: int) -> RunPlan:
    """A plan of fictional samples with answers of a usual length."""
    tasks = []
    text = "The harbour light of Varn is 38 metres high and was lit in 1974. " * 12
    for number in range(samples):
        name = f"light-{number}"
        case = Case(id=name, question=f"How high is light {number}?")
        answer = Answer(case_id=name, provider="double", text=text)
        key = SampleKey(case_id=name, provider="double")
        tasks.append(SampleTask(key, case, answer))
    header = RunHeader(
        run_id=f"bench-{concurrency}",
        created="2026-01-01T00:00:00.000+00:00",
        fingerprint="",
        suite_id="double",
        suite_digest="",
        answers_digest="",
        verifier="double",
        concurrency=concurrency,
        total_samples=samples,
        version="",
    )
    return RunPlan(header, tuple(tasks))


async def floor(samples: int, concurrency: int, latency: float) -> float:
    """Seconds of the same waits without an engine."""
    left = deque(range(samples))

    async def worker() -> None:
        while left:
            left.popleft()
            await asyncio.sleep(latency)

    began = time.perf_counter()
    await asyncio.gather(*(worker() for _ in range(concurrency)))
    return time.perf_counter() - began


async def engine(
    folder: Path, samples: int, concurrency: int, latency: float
) -> tuple[float, int]:
    """Seconds of the engine, from the first event to the last, and saved samples."""
    plan = plan_of(samples, concurrency)
    saved = 0

    async def judge(task: SampleTask) -> SampleResult:
        await asyncio.sleep(latency)
        return SampleResult(
            key=task.key, case=task.case, answer=task.answer, passed=True
        )

    with closing(DiskRunStore(folder).create(plan.header)) as journal:
        began = time.perf_counter()
        async for event in execute(plan, judge, journal):
            saved += isinstance(event, SampleFinished)
        return time.perf_counter() - began, saved


def main() -> int:
    """Prints a line for each concurrency."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=1000)
    parser.add_argument("--latency", type=float, default=0.25, help="seconds")
    parser.add_argument("--concurrency", default="1,4,16,32")
    parser.add_argument("--aim", type=float, default=1.02)
    arguments = parser.parse_args()
    worst = 0.0
    print(f"{arguments.samples} samples of {arguments.latency:g} s")
    print("at once   ideal s    wall s    wall/ideal   floor/ideal   saved")
    for number in map(int, arguments.concurrency.split(",")):
        ideal = math.ceil(arguments.samples / number) * arguments.latency
        least = asyncio.run(floor(arguments.samples, number, arguments.latency))
        with tempfile.TemporaryDirectory() as folder:
            wall, saved = asyncio.run(
                engine(Path(folder), arguments.samples, number, arguments.latency)
            )
        worst = max(worst, wall / ideal)
        print(
            f"{number:7}  {ideal:8.2f}  {wall:8.2f}  {wall / ideal:12.3f}  "
            f"{least / ideal:12.3f}  {saved:6}",
            flush=True,
        )
    return int(worst > arguments.aim)


if __name__ == "__main__":
    sys.exit(main())
