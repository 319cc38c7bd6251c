"""Batch mode and votes on a real, very small model: what it says is poor;
that the server takes the schema and options, and that nothing is made up, is tested."""

from __future__ import annotations

import pytest

from claimscope.core.backends.ollama.server import OllamaChat
from claimscope.core.calls.journalled import JournalledChat
from claimscope.core.models import CallRecord, Label
from claimscope.core.verify.witnesses.language_model import ask
from claimscope.core.verify.witnesses.model_batch import Entry, ask_batch
from claimscope.core.verify.witnesses.self_consistency import vote_share

pytestmark = pytest.mark.ollama

DOCUMENT = (
    "The Lindal light stands on a skerry two miles from the shore. It shows two white "
    "flashes every ten seconds. The keeper's house was given up in 1971."
)
CLAIMS = (
    "The Lindal light stands on a skerry.",
    "The light shows three white flashes every ten seconds.",
    "The keeper's house is painted red.",
)


class Calls:
    """Finished calls in memory."""

    def __init__(self) -> None:
        self.records: dict[str, CallRecord] = {}

    def call(self, key: str) -> CallRecord | None:
        return self.records.get(key)

    def save_call(self, record: CallRecord) -> None:
        self.records[record.key] = record


async def test_a_batch_ends_in_a_verdict_or_a_reason_a_claim(chat: OllamaChat) -> None:
    calls = Calls()
    found = await ask_batch(JournalledChat(chat, calls), DOCUMENT, CLAIMS)
    assert len(found) == len(CLAIMS)
    for one in found:
        assert (one.label is Label.UNSCORED) == (one.problem is not None)
        if one.label is Label.CONTRADICTED:
            assert one.quote is not None
        if one.quote is not None:
            assert DOCUMENT[one.quote.start : one.quote.end] == one.quote.text
    assert 1 <= len(calls.records) <= 1 + len(CLAIMS)
    first = next(iter(calls.records.values())).reply
    places = [first.index(f'"{name}"') for name in Entry.model_fields]
    assert places == sorted(places), "the quotation is written before the verdict"


async def test_votes_are_calls_of_their_own(chat: OllamaChat) -> None:
    calls = Calls()
    journalled = JournalledChat(chat, calls)
    share, keys = await vote_share(journalled, ask(DOCUMENT, CLAIMS[0]), 3)
    assert 0 < share < 1
    assert 2 <= len(set(keys)) == len(keys) <= 3
    seeds = {record.options["seed"] for record in calls.records.values()}
    assert seeds == {1, 2, 3}
