"""Several claims on one document in one call, each with a verdict and a quotation.

Cheaper than one question a claim where reading is slow and writing quick; weaker, for
a schema leaves no probability to read. What the model leaves out, repeats with
another word, or had cut off is asked again alone: no verdict is made up for it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from claimscope.core.calls.replies import ReplyModel, WholeNumber, read_reply
from claimscope.core.errors import (
    ModelError,
    PromptTooLong,
    ReplyIncomplete,
    ReplyTimeout,
    ReplyUnreadable,
)
from claimscope.core.models import Label
from claimscope.core.ports import ChatModel, ChatRequest
from claimscope.core.prompts.templates import prompt
from claimscope.core.verify.quotation import Quote, find_quote

MOST_CLAIMS = 5
"""Claims in one call; small models lose count with more."""
QUOTE_LETTERS = 400
TOKENS_A_CLAIM = 150
"""A quotation of usual length and the fields around it."""
LABELS = ("contradicted", "not_enough_info", "supported")

_LIST = re.compile(r'\{\s*"verdicts"\s*:\s*\[')
_THOUGHT_END = re.compile(r"</(?:think|thinking|reasoning)>", re.IGNORECASE)


class Entry(ReplyModel):
    """What the model is asked for on one claim. Grammars put fields in alphabetical
    order, and in this one the quotation comes before the verdict."""

    claim: WholeNumber
    quote: str = ""
    verdict: Literal["contradicted", "not_enough_info", "supported"]


class Entries(ReplyModel):
    """The whole reply; its entries are looked at one by one, so that a bad one costs
    only its own claim."""

    verdicts: tuple[Any, ...]


@dataclass(frozen=True)
class BatchVerdict:
    """A verdict on one claim, without a probability."""

    label: Label
    """UNSCORED when the model gave no verdict, even when asked alone."""
    quote: Quote | None = None
    """The model's quotation where it stands in the document; always there for
    CONTRADICTED."""
    call_keys: tuple[str, ...] = ()
    """All calls that asked for it, the one that answered last."""
    problem: str | None = None
    """Why it is unscored."""
    raw: str | None = None
    """The last reply that held no verdict, as it came."""


async def ask_batch(
    chat: ChatModel, document: str, claims: Sequence[str]
) -> list[BatchVerdict]:
    """One verdict a claim, in order; at most MOST_CLAIMS claims in a call.

    Raises ServerDown, ModelMissing, ServerBusy; what goes wrong with a reply leaves
    only the claims unscored that it left out and that got none when asked alone.
    """
    found: list[BatchVerdict] = []
    for first in range(0, len(claims), MOST_CLAIMS):
        together = claims[first : first + MOST_CLAIMS]
        verdicts = await _asked(chat, document, together)
        for place, verdict in enumerate(verdicts):
            if len(together) > 1 and _may_do_better_alone(verdict):
                (alone,) = await _asked(chat, document, together[place : place + 1])
                keys = tuple(dict.fromkeys((*verdict.call_keys, *alone.call_keys)))
                verdict = replace(alone, call_keys=keys)
            found.append(verdict)
    return found


def _may_do_better_alone(verdict: BatchVerdict) -> bool:
    """Not after a time-out, which has no raw reply: a server that hangs would be
    waited for once a claim."""
    return verdict.label is Label.UNSCORED and verdict.raw is not None


async def _asked(
    chat: ChatModel, document: str, claims: Sequence[str]
) -> list[BatchVerdict]:
    """What one call gives, UNSCORED for the claims that it leaves out."""
    keys: tuple[str, ...] = ()
    try:
        reply = await chat.chat(batch_request(document, claims))
        raw = reply.content
        keys = (reply.call_key,) if reply.call_key else ()
        entries: Sequence[Any] = read_reply(raw, Entries).verdicts
        problem = "the model's reply leaves this claim out"
    except ReplyIncomplete as error:
        raw, problem = error.raw, error.message
        entries = entries_before_the_cut(raw)
    except ReplyUnreadable as error:
        raw, problem, entries = error.raw, error.message, ()
    except PromptTooLong as error:
        raw, problem, entries = "", error.message, ()
    except ReplyTimeout as error:
        return [_unscored(error, keys) for _ in claims]
    by_number = _by_number(entries)
    return [
        _verdict(entry, document, claims[number - 1], keys)
        if (entry := by_number.get(number)) is not None
        else BatchVerdict(Label.UNSCORED, None, keys, problem, raw)
        for number in range(1, len(claims) + 1)
    ]


def _unscored(error: ModelError, keys: tuple[str, ...]) -> BatchVerdict:
    return BatchVerdict(Label.UNSCORED, None, keys, error.message)


def batch_request(document: str, claims: Sequence[str]) -> ChatRequest:
    """The call: document first, so that the next claims on it are cheap."""
    template = prompt("verify_batch")
    # One line a claim: no claim can pass itself off as the next one.
    numbered = "\n".join(
        f"{number}. {' '.join(claim.split())}"
        for number, claim in enumerate(claims, start=1)
    )
    return ChatRequest(
        purpose="verify",
        messages=(("user", template.fill(document=document, claims=numbered)),),
        prompt_digest=template.digest,
        schema=batch_schema(len(claims)),
        max_tokens=50 + TOKENS_A_CLAIM * len(claims),
    )


def batch_schema(count: int) -> dict[str, Any]:
    """The schema of the reply on `count` claims."""
    entry = {
        "type": "object",
        "properties": {
            "claim": {"type": "integer", "enum": list(range(1, count + 1))},
            "quote": {"type": "string", "maxLength": QUOTE_LETTERS},
            "verdict": {"type": "string", "enum": list(LABELS)},
        },
        "required": ["claim", "quote", "verdict"],
    }
    verdicts = {"type": "array", "items": entry, "minItems": count, "maxItems": count}
    return {
        "type": "object",
        "properties": {"verdicts": verdicts},
        "required": ["verdicts"],
    }


def entries_before_the_cut(raw: str) -> list[Any]:
    """The complete entries of a reply that was cut; none when it is not known where
    its list begins."""
    thoughts = list(_THOUGHT_END.finditer(raw))
    visible = raw[thoughts[-1].end() :] if thoughts else raw
    begins = list(_LIST.finditer(visible))
    if len(begins) != 1:
        return []
    decoder, position = json.JSONDecoder(strict=False), begins[0].end()
    found: list[Any] = []
    while True:
        position += len(visible[position:]) - len(visible[position:].lstrip(" \t\r\n,"))
        if not visible.startswith("{", position):
            return found
        try:
            value, position = decoder.raw_decode(visible, position)
        except (ValueError, RecursionError):
            return found
        found.append(value)


def _by_number(entries: Sequence[Any]) -> dict[int, Entry | None]:
    """Entries by the number of their claim; None where two differ in their verdict."""
    found: dict[int, Entry | None] = {}
    for value in entries:
        try:
            entry = Entry.model_validate(value)
        except ValueError:
            continue
        before = found.get(entry.claim, entry)
        agree = before is not None and before.verdict == entry.verdict
        found[entry.claim] = before if agree else None
    return found


def _verdict(
    entry: Entry, document: str, claim: str, keys: tuple[str, ...]
) -> BatchVerdict:
    quote = find_quote(document, entry.quote)
    label = Label(entry.verdict)
    # A sentence that says what the claim says does not speak against it.
    says_the_same = quote is not None and find_quote(quote.text, claim) is not None
    if label is Label.CONTRADICTED and (quote is None or says_the_same):
        label = Label.NOT_ENOUGH_INFO
    return BatchVerdict(label, quote, keys)
