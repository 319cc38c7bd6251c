"""Calibration: shares by support are counted, and nothing is made of nothing."""

from __future__ import annotations

import pytest

from claimscope.core.analysis.agreement.calibration import calibration
from claimscope.core.analysis.agreement.labels import LabelledClaim, RunLabels
from claimscope.core.models import Label


def labels(*claims: tuple[float | None, Label]) -> RunLabels:
    """Of claims by support and what people said."""
    return RunLabels(
        run="r",
        suite="s",
        claims=tuple(
            LabelledClaim(
                run="r",
                suite="s",
                sample=f"c{n}/a/1",
                claim_index=0,
                claim="It is so.",
                machine=Label.SUPPORTED,
                human=human,
                is_claim=True,
                verifier="evidence",
                support=support,
            )
            for n, (support, human) in enumerate(claims)
        ),
        verdicts={},
        people=(),
        samples=(),
        unscored_samples=0,
    )


def test_shares_are_of_each_tenth_of_support() -> None:
    good, bad = Label.SUPPORTED, Label.CONTRADICTED
    found = calibration([labels((0.9, good), (1.0, good), (0.92, bad), (0.1, bad))])
    low, high = found.bins
    assert (low.share, low.n, low.support) == (0.0, 1, 0.1)
    assert high.n == 3
    assert high.share == pytest.approx(2 / 3)
    assert high.interval.low < 2 / 3 < high.interval.high
    assert found.error == pytest.approx((0.1 + 3 * (0.94 - 2 / 3)) / 4)


def test_what_has_no_probability_or_no_verdict_is_counted_apart() -> None:
    found = calibration([labels((None, Label.SUPPORTED), (0.5, Label.UNSCORED))])
    assert (found.n, found.without_support, found.error) == (0, 1, None)
    assert found.bins == ()
