"""The table of docs/metrics.md: each metric's value by hand and by the command.

    python -m benchmarks.tools.worked_examples             # prints the table
    python -m benchmarks.tools.worked_examples --write docs/metrics.md
    python -m benchmarks.tools.worked_examples --row 4 | claimscope score - --metrics
        accuracy

The values are computed by the function `claimscope score` is made of, with the
embedding model that ships and without a language model. For the two grades, which a
model gives, the grade is given.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.tools.hand_examples import EXAMPLES, Example
from claimscope.core.backends.onnx.entailment import shipped_model
from claimscope.core.metrics.base import Findings
from claimscope.core.metrics.discovery import discover
from claimscope.core.models import Answer, Case, Grade
from claimscope.core.ports import Embedder
from claimscope.core.run.sample import Services
from claimscope.core.services.scoring import Row, score_rows
from claimscope.core.settings import Settings
from claimscope.core.verify.verifier import EvidenceVerifier
from claimscope.tui.bootstrap.judges import services_of_rows

HEAD = """\
# Metrics, with examples worked out by hand

Made by `python -m benchmarks.tools.worked_examples --write docs/metrics.md`; a test
holds it equal. Seeds are the five documents the formulas come from; a dash: the seed
gives no figure. `N` is the number of the row:

    python -m benchmarks.tools.worked_examples --row N \\
      | claimscope score - --metrics METRIC

| N | metric | seed, section | command | by hand | by the command | the seed's figure |
|--:|---|---|---|---|--:|---|
"""


def row_of(example: Example, number: int) -> dict[str, object]:
    """A line for `claimscope score`."""
    return {"id": number, **example.row}


def value_of(example: Example, number: int, embedder: Embedder) -> float | None:
    settings = Settings.model_validate(dict(example.settings))
    if example.grade is not None:
        return graded(example)
    reader = EvidenceVerifier(embedder, shipped_model())
    services = Services(
        embedder, reader, settings, metrics=(example.metric,), reader=reader
    )

    async def first() -> float | None:
        row = Row.model_validate(row_of(example, number))
        async for scored in score_rows([row], services):
            return scored.scores[0].value
        return None

    return asyncio.run(first())


def graded(example: Example) -> float | None:
    """A metric of a judge, whose grade is given."""
    kind = example.metric.removeprefix("judge_")
    grade = Grade.model_validate({"name": kind, "value": example.grade})
    case = Case(id="row", question=str(example.row["question"]))
    answer = Answer(case_id="row", text=str(example.row["answer"]))
    found = Findings(case=case, answer=answer, grades=[grade], judged=True)
    return discover()[example.metric].score(found).value


def command_of(example: Example) -> str:
    if example.grade is not None:
        return f"`judge` (grade {example.grade})"
    given = "".join(
        f" --set {name}={value}" for name, value in example.settings.items()
    )
    return f"`score --metrics {example.metric}{given}`"


def lines(values: Sequence[float | None]) -> Iterator[str]:
    """The rows of the table."""
    for number, (example, value) in enumerate(
        zip(EXAMPLES, values, strict=True), start=1
    ):
        by_hand = f"{round(example.hand, 3):g}: {example.working}"
        shown = "none" if value is None else f"{round(value, 3):g}"
        seed = example.seed + (f" ({example.why})" if example.why else "")
        cells = (example.metric, example.section, command_of(example), by_hand, shown)
        text = [str(cell).replace("|", "\\|") for cell in (number, *cells, seed)]
        yield f"| {' | '.join(text)} |\n"


def measured() -> list[float | None]:
    """Values of all examples, with the embedding model that ships."""
    embedder = services_of_rows(Settings()).embedder
    return [value_of(one, n, embedder) for n, one in enumerate(EXAMPLES, start=1)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", type=Path, metavar="FILE")
    parser.add_argument("--row", type=int, metavar="N", help="print this row alone")
    options = parser.parse_args()
    if options.row is not None:
        if not 1 <= options.row <= len(EXAMPLES):
            parser.error(f"--row {options.row}: there are rows 1 to {len(EXAMPLES)}")
        print(json.dumps(row_of(EXAMPLES[options.row - 1], options.row)))
        return
    table = HEAD + "".join(lines(measured()))
    if options.write is None:
        print(table, end="")
    else:
        options.write.write_text(table, "utf-8")


if __name__ == "__main__":
    main()
