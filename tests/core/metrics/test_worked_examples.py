"""docs/metrics.md: the table is what the metrics say, and that is what hands say."""

from __future__ import annotations

import runpy
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from claimscope.core.metrics.discovery import discover

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def script() -> dict[str, Any]:
    sys.path.insert(0, str(ROOT / "benchmarks"))
    try:
        return runpy.run_path(str(ROOT / "benchmarks" / "worked_examples.py"))
    finally:
        sys.path.remove(str(ROOT / "benchmarks"))


@pytest.fixture(scope="module")
def values(script: dict[str, Any]) -> Sequence[float | None]:
    found: Sequence[float | None] = script["measured"]()
    return found


def test_every_value_is_the_one_worked_out_by_hand(
    script: dict[str, Any], values: Sequence[float | None]
) -> None:
    for number, (example, value) in enumerate(
        zip(script["EXAMPLES"], values, strict=True), start=1
    ):
        assert value == pytest.approx(example.hand, abs=1e-3), (number, example.metric)


def test_the_table_in_the_docs_is_the_one_that_is_made(
    script: dict[str, Any], values: Sequence[float | None]
) -> None:
    table = script["HEAD"] + "".join(script["lines"](values))
    assert (ROOT / "docs" / "metrics.md").read_text("utf-8") == table, (
        "make it anew: python benchmarks/tools/worked_examples.py --write docs/metrics.md"
    )


def test_every_metric_has_an_example(script: dict[str, Any]) -> None:
    own = [name for name, one in discover().items() if not hasattr(one, "package")]
    assert {example.metric for example in script["EXAMPLES"]} == set(own)
