"""Verdicts on everyday pairs of claim and passage, kind by kind.

    python -m benchmarks.quality.everyday [FILE …] [--verifier ollama --model NAME]
        [--errors]

Each line of a file: id, kind, claim, evidence, gold; each fault has a true twin. The
default file is benchmarks/quality/everyday/rows.jsonl, which no rule and no training
has seen. Printed for each kind and in all: FS, contradicted claims called supported;
NS, not stated claims called supported; FC, true claims called contradicted; CR,
contradicted claims found; TS, true claims called supported; each as a share of its
rows. "Likely" counts as supported; the last line counts only what is proved.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from claimscope.core.models import Label, Verdict

ROWS = Path(__file__).parent / "everyday" / "rows.jsonl"
MEASURES = {
    "FS": ("contradicted", "supported"),
    "NS": ("not_enough_info", "supported"),
    "FC": ("supported", "contradicted"),
    "CR": ("contradicted", "contradicted"),
    "TS": ("supported", "supported"),
}
"""Name: (gold, said)."""
Row = dict[str, str]


def read(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def measured(rows: Sequence[Row], said: Sequence[str]) -> dict[str, float | None]:
    """Share of each measure; None where there is no row to count."""
    pairs = Counter(zip((row["gold"] for row in rows), said, strict=True))
    found: dict[str, float | None] = {}
    for name, (gold, label) in MEASURES.items():
        total = sum(count for (g, _), count in pairs.items() if g == gold)
        found[name] = pairs[gold, label] / total if total else None
    return found


def line(name: str, rows: Sequence[Row], said: Sequence[str]) -> str:
    shares = measured(rows, said)
    cells = "  ".join("  – " if v is None else f"{v:4.2f}" for v in shares.values())
    return f"{name:18} {len(rows):4}  {cells}"


def judged(
    rows: Sequence[Row], verifier: str, model: str | None
) -> tuple[list[Verdict], float]:
    """A verdict a row and the seconds it took, from the command line's own wiring."""
    from claimscope.stores.workspace.configuration import load
    from claimscope.stores.workspace.paths import Workspace
    from claimscope.tui.bootstrap.judges import row_verifier
    from claimscope.tui.cli.commands.answers.verify import judge

    flags: dict[str, object | None] = {"verifier": verifier, "model": model}
    settings = load(Workspace.find(None).root, flags).settings
    found: list[Verdict] = []
    began = time.perf_counter()
    embedder, reader = row_verifier(settings)
    asked: list[dict[str, object]] = [{**row, "question": None} for row in rows]
    for first in range(0, len(asked), 32):
        found += asyncio.run(judge(asked[first : first + 32], embedder, reader))
    return found, time.perf_counter() - began


def show(path: Path, rows: Sequence[Row], verdicts: Sequence[Verdict]) -> None:
    said = [verdict.label.value for verdict in verdicts]
    print(f"{path.name}: {len(rows)} rows\n{'':18}    n    " + "    ".join(MEASURES))
    for kind in sorted({row["kind"] for row in rows}):
        own = [i for i, row in enumerate(rows) if row["kind"] == kind]
        print(line(kind, [rows[i] for i in own], [said[i] for i in own]))
    print(line("all", rows, said))
    proved = [
        "likely" if one.label is Label.SUPPORTED and one.band != "supported" else s
        for one, s in zip(verdicts, said, strict=True)
    ]
    print(line("all, proved only", rows, proved))


def main() -> None:
    """Prints the table of each file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--verifier", default="none")
    parser.add_argument("--model")
    parser.add_argument("--errors", action="store_true", help="list each error")
    parser.add_argument("--out", type=Path, help="write verdicts as JSON lines")
    arguments = parser.parse_args()
    for path in arguments.files or [ROWS]:
        rows = read(path)
        verdicts, seconds = judged(rows, arguments.verifier, arguments.model)
        show(path, rows, verdicts)
        print(f"{len(rows) / seconds:.1f} claims a second")
        if arguments.out:
            lines = [v.model_dump_json() for v in verdicts]
            arguments.out.write_text("\n".join(lines) + "\n", "utf-8")
        for row, verdict in zip(rows, verdicts, strict=True):
            if arguments.errors and verdict.label.value != row["gold"]:
                print(
                    f"{row['id']} {row['kind']}: {verdict.label.value}, right is "
                    f"{row['gold']}: {row['claim']!r} | {row['evidence']!r}\n"
                    f"        {verdict.support} {verdict.reason}"
                )


if __name__ == "__main__":
    main()
