"""Sends hostile strings through every text of every screen and counts what leaks.

    python -m benchmarks.durability.hostile_strings [--strings 10000] [--seed 7]

Escape sequences, control bytes, marks that turn text around, Textual's markup: put
into every field that foreign text can come from (tests/tui/hostile.py), then every
screen and dialog is opened and every cell looked at. A leak, or an error of markup, is
printed; the exit code is then 1.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import time

from tests.tui.hostile import SIZE, hostile, poisoned_gateway, visit
from tests.tui.pilot import app_on


async def once(chance: random.Random) -> tuple[int, list[str]]:
    """(strings, leaks) of one gateway and all screens on it."""
    sent = 0

    def text() -> str:
        nonlocal sent
        sent += 1
        return hostile(chance)

    app = app_on(poisoned_gateway(text))
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        return sent, await visit(pilot)


def main() -> int:
    """Prints strings, rounds, seconds, leaks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--strings", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=7)
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    sent = rounds = 0
    leaked: list[str] = []
    began = time.perf_counter()
    while sent < arguments.strings:
        count, found = asyncio.run(once(chance))
        sent, rounds = sent + count, rounds + 1
        leaked += found
        for leak in found[:5]:
            print(f"round {rounds}: {leak}", flush=True)
    seconds = time.perf_counter() - began
    print(f"{sent} strings, {rounds} rounds, {seconds:.0f} s, {len(leaked)} leaks")
    return 1 if leaked else 0


if __name__ == "__main__":
    sys.exit(main())
