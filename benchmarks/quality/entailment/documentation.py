"""Pairs from claims that were written on passages of real documentation.

    python -m benchmarks.quality.entailment.documentation REPOSITORIES OUT.tsv
        [--claims FILE]

documentation_claims.jsonl holds claims, written for this project, and the place of
the passage that they are about: a public repository under a licence that allows it
(MIT, BSD, Apache-2.0, Unlicense, CC0), a commit, a file and its lines. The passages
are no part of this project: they are taken out of REPOSITORIES, a folder with a clone
(bare or not) of each as owner+name. A passage that is not there is counted and left
out. OUT is what `train --more` reads.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.quality.entailment.further import Row, write_pairs
from benchmarks.quality.entailment.material import premise_of
from claimscope.core.verify.normalisation import canonical
from claimscope.stores.pages.readers.markdown import MarkdownReader
from claimscope.stores.pages.readers.rst import RstReader

CLAIMS = Path(__file__).with_name("documentation_claims.jsonl")
LABELS = {"true": "entailment", "false": "contradiction", "silent": "neutral"}
LONGEST = 900
"""Characters of a premise: about what the model reads beside a claim."""


def passage(place: dict[str, Any], repositories: Path) -> str | None:
    """The lines of a claim's passage as pages are read; None where they are not."""
    clone = repositories / place["repo"].replace("/", "+")
    if not clone.is_dir():
        return None
    shown = subprocess.run(
        ["git", "-C", str(clone), "show", f"{place['commit']}:{place['path']}"],
        capture_output=True,
        check=False,
    )
    if shown.returncode:
        return None
    lines = shown.stdout.decode("utf-8", "replace").splitlines()
    text = "\n".join(lines[place["first"] - 1 : place["last"]])
    reader = RstReader() if place["path"].endswith(".rst") else MarkdownReader()
    pages = list(reader.read(text.encode(), place["path"]))
    return pages[0].text if pages else None


def pairs(claims: Path, repositories: Path) -> Iterator[Row | None]:
    """(premise, claim, label) each; None for a passage that is not there."""
    for line in claims.read_text("utf-8").splitlines():
        place = json.loads(line)
        text = passage(place, repositories)
        if text is None:
            yield None
            continue
        premise = premise_of(text)[:LONGEST]
        for group, label in LABELS.items():
            for claim in place[group]:
                yield premise, canonical(claim), label


def main() -> None:
    """Writes the file and prints how many pairs there are of each label."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repositories", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--claims", type=Path, default=CLAIMS)
    arguments = parser.parse_args()
    found = list(pairs(arguments.claims, arguments.repositories))
    rows = [row for row in found if row is not None and row[0]]
    write_pairs(arguments.out, rows)
    print(dict(Counter(row[2] for row in rows)), f"{found.count(None)} not there")


if __name__ == "__main__":
    main()
