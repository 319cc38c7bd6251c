"""A case without ground truth is unscored; the others of its suite are judged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from claimscope.tui.cli import main

pytestmark = pytest.mark.usefixtures("fake_embeddings")


def rows(tmp_path: Path, *contexts: object) -> Path:
    """Rows of ragas, one for each of these contexts."""
    file = tmp_path / "rows.jsonl"
    file.write_text(
        "\n".join(
            json.dumps(
                {
                    "user_input": f"When does boat {number} leave?",
                    "response": "The boat leaves at noon.",
                    "reference": "At noon.",
                    "retrieved_contexts": given,
                }
            )
            for number, given in enumerate(contexts)
        )
    )
    return file


@pytest.mark.parametrize("none", [[], None, float("nan"), [""], [None]])
def test_one_row_without_contexts_is_unscored_and_the_others_go_on(
    tmp_path: Path, none: object, capsys: pytest.CaptureFixture[str]
) -> None:
    file = rows(tmp_path, ["The boat leaves at noon."], none)
    suite = tmp_path / "suite.json"
    assert main(["suite", "import", str(file), "-o", str(suite)]) == 0
    assert "missing   retrieved_contexts" in capsys.readouterr().err
    assert main(["run", str(suite)]) == 0
    told = capsys.readouterr()
    assert "2 samples: 1 passed, 0 failed, 1 unscored" in told.out
    assert "case case-0002 has no contexts, and no pages are named." in told.err


def test_no_row_with_contexts_is_still_refused_before_anything_is_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = tmp_path / "suite.json"
    assert main(["suite", "import", str(rows(tmp_path, [], [])), "-o", str(suite)]) == 0
    capsys.readouterr()
    assert main(["run", str(suite)]) == 2
    assert "there is no ground truth" in capsys.readouterr().err
