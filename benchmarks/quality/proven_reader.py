"""What the word of a language model is worth that reads better than ours.

    python -m benchmarks.quality.proven_reader --model NAME [--host URL]
    python -m benchmarks.quality.proven_reader --simulated SHARE… ROWS…

The first counts a model on the hard planted claims, as a run does before it asks it of
its own. The second makes models up: each knows what is true of planted claims and rows
and errs on that share of them, at random but always on the same. It shows how verdicts
follow the model that is asked, for models that do not run here; a real model errs on
what is hard, so for one the figures are a bound. Measures are those of
benchmarks/quality/everyday.py.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from hashlib import blake2b
from pathlib import Path

from benchmarks.quality.everyday import Row, line, read
from claimscope.core.backends.ollama.address import server_hosts
from claimscope.core.models import Label, Usage, Verdict
from claimscope.core.ports import ChatReply, ChatRequest, Verifier
from claimscope.core.text.sentences import split_sentences
from claimscope.core.verify.hard_cases import hard_documents
from claimscope.core.verify.planted_cases import CLAIMS
from claimscope.core.verify.token_alignment import AlignedText
from claimscope.core.verify.witnesses.language_model import ModelVerifier
from claimscope.core.verify.witnesses.reading_rates import ReadingRates
from claimscope.core.verify.witnesses.response_bias import Leanings
from tests.material.ollama_pool import OllamaPool

SURE = 0.95
"""Probability of its word that a made-up model gives."""
_ASKED = re.compile(
    r"(?s)Document:\n(?P<document>.*)\n\n(?:Claim|Statement): (?P<claim>.*?)\n\n"
)


@dataclass
class MadeUpModel:
    """A ChatModel that knows the truth and errs on a share of its replies."""

    golds: Mapping[str, Sequence[tuple[str, Label]]]
    """By claim, each document it is asked of with the truth there."""
    errors: float
    name: str = "made-up:1b"
    digest: str | None = None
    context_tokens: int = 8192
    calls: int = field(default=0, init=False)

    async def chat(self, request: ChatRequest) -> ChatReply:
        self.calls += 1
        text = request.messages[-1][1]
        asked = _ASKED.match(text)
        assert asked is not None, text[:80]
        known = self.golds[asked["claim"]]
        if len(known) > 1:  # one claim, and a passage turned round
            known = [max(known, key=lambda x: _likeness(asked["document"], x[0]))]
        gold = known[0][1]
        if request.max_tokens > 1:
            return self._reply(_nearest(asked["document"], asked["claim"]), ())
        is_denial = "cannot be true" in text
        is_yes = gold is (Label.CONTRADICTED if is_denial else Label.SUPPORTED)
        # One wording after the other errs on the same claims, as real ones mostly do.
        if self._errs(f"{is_denial} {asked['claim']}"):
            is_yes = not is_yes
        words = ("Yes", "No") if is_yes else ("No", "Yes")
        shares = zip(words, (math.log(SURE), math.log(1 - SURE)), strict=True)
        return self._reply(words[0], tuple(shares))

    def _errs(self, text: str) -> bool:
        number = int.from_bytes(blake2b(text.encode(), digest_size=8).digest())
        return number / 2**64 < self.errors

    def _reply(self, text: str, words: tuple[tuple[str, float], ...]) -> ChatReply:
        return ChatReply(
            text, None, "stop", words, Usage(calls=1), f"call-{self.calls}"
        )


def _likeness(document: str, text: str) -> float:
    """Share of the words of both that stand in both in one order."""
    return SequenceMatcher(None, document.split(), text.split(), False).ratio()


def _nearest(document: str, claim: str) -> str:
    """The sentence that shares most words with a claim."""
    stems = AlignedText(claim).stems
    spans = split_sentences(document)
    texts = [document[start:end] for start, end in spans]
    return max(texts, key=lambda text: len(stems & AlignedText(text).stems))


def describe(rates: ReadingRates | None) -> str:
    """Rates in a line."""
    if rates is None:
        return "not asked hard claims: it errs on easy ones, or answered none"
    return (
        f"accepted {rates.accepted} of {rates.true} true and {rates.wrongly} of "
        f"{rates.false} others (J {rates.youden:.2f}); denied {rates.denied} of "
        f"{rates.contradicted} contradicted and {rates.wrongly_denied} others; "
        f"{'proven' if rates.is_proven else 'not proven'}"
    )


async def count(name: str, host: str | None) -> None:
    async with OllamaPool(server_hosts(host)) as pool:
        chat = await pool.chat_model(name, context_tokens=4096, seed=7)
        leanings = Leanings()
        began = time.monotonic()
        verifier = ModelVerifier(chat, leanings=leanings)
        await verifier.verify(())  # asks the easy claims, and nothing further
        leaning = leanings.known[chat.name]
        print(f"{name}: on easy claims its word counts {leaning.trust:.0%}")
        print(f"{name}: {describe(await verifier.count_rates(leaning))}")
        print(f"{time.monotonic() - began:.0f} s")


def show(rows: Sequence[Row], found: Sequence[Verdict]) -> None:
    """Each row that came out otherwise than its gold, with what was said of it."""
    for row, verdict in zip(rows, found, strict=True):
        if verdict.label.value != row["gold"]:
            said = [(t.witness, t.says, t.strength) for t in verdict.testimony]
            print(f"{row['gold']} {verdict.word}: {row['claim']!r}")
            print(f"    {row['evidence']!r}\n    {said}")


def simulate(
    errors: Sequence[float], paths: Sequence[Path], *, show_errors: bool
) -> None:
    from claimscope.stores.workspace.configuration import load
    from claimscope.stores.workspace.paths import Workspace
    from claimscope.tui.bootstrap.judges import row_verifier
    from claimscope.tui.cli.commands.answers.verify import judge

    flags: dict[str, object | None] = {"verifier": "none", "model": None}
    settings = load(Workspace.find(None).root, flags).settings
    embedder, reader = row_verifier(settings)
    golds: dict[str, list[tuple[str, Label]]] = {}
    for one in CLAIMS:
        gold = Label.SUPPORTED if one.is_true else Label.CONTRADICTED
        golds[one.claim] = [("", gold)]
    for document in hard_documents():
        for claim in document.claims:
            golds[claim.claim] = [(document.text, claim.gold)]
    for path in paths:
        rows = read(path)
        for row in rows:
            known = golds.setdefault(row["claim"], [])
            known.append((row["evidence"], Label(row["gold"])))
        asked: list[dict[str, object]] = [{**row, "question": None} for row in rows]
        print(f"{path}\n{'errors':18}    n    FS    NS    FC    CR    TS")
        for share in (None, *errors):
            verifier: Verifier = reader
            leanings = Leanings()
            if share is not None:
                verifier = ModelVerifier(
                    MadeUpModel(golds, share), reader, leanings=leanings
                )
            found = asyncio.run(judge(asked, embedder, verifier))
            said = [verdict.label.value for verdict in found]
            if show_errors and share is not None:
                show(rows, found)
            print(line("no model" if share is None else f"{share:.2f}", rows, said))
            for rates in leanings.rates.values():
                print(f"    {describe(rates)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", nargs="*", type=Path, metavar="ROWS")
    parser.add_argument("--model", help="a real one, to be counted")
    parser.add_argument("--host")
    parser.add_argument("--simulated", nargs="+", type=float, metavar="SHARE")
    parser.add_argument("--errors", action="store_true", help="list each error")
    options = parser.parse_args()
    if options.model:
        asyncio.run(count(options.model, options.host))
    if options.simulated:
        simulate(options.simulated, options.rows, show_errors=options.errors)


if __name__ == "__main__":
    main()
