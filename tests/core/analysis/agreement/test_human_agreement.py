"""The judge against people: published tables, other packages, honest gaps."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from claimscope.core.analysis.agreement.human_agreement import (
    human_agreement,
    judge_agreement,
    kappas,
    people_agreement,
)
from claimscope.core.analysis.agreement.labels import (
    LabelledClaim,
    RunLabels,
    labels_of,
)
from claimscope.core.models import HumanVerdict, Label, SampleResult
from tests.doubles import fakes

YES, NO, OPEN = Label.SUPPORTED, Label.CONTRADICTED, Label.NOT_ENOUGH_INFO


def claim(n: int, machine: Label, human: Label, **fields: object) -> LabelledClaim:
    known = {
        "run": "r",
        "suite": "s",
        "sample": f"c{n}",
        "claim_index": 0,
        "claim": "It is so.",
        "machine": machine,
        "human": human,
        "is_claim": True,
        "verifier": "evidence-1",
    }
    return LabelledClaim.model_validate({**known, **fields})


def table(counts: dict[tuple[Label, Label], int]) -> list[LabelledClaim]:
    pairs = [pair for pair, n in counts.items() for _ in range(n)]
    return [claim(n, machine, human) for n, (machine, human) in enumerate(pairs)]


def test_recall_of_selected_claims_is_put_right_as_by_begg_and_greenes() -> None:
    # Liver scans: 429 positive, 263 of them verified, 231 ill; 221 negative, 81
    # verified, 27 ill. Naively 0.895 and 0.628, corrected 0.836 and 0.738.
    looked = table({(YES, YES): 231, (YES, NO): 32, (NO, YES): 27, (NO, NO): 54})
    found = judge_agreement("all", looked, Counter(supported=429, contradicted=221))
    ill, well = found.labels["supported"], found.labels["contradicted"]
    naive = [round(f.value or 0, 3) for f in (ill.recall, well.recall)]
    corrected = [
        round(f.value or 0, 3) for f in (ill.weighed_recall, well.weighed_recall)
    ]
    assert naive == [0.895, 0.628]
    assert corrected == [0.836, 0.738]
    assert ill.precision.value == pytest.approx(231 / 263)
    for figure in (ill.weighed_recall, well.weighed_recall, found.weighed_kappa):
        assert figure.low is not None and figure.high is not None
        assert figure.value is not None
        assert figure.low < figure.value < figure.high
    # Begg and Greenes' own, log-odds by the delta method: 0.783 to 0.879.
    assert ill.weighed_recall.low == pytest.approx(0.783, abs=0.02)
    assert ill.weighed_recall.high == pytest.approx(0.879, abs=0.02)
    assert found.looked_at["supported"] == (263, 429)


def test_kappa_and_its_interval_are_those_of_a_known_table() -> None:
    # 50 applications, two readers: 20 yes, 15 no, 5 and 10 between: kappa 0.4.
    looked = table({(YES, YES): 20, (YES, NO): 5, (NO, YES): 10, (NO, NO): 15})
    found = judge_agreement("all", looked, Counter(supported=25, contradicted=25))
    assert found.kappa.value == pytest.approx(0.4)
    assert found.same.value == pytest.approx(0.7)
    # Large-sample standard error (Fleiss, Cohen and Everitt 1969) is 0.1270.
    assert found.kappa.low == pytest.approx(0.4 - 1.96 * 0.1270, abs=0.04)
    assert found.kappa.high == pytest.approx(0.4 + 1.96 * 0.1270, abs=0.04)
    # All were looked at: weighing changes nothing.
    assert found.weighed_kappa.value == pytest.approx(0.4)


@given(st.lists(st.integers(0, 9), min_size=9, max_size=9))
def test_kappas_of_tables_are_those_of_scikit_learn(cells: list[int]) -> None:
    from sklearn.metrics import cohen_kappa_score

    counts = np.array(cells, float).reshape(3, 3)
    x = [i for i in range(3) for j in range(3) for _ in range(int(counts[i, j]))]
    y = [j for i in range(3) for j in range(3) for _ in range(int(counts[i, j]))]
    assume(len(set(x) | set(y)) > 1)
    assert kappas(counts[None])[0] == pytest.approx(cohen_kappa_score(x, y))


def test_claims_of_one_answer_make_a_wider_interval_than_as_many_answers() -> None:
    counts = {(YES, YES): 40, (YES, NO): 10, (NO, YES): 10, (NO, NO): 40}
    apart = table(counts)
    together = [
        one.model_copy(update={"sample": f"c{n // 5}"}) for n, one in enumerate(apart)
    ]
    totals = Counter(supported=50, contradicted=50)
    alone = judge_agreement("all", apart, totals).kappa
    grouped = judge_agreement("all", together, totals).kappa
    assert alone.value == grouped.value
    assert None not in (alone.low, alone.high, grouped.low, grouped.high)
    assert grouped.high - grouped.low > alone.high - alone.low  # type: ignore[operator]


def test_a_label_nobody_looked_at_leaves_weighed_figures_without_a_value() -> None:
    looked = table({(NO, YES): 3, (NO, NO): 9})
    found = judge_agreement("all", looked, Counter(supported=80, contradicted=20))
    assert found.labels["supported"].recall.value == 0.0
    reason = "no claim the judge called supported was looked at"
    assert found.labels["supported"].weighed_recall.reason == reason
    assert found.weighed_kappa.reason == reason
    assert found.labels["contradicted"].precision.value == 0.75


def test_people_against_one_another() -> None:
    assert people_agreement([]) is None
    units = [{"ann": "supported", "ben": "supported"}] * 3
    units += [{"ann": "contradicted", "ben": "supported"}]
    units += [{"ann": "contradicted", "ben": "contradicted"}] * 2
    found = people_agreement(units)
    assert found is not None
    # Seen 5/6, by chance (3 * 4 + 3 * 2) / 36 = 1/2.
    assert found.cohen["ann / ben"].value == pytest.approx((5 / 6 - 0.5) / 0.5)
    assert found.fleiss.value is not None
    assert found.krippendorff.units == 6
    third = people_agreement([*units, {"ann": "no_claim", "eve": "no_claim"}])
    assert third is not None and third.people == ("ann", "ben", "eve")
    assert "ben / eve" not in third.cohen


# --- from a run ---------------------------------------------------------------


def word(sample: SampleResult, human: Label, **fields: object) -> HumanVerdict:
    known = {
        "sample": sample.key,
        "claim_index": 0,
        "machine": sample.claims[0].verdict.label,
        "human": human,
        "at": "2026-11-27T13:00:00Z",
        "by": "ann",
    }
    return HumanVerdict.model_validate({**known, **fields})


def run_of(labels: list[Label]) -> list[SampleResult]:
    return [fakes.sample(f"c{n}", label=label) for n, label in enumerate(labels)]


def read(samples: list[SampleResult], words: list[HumanVerdict]) -> RunLabels:
    return labels_of(fakes.header(), samples, words)


def test_what_a_run_brings() -> None:
    samples = run_of([YES, NO, OPEN, Label.UNSCORED])
    words = [
        word(samples[0], YES),
        word(samples[1], YES, by="ben"),
        word(samples[1], NO),
        word(samples[2], Label.UNSCORED, is_claim=False),
    ]
    found = read(samples, words)
    assert [c.human for c in found.claims] == [YES, NO, Label.UNSCORED]
    assert found.verdicts == {"evidence-1": dict.fromkeys(list(map(str, Label)), 1)}
    assert found.people == ({"ben": "supported", "ann": "contradicted"},)
    # The third has no claim left, so nobody can say whether it passes.
    assert found.samples == ((True, True), (False, False))
    assert found.unscored_samples == 2
    whole = human_agreement([found])
    assert whole.overall.claims == 2
    assert whole.overall.claim_detection.value == pytest.approx(2 / 3)
    assert whole.overall.table["not_enough_info"] == {"no_claim": 1}
    assert "1 of 1 supported, 1 of 1 contradicted" in whole.note
    passed, supported = whole.rates
    assert (passed.units, passed.left_out) == (2, 2)
    assert (supported.units, supported.left_out, supported.labelled) == (2, 2, 2)


def test_runs_are_added_and_told_apart_by_judge_and_suite() -> None:
    first = run_of([YES] * 12 + [NO] * 12)
    one = read(first, [word(sample, YES) for sample in first])
    other = labels_of(
        fakes.header("20261128-120000-cd34", suite_id="tides"),
        first,
        [word(sample, sample.claims[0].verdict.label) for sample in first[:20]],
    )
    found = human_agreement([one, other])
    assert found.runs == ("20261127-120000-ab12", "20261128-120000-cd34")
    assert found.overall.claims == 44
    assert [(g.name, g.claims) for g in found.by_suite] == [
        ("reservoirs", 24),
        ("tides", 20),
    ]
    assert [(g.name, g.claims) for g in found.by_judge] == [("evidence-1", 44)]
    assert found.by_suite[1].looked_at["contradicted"] == (8, 12)
    assert found.by_suite[1].kappa.value == pytest.approx(1.0)


def test_a_pass_rate_is_put_right_by_what_people_said_of_whole_samples() -> None:
    samples = run_of([YES] * 40 + [NO] * 20)
    words = [
        word(sample, NO if n < 3 else YES) for n, sample in enumerate(samples[:20])
    ]
    words += [
        word(sample, YES if n < 2 else NO) for n, sample in enumerate(samples[40:])
    ]
    passed, supported = human_agreement([read(samples, words)]).rates
    assert passed.machine.value == pytest.approx(40 / 60)
    expected = 40 / 60 * 17 / 20 + 20 / 60 * 2 / 20
    assert passed.stratified.value == pytest.approx(expected)
    assert supported.stratified.value == pytest.approx(expected)
    assert passed.looked_at == {"good": (20, 40), "bad": (20, 20)}


def test_nothing_was_looked_at() -> None:
    found = human_agreement([read(run_of([YES, NO]), [])])
    assert found.overall.claims == 0
    assert found.overall.kappa.reason and found.overall.weighed_kappa.reason
    assert found.people is None and found.by_judge == ()
    assert found.rates[0].stratified.reason.startswith("people judged 0 of the 1")
