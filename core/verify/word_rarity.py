"""How rare words are in plain English: a rare one in common says more than a usual one.

The table is data, counted by benchmarks/quality/fit_verifier.py over the texts that the
verifier was fitted on.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

RARITY_FILE = Path(__file__).with_name("word_rarity.json")
UNKNOWN_RARITY = 1.0


@cache
def _rarities() -> dict[str, float]:
    found: dict[str, float] = {}
    levels = json.loads(RARITY_FILE.read_text(encoding="utf-8"))["rarity"]
    for level, words in levels.items():
        found.update(dict.fromkeys(words.split(), float(level)))
    return found


def rarity(stem: str) -> float:
    """How rare a stem is, (0, 1]; 1 for one never seen. Inverse sentence frequency, by
    logarithm (Spärck Jones 1972)."""
    return _rarities().get(stem, UNKNOWN_RARITY)
