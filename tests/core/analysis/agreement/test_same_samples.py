"""The same samples have the same figures, to the last bit, in whatever order they were
finished: a resumed run says what an unbroken one says."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.analysis.agreement.corrected_rate import prediction_powered
from claimscope.core.analysis.agreement.overrides import apply_overrides
from claimscope.core.analysis.agreement.validation import pearson, spearman
from claimscope.core.analysis.statistics.alpha import alpha
from claimscope.core.analysis.statistics.intervals import mean_interval, rate_interval
from claimscope.core.analysis.statistics.paired_tests import randomisation_test
from claimscope.core.models import SampleKey
from claimscope.stores.runs.memory import MemoryRunStore
from tests.doubles import fakes

VALUES = st.floats(0, 1).map(lambda value: round(value, 6))
ROWS = st.lists(
    st.tuples(st.integers(0, 40).map(lambda n: f"c{n}"), VALUES),
    min_size=12,
    max_size=80,
)


def clusters(rows: list[tuple[str, float]]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for case, value in rows:
        found.setdefault(case, []).append(value)
    return found


@given(ROWS, st.randoms(use_true_random=False))
def test_figures_do_not_depend_on_the_order(
    rows: list[tuple[str, float]], chance: object
) -> None:
    again = list(rows)
    chance.shuffle(again)  # type: ignore[attr-defined]
    one, two = clusters(rows), clusters(again)
    assert mean_interval(one) == mean_interval(two)
    passed, passed_again = (
        {case: [value > 0.5 for value in values] for case, values in found.items()}
        for found in (one, two)
    )
    assert rate_interval(passed) == rate_interval(passed_again)
    gaps, gaps_again = ([value - 0.5 for _, value in found] for found in (rows, again))
    assert randomisation_test(gaps) == randomisation_test(gaps_again)


def test_drawn_figures_do_not_depend_on_the_order() -> None:
    rng = np.random.default_rng(3)
    x = [float(value) for value in rng.normal(size=60)]
    y = [value + float(rng.normal()) for value in x]
    order = [int(place) for place in rng.permutation(60)]
    x_again, y_again = [x[n] for n in order], [y[n] for n in order]
    assert spearman(x, y) == spearman(x_again, y_again)
    assert pearson(x, y) == pearson(x_again, y_again)
    assert prediction_powered(x, y, x) == prediction_powered(x_again, y_again, x_again)
    units = [{"a": float(a), "b": float(b)} for a, b in rng.integers(0, 3, (60, 2))]
    assert alpha(units, "ordinal") == alpha([units[n] for n in order], "ordinal")


def test_a_run_is_listed_in_one_order() -> None:
    keys = [("c2", "a", 1), ("c1", "b", 2), ("c1", "b", 1), ("c1", "a", 1)]
    store = MemoryRunStore()
    header = fakes.header(total_samples=len(keys))
    writer = store.create(header)
    for case_id, provider, iteration in keys:
        key = SampleKey(case_id=case_id, provider=provider, iteration=iteration)
        writer.save_sample(fakes.sample().model_copy(update={"key": key}))
    found = apply_overrides(store.read(header.run_id)).samples
    assert [str(one.key) for one in found] == ["c1/a/1", "c1/b/1", "c1/b/2", "c2/a/1"]
