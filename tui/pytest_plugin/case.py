"""What a test gets from the fixture `claimscope_case`, and what it says on failure."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from claimscope.core.errors import ClaimscopeError
from claimscope.core.models import Answer, Case, FailureKind, SampleResult, Score
from claimscope.core.report.renderers.plain import lines
from claimscope.core.report.text import one_line
from claimscope.core.report.views.claim import failures
from claimscope.core.text.plurals import counted_noun
from claimscope.tui.pytest_plugin.source import Sample, Source

_OF_CLAIMS = {FailureKind.CONTRADICTED, FailureKind.NOT_SUPPORTED}


class ClaimscopeCase:
    """A case of a suite, its answer, and what was found out about it."""

    def __init__(self, source: Source, sample: Sample, *, gated: bool) -> None:
        self._source = source
        self._sample = sample
        self._gated = gated
        self._judged: SampleResult | None = None

    @property
    def case(self) -> Case:
        """The case with all that is known about its right answer."""
        return self._sample.case

    @property
    def question(self) -> str:
        return self._sample.case.question

    @property
    def answer(self) -> Answer | None:
        """The suite's answer; None when it has none, so that the test makes one."""
        return self._sample.answer

    @property
    def result(self) -> SampleResult:
        """What was found out: claims, verdicts, evidence, scores, failures. Judged
        when it is first asked for; fails the test when there is no answer."""
        if self._judged is None:
            if self.answer is None:
                pytest.fail(
                    f"case {self.case.id} has no answer: give the suite answers, or "
                    "call claimscope_case.judge(TEXT) with one",
                    pytrace=False,
                )
            self._judged = self._judge(None)
        return self._judged

    def judge(self, text: str) -> SampleResult:
        """Judges a text as the answer to this case; `result` and `check` are about it
        from then on."""
        self._judged = self._judge(text)
        return self._judged

    def _judge(self, text: str | None) -> SampleResult:
        try:
            return self._source.judge(self._sample, text)
        except ClaimscopeError as error:
            pytest.fail(f"{error.title}: {error}", pytrace=False)

    def score(self, metric: str) -> Score:
        """The score of one metric. Raises KeyError."""
        for score in self.result.scores:
            if score.metric == metric:
                return score
        known = ", ".join(score.metric for score in self.result.scores)
        raise KeyError(f"{metric} was not scored; scored were: {known}")

    def check(self) -> None:
        """Fails the test where the sample fails, naming each claim with the evidence
        against it; skips it, with the reason, where it could not be judged."""
        __tracebackhide__ = True
        result = self.result
        if result.passed is None:
            pytest.skip(f"unscored: {reason_of(result)}")
        if not result.passed:
            message = "\n".join(message_lines(result))
            if self._gated:
                pytest.xfail(message)
            raise AssertionError(message)

    def judged_json(self) -> str | None:
        """The result as JSON; None when the test did not come to it."""
        return None if self._judged is None else self._judged.model_dump_json()


def reason_of(result: SampleResult) -> str:
    reasons = [f.message for f in result.failures if f.kind == FailureKind.UNSCORED]
    return one_line(result.error or "; ".join(reasons) or "no verdict")


def message_lines(result: SampleResult) -> Iterator[str]:
    """Why a sample fails: its claims with their evidence, then everything else."""
    wrong = {f.claim_index for f in result.failures if f.kind in _OF_CLAIMS}
    key = f"{result.key.case_id}/{result.key.provider}"
    yield (
        f"{one_line(key)} fails: {len(wrong)} of "
        f"{counted_noun(len(result.claims), 'claim')} wrong"
    )
    yield from lines(failures(result), level=1)
