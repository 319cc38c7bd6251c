"""One grade from several judges, each of whose grades is kept beside it.

Either the mean of the grades, which may lie between two whole ones, or the grade most
judges gave. Judges that gave none are counted and not heard.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from claimscope.core.errors import InputError
from claimscope.core.models import Case, Grade, GradeVote
from claimscope.core.models.runs import judge_id
from claimscope.core.ports import ChatModel, Grader
from claimscope.core.settings import Verdicts


@dataclass(frozen=True)
class PanelGrader:
    """Asks several, one after the other: each model stays loaded for both grades."""

    judges: Mapping[str, Grader]
    """By name, in the order they are asked and shown."""
    how: Verdicts = "majority"

    async def __call__(
        self, case: Case, answer: str, context: Sequence[str]
    ) -> tuple[Grade, ...]:
        """The grades of the first judge's names, each with a vote of every judge.

        Raises ModelError when one judge cannot be asked at all, as PanelVerifier does.
        """
        given = [
            {grade.name: grade for grade in await judge(case, answer, context)}
            for judge in self.judges.values()
        ]
        named = (
            list(zip(self.judges, (own[n] for own in given), strict=True))
            for n in given[0]
        )
        return tuple(combine_grades(pairs, self.how) for pairs in named)


def grader_of(judges: Mapping[str, Grader], how: Verdicts) -> Grader:
    """One judge as it is, several as a panel."""
    one = next(iter(judges.values()))
    return one if len(judges) == 1 else PanelGrader(judges, how)


def check_judges(models: Sequence[ChatModel]) -> None:
    """Raises InputError when a model would judge beside itself, be it under another
    name: it would have two votes, and always agree."""
    known: dict[str, str] = {}
    for model in models:
        weights = model.digest or model.name
        if weights in known:
            raise InputError(
                f"judge {model.name} is the same model as {known[weights]}, which "
                "judges already",
                "leave one of them out of --judges (or `judges` in the settings)",
            )
        known[weights] = model.name


def judge_ids(models: Sequence[ChatModel]) -> tuple[str, ...]:
    """The models as a run's header names them."""
    return tuple(judge_id(model.name, model.digest) for model in models)


def combine_grades(said: Sequence[tuple[str, Grade]], how: Verdicts) -> Grade:
    """One grade from (judge, grade) pairs of the same name.

    `mean`: the plain mean. `majority`: the most frequent grade; of a tie the median of
    all, so that the one who grades highest or lowest does not decide.
    """
    votes = tuple(grade_vote(judge, grade) for judge, grade in said)
    heard = [(judge, grade) for judge, grade in said if grade.value is not None]
    first = said[0][1]
    if not heard:
        return Grade(
            name=first.name,
            unscored_reason=_each(said),
            model=", ".join(judge for judge, _ in said),
            raw_reply=_raw(said),
            votes=votes,
        )
    values = [grade.value for _, grade in heard if grade.value is not None]
    value = fmean(values) if how == "mean" else most_frequent(values)
    return Grade(
        name=first.name,
        value=value,
        reason=_reason(heard, value, len(said) - len(heard)),
        model=", ".join(judge for judge, _ in said),
        raw_reply=_raw(said),
        votes=votes,
    )


def most_frequent(values: Sequence[float]) -> float:
    """The value given most often; of a tie the median of all. Not for no values."""
    counts = Counter(values)
    most = max(counts.values())
    tied = [value for value, count in counts.items() if count == most]
    return tied[0] if len(tied) == 1 else median(values)


def grade_vote(judge: str, grade: Grade) -> GradeVote:
    """What one judge gave, as it is kept."""
    return GradeVote(
        judge=judge,
        value=None if grade.value is None else round(grade.value),
        reason=grade.reason,
        call_key=grade.call_key,
        unscored_reason=grade.unscored_reason,
    )


def _reason(heard: Sequence[tuple[str, Grade]], value: float, unheard: int) -> str:
    """All grades, then the reasons of the judge nearest to the one made of them."""
    given = ", ".join(f"{grade.value:g}" for _, grade in heard)
    missing = f"; {unheard} gave none" if unheard else ""
    judge, nearest = min(heard, key=lambda pair: abs((pair[1].value or 0) - value))
    own = f" {judge}: {nearest.reason}" if nearest.reason else ""
    return f"Judges: {given}{missing}.{own}"


def _each(said: Sequence[tuple[str, Grade]]) -> str:
    return "; ".join(
        f"{judge}: {grade.unscored_reason or 'no reason given'}"
        for judge, grade in said
    )


def _raw(said: Sequence[tuple[str, Grade]]) -> str | None:
    """Replies that could not be read, each under its judge's name."""
    kept = [f"{judge}:\n{g.raw_reply}" for judge, g in said if g.raw_reply]
    return "\n\n".join(kept) or None
