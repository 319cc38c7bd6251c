"""Answer correctness against people who compared two long answers (ragchecker_meta).

    python -m benchmarks.quality.ragchecker ROWS.jsonl [--seconds 110] [--pairs N]
        [--quick]

Each row has two answers (`claim`, apart by a line ###), a reference (`evidence`) and
what several people said (`native`, from -2, the first is much better, to 2, the
second is). Printed: Pearson and Spearman of the difference of two scores, second minus
first, with the mean word of the people, with intervals of 95 %, for token F1 (what the
set's authors compare with; a positive figure confirms the sign) and for metrics and
presets. Without a language model. Rows come in a fixed shuffled order until
--seconds are over, so that a part of them is a fair part.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from claimscope.core.analysis.agreement.validation import Estimate, pearson, spearman
from claimscope.core.run.sample import Services
from claimscope.core.services.scoring import Row, score_rows
from claimscope.core.settings import Settings
from claimscope.tui.bootstrap.judges import services_of_rows

METRICS = ("factual_correctness", "semantic_similarity", "accuracy")
SEMANTIC = {"default": 0.25, "equal": 0.5, "factual": 0.1, "semantic": 0.9}
"""Share of the semantic part in the presets of answer_correctness (METRICS D)."""
TOGETHER = 6
Values = dict[str, float | None]


def token_f1(answer: str, reference: str) -> float:
    """Words in common over all words, both ways."""
    one, two = (
        Counter(re.findall(r"\w+", text.lower())) for text in (answer, reference)
    )
    shared = sum((one & two).values())
    return 2 * shared / max(sum(one.values()) + sum(two.values()), 1)


def with_presets(found: Mapping[str, float | None]) -> Values:
    """Adds answer_correctness at each preset; no factual part, no value."""
    values: Values = dict(found)
    if "factual_correctness" not in found:
        return values
    factual, semantic = found["factual_correctness"], found["semantic_similarity"]
    for name, share in SEMANTIC.items():
        whole = None
        if factual is not None and semantic is not None:
            whole = (1 - share) * factual + share * semantic
        values[f"answer_correctness, {name}"] = whole
    return values


async def compared(
    pairs: Sequence[Mapping[str, object]], services: Services
) -> list[list[Values]]:
    """Values of both answers of some pairs."""
    rows = [
        Row(
            id=at,
            question=str(pair["question"]),
            answer=answer,
            reference=str(pair["evidence"]),
        )
        for pair in pairs
        for at, answer in enumerate(str(pair["claim"]).split("\n###\n"))
    ]
    values = []
    async for scored in score_rows(rows, services):
        found: Values = {score.metric: score.value for score in scored.scores}
        words = token_f1(scored.row.answer, scored.row.reference or "")
        values.append(with_presets(found) | {"token F1": words})
    return [values[at : at + 2] for at in range(0, len(values), 2)]


def difference(first: Values, second: Values) -> Values:
    """Second minus first; no value where one has none."""
    return {
        name: None if one is None or second[name] is None else second[name] - one
        for name, one in first.items()
    }


def opinion(row: Mapping[str, object]) -> float:
    native = row["native"]
    votes = json.loads(native) if isinstance(native, str) else native
    return float(np.mean(votes))


def shown(figure: Estimate) -> str:
    if figure.value is None or figure.low is None or figure.high is None:
        return f"none ({figure.reason})"
    return f"{figure.value:6.3f} [{figure.low:.3f}, {figure.high:.3f}]"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", type=Path)
    parser.add_argument("--seconds", type=float, default=110)
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument(
        "--quick", action="store_true", help="without claims: all rows in a minute"
    )
    options = parser.parse_args()
    rows = [json.loads(line) for line in options.rows.read_text("utf-8").splitlines()]
    random.Random(7).shuffle(rows)
    rows = rows[: options.pairs]
    differences: list[Values] = []
    services = services_of_rows(Settings(), METRICS[1:] if options.quick else METRICS)
    began = time.perf_counter()
    for at in range(0, len(rows), TOGETHER):
        if time.perf_counter() - began > options.seconds:
            break
        both = asyncio.run(compared(rows[at : at + TOGETHER], services))
        differences += [difference(*pair) for pair in both]
    people = [opinion(row) for row in rows[: len(differences)]]
    seconds = time.perf_counter() - began
    print(f"{len(people)} of {len(rows)} pairs in {seconds:.0f} s")
    print(f"{'':30} n    Pearson                Spearman")
    for name in sorted(differences[0]):
        pairs = [
            (value[name], said)
            for value, said in zip(differences, people, strict=True)
            if value[name] is not None
        ]
        x, y = [float(one or 0) for one, _ in pairs], [said for _, said in pairs]
        both = f"{shown(pearson(x, y))}  {shown(spearman(x, y))}"
        print(f"{name:30} {len(pairs):3} {both}")


if __name__ == "__main__":
    main()
