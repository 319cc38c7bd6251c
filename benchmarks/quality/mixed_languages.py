"""Sentences in many languages with code put into them: told by their prose?

    python -m benchmarks.quality.mixed_languages [--tries 5000] [--seed 7]

English frames and the examples that spaCy brings for other languages get a random key,
address, command or call, in backticks, bare or as a block. It fails when an English
one is told as anything else, and when another one is taken for English or for no
language. Prints tries and failures, and how many were taken for a neighbour of their
language (Slovak for Czech), which changes nothing. Exit 1 for any failure.
"""

from __future__ import annotations

import argparse
import random
import string
import sys
from collections import Counter

from benchmarks.quality.language_detection import LANGUAGES, examples
from claimscope.core.text.languages import language_of

FRAMES = (
    "Pin the image with {}.", "By default {} applies.", "The value is {}.",
    "Use {} once for each request.", "{} turns compression on.", "It returns {}.",
    "Nothing happens until somebody calls {} twice.", "Set {} before you start it.",
)  # fmt: skip
NAMES = (
    "lamp level retry user_id minSize Request GZip token db host from import".split()
)
HELD = ("`{}`", "{}", "\n```\n{}\n```\n")


def code(chance: random.Random) -> str:
    """A piece of code of some kind."""

    def some(letters: str, most: int) -> str:
        return "".join(chance.choices(letters, k=chance.randint(8, most)))

    def name() -> str:
        return chance.choice(NAMES)

    kinds = (
        lambda: f"sha256:{some('0123456789abcdef', 64)}",
        lambda: some(string.ascii_letters + string.digits + "_-.", 90) + "=0",
        lambda: f"{name()}.{name()}({name()}={chance.randint(0, 99)}, {name()}=True)",
        lambda: f"https://{name()}.example/{name()}/{some('abcdef0123456789', 20)}?q=1",
        lambda: f"{name()} --{name()}={name()} -x ./{name()}/{name()}.py | {name()} -9",
        lambda: f"{{'{name()}': [{chance.randint(0, 9)}, None], '{name()}': {{}}}}",
        lambda: " ".join(f"0x{some('0123456789abcdef', 10)}" for _ in range(4)),
        lambda: f"SELECT {name()} FROM {name()} WHERE {name()} > 3 AND {name()} <> 1;",
    )
    return chance.choice(kinds)()


def put_into(sentence: str, piece: str, chance: random.Random) -> str:
    """The sentence with the piece between two of its words, or behind it."""
    words = sentence.split(" ")
    at = chance.randint(0, len(words)) if "\n" not in piece else len(words)
    return " ".join([*words[:at], piece, *words[at:]])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tries", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    others = [text for one in LANGUAGES for text in examples(one)]
    # A short text is taken for English without any code too: that is not tried here.
    others = [text for text in others if language_of(text) != "en"]
    tries: Counter[str] = Counter()
    neighbours = 0
    faults: dict[str, list[str]] = {"English": [], "others": []}
    for number in range(options.tries):
        piece = chance.choice(HELD).format(code(chance))
        if number % 2:
            what, right = "English", "en"
            text = chance.choice(FRAMES).format(piece)
        else:
            plain = chance.choice(others)
            what, right = "others", language_of(plain)
            text = put_into(plain, piece, chance)
        tries[what] += 1
        found = language_of(text)
        if found not in (right, "en", "zxx") and right != "en":
            neighbours += 1
        elif found != right:
            faults[what].append(f"{found} for {right}: {text!r}")
    for what, wrong in faults.items():
        print(f"{what}: {tries[what]} tries, {len(wrong)} failures")
        for one in wrong[:10]:
            print(f"  {one}")
    print(f"taken for a neighbour: {neighbours}")
    return 1 if any(faults.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
