"""Sets where the word of a witness begins to count (core/verify/policy.json).

    python -m benchmarks.quality.fit_policy [ROWS] [--write]

ROWS: labelled everyday pairs, by default benchmarks/quality/everyday/rows.jsonl. They
were written for this project and trained on by nothing, but after this they are no
measure any more: figures are reported of other rows. Chosen is what finds most true
claims while few false ones are called supported, and then what tells true from false
best among those called supported or likely.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np

from benchmarks.quality.everyday import ROWS, measured, read
from claimscope.core.backends.embedders import default_embedder
from claimscope.core.backends.onnx.entailment import shipped_model
from claimscope.core.verify.evidence import questions_of_rows
from claimscope.core.verify.fit.calibration import evidence_model
from claimscope.core.verify.resolve import POLICY_FILE, Policy, policy, resolve
from claimscope.core.verify.verifier import (
    EvidenceReading,
    EvidenceVerifier,
    supports_by,
    testimony_of,
)

PROVED, LIKELY = 0.06, 0.3
"""Share of the contradicted claims that may be called supported, and supported or
likely, on these rows."""
UNSTATED = 0.1
PLACES = [round(float(x), 2) for x in np.linspace(0.3, 0.98, 35)]


def said(
    readings: Sequence[EvidenceReading], supports: Sequence[float], tried: Policy
) -> tuple[list[str], list[str]]:
    """The verdicts of a policy without a language model: with "likely" taken for
    supported, and with it apart."""
    found = [
        resolve(testimony_of(reading, support, tried), tried)
        for reading, support in zip(readings, supports, strict=True)
    ]
    labels = [one.label.value for one in found]
    apart = [
        "likely" if label == "supported" and one.band == "review" else label
        for label, one in zip(labels, found, strict=True)
    ]
    return labels, apart


def main() -> None:
    """Prints what was chosen and what it does to the rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", nargs="?", type=Path, default=ROWS)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    rows = read(arguments.rows)
    embedder = default_embedder()
    asked = [(row["claim"], row["evidence"], None) for row in rows]
    readings = EvidenceVerifier(embedder, shipped_model()).read(
        questions_of_rows(asked, embedder)
    )
    supports = supports_by(evidence_model(), readings)

    def shares(tried: Policy, *, apart: bool = False) -> dict[str, float]:
        found = measured(rows, said(readings, supports, tried)[apart])
        return {name: share or 0.0 for name, share in found.items()}

    def best_of(tries: Iterable[Policy], worth: Callable[[Policy], float]) -> Policy:
        scored = [(worth(one), one) for one in tries]
        return max(scored, key=lambda one: one[0])[1]

    def proved(tried: Policy) -> float:
        found = shares(tried, apart=True)
        return found["TS"] if found["FS"] <= PROVED else -1.0

    def likely(tried: Policy) -> float:
        found = shares(tried)
        if found["FS"] > LIKELY or found["NS"] > UNSTATED:
            return -1.0
        return found["TS"] - found["FS"]

    best = best_of((replace(policy(), surely=p, entails=p) for p in PLACES), proved)
    pairs = [(p, q) for p in PLACES for q in PLACES if q <= p <= best.surely]
    best = best_of((replace(best, entails=p, leaning=q) for p, q in pairs), likely)
    print(best)
    for name, apart in (("with likely", False), ("without", True)):
        found = shares(best, apart=apart)
        print(name, {key: round(share, 2) for key, share in found.items()})
    if arguments.write:
        known = json.loads(POLICY_FILE.read_text("utf-8"))
        known["policy"] = asdict(best)
        POLICY_FILE.write_text(json.dumps(known, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
