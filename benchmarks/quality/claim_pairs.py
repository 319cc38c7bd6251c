"""Verdicts on short claim and evidence pairs written by hand, kind by kind.

    python -m benchmarks.quality.claim_pairs [FILE …] [--errors]

Each line of a file is one pair: claim, evidence, the right verdict, and the kind of
difference it tries (rounding, bounds, swapped roles …). The default files are those
the tests use. Counted apart are wrong verdicts that a reader would believe: a
"contradicted" of what the text does not deny, and a "supported" of what it denies or
does not say. No language model is asked.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from claimscope.core.backends.embedders import default_embedder
from claimscope.core.backends.onnx.entailment import shipped_model
from claimscope.core.models import Label, Verdict
from claimscope.core.ports import Embedder, Question
from claimscope.core.verify.evidence import candidates_from_text
from claimscope.core.verify.verifier import EvidenceVerifier

PAIRS = Path(__file__).parents[2] / "tests" / "core" / "verify" / "pairs"


@dataclass(frozen=True)
class Pair:
    """A claim with a text, and what the text makes of it."""

    kind: str
    claim: str
    evidence: str
    right: Label


def pairs_of(path: Path) -> list[Pair]:
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [
        Pair(row["kind"], row["claim"], row["evidence"], Label(row["right"]))
        for row in rows
    ]


def judged(pairs: Sequence[Pair], embedder: Embedder) -> list[Verdict]:
    questions = [
        Question(
            pair.claim, candidates_from_text(pair.claim, [pair.evidence], embedder)
        )
        for pair in pairs
    ]
    return EvidenceVerifier(embedder, shipped_model()).verify_now(questions)


def is_confidently_wrong(given: Label, right: Label) -> bool:
    """Wrong in a way that a reader would believe."""
    return given != right and given in (Label.CONTRADICTED, Label.SUPPORTED)


def show(name: str, pairs: Sequence[Pair], verdicts: Sequence[Verdict]) -> None:
    """One line for the file and one for each kind."""
    given = [verdict.label for verdict in verdicts]
    right = sum(g == p.right for g, p in zip(given, pairs, strict=True))
    wrong = Counter(
        f"{g.value} of {p.right.value}"
        for g, p in zip(given, pairs, strict=True)
        if is_confidently_wrong(g, p.right)
    )
    print(f"{name}: {right} of {len(pairs)} right, {wrong.total()} confidently wrong")
    for what, count in sorted(wrong.items()):
        print(f"  {count:>3} {what}")
    for kind in dict.fromkeys(pair.kind for pair in pairs):
        own = [(g, p) for g, p in zip(given, pairs, strict=True) if p.kind == kind]
        hits = sum(g == p.right for g, p in own)
        bad = sum(is_confidently_wrong(g, p.right) for g, p in own)
        print(f"  {kind:<14} {hits:>2} of {len(own):<3} confidently wrong {bad}")


def main() -> None:
    """Prints the figures of each file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--errors", action="store_true", help="list each error")
    arguments = parser.parse_args()
    embedder = default_embedder()
    for path in arguments.files or sorted(PAIRS.glob("*.jsonl")):
        pairs = pairs_of(path)
        verdicts = judged(pairs, embedder)
        show(path.stem, pairs, verdicts)
        for pair, verdict in zip(pairs, verdicts, strict=True):
            if arguments.errors and verdict.label != pair.right:
                is_bad = is_confidently_wrong(verdict.label, pair.right)
                mark = "WRONG" if is_bad else "     "
                print(
                    f"{mark} {pair.kind}: {verdict.label.value}, right is "
                    f"{pair.right.value}: {pair.claim!r} | {pair.evidence!r}\n"
                    f"        {verdict.support} {verdict.reason}"
                )


if __name__ == "__main__":
    main()
