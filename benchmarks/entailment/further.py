"""Pairs of public sets beside the frames, as lines of premise, claim and label.

    python -m benchmarks.entailment.further OUT [--conjunctions FILE]
        [--counterfactual FOLDER] [--tables FOLDER]

FILE: `data/NLI/adversarial_train_15k.tsv` of ConjNLI (MIT). `--counterfactual`: the
folder `NLI/all_combined` of counterfactually-augmented-data (Apache-2.0).
`--tables`: a checkout of Table-Fact-Checking (MIT), of which only tables are taken that
are read whole, with the pairs of true and false statements on them. None of these sets
is one that figures are reported of. OUT is what `train --more` reads.
"""

from __future__ import annotations

import argparse
import csv
import json
from collections.abc import Iterator
from pathlib import Path

from claimscope.core.verify.entailment import premise_of

LONGEST = 620
"""Characters of a table as statements: about what is read beside a claim."""
NO_PAIR = "borries-ileigh"
"""Stands in the set where a statement has no false twin."""
Row = tuple[str, str, str]


def conjunctions(path: Path) -> Iterator[Row]:
    """The file as it is."""
    for line in path.read_text("utf-8").splitlines():
        parts = line.split("\t")
        if len(parts) == 3:
            yield parts[0], parts[1], parts[2]


def counterfactual(folder: Path) -> Iterator[Row]:
    """Sentences that people changed until the label changed."""
    for name in ("train", "dev", "test"):
        text = (folder / f"{name}.tsv").read_text("utf-8")
        for row in csv.DictReader(text.splitlines(), delimiter="\t"):
            yield row["sentence1"], row["sentence2"], row["gold_label"]


def tables(folder: Path) -> Iterator[Row]:
    """Statements on small tables, each with its false twin."""
    titles = json.loads((folder / "data" / "table_to_page.json").read_text("utf-8"))
    pairs = folder / "pairwise_data" / "all_positive_negative_pairs.json"
    for name, true, false in json.loads(pairs.read_text("utf-8")):
        path = folder / "data" / "all_csv" / name
        if false == NO_PAIR or not path.is_file():
            continue
        premise = table_premise(path, titles.get(name, [""])[0])
        if premise:
            yield premise, true, "entailment"
            yield premise, false, "contradiction"


def table_premise(path: Path, title: str) -> str:
    """A table as its statements; "" for one that is too long or broken."""
    lines = path.read_text("utf-8").strip().split("\n")
    rows = [[cell.strip().replace("|", "/") for cell in x.split("#")] for x in lines]
    if len({len(row) for row in rows}) != 1:
        return ""
    drawn = ["| " + " | ".join(row) + " |" for row in rows]
    drawn.insert(1, "|" + "---|" * len(rows[0]))
    head = f"# {title}\n\n" if title else ""
    premise = premise_of(head + "\n".join(drawn) + "\n")
    return premise if len(premise) <= LONGEST else ""


def main() -> None:
    """Writes the file and prints how many pairs each set gave."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--conjunctions", type=Path)
    parser.add_argument("--counterfactual", type=Path)
    parser.add_argument("--tables", type=Path)
    arguments = parser.parse_args()
    found: list[Row] = []
    for name, read in (
        ("conjunctions", conjunctions),
        ("counterfactual", counterfactual),
        ("tables", tables),
    ):
        path = getattr(arguments, name)
        if path is not None:
            rows = list(read(path))
            print(f"{name}: {len(rows)} pairs")
            found += rows
    flat = (" ".join(part.split()) for row in found for part in row)
    lines = ["\t".join(three) for three in zip(flat, flat, flat, strict=True)]
    arguments.out.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
