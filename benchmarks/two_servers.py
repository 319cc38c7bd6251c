"""The same 20 verdicts from Ollama and from llama.cpp's own server, on one model.

    python benchmarks/two_servers.py [FOLDER] [MODEL] [--host HOST]

Both have the weights, the chat template and the context length of `make ollama`
(FOLDER, .ollama); Ollama is asked by its own API, llama-server by that of OpenAI. For
each of 20 claims the verdict of the model's word alone, in three wordings, from each:
how many are the same, and how far apart the probabilities of Yes are.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / ".src"), str(ROOT / "benchmarks")]

from llama_server import Missing, serving  # noqa: E402

from claimscope.core.errors import ClaimscopeError  # noqa: E402
from claimscope.core.inference.ollama import OllamaServer  # noqa: E402
from claimscope.core.inference.openai_host import OpenAIHost  # noqa: E402
from claimscope.core.inference.pool import ModelPool  # noqa: E402
from claimscope.core.judging.probe_cases import (  # noqa: E402
    CLAIMS,
    DOCUMENTS,
    SENTENCES,
)
from claimscope.core.models import Evidence, Label, RuleFinding  # noqa: E402
from claimscope.core.ports import ChatModel, Question  # noqa: E402
from claimscope.core.verification.by_model import ModelVerifier  # noqa: E402

CONTEXT = 2048
MILL = (
    "The mill has had a turbine since 1926.",
    "One can see tools there.",
    "The mill at Dorn was built in 1911.",
    "The mill ground rye until 1985.",
)


@dataclass(frozen=True)
class Pair:
    """A claim with what each server made of it."""

    claim: str
    labels: tuple[Label, Label]
    supports: tuple[float, float]

    @property
    def is_same(self) -> bool:
        """Whether both gave one verdict."""
        return self.labels[0] == self.labels[1]

    @property
    def apart(self) -> float:
        """Between the two supports."""
        return abs(self.supports[0] - self.supports[1])


def questions() -> list[Question]:
    """The 20 claims, each on its document."""
    found = [(DOCUMENTS[one.document], one.claim) for one in CLAIMS]
    found += [(" ".join(SENTENCES), claim) for claim in MILL]
    return [
        Question(
            claim,
            (Evidence(page_id="d", index=0, text=text, start=0, end=len(text)),),
        )
        for text, claim in found
    ]


def no_rules(claim: str, evidence: Sequence[Evidence]) -> Sequence[RuleFinding]:
    """The model's word alone."""
    return ()


async def compared(first: ChatModel, second: ChatModel) -> list[Pair]:
    """Each claim asked of both. Raises ModelError."""
    asked = questions()
    said = [
        await ModelVerifier(chat, find_rules=no_rules).verify(asked)
        for chat in (first, second)
    ]
    return [
        Pair(
            question.claim,
            (one.label, other.label),
            (one.support or 0.0, other.support or 0.0),
        )
        for question, one, other in zip(asked, *said, strict=True)
    ]


def figure(pairs: Sequence[Pair]) -> str:
    """`20 of 20 verdicts are the same; supports at most 0.003 apart, mean 0.001`."""
    same = sum(pair.is_same for pair in pairs)
    apart = [pair.apart for pair in pairs]
    return (
        f"{same} of {len(pairs)} verdicts are the same; supports at most "
        f"{max(apart):.3f} apart, mean {sum(apart) / len(apart):.4f}"
    )


async def compare(folder: Path, host: str, model: str) -> list[Pair]:
    """Starts llama-server, asks both. Raises Missing, ModelError."""
    with serving(folder, model, context=CONTEXT) as url:
        async with (
            OllamaServer(host) as ollama,
            ModelPool([OpenAIHost(url)]) as other,
        ):
            first = await ollama.chat_model(model, context_tokens=CONTEXT)
            second = await other.chat_model(model, context_tokens=CONTEXT)
            return await compared(first, second)


def main() -> None:
    """See the module's docstring."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / ".ollama")
    parser.add_argument("model", nargs="?", default="smollm2:135m")
    parser.add_argument("--host", default="127.0.0.1:11555")
    chosen = parser.parse_args()
    try:
        pairs = asyncio.run(compare(chosen.folder, chosen.host, chosen.model))
    except (Missing, ClaimscopeError) as error:
        sys.exit(str(error))
    for pair in pairs:
        sign = "=" if pair.is_same else "≠"
        first, second = pair.supports
        print(f"{sign} {first:.3f} {second:.3f}  {pair.labels[0]:<16} {pair.claim}")
    print(f"{chosen.model}: {figure(pairs)}")


if __name__ == "__main__":
    main()
