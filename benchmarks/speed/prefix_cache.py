"""What asking document first is worth: the same questions in three orders.

    python -m benchmarks.speed.prefix_cache --model NAME [--host HOST] [--pages 5]

Sentences of shipped pages are asked about those pages, one token a reply: by page with
the document first (as the product asks), with the documents alternating, and by page
with the claim first. Prints prompt tokens, the share the server had read before, and
the seconds it spent reading.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest

from claimscope.core.models import Usage
from claimscope.core.ports import ChatModel, ChatRequest
from claimscope.core.text.sentences import sentences
from claimscope.core.verify.witnesses.language_model import ask
from claimscope.stores.pages.folder import read_folder
from claimscope.stores.suites.loading import load_suite
from tests.material.ollama_pool import OllamaServer

CLAIMS = 6


def requests(count: int) -> list[list[ChatRequest]]:
    """Questions on shipped pages, a list for each page."""
    loaded = load_suite("medicine")
    folder = loaded.path.parent / str(loaded.suite.pages)
    pages = sorted(read_folder(folder).pages, key=lambda page: -len(page.text))[:count]
    return [
        [ask(page.text, one.text) for one in sentences(page)[:CLAIMS]] for page in pages
    ]


def claim_first(request: ChatRequest) -> ChatRequest:
    """The same question with the document at its end."""
    ((role, text),) = request.messages
    document, claim, question = text.rsplit("\n\n", 2)
    turned = "\n\n".join((claim, question, document))
    return replace(request, messages=((role, turned),))


async def cost(chat: ChatModel, asked: Sequence[ChatRequest]) -> Usage:
    """Asks one after the other."""
    total = Usage()
    for request in asked:
        total += (await chat.chat(request)).usage
    return total


async def measure(options: argparse.Namespace) -> None:
    by_page = requests(options.pages)
    in_turn = [one for page in by_page for one in page]
    mixed = [one for row in zip_longest(*by_page) for one in row if one is not None]
    orders = {
        "document first, by page": in_turn,
        "document first, pages alternating": mixed,
        "claim first, by page": [claim_first(one) for one in in_turn],
    }
    async with OllamaServer(options.host) as server:
        chat = await server.chat_model(options.model, context_tokens=2048)
        await chat.chat(ask("It rains.", "It is wet."))  # loads the model
        print(f"{options.model}: {len(in_turn)} questions on {len(by_page)} pages")
        for name, asked in orders.items():
            usage = await cost(chat, asked)
            share = usage.cached_tokens / max(usage.prompt_tokens, 1)
            print(
                f"{name:34} {usage.prompt_tokens:6} prompt tokens, {share:4.0%} cached,"
                f" {usage.prompt_seconds:6.1f} s reading, {usage.model_seconds:6.1f} s"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", required=True)
    parser.add_argument("--host")
    parser.add_argument("--pages", type=int, default=5)
    asyncio.run(measure(parser.parse_args()))


if __name__ == "__main__":
    main()
