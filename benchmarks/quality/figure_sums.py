"""How often the figures of a claim come out of a passage's, by the label of the claim.

    python -m benchmarks.quality.figure_sums ROWS.jsonl …

The rows are those of benchmarks/quality/everyday. Printed are, of the supported, the
contradicted and the unstated claims, how many have a figure that the passage does not
have, and of how many of these a working comes to it. A working that is found as often
for false claims as for true ones would tell the model nothing.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from pathlib import Path

from benchmarks.quality.entailment.material import premise_of
from claimscope.core.verify.normalisation import canonical
from claimscope.core.verify.witnesses.figure_sums import figure_sums
from claimscope.core.verify.witnesses.value_rendering import render_values

LABELS = ("supported", "contradicted", "not_enough_info")


def kind_of(claim: str, evidence: str) -> str:
    """ "worked", "missing" for a figure without a working, or ""."""
    premise = premise_of(evidence)
    found = figure_sums(render_values(canonical(claim), premise).text, premise)
    if found.worked:
        return "worked"
    return "missing" if found.missing else ""


def main() -> None:
    """Prints a line for each label."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", type=Path, nargs="+")
    files = parser.parse_args().rows
    rows = [json.loads(x) for f in files for x in f.read_text("utf-8").splitlines()]
    began = time.monotonic()
    counts = Counter((r["gold"], kind_of(r["claim"], r["evidence"])) for r in rows)
    spent = (time.monotonic() - began) / max(len(rows), 1)
    for label in LABELS:
        found = {kind: counts[label, kind] for kind in ("worked", "missing")}
        total = sum(count for (gold, _), count in counts.items() if gold == label)
        print(
            f"{label:16} {total:5} claims, {sum(found.values()):4} with a figure that"
            f" the passage lacks: {found['worked']:4} come out of a working"
        )
    print(f"{spent * 1000:.1f} ms a claim")


if __name__ == "__main__":
    main()
