"""How often "contradicted" is right, on labelled rows of every kind there is.

    python -m benchmarks.quality.contradicted_precision DATA [--rows FILE …]
        [--vectors FILE] [--every N] [--errors]

DATA holds `<set>.jsonl` of public sets with labels for "contradicted", where most
passages say nothing for or against; counted apart and together with everyday rows
(benchmarks/quality/everyday, and those of --rows), where claims are near to what is
said. Each line: claims called contradicted, how many of them are labelled so, not
stated, or supported, and which witness decided. `--every N`: only each Nth public row.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks.quality.labelled import KeptVectors, questions, read
from claimscope.core.backends.embedders import default_embedder
from claimscope.core.backends.onnx.entailment import shipped_model
from claimscope.core.models import Label, Verdict
from claimscope.core.ports import Embedder
from claimscope.core.verify.verifier import EvidenceVerifier

PUBLIC = ("healthver", "climate_fever", "factcheck_bench")
OWN = Path(__file__).parent / "everyday"
RIGHT, OPEN, WRONG = "contradicted", "not stated", "supported"


def label_of(row: dict[str, object]) -> str:
    """The label in the terms of this table; partly supported is not stated in full."""
    label = str(row.get("gold") or row["label"])
    return label if label in (RIGHT, WRONG) else OPEN


def own_rows() -> Iterable[tuple[str, list[dict[str, object]]]]:
    """(name, rows) of each set of the project's own pairs."""
    for path in sorted(OWN.rglob("*.jsonl")):
        if path.name != "faults.jsonl":
            yield str(path.relative_to(OWN)), read(path.parent, path.stem)


def counted(
    rows: Sequence[dict[str, object]], verdicts: Sequence[Verdict]
) -> dict[str, Counter[str]]:
    """Labels of the rows that are called contradicted, by the deciding witness."""
    found: dict[str, Counter[str]] = {}
    for row, verdict in zip(rows, verdicts, strict=True):
        if verdict.label is Label.CONTRADICTED:
            by = next((o.witness for o in verdict.testimony if o.decisive), "a part")
            found.setdefault(by, Counter())[label_of(row)] += 1
    return found


def line(name: str, labels: Counter[str], of: int | None = None) -> str:
    """One line of the table; `of`: the rows labelled contradicted."""
    said = labels.total()
    share = f"{labels[RIGHT] / said:.2f}" if said else "  – "
    recall = f" of {of}" if of is not None else ""
    return (
        f"{name:32} {said:4}  right {labels[RIGHT]:3}{recall}  not stated "
        f"{labels[OPEN]:3}  supported {labels[WRONG]:3}  precision {share}"
    )


def measured(
    sets: Iterable[tuple[str, list[dict[str, object]]]],
    embedder: Embedder,
    *,
    errors: bool,
) -> Counter[str]:
    """Prints a line a set and a witness; the labels of all that was said."""
    verifier = EvidenceVerifier(embedder, shipped_model())
    total: Counter[str] = Counter()
    by_witness: dict[str, Counter[str]] = {}
    for name, rows in sets:
        verdicts = verifier.verify_now(questions(rows, embedder))
        found = counted(rows, verdicts)
        labels = sum(found.values(), Counter())
        print(line(name, labels, sum(label_of(row) == RIGHT for row in rows)))
        for witness, some in found.items():
            by_witness.setdefault(witness, Counter()).update(some)
        total += labels
        for row, verdict in zip(rows, verdicts, strict=True) if errors else ():
            if verdict.label is Label.CONTRADICTED and label_of(row) != RIGHT:
                print(f"    {label_of(row)}: {row['claim']!r} | {verdict.reason}")
    for witness, labels in sorted(by_witness.items()):
        print(line(f"  by {witness}", labels))
    return total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--rows", type=Path, nargs="*", default=[])
    parser.add_argument("--vectors", type=Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--errors", action="store_true")
    options = parser.parse_args()
    embedder = KeptVectors(default_embedder(), options.vectors)
    more = [(path.name, read(path.parent, path.stem)) for path in options.rows]
    everyday = [*more, *own_rows()]
    public = ((name, read(options.data, name)[:: options.every]) for name in PUBLIC)
    near = measured(everyday, embedder, errors=options.errors)
    print(line("everyday rows", near))
    far = measured(public, embedder, errors=options.errors)
    print(line("public rows", far))
    print(line("all", near + far))
    embedder.save()


if __name__ == "__main__":
    main()
