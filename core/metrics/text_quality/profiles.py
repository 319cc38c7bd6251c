"""Kinds of text that an answer may be asked to be, as data (quality_profiles.toml).

The document's length and structure measure every answer as a small essay; a chat, a
report, a list and a plain yes are good in other ways.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from claimscope.core.models import Model

FILE = Path(__file__).with_name("quality_profiles.toml")
REPLIES = frozenset("yes no yeah yep nope certainly absolutely indeed correct".split())
"""First words that say yes or no."""


class Profile(Model):
    """One kind of text; fields as in the file."""

    words: tuple[int, int]
    parts: tuple[str, ...]
    words_a_paragraph: int = 100
    least_items: int = 1


@cache
def profiles() -> dict[str, Profile]:
    """Those that ship, by name."""
    found = tomllib.loads(FILE.read_text("utf-8"))
    return {name: Profile.model_validate(fields) for name, fields in found.items()}


def profile_of(name: str) -> Profile | None:
    """None for the document's own formulas."""
    return profiles().get(name)
