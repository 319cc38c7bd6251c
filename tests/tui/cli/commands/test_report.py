"""`claimscope report` and `claimscope labels validate` as a user types them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from claimscope.core.models import Label, Score
from claimscope.stores.runs.run_store import DiskRunStore
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.cli import main
from tests.doubles import fakes

RUN = "20261127-120000-ab12"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A finished run of two providers and two iterations."""
    root = tmp_path / "space"
    store = DiskRunStore(Workspace(root).runs)
    writer = store.create(fakes.header(RUN, iterations=2, total_samples=24))
    for iteration in (1, 2):
        for n in range(6):
            value = n / 10 + iteration / 100
            bad = Label.CONTRADICTED if n + iteration < 6 else Label.SUPPORTED
            for provider, label in (("alpha", Label.SUPPORTED), ("beta", bad)):
                writer.save_sample(
                    fakes.sample(
                        f"c{n}",
                        provider,
                        label=label,
                        iteration=iteration,
                        scores=(Score(metric="coherence", value=value),),
                    )
                )
    writer.save_state("finished")
    writer.close()
    return root


def test_the_report_names_pattern_flip_and_cost(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--workspace", str(workspace), "report", "last"]) == 0
    out = capsys.readouterr().out
    assert "Failures: 9 of 24 judged, 0 unscored" in out
    assert "pattern: provider beta: 9 of 12 failed" in out
    assert "c4 beta: failed, passed" in out
    assert "Cost: 0.0000 USD" in out


def test_a_file_is_no_folder_of_result_files(
    workspace: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "report.html"
    words = ["--workspace", str(workspace), "report", RUN, "--to", str(target)]
    assert main(words) == 2
    assert f"-o {target} writes one report" in capsys.readouterr().err
    assert not target.exists()


def test_files_are_private_and_never_mixed_with_others(
    workspace: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "out"
    words = ["--workspace", str(workspace), "report", RUN, "--to", str(folder)]
    assert main(words) == 0
    path = folder / "final-metrics" / "final-metrics-2.json"
    assert json.loads(path.read_bytes())["run"] == RUN
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    records = json.loads((folder / "records/records-iteration-1.json").read_bytes())
    assert len(records) == 12
    path.write_text("mine")
    assert main(words) == 2
    assert "has files already" in capsys.readouterr().err
    assert path.read_text() == "mine"
    assert main([*words, "--force"]) == 0
    assert json.loads(path.read_bytes())["run"] == RUN


def test_a_price_below_zero_is_refused(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--workspace", str(workspace), "report", RUN, "--prompt-price", "-1"]
    assert main(words) == 2
    assert "--prompt-price" in capsys.readouterr().err


def test_ratings_are_held_against_the_scores_of_the_run(
    workspace: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "ratings.csv"
    table.write_text(
        "case_id,provider,iteration,rater,metric,value\n"
        + "".join(f"c{n},alpha,,ann,coherence,{n + 1}\n" for n in range(6))
        + "".join(f"c{n},alpha,1,ben,coherence,{n // 2}\n" for n in range(6))
    )
    words = ["--workspace", str(workspace), "labels", "validate", str(table)]
    assert main(words) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "Spearman 1.000 (over 6)" in out
    assert "Cohen's kappa ann / ben: " in out
    assert "let stand as claims none: no such claim was looked at (over 0)" in out
    assert main([*words, "--json"]) == 0
    (metric,) = json.loads(capsys.readouterr().out)["metrics"]
    assert metric["pearson"]["value"] == pytest.approx(0.994, abs=0.01)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ('{"case_id": "c1", "rater": "a", "metric": "m"}', ":1: value: Field required"),
        ("{", ":1: not JSON"),
        ('{"case_id": "c1", "rater": "a", "metric": "m", "value": NaN}', ":1: value"),
        ("", "has no ratings"),
    ],
)
def test_a_bad_rating_is_named_by_line_and_field(
    row: str,
    message: str,
    workspace: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "ratings.jsonl"
    path.write_text(row + "\n")
    assert main(["--workspace", str(workspace), "labels", "validate", str(path)]) == 2
    assert message in capsys.readouterr().err


def test_a_terminal_without_unicode_gets_other_signs_and_no_fault(
    workspace: Path,
) -> None:
    words = ["--workspace", str(workspace), "report", "last", "--fail-under"]
    done = subprocess.run(
        [sys.executable, "-m", "claimscope", *words, "pass_rate=0.9"],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1, done.stderr
    assert "x FAILED" in done.stdout and "+ passed" in done.stdout
