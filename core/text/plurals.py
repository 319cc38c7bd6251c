"""A number with its noun: `1 claim`, `2 claims`, `1,204 entries`."""

from __future__ import annotations


def counted_noun(count: int, noun: str) -> str:
    """`count` with thousands set apart and its noun, of whose words the last agrees."""
    if count != 1:
        ends_in_y = noun.endswith("y") and noun[-2:-1] not in tuple("aeiou")
        noun = f"{noun[:-1]}ies" if ends_in_y else f"{noun}s"
    return f"{count:,} {noun}"


def verb_of(count: int, one: str, several: str) -> str:
    """The verb that agrees with so many: `was` or `were`."""
    return one if count == 1 else several
