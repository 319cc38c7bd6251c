"""A run of any size on a Dask cluster whose workers only seem to judge: what of a long
run is the engine's own, its time and its memory.

    python -m benchmarks.speed.cluster_scale [--samples 100000] [--workers 2]
        [--threads 8]
        [--calls 1] [--kill-at 0.5] [--json]

Scheduler, workers, engine, journal and every message between them are real; a worker
makes up a result of five claims (made_run.py) in place of judging, and so many model
calls that it asks for and keeps as real ones. The engine is killed (-9) when that part
of the samples is saved, and `resume` goes on. Printed: samples a second, processor time
a sample, memory of each process at a tenth of the run and at its end, and how long the
engine took from its last sample to its end. Exit 1 when a sample or a call is missing,
or one that had been saved was made again. Linux only.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path

from benchmarks.speed.memory import write_suite
from benchmarks.tools.processes import Watch, at
from claimscope.stores.runs.run_store import RUN_JOURNAL, DiskRunStore
from claimscope.stores.workspace.paths import Workspace
from tests.processes.dask_cluster import DaskProcesses

ROOT = Path(__file__).resolve().parents[2]

POLL = 0.5
"""Seconds between looks at how far the run is."""
AHEAD = 3
"""Times as many samples as workers judge at once may wait to be saved or be on their
way when the engine is killed."""
PRELOAD = """
import os
from benchmarks.tools.made_run import sample
from claimscope.core.run.cluster.recipe import Judged
from claimscope.core.models import CallRecord, Usage
from claimscope.tui.services.run import cluster_worker

made = open(os.environ["MADE"] + str(os.getpid()), "a", buffering=1)

async def judge(self, task):
    for n in range({calls}):
        key = f"{{task.key}} {{n}}"
        if await self.calls.find(key) is None:
            print("call", key, file=made)
            await self.calls.keep(CallRecord(
                key=key, purpose="verify", model="made", prompt_digest="p",
                prompt="Does the document state the claim? " * 40, reply="Yes",
                usage=Usage(calls=1),
            ))
    print("sample", task.key, file=made)
    result = sample(int(task.key.case_id[1:]))
    named = dict(key=task.key, case=task.case, answer=task.answer)
    return Judged(result.model_copy(update=named), self.calls.take_notes())

cluster_worker.Session.judge = judge
"""


@dataclass
class Part:
    """From a start of the engine to its end, or until it was killed."""

    begun: int
    """Samples that were saved before."""
    saved: int = 0
    seconds: float = 0.0
    """From the first sample of this part to the last."""
    before: float = 0.0
    """Seconds until the first."""
    after: float = 0.0
    """Seconds from the last to the end."""
    processor: dict[str, float] = field(default_factory=dict)
    """Milliseconds a sample, by process."""
    early: dict[str, float] = field(default_factory=dict)
    """MB of each process at a tenth of the part."""
    late: dict[str, float] = field(default_factory=dict)
    """MB of each at its end."""
    peak: dict[str, float] = field(default_factory=dict)

    @property
    def rate(self) -> float:
        """Samples a second."""
        return (self.saved - self.begun) / self.seconds if self.seconds else 0.0


def run_part(
    words: list[str], store: DiskRunStore, watch: Watch, begun: int, until: int
) -> Part:
    """Starts the engine; kills it when so many samples are saved, unless it ends."""
    part, start, first = Part(begun, begun), time.time(), 0.0
    last, tenth = start, 0.0
    engine = subprocess.Popen(
        [sys.executable, "-P", "-m", "claimscope", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / ".src")},
    )
    name = f"engine {'resumed' if begun else 'begun'}"
    watch.add(**{name: engine.pid})
    try:
        while engine.poll() is None:
            time.sleep(POLL)
            saved = next((one.completed for one in store.runs()), 0)
            if saved > part.saved:
                first = first or time.time()
                part.saved, last = saved, time.time()
                if not tenth and saved - begun >= (until - begun) / 10:
                    tenth = last
            if saved >= until and not begun:
                engine.kill()
    finally:  # where this script is interrupted
        engine.kill()
        said = engine.communicate()[1]
    if engine.returncode not in (0, 3, -9):
        sys.exit(said[-3000:])
    end = time.time()
    part.saved = next(one.completed for one in store.runs())
    part.seconds, part.before, part.after = last - first, first - start, end - last
    used, count = watch.processor(first, last), max(1, part.saved - begun)
    part.processor = {n: 1000 * v / count for n, v in used.items() if v}
    for process, looks in watch.seen.items():
        part.early[process] = at(looks, tenth or last).resident
        part.late[process] = at(looks, last).resident
        ours = (x.resident for x in looks if x.at >= start - 1)
        part.peak[process] = max(ours, default=0.0)
    return part


def made_twice(folder: Path, allowed: int) -> list[str]:
    """What is wrong with what the workers made."""
    counts = {"sample": Counter[str](), "call": Counter[str]()}
    for path in folder.glob("made*"):
        for line in path.read_text().splitlines():
            kind, _, key = line.partition(" ")
            counts[kind][key] += 1
    wrong = []
    for kind, found in counts.items():
        twice = sum(n - 1 for n in found.values())
        print(f"{kind}s made: {found.total():,}, of them again: {twice}", flush=True)
        if twice > allowed:
            wrong.append(f"{twice} {kind}s were made again, {allowed} were in flight")
    return wrong


def told(name: str, part: Part) -> None:
    print(
        f"{name}: {part.saved - part.begun:,} samples, {part.before:.0f} s to the "
        f"first, then {part.seconds:.0f} s, {part.rate:.0f} a second; "
        f"{part.after:.1f} s from the last to the end"
    )
    for process, late in part.late.items():
        if process in part.processor:
            print(
                f"  {process}: {part.processor[process]:.2f} ms a sample; "
                f"{part.early[process]:.0f} MB at a tenth, {late:.0f} at the last "
                f"sample, {part.peak[process]:.0f} at most"
            )
    sys.stdout.flush()


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--samples", type=int, default=100_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--threads", type=int, default=8, help="of each worker")
    parser.add_argument("--calls", type=int, default=1, help="of each sample")
    parser.add_argument("--kill-at", type=float, default=0.5, help="part that is saved")
    parser.add_argument("--json", type=Path, help="writes the figures there, too")
    options = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        suite = write_suite(folder / "suite", options.samples)
        workspace = folder / "workspace"
        dask = stack.enter_context(
            DaskProcesses(folder, PRELOAD.format(calls=options.calls))
        )
        watch = stack.enter_context(Watch())
        watch.add(scheduler=dask.scheduler.process.pid)
        for n in range(options.workers):
            made = {"MADE": str(folder / "made")}
            address = dask.add(made, threads=options.threads)
            watch.add(**{f"worker {n}": dask.workers[address].process.pid})
        store = DiskRunStore(Workspace(workspace).runs)
        at_cluster = ["--cluster", dask.address, "--workspace", str(workspace)]
        until = round(options.samples * options.kill_at)
        begun = run_part(["run", str(suite), *at_cluster], store, watch, 0, until)
        told("begun, then killed", begun)
        words = ["runs", "resume", "last", *at_cluster]
        resumed = run_part(words, store, watch, begun.saved, options.samples)
        told("resumed", resumed)
        (status,) = store.runs()
        journal = workspace / "runs" / status.header.run_id / RUN_JOURNAL
        print(f"journal {journal.stat().st_size / 1e6:,.0f} MB, {status.state}")
        in_flight = AHEAD * options.workers * options.threads
        wrong = made_twice(folder, in_flight)
        if status.completed != options.samples or status.state != "finished":
            wrong.append(f"{status.completed} of {options.samples}, {status.state}")
        calls = store.read(status.header.run_id).usage_by_model()
        saved = calls["made"].calls if options.calls else 0
        if saved != options.calls * options.samples:
            wrong.append(f"{saved} calls are saved")
        if options.json:
            found = {"samples": options.samples, "calls": options.calls}
            parts = [asdict(begun), asdict(resumed)]
            options.json.write_text(json.dumps({**found, "parts": parts}, indent=2))
    for words_ in wrong:
        print(f"WRONG: {words_}")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
