"""Scores by tier, worked out by hand (METRICS A)."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.analysis.compare.comparison import RunData
from claimscope.core.analysis.summary.summary import rows_of
from claimscope.core.analysis.summary.tier_distribution import Spreads, spreads
from claimscope.core.analysis.trends import of_domain
from claimscope.core.errors import InputError
from claimscope.core.metrics.tiers import tier
from claimscope.core.models import SampleResult, Score
from claimscope.core.report.renderers.plain import lines
from claimscope.core.report.views import spreads as view
from claimscope.core.settings import Settings
from tests.doubles import fakes


def sample(number: int, value: float | None, domain: str | None) -> SampleResult:
    name = None if value is None else tier(value, Settings())
    score = Score(metric="accuracy", value=value, scale=(0, 100), tier=name)
    case = fakes.case(f"c{number}", domain=domain)
    found = fakes.sample(f"c{number}")
    return found.model_copy(update={"case": case, "scores": (score,), "passed": False})


def spread(samples: Sequence[SampleResult]) -> tuple[Spreads, ...]:
    return spreads(rows_of(samples), Settings())


def test_tiers_are_counted_over_all_and_by_domain() -> None:
    # a: 90 (excellent), 70 (good), 20 (poor); b: 60 (fair) and one without a score.
    values = [(90, "a"), (70, "a"), (20, "a"), (60, "b"), (None, "b")]
    whole, a, b = spreads(
        rows_of([sample(n, *v) for n, v in enumerate(values)]), Settings()
    )
    assert [one.domain for one in (whole, a, b)] == [None, "a", "b"]
    found = whole.metrics[0]
    assert found.distribution == {"excellent": 1, "good": 1, "fair": 1, "poor": 1}
    assert (found.mean, found.median, found.low, found.high) == (60, 65, 20, 90)
    assert (found.n, found.unscored) == (4, 1)
    found = a.metrics[0]
    assert found.distribution == {"excellent": 1, "good": 1, "fair": 0, "poor": 1}
    assert (found.mean, found.median) == (60, 70)
    assert (b.metrics[0].n, b.metrics[0].unscored, b.failed) == (1, 1, 2)
    assert " ".join(list(lines(view.tier_section([a])))[2].split()) == (
        "a 3 3 accuracy 60 70 20 90 excellent 1, good 1, fair 0, poor 1"
    )


def test_what_has_no_tiers_has_no_distribution() -> None:
    plain = Score(metric="claim_support", value=1.0)
    assert (
        spreads(
            rows_of([fakes.sample("c1").model_copy(update={"scores": (plain,)})]),
            Settings(),
        )
        == ()
    )
    assert spread([]) == ()


@given(st.lists(st.floats(0, 100), min_size=1, max_size=30))
def test_every_score_is_in_one_tier(values: list[float]) -> None:
    whole, part = spreads(
        rows_of([sample(n, v, "a") for n, v in enumerate(values)]), Settings()
    )
    assert sum(whole.metrics[0].distribution.values()) == len(values)
    assert part.metrics == whole.metrics


def test_a_trend_of_a_domain_has_its_samples_alone() -> None:
    samples = [sample(n, 50, domain) for n, domain in enumerate("aab")]
    runs = [RunData("r1", fakes.header(total_samples=3), samples)]
    (found,) = of_domain(runs, "a")
    assert (len(found.samples), found.header.total_samples) == (2, 2)
    try:
        list(of_domain(runs, "c"))
    except InputError as error:
        assert "'c'" in error.message and "they have: a, b" in str(error)
    else:
        raise AssertionError("an unknown domain is refused")
