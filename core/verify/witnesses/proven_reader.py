"""What only a model that has proved itself a reader is asked, and how it is proved.

First it is counted on the hard planted claims, document by document, until it is clear
that it is none. A proven one is asked more of claims that its word decides: which
sentence settles them, and whether what it does not find stated is ruled out. Small
models answer the latter as if it were not asked the other way round, and name no
sentence or a wrong one.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import replace

from claimscope.core.calls.at_once import at_once
from claimscope.core.models import Label, Verdict
from claimscope.core.ports import ChatModel, Question
from claimscope.core.verify.hard_cases import HardClaim, hard_documents
from claimscope.core.verify.quotation import find_quote
from claimscope.core.verify.resolve import policy
from claimscope.core.verify.witnesses.model_question import (
    QuestionForm,
    ask_for_quote,
    ask_if_ruled_out,
    yes,
)
from claimscope.core.verify.witnesses.model_reading import HURTS_ONE, ModelReading
from claimscope.core.verify.witnesses.model_windows import ModelWindow
from claimscope.core.verify.witnesses.proven_word import (
    is_open_to_denial,
    joined_probability,
    may_contradict,
)
from claimscope.core.verify.witnesses.reading_rates import ReadingRates, rates_of

AskAll = Callable[[Sequence[ModelReading], int], Awaitable[None]]
"""Asks the usual question of readings that share their window of a turn."""


async def count_rates(
    ask_all: AskAll, chat: ChatModel, form: QuestionForm
) -> ReadingRates | None:
    """The model's rates on the hard planted claims; None where it answered none of the
    true ones or none of the others. Raises ModelError when it cannot be asked at all.
    """
    sides: dict[bool, list[float]] = {True: [], False: []}
    asked: list[tuple[HardClaim, ModelReading]] = []
    rates: ReadingRates | None = None
    for document in hard_documents():
        window = (ModelWindow(document.text, frozenset()),)
        own = [
            (one, ModelReading(Question(one.claim, ()), window, is_everyones=True))
            for one in document.claims
        ]
        await ask_all([reading for _, reading in own], 0)
        asked += own
        for one, reading in own:
            if reading.support is not None:
                sides[one.is_true].append(reading.support)
        if all(sides.values()):
            missed = len(asked) - sum(map(len, sides.values()))
            rates = replace(rates_of(sides[True], sides[False]), missed=missed)
            if rates.is_hopeless:
                return rates
    if rates is None or not rates.is_proven or form.only_verifies:
        return rates
    return await _count_denials(rates, asked, chat)


async def _count_denials(
    rates: ReadingRates,
    asked: Sequence[tuple[HardClaim, ModelReading]],
    chat: ChatModel,
) -> ReadingRates:
    """The rates with what the model says is ruled out."""
    refused = [
        (one, reading)
        for one, reading in asked
        if reading.support is not None and not rates.is_yes(reading.support)
    ]
    await at_once([_deny(chat, reading) for _, reading in refused])
    said = [one.gold for one, reading in refused if reading.is_denied]
    right = said.count(Label.CONTRADICTED)
    return replace(
        rates,
        contradicted=sum(one.gold is Label.CONTRADICTED for one, _ in asked),
        denied=right,
        wrongly_denied=len(said) - right,
        missed=rates.missed + sum(reading.denial is None for _, reading in refused),
    )


async def settle(
    chat: ChatModel,
    form: QuestionForm,
    reading: ModelReading,
    base: Verdict,
    rates: ReadingRates,
) -> None:
    """Asks a proven reader what settles a claim that its word decides."""
    if reading.support is None or form.only_verifies:
        return
    joined = joined_probability(base.testimony, reading, rates)
    if joined is None:
        return
    if rates.is_yes(reading.support):
        if base.word != "supported" and joined >= policy().entails:
            await _quote(chat, reading)
    elif is_open_to_denial(base.testimony, joined) and may_contradict(
        base.testimony, reading, rates, policy()
    ):
        await _deny(chat, reading)
        if reading.is_denied:
            await _quote(chat, reading)


async def _deny(chat: ChatModel, reading: ModelReading) -> None:
    """Whether the model says that the window rules the claim out. Without an answer it
    does not, and what is known of the claim stays."""
    request = ask_if_ruled_out(reading.read.text, reading.question.claim)
    with suppress(*HURTS_ONE):
        reply = await chat.chat(replace(request, is_everyones=reading.is_everyones))
        reading.note_key(reply.call_key)
        reading.denial = yes(reply)


async def _quote(chat: ChatModel, reading: ModelReading) -> None:
    """The sentence that the model says settles it, where it stands there."""
    window = reading.read.text
    reading.is_quoted = True
    with suppress(*HURTS_ONE):
        reply = await chat.chat(ask_for_quote(window, reading.question.claim))
        reading.note_key(reply.call_key)
        reading.settling = find_quote(window, reply.content)
