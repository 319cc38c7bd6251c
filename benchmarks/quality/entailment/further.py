"""Pairs of public sets beside the frames, as lines of premise, claim and label.

    python -m benchmarks.quality.entailment.further OUT [--conjunctions FILE]
        [--counterfactual FOLDER] [--tables FOLDER] [--records FOLDER]
        [--numbered FILE …] [--negation FILE …] [--monotone FILE]

FILE: `data/NLI/adversarial_train_15k.tsv` of ConjNLI (MIT). `--counterfactual`: the
folder `NLI/all_combined` of counterfactually-augmented-data (Apache-2.0).
`--tables`: a checkout of Table-Fact-Checking (MIT), of which only tables are taken that
are read whole, with the pairs of true and false statements on them. `--records`: the
folder `data` of InfoTabS (Apache-2.0), statements that people wrote on records.
`--numbered`: `generate_challenge/orig_test/snli/challenge_dev.tsv` and
`breaking_nli/challenge_dev.tsv` of semantic_fragments (SNLI and Breaking NLI, both
CC BY-SA 4.0). `--negation`: the files of `data/new_benchmarks/clean_data` of
negation-and-nli (MIT). `--monotone`: `MED.tsv` of MED (CC BY-SA 4.0). None of these
sets is one that figures are reported of. OUT is what `train --more` reads.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from benchmarks.quality.entailment.material import premise_of

LONGEST = 620
"""Characters of a table as statements: about what is read beside a claim."""
NO_PAIR = "borries-ileigh"
"""Stands in the set where a statement has no false twin."""
OF_ALL_ROWS = re.compile(
    r"\b(?:all|any|average|both|combined|count|each|every|few(?:er|est)?|first|half"
    r"|highest|larg(?:er|est)|last|least|less|long(?:er|est)|lowest|majority|more|most"
    r"|never|no|none|only|other|same|several|sum|than|there|times|total|tied|various"
    r"|one|two|three|four|five|six|seven|eight|nine|ten|[a-z]+est)\b"
)
"""What speaks of more rows than one."""
Row = tuple[str, str, str]


def conjunctions(path: Path) -> Iterator[Row]:
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
    """Statements on tables, each with its false twin: on the whole table where it is
    small; on the rows that share most words with the two where one row settles them."""
    titles = json.loads((folder / "data" / "table_to_page.json").read_text("utf-8"))
    simple = set(json.loads((folder / "data" / "simple_ids.json").read_text("utf-8")))
    pairs = folder / "pairwise_data" / "all_positive_negative_pairs.json"
    for name, true, false in json.loads(pairs.read_text("utf-8")):
        path = folder / "data" / "all_csv" / name
        if false == NO_PAIR or not path.is_file():
            continue
        rows = table_rows(path)
        whole = sum(len(cell) for row in rows for cell in row) < LONGEST
        of_all = OF_ALL_ROWS.search(f"{true} {false}")
        if not rows or (not whole and (name not in simple or of_all)):
            continue
        if not whole:
            rows = nearest_rows(rows, f"{true} {false}")
        premise = table_premise(rows, titles.get(name, [""])[0])
        if len(premise) <= LONGEST:
            yield premise, true, "entailment"
            yield premise, false, "contradiction"


def table_rows(path: Path) -> list[list[str]]:
    """Heads and rows of a table; none of a broken one."""
    lines = path.read_text("utf-8").strip().split("\n")
    rows = [[cell.strip().replace("|", "/") for cell in x.split("#")] for x in lines]
    return rows if len({len(row) for row in rows}) == 1 else []


def words_of(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))


def nearest_rows(rows: list[list[str]], said: str) -> list[list[str]]:
    """The heads and the three rows that share most words with what is said, in the
    order of the table."""
    words = words_of(said)
    shared = {
        at: len(words & words_of(" ".join(row))) for at, row in enumerate(rows[1:], 1)
    }
    kept = sorted(sorted(shared, key=lambda at: -shared[at])[:3])
    return [rows[0], *(rows[at] for at in kept)]


def table_premise(rows: list[list[str]], title: str) -> str:
    """Rows as the statements of a page."""
    drawn = ["| " + " | ".join(row) + " |" for row in rows]
    drawn.insert(1, "|" + "---|" * len(rows[0]))
    head = f"# {title}\n\n" if title else ""
    return premise_of(head + "\n".join(drawn) + "\n")


LABELS = {"E": "entailment", "N": "neutral", "C": "contradiction"}
FORMS = ("- **{}**: {}", "{}: {}\n", "| {} | {} |")
"""How a page may write the fields of a record."""
MOST_OF_A_LABEL = 3000
"""Rows of one label of one numbered file: Breaking NLI has seven of eight refuted."""


def records(folder: Path) -> Iterator[Row]:
    """Statements of people on records of fields, true, false and open ones."""
    for path in sorted((folder / "maindata").glob("*.tsv")):
        rows = csv.DictReader(path.read_text("utf-8").splitlines(), delimiter="\t")
        for row in rows:
            record = folder / "tables" / "json" / f"{row['table_id']}.json"
            fields = json.loads(record.read_text("utf-8"))
            form = random.Random(row["table_id"]).choice(FORMS)
            yield (
                record_premise(fields, row["hypothesis"], form),
                row["hypothesis"],
                LABELS[row["label"]],
            )


def record_premise(fields: dict[str, list[str]], claim: str, form: str) -> str:
    """A record as a page would have it, with the fields that share most words with the
    claim where not all find room; in the order of the record."""
    title = " ".join(fields.get("title", []))
    words = words_of(claim)
    said = {
        key: f"{key}: {', '.join(' '.join(value.split()) for value in values)}"
        for key, values in fields.items()
        if key != "title" and values
    }
    near = sorted(said, key=lambda key: -len(words & words_of(said[key])))
    room, kept = LONGEST - len(title), set()
    for key in near:
        room -= len(said[key]) + 4
        if room < 0:
            break
        kept.add(key)
    lines = [said[key] for key in said if key in kept]
    drawn = [form.format(*line.split(": ", 1)) for line in lines]
    if form.startswith("|"):
        drawn = ["| Field | Value |", "|---|---|", *drawn]
    return premise_of(f"# {title}\n\n" + "\n".join(drawn) + "\n")


def numbered(path: Path) -> Iterator[Row]:
    """Lines of number, premise, claim and label."""
    rows = [line.split("\t") for line in path.read_text("utf-8").splitlines()]
    random.Random(6).shuffle(rows)
    taken: Counter[str] = Counter()
    for row in rows:
        if len(row) == 4 and taken[row[3]] < MOST_OF_A_LABEL:
            taken[row[3]] += 1
            yield row[1], row[2], row[3].lower()


def negation(path: Path) -> Iterator[Row]:
    """Sentences with and without a negation, on either side."""
    lines = path.read_text("cp1252").splitlines()
    for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
        if row["gold_label"] != "not_entailment":
            yield row["Text"], row["Hypothesis"], row["gold_label"]


def monotone(path: Path) -> Iterator[Row]:
    """Words made wider or narrower under quantifiers."""
    reader = csv.DictReader(
        path.read_text("utf-8").splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE
    )
    for row in reader:
        yield row["sentence1"], row["sentence2"], row["gold_label"]


def write_pairs(path: Path, rows: Iterable[Row]) -> None:
    """A pair a line, as `train --more` reads them."""
    lines = ("\t".join(" ".join(part.split()) for part in row) for row in rows)
    path.write_text("\n".join(lines) + "\n", "utf-8")


def main() -> None:
    """Writes the file and prints how many pairs each set gave."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--conjunctions", type=Path)
    parser.add_argument("--counterfactual", type=Path)
    parser.add_argument("--tables", type=Path)
    parser.add_argument("--records", type=Path)
    parser.add_argument("--numbered", type=Path, nargs="*")
    parser.add_argument("--negation", type=Path, nargs="*")
    parser.add_argument("--monotone", type=Path)
    arguments = parser.parse_args()
    found: list[Row] = []
    for name, read in (
        ("conjunctions", conjunctions),
        ("counterfactual", counterfactual),
        ("tables", tables),
        ("records", records),
        ("numbered", numbered),
        ("negation", negation),
        ("monotone", monotone),
    ):
        given = getattr(arguments, name) or []
        for path in given if isinstance(given, list) else [given]:
            rows = list(read(path))
            print(f"{name}: {len(rows)} pairs")
            found += rows
    write_pairs(arguments.out, found)


if __name__ == "__main__":
    main()
