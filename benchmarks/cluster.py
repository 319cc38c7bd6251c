"""A run on a Dask cluster: how much faster four workers are than one, whether the files
are equal, and what a killed worker costs.

    python benchmarks/cluster.py [--workers 4] [--samples 64] [--latency 0.5]
        [--threads 2] [--no-verify]

Each worker has an Ollama double of its own, a process that takes one call at a time and
answers after a fixed time, so that what is measured is the way the work is shared out
and not a model. The same suite is judged on one machine, on a cluster of one worker, on
one of all, and on one of all of which one is killed (-9) in the middle. Times are from
the first sample to the last, as the journal has them. Exit 1 when results differ, a
call was made twice, or the speed-up is below --aim.
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
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / ".src")]

from claimscope.core.verify.planted_cases import CLAIMS  # noqa: E402
from claimscope.stores.runs.run_store import DiskRunStore  # noqa: E402
from claimscope.stores.workspace.paths import Workspace  # noqa: E402
from tests.core.fake_ollama import (  # noqa: E402
    FakeOllama,
    Reply,
    chose,
    model,
    said,
)
from tests.dask_cluster import DaskProcesses  # noqa: E402
from tests.suite_folder import write_suite  # noqa: E402

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
        [sys.executable, __file__, "--serve", str(latency)],
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
    """A run that was measured."""

    seconds: float
    results: dict[str, Any]
    calls: int
    """Saved ones."""
    said: str


def measure(suite: Path, host: str, flags: list[str]) -> Measured:
    """A run by the command line, as a user starts it."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT / ".src"),
            "CLAIMSCOPE_WORKSPACE": folder,
            "OLLAMA_HOST": host,
        }
        command = ["run", str(suite), "--model", MODEL, "--judge", *flags]
        done = subprocess.run(
            [sys.executable, "-m", "claimscope", *command, "--json"],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            sys.exit(done.stderr)
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
        return Measured(
            (max(ends) - begin).total_seconds(), results, calls, done.stderr
        )


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
        for one in doubles:
            dask.add({"OLLAMA_HOST": one.host}, threads=options.threads)
        if kill:
            killer = threading.Thread(target=kill_worker, args=(dask, doubles[0]))
            killer.start()
            stack.callback(killer.join)
        flags = ["--cluster", dask.address, *options.flags]
        measured = measure(suite, spare.host, flags)
        if kill and not re.search(r"worker \S+ ended", measured.said):
            sys.exit("no worker was killed while it judged: give more --samples")
    return measured, sum(one.calls for one in doubles)


def kill_worker(dask: DaskProcesses, its: Double) -> None:
    """`kill -9` of the first worker, in the middle of its work."""
    assert its.process.stdout is not None
    if its.process.stdout.readline():
        dask.workers.pop(next(iter(dask.workers))).kill()


def main() -> int:
    """Prints a line for each way to run; gives the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--threads", type=int, default=2, help="of each worker")
    parser.add_argument("--samples", type=int, default=64)
    parser.add_argument("--latency", type=float, default=0.5, help="seconds a call")
    parser.add_argument("--aim", type=float, default=0.95, help="of the workers")
    parser.add_argument("--no-verify", action="store_true", help="grades only")
    parser.add_argument("--serve", type=float, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve is not None:
        serve(options.serve)
        return 0
    if options.samples < BUSY * options.workers:
        parser.error(f"--samples: at least {BUSY} for each worker")
    options.flags = [] if options.no_verify else ["--verifier", "ollama"]
    with tempfile.TemporaryDirectory() as folder:
        suite = lights(Path(folder) / "suite", options.samples)
        with double(0) as own:
            alone = measure(suite, own.host, options.flags)
        print(
            f"{options.samples} samples, {alone.calls} calls of {options.latency} s",
            flush=True,
        )
        ways = (
            ("1 worker", 1, False),
            (f"{options.workers} workers", options.workers, False),
            ("one killed", options.workers, True),
        )
        is_right, seconds = True, []
        for name, workers, kill in ways:
            found, calls = on_cluster(suite, workers, options, kill=kill)
            same = found.results == alone.results
            is_right &= same and found.calls == alone.calls
            is_right &= kill or calls == alone.calls
            seconds.append(found.seconds)
            print(
                f"{name:12} {found.seconds:8.1f} s  {calls} calls made, {found.calls} "
                f"saved  results {'equal' if same else 'DIFFERENT'}",
                flush=True,
            )
    speed_up = seconds[0] / seconds[1]
    print(f"speed-up {speed_up:.2f} of {options.workers}")
    return int(not is_right or speed_up < options.aim * options.workers)


if __name__ == "__main__":
    sys.exit(main())
