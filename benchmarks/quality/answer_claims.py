"""Claims of 60 pieces of chatbot answers, without a model: before and now.

    python -m benchmarks.quality.answer_claims [--all]

answer_claims.jsonl holds for each piece the claims and the reasons of skipped parts
that are right, and those that came out (`before`) when lists, tables, questions,
lead-ins, talk of the assistant, former and latter, sentences of several facts,
identifiers and code were not read. A piece is right when both lists are exactly so. The
right lists were written with the reader: they show what it does and hold it there.
answer_claims_fresh.jsonl was written when the reader stood: 22 of its 27 came out right
at first sight; what was wrong with four of the rest has been mended since, so it is not
fresh any more. Prints the pieces that are wrong now (--all: every piece with both
lists), then how many of each kind are right. Exit 1 when one of the 60 is wrong.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from claimscope.core.verify.decomposition import decompose

FILE = Path(__file__).with_suffix(".jsonl")
FRESH = FILE.with_name("answer_claims_fresh.jsonl")


def rows(file: Path = FILE) -> list[dict[str, Any]]:
    lines = file.read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines if line]


def found(text: str) -> dict[str, list[str]]:
    """Claims and reasons of skipped parts as they come out now."""
    taken = decompose(text)
    return {
        "claims": [claim.text for claim in taken.claims],
        "skipped": [part.reason for part in taken.skipped],
    }


def is_right(row: dict[str, Any], got: dict[str, list[str]]) -> bool:
    """Are both lists exactly so?"""
    return bool(got["claims"] == row["claims"] and got["skipped"] == row["skipped"])


def shown(got: dict[str, list[str]]) -> str:
    """Both lists in one line."""
    parts = [f"“{claim}”" for claim in got["claims"]]
    parts += [f"({reason})" for reason in got["skipped"]]
    return " ".join(parts) or "nothing"


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the table; 1 when a piece is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--all", action="store_true", help="every piece")
    options = parser.parse_args(arguments)
    is_right_now = table(FILE, every=options.all)
    print("\nfresh")
    table(FRESH, every=options.all)
    return 0 if is_right_now else 1


def table(file: Path, *, every: bool) -> bool:
    """Prints the pieces of a file and how many are right; True when all are."""
    of, before, now = Counter[str](), Counter[str](), Counter[str]()
    for row in rows(file):
        got, kind = found(row["text"]), row["kind"]
        of[kind] += 1
        before[kind] += is_right(row, row["before"])
        now[kind] += is_right(row, got)
        if every or not is_right(row, got):
            print(f"{kind}: {row['text']!r}")
            print(f"    before {shown(row['before'])}")
            print(f"    now    {shown(got)}")
            if not is_right(row, got):
                print(f"    right  {shown(row)}")
    print(f"{'kind':<12}{'pieces':>8}{'before':>8}{'now':>6}")
    for kind, many in of.items():
        print(f"{kind:<12}{many:>8}{before[kind]:>8}{now[kind]:>6}")
    print(f"{'all':<12}{of.total():>8}{before.total():>8}{now.total():>6}")
    return now == of


if __name__ == "__main__":
    sys.exit(main())
