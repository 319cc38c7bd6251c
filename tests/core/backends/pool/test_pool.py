"""A pool of hosts: who is asked, what is gone around, and when it is refused."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.backends.hosted.timeouts import CallLimits
from claimscope.core.backends.ollama.address import server_hosts
from claimscope.core.backends.ollama.server import OllamaHost
from claimscope.core.backends.pool import pool as pool_module
from claimscope.core.backends.pool import scheduler as places_module
from claimscope.core.backends.pool.scheduler import (
    PATIENCE,
    HostScheduler,
    Member,
    common_prefix,
)
from claimscope.core.errors import (
    ContextTooShort,
    ModelChanged,
    ModelError,
    ModelMissing,
    ServerDown,
)
from claimscope.core.ports import ChatReply, ChatRequest
from tests.doubles import fake_ollama
from tests.doubles.fake_ollama import FakeOllama, Reply, last, line, said
from tests.material.ollama_pool import OllamaPool, OllamaServer

QUICK = CallLimits(first_token=120, between_tokens=120, backoff=0)
LONG = "The harbour was dug in two summers and has never silted up since. " * 8


def ask(text: str = "How deep is the harbour?") -> ChatRequest:
    """A call."""
    return ChatRequest("verify", (("user", text),), "p1")


@pytest.fixture
def two() -> Iterator[tuple[FakeOllama, FakeOllama]]:
    with ExitStack() as stack:
        first, second = (
            stack.enter_context(FakeOllama(answer=answering(name)))
            for name in ("first", "second")
        )
        yield first, second


def answering(name: str) -> Callable[[dict[str, Any]], Reply]:
    """A server that says who it is."""
    return lambda body: said(name)


def pool_of(*fakes: FakeOllama, parallel: int = 1, **more: Any) -> OllamaPool:
    """A pool of doubles."""
    return OllamaPool(
        [fake.host for fake in fakes],
        parallel=parallel,
        limits=more.pop("limits", QUICK),
        **more,
    )


async def until(happened: Callable[[], bool]) -> None:
    """Lets others run until something has happened."""
    async with asyncio.timeout(120):
        while not happened():
            await asyncio.sleep(0)


# --- where calls go -----------------------------------------------------------


async def test_calls_spread_over_the_hosts(two: tuple[FakeOllama, FakeOllama]) -> None:
    release = threading.Event()
    for fake in two:
        fake.answer = lambda body: Reply(lines=(line("a"), last()), hold=release)
    async with pool_of(*two) as pool:
        chat = await pool.chat_model("m:1b")
        calls = [asyncio.create_task(chat.chat(ask(f"{n}"))) for n in range(6)]
        await until(lambda: all(len(fake.chats) == 1 for fake in two))
        assert not any(call.done() for call in calls)
        release.set()
        await asyncio.gather(*calls)
    assert len(two[0].chats) + len(two[1].chats) == 6
    assert two[0].most_at_once == two[1].most_at_once == 1


async def test_as_many_calls_at_once_as_a_host_takes(
    two: tuple[FakeOllama, FakeOllama],
) -> None:
    release = threading.Event()
    for fake in two:
        fake.answer = lambda body: Reply(lines=(line("a"), last()), hold=release)
    async with pool_of(*two, parallel=3) as pool:
        chat = await pool.chat_model("m:1b")
        calls = [asyncio.create_task(chat.chat(ask(f"{n}"))) for n in range(10)]
        await until(lambda: all(len(fake.chats) == 3 for fake in two))
        release.set()
        await asyncio.gather(*calls)
    assert two[0].most_at_once == two[1].most_at_once == 3


async def test_a_document_is_asked_where_it_was_read(
    two: tuple[FakeOllama, FakeOllama],
) -> None:
    documents = [f"Page {n}. {LONG}" for n in range(2)]
    async with pool_of(*two) as pool:
        chat = await pool.chat_model("m:1b")
        both = [chat.chat(ask(f"{text} first?")) for text in documents]
        where = [reply.content for reply in await asyncio.gather(*both)]
        assert sorted(where) == ["first", "second"]
        for number in (1, 0, 0, 1, 1):
            reply = await chat.chat(ask(f"{documents[number]} Claim?"))
            assert reply.content == where[number]


async def test_an_idle_host_is_used_though_another_read_the_document(
    two: tuple[FakeOllama, FakeOllama],
) -> None:
    release = threading.Event()
    two[0].answer = lambda body: Reply(lines=(line("first"), last()), hold=release)
    async with pool_of(*two) as pool:
        chat = await pool.chat_model("m:1b")
        busy = asyncio.create_task(chat.chat(ask(f"{LONG} one?")))
        await until(lambda: len(two[0].chats) == 1)
        assert (await chat.chat(ask(f"{LONG} two?"))).content == "second"
        release.set()
        assert (await busy).content == "first"


async def test_waiting_calls_on_one_document_follow_one_another(
    two: tuple[FakeOllama, FakeOllama],
) -> None:
    release = threading.Event()
    fake = two[0]
    fake.script = [Reply(lines=(line("a"), last()), hold=release)]
    async with pool_of(fake) as pool:
        chat = await pool.chat_model("m:1b")
        calls = [asyncio.create_task(chat.chat(ask("A" * 300)))]
        await until(lambda: len(fake.chats) == 1)
        for n, letter in enumerate("BABBAA"):
            text = letter * 300 + str(n)
            calls.append(asyncio.create_task(chat.chat(ask(text))))
        await asyncio.sleep(0)
        release.set()
        await asyncio.gather(*calls)
    assert [text[0] for text in fake_ollama.contents(fake.chats)] == list("AAAABBB")


# --- hosts that are lost ------------------------------------------------------


@pytest.fixture
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lost hosts may be tried again at once."""
    monkeypatch.setattr(places_module, "LONGEST_PAUSE", 0.0)


async def test_a_dead_host_is_gone_around(two: tuple[FakeOllama, FakeOllama]) -> None:
    async with pool_of(*two) as pool:
        chat = await pool.chat_model("m:1b")
        two[0].stop()
        try:
            for n in range(4):
                assert (await chat.chat(ask(f"{n}"))).content == "second"
        finally:
            two[0].start()


@pytest.mark.usefixtures("no_pause")
async def test_a_host_that_is_back_is_greeted_and_used(
    two: tuple[FakeOllama, FakeOllama],
) -> None:
    async with pool_of(*two) as pool:
        chat = await pool.chat_model("m:1b")
        two[0].stop()
        try:
            assert (await chat.chat(ask())).content == "second"
        finally:
            two[0].start()
        two[0].paths.clear()
        two[1].stop()
        try:
            assert (await chat.chat(ask())).content == "first"
        finally:
            two[1].start()
        assert two[0].paths[0] == "GET /api/tags", "its weights are looked at first"


@pytest.mark.usefixtures("no_pause")
async def test_a_host_that_is_back_with_other_weights_is_refused(
    two: tuple[FakeOllama, FakeOllama],
) -> None:
    notes: list[str] = []
    async with pool_of(*two, on_note=notes.append) as pool:
        chat = await pool.chat_model("m:1b")
        two[0].stop()
        try:
            assert (await chat.chat(ask())).content == "second"
        finally:
            two[0].start()
        two[0].digests["m:1b"] = fake_ollama.OTHER_DIGEST
        for n in range(3):
            assert (await chat.chat(ask(f"{n}"))).content == "second"
        assert not two[0].chats
        (note,) = notes
        assert f"{two[0].host} is left out" in note
        assert fake_ollama.OTHER_DIGEST[:12] in note
        two[1].stop()
        try:
            with pytest.raises(ServerDown, match=two[1].host):
                await chat.chat(ask())
        finally:
            two[1].start()


async def test_all_hosts_down_names_each(two: tuple[FakeOllama, FakeOllama]) -> None:
    async with pool_of(*two) as pool:
        chat = await pool.chat_model("m:1b")
        for fake in two:
            fake.stop()
        try:
            with pytest.raises(ServerDown) as raised:
                await chat.chat(ask())
            for fake in two:
                assert f"{fake.host} (connection refused)" in raised.value.message
            with pytest.raises(ServerDown, match="No host of the pool"):
                await pool.chat_model("m:1b")
        finally:
            for fake in two:
                fake.start()
        assert (await chat.chat(ask())).content in ("first", "second")


async def test_a_host_that_is_down_at_the_start_is_left_out(
    two: tuple[FakeOllama, FakeOllama],
) -> None:
    two[0].stop()
    notes: list[str] = []
    try:
        async with pool_of(*two, on_note=notes.append) as pool:
            chat = await pool.chat_model("m:1b")
            assert [host.url for host in pool.answering()] == [f"http://{two[1].host}"]
            assert (await chat.chat(ask())).content == "second"
    finally:
        two[0].start()
    assert len(notes) == 1 and two[0].host in notes[0]


async def test_a_busy_host_is_gone_around(two: tuple[FakeOllama, FakeOllama]) -> None:
    two[0].answer = lambda body: fake_ollama.BUSY
    async with pool_of(*two) as pool:
        chat = await pool.chat_model("m:1b")
        assert (await chat.chat(ask())).content == "second"
    assert len(two[0].chats) == 1


# --- the same weights ---------------------------------------------------------


async def test_hosts_with_other_weights_are_refused_by_name(
    two: tuple[FakeOllama, FakeOllama],
) -> None:
    two[1].digests["m:1b"] = fake_ollama.OTHER_DIGEST
    async with pool_of(*two) as pool:
        with pytest.raises(ModelError) as raised:
            await pool.chat_model("m:1b")
    for fake, digest in zip(two, ("f" * 12, "e" * 12), strict=True):
        assert f"{digest} at http://{fake.host}" in raised.value.message


async def test_the_host_without_the_model_is_named(
    two: tuple[FakeOllama, FakeOllama],
) -> None:
    two[1].models.clear()
    async with pool_of(*two) as pool:
        with pytest.raises(ModelMissing, match=f"{two[1].host} has no model 'm:1b'"):
            await pool.chat_model("m:1b")


async def test_weights_that_change_in_a_run_end_it(
    two: tuple[FakeOllama, FakeOllama], monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = two[0]
    async with OllamaServer(fake.host, limits=QUICK) as server:
        chat = await server.chat_model("m:1b")
        fake.digests["m:1b"] = fake_ollama.OTHER_DIGEST
        await chat.chat(ask())  # looked at a moment ago
        monkeypatch.setattr(pool_module, "DIGEST_SECONDS", 0.0)
        with pytest.raises(ModelChanged, match="was ffffffffffff and is eeeeeeeeeeee"):
            await chat.chat(ask())
        fake.models.clear()
        with pytest.raises(ModelMissing):
            await chat.chat(ask())
        assert len(fake.chats) == 1


async def test_weights_are_looked_at_again_after_a_lost_connection(
    two: tuple[FakeOllama, FakeOllama],
) -> None:
    fake = two[0]

    def break_off(body: dict[str, Any]) -> Reply:
        fake.digests["m:1b"] = fake_ollama.OTHER_DIGEST
        return Reply(lines=(line("Elev"),), cut=True)

    fake.answer = break_off
    async with OllamaServer(fake.host, limits=QUICK) as server:
        chat = await server.chat_model("m:1b")
        with pytest.raises(ModelChanged):
            await chat.chat(ask())
    assert len(fake.chats) == 1


# --- what else is refused -----------------------------------------------------


async def test_a_context_shorter_than_asked_for_is_no_verdict(
    two: tuple[FakeOllama, FakeOllama],
) -> None:
    fake = two[0]
    fake.granted = 2048
    async with OllamaServer(fake.host, limits=QUICK) as server:
        chat = await server.chat_model("m:1b", context_tokens=8192)
        for _ in range(2):
            with pytest.raises(ContextTooShort, match=r"8192 tokens; .* gives 2048"):
                await chat.chat(ask())
        fake.granted = None
        assert (await chat.chat(ask())).content == "first"
        looks = fake.paths.count("GET /api/ps")
        assert (await chat.chat(ask())).content == "first"
        assert fake.paths.count("GET /api/ps") == looks, "known, and nothing loaded"


@pytest.mark.parametrize("name", ["m:1b-cloud", "m:cloud"])
async def test_cloud_models_are_refused_by_name_alone(
    two: tuple[FakeOllama, FakeOllama], name: str
) -> None:
    async with pool_of(*two) as pool:
        with pytest.raises(ModelError, match="remote server"):
            await pool.chat_model(name)
    assert not two[0].paths


async def test_a_cloud_model_may_be_used_when_offline_is_off(
    two: tuple[FakeOllama, FakeOllama],
) -> None:
    two[0].models["m:cloud"] = fake_ollama.model(remote_host="https://example.com")
    async with pool_of(two[0], offline=False) as pool:
        chat = await pool.chat_model("m:cloud")
        assert (await chat.chat(ask())).content == "first"


async def test_one_host_named_twice_is_one_host(
    two: tuple[FakeOllama, FakeOllama],
) -> None:
    host = two[0].host
    pool = OllamaPool([host, f"http://{host}/", two[1].host])
    assert [one.url for one in pool.hosts] == [f"http://{f.host}" for f in two]


@pytest.mark.parametrize(
    ("setting", "hosts"),
    [
        (None, (None,)),
        (" , ", (None,)),
        ("a:1", ("a:1",)),
        ("a:1, b ,,c:2", ("a:1", "b", "c:2")),
    ],
)
def test_hosts_of_a_setting(setting: str | None, hosts: tuple[str | None, ...]) -> None:
    assert server_hosts(setting) == hosts


# --- places -------------------------------------------------------------------


@pytest.fixture
async def members() -> AsyncIterator[list[Member]]:
    yield [Member(OllamaHost(f"host{n}:1")) for n in range(2)]


async def test_nobody_waits_for_ever(members: list[Member]) -> None:
    places = HostScheduler(members[:1])
    held = await places.enter("A", "m")
    odd = asyncio.create_task(places.enter("other", "m"))
    order: list[str] = []

    async def call(text: str) -> None:
        member = await places.enter(text, "m")
        order.append(text)
        places.leave(member)

    async def odd_one() -> None:
        member = await odd
        order.append("other")
        places.leave(member)

    calls = [asyncio.create_task(call(f"A{n:03}")) for n in range(PATIENCE + 20)]
    calls.append(asyncio.create_task(odd_one()))
    await asyncio.sleep(0)
    places.leave(held)
    await asyncio.gather(*calls)
    assert order.index("other") == PATIENCE


async def test_a_refusal_reaches_those_who_wait(members: list[Member]) -> None:
    places = HostScheduler(members)
    held = [await places.enter("a", "m") for _ in members]
    waiting = asyncio.create_task(places.enter("a", "m"))
    await asyncio.sleep(0)
    problem = ModelError("other weights")
    for member in members:
        places.refuse(member, "m", problem)
    with pytest.raises(ModelError, match="other weights"):
        await waiting
    with pytest.raises(ModelError, match="other weights"):
        await places.enter("a", "m")
    for member in held:
        places.leave(member)
    assert await places.enter("a", "another") in members


async def test_a_lost_host_is_left_alone_ever_longer(members: list[Member]) -> None:
    clock = 100.0
    places = HostScheduler(members, pause=10.0, now=lambda: clock)
    lost, other = members
    pauses = []
    for _ in range(8):
        places.lose(lost, ServerDown("gone"))
        pauses.append(lost.away_until - clock)
        assert places.present == [other]
        assert await places.enter("a", "m") is other
        places.leave(other)
    for number, pause in enumerate(pauses):
        longest = min(10.0 * 2**number, places_module.LONGEST_PAUSE)
        assert longest / 2 <= pause <= longest
    clock += 100.0
    assert places.present == members
    lost.stay()
    assert lost.losses == 0 and lost.problem is None
    places.close()


async def test_the_pause_ends_by_itself_for_those_who_wait(
    members: list[Member],
) -> None:
    lost, other = members
    places = HostScheduler(members, pause=0.01)
    places.lose(lost, ServerDown("gone"))
    assert await places.enter("a", "m") is other
    async with asyncio.timeout(120):
        assert await places.enter("a", "m") is lost


@given(
    st.lists(st.tuples(st.sampled_from("AB"), st.integers(0, 9)), max_size=30),
    st.integers(1, 3),
    st.integers(1, 3),
    st.sets(st.integers(0, 29)),
)
def test_places_are_never_lost_nor_given_twice(
    wanted: list[tuple[str, int]], hosts: int, each: int, cancelled: set[int]
) -> None:
    asyncio.run(_all_served(wanted, hosts, each, cancelled))


async def _all_served(
    wanted: list[tuple[str, int]], hosts: int, each: int, cancelled: set[int]
) -> None:
    members = [Member(OllamaHost(f"host{n}:1"), each) for n in range(hosts)]
    places = HostScheduler(members)
    served = 0

    async def call(text: str, rounds: int) -> None:
        nonlocal served
        member = await places.enter(text, "m")
        try:
            for _ in range(rounds):
                assert 0 < member.busy <= each
                await asyncio.sleep(0)
            served += 1
        finally:
            places.leave(member)

    calls = [asyncio.create_task(call(text, n)) for text, n in wanted]
    await asyncio.sleep(0)
    for number in cancelled:
        if number < len(calls):
            calls[number].cancel()
    ends = await asyncio.gather(*calls, return_exceptions=True)
    assert all(end is None or isinstance(end, asyncio.CancelledError) for end in ends)
    assert served == sum(end is None for end in ends)
    assert [member.busy for member in members] == [0] * hosts
    assert places.is_free("m")


async def test_replies_are_the_same_through_a_pool_of_one(
    two: tuple[FakeOllama, FakeOllama],
) -> None:
    replies: list[ChatReply] = []
    async with pool_of(two[0]) as pool, OllamaServer(two[0].host) as server:
        for source in (pool, server):
            chat = await source.chat_model("m:1b", context_tokens=2048, seed=3)
            assert (chat.server_version, chat.digest) == (
                fake_ollama.VERSION,
                fake_ollama.DIGEST,
            )
            replies.append(await chat.chat(ask()))
    assert two[0].chats[0] == two[0].chats[1]
    assert replies[0].content == replies[1].content


@given(st.text(), st.text(), st.text())
def test_a_common_prefix_is_a_prefix_of_both(head: str, one: str, other: str) -> None:
    length = common_prefix(head + one, head + other)
    assert length >= len(head)
    assert (head + one)[:length] == (head + other)[:length]
