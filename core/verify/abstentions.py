"""Abstentions that the pages prove wrong: "The pages give no fee for adults".

An answer that says "the text gives no fee for adults" abstains where the text gives
none, and is wrong where it does. What it denies is held against the pages; only where a
statement has all words of it, and the figure that was asked for, the abstention becomes
a claim, and a contradicted one. What asks for a reason, a place or a person is left
alone, since words in common answer none of these.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

from claimscope.core.models import Claim, ClaimResult, Label, Skipped
from claimscope.core.verify.decomposition import Decomposition

_SOURCE = (
    r"(?P<source>(?:the|this|that|these|those|my|your)\s+(?:[\w’'-]+\s+){0,2}?(?:sources?"
    r"|pages?|documents?|context|passages?|texts?|website|site|excerpts?|abstracts?"
    r"|reports?|articles?|guides?|manuals?|leaflets?|documentation|materials?|records?))"
)
_OPENING = (
    r"^(?:(?:i['’]?\s?a?m\s+)?sorry,?\s+(?:but\s+)?|unfortunately,?\s+|however,?\s+)?"
)
_DENIED = tuple(
    re.compile(_OPENING + pattern, re.I)
    for pattern in (
        _SOURCE
        + r"\s+(?:do(?:es)?|did)(?:n['’]t|\s+not)\s+(?:mention|give|state|list|name"
        r"|contain|include|provide|specify|say\s+anything\s+(?:about|on|of))\s+"
        r"(?:any\s+|an?\s+|the\s+)?(?P<what>[^.;:]{3,120})[.!]?$",
        _SOURCE + r"\s+(?:gives?|names?|lists?|mentions?|states?|contains?|includes?"
        r"|provides?|ha(?:s|ve))\s+no\s+(?P<what>[^.;:]{3,120})[.!]?$",
        r"(?P<what>[^.;:,]{3,120}?)\s+(?:is|are|was|were)(?:n['’]t|\s+not)\s+(?:mentioned"
        r"|given|stated|listed|named|specified)\s+(?:anywhere\s+)?(?:in|by|on)\s+"
        + _SOURCE
        + r"[.!]?$",
    )
)
_IN_SOURCE = re.compile(rf"(?i)\s+in\s+{_SOURCE}$")
_EMPTY = re.compile(
    r"(?i)(?:any\s+|further\s+|more\s+)?(?:information|details?|mention|answer|data"
    r"|it|this|that|them)\b"
)
_OPEN = re.compile(r"(?i)(?:whether|if|why|who|whom|whose|where|what|which|how)\b")
_AMOUNT = re.compile(
    r"(?i)(?:how\s+(?:many|much|long|far|old|often)|when)\b|\b(?:price|fee|cost|date|year"
    r"|number|amount|age|dose|rate|time|hours|length|weight|height|size|total|count"
    r"|duration|port|version)s?\b"
)
Verify = Callable[[Decomposition], Awaitable[Sequence[ClaimResult]]]
WITNESS = "mention"
"""Who must have found it (witnesses/whole_list.py): likeness proves nothing."""


class Denial(NamedTuple):
    """What an abstention says of its sources."""

    text: str
    """In one form: "The text does not mention fee for adults."."""
    needs_figure: bool
    """Only a figure would prove it wrong: it asks when, how much, a price."""


def find_denial(text: str) -> Denial | None:
    """What a sentence says is not in its sources, where it can be looked for."""
    for pattern in _DENIED:
        match = pattern.match(text.strip()) if len(text) < 300 else None
        if match is None:
            continue
        what = _IN_SOURCE.sub("", match["what"].strip())
        is_amount = _AMOUNT.search(what) is not None
        if _EMPTY.match(what) or (_OPEN.match(what) and not _AMOUNT.match(what)):
            return None
        return Denial(f"The text does not mention {what}.", is_amount)
    return None


async def refuted_abstentions(
    taken: Decomposition, verify: Verify
) -> tuple[Decomposition, tuple[ClaimResult, ...]]:
    """The decomposition without the abstentions that are wrong, and these as claims."""
    found = [
        (part, said)
        for part in taken.skipped
        if part.reason == "abstention" and (said := find_denial(part.text)) is not None
    ]
    if not found:
        return taken, ()
    asked = tuple(_claim(n, part, said.text) for n, (part, said) in enumerate(found))
    results = await verify(Decomposition(asked, (), abstained=False))
    wrong = [
        (part, result)
        for (part, said), result in zip(found, results, strict=True)
        if _is_wrong(said, result)
    ]
    parts = {id(part) for part, _ in wrong}
    left = tuple(part for part in taken.skipped if id(part) not in parts)
    claims = tuple(
        result.model_copy(
            update={"claim": result.claim.model_copy(update={"text": part.text})}
        )
        for part, result in wrong
    )
    abstained = taken.abstained and not claims
    return Decomposition(taken.claims, left, abstained), claims


def merge_in_order(
    claims: Sequence[ClaimResult], more: Sequence[ClaimResult]
) -> tuple[ClaimResult, ...]:
    """All claims by their place in the answer, numbered anew."""
    if not more:
        return tuple(claims)
    both = sorted([*claims, *more], key=lambda result: result.claim.start)
    return tuple(
        one.model_copy(update={"claim": one.claim.model_copy(update={"index": index})})
        for index, one in enumerate(both)
    )


def _claim(index: int, part: Skipped, text: str) -> Claim:
    return Claim(
        index=index,
        text=text,
        start=part.start,
        end=part.end,
        sentence_start=part.start,
        sentence_end=part.end,
    )


def _is_wrong(said: Denial, result: ClaimResult) -> bool:
    verdict = result.verdict
    found = [one for one in verdict.testimony if one.witness == WITNESS]
    if verdict.label is not Label.CONTRADICTED or not found:
        return False
    shown = " ".join(one.text for one in verdict.evidence[:1])
    return not said.needs_figure or any(char.isdigit() for char in shown)
