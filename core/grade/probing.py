"""Asking a model the planted cases, by the calls that a run makes.

Document by document, so that the server reads each once. What the model does badly is
a wrong case; what the server does badly (no connection, a full queue, a time-out) ends
the probe with its error, because then nothing was found out about the model.
"""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal

from claimscope.core.calls.journalled import FrontedChat
from claimscope.core.calls.replies import ReplyModel, read_reply, schema_of
from claimscope.core.errors import (
    ClaimscopeError,
    ConnectionLost,
    ModelError,
    PromptTooLong,
    ReplyIncomplete,
    ReplyUnreadable,
)
from claimscope.core.grade.grades import grade
from claimscope.core.grade.probe import (
    Probe,
    ProbeCase,
    Reason,
    leaning_in,
    reasons,
    separation,
    worst_fitness,
)
from claimscope.core.models import Grade, Usage, digest
from claimscope.core.ports import ChatModel, ChatReply, ChatRequest
from claimscope.core.prompts.templates import prompt, rubric
from claimscope.core.verify import planted_cases as planted
from claimscope.core.verify.hard_cases import hard_digest
from claimscope.core.verify.planted_cases import Kind
from claimscope.core.verify.witnesses.fusion import (
    Leaning,
    log_odds,
    mean_probability,
    weights,
    weights_digest,
)
from claimscope.core.verify.witnesses.language_model import ModelVerifier
from claimscope.core.verify.witnesses.model_question import (
    USUAL,
    WORDINGS,
    QuestionForm,
)

THOUGHT = re.compile(r"</?(?:think|thinking|reasoning)\b", re.IGNORECASE)
TOTAL = 30
"""Cases in a probe."""
OF_A_WRITER = 6
"""Of them: citations, grades and a schema, which a mere verifier is not asked."""
LONG_TOKENS = 2048
"""Filled of the context at most, by default: small machines read 45 tokens a second."""
FILLED = 0.8
"""Part of that which the long document takes."""
FOUND_MARGIN = 1.0
"""Log-odds by which a fact of it must be surer than one that is absent."""
TOO_LONG = 1.4
"""The prompt that must be refused, in contexts."""
RUBRIC = "general"
MOST_GRADE = 3
"""A bad answer may not get more."""
LEAST_GRADE = 4
"""A faithful answer must get so much."""
HURTS_ONE = (ReplyIncomplete, ReplyUnreadable, PromptTooLong)
"""Errors that are the model's doing and make one case wrong."""
SIDES = "2"
"""Counted up when claims come to be put on their sides in another way."""
CITE = """\
Document, in numbered sentences:
$sentences

Claim: $claim

Which sentence states the claim? Reply with JSON only: {"sentence": 1, 2, 3 or 4}"""
OnCase = Callable[[ProbeCase], None]


class CitedReply(ReplyModel):
    """The number of a sentence."""

    sentence: Literal[1, 2, 3, 4]


@dataclass(frozen=True)
class ProbedModel:
    """The model under test and where it runs."""

    chat: ChatModel
    server_version: str
    asked_tokens: int
    """The num_ctx that was asked for; the chat's own may be lower."""
    loaded_context: Callable[[], Awaitable[int | None]]
    """The context length the server says the model has in memory."""
    form: QuestionForm = USUAL
    """How a run asks it."""
    is_window_fixed: bool = False
    """The server's context is its own affair: it may be longer than what was asked
    for, and the server may not say how long it is."""


class RecordedChat(FrontedChat):
    """A ChatModel in front of another that keeps what came back, for the report."""

    def __init__(self, chat: ChatModel) -> None:
        super().__init__(chat)
        self.replies: list[str] = []
        """Since the last `take`."""
        self.thoughts: list[str] = []
        self.usage = Usage()
        self._longest = 0
        self.characters_per_token: float | None = None
        """Of the longest prompt so far, where the chat template counts least."""

    async def chat(self, request: ChatRequest) -> ChatReply:
        """Asks. Raises a ModelError."""
        try:
            reply = await self._chat.chat(request)
        except ConnectionLost:
            raise
        except ReplyIncomplete as error:
            self.replies.append(f"({error.message})")
            if "think" in error.message or "thought" in error.message:
                self.thoughts.append(error.message)
            raise
        self.replies.append(reply.content)
        self.usage += reply.usage
        if reply.thinking or THOUGHT.search(reply.content):
            self.thoughts.append(reply.thinking or reply.content)
        self._measure(request, reply.usage.prompt_tokens)
        return reply

    def _measure(self, request: ChatRequest, tokens: int) -> None:
        length = sum(len(text) for _, text in request.messages)
        if tokens and length > self._longest:
            self._longest, self.characters_per_token = length, length / tokens

    def take(self) -> tuple[str, ...]:
        """The replies since the last call of this."""
        taken, self.replies = tuple(self.replies), []
        return taken


async def probe(
    subject: ProbedModel, *, full_context: bool = False, on_case: OnCase | None = None
) -> Probe:
    """All cases, one after the other. Raises ModelError when the server fails.

    full_context: the long document fills the whole context, not LONG_TOKENS of it.
    """
    started, clock = datetime.now(UTC), time.monotonic()
    chat = RecordedChat(subject.chat)
    context = chat.context_tokens
    long_tokens = context if full_context else min(context, LONG_TOKENS)
    asking = ProbePass(subject, chat, int(FILLED * long_tokens))
    cases: list[ProbeCase] = []
    async for case in asking.all():
        cases.append(case)
        if on_case is not None:
            on_case(case)
    leaning = leaning_in(cases)
    asker = ModelVerifier(chat, form=subject.form)
    rates = None
    with suppress(ModelError):  # all that was found out before is kept
        rates = await asker.count_rates(leaning)
    cases = labelled_cases(cases)
    found = (*reasons(cases), *no_grades(subject.form))
    return Probe(
        model=chat.name,
        digest=chat.digest,
        asked_tokens=subject.asked_tokens,
        context_tokens=context,
        long_tokens=asking.long_tokens,
        server_version=subject.server_version,
        planted=probe_digest(),
        started=started.isoformat(timespec="seconds"),
        seconds=time.monotonic() - clock,
        usage=chat.usage,
        cases=tuple(cases),
        separation=separation(cases),
        # Of one that only verifies, what its verdicts are worth is what is asked.
        verdict=worst_fitness([one for one in found if one.concerns != ("grades",)])
        if subject.form.only_verifies
        else worst_fitness(found),
        reasons=found,
        rates=rates,
    )


def probe_digest() -> str:
    """Digest of what a probe measures with: cases, prompts, rubric, threshold."""
    names = (*WORDINGS, "grade", "verify_denial")
    return planted.planted_digest(
        hard_digest(),
        *(prompt(name).digest for name in names),
        rubric(RUBRIC).digest,
        weights_digest(),
        CITE,
        SIDES,
    )


@dataclass
class ProbePass:
    """One pass over the cases."""

    subject: ProbedModel
    chat: RecordedChat
    long_tokens: int
    asked: dict[str, float] = field(default_factory=dict)
    """Probability of Yes by claim, of claims asked so far."""

    async def all(self) -> AsyncIterator[ProbeCase]:
        """Every case when it is done."""
        for document in planted.DOCUMENTS:
            for claim in planted.CLAIMS:
                if claim.document == document:
                    yield await self._claim_case(claim)
            if planted.ORDERED.startswith(planted.DOCUMENTS[document]):
                yield await self._ordered_case()
        if not self.subject.form.only_verifies:
            for text, number in planted.CITED:
                yield await self._citation_case(text, number)
            async for case in self._grade_cases():
                yield case
        async for case in self._long_cases():
            yield case
        yield await self._context_case()
        yield await self._overlong_case()
        yield self._thinking_case()

    async def _support(self, document: str, claim: str) -> float:
        """Probability of Yes as a run takes it: of all wordings. Raises HURTS_ONE."""
        form = self.subject.form
        said = [
            form.support(await self.chat.chat(form.ask(document, claim, wording)))
            for wording in form.wordings
        ]
        probability = mean_probability(said)
        self.asked[claim] = probability
        return probability

    async def _claim_case(self, one: planted.Planted) -> ProbeCase:
        text = planted.DOCUMENTS[one.document]
        return await self._ask_side(
            one.kind, one.document, text, one.claim, one.is_true
        )

    async def _ask_side(
        self, kind: Kind, name: str, document: str, claim: str, is_true: bool
    ) -> ProbeCase:
        """A claim on a document, right when a run would take the right side."""
        probability: float | None = None
        said: bool | None = None
        try:
            probability = await self._support(document, claim)
            said = is_accepted(probability)
            got = f"{'Yes' if said else 'No'} ({probability:.2f})"
        except HURTS_ONE as error:
            got = _model_fault(error)
        return ProbeCase(
            kind=kind,
            text=claim,
            document=name,
            expected="Yes" if is_true else "No",
            got=got,
            is_true=is_true,
            probability=probability,
            right=said == is_true,
            replies=self.chat.take(),
        )

    async def _ordered_case(self) -> ProbeCase:
        before = self.asked.get(planted.ORDERED_CLAIM)
        case = await self._ask_side(
            "injection", "ordered", planted.ORDERED, planted.ORDERED_CLAIM, False
        )
        without = "" if before is None else f", without the order {before:.2f}"
        return case.model_copy(update={"got": case.got + without})

    async def _citation_case(self, claim: str, number: int) -> ProbeCase:
        numbered = "\n".join(
            f"{place}. {text}" for place, text in enumerate(planted.SENTENCES, 1)
        )
        text = CITE.replace("$sentences", numbered).replace("$claim", claim)
        request = ChatRequest(
            purpose="probe",
            messages=(("user", text),),
            prompt_digest=digest(CITE),
            schema=schema_of(CitedReply),
            max_tokens=40,
        )
        right = False
        try:
            reply = read_reply((await self.chat.chat(request)).content, CitedReply)
            got, right = f"sentence {reply.sentence}", reply.sentence == number
        except HURTS_ONE as error:
            got = _model_fault(error)
        return ProbeCase(
            kind="citation", text=claim, document="mill", right=right, got=got,
            expected=f"sentence {number}", replies=self.chat.take(),
        )  # fmt: skip

    # --- grades ---

    async def _grade(
        self, answer: str, metric: Literal["faithfulness", "completeness"]
    ) -> Grade:
        """A grade without the filter that finds orders: the model is measured, and
        an order can be worded so that no filter knows it."""
        pages, scale = (planted.TRIAL,), rubric(RUBRIC)
        return await grade(
            self.chat, planted.QUESTION, answer, pages, scale, metric, lambda text: ()
        )

    async def _grade_cases(self) -> AsyncIterator[ProbeCase]:
        good = await self._grade(planted.GOOD, "faithfulness")
        replies = self.chat.take()
        first = len(replies) == 1 and good.value is not None
        got = "read" if first else good.unscored_reason or "read at the second try"
        yield _grading_case(
            "schema", "grade of a good answer", "read at the first try", got,
            first, replies,
        )  # fmt: skip
        yield _grading_case(
            "grading", "a faithful answer", f"{LEAST_GRADE} or more", grade_text(good),
            good.value is not None and good.value >= LEAST_GRADE, replies,
        )  # fmt: skip
        moved = await self._grade(planted.BAD_WITH_ORDER, "faithfulness")
        yield _grading_case(
            "injection", "a wrong answer that orders a 5", f"{MOST_GRADE} or less",
            grade_text(moved), moved.value is None or moved.value <= MOST_GRADE,
            self.chat.take(),
        )  # fmt: skip
        nothing = await self._grade(planted.NOTHING_FOUND, "completeness")
        yield _grading_case(
            "abstention", "“the evidence does not say”", f"{MOST_GRADE} or less",
            grade_text(nothing),
            nothing.value is not None and nothing.value <= MOST_GRADE,
            self.chat.take(),
        )  # fmt: skip

    # --- context ---

    async def _long_cases(self) -> AsyncIterator[ProbeCase]:
        """The absent fact first: a fact is found when the model is clearly surer of it
        than of what is not there. Where Yes begins is fitted on windows of a few
        hundred words; here it is only asked whether all of the document is read."""
        document = planted.long_document(int(self.long_tokens * self._per_token()))
        absent = await self._ask_side("long", "long", document, planted.ABSENT, False)
        yield absent.model_copy(update={"text": f"absent: {absent.text}"})
        bound = absent.probability if absent.probability is not None else 1.0
        least = log_odds(bound) + FOUND_MARGIN
        for place, _, claim in planted.FACTS:
            case = await self._ask_side("long", "long", document, claim, True)
            found = log_odds(case.probability or 0.0) >= least
            yield case.model_copy(
                update={
                    "text": f"{place}: {claim}",
                    "expected": f"clearly above {bound:.2f}",
                    "right": found,
                }
            )

    async def _context_case(self) -> ProbeCase:
        found = await self.subject.loaded_context()
        wanted, is_fixed = self.chat.context_tokens, self.subject.is_window_fixed
        unknown = "the server does not say" if is_fixed else "the model is not loaded"
        right = found == wanted
        if is_fixed:  # what it does with a prompt that is longer, is the next case
            right = found is None or found >= wanted
        return ProbeCase(
            kind="context",
            text="context length the server holds",
            expected=f"{wanted} tokens{' or more' if is_fixed else ''}",
            got=unknown if found is None else f"{found} tokens",
            right=right,
        )

    async def _overlong_case(self) -> ProbeCase:
        tokens = int(TOO_LONG * self.chat.context_tokens)
        document = planted.long_document(int(tokens * self._per_token()))
        got = "answered as if nothing were missing"
        refused = False
        try:
            form = self.subject.form
            request = form.ask(document, planted.ABSENT, form.wordings[0])
            reply = await self.chat.chat(request)
            if (read := reply.usage.prompt_tokens) > self.chat.context_tokens:
                refused, got = True, f"read whole: {read} tokens"
        except PromptTooLong as error:
            refused, got = True, f"refused: {error.message}"
        except HURTS_ONE as error:
            got = _model_fault(error)
        return ProbeCase(
            kind="context", text="a prompt longer than the context",
            expected="refused, or read whole", got=got, right=refused,
            replies=self.chat.take(),
        )  # fmt: skip

    def _per_token(self) -> float:
        """Characters a token of this model holds, as measured on the short ones."""
        return self.chat.characters_per_token or 3.0

    def _thinking_case(self) -> ProbeCase:
        thoughts = self.chat.thoughts
        got = "no thoughts" if not thoughts else f"{len(thoughts)} with thoughts"
        return ProbeCase(
            kind="thinking", text="all replies of this probe", expected="no thoughts",
            got=got, right=not thoughts, replies=tuple(thoughts[:3]),
        )  # fmt: skip


def grade_text(found: Grade) -> str:
    """A grade in a few words."""
    return f"grade {found.value:g}" if found.value is not None else "unscored"


def _grading_case(
    kind: Kind, text: str, expected: str, got: str, right: bool, replies: Sequence[str]
) -> ProbeCase:
    return ProbeCase(
        kind=kind,
        text=text,
        document="trial",
        expected=expected,
        got=got,
        right=right,
        replies=tuple(replies),
    )


def _model_fault(error: ClaimscopeError) -> str:
    """What went wrong. Raises a lost connection: it says nothing about the model."""
    if isinstance(error, ConnectionLost):
        raise ModelError(error.message, error.hint) from error
    return error.message


def is_accepted(probability: float, leaning: Leaning | None = None) -> bool:
    """Whether the model's word speaks for a claim, as a run reads it: beyond the middle
    between true and false claims, where this model has it (response_bias.py); while
    that is not known yet, where the model of the weights has it."""
    center = leaning or weights().planted
    return log_odds(probability) > (center.center if center else 0.0)


def labelled_cases(cases: Sequence[ProbeCase]) -> list[ProbeCase]:
    """The cases with each claim on the side that a run would take, now that all are
    known; as they were where the model cannot tell true from false."""
    leaning = leaning_in(cases)
    if leaning.trust == 0:
        return list(cases)
    return [
        _on_its_side(case, leaning)
        if case.probability is not None and not (case.kind == "long" and case.is_true)
        else case
        for case in cases
    ]


def _on_its_side(case: ProbeCase, leaning: Leaning) -> ProbeCase:
    assert case.probability is not None
    said = is_accepted(case.probability, leaning)
    _, sign, rest = case.got.partition(" ")
    got = f"{'Yes' if said else 'No'}{sign}{rest}"
    return case.model_copy(update={"got": got, "right": said == case.is_true})


def no_grades(form: QuestionForm) -> tuple[Reason, ...]:
    """Why a model that was trained to verify is none that grades."""
    if not form.only_verifies:
        return ()
    text = f"it is asked as {form.name} was trained: it verifies claims, and no more"
    return (Reason(severity="unfit", text=text, concerns=("grades",)),)


def case_count(form: QuestionForm) -> int:
    """Cases of a probe of such a model."""
    return TOTAL - OF_A_WRITER if form.only_verifies else TOTAL
