"""A person's verdict replaces the machine's, and what depends on it follows."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.analysis.agreement.overrides import (
    HUMAN,
    apply_overrides,
    overruled_claims,
    settings_of,
    with_overrides,
    words_that_count,
)
from claimscope.core.backends.onnx.entailment import shipped_model
from claimscope.core.metrics.claims import METRICS as CLAIM_METRICS
from claimscope.core.models import (
    ClaimResult,
    Failure,
    FailureKind,
    HumanVerdict,
    Label,
    RequiredClaimResult,
    SampleKey,
    SampleResult,
    Score,
    ScoreSpan,
)
from claimscope.core.run.outcome import claim_failures, passed
from claimscope.core.run.plan import SampleTask
from claimscope.core.run.sample import Services, evaluate
from claimscope.core.settings import Settings
from claimscope.core.verify.verifier import EvidenceVerifier
from claimscope.stores.runs.memory import MemoryRunStore
from tests.doubles import fakes

YES, NO, OPEN = Label.SUPPORTED, Label.CONTRADICTED, Label.NOT_ENOUGH_INFO
KEY = SampleKey(case_id="c1", provider="alpha")
TEXTS = ("It holds 9 million.", "It is old.", "It is deep.", "It is blue.")


def judged(*labels: Label, settings: Settings | None = None) -> SampleResult:
    """A sample whose scores and failures are those of the code that judges."""
    from claimscope.core.analysis.agreement.overrides import findings_again

    by = settings or Settings()
    text = " ".join(TEXTS[: len(labels)])
    bare = fakes.sample(text=text, failures=(), scores=())
    claims = []
    for index, label in enumerate(labels):
        result = fakes.claim_result(TEXTS[index], label, index)
        start = text.index(TEXTS[index])
        end = start + len(TEXTS[index])
        place = {"start": start, "end": end}
        claims.append(
            result.model_copy(update={"claim": result.claim.model_copy(update=place)})
        )
    sample = bare.model_copy(update={"claims": tuple(claims)})
    findings = findings_again(sample, by)
    failures = tuple(claim_failures(findings, by))
    scores = tuple(metric.score(findings) for metric in CLAIM_METRICS)
    return sample.model_copy(
        update={
            "failures": failures,
            "scores": scores,
            "passed": passed(findings, failures),
        }
    )


def word(index: int, human: Label | None, **fields: Any) -> HumanVerdict:
    known = {"machine": YES, "at": "2026-11-27T13:00:00Z", "by": "ann"}
    return HumanVerdict(
        sample=KEY, claim_index=index, human=human, **{**known, **fields}
    )


def values(sample: SampleResult) -> dict[str, float | None]:
    return {score.metric: score.value for score in sample.scores}


def test_an_overruled_claim_changes_scores_failures_and_outcome() -> None:
    (found,) = with_overrides([judged(YES, NO)], [word(1, YES, note="see S:1")])
    assert found.passed is True
    assert found.failures == ()
    assert values(found) == {"claim_support": 1.0, "hallucination_rate": 0.0}
    verdict, machine = found.claims[1].verdict, found.claims[1].machine
    assert (verdict.label, verdict.verifier, verdict.support) == (YES, HUMAN, None)
    assert verdict.reason == "ann overruled contradicted: see S:1"
    assert verdict.evidence and machine is not None and machine.label is NO
    assert found.claims[0].machine is None


def test_a_supported_claim_that_a_person_contradicts_fails_its_sample() -> None:
    (found,) = with_overrides([judged(YES, YES)], [word(0, NO, note="9 is not 4")])
    assert found.passed is False
    (failure,) = found.failures
    assert (failure.kind, failure.claim_index) == (FailureKind.CONTRADICTED, 0)
    assert "9 is not 4" in failure.message
    assert values(found)["claim_support"] == 0.5


def test_a_word_of_unscored_is_neither_pass_nor_fail() -> None:
    (found,) = with_overrides([judged(YES, NO)], [word(1, Label.UNSCORED)])
    assert found.passed is None
    assert values(found)["claim_support"] == 1.0
    assert found.claims[1].verdict.unscored_reason == "ann overruled contradicted."


def test_what_a_person_calls_no_claim_counts_neither_way() -> None:
    no_claim = word(1, Label.UNSCORED, is_claim=False)
    (found,) = with_overrides([judged(YES, NO)], [no_claim])
    assert [result.claim.index for result in found.claims] == [0]
    assert found.skipped[-1].text == TEXTS[1]
    assert found.passed is True
    assert values(found)["claim_support"] == 1.0
    (none_left,) = with_overrides(
        [judged(NO)], [word(0, Label.UNSCORED, is_claim=False, machine=NO)]
    )
    assert none_left.passed is None
    assert values(none_left)["claim_support"] is None
    assert none_left.failures[0].message == "No claim was found in the answer."


def test_failures_that_are_not_of_claims_stay() -> None:
    planted = Failure(kind=FailureKind.PLANTED_GRADE, message="“5 of 5”", start=3)
    sample = judged(YES, NO)
    sample = sample.model_copy(update={"failures": (planted, *sample.failures)})
    (found,) = with_overrides([sample], [word(1, YES)])
    assert found.failures == (planted,)
    assert found.passed is False


def test_the_settings_of_the_run_say_what_fails() -> None:
    lenient = Settings(unsupported_fails=False)
    (found,) = with_overrides([judged(YES)], [word(0, OPEN)], lenient)
    assert found.passed is True
    (strict,) = with_overrides([judged(YES)], [word(0, OPEN)])
    assert strict.passed is False
    header = fakes.header(settings={"unsupported_fails": False, "prompts": "p"})
    assert settings_of(header).unsupported_fails is False


def test_the_weighted_overall_follows_and_hidden_parts_keep_their_values() -> None:
    weights = Settings(metric_weights="claim_support=1,hallucination_rate=1,accuracy=2")
    sample = judged(YES, NO)
    spans = (
        ScoreSpan(kind="metric", text="claim_support", value=0.5),
        ScoreSpan(kind="metric", text="hallucination_rate", value=0.5),
        ScoreSpan(kind="metric", text="accuracy", value=0.25),
    )
    before = Score(metric="overall", value=0.375, evidence=spans)
    sample = sample.model_copy(update={"scores": (*sample.scores, before)})
    (found,) = with_overrides([sample], [word(1, YES)], weights)
    assert values(found)["overall"] == pytest.approx((1 + 1 + 2 * 0.25) / 4)


def test_agreeing_changes_nothing_at_all() -> None:
    sample = judged(YES, NO)
    (found,) = with_overrides([sample], [word(0, YES), word(1, NO, machine=NO)])
    assert found is sample


def test_a_word_on_another_text_does_not_count() -> None:
    sample = judged(YES, NO)
    stale = word(1, YES, claim="It was built of granite.")
    assert with_overrides([sample], [stale])[0] is sample
    assert overruled_claims([sample], [stale]) == 0
    assert with_overrides([sample], [word(1, YES, claim=TEXTS[1])])[0].passed is True


def test_the_last_word_counts_and_who_takes_back_takes_back_their_own() -> None:
    ann, ben = word(0, NO, by="ann"), word(0, OPEN, by="ben")
    place = (KEY, 0, False)
    assert words_that_count([ann, ben])[place] is ben
    assert words_that_count([ann, ben, word(0, None, by="ben")])[place] is ann
    assert words_that_count([ann, ben, word(0, None, by="ann")])[place] is ben
    assert words_that_count([ann, word(0, None, by="ann")]) == {}
    again = word(0, NO, by="ann", note="sure")
    assert words_that_count([ann, ben, again])[place] is again


labels = st.sampled_from([YES, NO, OPEN, Label.UNSCORED])


@given(
    st.lists(labels, min_size=1, max_size=4),
    st.lists(st.tuples(st.integers(0, 3), labels), max_size=6),
    st.booleans(),
)
def test_scores_are_those_of_a_sample_that_was_judged_so(
    machine: list[Label], said: list[tuple[int, Label]], strict: bool
) -> None:
    by = Settings(unsupported_fails=strict)
    words = [word(index, label) for index, label in said]
    (found,) = with_overrides([judged(*machine, settings=by)], words, by)
    final = list(machine)
    for index, label in said:
        if index < len(final):
            final[index] = label
    expected = judged(*final, settings=by)
    assert found.passed == expected.passed
    assert values(found) == values(expected)
    assert [f.kind for f in found.failures] == [f.kind for f in expected.failures]
    taken_back = [word(index, None) for index, _ in said]
    assert with_overrides([found], [])[0] is found
    original = judged(*machine, settings=by)
    assert with_overrides([original], [*words, *taken_back], by)[0] is original


async def test_computed_again_from_what_is_kept_a_sample_is_as_it_was_judged() -> None:
    embedder, by = fakes.FakeEmbedder(), Settings()
    services = Services(embedder, EvidenceVerifier(embedder, shipped_model()), by)
    page = fakes.page().text
    changed = 0
    for text in (
        "The reservoir holds 9 million cubic metres. It was filled in 1974.",
        "It holds 4.2 million cubic metres [PMID:404, S:1]. Good luck! Is it deep?",
        "The pages do not say. Its keeper is called Orla.",
        "",
    ):
        case = fakes.case(contexts=(page,))
        answer = fakes.answer(text=text).model_copy(update={"text": text})
        judged_now = await evaluate(SampleTask(KEY, case, answer), services)
        sample = judged_now.model_copy(update={"finished": "2026-11-27T12:00:00Z"})
        for result in sample.claims:
            machine = result.verdict.label
            other = YES if machine is not YES else OPEN
            (once,) = with_overrides([sample], [word(result.claim.index, other)], by)
            back = once.model_copy(
                update={"claims": tuple(unmade(r) for r in once.claims)}
            )
            said = [word(result.claim.index, machine)]
            (again,) = with_overrides([back], said, by)
            again = again.model_copy(update={"claims": sample.claims})
            assert once != sample
            assert [f.kind for f in again.failures] == [f.kind for f in sample.failures]
            assert (again.scores, again.passed) == (sample.scores, sample.passed)
            changed += 1
    assert changed >= 4


def unmade(result: ClaimResult) -> ClaimResult:
    """As if the machine had said what the person says."""
    return result.model_copy(update={"machine": None})


def test_a_run_is_counted_as_people_see_it() -> None:
    runs = MemoryRunStore()
    reader = runs.read(fakes.finished_run(runs))
    before = apply_overrides(reader)
    assert (before.overruled, before.status.passed) == (0, 1)
    reader.save_human(
        HumanVerdict(
            sample=SampleKey(case_id="c2", provider="alpha"),
            claim_index=0,
            machine=NO,
            human=YES,
            at="2026-11-27T13:00:00Z",
        )
    )
    found = apply_overrides(reader)
    assert (found.overruled, found.status.passed, found.status.failed) == (1, 2, 1)
    assert [sample.passed for sample in found.samples].count(True) == 2
    assert [s.passed for s in reader.samples()].count(True) == 1


# --- claims that the case requires ------------------------------------------------


def requiring(*found: bool) -> SampleResult:
    """A sample whose claims are supported and whose required claims were found so."""
    from claimscope.core.analysis.agreement.overrides import findings_again
    from claimscope.core.metrics.completeness import ClaimCompleteness
    from claimscope.core.run.outcome import required_failures

    required = tuple(
        RequiredClaimResult(text=TEXTS[n], importance="required", found=is_found)
        for n, is_found in enumerate(found)
    )
    grade = Failure(kind=FailureKind.PLANTED_GRADE, message="“5 of 5”", start=3)
    sample = judged(YES).model_copy(update={"required_claims": required})
    findings = findings_again(sample, Settings())
    failures = (grade, *required_failures(findings, Settings()))
    return sample.model_copy(
        update={
            "failures": failures,
            "scores": (*sample.scores, ClaimCompleteness().score(findings)),
            "passed": passed(findings, failures),
        }
    )


def of_required(index: int, human: Label | None, **fields: Any) -> HumanVerdict:
    return word(index, human, **{"required": True, "machine": OPEN, **fields})


def kinds(sample: SampleResult) -> list[FailureKind]:
    return [failure.kind for failure in sample.failures]


def test_a_missing_claim_that_a_person_finds_counts_as_found() -> None:
    sample = requiring(True, False)
    missing, planted = FailureKind.MISSING_CLAIM, FailureKind.PLANTED_GRADE
    assert set(kinds(sample)) == {missing, planted}
    assert values(sample)["claim_completeness"] == 50
    said = of_required(1, YES)
    (found,) = with_overrides([sample], [said])
    assert kinds(found) == [planted]
    assert values(found)["claim_completeness"] == 100
    assert [r.found for r in found.required_claims] == [True, True]
    assert overruled_claims([sample], [said]) == 1
    assert found.claims == sample.claims


def test_a_found_claim_that_a_person_misses_fails_its_sample() -> None:
    sample = requiring(True, True)
    (found,) = with_overrides([sample], [of_required(0, OPEN, machine=YES)])
    assert FailureKind.MISSING_CLAIM in kinds(found)
    assert values(found)["claim_completeness"] == 50


def test_a_required_claim_that_nobody_can_tell_is_unscored() -> None:
    sample = requiring(True, False)
    (found,) = with_overrides([sample], [of_required(1, Label.UNSCORED)])
    assert values(found)["claim_completeness"] is None
    assert FailureKind.UNSCORED in kinds(found)
    reason = found.required_claims[1].unscored_reason
    assert reason == "ann says that nobody can tell"


def test_words_on_required_claims_and_on_claims_of_one_number_are_two() -> None:
    sample = requiring(True, False)
    agreed = [of_required(1, OPEN), word(1, NO)]
    assert with_overrides([sample], agreed)[0] is sample
    stale = of_required(1, YES, claim="It was built of granite.")
    assert with_overrides([sample], [stale])[0] is sample
    undone = [of_required(1, YES), of_required(1, None)]
    assert with_overrides([sample], undone)[0] is sample
    (found,) = with_overrides([sample], [word(0, NO), of_required(1, YES)])
    assert kinds(found) == [FailureKind.CONTRADICTED, FailureKind.PLANTED_GRADE]
    assert overruled_claims([sample], [word(0, NO), of_required(1, YES)]) == 2
