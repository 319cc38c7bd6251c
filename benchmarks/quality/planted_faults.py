"""Precision and recall of verdicts on the planted faults of the shipped suites.

    python -m benchmarks.quality.planted_faults [--verifier ollama --model NAME]
        [--errors]

Runs the product itself (index, decomposition, verifier, citations, outcome) over all
shipped answers and compares with each suite's faults.jsonl. The unit is the answer
sentence: its verdict is the worst of its claims (contradicted, not enough info,
unscored, supported); every sentence that is not listed is supported. Faults that are
no verdict on a sentence (missing claim, citations, abstention, empty answer, planted
grade) are looked for where the product reports them.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from claimscope.core.models import (
    CallRecord,
    CitationState,
    FailureKind,
    Label,
    SampleResult,
)
from claimscope.core.ports import RunWriter
from claimscope.core.run.engine import execute
from claimscope.core.run.sample import evaluate
from claimscope.core.settings import Settings
from claimscope.stores.runs.run_store import DiskRunStore
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.services.run import planning
from claimscope.tui.services.run.assembly import assemble
from claimscope.tui.services.run.planning import RunRequest

SUITES = ("medicine", "courses", "website")
WORST = (
    Label.CONTRADICTED,
    Label.NOT_ENOUGH_INFO,
    Label.UNSCORED,
    Label.SUPPORTED,
)
Fault = dict[str, Any]
Key = tuple[str, str]


@dataclass
class Tally:
    """Counts over one or several suites."""

    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    """(right verdict, verdict given) of sentences."""
    kinds: dict[str, list[int]] = field(default_factory=dict)
    """kind of fault -> [found as the right thing, noticed at all, planted]."""
    reported: Counter[str] = field(default_factory=Counter)
    """How often the product reports a kind that is no verdict, rightly or not."""
    errors: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Adds another's counts."""
        self.pairs.update(other.pairs)
        self.reported.update(other.reported)
        self.errors += other.errors
        for kind, counts in other.kinds.items():
            mine = self.kinds.setdefault(kind, [0, 0, 0])
            for place, count in enumerate(counts):
                mine[place] += count

    def note(self, kind: str, *, right: bool, noticed: bool) -> None:
        """One planted fault."""
        counts = self.kinds.setdefault(kind, [0, 0, 0])
        counts[0] += right
        counts[1] += noticed
        counts[2] += 1


def main() -> None:
    """Prints one table a suite and one for all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--verifier", choices=("none", "ollama"), default="none")
    parser.add_argument("--model")
    parser.add_argument("--suite", action="append", choices=SUITES)
    parser.add_argument(
        "--workspace",
        type=Path,
        help="keep runs there; model calls of earlier runs there are not made again",
    )
    parser.add_argument("--errors", action="store_true", help="list each error")
    arguments = parser.parse_args()
    settings = Settings(verifier=arguments.verifier, model=arguments.model)
    total = Tally()
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        workspace = Workspace(arguments.workspace or Path(folder))
        for name in arguments.suite or SUITES:
            tally = asyncio.run(measure(name, settings, workspace))
            show(name, tally)
            total.add(tally)
    show("all suites", total)
    print(f"{time.monotonic() - started:.0f} s with verifier {arguments.verifier}")
    if arguments.errors:
        print("\n".join(total.errors))


class Remembering:
    """A journal that knows the calls of earlier runs as well."""

    def __init__(self, journal: RunWriter, runs: DiskRunStore) -> None:
        self._journal = journal
        own = journal.header().run_id
        ids = [s.header.run_id for s in runs.runs() if s.header.run_id != own]
        self._earlier = [runs.read(run_id) for run_id in ids]

    def call(self, key: str) -> CallRecord | None:
        """A finished call of this or an earlier run."""
        found = self._journal.call(key)
        for earlier in self._earlier:
            found = found or earlier.call(key)
        return found

    def __getattr__(self, name: str) -> Any:
        return getattr(self._journal, name)


async def measure(name: str, settings: Settings, workspace: Workspace) -> Tally:
    """Judges one suite and compares."""
    wanted = RunRequest(suite=name)
    loaded = planning.load(wanted)
    folder = planning.pages_folder(wanted, loaded)
    lines = (loaded.path.parent / "faults.jsonl").read_text("utf-8").splitlines()
    faults = [json.loads(line) for line in lines if line.strip()]
    async with assemble(workspace, settings, folder, loaded, ()) as tools:
        plan = planning.plan(wanted, loaded, tools.corpus, settings, tools.models)
        runs = DiskRunStore(workspace.runs)
        with closing(runs.create(plan.header)) as journal:
            remembering = cast(RunWriter, Remembering(journal, runs))
            async for _ in execute(
                plan,
                lambda task: evaluate(task, tools.services(remembering, 1)),
                journal,
            ):
                pass
            samples = list(journal.finished().values())
    tally = Tally()
    for sample in samples:
        key = (sample.key.case_id, sample.key.provider)
        own = [f for f in faults if (f["case_id"], f["provider"]) == key]
        compare(sample, own, tally)
    return tally


def compare(sample: SampleResult, faults: Sequence[Fault], tally: Tally) -> None:
    key = f"{sample.key.case_id}/{sample.key.provider}"
    if sample.error:
        tally.errors.append(f"{key}: not judged: {sample.error}")
    for text, given in sentence_verdicts(sample):
        listed = [f for f in faults if overlap(f, sample.answer.text, text)]
        verdicts = [f["verdict"] for f in listed if f["verdict"] in set(Label)]
        right = verdicts[0] if verdicts else Label.SUPPORTED.value
        tally.pairs[right, given.value] += 1
        if right != given:
            piece = sample.answer.text[slice(*text)]
            reasons = [
                f"{r.verdict.label.value} {r.verdict.support} {r.verdict.reason}"
                for r in sample.claims
                if r.claim.start < text[1] and text[0] < r.claim.end
            ]
            tally.errors.append(
                f"{key}: {given.value}, right is {right}: {piece!r}\n      "
                + "\n      ".join(reasons)
            )
    for fault in faults:
        right, noticed = found(fault, sample)
        tally.note(fault["kind"], right=right, noticed=noticed)
        if not right:
            tally.errors.append(f"{key}: {fault['kind']} missed: {fault['sentence']!r}")
    reported(sample, tally)


def sentence_verdicts(
    sample: SampleResult,
) -> Iterator[tuple[tuple[int, int], Label]]:
    """(span, worst verdict) of each answer sentence that states something."""
    spans: dict[tuple[int, int], list[Label]] = {}
    for result in sample.claims:
        span = (result.claim.sentence_start, result.claim.sentence_end)
        spans.setdefault(span, []).append(result.verdict.label)
    for span, labels in spans.items():
        yield span, min(labels, key=WORST.index)


def overlap(fault: Fault, answer: str, span: tuple[int, int]) -> bool:
    """Does the fault's sentence stand at span?"""
    start = answer.find(fault["sentence"]) if fault["sentence"] else -1
    if start < 0:
        return False
    return start < span[1] and span[0] < start + len(fault["sentence"])


def found(fault: Fault, sample: SampleResult) -> tuple[bool, bool]:
    """(reported as the right thing, noticed at all)."""
    kind, failures = fault["kind"], {f.kind for f in sample.failures}
    if fault["verdict"] in set(Label):
        labels = [
            label
            for span, label in sentence_verdicts(sample)
            if overlap(fault, sample.answer.text, span)
        ]
        right = any(label == fault["verdict"] for label in labels)
        return right, any(label is not Label.SUPPORTED for label in labels)
    if kind == "missing_claim":
        missing = any(
            not (one.found or one.stated) and one.text == fault["sentence"]
            for one in sample.required_claims
        )
        return missing, missing
    if kind in ("misattributed_citation", "broken_citation"):
        state = CitationState(kind.split("_")[0])
        states = [
            citation.state
            for citation in sample.citations
            if overlap(fault, sample.answer.text, (citation.start - 2, citation.end))
        ]
        return state in states, any(s is not CitationState.VALID for s in states)
    if kind == "abstention":
        right = any(skipped.reason == "abstention" for skipped in sample.skipped)
        return right and FailureKind.WRONG_ABSTENTION not in failures, right
    hit = {
        "empty_answer": FailureKind.EMPTY,
        "planted_grade": FailureKind.PLANTED_GRADE,
    }
    return hit[kind] in failures, hit[kind] in failures


def reported(sample: SampleResult, tally: Tally) -> None:
    """What the product reports of the kinds that are no verdict."""
    failures = Counter(f.kind for f in sample.failures)
    tally.reported["missing_claim"] += failures[FailureKind.MISSING_CLAIM]
    tally.reported["broken_citation"] += failures[FailureKind.BROKEN_CITATION]
    tally.reported["misattributed_citation"] += failures[FailureKind.MISATTRIBUTED]
    tally.reported["empty_answer"] += failures[FailureKind.EMPTY]
    tally.reported["planted_grade"] += bool(failures[FailureKind.PLANTED_GRADE])


def show(name: str, tally: Tally) -> None:
    print(f"\n{name}: {sum(tally.pairs.values())} answer sentences")
    for label in (Label.CONTRADICTED, Label.NOT_ENOUGH_INFO, Label.SUPPORTED):
        hit = tally.pairs[label.value, label.value]
        given = sum(n for (_, g), n in tally.pairs.items() if g == label.value)
        right = sum(n for (r, _), n in tally.pairs.items() if r == label.value)
        print(
            f"  {label.value:<16} {ratio('precision', hit, given)}"
            f"   {ratio('recall', hit, right)}"
        )
    faulty = {Label.CONTRADICTED.value, Label.NOT_ENOUGH_INFO.value}
    hit = sum(n for (r, g), n in tally.pairs.items() if r in faulty and g in faulty)
    given = sum(n for (_, g), n in tally.pairs.items() if g in faulty)
    right = sum(n for (r, _), n in tally.pairs.items() if r in faulty)
    print(
        f"  {'flagged':<16} {ratio('precision', hit, given)}"
        f"   {ratio('recall', hit, right)}"
    )
    open_ = sum(n for (_, g), n in tally.pairs.items() if g == Label.UNSCORED.value)
    print(f"  unscored         {open_}")
    for kind, (right_, noticed, planted) in sorted(tally.kinds.items()):
        line = f"  {kind:<24} right {right_:>2} of {planted:<3} noticed {noticed:>2}"
        if kind in tally.reported:
            line += f"   reported {tally.reported[kind]}"
        print(line)


def ratio(name: str, hit: int, total: int) -> str:
    """`precision  0.91 (20/22)`."""
    value = f"{hit / total:.2f}" if total else "  – "
    return f"{name} {value} ({hit}/{total})"


if __name__ == "__main__":
    main()
