"""Turns at a server: by prompt, fair, and never lost."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.inference.turns import PATIENCE, Turns, common_prefix


async def served(turns: Turns, prompts: Sequence[str]) -> list[str]:
    """The order in which calls that all wait at once are let in."""
    order: list[str] = []

    async def call(prompt: str) -> None:
        async with turns.turn(prompt):
            order.append(prompt)
            await asyncio.sleep(0)

    async with turns.turn("first: x"):
        tasks = [asyncio.create_task(call(prompt)) for prompt in prompts]
        await asyncio.sleep(0)
    await asyncio.gather(*tasks)
    return order


async def test_questions_on_one_document_follow_one_another() -> None:
    mixed = ["ferry: a", "mill: a", "ferry: b", "mill: b", "ferry: c"]
    order = await served(Turns(), mixed)
    assert order == ["ferry: a", "ferry: b", "ferry: c", "mill: a", "mill: b"]


async def test_without_a_better_fit_the_first_comes_first() -> None:
    assert await served(Turns(), ["a", "b", "c"]) == ["a", "b", "c"]


async def test_nobody_waits_for_ever() -> None:
    order = await served(Turns(), ["other", *(f"first: {n:03}" for n in range(100))])
    assert order.index("other") == PATIENCE


async def test_as_many_at_once_as_there_are_places() -> None:
    turns, inside, most = Turns(3), 0, 0

    async def call(number: int) -> None:
        nonlocal inside, most
        async with turns.turn(str(number)):
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0)
            inside -= 1

    await asyncio.gather(*(call(number) for number in range(10)))
    assert most == 3 and turns.busy == 0


async def test_a_cancelled_call_leaves_its_place_to_the_next() -> None:
    turns = Turns()
    async with turns.turn("a"):
        gone = asyncio.create_task(_enter(turns, "b"))
        stays = asyncio.create_task(_enter(turns, "c"))
        await asyncio.sleep(0)
        gone.cancel()
    async with asyncio.timeout(5):
        await stays
    with pytest.raises(asyncio.CancelledError):
        await gone


async def test_a_turn_that_came_to_a_cancelled_call_is_given_on() -> None:
    turns = Turns()
    async with turns.turn("a"):
        gone = asyncio.create_task(_enter(turns, "b"))
        await asyncio.sleep(0)
    gone.cancel()  # its turn has come, but it has not woken up
    async with asyncio.timeout(5):
        await _enter(turns, "c")


async def _enter(turns: Turns, prompt: str) -> None:
    async with turns.turn(prompt):
        pass


@given(st.text(), st.text(), st.text())
def test_a_common_prefix_is_a_prefix_of_both(head: str, one: str, other: str) -> None:
    length = common_prefix(head + one, head + other)
    assert length >= len(head)
    assert (head + one)[:length] == (head + other)[:length]
