"""Twenty faults of a server, each through the client and the product to its end.

An end is an answer after a number of calls, an error with a name, or an unscored
result with its reason. It is never a verdict or a grade from a bad reply. The ends
are printed as one table at the end of the run (end_states.py).
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

import pytest

from claimscope.core.errors import ModelError
from claimscope.core.inference import pool, waiting
from claimscope.core.inference.calls import CallMeter, JournalledChat
from claimscope.core.inference.ollama import Limits, OllamaServer
from claimscope.core.inference.prompts import rubric
from claimscope.core.judging.grades import ModelGrader, grade
from claimscope.core.models import (
    Answer,
    CallRecord,
    Case,
    Evidence,
    FailureKind,
    Grade,
    Label,
    RuleFinding,
    SampleKey,
    SampleResult,
    Verdict,
)
from claimscope.core.plan import RunPlan, SampleTask
from claimscope.core.ports import ModelState, OnState, Question
from claimscope.core.run import execute
from claimscope.core.sample import Services, evaluate
from claimscope.core.settings import Settings
from claimscope.core.verification.batch import ask_batch
from claimscope.core.verification.by_model import ModelVerifier
from claimscope.stores.memory import MemoryRunStore
from tests import fakes
from tests.core.end_states import row
from tests.core.fake_ollama import (
    FakeOllama,
    Reply,
    chose,
    contents,
    said,
    speaking,
    tokens,
)
from tests.core.ollama_double.faults import (
    MODEL,
    NAMES,
    fault,
    graded,
    verdicts,
)

CONTEXTS = ("The basin is eleven metres deep. It was dug by hand.",)
CASE = Case(id="c1", question="How deep is the basin?", contexts=CONTEXTS)
ANSWERS = {
    "alpha": "The basin is eleven metres deep.",
    "beta": "The basin was dug by hand.",
}
LIMITS = Limits(first_token=20, between_tokens=20, backoff=0)
SHORT = Limits(first_token=2, between_tokens=20, backoff=0)
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
    limits: Limits = LIMITS
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


@pytest.fixture
def fake() -> Iterator[FakeOllama]:
    with FakeOllama(answer=judge) as started:
        yield started


@pytest.fixture(autouse=True)
def look_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a waiting model does is told without delay."""
    monkeypatch.setattr(waiting, "TICK_SECONDS", 0.01)


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


async def a_run(setting: Setting) -> Ending:
    """A run of two samples to its end."""
    async with OllamaServer(setting.fake.host, limits=setting.limits) as server:
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
            fakes.FakeEmbedder(),
            ModelVerifier(model, None, no_rules, wordings=("verify",)),
            Settings(verifier="ollama", judge=True, model=MODEL),
            grader=ModelGrader(model, rubric("general"), lambda text: ()),
            meter=meter,
        )

        async def judged(task: SampleTask) -> SampleResult:
            return await evaluate(task, services)

        async with aclosing(execute(RunPlan(header, tasks), judged, writer)) as events:
            async for _ in events:
                pass
        samples = tuple(store.read(RUN).samples())
        return Ending(summary(samples, writer.status().state), samples=samples)


def summary(samples: Sequence[SampleResult], state: str) -> str:
    """The end of a run in words."""
    passed = sum(one.passed is True for one in samples)
    unscored = [one for one in samples if one.passed is None]
    text = f"run {state}: {passed} passed, {len(unscored)} unscored"
    reasons = [one.error or one.failures[0].message for one in unscored]
    return f"{text}: {reasons[0].splitlines()[0]}" if reasons else text


# --- the table ------------------------------------------------------------------


@dataclass(frozen=True)
class Expected:
    """How a fault has to end."""

    way: Way
    calls: int
    """Of chat, retries included."""
    end: str
    """A pattern of the whole end."""
    limits: Limits = LIMITS
    digest_seconds: float = 60
    """How long a digest that was read is relied on."""


ENDS: dict[str, Expected] = {
    "slow load": Expected(
        a_slow_model, 1, "told that it loads, then answered: supported"
    ),
    "no final chunk": Expected(
        a_grade, 2, "unscored: The reply stopped after 13 characters without an end.*"
    ),
    "error after first byte": Expected(a_grade, 2, "answered: grade 4"),
    "cut connection": Expected(a_grade, 2, "answered: grade 4"),
    "queue full": Expected(a_grade, 3, "answered: grade 4"),
    "model gone": Expected(
        a_run,
        3,
        "run finished: 0 passed, 2 unscored: Model is not installed: Ollama has no "
        "model 'm:1b'.*",
    ),
    "HTML page": Expected(
        a_run,
        6,
        r"run finished: 0 passed, 2 unscored: Ollama is busy: .*HTTP 502\): "
        "Bad gateway.",
    ),
    "only thoughts": Expected(
        a_grade, 2, "unscored: The model only thought and gave no answer."
    ),
    "empty at the limit": Expected(
        a_grade, 2, "unscored: The reply was cut at the limit of 800 tokens."
    ),
    "token repeat": Expected(a_grade, 2, "unscored: .* without an end mark .*"),
    "invalid JSON": Expected(
        a_grade, 2, "unscored: .* not what was asked for .*; raw reply kept"
    ),
    "wrong count": Expected(a_batch, 2, "answered: supported, supported, supported"),
    "out of range": Expected(
        a_grade, 2, "unscored: .* not what was asked for .*grade.*; raw reply kept"
    ),
    "cut prompt": Expected(
        a_verdict_on_long_words,
        1,
        "unscored: Ollama read only 2050 tokens of a prompt of .* it was cut.",
    ),
    "changed digest": Expected(
        a_run,
        1,
        "run finished: 0 passed, 2 unscored: Model was changed: .* "
        "was f{12} and is e{12} now.*",
        digest_seconds=0,
    ),
    "wrong context": Expected(
        a_run,
        2,
        "run finished: 0 passed, 2 unscored: Context is shorter than asked for: "
        ".*asked for with 4096 tokens; the server at .* gives 2048.",
    ),
    "hung call": Expected(
        a_run,
        6,
        "run finished: 1 passed, 1 unscored: Ollama sent no first token within 2 s.",
        SHORT,
    ),
    "foreign host": Expected(
        a_model, 0, r"ModelError: Ollama refused the request \(HTTP 403\).*"
    ),
    "cloud model": Expected(
        a_model, 0, "ModelError: The model 'm:1b' runs on a remote server.*"
    ),
}


async def ended(name: str, fake: FakeOllama) -> Ending:
    """Plays the fault and asks in its way."""
    fault(name).play(fake)
    expected = ENDS[name]
    try:
        async with asyncio.timeout(60):
            return await expected.way(Setting(fake, expected.limits))
    except ModelError as error:
        assert error.hint
        return Ending(f"{type(error).__name__}: {error.message}")


@pytest.mark.parametrize("name", ENDS)
async def test_a_fault_ends_as_it_must(
    name: str,
    fake: FakeOllama,
    monkeypatch: pytest.MonkeyPatch,
    record_property: Callable[[str, object], None],
) -> None:
    monkeypatch.setattr(pool, "DIGEST_SECONDS", ENDS[name].digest_seconds)
    ending = await ended(name, fake)
    what, calls = fault(name).what, len(fake.chats)
    shown = ending.text.replace(fake.host, "HOST")
    record_property(*row(NAMES.index(name) + 1, name, what, calls, shown))
    assert re.fullmatch(ENDS[name].end, ending.text)
    assert calls == ENDS[name].calls
    kinds = {one.kind for sample in ending.samples for one in sample.failures}
    assert kinds <= {FailureKind.UNSCORED}, "a bad reply is no sign against an answer"


# --- more than one row can show -------------------------------------------------


async def test_a_claim_that_a_batch_leaves_out_again_is_unscored(
    fake: FakeOllama,
) -> None:
    fake.answer = lambda body: verdicts()
    ending = await a_batch(Setting(fake))
    assert ending.text == "answered: unscored, unscored, unscored; raw reply kept"
    assert len(fake.chats) == 4, "together once, then each alone"


async def test_a_long_page_is_read_in_parts_that_fit(fake: FakeOllama) -> None:
    filler = "The quay was swept and the ropes were dried again. " * 900
    sentences = [s.strip() + "." for s in (CONTEXTS[0] + " " + filler).split(".")[:-1]]
    page = [
        Evidence(page_id="basin", index=i, text=text, start=0, end=len(text))
        for i, text in enumerate(sentences)
    ]
    assert sum(len(text.split()) for text in sentences) > 9000
    true = speaking()

    def answer(body: dict[str, Any]) -> Reply:
        is_stated = CONTEXTS[0].split(".")[0] in contents([body])[0]
        said = true(body)
        odds = {"Yes": -0.05, "No": -3.0} if is_stated else {"No": -0.05, "Yes": -3.0}
        return chose(odds) if said.status == 200 else said

    fake.answer = answer
    async with journalled(Setting(fake)) as chat:
        verifier = ModelVerifier(chat, None, no_rules, wordings=("verify",))
        (found,) = await verifier.verify([Question(ANSWERS["alpha"], tuple(page))])
    assert found.label is Label.SUPPORTED
    assert all(len(tokens(text)) < 4096 for text in contents(fake.chats))


@pytest.mark.xfail(
    strict=True, reason="a window whose call failed is left out of the verdict"
)
async def test_a_page_that_could_not_be_read_is_no_sign_against_a_claim(
    fake: FakeOllama,
) -> None:
    unread, no = said("", done_reason="unload"), chose({"No": -0.05, "Yes": -3.0})
    fake.script, fake.answer = [unread], lambda body: no
    pages = (
        Evidence(page_id="basin", index=0, text=CONTEXTS[0], start=0, end=9),
        Evidence(page_id="fees", index=0, text="Mooring is free.", start=0, end=9),
    )
    async with journalled(Setting(fake)) as chat:
        verifier = ModelVerifier(chat, None, no_rules, wordings=("verify",))
        (found,) = await verifier.verify([Question(ANSWERS["alpha"], pages)])
    assert found.label is Label.UNSCORED
    assert "unload" in (found.unscored_reason or "")
