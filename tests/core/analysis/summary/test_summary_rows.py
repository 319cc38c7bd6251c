"""Figures from light rows are those from whole results, to the last digit."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from claimscope.core.analysis.summary.summary import (
    by_provider,
    group,
    summarise,
    summarise_rows,
)
from claimscope.core.metrics.tiers import tier
from claimscope.core.models import SampleKey, SampleResult, Score
from claimscope.core.settings import Settings
from claimscope.stores.runs.memory import MemoryRunStore
from tests.tui.sample_run import (
    RUN_ID,
    empty_sample,
    error_sample,
    failed_sample,
    passed_sample,
    run_header,
)

LIMITS = Settings(tier_good=60)
KINDS = (failed_sample, passed_sample, empty_sample, error_sample)


def scores() -> st.SearchStrategy[tuple[Score, ...]]:
    """Scored, unscored, not applicable, or not asked for."""
    support = st.none() | st.floats(0, 1).map(lambda v: round(v, 3))
    recall = st.none() | st.floats(0, 100).map(lambda v: round(v, 1))
    return st.tuples(support, recall, st.booleans(), st.integers(0, 3)).map(
        lambda drawn: (
            Score(metric="claim_support", value=drawn[0]),
            Score(
                metric="recall",
                value=drawn[1],
                scale=(0, 100),
                tier=None if drawn[1] is None else tier(drawn[1], LIMITS),
                applicable=drawn[1] is not None or drawn[2],
            ),
        )[: drawn[3]]
    )


@settings(max_examples=30, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(KINDS),
            st.integers(0, 7),
            st.sampled_from(["alder", "birch"]),
            st.sampled_from([True, False, None]),
            scores(),
        ),
        max_size=30,
    )
)
def test_rows_add_up_to_what_results_add_up_to(
    drawn: list[tuple[object, int, str, bool | None, tuple[Score, ...]]],
) -> None:
    store = MemoryRunStore()
    writer = store.create(run_header())
    for number, (make, case, provider, passed, found) in enumerate(drawn):
        result: SampleResult = make()  # type: ignore[operator]
        key = SampleKey(case_id=f"c{case}", provider=provider, iteration=number + 1)
        writer.save_sample(
            result.model_copy(update={"key": key, "passed": passed, "scores": found})
        )
    writer.close()
    reader = store.read(RUN_ID)
    whole = summarise(list(reader.samples()))
    assert by_provider(reader.rows()) == whole.by_provider
    assert group("all", reader.rows()) == whole.overall
    whole = summarise(list(reader.samples()), LIMITS)
    assert summarise_rows(reader.rows(), LIMITS, writer.samples()) == whole
