"""Pairs from claims that were written on passages of pages.

    python -m benchmarks.quality.entailment.documentation REPOSITORIES OUT.tsv
        [--claims FILE …] [--as-read]

page_claims.jsonl holds pages that were made up for this, with the claims on each.
documentation_claims.jsonl holds claims, written for this project, and the place of
the passage that they are about: a public repository under a licence that allows it
(MIT, BSD, ISC, Apache-2.0, Unlicense, CC0, CC-BY, OGL), a commit, a file and its
lines. The passages are no part of this project: they are taken out of REPOSITORIES,
a folder with a clone (bare or not) of each as owner+name. A passage that is not there
is counted and left out. OUT is what `train --more` reads.

With --as-read the premise is not the passage but what the verifier would read beside
the claim: of the page as far as WINDOW lines around the passage the nearest sentences
to the claim, side by side, and the nearest one by itself. These do not always hold
what settles the claim; a true claim and its false twin get about the same ones. Of
real pages there are no silent claims then: the lines around a passage may state them.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from benchmarks.quality.entailment.further import Row, write_pairs
from benchmarks.quality.entailment.material import premise_of
from claimscope.core.backends.embedders import default_embedder
from claimscope.core.errors import PageNote
from claimscope.core.ports import Embedder
from claimscope.core.text.outline import FENCES
from claimscope.core.verify.evidence import questions_of_rows
from claimscope.core.verify.normalisation import canonical
from claimscope.core.verify.passages import passage_of
from claimscope.core.verify.witnesses.figure_sums import with_sums
from claimscope.core.verify.witnesses.value_rendering import (
    render_values,
    strip_connectives,
)
from claimscope.stores.pages.readers.markdown import MarkdownReader
from claimscope.stores.pages.readers.rst import RstReader

CLAIMS = tuple(
    Path(__file__).with_name(name)
    for name in ("documentation_claims.jsonl", "page_claims.jsonl")
)
LABELS = {"true": "entailment", "false": "contradiction", "silent": "neutral"}
LONGEST = 900
"""Characters of a premise; the model reads fewer of them, 192 tokens with the claim."""
WINDOW = 50
"""Lines of a page that are read before and after a passage."""


def passage(place: dict[str, Any], repositories: Path, around: int = 0) -> str | None:
    """The lines of a claim's passage, and as many `around` it, as pages are read; None
    where they are not there."""
    if "text" in place:
        return str(place["text"])
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
    first = max(0, place["first"] - 1 - around)
    fences = [
        n for n, line in enumerate(lines[:first]) if line.lstrip().startswith(FENCES)
    ]
    if around and len(fences) % 2:  # not from the middle of code
        first = fences[-1]
    text = "\n".join(lines[first : place["last"] + around])
    reader = RstReader() if place["path"].endswith(".rst") else MarkdownReader()
    pages = []
    # A note at the end says what an .rst file leaves out.
    with suppress(PageNote):
        for page in reader.read(text.encode(), place["path"]):
            pages.append(page)
    return pages[0].text if pages else None


def places(files: Sequence[Path]) -> Iterator[dict[str, Any]]:
    """Passages with their claims."""
    for file in files:
        for line in file.read_text("utf-8").splitlines():
            yield json.loads(line)


def pairs(files: Sequence[Path], repositories: Path) -> Iterator[Row | None]:
    """(premise, claim, label) each; None for a passage that is not there."""
    for place in places(files):
        text = passage(place, repositories)
        if text is None:
            yield None
            continue
        premise = premise_of(text)[:LONGEST]
        for group, label in LABELS.items():
            for claim in place[group]:
                yield premise, as_given(canonical(claim), premise), label


def as_given(claim: str, premise: str) -> str:
    """A claim as the verifier gives it to the model beside a premise."""
    return with_sums(render_values(claim, premise).text, premise)


def pairs_as_read(
    files: Sequence[Path], repositories: Path, embedder: Embedder
) -> Iterator[Row | None]:
    """The same with what the verifier reads of the page in the place of the passage."""
    for place in places(files):
        text = passage(place, repositories, WINDOW)
        if text is None:
            yield None
            continue
        # Sentences farther off may state what the passage is silent about.
        asked = [
            (claim, label)
            for group, label in LABELS.items()
            for claim in place[group]
            if label != "neutral" or "text" in place
        ]
        rows = [(claim, text, None) for claim, _ in asked]
        questions = questions_of_rows(rows, embedder)
        for question, (claim, label) in zip(questions, asked, strict=True):
            if not question.evidence:
                continue
            read = passage_of(question)
            own_claim = strip_connectives(canonical(claim))
            for premise in dict.fromkeys((read.together, read.near[0].alone)):
                yield premise, as_given(own_claim, premise), label


def main() -> None:
    """Writes the file and prints how many pairs there are of each label."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repositories", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--claims", type=Path, nargs="+", default=CLAIMS)
    parser.add_argument("--as-read", action="store_true")
    arguments = parser.parse_args()
    if arguments.as_read:
        embedder = default_embedder()
        found = list(pairs_as_read(arguments.claims, arguments.repositories, embedder))
    else:
        found = list(pairs(arguments.claims, arguments.repositories))
    rows = [row for row in found if row is not None and row[0]]
    write_pairs(arguments.out, rows)
    print(dict(Counter(row[2] for row in rows)), f"{found.count(None)} not there")


if __name__ == "__main__":
    main()
