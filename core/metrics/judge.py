"""judge_faithfulness and judge_completeness: the two grades 1-5 (METRICS B)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from claimscope.core.metrics.base import Findings, Metric, Need, inapplicable, unscored
from claimscope.core.models import Score


@dataclass(frozen=True)
class JudgeGrade:
    """One grade of the judge, asked for in a call of its own."""

    id: str
    title: str
    name: Literal["faithfulness", "completeness"]
    needs: frozenset[Need] = frozenset({"judge"})

    def score(self, findings: Findings) -> Score:
        """Scale 1-5; unscored when the judge gave no readable grade."""
        if not findings.judged:
            return inapplicable(self.id, "no judge was asked")
        if findings.empty:
            return inapplicable(self.id, "the answer is empty")
        grade = next((g for g in findings.grades if g.name == self.name), None)
        if grade is None or grade.value is None:
            reason = grade.unscored_reason if grade else "the judge was not asked"
            return unscored(self.id, reason or "the judge gave no readable grade")
        return Score(metric=self.id, value=float(grade.value), scale=(1, 5))


POSITION = 40
METRICS: tuple[Metric, ...] = (
    JudgeGrade("judge_faithfulness", "judge: faithfulness", "faithfulness"),
    JudgeGrade("judge_completeness", "judge: completeness", "completeness"),
)
