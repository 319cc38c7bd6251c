"""Weights, tiers, and metrics that another package brings."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from claimscope.core.errors import InputError
from claimscope.core.metrics import discovery
from claimscope.core.metrics.base import Findings
from claimscope.core.metrics.discovery import discover
from claimscope.core.metrics.overall import Overall
from claimscope.core.metrics.tiers import with_tier
from claimscope.core.models import Score
from claimscope.core.run.sample import scores_of
from claimscope.core.services.scoring import check_weights, chosen_metrics
from claimscope.core.settings import JUDGING, Settings
from tests.doubles import fakes

MODULE = '''
from claimscope.core.models import Score


class Brevity:
    """1 for one word, less for more. Scale 0-1."""

    id, title, needs = "brevity", "how short it is", frozenset()

    def score(self, findings):
        words = findings.answer.text.split()
        return Score(metric="other", value=1 / max(1, len(words)))


class Broken:
    id, title, needs = "broken_one", "fails", frozenset()

    def score(self, findings):
        raise ZeroDivisionError("no luck")


class Nan(Brevity):
    id = "not_a_number"

    def score(self, findings):
        return Score(metric=self.id, value=float("nan"))


class Clash(Brevity):
    id = "claim_support"


class Needy(Brevity):
    id, needs = "needy", frozenset({"magic"})


METRICS = (Brevity(), Broken(), Nan(), Clash(), Needy())
'''


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A tiny installed package with metrics, on the path as pip would leave it."""
    (tmp_path / "tiny_metrics.py").write_text(MODULE)
    info = tmp_path / "tiny_metrics-1.2.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: tiny-metrics\nVersion: 1.2\n"
    )
    (info / "entry_points.txt").write_text(
        "[claimscope.metrics]\n"
        "all = tiny_metrics:METRICS\n"
        "gone = tiny_metrics:NOTHING\n"
        "missing = no_such_module_here\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    forget()
    yield tmp_path
    monkeypatch.undo()
    forget()
    sys.modules.pop("tiny_metrics", None)


def forget() -> None:
    """What was discovered before is looked for again."""
    discovery.discover.cache_clear()
    discovery.found_plugins.cache_clear()


def findings(text: str = "Only two", **fields: Any) -> Findings:
    return Findings(case=fakes.case(), answer=fakes.answer(text=text), **fields)


def test_a_metric_of_another_package_comes_after_the_built_in_ones(
    package: Path,
) -> None:
    assert entry_points(group="claimscope.metrics", name="all")
    assert list(discover())[-3:] == ["brevity", "broken_one", "not_a_number"]
    assert list(discover())[:-3] == list(discovery.built_in())
    (score,) = scores_of(findings(), ["brevity"])
    assert (score.metric, score.value) == ("brevity", 0.5)


def test_what_cannot_be_used_is_named_and_left_out(package: Path) -> None:
    problems = "\n".join(discovery.found_plugins().problems)
    source = "tiny-metrics 1.2"
    assert f"metric of {source} (all = tiny_metrics:METRICS) left out" in problems
    assert "the id 'claim_support' is taken by another metric" in problems
    assert "needy needs 'magic', which is not known" in problems
    assert "gone = tiny_metrics:NOTHING) left out: AttributeError" in problems
    assert "missing = no_such_module_here) left out: ModuleNotFoundError" in problems
    assert len(discovery.found_plugins().problems) == 4
    assert discover()["claim_support"] is discovery.built_in()["claim_support"]


def test_what_it_does_wrong_leaves_its_own_score_unscored(package: Path) -> None:
    broken, nan = scores_of(findings(), ["broken_one", "not_a_number"])
    assert broken.value is None and broken.applicable
    assert (
        "broken_one of tiny-metrics 1.2: it failed: ZeroDivisionError" in broken.reason
    )
    assert nan.value is None and "its value is nan" in nan.reason


# --- the weighted overall -----------------------------------------------------


def made(**values: float | None) -> dict[str, Score]:
    """Scores as the metrics before would have given them."""
    scales = {"claim_completeness": (0.0, 100.0), "judge_faithfulness": (1.0, 5.0)}
    return {
        name: Score(metric=name, value=value, scale=scales.get(name, (0.0, 1.0)))
        for name, value in values.items()
    }


def overall(weights: str, scores: dict[str, Score]) -> Score:
    settings = Settings(metric_weights=weights)
    return Overall().score(findings(settings=settings, scores=scores))


def test_overall_weighs_values_rescaled_to_one() -> None:
    scores = made(claim_completeness=80, judge_faithfulness=4, hallucination_rate=0.1)
    # By hand: (2 x 0.8 + 1 x 3/4 + 1 x (1 - 0.1)) / 4 = 3.25 / 4.
    weights = "claim_completeness=2,judge_faithfulness=1,hallucination_rate=1"
    score = overall(weights, scores)
    assert score.value == pytest.approx(0.8125)
    assert [span.note for span in score.evidence] == [
        "weight 0.5",
        *["weight 0.25"] * 2,
    ]


def test_what_does_not_apply_takes_its_weight_with_it() -> None:
    scores = made(claim_support=0.5, citation_f1=1.0)
    scores["citation_f1"] = Score(metric="citation_f1", applicable=False, reason="none")
    score = overall("claim_support=1,citation_f1=3", scores)
    assert (score.value, score.details["not_applicable"]) == (0.5, 1)
    scores["claim_support"] = scores["citation_f1"]
    assert overall("claim_support=1", scores).applicable is False


def test_what_is_unscored_leaves_overall_unscored() -> None:
    score = overall(
        "claim_support=1,citation_f1=1", made(claim_support=1, citation_f1=None)
    )
    assert score.value is None and score.applicable
    assert "citation_f1 is unscored" in score.reason


def test_overall_is_shown_only_where_weights_are_set() -> None:
    assert "overall" not in chosen_metrics(())
    assert "overall" in chosen_metrics((), Settings(metric_weights="claim_support=1"))
    shown = {score.metric for score in scores_of(findings(), ())}
    assert "overall" not in shown
    (asked,) = scores_of(findings(), ["overall"])
    assert asked.applicable is False and "no weights" in asked.reason


@given(
    st.dictionaries(
        st.sampled_from(["claim_support", "citation_f1"]),
        st.tuples(st.floats(0, 1), st.floats(0.01, 100)),
        min_size=1,
    )
)
def test_overall_lies_between_its_parts(parts: dict[str, tuple[float, float]]) -> None:
    weights = ",".join(f"{name}={weight}" for name, (_, weight) in parts.items())
    value = overall(weights, made(**{n: v for n, (v, _) in parts.items()})).value
    values = [value for value, _ in parts.values()]
    assert value is not None
    assert min(values) - 1e-9 <= value <= max(values) + 1e-9


# --- settings -----------------------------------------------------------------


def test_weights_come_from_a_table_or_a_text_and_are_part_of_a_run() -> None:
    table = Settings.model_validate({"metric_weights": {"accuracy": 0.5, "length": 1}})
    assert table.metric_weights == "accuracy=0.5,length=1"
    assert table == Settings(metric_weights=" accuracy = 0.5 , length=1.0")
    assert table.weights == {"accuracy": 0.5, "length": 1.0}
    assert Settings.model_validate({"metric_weights": {}}).weights == {}
    assert {"metric_weights", "tier_excellent", "level_good"} <= set(JUDGING)


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ("accuracy", "'accuracy' is no weight"),
        ("accuracy=much", "accuracy: 'much' is not a number"),
        ("accuracy=-1", "accuracy: -1 is not a number from 0 on"),
        ("accuracy=nan", "accuracy: nan is not a number from 0 on"),
        ("accuracy=0", "above 0"),
        ("accuracy=1,accuracy=2", "accuracy has two weights"),
    ],
)
def test_a_bad_weight_is_refused_with_its_name(weights: str, said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        Settings(metric_weights=weights)


def test_weights_of_unknown_metrics_are_refused_before_anything_is_scored() -> None:
    with pytest.raises(InputError, match="is 'claim_support' meant"):
        check_weights(Settings(metric_weights="claim_suport=1"))
    with pytest.raises(InputError, match="cannot weigh itself"):
        check_weights(Settings(metric_weights="overall=1"))


def test_tiers_and_levels_follow_the_settings() -> None:
    score = Score(metric="x", value=72, scale=(0, 100), tier="poor")
    assert with_tier(score, Settings()).tier == "good"
    assert (
        with_tier(score, Settings(tier_excellent=72, tier_good=60)).tier == "excellent"
    )
    part = Score(metric="x", value=0.5, level="poor")
    assert with_tier(part, Settings()).level == "moderate"
    assert with_tier(Score(metric="x", value=0.5), Settings()).level is None


def test_limits_that_cross_are_refused() -> None:
    with pytest.raises(ValidationError, match="70 must be below tier_excellent"):
        Settings(tier_excellent=60)
    with pytest.raises(ValidationError, match="must be below level_good"):
        Settings(level_moderate=0.8)
