"""A host that takes every call and answers none is left out, and said to be."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from claimscope.core.backends.hosted.timeouts import CallLimits
from claimscope.core.backends.ollama.server import OllamaHost
from claimscope.core.backends.pool.pool import SILENCES
from claimscope.core.errors import ReplyTimeout
from claimscope.core.ports import ChatRequest
from tests.doubles.fake_ollama import FakeOllama
from tests.doubles.ollama.faults import MODEL
from tests.material.fault_ways import Setting, a_run
from tests.material.ollama_pool import OllamaPool

LIMITS = CallLimits(first_token=120, between_tokens=120, retries=0, backoff=0)


@dataclass
class Silent:
    """Hosts whose time is over as soon as they are asked: no clock is waited for."""

    hosts: set[str] = field(default_factory=set)
    answers: list[bool] = field(default_factory=list)
    """Whether the next calls are answered all the same; then never."""
    calls: int = 0


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch) -> Silent:
    found = Silent()
    stream = OllamaHost.stream

    async def streamed(
        self: OllamaHost, body: dict[str, Any], model: str
    ) -> AsyncGenerator[str]:
        if self.url in found.hosts:
            found.calls += 1
            if not (found.answers and found.answers.pop(0)):
                raise ReplyTimeout("Ollama sent no first token within 120 s.", "")
        async for line in stream(self, body, model):
            yield line

    monkeypatch.setattr(OllamaHost, "stream", streamed)
    return found


@pytest.fixture
def fake(silent: Silent) -> Iterator[FakeOllama]:
    with FakeOllama() as started:
        silent.hosts.add(f"http://{started.host}")
        yield started


def ask(number: int) -> ChatRequest:
    return ChatRequest("verify", (("user", f"How deep is harbour {number}?"),), "p1")


async def test_three_silences_in_a_row_leave_a_host_out(
    fake: FakeOllama, silent: Silent
) -> None:
    notes: list[str] = []
    async with OllamaPool([fake.host], limits=LIMITS, on_note=notes.append) as pool:
        chat = await pool.chat_model(MODEL)
        for number in range(SILENCES):
            with pytest.raises(ReplyTimeout, match="no first token"):
                await chat.chat(ask(number))
        for number in range(20):
            with pytest.raises(ReplyTimeout, match="answered none of the last 3 calls"):
                await chat.chat(ask(number))
    assert silent.calls == SILENCES
    (note,) = notes
    assert fake.host in note and "is left out" in note


async def test_an_answer_between_begins_the_count_anew(
    fake: FakeOllama, silent: Silent
) -> None:
    silent.answers = [False, False, True, False, False, True, True]
    async with OllamaPool([fake.host], limits=LIMITS) as pool:
        chat = await pool.chat_model(MODEL)
        answered = 0
        for number in range(7):
            try:
                answered += (await chat.chat(ask(number))).content == "fine"
            except ReplyTimeout:
                continue
    assert answered == 3 and silent.calls == 7


async def test_the_other_host_goes_on(fake: FakeOllama, silent: Silent) -> None:
    with FakeOllama() as good:
        async with OllamaPool([fake.host, good.host], limits=LIMITS) as pool:
            chat = await pool.chat_model(MODEL)
            for number in range(SILENCES):  # alike prompts go to the same host
                with pytest.raises(ReplyTimeout):
                    await chat.chat(ask(number))
            for number in range(20, 30):
                assert (await chat.chat(ask(number))).content == "fine"
    assert silent.calls == SILENCES and len(good.chats) == 10


async def test_a_run_against_it_ends_after_three_waits(
    fake: FakeOllama, silent: Silent
) -> None:
    """However many claims and grades it has to ask for."""
    ending = await a_run(Setting(fake, LIMITS))
    assert ending.text.startswith("run finished: 0 passed, 2 unscored"), ending
    assert 0 < silent.calls <= SILENCES
