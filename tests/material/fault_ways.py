"""Ways in which the product asks a model, each with how it ended in words."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any

from claimscope.core.backends.hosted.timeouts import CallLimits
from claimscope.core.backends.ollama.embedding import OllamaEmbedder
from claimscope.core.calls.journalled import CallMeter, JournalledChat
from claimscope.core.errors import ModelChanged
from claimscope.core.grade.grades import ModelGrader, grade
from claimscope.core.models import (
    Answer,
    CallRecord,
    Case,
    Evidence,
    Grade,
    RuleFinding,
    SampleKey,
    SampleResult,
    Verdict,
)
from claimscope.core.ports import Embedder, ModelState, OnState, Question
from claimscope.core.prompts.templates import rubric
from claimscope.core.run.engine import execute
from claimscope.core.run.plan import RunPlan, SampleTask
from claimscope.core.run.sample import Services, evaluate
from claimscope.core.settings import Settings
from claimscope.core.verify.witnesses.language_model import ModelVerifier
from claimscope.core.verify.witnesses.model_batch import ask_batch
from claimscope.stores.runs.memory import MemoryRunStore
from tests.doubles import fakes
from tests.doubles.fake_ollama import (
    FakeOllama,
    Reply,
    chose,
)
from tests.doubles.ollama.faults import (
    EMBEDDER,
    MODEL,
    graded,
    verdicts,
)
from tests.material.ollama_pool import OllamaServer

CONTEXTS = ("The basin is eleven metres deep. It was dug by hand.",)
CASE = Case(id="c1", question="How deep is the basin?", contexts=CONTEXTS)
ANSWERS = {
    "alpha": "The basin is eleven metres deep.",
    "beta": "The basin was dug by hand.",
}
LIMITS = CallLimits(first_token=20, between_tokens=20, backoff=0)
SHORT = CallLimits(first_token=2, between_tokens=20, backoff=0)
RUN = "20260301-100000-fa17"


@dataclass(frozen=True)
class Ending:
    """How it ended, in words, and what stands behind them."""

    text: str
    samples: tuple[SampleResult, ...] = ()


@dataclass
class Setting:
    """What a way of asking is given."""

    fake: FakeOllama
    limits: CallLimits = LIMITS
    on_state: OnState | None = None


Way = Callable[[Setting], Awaitable[Ending]]


class Calls:
    """Finished calls in memory."""

    def __init__(self) -> None:
        self.records: dict[str, CallRecord] = {}

    def call(self, key: str) -> CallRecord | None:
        return self.records.get(key)

    def save_call(self, record: CallRecord) -> None:
        self.records[record.key] = record


def judge(body: dict[str, Any]) -> Reply:
    """The true answer of the double: what its schema asks for, else Yes."""
    if "format" not in body:
        return chose({"Yes": -0.05, "No": -3.0})
    asked = body["format"]["properties"]
    if "verdicts" in asked:
        return verdicts(*["supported"] * asked["verdicts"]["minItems"])
    return graded(4)


@asynccontextmanager
async def journalled(setting: Setting) -> AsyncIterator[JournalledChat]:
    """The model as a run asks it."""
    async with OllamaServer(
        setting.fake.host, limits=setting.limits, on_state=setting.on_state
    ) as server:
        yield JournalledChat(await server.chat_model(MODEL), Calls())


def no_rules(claim: str, evidence: Sequence[Evidence]) -> Sequence[RuleFinding]:
    """The model's word alone."""
    return ()


def told(one: Grade | Verdict) -> str:
    """An end in words."""
    if one.unscored_reason:
        raw = "; raw reply kept" if isinstance(one, Grade) and one.raw_reply else ""
        return f"unscored: {one.unscored_reason.splitlines()[0]}{raw}"
    if isinstance(one, Grade):
        return f"answered: grade {one.value:g}"
    return f"answered: {one.label.value}"


# --- ways of asking -----------------------------------------------------------


async def a_grade(setting: Setting) -> Ending:
    """One grade of an answer."""
    async with journalled(setting) as chat:
        found = await grade(
            chat,
            CASE,
            ANSWERS["alpha"],
            CONTEXTS,
            rubric("general"),
            "faithfulness",
            lambda text: (),
        )
    return Ending(told(found))


def evidence(text: str) -> Evidence:
    """A candidate."""
    return Evidence(page_id="basin", index=0, text=text, start=0, end=len(text))


async def a_verdict(setting: Setting, page: str = CONTEXTS[0]) -> Ending:
    """A verdict on a claim, asked in one wording."""
    async with journalled(setting) as chat:
        verifier = ModelVerifier(chat, None, no_rules, wordings=("verify",))
        question = Question(ANSWERS["alpha"], (evidence(page),))
        (found,) = await verifier.verify([question])
    return Ending(told(found))


async def a_verdict_on_long_words(setting: Setting) -> Ending:
    """A page of few words and many tokens."""
    return await a_verdict(setting, "Donaudampfschifffahrtsgesellschaftskapitän " * 350)


async def a_batch(setting: Setting) -> Ending:
    """Three claims in one call."""
    claims = (*ANSWERS.values(), "It has one basin.")
    async with journalled(setting) as chat:
        found = await ask_batch(chat, "\n".join(CONTEXTS), claims)
    labels = ", ".join(one.label.value for one in found)
    kept = "; raw reply kept" if any(one.raw for one in found) else ""
    return Ending(f"answered: {labels}{kept}")


async def a_model(setting: Setting) -> Ending:
    """A model made ready."""
    async with journalled(setting) as chat:
        return Ending(f"answered: {chat.name} is ready")


async def a_slow_model(setting: Setting) -> Ending:
    """A verdict that waits for its model; whoever listens hears that it loads."""
    fake, told_of_load = setting.fake, asyncio.Event()

    def hear(state: ModelState) -> None:
        if state.phase == "loading":
            told_of_load.set()

    assert fake.loading is not None
    asking = asyncio.ensure_future(a_verdict(replace(setting, on_state=hear)))
    await told_of_load.wait()
    assert not asking.done() and not fake.chats
    fake.loading.set()
    return Ending(f"told that it loads, then {(await asking).text}")


async def a_run_on_its_vectors(setting: Setting) -> Ending:
    """A run whose embedding model is the server's too."""
    limits = setting.limits
    embedder = OllamaEmbedder(EMBEDDER, setting.fake.host, limits=limits)
    ending = await a_run(setting, embedder)
    embedder.close()
    return ending


async def a_run(setting: Setting, embedder: Embedder | None = None) -> Ending:
    """A run of two samples to its end."""
    async with OllamaServer(
        setting.fake.host, limits=setting.limits, on_state=setting.on_state
    ) as server:
        chat = await server.chat_model(MODEL)
        tasks = tuple(
            SampleTask(
                SampleKey(case_id=CASE.id, provider=provider),
                CASE,
                Answer(case_id=CASE.id, provider=provider, text=text),
            )
            for provider, text in ANSWERS.items()
        )
        header = fakes.header(RUN, total_samples=len(tasks), concurrency=1)
        store = MemoryRunStore()
        writer = store.create(header)
        meter = CallMeter()
        model = JournalledChat(chat, writer, meter)
        services = Services(
            embedder or fakes.FakeEmbedder(),
            ModelVerifier(model, None, no_rules, wordings=("verify",)),
            Settings(verifier="ollama", judge=True, model=MODEL),
            grader=ModelGrader(model, rubric("general"), lambda text: ()),
            meter=meter,
        )

        async def judged(task: SampleTask) -> SampleResult:
            return await evaluate(task, services)

        events = execute(RunPlan(header, tasks), judged, writer)
        with suppress(ModelChanged):
            async with aclosing(events):
                async for _ in events:
                    pass
        samples, status = tuple(store.read(RUN).samples()), writer.status()
        text = summary(samples, status.state)
        if status.error:
            text = " ".join(f"{text}: {status.error}".split())
        return Ending(text, samples=samples)


def summary(samples: Sequence[SampleResult], state: str) -> str:
    """The end of a run in words."""
    passed = sum(one.passed is True for one in samples)
    unscored = [one for one in samples if one.passed is None]
    text = f"run {state}: {passed} passed, {len(unscored)} unscored"
    reasons = [one.error or one.failures[0].message for one in unscored]
    return f"{text}: {reasons[0].splitlines()[0]}" if reasons else text
