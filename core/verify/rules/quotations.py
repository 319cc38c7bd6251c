"""Quoted words of a claim: do they stand in the evidence, word for word?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from claimscope.core.verify.rules.comparison import Laid, WindowFinding, finding_of
from claimscope.core.verify.token_alignment import AlignedText, AlignedWindow

_QUOTE = re.compile(r"[\"“”]([^\"“”]{8,400})[\"“”]")


def quotes(side: AlignedText, laid: Sequence[Laid]) -> Iterator[WindowFinding]:
    """A finding for each quotation of three words or more."""
    for match in _QUOTE.finditer(side.text):
        quote = match[1]
        if len(quote.split()) < 3:
            continue
        found = next((x for x in laid if _verbatim(quote, x.window)), None)
        if found is not None:
            message = "The quoted words stand in the evidence."
            yield finding_of("quote", "match", quote, quote, message, found.window)
        else:
            message = "The quoted words stand in none of the candidate sentences."
            yield finding_of("quote", "missing", quote, None, message, None)


def _verbatim(quote: str, window: AlignedWindow) -> bool:
    flat = " ".join(word.text.lower() for word in AlignedText(quote).words)
    evidence = window.evidence
    whole = " ".join(
        part for part in (evidence.before, evidence.text, evidence.after) if part
    )
    return flat in " ".join(word.text.lower() for word in AlignedText(whole).words)
