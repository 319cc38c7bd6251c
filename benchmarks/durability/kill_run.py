"""`kill -9` at random moments of a run of 60 samples, then `resume`: what is lost?

    python -m benchmarks.durability.kill_run [--kills 20] [--seed 7] [--model NAME]
        [--all]

With --all the kills are shared out: half go to run and resume, a quarter to opening and
compacting (kill_compaction.py), a quarter to indexing (kill_index.py).

A suite of 30 cases with two answers each is written into a temporary folder and
judged once unbroken, then again by an engine that is killed and resumed until it
has been killed often enough (a run that ends first is followed by another). Lost =
a record that was on disk at a kill and is gone later; repeated = a sample or call
that was on disk at a kill and was made again. Exit 1 when anything is lost, repeated
or different from the unbroken run. With --model, Ollama verifies and grades.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from claimscope.core.errors import ClaimscopeError
from claimscope.core.models import RunStatus, SampleResult
from claimscope.stores.runs.journal import JournalReader
from claimscope.stores.runs.run_store import RUN_JOURNAL, DiskRunStore
from claimscope.stores.workspace.paths import Workspace, safe_name

CASES = 30
POLL_SECONDS = 0.05
START_KILLS = 0.2
"""Share of kills while the engine still starts, before it has begun its part."""
SUPPORT_TOLERANCE = 1e-4
"""Vectors differ in their last digits with the texts they are embedded among."""

Snapshot = dict[tuple[str, str], int]
"""(table, key) of a saved sample or call → the part of the run that saved it."""
PARTS = ("parts", "count")


def parts(snapshot: Snapshot | None) -> int:
    """How often the run of a snapshot was begun or resumed."""
    return (snapshot or {}).get(PARTS, 0)


def lighthouse(number: int) -> tuple[str, str, str]:
    """(name, true facts, facts with a wrong height) of a fictional lighthouse."""
    first = ("Aver", "Brank", "Corrie", "Dunl", "Esk")[number % 5]
    last = ("holm", "ness", "skerry", "wick", "ay", "mull")[number // 5]
    name, height = f"{first}{last} Light", 18 + number
    facts = (
        f"{name} is {height} metres high. It was first lit in {1811 + 5 * number}. "
        f"A stair of {96 + 7 * number} steps leads to the lamp."
    )
    return name, facts, facts.replace(f"{height} metres", f"{height + 9} metres")


def write_suite(folder: Path) -> Path:
    """Thirty lighthouses; the second answer about every other one is wrong."""
    pages = folder / "pages"
    pages.mkdir()
    cases, answers = [], []
    for number in range(CASES):
        name, facts, wrong = lighthouse(number)
        page = f"# {name}\n\n{facts} The keeper writes a log every evening.\n"
        (pages / f"light-{number:02}.md").write_text(page, "utf-8")
        case = f"light-{number:02}"
        cases.append(
            {
                "id": case,
                "question": f"How high is {name}, and when was it first lit?",
                "reference": facts,
                "claims": [{"text": facts.split(". ")[0] + "."}],
            }
        )
        second = wrong if number % 2 else facts
        for provider, text in (("alder", facts), ("birch", second)):
            row = {"case_id": case, "provider": provider, "text": text}
            answers.append(json.dumps(row) + "\n")
    suite = {"format": "claimscope.suite", "version": 1, "id": "lights"}
    suite |= {"pages": "pages", "answers": "answers.jsonl", "cases": cases}
    (folder / "answers.jsonl").write_text("".join(answers), "utf-8")
    path = folder / "suite.json"
    path.write_text(json.dumps(suite, indent=1), "utf-8")
    return path


@dataclass
class Engine:
    """Starts, kills and reads the runs of one workspace."""

    workspace: Path
    flags: list[str]
    process: subprocess.Popen[bytes] | None = None

    @property
    def log(self) -> Path:
        return self.workspace.with_suffix(".log")

    def words(self, *command: str) -> list[str]:
        """The command line of `claimscope COMMAND` in this workspace."""
        program = (sys.executable, "-P", "-m", "claimscope")
        return [*program, "--workspace", str(self.workspace), *command]

    def start(self, *command: str) -> subprocess.Popen[bytes]:
        """`claimscope COMMAND` in a process of its own."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.words(*command),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        return self.process

    def start_or_resume(
        self, suite: Path, run_id: str | None
    ) -> subprocess.Popen[bytes]:
        """The next part of the run, or a new one."""
        if run_id is None:
            return self.start("run", str(suite), "--json", *self.flags)
        return self.start("runs", "resume", run_id, "--json")

    def newest(self, known: set[str]) -> str | None:
        """A run that is not among the known ones and has a header."""
        try:
            runs = DiskRunStore(Workspace(self.workspace).runs).runs()
            ids = {status.header.run_id for status in runs if status.parts}
        except ClaimscopeError:
            return None
        new = {run for run in ids - known if self.snapshot(run) is not None}
        return max(new, default=None)

    def snapshot(self, run_id: str | None) -> Snapshot | None:
        """What is on disk; None before the run's first record."""
        if run_id is None:
            return None
        folder = Workspace(self.workspace).runs / safe_name(run_id)
        if not (folder / RUN_JOURNAL).exists():
            return None
        reader = JournalReader(folder / RUN_JOURNAL)
        reader.refresh()
        if not reader.all_tables().get("header"):
            return None
        found = {
            (table, row["key"]): row["part"]
            for table in ("samples", "calls")
            for row in reader.all_tables().get(table, {}).values()
        }
        return {**found, PARTS: len(reader.all_tables().get("parts", {}))}

    def result(self, run_id: str) -> tuple[RunStatus, list[SampleResult]]:
        reader = DiskRunStore(Workspace(self.workspace).runs).read(run_id)
        return reader.status(), list(reader.samples())


@dataclass
class Losses:
    kills: int = 0
    early: int = 0
    """Kills before the part's first record."""
    runs: int = 0
    lost: set[str] = field(default_factory=set)
    repeated: set[str] = field(default_factory=set)
    different: list[str] = field(default_factory=list)
    records: int = 0
    """Samples and calls of all killed runs."""


def kill_some_moment(
    engine: Engine, suite: Path, run_id: str | None, moment: float, known: set[str]
) -> tuple[str | None, Snapshot, bool]:
    """Starts a part and kills it `moment` seconds after it began (a negative moment:
    that many seconds after the process started).

    Gives (run id, what was seen on disk last, was it killed).
    """
    seen = engine.snapshot(run_id) or {}
    before = parts(seen)
    process = engine.start_or_resume(suite, run_id)
    deadline = time.monotonic() - moment if moment < 0 else None
    while process.poll() is None:
        run_id = run_id or engine.newest(known)
        seen = engine.snapshot(run_id) or seen
        if deadline is None and parts(seen) > before:
            deadline = time.monotonic() + moment
        if deadline is not None and time.monotonic() >= deadline:
            os.kill(process.pid, signal.SIGKILL)
            break
        time.sleep(POLL_SECONDS)
    killed = process.wait() == -signal.SIGKILL
    return run_id or engine.newest(known), seen, killed


def broken_run(
    engine: Engine,
    suite: Path,
    losses: Losses,
    plan: tuple[int, float, float],
    chance: random.Random,
) -> str:
    """One run, killed and resumed until it is finished or `plan` = (kills, seconds of
    judging, seconds to start) is used up; then resumed to its end."""
    kills, judging, starting = plan
    known = {s.header.run_id for s in DiskRunStore(engine.workspace / "runs").runs()}
    run_id: str | None = None
    saved: Snapshot = {}
    while losses.kills < kills:
        early = chance.random() < START_KILLS
        moment = chance.uniform(0, 2 * judging / kills)
        if early:
            moment = -chance.uniform(0.05, starting)
        before = parts(engine.snapshot(run_id))
        run_id, seen, killed = kill_some_moment(engine, suite, run_id, moment, known)
        saved = {**seen, **saved}  # what was first seen is what may not change
        check(engine, run_id, saved, losses)
        if not killed:
            break
        losses.kills += 1
        losses.early += parts(engine.snapshot(run_id)) == before
    if run_id is None or engine.result(run_id)[0].state != "finished":
        engine.start_or_resume(suite, run_id).wait()
        run_id = run_id or engine.newest(known)
        check(engine, run_id, saved, losses)
    if run_id is None:
        raise SystemExit(f"no run was begun; the engine said:\n{tail(engine.log)}")
    losses.runs += 1
    losses.records += len(saved)
    return run_id


def check(engine: Engine, run_id: str | None, saved: Snapshot, losses: Losses) -> None:
    """Compares what is on disk with what was there at the last kill."""
    now = engine.snapshot(run_id) or {}
    for count in (now, saved):
        count.pop(PARTS, None)
    for record, part in saved.items():
        name = "/".join(record)
        if record not in now:
            losses.lost.add(name)
        elif now[record] != part:
            losses.repeated.add(name)
    saved.update(now)


def differences(
    unbroken: tuple[RunStatus, list[SampleResult]],
    broken: tuple[RunStatus, list[SampleResult]],
) -> list[str]:
    """Every total, label and score that a kill changed."""
    found = []
    for name in ("state", "completed", "passed", "failed", "unscored"):
        left, right = getattr(unbroken[0], name), getattr(broken[0], name)
        if left != right:
            found.append(f"{name}: {left} unbroken, {right} after kills")
    for name in ("calls", "prompt_tokens", "completion_tokens"):
        left = getattr(unbroken[0].usage, name)
        right = getattr(broken[0].usage, name)
        if left != right:
            found.append(f"usage, {name}: {left} unbroken, {right} after kills")
    others = {str(sample.key): sample for sample in broken[1]}
    for sample in unbroken[1]:
        other = others.get(str(sample.key))
        if other is None or essence(sample) != essence(other):
            why = f" ({other.error})" if other is not None and other.error else ""
            found.append(f"{sample.key}: judged otherwise{why}")
        elif any(
            abs((a.verdict.support or 0) - (b.verdict.support or 0)) > SUPPORT_TOLERANCE
            for a, b in zip(sample.claims, other.claims, strict=True)
        ):
            found.append(f"{sample.key}: another support probability")
    return found


def essence(sample: SampleResult) -> tuple[object, ...]:
    """What must not depend on when an engine was killed."""
    return (
        sample.passed,
        sample.error,
        tuple((c.claim.text, c.verdict.label, c.verdict.band) for c in sample.claims),
        tuple((c.text, c.found) for c in sample.required_claims),
        tuple((c.text, c.state) for c in sample.citations),
        tuple((g.name, g.value) for g in sample.grades),
        tuple(
            (s.metric, None if s.value is None else round(s.value, 4), s.applicable)
            for s in sample.scores
        ),
        tuple(failure.kind for failure in sample.failures),
    )


def tail(path: Path) -> str:
    """The last words of a log."""
    return path.read_text("utf-8", "replace")[-2000:] if path.exists() else ""


def unbroken_run(engine: Engine, suite: Path) -> tuple[str, float]:
    """(run id, seconds until its first record)."""
    begin = time.monotonic()
    process = engine.start("run", str(suite), "--json", *engine.flags)
    starting, run_id = 0.0, None
    while process.poll() is None:
        if run_id is None:
            run_id = engine.newest(set())
            starting = time.monotonic() - begin
        time.sleep(POLL_SECONDS)
    run_id = run_id or engine.newest(set())
    if run_id is None:
        raise SystemExit(f"the unbroken run failed:\n{tail(engine.log)}")
    return run_id, starting


def report(
    losses: Losses, unbroken: RunStatus, samples: list[SampleResult], seconds: float
) -> None:
    labels = Counter(c.verdict.label.value for s in samples for c in s.claims)
    print(
        f"unbroken: {unbroken.completed} samples, {unbroken.passed} passed, "
        f"{unbroken.failed} failed, {unbroken.unscored} unscored; "
        f"{unbroken.usage.calls} calls; verdicts: "
        + ", ".join(f"{count} {name}" for name, count in sorted(labels.items()))
    )
    print(
        f"kills: {losses.kills} ({losses.early} while starting) in {losses.runs} runs "
        f"of {unbroken.header.total_samples} samples, {seconds:.0f} s"
    )
    print(f"records saved: {losses.records}")
    print(f"lost: {len(losses.lost)}  repeated: {len(losses.repeated)}")
    print(f"totals, labels and scores: {len(losses.different)} differences")
    for line in [*sorted(losses.lost), *sorted(losses.repeated), *losses.different]:
        print(f"  {line}")


def main() -> int:
    """Runs the benchmark; gives its exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--model", help="let this Ollama model verify and grade")
    parser.add_argument(
        "--all", action="store_true", help="kill compaction and indexing too"
    )
    options = parser.parse_args()
    share = options.kills // 4 if options.all else 0
    options.kills -= 2 * share
    codes = [kill_runs(options)]
    for name in ("kill_compaction", "kill_index")[: 2 * bool(share)]:
        print(f"\n{name}", flush=True)
        command = [sys.executable, "-m", f"benchmarks.durability.{name}"]
        flags = ["--kills", str(share), "--seed", str(options.seed)]
        codes.append(subprocess.run([*command, *flags], check=False).returncode)
    return max(codes)


def kill_runs(options: argparse.Namespace) -> int:
    """Kills of run and resume; 1 when anything is lost, repeated or different."""
    flags = ["--verifier", "ollama", "--model", options.model, "--judge"]
    folder = Path(tempfile.mkdtemp(prefix="kill-run-"))
    engine = None
    try:
        suite = write_suite(folder)
        flags = flags if options.model else []
        first = Engine(folder / "unbroken", flags)
        run_id, starting = unbroken_run(first, suite)
        whole = first.result(run_id)
        engine = Engine(folder / "killed", flags)
        losses, chance = Losses(), random.Random(options.seed)
        begin = time.monotonic()
        plan = (options.kills, whole[0].usage.wall_seconds, starting)
        while losses.kills < options.kills:
            run_id = broken_run(engine, suite, losses, plan, chance)
            losses.different += differences(whole, engine.result(run_id))
        if losses.different:
            print(f"the engine's last words:\n{tail(engine.log)}", file=sys.stderr)
        report(losses, *whole, time.monotonic() - begin)
        return 1 if losses.lost or losses.repeated or losses.different else 0
    finally:
        if engine and engine.process and engine.process.poll() is None:
            engine.process.kill()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
