"""The same 20 verdicts from Ollama and from llama.cpp's own server, on one model.

    python -m benchmarks.quality.two_servers [FOLDER] [MODEL] [--host HOST]

Both have the weights, the chat template and the context length of `make ollama`
(FOLDER, .ollama); Ollama is asked by its own API, llama-server by that of OpenAI. Each
of 20 claims is asked in the three wordings of a run, and counts as stated when the mean
is beyond the middle of the model's answers on that server, as a run counts it. Printed:
how many verdicts are the same, how far apart the probabilities of Yes are, and how many
verdicts of each are right.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.tools.llama_server import Missing, serving
from claimscope.core.backends.openai.server import OpenAIHost
from claimscope.core.backends.pool.pool import ModelPool
from claimscope.core.errors import ClaimscopeError
from claimscope.core.grade.probing import is_accepted
from claimscope.core.ports import ChatModel
from claimscope.core.verify.planted_cases import CLAIMS, DOCUMENTS, SENTENCES
from claimscope.core.verify.witnesses.fusion import mean_probability
from claimscope.core.verify.witnesses.model_question import WORDINGS, ask, yes
from claimscope.core.verify.witnesses.response_bias import leaning_of
from tests.material.ollama_pool import OllamaServer

ROOT = Path(__file__).resolve().parents[2]

CONTEXT = 2048
MILL = (
    ("The mill has had a turbine since 1926.", True),
    ("One can see tools there.", True),
    ("The mill at Dorn was built in 1911.", False),
    ("The mill ground rye until 1985.", False),
)


@dataclass(frozen=True)
class Pair:
    """A claim with what each server made of it."""

    claim: str
    is_true: bool
    said: tuple[bool, bool]
    """Whether it counts as stated."""
    probabilities: tuple[float, float]
    """Of Yes, the mean of the wordings."""

    @property
    def is_same(self) -> bool:
        """Whether both gave one verdict."""
        return self.said[0] == self.said[1]

    @property
    def apart(self) -> float:
        """Between the two probabilities."""
        return abs(self.probabilities[0] - self.probabilities[1])


def asked() -> list[tuple[str, str, bool]]:
    """The 20 claims: (document, claim, whether it states it)."""
    mill = " ".join(SENTENCES)
    found = [(DOCUMENTS[one.document], one.claim, one.is_true) for one in CLAIMS]
    return found + [(mill, claim, is_true) for claim, is_true in MILL]


async def verdicts(chat: ChatModel) -> list[tuple[bool, float]]:
    """(whether it counts as stated, probability of Yes) of each. Raises ModelError."""
    found = [
        mean_probability(
            [yes(await chat.chat(ask(text, claim, word))) for word in WORDINGS]
        )
        for text, claim, _ in asked()
    ]
    truth = [is_true for *_, is_true in asked()]
    sides = [
        [p for p, is_true in zip(found, truth, strict=True) if is_true is side]
        for side in (True, False)
    ]
    leaning = leaning_of(*sides)
    return [(is_accepted(probability, leaning), probability) for probability in found]


async def compared(first: ChatModel, second: ChatModel) -> list[Pair]:
    """Each claim asked of both. Raises ModelError."""
    both = zip(asked(), await verdicts(first), await verdicts(second), strict=True)
    return [
        Pair(claim, is_true, (one[0], other[0]), (one[1], other[1]))
        for (_, claim, is_true), one, other in both
    ]


def figure(pairs: Sequence[Pair]) -> str:
    """`20 of 20 verdicts are the same; …`."""
    same = sum(pair.is_same for pair in pairs)
    apart = [pair.apart for pair in pairs]
    right = [sum(pair.said[n] is pair.is_true for pair in pairs) for n in (0, 1)]
    return (
        f"{same} of {len(pairs)} verdicts are the same; probabilities at most "
        f"{max(apart):.3f} apart, mean {sum(apart) / len(apart):.4f}; right: "
        f"{right[0]} by Ollama, {right[1]} by llama-server"
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
        first, second = pair.probabilities
        word = "Yes" if pair.said[0] else "No"
        print(f"{sign} {first:.3f} {second:.3f}  {word:<4} {pair.claim}")
    print(f"{chosen.model}: {figure(pairs)}")


if __name__ == "__main__":
    main()
