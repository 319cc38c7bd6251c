"""A sentence for each claim of the case that an answer lacks, and what it would bring.

The sentence is the claim in its own words, so that it is found for certain (its
likeness is 1 and no rule conflicts); completeness is counted anew by the formula of
claim_completeness: 100 x required claims found / required claims.
"""

from __future__ import annotations

from collections.abc import Iterator

from claimscope.core.models import Importance, Model, SampleResult


class Completion(Model):
    """One sentence to add, or to put in place of what the answer says instead."""

    claim: str
    importance: Importance
    sentence: str
    replaces: str | None
    """What the answer says that conflicts with it; None: it is to be added."""
    completeness: float
    """0-100, with this sentence alone."""
    completeness_with_all: float
    """0-100, with the sentences of all claims that are missing."""


def completions(sample: SampleResult) -> Iterator[Completion]:
    """In the order of the case. Nothing where completeness has no value; claims that
    are only expected or optional change no figure."""
    required = [one for one in sample.required_claims if one.importance == "required"]
    if not required or any(one.unscored_reason for one in required):
        return
    found = sum(one.found for one in required)
    for one in sample.required_claims:
        if one.found or one.unscored_reason:
            continue
        is_counted = one.importance == "required"
        yield Completion(
            claim=one.text,
            importance=one.importance,
            sentence=as_sentence(one.text),
            replaces=one.conflicts_with,
            completeness=100 * (found + is_counted) / len(required),
            completeness_with_all=100.0,
        )


def as_sentence(claim: str) -> str:
    """With a capital and a full stop.

    >>> as_sentence("the ferry leaves at 8:15")
    'The ferry leaves at 8:15.'
    """
    text = " ".join(claim.split())
    ending = "" if text[-1:] in ".!?…。" else "."
    return f"{text[:1].upper()}{text[1:]}{ending}"


def completion_words(one: Completion) -> str:
    """`add “…”: completeness 100`."""
    how = f"in place of “{one.replaces}” " if one.replaces else "add "
    return f"{how}“{one.sentence}”: completeness {one.completeness:.4g}"
