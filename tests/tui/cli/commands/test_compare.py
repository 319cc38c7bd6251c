"""`claimscope compare`, `trends` and `show` as a user types them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from claimscope.core.models import Label
from claimscope.stores.runs.run_store import DiskRunStore
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.cli import main
from tests.doubles import fakes

A, B = "20261127-120000-aaaa", "20261128-120000-bbbb"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """Two finished runs of two providers, ten cases; in B alpha fails nine more."""
    root = tmp_path / "space"
    store = DiskRunStore(Workspace(root).runs)
    for run_id, lost in ((A, 0), (B, 9)):
        created = f"{run_id[:4]}-{run_id[4:6]}-{run_id[6:8]}T12:00:00+00:00"
        writer = store.create(fakes.header(run_id, created=created, total_samples=20))
        for n in range(10):
            bad = Label.CONTRADICTED if n < lost else Label.SUPPORTED
            place = f"c{n}"
            about = fakes.case(place, category="dams" if n % 2 else "boats")
            writer.save_sample(fakes.sample(place, "alpha", label=bad, case=about))
            writer.save_sample(fakes.sample(place, "beta", case=about))
        writer.save_state("finished")
        writer.close()
    return root


def test_compare_prints_what_differs_and_every_flip(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--workspace", str(workspace), "compare", A, "last"]) == 0
    out = capsys.readouterr().out
    assert "paired by case, provider, iteration: 20 samples of 10 cases" in out
    assert "passed in both 11, A only 9, B only 0" in out
    assert "samples that flipped: 9" in out
    assert "supported -> contradicted  c3/alpha/1  (same place)" in out
    assert "beyond noise: pass_rate" in out
    assert main(["--workspace", str(workspace), "compare", A, A]) == 0
    assert "within noise: no figure differs" in capsys.readouterr().out


def test_compare_providers_as_json(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["compare", B, "--providers", "--base", "beta", "--json"]
    assert main(["--workspace", str(workspace), *words]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert (found["before"]["name"], found["after"]["name"]) == ("beta", "alpha")
    assert found["pass_rate"]["difference"] == pytest.approx(-0.9)
    assert found["within_noise"] is False
    flip = found["claim_flips"][0]
    assert flip["before"]["verdict"]["evidence"] and flip["after"]["verdict"]["label"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["compare", A], "two runs or more"),
        (["compare", A, B, "--providers"], "compares within one run"),
        (["compare", A, B, "--base", "beta"], "--base names a provider"),
        (["compare", A, "20270101-000000-none"], "20270101-000000-none"),
        (["runs", "trends", "lakes"], "no finished run of suite 'lakes'"),
        (["runs", "trends", "--metrics", "nothing"], "has a metric 'nothing'"),
        (["runs", "trends", "--last", "0"], "--last 0"),
    ],
)
def test_what_cannot_be_compared_is_named_with_a_remedy(
    workspace: Path,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    message: str,
) -> None:
    assert main(["--workspace", str(workspace), *words]) in (2, 3)
    shown = capsys.readouterr()
    assert message in shown.err and not shown.out


def test_trends_show_runs_in_order_with_the_change(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--workspace", str(workspace), "runs", "trends"]) == 0
    out = capsys.readouterr().out
    assert out.index(A) < out.index(B)
    assert "-0.450  worse" in out
    assert main(["--workspace", str(workspace), "runs", "trends", "--json"]) == 0
    first, second = json.loads(capsys.readouterr().out)["points"]
    assert first["step"] is None
    assert second["step"]["pass_rate"]["within_noise"] is False


def test_show_tells_rate_interval_and_groups(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--workspace", str(workspace), "runs", "show", B]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "Pass rate 0.550, 95 % [" in out and "over 20 of 20 (100% coverage)" in out
    assert "by category boats: 10 samples: 5 passed, 5 failed, 0 unscored" in out
    assert main(["--workspace", str(workspace), "runs", "show", B, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["summary"]["overall"]["pass_interval"]["low"] > 0.2
    assert found["iterations"]["iterations"] == [1]
