"""How models lean on the planted claims, and how far their word would count.

    python -m benchmarks.quality.leaning MODEL… [--host URL] [--write]

The calls are those a run begins with. `--write` puts the first model's figures into
core/verify/witnesses/model_weights.json: the model that the weights there were fitted
with.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from collections.abc import Mapping
from typing import Any

from claimscope.core.backends.ollama.address import server_hosts
from claimscope.core.verify.witnesses.fusion import WEIGHTS_FILE, Leaning
from claimscope.core.verify.witnesses.language_model import ModelVerifier
from claimscope.core.verify.witnesses.response_bias import Leanings
from tests.material.ollama_pool import OllamaPool


def write_weights(data: Mapping[str, Any]) -> None:
    """The data file of the weights, one key a line."""
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in data.items()]
    WEIGHTS_FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


async def measured(name: str, host: str | None) -> Leaning:
    async with OllamaPool(server_hosts(host)) as pool:
        chat = await pool.chat_model(name, context_tokens=4096, seed=7)
        leanings = Leanings()
        await ModelVerifier(chat, leanings=leanings).verify([])
        return leanings.known[chat.name]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="+", metavar="MODEL")
    parser.add_argument("--host")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    found = []
    for name in options.models:
        began = time.monotonic()
        leaning = asyncio.run(measured(name, options.host))
        found.append(leaning)
        print(
            f"{name}: centre {leaning.center:+.2f}, gap {leaning.gap:.2f}, "
            f"spread {leaning.spread:.2f}, its word "
            f"counts {leaning.trust:.0%} ({time.monotonic() - began:.0f} s)"
        )
    if options.write:
        data = json.loads(WEIGHTS_FILE.read_text(encoding="utf-8"))
        first = found[0]
        data["planted"] = {
            "center": round(first.center, 2),
            "gap": round(first.gap, 2),
            "spread": round(first.spread, 2),
        }
        write_weights(data)


if __name__ == "__main__":
    main()
