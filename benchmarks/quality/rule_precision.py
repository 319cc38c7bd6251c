"""How often each rule is right, on labelled rows.

    python -m benchmarks.quality.rule_precision [FILE …] [--frames N [--held-out]]
        [--consent P]

A FILE has JSON lines of claim, evidence and gold, as
benchmarks/quality/everyday/rows.jsonl, the default; N pairs of the training frames are
taken besides. Printed for each rule of the registry: its conflicts and the share of
them on claims that are contradicted, its other vetoes and the share of them on claims
that are not supported. With --consent only conflicts count for which the entailment
model gives P or more to "contradicts"; then pairs of frames should be those that it was
not trained on (--held-out).
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from benchmarks.quality.entailment.material import material
from claimscope.core.backends.onnx.entailment import shipped_model
from claimscope.core.ports import CONTRADICTS, Floats
from claimscope.core.verify.evidence import questions_of_rows
from claimscope.core.verify.normalisation import legible
from claimscope.core.verify.rules.findings import inspect
from claimscope.core.verify.rules.registry import RULES
from claimscope.core.verify.token_alignment import AlignedWindow
from claimscope.core.verify.witnesses.without_model import hear

ROWS = Path(__file__).parent / "everyday" / "rows.jsonl"
GOLD = ("supported", "contradicted", "not_enough_info")
Row = tuple[str, str, str]
"""(claim, evidence, gold)."""


def rows_of(path: Path) -> Iterator[Row]:
    for line in path.read_text("utf-8").splitlines():
        row = json.loads(line)
        yield row["claim"], row["evidence"], row["gold"]


def framed(count: int, held_out: bool) -> list[Row]:
    """Pairs of the training frames, drawn with a fixed seed."""
    pairs = material(1, 1, held_out=held_out)
    drawn = random.Random(11).sample(pairs, min(count, len(pairs)))
    return [(pair.claim, pair.premise, GOLD[pair.label]) for pair in drawn]


class Nowhere:
    """An embedder for rules, which read no vectors."""

    model_id = "none"
    dimensions = 1

    def embed(self, texts: Sequence[str]) -> Floats:
        """Nothing is near anything."""
        return np.zeros((len(texts), 1), dtype=np.float32)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--frames", type=int, default=0)
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--consent", type=float, metavar="P")
    parser.add_argument("--errors", metavar="ID", help="list where this rule is wrong")
    arguments = parser.parse_args()
    rows = [row for path in arguments.files or [ROWS] for row in rows_of(path)]
    rows += framed(arguments.frames, arguments.held_out) if arguments.frames else []
    asked = [(claim, evidence, None) for claim, evidence, _ in rows]
    found: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    questions = list(questions_of_rows(asked, Nowhere()))
    against = [1.0] * len(rows)
    model = shipped_model()
    if arguments.consent and model is not None:
        against = [float(one.together[CONTRADICTS]) for one in hear(model, questions)]
    for question, (claim, evidence, gold), sure in zip(
        questions, rows, against, strict=True
    ):
        windows = [
            AlignedWindow(one.model_copy(update={"text": legible(one.text)}))
            for one in question.evidence
        ]
        for finding in inspect(legible(claim), windows):
            shown = finding.shown
            kind = "conflict" if shown.outcome == "conflict" else "veto"
            if kind == "veto" and not shown.veto:
                continue
            if kind == "conflict" and sure < (arguments.consent or 0.0):
                kind = "veto"
            found[shown.id, kind][gold] += 1
            if arguments.errors == shown.id and gold == GOLD[0]:
                print(f"{kind}: {claim!r} | {evidence!r}\n      {shown.message}")
    print(f"{len(rows)} rows\n{'':13}conflicts  right      vetoes  right")
    for rule in RULES:
        cells = []
        for kind, right in (("conflict", ("contradicted",)), ("veto", GOLD[1:])):
            counts = found[rule.id, kind]
            total = sum(counts.values())
            share = sum(counts[gold] for gold in right) / total if total else None
            cells.append(
                f"{total:9}  " + ("  – " if share is None else f"{share:4.2f}")
            )
        print(f"{rule.id:13}" + "  ".join(cells))
    both: Counter[str] = Counter()
    for rule in RULES:
        both += found[rule.id, "conflict"]
    right_share = both["contradicted"] / max(both.total(), 1)
    print(f"{'all conflicts':13}{both.total():9}  {right_share:4.2f}")


if __name__ == "__main__":
    main()
