"""What a model does while one waits: told in time, true, and never too often."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from claimscope.core.backends.hosted import timeouts
from claimscope.core.backends.hosted.timeouts import (
    TELL_SECONDS,
    CallLimits,
    CallWatch,
    ModelStateTeller,
)
from claimscope.core.errors import ReplyTimeout
from claimscope.core.ports import ChatRequest, ModelState
from tests.doubles.fake_ollama import FakeOllama, Reply, last, line, model, said
from tests.material.ollama_pool import OllamaServer

QUICK = CallLimits(first_token=120, between_tokens=120, backoff=0)


def ask(text: str = "How deep is the harbour?") -> ChatRequest:
    """A call."""
    return ChatRequest("verify", (("user", text),), "p1")


@pytest.fixture
def fake() -> Iterator[FakeOllama]:
    with FakeOllama() as started:
        yield started


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looks into the server's memory and tells without pause."""
    for name in ("TELL_SECONDS", "TICK_SECONDS", "LOOK_SECONDS"):
        monkeypatch.setattr(timeouts, name, 0.001)


async def until(happened: Callable[[], bool]) -> None:
    """Lets others run until something has happened."""
    async with asyncio.timeout(120):
        while not happened():
            await asyncio.sleep(0)


def phases(states: list[ModelState]) -> list[str]:
    """Phases in order, each once in a row."""
    found: list[str] = []
    for state in states:
        if found[-1:] != [state.phase]:
            found.append(state.phase)
    return found


@pytest.mark.usefixtures("eager")
async def test_a_slow_load_is_told_of(fake: FakeOllama) -> None:
    fake.loading = threading.Event()
    release, written = threading.Event(), threading.Event()
    fake.script = [Reply(lines=(last(),), hold=release)]
    fake.answer = lambda body: replace(said("Eleven metres."), hold=written)
    states: list[ModelState] = []
    async with OllamaServer(fake.host, limits=QUICK, on_state=states.append) as server:
        chat = await server.chat_model("m:1b", context_tokens=2048)
        call = asyncio.create_task(chat.chat(ask()))
        await until(lambda: bool(states) and states[-1].phase == "loading")
        before = states[-1].seconds
        await until(lambda: states[-1].seconds > before)
        fake.loading.set()
        await until(lambda: states[-1].phase == "reading")
        release.set()
        with pytest.raises(Exception, match="empty reply"):
            await call
        call = asyncio.create_task(chat.chat(ask()))
        await until(lambda: states[-1].phase == "writing")
        written.set()
        assert (await call).content == "Eleven metres."
    told = phases(states)
    assert told[:3] == ["reading", "loading", "reading"]
    assert told[-1] == "idle" and "writing" in told
    assert {(state.host, state.model) for state in states} == {
        (f"http://{fake.host}", "m:1b")
    }
    assert all(state.seconds >= 0 for state in states)


@pytest.mark.usefixtures("eager")
async def test_a_model_with_another_context_is_loaded_anew(fake: FakeOllama) -> None:
    states: list[ModelState] = []
    async with OllamaServer(fake.host, limits=QUICK, on_state=states.append) as server:
        short = await server.chat_model("m:1b", context_tokens=2048)
        await short.chat(ask())
        fake.loading = threading.Event()
        long = await server.chat_model("m:1b", context_tokens=4096)
        call = asyncio.create_task(long.chat(ask()))
        await until(lambda: states[-1].phase == "loading")
        fake.loading.set()
        await call


@pytest.mark.usefixtures("eager")
async def test_another_model_of_ours_waits_in_the_queue(fake: FakeOllama) -> None:
    fake.models["n:1b"] = model()
    release = threading.Event()
    fake.answer = lambda body: Reply(lines=(line("a"), last()), hold=release)
    states: list[ModelState] = []
    async with OllamaServer(fake.host, limits=QUICK, on_state=states.append) as server:
        first = await server.chat_model("m:1b")
        second = await server.chat_model("n:1b")
        calls = [asyncio.create_task(one.chat(ask())) for one in (first, second)]
        await until(lambda: any(state.phase == "queued" for state in states))
        assert [state.model for state in states if state.phase == "queued"][0] == "n:1b"
        release.set()
        await asyncio.gather(*calls)
    by_model = {state.model: state.phase for state in states}
    assert by_model == {"m:1b": "idle", "n:1b": "idle"}


@pytest.mark.usefixtures("eager")
async def test_a_call_that_fails_or_is_cancelled_leaves_the_model_idle(
    fake: FakeOllama,
) -> None:
    states: list[ModelState] = []
    hung = threading.Event()
    fake.answer = lambda body: Reply(lines=(last(),), hold=hung)
    limits = CallLimits(first_token=0.2, between_tokens=120, backoff=0)
    async with OllamaServer(fake.host, limits=limits, on_state=states.append) as server:
        chat = await server.chat_model("m:1b")
        with pytest.raises(ReplyTimeout):
            await chat.chat(ask())
        await until(lambda: states[-1].phase == "idle")
    async with OllamaServer(fake.host, limits=QUICK, on_state=states.append) as server:
        chat = await server.chat_model("m:1b")
        call = asyncio.create_task(chat.chat(ask()))
        await until(lambda: states[-1].phase == "reading")
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
    assert states[-1].phase == "idle"


async def test_nobody_listens_nothing_is_looked_at(
    fake: FakeOllama, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timeouts, "TICK_SECONDS", 0.0)
    release = threading.Event()
    fake.script = [Reply(lines=(last(),), hold=release)]
    async with OllamaServer(fake.host, limits=QUICK) as server:
        chat = await server.chat_model("m:1b")
        call = asyncio.create_task(chat.chat(ask()))
        await until(lambda: bool(fake.chats))
        assert "GET /api/ps" not in fake.paths
        release.set()
        with pytest.raises(Exception, match="empty reply"):
            await call


async def test_at_most_one_word_in_half_a_second_and_the_last_is_not_lost() -> None:
    clock, told = 100.0, list[ModelState]()
    states = ModelStateTeller(told.append, now=lambda: clock)
    states.begin("h", "m", "reading")
    for _ in range(50):
        states.put("h", "m", "writing")
        states.put("h", "m", "reading")
        clock += 0.001
    states.end("h", "m")
    assert [state.phase for state in told] == ["reading"]
    states.close()
    assert [state.phase for state in told] == ["reading", "idle"]
    clock += TELL_SECONDS
    states.put("h", "m", "idle")
    assert told[-1].seconds == pytest.approx(TELL_SECONDS)


async def test_what_waits_does_not_hide_what_works() -> None:
    clock, told = 100.0, list[ModelState]()
    states = ModelStateTeller(told.append, now=lambda: clock)
    states.begin("h", "m", "writing")
    clock += 1
    states.begin("h", "m", "queued")
    states.put("h", "m", "writing")
    assert phases(told) == ["writing"]
    clock += 1
    states.end("h", "m")
    states.end("h", "m")
    assert phases(told) == ["writing", "idle"]


@pytest.mark.parametrize(
    ("loaded", "usual", "waited", "phase"),
    [
        (False, None, 40.0, "loading"),
        (True, None, 40.0, "reading"),
        (True, 2.0, 4.0, "reading"),
        (True, 2.0, 7.0, "queued"),
        (True, 30.0, 70.0, "reading"),
        (True, 30.0, 100.0, "queued"),
        (False, 1.0, 100.0, "loading"),
    ],
)
def test_what_a_silent_server_does(
    loaded: bool, usual: float | None, waited: float, phase: str
) -> None:
    async def is_loaded() -> bool:
        return loaded

    watch = CallWatch(ModelStateTeller(None), "h", "m", is_loaded, usual)
    assert watch.phase(loaded, waited) == phase
