"""A run on a Dask cluster: how much faster several workers are than one, whether the
files are equal, what it costs, and what a killed worker costs.

    python -m benchmarks.speed.cluster [--workers 1 2 4] [--samples 64] [--latency 0.5]
        [--threads 2] [--no-verify] [--no-kill] [--json]

Each worker has an Ollama double of its own, a process that takes one call at a time and
answers after a fixed time, as a model server would: what is measured is the way the
work is shared out and not a model. The same suite is judged on one machine, on a
cluster of each size, and on the largest with one worker killed (-9) in the middle.

Times are from the begin of the run, when the workers are ready, to the last sample, as
the journal has them. Printed beside them: how much of that time the doubles were
answering, and the processor time a sample of workers, scheduler and coordinator, which
is the same for any number of workers where nothing is done twice. Exit 1 when results
differ, a call was made twice, or the speed-up of the largest over one worker is below
--aim.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from benchmarks.tools.processes import Watch
from claimscope.core.verify.planted_cases import CLAIMS
from claimscope.stores.runs.run_store import DiskRunStore
from claimscope.stores.workspace.paths import Workspace
from tests.doubles.fake_ollama import FakeOllama, Reply, chose, model, said
from tests.material.suite_folder import write_suite
from tests.processes.dask_cluster import DaskProcesses

ROOT = Path(__file__).resolve().parents[2]

MODEL = "double:1b"
YES, NO = {"Yes": -0.01, "No": -5}, {"No": -0.001, "Yes": -9}
BUSY = 10
"""Calls after which a worker is killed."""
DIGITS = 4
"""To which results are compared: vectors differ in their last digits with the texts
they are embedded among."""


def speak(body: dict[str, Any]) -> Reply:
    """What the double says; it knows the claims by which a model's leaning is seen."""
    prompt = body["messages"][-1]["content"]
    if body["options"]["num_predict"] == 1:
        for planted in CLAIMS:
            if planted.claim in prompt:
                return chose(YES if planted.is_true else NO)
        return chose(YES)
    return said(json.dumps({"explanation": "It follows the page.", "grade": 5}))


def serve(latency: float) -> None:
    """An Ollama double until stdin is closed; prints its address, a line when it has
    had `BUSY` calls, and at last their number."""
    turn = threading.Lock()

    def answer(body: dict[str, Any]) -> Reply:
        with turn:
            time.sleep(latency)
            if len(fake.chats) == BUSY:
                print("busy", flush=True)
        return speak(body)

    with FakeOllama(models={MODEL: model()}, answer=answer) as fake:
        print(fake.host, flush=True)
        sys.stdin.read()
        print(len(fake.chats), flush=True)


@dataclass
class Double:
    """A double as a process of its own."""

    process: subprocess.Popen[str]
    host: str
    calls: int = 0


@contextmanager
def double(latency: float) -> Iterator[Double]:
    """Its calls are known when the block has ended."""
    process = subprocess.Popen(
        [sys.executable, "-m", __spec__.name, "--serve", str(latency)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    made = Double(process, process.stdout.readline().strip())
    try:
        yield made
    finally:
        made.calls = int(process.communicate()[0].split()[-1])


def lights(folder: Path, samples: int) -> Path:
    """A page, a case and a one-claim answer for each sample, all fictional."""
    pages, cases, answers = {}, [], []
    for n in range(samples):
        name = f"{('Aver', 'Brank', 'Corrie', 'Dunl')[n % 4]}{_word(n)}"
        text = f"The {name} light was lit in {1800 + n}."
        pages[name] = f"{text} Its keeper at {name} paints the lantern room white."
        cases.append({"id": f"light-{n}", "question": f"When was {name} lit?"})
        answers.append({"case_id": f"light-{n}", "text": text})
    return write_suite(folder, "lights", pages, cases, answers)


def _word(number: int) -> str:
    """Another ending for each number."""
    letters = ""
    for _ in range(3):
        number, rest = divmod(number, 5)
        letters += ("ka", "lo", "mi", "nu", "re")[rest]
    return letters


@dataclass(frozen=True)
class Measured:
    seconds: float
    results: dict[str, Any]
    calls: int
    """Saved ones."""
    said: str
    processor: Mapping[str, float]
    """Seconds of each process that was watched, meanwhile."""


def measure(suite: Path, host: str, flags: list[str], watch: Watch) -> Measured:
    """A run by the command line, as a user starts it; `watch` sees it as
    `coordinator`."""
    with tempfile.TemporaryDirectory() as folder, watch:
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT / ".src"),
            "CLAIMSCOPE_WORKSPACE": folder,
            "OLLAMA_HOST": host,
        }
        command = ["run", str(suite), "--model", MODEL, "--judge", *flags]
        process = subprocess.Popen(
            [sys.executable, "-m", "claimscope", *command, "--json"],
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        watch.add(coordinator=process.pid)
        said = process.communicate()[1]
        if process.returncode:
            sys.exit(said)
        store = DiskRunStore(Workspace(Path(folder)).runs)
        (status,) = store.runs()
        reader = store.read(status.header.run_id)
        ends = [datetime.fromisoformat(s.finished or "") for s in reader.samples()]
        begin = datetime.fromisoformat(status.header.created)
        results = {
            str(sample.key): rounded(
                sample.model_dump(mode="json", exclude={"usage", "finished"})
            )
            for sample in reader.samples()
        }
        calls = reader.usage_by_model()[MODEL].calls
        used = watch.processor(begin.timestamp(), max(ends).timestamp())
        seconds = (max(ends) - begin).total_seconds()
        return Measured(seconds, results, calls, said, used)


def rounded(value: Any) -> Any:
    """A result without the last digits of its figures."""
    if isinstance(value, float):
        return round(value, DIGITS)
    if isinstance(value, dict):
        return {name: rounded(one) for name, one in value.items()}
    return [rounded(one) for one in value] if isinstance(value, list) else value


def on_cluster(
    suite: Path, workers: int, options: argparse.Namespace, *, kill: bool = False
) -> tuple[Measured, int]:
    """A run on a cluster, and the calls that all doubles got."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        doubles = [stack.enter_context(double(options.latency)) for _ in range(workers)]
        spare = stack.enter_context(double(0))
        dask = stack.enter_context(DaskProcesses(folder))
        watch = Watch()
        watch.add(scheduler=dask.scheduler.process.pid)
        for n, one in enumerate(doubles):
            address = dask.add({"OLLAMA_HOST": one.host}, threads=options.threads)
            watch.add(**{f"worker {n}": dask.workers[address].process.pid})
        if kill:
            killer = threading.Thread(target=kill_worker, args=(dask, doubles[0]))
            killer.start()
            stack.callback(killer.join)
        flags = ["--cluster", dask.address, *options.flags]
        measured = measure(suite, spare.host, flags, watch)
        if kill and not re.search(r"worker \S+ ended", measured.said):
            sys.exit("no worker was killed while it judged: give more --samples")
    return measured, sum(one.calls for one in doubles)


def kill_worker(dask: DaskProcesses, its: Double) -> None:
    """`kill -9` of the first worker, in the middle of its work."""
    assert its.process.stdout is not None
    if its.process.stdout.readline():
        dask.workers.pop(next(iter(dask.workers))).kill()


@dataclass(frozen=True)
class Way:
    """One way to run, as it was measured."""

    name: str
    workers: int
    seconds: float
    answering: float
    """Of that time, part in which the doubles were answering, [0, 1]."""
    worker_seconds: float
    """Processor time a sample: of all workers together."""
    scheduler_seconds: float
    coordinator_seconds: float


def told(
    name: str, workers: int, found: Measured, calls: int, options: argparse.Namespace
) -> Way:
    """What is printed of a run on a cluster."""
    samples, used = options.samples, found.processor
    at_work = sum(v for n, v in used.items() if n.startswith("worker"))
    return Way(
        name,
        workers,
        found.seconds,
        calls * options.latency / (found.seconds * workers),
        at_work / samples,
        used["scheduler"] / samples,
        used["coordinator"] / samples,
    )


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--threads", type=int, default=2, help="of each worker")
    parser.add_argument("--samples", type=int, default=64)
    parser.add_argument("--latency", type=float, default=0.5, help="seconds a call")
    parser.add_argument("--aim", type=float, default=0.95, help="of the workers")
    parser.add_argument("--no-verify", action="store_true", help="grades only")
    parser.add_argument("--no-kill", action="store_true", help="kill no worker")
    parser.add_argument("--json", action="store_true", help="for cluster_sizing.py")
    parser.add_argument("--serve", type=float, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.samples < BUSY * max(options.workers):
        parser.error(f"--samples: at least {BUSY} for each worker")
    options.flags = [] if options.no_verify else ["--verifier", "ollama"]
    return options


def main() -> int:
    """Prints a line for each way to run; gives the exit code."""
    options = arguments()
    if options.serve is not None:
        serve(options.serve)
        return 0
    is_right, found = True, []
    with tempfile.TemporaryDirectory() as folder:
        suite = lights(Path(folder) / "suite", options.samples)
        with double(0) as own:
            alone = measure(suite, own.host, options.flags, Watch())
        head = f"{options.samples} samples, {alone.calls} calls of {options.latency} s"
        print(head, file=sys.stderr, flush=True)
        sizes = [(f"{n} workers", n, False) for n in sorted(options.workers)]
        if not options.no_kill:
            sizes.append(("one killed", max(options.workers), True))
        for name, workers, kill in sizes:
            run, calls = on_cluster(suite, workers, options, kill=kill)
            same = run.results == alone.results
            is_right &= same and run.calls == alone.calls
            is_right &= kill or calls == alone.calls
            way = told(name, workers, run, calls, options)
            found.append(way)
            print(
                f"{name:11} {way.seconds:7.1f} s, doubles busy {way.answering:4.0%}, "
                f"{calls} calls made, {run.calls} saved, results "
                f"{'equal' if same else 'DIFFERENT'}; processor a sample: workers "
                f"{way.worker_seconds * 1000:.0f} ms, scheduler "
                f"{way.scheduler_seconds * 1000:.0f} ms, coordinator "
                f"{way.coordinator_seconds * 1000:.0f} ms",
                file=sys.stderr if options.json else sys.stdout,
                flush=True,
            )
    if options.json:
        calls = {"samples": options.samples, "calls": alone.calls}
        ways = [asdict(way) for way in found]
        print(json.dumps({**calls, "latency": options.latency, "ways": ways}, indent=2))
    whole = [way for way in found if way.name != "one killed"]
    if whole[0].workers != 1 or len(whole) < 2:
        return int(not is_right)
    speed_up = whole[0].seconds / whole[-1].seconds
    print(f"speed-up {speed_up:.2f} of {whole[-1].workers}", file=sys.stderr)
    return int(not is_right or speed_up < options.aim * whole[-1].workers)


if __name__ == "__main__":
    sys.exit(main())
