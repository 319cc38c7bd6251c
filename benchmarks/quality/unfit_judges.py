"""Judges of many leans: only those that tell true claims from false give grades.

    python -m benchmarks.quality.unfit_judges [--judges 60] [--seed 7]

A double of Ollama answers the planted claims by a lean (always Yes, always No, the
reverse, no word at all, nearly right, right) and gives every answer the grade 1. A
run with `--judge` must then have no grade and no failure by one when the lean says
nothing of the truth, and both when it tells true from false. Prints tries and failures;
exit 1 for any.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import math
import os
import random
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from claimscope.core.models import FailureKind, SampleResult
from claimscope.core.verify.planted_cases import CLAIMS
from claimscope.stores.runs.run_store import DiskRunStore
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.cli import main as claimscope
from tests.doubles.fake_ollama import FakeOllama, Reply, chose, model, said

Lean = Callable[[bool, random.Random], float | None]
"""From the truth of a claim to the probability of Yes; None = neither Yes nor No."""
LEANS: dict[str, tuple[bool, Lean]] = {
    "always Yes": (False, lambda truth, chance: chance.uniform(0.85, 0.99)),
    "always No": (False, lambda truth, chance: chance.uniform(0.01, 0.15)),
    "always the same": (False, lambda truth, chance: 0.7),
    "reversed": (False, lambda truth, chance: 0.1 if truth else 0.9),
    "no word": (False, lambda truth, chance: None),
    "nearly right": (True, lambda truth, chance: chance.uniform(*_side(truth, 0.3))),
    "right": (True, lambda truth, chance: chance.uniform(*_side(truth, 0.05))),
}
"""Whether it tells true from false, and how it answers."""
LOW = json.dumps({"explanation": "I do not like it.", "grade": 1})


def _side(truth: bool, room: float) -> tuple[float, float]:
    return (1 - room, 0.99) if truth else (0.01, room)


def speaking(lean: Lean, chance: random.Random) -> Callable[[dict[str, Any]], Reply]:
    """The model of a lean: the same answer to the same prompt."""

    def answer(body: dict[str, Any]) -> Reply:
        text = str(body["messages"][-1]["content"])
        if body["options"]["num_predict"] != 1:
            return said(LOW)
        truth = next(one.is_true for one in CLAIMS if f": {one.claim}\n" in text)
        found = lean(truth, chance)
        if found is None:
            return said("Well,")
        return chose({"Yes": math.log(found), "No": math.log(1 - found)})

    return answer


def judged(root: Path, answer: Callable[[dict[str, Any]], Reply]) -> SampleResult:
    suite = root / "suite.json"
    case = {"id": "a", "question": "When?", "contexts": ["The boat leaves at noon."]}
    answers = {"case_id": "a", "text": "The boat leaves at noon."}
    (root / "a.jsonl").write_text(json.dumps(answers))
    suite.write_text(json.dumps({"id": "s", "answers": "a.jsonl", "cases": [case]}))
    os.environ["CLAIMSCOPE_WORKSPACE"] = str(root / "workspace")
    with FakeOllama(models={"m:1b": model()}, answer=answer) as fake:
        host = ("--ollama-host", fake.host)
        quiet = io.StringIO()
        with contextlib.redirect_stdout(quiet), contextlib.redirect_stderr(quiet):
            claimscope(["run", str(suite), "--judge", "--model", "m:1b", *host])
    store = DiskRunStore(Workspace.find(None).runs)
    (status,) = store.runs()
    (sample,) = store.read(status.header.run_id).samples()
    return sample


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--judges", type=int, default=60)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    faults: list[str] = []
    for number in range(options.judges):
        name = list(LEANS)[number % len(LEANS)]
        is_fit, lean = LEANS[name]
        with tempfile.TemporaryDirectory() as made:
            sample = judged(Path(made), speaking(lean, chance))
        given = [grade.value for grade in sample.grades]
        failed = any(f.kind is FailureKind.LOW_GRADE for f in sample.failures)
        if given != ([1, 1] if is_fit else [None, None]) or failed is not is_fit:
            faults.append(f"{name}: grades {given}, failed by them: {failed}")
    print(f"judges: {options.judges} tries, {len(faults)} failures")
    for one in faults[:10]:
        print(f"  {one}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
