"""Claims of 60 invented sentences against those that a person made of them.

    python -m benchmarks.quality.sentence_claims [--all] [--file FILE]

sentence_claims.jsonl was written before the code that is measured by it was changed:
chatbot sentences of many forms (reasons, participles, lists, asides, pronouns behind a
beginning) and 13 that must stay whole. sentence_claims_later.jsonl holds 30 that were
written when it had been changed: 26 came out right at first sight (16 before), and 26
do now. A sentence is right when its claims are exactly these, stops aside. One to one:
pairs of claims with token F1 of 0.9 or more, so that another form of a verb is no miss.
Prints the sentences that are wrong (--all: every one), then how many of each kind are
right.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

from benchmarks.quality.decomposition import matches
from claimscope.core.verify.decomposition import decompose

FILE = Path(__file__).with_suffix(".jsonl")
LEAST = 0.9
"""Token F1 from which two claims are the same."""


def plain(claims: list[str]) -> list[str]:
    """Claims in order of the alphabet, without the stop at the end."""
    return sorted(claim.rstrip(". ") for claim in claims)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--file", type=Path, default=FILE)
    parser.add_argument("--all", action="store_true", help="every sentence")
    options = parser.parse_args()
    of, right = Counter[str](), Counter[str]()
    ours = theirs = same = 0
    for line in options.file.read_text("utf-8").splitlines():
        row = json.loads(line)
        got = [claim.text for claim in decompose(row["text"]).claims]
        is_right = plain(got) == plain(row["claims"])
        of[row["kind"]] += 1
        right[row["kind"]] += is_right
        pairs = matches(got, row["claims"], least=LEAST)
        ours, theirs = ours + len(got), theirs + len(row["claims"])
        same += len(pairs)
        if options.all or not is_right:
            print(row["kind"], row["text"], sep=": ")
            print(*(f"    now    {claim}" for claim in got), sep="\n")
            print(*(f"    right  {claim}" for claim in row["claims"]), sep="\n")
    for kind, many in of.items():
        print(f"{kind:<15}{right[kind]:>3} of {many}")
    print(
        f"{right.total()} of {of.total()} sentences right; {ours} claims for {theirs}"
    )
    print(
        f"one to one  recall {same / theirs:.2f}, precision {same / ours:.2f}, "
        f"F1 {2 * same / (ours + theirs):.2f}"
    )


if __name__ == "__main__":
    main()
