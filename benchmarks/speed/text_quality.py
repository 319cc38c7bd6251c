"""How many texts a second the metrics of text quality take, alone and together.

    python -m benchmarks.speed.text_quality [--texts N] [--sentences N]
        [--file ROWS.jsonl]

Texts are made up, each different, or the field `answer` of rows. Printed: analyses of
grammar a second for one text at a time and batched, and each metric over analysed
texts. Nothing is embedded: vectors are random, so that only the metrics are measured.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from claimscope.core.metrics.base import Findings
from claimscope.core.metrics.discovery import discover
from claimscope.core.models import Answer, Case
from claimscope.core.ports import Floats
from claimscope.core.text import english

NAMES = (
    "coherence",
    "prompt_completeness",
    "length",
    "structure",
    "vocabulary",
    "overall_quality",
)
QUESTION = "Explain how the harbour works and list its three oldest cranes."
SUBJECTS = "The crane;The harbour;A guide;The old quay;It;They;The museum".split(";")
VERBS = "opened;carries goods;was repaired;needs more staff;shows old tools".split(";")
ENDS = "in 1952;near the river;because of the flood;every Monday;for visitors".split(
    ";"
)
LINKS = ("However, ", "Therefore, ", "", "", "", "In addition, ")


def made_up(count: int, sentences: int, seed: int = 7) -> list[str]:
    choose = random.Random(seed)
    return [
        " ".join(
            f"{choose.choice(LINKS)}{choose.choice(SUBJECTS)} {choose.choice(VERBS)} "
            f"{choose.choice(ENDS)} ({choose.randrange(10_000)})."
            for _ in range(sentences)
        )
        for _ in range(count)
    ]


def embed(texts: Sequence[str]) -> Floats:
    """Vectors that cost nothing."""
    vectors = np.random.default_rng(7).normal(size=(len(texts), 8)).astype(np.float32)
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def rate(what: str, count: int, work: Callable[[], object]) -> None:
    """Do it and print how often a second."""
    started = time.perf_counter()
    work()
    seconds = time.perf_counter() - started
    print(f"{what:32} {count / seconds:10,.0f} /s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=200)
    parser.add_argument("--sentences", type=int, default=6)
    parser.add_argument("--file", type=Path)
    options = parser.parse_args()
    if options.file:
        lines = options.file.read_text("utf-8").splitlines()
        found = [json.loads(line).get("answer") for line in lines]
        texts = [text for text in dict.fromkeys(found) if isinstance(text, str)]
        texts = texts[: options.texts]
    else:
        texts = made_up(options.texts, options.sentences)
    if english.analyse("Cranes lift stones.") is None:
        raise SystemExit(english.REMEDY)
    mean = sum(len(text.split()) for text in texts) / len(texts)
    print(f"{len(texts)} texts, {mean:.0f} words on average")
    english.clear_cache()
    rate("analysed one by one", len(texts), lambda: [*map(english.analyse, texts)])
    english.clear_cache()
    batches = [texts[at : at + 32] for at in range(0, len(texts), 32)]
    rate(
        "analysed 32 together", len(texts), lambda: [*map(english.analyse_all, batches)]
    )
    rate("asked for again", len(texts), lambda: [*map(english.analyse, texts)])
    case = Case(id="case", question=QUESTION)
    samples = [
        Findings(case=case, answer=Answer(case_id="case", text=text), embed=embed)
        for text in texts
    ]
    for name in NAMES:
        metric = discover()[name]
        metric.score(samples[0])  # word lists are read once
        rate(name, len(texts), lambda m=metric: [*map(m.score, samples)])  # type: ignore[misc]


if __name__ == "__main__":
    main()
