"""Abstentions that deny a mention: "The pages give no fee for adults".

Whether that is a right abstention or a false statement only the pages can say. So what
is denied is put in one form, which can be held against them; what asks for a reason, a
place or a person is left alone, since words in common answer none of these.
"""

from __future__ import annotations

import re
from typing import NamedTuple

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


class Denial(NamedTuple):
    """What an abstention says of its sources."""

    text: str
    """In one form: "The text does not mention fee for adults."."""
    needs_figure: bool
    """Only a figure would prove it wrong: it asks when, how much, a price."""


def denial(text: str) -> Denial | None:
    """What a sentence says is not in its sources; None where it denies nothing that can
    be looked for."""
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
