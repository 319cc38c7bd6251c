"""Answer correctness against people, on public labelled rows.

    python -m benchmarks.quality.answer_correctness DATA [--rows N]

openqa_eval: Cohen's kappa of factual_correctness >= 0.5 (mode recall: does the answer
state a gold answer) with the word of people, and of answer_correctness at a threshold
fitted on the other folds of five, split by question. DATA is the folder that holds
`openqa_eval.jsonl`. Without a language model, with the settings that ship.
"""

from __future__ import annotations

import argparse
import asyncio
import time
import zlib
from pathlib import Path

import numpy as np

from benchmarks.quality.labelled import read
from claimscope.core.backends.embedders import default_embedder
from claimscope.core.backends.onnx.entailment import shipped_model
from claimscope.core.models import Answer, Case, SampleKey
from claimscope.core.run.plan import SampleTask
from claimscope.core.run.sample import Services, evaluate
from claimscope.core.settings import Settings
from claimscope.core.verify.verifier import EvidenceVerifier

METRICS = ("factual_correctness", "answer_correctness")
FOLDS = 5


def services(settings: Settings) -> Services:
    embedder = default_embedder()
    verifier = EvidenceVerifier(embedder, shipped_model())
    stages = frozenset({"decompose"})
    return Services(embedder, verifier, settings, metrics=METRICS, stages=stages)


async def scores(
    question: str, answer: str, reference: str, judging: Services
) -> tuple[float, float]:
    """(factual, answer correctness); what has no value counts as 0 here."""
    case = Case(id="row", question=question, reference=reference)
    key = SampleKey(case_id="row", provider="row")
    task = SampleTask(key, case, Answer(case_id="row", text=answer))
    found = {s.metric: s.value for s in (await evaluate(task, judging)).scores}
    return found[METRICS[0]] or 0.0, found[METRICS[1]] or 0.0


def kappa(gold: np.ndarray, said: np.ndarray) -> float:
    """Cohen's kappa of two yes-or-no judgements."""
    observed = float((gold == said).mean())
    chance = gold.mean() * said.mean() + (1 - gold.mean()) * (1 - said.mean())
    return float((observed - chance) / (1 - chance))


def best_threshold(gold: np.ndarray, values: np.ndarray) -> float:
    return max(np.unique(values), key=lambda t: kappa(gold, values >= t))


async def openqa(folder: Path, most: int) -> None:
    rows = read(folder, "openqa_eval")[:most]
    judging = services(Settings(correctness_mode="recall"))
    found = []
    for row in rows:
        golds = str(row["evidence"]).split(" / ")
        each = [
            await scores(str(row["question"]), str(row["claim"]), gold, judging)
            for gold in golds
        ]
        found.append(np.max(each, axis=0))
    values = np.array(found)
    gold = np.array([row["label"] == "supported" for row in rows])
    folds = np.array([zlib.crc32(str(r["group"]).encode()) % FOLDS for r in rows])
    said = np.zeros(len(rows), dtype=bool)
    for fold in range(FOLDS):
        out = folds == fold
        least = best_threshold(gold[~out], values[~out, 1])
        said[out] = values[out, 1] >= least
    fixed = kappa(gold, values[:, 0] >= 0.5)
    print(f"openqa_eval, {len(rows)} rows")
    print(f"  factual_correctness >= 0.5          kappa {fixed:.3f}")
    print(f"  answer_correctness, fitted by fold  kappa {kappa(gold, said):.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--rows", type=int, default=600)
    options = parser.parse_args()
    began = time.perf_counter()
    asyncio.run(openqa(options.data, options.rows))
    print(f"  {time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
