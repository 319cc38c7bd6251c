"""Sets where the word of a witness begins to count (core/verify/policy.json).

    python benchmarks/fit_policy.py [ROWS] [--write]

ROWS: labelled everyday pairs, by default benchmarks/everyday/rows.jsonl. They were
written for this project and trained on by nothing, but after this they are no measure
any more: figures are reported of other rows. Chosen is what finds most true claims
while few false ones are called supported, and most contradictions while hardly a true
claim is called contradicted.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
from everyday import ROWS, measured, read

from claimscope.core.inference.embedding import default_embedder
from claimscope.core.verification.calibrate import fitted, matrix
from claimscope.core.verification.evidence import questions_of_rows
from claimscope.core.verification.verify import EvidenceVerifier, Reading, testimony_of
from claimscope.core.verify.resolve import POLICY_FILE, Policy, policy, resolve

FALSE_SUPPORT, UNSTATED_SUPPORT, FALSE_CONTRADICTION = 0.07, 0.1, 0.015
"""Shares that a policy may reach on these rows; a little below the aims."""
PLACES = [round(float(x), 2) for x in np.linspace(0.3, 0.98, 35)]


def said(
    readings: Sequence[Reading], supports: Sequence[float], tried: Policy
) -> list[str]:
    """The verdicts of a policy, without a language model."""
    model = fitted()
    return [
        resolve(testimony_of(reading, support, model, tried)).label.value
        for reading, support in zip(readings, supports, strict=True)
    ]


def main() -> None:
    """Prints what was chosen and what it does to the rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", nargs="?", type=Path, default=ROWS)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    rows = read(arguments.rows)
    embedder = default_embedder()
    asked = [(row["claim"], row["evidence"], None) for row in rows]
    readings = EvidenceVerifier(embedder).read(questions_of_rows(asked, embedder))
    model = fitted()
    supports = model.support(matrix([one.row for one in readings], model.features))
    best = policy()
    found = []
    for place in PLACES:
        tried = replace(best, entails=place, surely=max(place, best.surely))
        shares = measured(rows, said(readings, supports, tried))
        print(f"entails {place}: {shares}")
        if (shares["FS"] or 0) <= FALSE_SUPPORT and (
            shares["NS"] or 0
        ) <= UNSTATED_SUPPORT:
            found.append((shares["TS"] or 0, tried))
    best = max(found, key=lambda one: one[0])[1] if found else best
    found = []
    for place in PLACES:
        for alike in (0.3, 0.4, 0.5, 0.6):
            tried = replace(best, denies=place, alike=alike)
            shares = measured(rows, said(readings, supports, tried))
            if (shares["FC"] or 0) <= FALSE_CONTRADICTION:
                found.append((shares["CR"] or 0, tried))
    best = max(found, key=lambda one: one[0])[1] if found else best
    print(best)
    print(measured(rows, said(readings, supports, best)))
    if arguments.write:
        known = json.loads(POLICY_FILE.read_text("utf-8"))
        known["policy"] = asdict(best)
        POLICY_FILE.write_text(json.dumps(known, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
