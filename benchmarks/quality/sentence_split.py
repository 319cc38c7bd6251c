"""Sentence boundaries against labelled text: boundary F1 and golden rules passed.

    python -m benchmarks.quality.sentence_split ROWS.jsonl [--errors N]

Each row has `part`, `claim` (the text) and `native` (its sentences in order). A
boundary is the offset, in characters that are not white space, at which a sentence
ends; the end of the text is not counted, as no splitter can miss it.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from claimscope.core.text.sentences import split_sentences


def boundaries(pieces: Sequence[str]) -> set[int]:
    """Ends of all pieces but the last, counted without white space."""
    ends: set[int] = set()
    total = 0
    for piece in pieces[:-1]:
        total += len("".join(piece.split()))
        ends.add(total)
    return ends


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", type=Path)
    parser.add_argument("--errors", type=int, default=0, help="print N wrong texts")
    options = parser.parse_args()
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0, 0])
    shown = sentences = 0
    seconds = 0.0
    for line in options.rows.read_text("utf-8").splitlines():
        row = json.loads(line)
        started = time.perf_counter()
        spans = split_sentences(row["claim"])
        seconds += time.perf_counter() - started
        sentences += len(spans)
        ours = boundaries([row["claim"][a:b] for a, b in spans])
        gold = boundaries(row["native"])
        tally = counts[row["part"]]
        for place, number in enumerate(
            (len(ours & gold), len(ours), len(gold), ours == gold, 1)
        ):
            tally[place] += number
        if ours != gold and shown < options.errors:
            shown += 1
            print("\nours:", *(f"\n   {row['claim'][a:b]}" for a, b in spans))
            print("gold:", *(f"\n   {text}" for text in row["native"]))
    print(f"{'part':18} {'P':>6} {'R':>6} {'F1':>6}  texts right")
    for part, (hits, ours_n, gold_n, right, total) in sorted(counts.items()):
        precision, recall = hits / max(ours_n, 1), hits / max(gold_n, 1)
        f1 = 2 * hits / max(ours_n + gold_n, 1)
        print(f"{part:18} {precision:6.3f} {recall:6.3f} {f1:6.3f}  {right}/{total}")
    print(f"{sentences / seconds:,.0f} sentences/s")


if __name__ == "__main__":
    main()
