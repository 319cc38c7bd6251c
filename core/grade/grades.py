"""The judge's two grades from 1 to 5, each asked for in a call of its own (METRICS B).

The graded text may try to grade itself: it stands between marks that its author
could not know, it is called data, and orders to the judge that were found in it are
left out and named.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from pydantic import Field

from claimscope.core.calls.replies import GradeValue, ReplyModel, read_reply, schema_of
from claimscope.core.errors import (
    PromptTooLong,
    ReplyIncomplete,
    ReplyTimeout,
    ReplyUnreadable,
)
from claimscope.core.models import Case, Grade, digest
from claimscope.core.ports import ChatModel, ChatRequest
from claimscope.core.prompts.fencing import fence_mark, leave_out_spans
from claimscope.core.prompts.templates import Rubric, prompt

MetricName = Literal["faithfulness", "completeness"]
METRICS: tuple[MetricName, ...] = ("faithfulness", "completeness")
FindPlanted = Callable[[str], Sequence[tuple[int, int]]]
"""Spans of a text that give the judge a grade or an order."""

Brief = Annotated[str, Field(json_schema_extra={"maxLength": 600})]
"""Kept short by the grammar, so that a talkative model is not cut; never refused."""
BUDGET = 400
"""Tokens: two sentences and a number, with room."""
REMINDER = (
    "Your last reply could not be used. Reply with the JSON object only, nothing "
    "before or after it. The grade must be one of the whole numbers 1, 2, 3, 4 and 5: "
    '{"explanation": "...", "grade": 3}'
)
SHOWN_AGAIN = 600
"""Letters of a bad reply that the model is shown when it is asked again."""


class GradeReply(ReplyModel):
    """The reasons come first: a grade that is given first is defended, not found."""

    explanation: Brief
    grade: GradeValue


@dataclass(frozen=True)
class ModelGrader:
    """Both grades of an answer from one model under one rubric."""

    chat: ChatModel
    rubric: Rubric
    planted: FindPlanted

    async def __call__(
        self, case: Case, answer: str, context: Sequence[str]
    ) -> tuple[Grade, ...]:
        """Faithfulness, then completeness. Raises ServerDown, ModelMissing,
        ServerBusy; what goes wrong with one reply leaves its grade unscored."""
        asked = (self.chat, case, answer, context, self.rubric)
        return tuple([await grade(*asked, name, self.planted) for name in METRICS])


async def grade(
    chat: ChatModel,
    case: Case,
    answer: str,
    evidence: Sequence[str],
    rubric: Rubric,
    metric: MetricName,
    planted: FindPlanted,
) -> Grade:
    """One grade with its reasons.

    A reply that is cut or cannot be read is asked for once more; then the grade is
    unscored and the raw reply kept: never 1, never a fail.
    """
    spans = planted(answer)
    request = grade_request(case, answer, evidence, rubric, metric, spans)
    raw: list[str] = []
    try:
        reply, key = await _ask_twice(chat, request, raw)
    except (ReplyUnreadable, ReplyIncomplete, ReplyTimeout, PromptTooLong) as error:
        return Grade(
            name=metric,
            unscored_reason=str(error),
            model=chat.name,
            raw_reply=raw[-1] if raw else None,
        )
    return Grade(
        name=metric,
        value=reply.grade,
        reason=_warning(answer, spans) + reply.explanation.strip(),
        model=chat.name,
        call_key=key or None,
    )


async def _ask_twice(
    chat: ChatModel, request: ChatRequest, raw: list[str]
) -> tuple[GradeReply, str]:
    """The reply and its call key; `raw` takes the replies that were of no use."""
    try:
        return await _ask_once(chat, request, raw)
    except ReplyIncomplete:
        # Cut at its limit or spent on thoughts: twice the room, once.
        second = replace(request, max_tokens=2 * request.max_tokens)
    except ReplyUnreadable as error:
        again = (("assistant", error.raw[:SHOWN_AGAIN]), ("user", REMINDER))
        second = replace(request, messages=(*request.messages, *again))
    return await _ask_once(chat, second, raw)


async def _ask_once(
    chat: ChatModel, request: ChatRequest, raw: list[str]
) -> tuple[GradeReply, str]:
    try:
        reply = await chat.chat(request)
        return read_reply(reply.content, GradeReply), reply.call_key
    except (ReplyUnreadable, ReplyIncomplete) as error:
        if error.raw:
            raw.append(error.raw)
        raise


def grade_request(
    case: Case,
    answer: str,
    evidence: Sequence[str],
    rubric: Rubric,
    metric: MetricName,
    planted: Sequence[tuple[int, int]] = (),
) -> ChatRequest:
    """The call for one grade: evidence first, so that the second grade of an answer
    finds the most of its prompt already read."""
    template = prompt("grade")
    shown = leave_out_spans(answer, planted)
    pages = "\n\n".join(text.strip() for text in evidence) or "(no evidence was found)"
    text = template.fill(
        evidence=pages,
        evidence_mark=fence_mark(pages, case.question, shown),
        question=case.question,
        answer=shown,
        answer_mark=fence_mark(digest(pages, case.question, shown), pages, shown),
        metric=metric,
        scale=rubric.scales[metric],
    )
    return ChatRequest(
        purpose="grade",
        messages=(("user", text),),
        prompt_digest=digest(template.digest, rubric.digest),
        schema=schema_of(GradeReply),
        max_tokens=BUDGET,
    )


def _warning(answer: str, spans: Sequence[tuple[int, int]]) -> str:
    if not spans:
        return ""
    start, end = spans[0]
    quoted = " ".join(answer[start:end].split())[:80]
    return f"The answer gives the judge an order, which was left out: “{quoted}”. "
