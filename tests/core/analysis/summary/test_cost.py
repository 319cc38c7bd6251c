"""What a run costs, by the prices of its models in the settings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pydantic import ValidationError

from claimscope.core.analysis.summary.cost import prices_of
from claimscope.core.models import Usage
from claimscope.core.settings import Settings
from claimscope.stores.runs.run_store import DiskRunStore
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.cli import main
from tests.doubles import fakes

RUN = "20261127-120000-ab12"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A run whose two judges used 1,000,000 and 500,000 prompt tokens."""
    root = tmp_path / "space"
    writer = DiskRunStore(Workspace(root).runs).create(fakes.header(RUN))
    for key, model, prompt in (("a", "big:70b", 1_000_000), ("b", "small", 500_000)):
        usage = Usage(calls=1, prompt_tokens=prompt, completion_tokens=prompt // 10)
        writer.save_call(fakes.call(key, model=model, usage=usage))
    writer.save_sample(fakes.sample("c1"))
    writer.save_state("finished")
    writer.close()
    return root


def amount(workspace: Path, capsys: pytest.CaptureFixture[str], *more: str) -> object:
    words = ["--workspace", str(workspace), "report", RUN, "--json", *more]
    assert main(words) == 0
    cost = json.loads(capsys.readouterr().out)["cost"]
    return round(cost["amount"], 6), cost["currency"]


def test_each_model_costs_its_own_price(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert amount(workspace, capsys) == (0, "USD")
    (workspace / "claimscope.toml").write_text(
        'currency = "EUR"\n[prices]\n"big:70b" = "2/10"\nsmall = "0.5/1"\n'
    )
    # 1 x 2 + 0.1 x 10 for the big one, 0.5 x 0.5 + 0.05 x 1 for the small one
    assert amount(workspace, capsys) == (3.3, "EUR")
    (workspace / "claimscope.toml").write_text('prices = "big:70b=2/10"\n')
    assert amount(workspace, capsys) == (3.0, "USD")


def test_a_flag_goes_before_the_setting(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (workspace / "claimscope.toml").write_text('prices = "big:70b=2/10"\n')
    flags = ("--prompt-price", "1", "--completion-price", "0", "--currency", "CHF")
    assert amount(workspace, capsys, *flags) == (1.5, "CHF")


def test_a_price_that_is_none_is_named_with_its_place(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (workspace / "claimscope.toml").write_text('[prices]\n"big:70b" = "cheap"\n')
    assert main(["--workspace", str(workspace), "report", RUN]) == 2
    told = capsys.readouterr().err
    assert "claimscope.toml" in told and "big:70b=cheap" in told
    assert "big-model=0.15/0.6" in told


@pytest.mark.parametrize(
    "text",
    ["big", "big=1", "big=1/2/3", "=1/2", "big=-1/2", "big=1/inf", "a=1/2,a=1/2"],
)
def test_nonsense_is_refused(text: str) -> None:
    with pytest.raises(ValidationError):
        Settings(prices=text)


def test_a_model_is_found_without_its_latest_or_its_digest() -> None:
    used = Usage(prompt_tokens=10, completion_tokens=10)
    for model in ("small", "small:latest", "small@abc", "small:latest@abc"):
        for name in ("small", "small:latest"):
            prices = prices_of({model: used}, {name: (1.0, 2.0)}, "USD")
            assert (prices.prompt, prices.completion) == (1.0, 2.0), (model, name)
    assert prices_of({"other": used}, {"small": (1.0, 2.0)}, "USD").prompt == 0
    assert prices_of({}, {"small": (1.0, 2.0)}, "USD").completion == 0
