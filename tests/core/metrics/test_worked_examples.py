"""docs/metrics.md: the table is what the metrics say, and that is what hands say."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from benchmarks.tools import worked_examples
from benchmarks.tools.hand_examples import EXAMPLES
from claimscope.core.metrics.discovery import discover

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def values() -> Sequence[float | None]:
    return worked_examples.measured()


def test_every_value_is_the_one_worked_out_by_hand(
    values: Sequence[float | None],
) -> None:
    for number, (example, value) in enumerate(
        zip(EXAMPLES, values, strict=True), start=1
    ):
        assert value == pytest.approx(example.hand, abs=1e-3), (number, example.metric)


def test_the_table_in_the_docs_is_the_one_that_is_made(
    values: Sequence[float | None],
) -> None:
    table = worked_examples.HEAD + "".join(worked_examples.lines(values))
    assert (ROOT / "docs" / "metrics.md").read_text("utf-8") == table, (
        "make it anew: "
        "python -m benchmarks.tools.worked_examples --write docs/metrics.md"
    )


def test_every_metric_has_an_example() -> None:
    own = [name for name, one in discover().items() if not hasattr(one, "package")]
    assert {example.metric for example in EXAMPLES} == set(own)
