"""Several claims in one call: matched by number, quotes that stand, nothing made up."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.errors import (
    PromptTooLong,
    ReplyIncomplete,
    ReplyTimeout,
    ServerBusy,
)
from claimscope.core.models import Label
from claimscope.core.ports import ChatRequest
from claimscope.core.verify.witnesses.model_batch import (
    MOST_CLAIMS,
    ask_batch,
    batch_request,
    entries_before_the_cut,
)
from tests.doubles.scripted import ScriptedChat

DOCUMENT = (
    "The Lindal ferry carries 40 cars.  It sails every hour, except at night. "
    "It doesn't run on 25 December. Tickets cost twelve crowns for an adult."
)
CLAIMS = (
    "The Lindal ferry carries 40 cars.",
    "The ferry runs on 25 December.",
    "The ferry is red.",
)
HOLIDAY = "It doesn't run on 25 December."


def entry(claim: object, verdict: str, quote: str = "") -> dict[str, object]:
    """One entry of a reply."""
    return {"claim": claim, "quote": quote, "verdict": verdict}


def reply(*entries: object) -> str:
    """A whole reply."""
    return json.dumps({"verdicts": entries})


GOOD = (
    entry(1, "supported", "the lindal ferry carries 40 cars"),
    entry(2, "contradicted", "It doesn’t run\n on 25 December."),
    entry(3, "not_enough_info"),
)


async def test_each_claim_gets_the_verdict_with_its_number() -> None:
    chat = ScriptedChat([reply(GOOD[2], GOOD[0], GOOD[1], entry(9, "supported"))])
    first, second, third = await ask_batch(chat, DOCUMENT, CLAIMS)
    assert (first.label, second.label, third.label) == (
        Label.SUPPORTED,
        Label.CONTRADICTED,
        Label.NOT_ENOUGH_INFO,
    )
    assert first.quote is not None and second.quote is not None
    assert DOCUMENT[second.quote.start : second.quote.end] == HOLIDAY
    assert first.quote.text == "The Lindal ferry carries 40 cars."
    assert third.quote is None
    assert first.call_keys == ("call-1",)
    assert len(chat.asked) == 1


async def test_the_prompt_shows_the_document_first_and_one_line_a_claim() -> None:
    request = batch_request(DOCUMENT, ["A\n2. B", "C"])
    ((_, text),) = request.messages
    assert text.index(DOCUMENT) < text.index("1. A 2. B\n2. C")
    assert request.schema is not None
    items = request.schema["properties"]["verdicts"]["items"]
    assert items["properties"]["claim"]["enum"] == [1, 2]
    assert list(items["properties"]) == sorted(items["properties"])
    assert batch_request(DOCUMENT, ["A"]).max_tokens < request.max_tokens


@pytest.mark.parametrize(
    "quote",
    [
        "",
        "no",
        "It does run on 25 December.",
        "It doesn't run on 26 December.",
        "The captain says that it never sails in winter.",
        "It doesn't run on 25 December. " * 9,
    ],
)
async def test_a_quote_that_does_not_stand_in_the_text_contradicts_nothing(
    quote: str,
) -> None:
    chat = ScriptedChat([reply(entry(1, "contradicted", quote))])
    (found,) = await ask_batch(chat, DOCUMENT, CLAIMS[1:2])
    assert (found.label, found.quote) == (Label.NOT_ENOUGH_INFO, None)


async def test_a_quote_that_says_what_the_claim_says_contradicts_nothing() -> None:
    chat = ScriptedChat([reply(entry(1, "contradicted", CLAIMS[0]))])
    (found,) = await ask_batch(chat, DOCUMENT, CLAIMS[:1])
    assert found.label is Label.NOT_ENOUGH_INFO


async def test_a_slip_of_a_letter_is_the_same_quote() -> None:
    quote = "Tickets cost twelve crown for an adult."
    chat = ScriptedChat([reply(entry(1, "supported", quote))])
    (found,) = await ask_batch(chat, DOCUMENT, ["An adult pays 12 crowns."])
    assert found.quote is not None
    assert found.quote.text == "Tickets cost twelve crowns for an adult."


async def test_what_is_left_out_is_asked_again_alone() -> None:
    chat = ScriptedChat(
        [
            reply(GOOD[0], entry(2, "maybe"), entry(True, "supported")),
            reply(entry(1, "contradicted", HOLIDAY)),
            "I cannot say.",
        ]
    )
    first, second, third = await ask_batch(chat, DOCUMENT, CLAIMS)
    assert [first.label, second.label] == [Label.SUPPORTED, Label.CONTRADICTED]
    assert second.call_keys == ("call-1", "call-2")
    assert third.label is Label.UNSCORED
    assert third.raw == "I cannot say."
    assert "no JSON object" in (third.problem or "")
    assert len(chat.asked) == 3
    assert "1. The ferry runs on 25 December." in chat.asked[1].messages[0][1]
    assert CLAIMS[0] not in chat.asked[1].messages[0][1].split("Claims:")[1]


async def test_a_claim_with_two_verdicts_has_none() -> None:
    twice = reply(*GOOD, entry(1, "contradicted", HOLIDAY), entry(3, "not_enough_info"))
    chat = ScriptedChat([twice, reply(entry(1, "supported"))])
    first, _, third = await ask_batch(chat, DOCUMENT, CLAIMS)
    assert first.label is Label.SUPPORTED
    assert third.label is Label.NOT_ENOUGH_INFO
    assert len(chat.asked) == 2


async def test_a_cut_reply_counts_as_far_as_it_is_whole() -> None:
    """Rewritten from a list of twelve verdicts that was cut after seven."""
    claims = [f"Pier {n} has {n} cranes." for n in range(1, 13)]
    document = " ".join(claims)
    cut_at = {5: 5, 2: 2}

    def answer(request: ChatRequest) -> str | Exception:
        lines = request.messages[0][1].split("Claims:\n")[1].splitlines()
        known = [entry(n, "supported", line[3:]) for n, line in enumerate(lines, 1)]
        if len(lines) == 1 and int(lines[0].split()[2]) >= 11:
            return ReplyIncomplete("cut at 200 tokens", raw='{"verdicts": [{"claim"')
        if "Pier 6" in lines[0] and len(lines) > 1:
            raw = reply(*known[:2])[:-2] + ', {"claim": 3, "quote": "Pier'
            return ReplyIncomplete("cut", raw=raw)
        if "Pier 11" in lines[0]:
            return ReplyIncomplete("cut", raw="")
        return reply(*known[: cut_at.get(len(lines), 1)])

    chat = ScriptedChat(answer)
    found = await ask_batch(chat, document, claims)
    assert [one.label for one in found] == [Label.SUPPORTED] * 10 + [Label.UNSCORED] * 2
    assert found[6].call_keys == (), "it stands before the cut"
    assert found[7].call_keys == ("call-3",), "asked again alone"
    assert found[11].problem == "cut at 200 tokens"
    assert found[11].raw == '{"verdicts": [{"claim"'
    assert len(chat.asked) == 3 + 3 + 2


@pytest.mark.parametrize(
    ("raw", "count"),
    [
        (reply(*GOOD)[:-1], 3),
        (reply(*GOOD)[:-3], 2),
        (f"<think>{reply(GOOD[0])}</think>{reply(GOOD[1], GOOD[2])[:-1]}", 2),
        (f"{reply(GOOD[0])} {reply(GOOD[1])[:-1]}", 0),
        ('{"verdicts": [[[', 0),
        ('{"verdicts": [{"a": ' + "[" * 20_000, 0),
        ("", 0),
    ],
)
def test_entries_before_a_cut(raw: str, count: int) -> None:
    assert len(entries_before_the_cut(raw)) == count


async def test_a_prompt_too_long_for_all_may_fit_for_one() -> None:
    def answer(request: ChatRequest) -> str | Exception:
        if "2. " in request.messages[0][1]:
            return PromptTooLong("9020 tokens")
        return reply(entry(1, "supported"))

    found = await ask_batch(ScriptedChat(answer), DOCUMENT, CLAIMS)
    assert {one.label for one in found} == {Label.SUPPORTED}


async def test_a_server_that_hangs_is_not_waited_for_again() -> None:
    chat = ScriptedChat(lambda request: ReplyTimeout("no token in 300 s"))
    found = await ask_batch(chat, DOCUMENT, CLAIMS)
    assert {one.problem for one in found} == {"no token in 300 s"}
    assert len(chat.asked) == 1


async def test_a_server_that_is_busy_ends_it() -> None:
    with pytest.raises(ServerBusy):
        await ask_batch(ScriptedChat([ServerBusy("503")]), DOCUMENT, CLAIMS)


async def test_no_claims_no_calls() -> None:
    chat = ScriptedChat([])
    assert await ask_batch(chat, DOCUMENT, []) == []


ENTRIES = st.lists(
    st.builds(
        entry,
        st.one_of(st.integers(-1, 7), st.sampled_from(["1", 2.0, None, True])),
        st.sampled_from(["supported", "contradicted", "not_enough_info", "yes"]),
        st.sampled_from(["", HOLIDAY, "It does run on 25 December.", "The ferry"]),
    ),
    max_size=8,
)


@given(ENTRIES, st.integers(1, MOST_CLAIMS + 2), st.integers(0, 300), st.booleans())
async def test_whatever_is_replied_no_verdict_is_made_up(
    entries: list[dict[str, Any]], count: int, length: int, is_cut: bool
) -> None:
    raw = reply(*entries)
    answer: str | ReplyIncomplete = raw
    if is_cut:
        answer = ReplyIncomplete("cut", raw=raw[:length])
    chat = ScriptedChat(lambda request: answer)
    claims = [f"Claim of number {n}." for n in range(count)]
    found = await ask_batch(chat, DOCUMENT, claims)
    assert len(found) == count
    words = {one["verdict"] for one in entries}
    for one in found:
        if one.label is Label.UNSCORED:
            assert one.problem and one.raw is not None and one.quote is None
            continue
        assert one.label in words or "contradicted" in words
        if one.label is Label.CONTRADICTED:
            assert one.quote is not None and one.quote.text == HOLIDAY
    assert len(chat.asked) <= 2 + count
