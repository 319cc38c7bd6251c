"""Results as lines for a terminal: figures with their n, and nothing it obeys."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.analysis.summary.summary import (
    Group,
    Mean,
    Summary,
    group,
    mean,
    rows_of,
    summarise,
)
from claimscope.core.models import (
    CitationResult,
    CitationState,
    Evidence,
    Failure,
    FailureKind,
    Grade,
    Label,
    RequiredClaimResult,
    RunStatus,
    SampleKey,
    SampleResult,
    Score,
    Skipped,
    Usage,
    Verdict,
)
from claimscope.core.report.renderers import plain
from claimscope.core.report.terms import aside_words
from claimscope.core.report.text import one_line
from claimscope.core.report.view import Table
from claimscope.core.report.views import summary as view
from claimscope.core.report.views.run_status import run_line
from claimscope.core.report.views.sample import sample_title, sample_view
from tests.doubles import fakes


def scored(number: int, value: float | None) -> SampleResult:
    score = Score(metric="claim_support", value=value, reason="" if value else "cut")
    return fakes.sample(f"c{number}", scores=(score,))


def mean_line(found: Mean) -> str:
    """A mean as its row in a terminal."""
    table = Table(view.COLUMNS, (view.mean_row(found),)).without(*view.IN_TERMINALS)
    _, shown = plain.lines([table])
    return " ".join(shown.split())


def summary_lines(found: Summary) -> list[str]:
    return list(plain.lines(view.summary_view(found)))


def group_lines(found: Group) -> list[str]:
    return list(plain.lines([view.group(found)]))


def sample_line(sample: SampleResult) -> str:
    return plain.text(sample_title(sample).spans)


def sample_lines(sample: SampleResult) -> list[str]:
    return list(plain.lines([sample_view(sample)]))


def test_a_mean_is_never_shown_without_what_it_is_over() -> None:
    """Half of a run went without a verdict."""
    samples = [scored(n, 0.8 if n < 6 else None) for n in range(12)]
    line = mean_line(mean("claim_support", rows_of(samples)))
    assert line == "claim_support 0.800 1 6 of 12 6 claims supported"


def test_nothing_scored_is_a_dash_and_not_0() -> None:
    samples = [scored(0, None), scored(1, None)]
    line = mean_line(mean("claim_support", rows_of(samples)))
    assert line == "claim_support – 1 0 of 2 2 claims supported"


def test_metrics_that_apply_to_no_sample_are_one_line() -> None:
    names = ("judge_faithfulness", "attribution", "claim_completeness")
    aside = [Score(metric=name, applicable=False, reason="none") for name in names]
    scored = Score(metric="claim_support", value=1.0)
    samples = [
        fakes.sample(c, p, scores=(scored, *aside))
        for c, p in (("c1", "alpha"), ("c2", "beta"))
    ]
    lines = list(summary_lines(summarise(samples)))
    words = "  3 metrics need required claims, a domain or a judge"
    assert lines.count(words) == 1, "once, not once more for each provider"
    assert not [line for line in lines if line.split()[:1] == ["attribution"]]
    assert aside_words(["judge_faithfulness"]) == "1 metric needs a judge"
    assert aside_words(["highlights", "unheard_of"]) == "2 metrics do not apply"
    assert aside_words([]) == ""


def test_a_grade_is_shown_on_its_own_scale() -> None:
    samples = [
        fakes.sample("c1", scores=(Score(metric="judge_faithfulness", reason="cut"),)),
        fakes.sample(
            "c2",
            scores=(Score(metric="judge_faithfulness", value=4.0, scale=(1, 5)),),
        ),
    ]
    line = mean_line(mean("judge_faithfulness", rows_of(samples)))
    assert "4.000 5 1 of 2 1" in line


def test_a_group_shows_outcomes_claims_and_kinds_of_failure() -> None:
    members = [
        fakes.sample("c1"),
        fakes.sample("c2", label=Label.CONTRADICTED),
        fakes.sample("c3", label=Label.UNSCORED),
        fakes.sample("c4", claims=(), abstained=True),
    ]
    lines = list(group_lines(group("all", rows_of(members))))
    assert lines[0] == ("all: 4 samples: 2 passed, 1 failed, 1 unscored (1 abstained)")
    assert lines[1].split() == (
        "Pass rate 0.667, 95 % [0.208, 0.939], over 3 of 4 (75% coverage)".split()
    )
    assert lines[2] == (
        "  claims: 3: 1 supported, 0 likely, 1 contradicted, 0 not enough info, "
        "1 unscored"
    )
    assert lines[-1] == "  samples by kind of failure: contradicted claim 1, unscored 1"


def test_what_is_only_likely_is_counted_apart_and_beside_the_pass_rate() -> None:
    one = fakes.sample("c1")
    claims = tuple(
        result.model_copy(
            update={"verdict": result.verdict.model_copy(update={"band": "review"})}
        )
        for result in one.claims
    )
    members = [fakes.sample("c0"), one.model_copy(update={"claims": claims})]
    found = group("all", rows_of(members))
    assert (found.likely, found.passed_on_likely) == (1, 1)
    lines = list(group_lines(found))
    assert lines[2] == "  1 of 2 passed have a claim that is only likely"
    assert lines[3].startswith("  claims: 2: 1 supported, 1 likely, 0 contradicted")


def test_providers_are_set_apart_when_there_are_several() -> None:
    one = [fakes.sample("c1"), fakes.sample("c2")]
    assert not [line for line in summary_lines(summarise(one)) if "provider" in line]
    lines = list(summary_lines(summarise([*one, fakes.sample("c1", "beta")])))
    heads = [line.split(":")[0] for line in lines if line and line[0] != " "]
    assert heads == ["all", "provider alpha", "provider beta"]


def test_a_sample_is_marked_and_names_each_kind_of_failure_once() -> None:
    twice = [
        Failure(kind=FailureKind.CONTRADICTED, message="a"),
        Failure(kind=FailureKind.CONTRADICTED, message="b"),
        Failure(kind=FailureKind.EMPTY, message="c"),
    ]
    failed = fakes.sample("c1", label=Label.CONTRADICTED, failures=tuple(twice))
    assert sample_line(failed).split() == [
        "failed",
        "c1/alpha/1",
        *("contradicted", "claim,", "empty", "answer"),
    ]
    assert sample_line(fakes.sample("c2")).split() == ["passed", "c2/alpha/1"]
    assert sample_line(fakes.sample("c3", label=Label.UNSCORED)).startswith("unscored")


def full_sample(text: str) -> SampleResult:
    """A sample with text in every place that comes from outside."""
    judged = fakes.claim_result(text, Label.CONTRADICTED)
    verdict = Verdict(
        label=Label.CONTRADICTED,
        support=0.07,
        evidence=(Evidence(page_id=text, index=0, text=text, start=0, end=1),),
        reason=text,
        unscored_reason=text,
    )
    return fakes.sample(
        "c1",
        key=SampleKey(case_id=text, provider=text),
        case=fakes.case("c1", question=text),
        text=text,
        claims=(judged.model_copy(update={"verdict": verdict}),),
        required_claims=(
            RequiredClaimResult(
                text=text, importance="expected", found=False, conflicts_with=text
            ),
        ),
        citations=(
            CitationResult(
                text=text, start=0, end=1, state=CitationState.BROKEN, reason=text
            ),
        ),
        grades=(Grade(name="faithfulness", value=2, reason=text),),
        skipped=(Skipped(text=text, start=0, end=1, reason="offer"),),
        failures=(Failure(kind=FailureKind.BROKEN_CITATION, message=text),),
        passed=False,
        error=text,
    )


def test_a_sample_in_full_shows_everything_that_was_found() -> None:
    lines = list(sample_lines(full_sample("TEXT")))
    assert lines == [
        "failed  TEXT/TEXT/1  broken citation",
        "  question: TEXT",
        "  answer: TEXT",
        "  not judged: TEXT",
        "    failure, broken citation: TEXT",
        "    [contradicted 0.07] TEXT",
        "      TEXT:S:0: “TEXT”",
        "      TEXT",
        "      TEXT",
        "    expected claim missing: TEXT (conflicts with “TEXT”)",
        "    not in the ground truth (0-4): TEXT",
        "    citation TEXT: broken (does not exist): TEXT",
        "    judge, faithfulness: 2 of 5: TEXT",
        "    skipped (offer): TEXT",
        "    score faithfulness: 1.00 of 1",
    ]


def test_a_found_claim_is_shown_with_its_evidence_and_a_broken_form_is_named() -> None:
    found = RequiredClaimResult(
        text="The dam is 38 metres high.",
        importance="required",
        found=True,
        similarity=0.914,
        matched_text="The dam is 38 m high",
        start=0,
        end=20,
    )
    sample = fakes.sample(
        "c1", text="The dam is 38 m high and the", required_claims=(found,)
    )
    lines = list(sample_lines(sample))
    at = lines.index("    required claim found: The dam is 38 metres high.")
    assert lines[at + 1] == "      0.91 answer: “The dam is 38 m high”"
    assert '    malformed answer: ends in the middle of a sentence: "the"' in lines


def test_a_grade_without_a_value_is_shown_as_unscored_with_its_reason() -> None:
    sample = fakes.sample(
        "c1", grades=(Grade(name="completeness", unscored_reason="cut off"),)
    )
    assert "    judge, completeness: unscored: cut off" in list(sample_lines(sample))


HOSTILE = st.text(
    st.characters(categories=["Cc", "Cf", "Zl", "Zp"]) | st.sampled_from("a [1]"),
    min_size=1,
    max_size=12,
)


@given(HOSTILE)
def test_no_text_from_outside_reaches_the_terminal_as_an_order(text: str) -> None:
    hostile = text + "\x1b]0;owned\x07\x9b2J\u202e"
    shown = list(sample_lines(full_sample(hostile)))
    shown += summary_lines(
        summarise(
            [
                full_sample(hostile),
                fakes.sample("c2", "beta", scores=(Score(metric="claim_support"),)),
            ]
        )
    )
    status = RunStatus(
        header=fakes.header(suite_id=hostile),
        state="running",
        completed=0,
        passed=0,
        failed=0,
        unscored=0,
        usage=Usage(),
    )
    for line in [*shown, run_line(status)]:
        assert not [c for c in line if unicodedata.category(c) in ("Cc", "Zl", "Zp")]
        assert "\u202e" not in line


def test_one_line_keeps_words_and_markers() -> None:
    assert one_line(" a\n\tb  [PMID:1, S:2] ") == "a b [PMID:1, S:2]"
