"""Compared runs: planted differences are found, equal runs are within noise."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.analysis.compare.comparison import (
    RunData,
    between_providers,
    compare,
    compare_many,
)
from claimscope.core.analysis.compare.flips import pair_claims
from claimscope.core.errors import InputError
from claimscope.core.models import Label, SampleResult, Score
from claimscope.core.report.renderers import plain
from claimscope.core.report.views.comparison import comparison_view
from tests.doubles import fakes

GOOD, BAD = Label.SUPPORTED, Label.CONTRADICTED


def run(name: str, samples: Sequence[SampleResult], **fields: Any) -> RunData:
    return RunData(name, fakes.header(name, **fields), samples)


def judged(
    labels: Sequence[Label], provider: str = "alpha", iteration: int = 1
) -> list[SampleResult]:
    """One sample a case."""
    return [
        fakes.sample(f"c{n:02}", provider, label=label, iteration=iteration)
        for n, label in enumerate(labels)
    ]


def test_two_equal_runs_are_within_noise_and_nothing_flips() -> None:
    samples = judged([GOOD, BAD] * 10)
    found = compare(run("a", samples), run("b", samples))
    assert found.within_noise
    assert (found.pass_rate.difference, found.pass_rate.p) == (0, 1)
    assert not found.sample_flips and not found.claim_flips and not found.changes
    text = "\n".join(plain.lines(comparison_view(found)))
    assert "within noise: no figure differs" in text
    assert "changed between them: nothing" in text


@given(st.sets(st.integers(0, 19)), st.sets(st.integers(0, 19)))
def test_exactly_the_planted_flips_are_found(left: set[int], right: set[int]) -> None:
    a = judged([BAD if n in left else GOOD for n in range(20)])
    b = judged([BAD if n in right else GOOD for n in range(20)])
    found = compare(run("a", a), run("b", b))
    planted = {f"c{n:02}" for n in left ^ right}
    assert {flip.after_key.case_id for flip in found.sample_flips} == planted
    assert {flip.after_key.case_id for flip in found.claim_flips} == planted
    assert found.outcomes.lost == len(right - left)
    assert found.outcomes.gained == len(left - right)
    if not planted:
        assert found.within_noise


def test_eight_lost_of_forty_is_beyond_noise_and_two_are_not() -> None:
    before = run("a", judged([GOOD] * 40))
    worse = compare(before, run("b", judged([BAD] * 8 + [GOOD] * 32)))
    assert worse.pass_rate.p == pytest.approx(2 / 2**8)
    assert not worse.within_noise and not worse.pass_rate.within_noise
    assert worse.pass_rate.interval is not None
    assert worse.pass_rate.interval.high < 0
    text = "\n".join(plain.lines(comparison_view(worse)))
    assert "beyond noise: pass_rate" in text and "worse" in text
    near = compare(before, run("b", judged([BAD] * 2 + [GOOD] * 38)))
    assert near.within_noise and len(near.sample_flips) == 2


def test_providers_that_fall_together_count_as_one_case() -> None:
    """Six samples lost, but of three cases: by sample p is 0.03, by case 0.25."""
    names = ("alpha", "beta")
    a = [s for name in names for s in judged([GOOD] * 10, name)]
    b = [s for name in names for s in judged([BAD] * 3 + [GOOD] * 7, name)]
    found = compare(run("a", a), run("b", b))
    assert found.outcomes.mcnemar_p == pytest.approx(2 / 2**6)
    assert found.pass_rate.p == pytest.approx(2 / 2**3)
    assert (found.pass_rate.n, found.pass_rate.cases) == (20, 10)
    assert found.within_noise


def test_what_has_no_partner_or_no_value_is_counted_and_named() -> None:
    a = judged([GOOD, GOOD, Label.UNSCORED, GOOD])
    found = compare(run("a", a[:3]), run("b", a[1:]))
    assert [key.case_id for key in found.only_before] == ["c00"]
    assert [key.case_id for key in found.only_after] == ["c03"]
    assert (found.pairs, found.outcomes.unscored, found.pass_rate.n) == (2, 1, 1)
    assert found.pass_rate.unscored == 1
    text = "\n".join(plain.lines(comparison_view(found)))
    assert "only in A: 1 (c00/alpha/1)" in text and "unscored 1" in text


def test_a_metric_that_does_not_apply_is_not_unscored() -> None:
    aside = Score(metric="m", applicable=False, reason="no reference")
    a = [
        fakes.sample("c1", scores=(aside,)),
        fakes.sample("c2", scores=(Score(metric="m"),)),
    ]
    (figure,) = compare(run("a", a), run("b", a)).metrics
    assert (figure.n, figure.unscored, figure.not_applicable) == (0, 1, 1)
    assert figure.difference is None and figure.p is None


def test_runs_without_a_common_sample_are_refused_with_a_remedy() -> None:
    a, b = judged([GOOD]), [fakes.sample("other")]
    with pytest.raises(InputError, match="no finished sample in common"):
        compare(run("a", a), run("b", b))


def test_several_metrics_are_corrected_for_their_number() -> None:
    """One real difference among ten: its p counts ten times."""
    draw = random.Random(3)

    def scored(real: float) -> list[SampleResult]:
        return [
            fakes.sample(
                f"c{n}",
                scores=(
                    Score(metric="real", value=0.4 + real + n / 100),
                    *(Score(metric=f"m{k}", value=draw.random()) for k in range(9)),
                ),
            )
            for n in range(10)
        ]

    found = compare(run("a", scored(0)), run("b", scored(0.2)))
    real = next(figure for figure in found.metrics if figure.name == "real")
    assert found.tested == 10
    assert real.p == pytest.approx(2 / 2**10)
    assert real.p_holm == pytest.approx(20 / 2**10)
    assert real.difference == pytest.approx(0.2)
    assert not real.within_noise
    twice = compare_many([run(n, scored(0)) for n in ("a", "b", "c")])
    assert [part.tested for part in twice] == [20, 20]


def test_less_than_the_spread_of_judging_anew_is_within_noise() -> None:
    def repeated(shift: float, spread: float) -> list[SampleResult]:
        return [
            fakes.sample(
                f"c{n}",
                iteration=turn,
                scores=(
                    Score(metric="m", value=0.5 + shift + spread * (2 * turn - 3)),
                ),
            )
            for n in range(10)
            for turn in (1, 2)
        ]

    def figure(spread: float) -> Any:
        pair = (run(n, repeated(s, spread)) for n, s in (("a", 0.0), ("b", 0.02)))
        return compare(*pair).metrics[0]

    quiet, loud = figure(0.0), figure(0.2)
    assert quiet.p_holm == loud.p_holm == pytest.approx(2 / 2**10)
    assert quiet.noise_floor == 0 and not quiet.within_noise
    # sd within samples 0.4 / sqrt 2; floor 1.96 sd sqrt(2 / 20)
    assert loud.noise_floor == pytest.approx(1.96 * 0.4 / 2**0.5 * 0.1**0.5, rel=1e-4)
    assert loud.within_noise


def test_what_was_changed_between_runs_is_told() -> None:
    samples = judged([GOOD] * 3)
    other = [
        s.model_copy(update={"answer": fakes.answer(text="Else.")}) for s in samples
    ]
    found = compare(
        run("a", samples, model="small:1b", settings={"votes": 1, "timeout": 3}),
        run("b", other, model="large:8b", settings={"votes": 3, "timeout": 9}),
    )
    said = {(change.what, change.before, change.after) for change in found.changes}
    assert said == {("model", "small:1b", "large:8b"), ("setting votes", "1", "3")}
    assert len(found.answers_changed) == 3


def test_providers_of_a_run_are_paired_by_case() -> None:
    samples = [*judged([GOOD] * 8), *judged([BAD] * 7 + [GOOD], "beta")]
    (found,) = between_providers(run("a", samples))
    assert found.across_providers and found.pairs == 8
    assert (found.before.name, found.after.name) == ("alpha", "beta")
    assert found.outcomes.lost == 7 and not found.within_noise
    with pytest.raises(InputError, match="no provider 'gamma'"):
        between_providers(run("a", samples), "gamma")
    with pytest.raises(InputError, match="answers of 1 provider"):
        between_providers(run("a", samples[:8]))


def claims(*texts: str) -> list[Any]:
    return [fakes.claim_result(text, index=n) for n, text in enumerate(texts)]


def test_claims_of_a_changed_answer_are_paired_by_text_then_by_likeness() -> None:
    before = claims(
        "The dam is 38 metres high.", "It was filled in 1974.", "Boats rest."
    )
    after = claims(
        "It was filled in 1974.", "The dam is 48 metres high.", "Fish swim up."
    )
    found = pair_claims(before, after, same_answer=False)
    said = [(p.before.claim.index, p.after.claim.index, p.by) for p in found.pairs]
    assert said == [(0, 1, "likeness"), (1, 0, "text")]
    assert [r.claim.text for r in found.gone] == ["Boats rest."]
    assert [r.claim.text for r in found.new] == ["Fish swim up."]


words = st.lists(
    st.sampled_from(["It is 3 m.", "It is 4 m.", "Boats rest."]), max_size=6
)


@given(words, words, st.booleans())
def test_every_claim_is_in_one_pair_or_left_over(
    left: list[str], right: list[str], same: bool
) -> None:
    before, after = claims(*left), claims(*right)
    found = pair_claims(before, after, same_answer=same)
    firsts = [p.before.claim.index for p in found.pairs]
    seconds = [p.after.claim.index for p in found.pairs]
    firsts += [r.claim.index for r in found.gone]
    seconds += [r.claim.index for r in found.new]
    assert sorted(firsts) == list(range(len(left)))
    assert sorted(seconds) == list(range(len(right)))


def test_a_hostile_text_stays_one_inert_line() -> None:
    text = "Holds 9\x1b[31m\n[red]m³"
    a = judged([GOOD])
    b = [fakes.sample("c00", label=BAD, text=text)]
    lines = list(plain.lines(comparison_view(compare(run("a", a), run("b", b)))))
    assert not any("\x1b" in line or "\n" in line for line in lines)
