"""How long a run takes on a cluster of some size, and what is its limit: a simulation.

    python -m benchmarks.speed.cluster_sizing [--workers 1 10 100] [--samples 10000]
        [--claims 5] [--call-seconds 1.0] [--sample-seconds 0.4] [--threads 4]
        [--places 1] [--json]
    python -m benchmarks.speed.cluster_sizing --against FILE     # of cluster.py --json

Discrete events, from measured figures. A sample is handed out by coordinator and
scheduler, read on its worker, and makes a call for each claim, two more for each, and
two for the grades; each call is asked for, made and kept. One at a time: each core of a
worker, each place of its model server, the scheduler, the coordinator, and the one who
writes the journal, who takes all that waits with each wait for the disk. Before the
first sample the workers share out the calls that show how the model leans.

Printed for each size: hours, times as fast as one worker, how busy model servers,
scheduler, coordinator and writer are, and what goes over the wire. `--against`:
measured runs beside what is predicted of them; exit 1 when one is more than a tenth
off.
"""

from __future__ import annotations

import argparse
import heapq
import itertools
import json
import sys
from collections import deque
from collections.abc import Callable, Generator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

SHARED_CALLS = 31
"""How a model leans, asked once in a run: calls of cluster.py beyond those of its
samples."""


@dataclass(frozen=True)
class Costs:
    """Seconds, on one core of the machine of docs/figures.md."""

    scheduler_sample: float = 0.0012
    scheduler_call: float = 0.0013
    """Processor time of the scheduler: cluster_scale.py with one call and without."""
    coordinator_sample: float = 0.0015
    coordinator_call: float = 0.0011
    """The same of the coordinator."""
    sync: float = 0.005
    """One wait for the disk (fdatasync)."""
    saved: float = 0.0010
    """Writing of one result, beside the wait; a call takes a tenth."""
    wire_sample: float = 11_000
    """Bytes of a task (0.9 KB) and the result of five claims (4.5 KB), each sent twice,
    by way of the scheduler."""
    wire_call: float = 5_000
    """Bytes of a call: asked for, and kept (a record of 2 KB), each twice."""


@dataclass(frozen=True)
class Cluster:
    workers: int
    samples: int
    claims: int
    call_seconds: float
    sample_seconds: float
    """Processor time of a worker for a sample, beside its model."""
    threads: int
    """Samples at once on each worker."""
    places: int
    """Calls that the server of a worker answers at once."""
    cores: int = 2
    """Of a worker."""
    grades: int = 2

    @property
    def rounds(self) -> tuple[int, ...]:
        """Calls of a sample that are made side by side, one round after the other."""
        return (self.claims, 2 * self.claims, self.grades)


@dataclass(frozen=True)
class Found:
    workers: int
    seconds: float
    servers: float
    """Part of the time that model servers, then the others, were busy, [0, 1]."""
    scheduler: float
    coordinator: float
    writer: float
    wire: float
    """Megabits a second, on average, at the scheduler."""


# --- events -----------------------------------------------------------------------

Step = Generator["Callable[[Callable[[], None]], None]", None, None]
Resume = Callable[[], None]


class Clock:
    """Events in order of their time; what waits is a generator that yields a function
    which is given how to go on."""

    def __init__(self) -> None:
        self.now = 0.0
        self._events: list[tuple[float, int, Resume]] = []
        self._numbers = itertools.count()

    def after(self, seconds: float, what: Resume) -> None:
        heapq.heappush(self._events, (self.now + seconds, next(self._numbers), what))

    def start(self, steps: Step) -> None:
        """Goes through the steps, each when the one before is over."""

        def go_on() -> None:
            wait = next(steps, None)
            if wait is not None:
                wait(go_on)

        self.after(0.0, go_on)

    def run(self) -> None:
        while self._events:
            self.now, _, what = heapq.heappop(self._events)
            what()


@dataclass
class Places:
    """Something that does so much at once; the rest waits in the order it came."""

    clock: Clock
    places: int = 1
    busy: float = 0.0
    _taken: int = 0
    _waiting: deque[tuple[float, Resume]] = field(default_factory=deque)

    def use(self, seconds: float) -> Callable[[Resume], None]:
        def wait(go_on: Resume) -> None:
            self._waiting.append((seconds, go_on))
            self._next()

        return wait

    def _next(self) -> None:
        while self._waiting and self._taken < self.places:
            seconds, go_on = self._waiting.popleft()
            self._taken += 1
            self.busy += seconds

            def done(go_on: Resume = go_on) -> None:
                self._taken -= 1
                self._next()
                go_on()

            self.clock.after(seconds, done)


@dataclass
class Writer:
    """The journal: all that waits is written with one wait for the disk."""

    clock: Clock
    sync: float
    busy: float = 0.0
    _waiting: list[tuple[float, Resume]] = field(default_factory=list)
    _is_at_work: bool = False

    def use(self, seconds: float) -> Callable[[Resume], None]:
        def wait(go_on: Resume) -> None:
            self._waiting.append((seconds, go_on))
            if not self._is_at_work:
                self._turn()

        return wait

    def _turn(self) -> None:
        turn, self._waiting = self._waiting, []
        self._is_at_work = bool(turn)
        if not turn:
            return
        seconds = self.sync + sum(one for one, _ in turn)
        self.busy += seconds

        def done() -> None:
            for _, go_on in turn:
                go_on()
            self._turn()

        self.clock.after(seconds, done)


def together(clock: Clock, several: list[Step]) -> Callable[[Resume], None]:
    """Over when all are."""

    def wait(go_on: Resume) -> None:
        left = [len(several)]

        def one(steps: Step) -> Step:
            yield from steps
            left[0] -= 1
            if not left[0]:
                go_on()

        for steps in several:
            clock.start(one(steps))
        if not several:
            go_on()

    return wait


# --- a run ------------------------------------------------------------------------


class Run:
    def __init__(self, cluster: Cluster, costs: Costs) -> None:
        self.cluster, self.costs = cluster, costs
        clock = self.clock = Clock()
        self.scheduler, self.coordinator = Places(clock), Places(clock)
        self.writer = Writer(clock, costs.sync)
        self.servers = [Places(clock, cluster.places) for _ in range(cluster.workers)]
        self.cores = [Places(clock, cluster.cores) for _ in range(cluster.workers)]
        self.left = cluster.samples
        self.shared = SHARED_CALLS
        self.wire = 0.0

    def found(self) -> Found:
        self.clock.start(self._whole())
        self.clock.run()
        seconds, one = self.clock.now, self.cluster
        served = sum(server.busy for server in self.servers)
        return Found(
            one.workers,
            seconds,
            served / (seconds * one.workers * one.places),
            self.scheduler.busy / seconds,
            self.coordinator.busy / seconds,
            self.writer.busy / seconds,
            self.wire * 8 / 1e6 / seconds,
        )

    def _whole(self) -> Step:
        numbers = range(self.cluster.workers)
        places = range(self.cluster.places + 1)
        lean = [self._lean(worker) for worker in numbers for _ in places]
        yield together(self.clock, lean)
        threads = range(self.cluster.threads)
        yield together(
            self.clock, [self._thread(worker) for _ in threads for worker in numbers]
        )

    def _lean(self, worker: int) -> Step:
        while self.shared:
            self.shared -= 1
            yield from self._call(worker)

    def _thread(self, worker: int) -> Step:
        costs = self.costs
        while self.left:
            self.left -= 1
            self.wire += costs.wire_sample
            yield self.coordinator.use(costs.coordinator_sample / 2)
            yield self.scheduler.use(costs.scheduler_sample / 2)
            yield self.cores[worker].use(self.cluster.sample_seconds)
            for size in self.cluster.rounds:
                calls = [self._call(worker) for _ in range(size)]
                yield together(self.clock, calls)
            yield self.scheduler.use(costs.scheduler_sample / 2)
            yield self.coordinator.use(costs.coordinator_sample / 2)
            yield self.writer.use(costs.saved)

    def _call(self, worker: int) -> Step:
        costs = self.costs
        self.wire += costs.wire_call
        for made in (False, True):
            yield self.scheduler.use(costs.scheduler_call / 2)
            yield self.coordinator.use(costs.coordinator_call / 2)
            if not made:
                yield self.servers[worker].use(self.cluster.call_seconds)
        yield self.writer.use(costs.saved / 10)


def most_a_second(cluster: Cluster, costs: Costs) -> dict[str, float]:
    """Samples a second at which each of what there is one of is busy all the time."""
    calls = sum(cluster.rounds)
    return {
        "scheduler": 1 / (costs.scheduler_sample + calls * costs.scheduler_call),
        "coordinator": 1 / (costs.coordinator_sample + calls * costs.coordinator_call),
        "writer": 1 / (costs.saved * (1 + calls / 10)),
    }


def rate_of_one(cluster: Cluster) -> float:
    """Samples a second of one worker whose model server always has work."""
    model = sum(cluster.rounds) * cluster.call_seconds / cluster.places
    return 1 / max(model, cluster.sample_seconds / cluster.cores)


def against(path: Path) -> int:
    """Measured runs beside predicted ones; gives the exit code."""
    known = json.loads(path.read_text())
    ways = [way for way in known["ways"] if way["name"] != "one killed"]
    samples = known["samples"]
    worst = 0.0
    print("workers  measured  predicted  off   speed-up measured  predicted")
    first: Found | None = None
    for way in ways:
        cluster = Cluster(
            way["workers"],
            samples,
            claims=1,
            call_seconds=known["latency"],
            sample_seconds=way["worker_seconds"],
            threads=2,
            places=1,
        )
        found = Run(cluster, Costs()).found()
        first = first or found
        off = found.seconds / way["seconds"] - 1
        worst = max(worst, abs(off))
        print(
            f"{way['workers']:7}  {way['seconds']:6.1f} s  {found.seconds:7.1f} s  "
            f"{off:+4.0%}  {ways[0]['seconds'] / way['seconds']:17.2f}  "
            f"{first.seconds / found.seconds:9.2f}"
        )
    return int(worst > 0.1)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 10, 100])
    parser.add_argument("--samples", type=int, default=10_000)
    parser.add_argument("--claims", type=int, default=5, help="of an answer")
    parser.add_argument("--call-seconds", type=float, default=1.0)
    parser.add_argument(
        "--sample-seconds", type=float, default=0.4, help="processor time of a worker"
    )
    parser.add_argument("--threads", type=int, default=4, help="of each worker")
    parser.add_argument("--places", type=int, default=1, help="of each model server")
    parser.add_argument("--against", type=Path, help="what cluster.py --json printed")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if options.against is not None:
        return against(options.against)
    cluster = Cluster(
        1,
        options.samples,
        options.claims,
        options.call_seconds,
        options.sample_seconds,
        options.threads,
        options.places,
    )
    sizes = sorted({1, *options.workers})
    found = [Run(replace(cluster, workers=n), Costs()).found() for n in sizes]
    limits = most_a_second(cluster, Costs())
    if options.json:
        rows = [asdict(one) for one in found]
        json.dump({"runs": rows, "most_a_second": limits}, sys.stdout, indent=2)
        return 0
    calls = sum(cluster.rounds)
    print(
        f"{cluster.samples:,} samples of {calls} calls of {cluster.call_seconds:g} s, "
        f"{cluster.sample_seconds:g} s of a worker's processor"
    )
    print(
        "workers   hours  times as fast  servers  scheduler  coordinator  writer  wire"
    )
    for one in found:
        print(
            f"{one.workers:7}  {one.seconds / 3600:6.2f}  "
            f"{found[0].seconds / one.seconds:13.1f}  {one.servers:7.0%}  "
            f"{one.scheduler:9.1%}  {one.coordinator:11.1%}  {one.writer:6.1%}  "
            f"{one.wire:4.1f} Mbit/s"
        )
    for name, most in limits.items():
        print(
            f"the {name} ends at {most:,.0f} samples a second: "
            f"{most / rate_of_one(cluster):,.0f} workers"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
