"""Text of an answer fenced off in a prompt, so that it cannot speak as the prompt."""

from __future__ import annotations

from collections.abc import Sequence

from claimscope.core.models import digest

LEFT_OUT = "[an order to the judge was left out here]"


def fence_mark(text: str, *others: str) -> str:
    """A delimiter for `text` that neither it nor any of `others` contains.

    It is made from all of the text, so the same text has the same mark; where another
    text holds it, because its author knew this one, the next one is taken.
    """
    around = [one.casefold() for one in (text, *others)]
    number = 0
    while True:
        found = digest("mark", *([str(number)] if number else []), text)[:20]
        if not any(found in one for one in around):
            return found
        number += 1


def leave_out_spans(answer: str, spans: Sequence[tuple[int, int]]) -> str:
    """The answer with each span replaced by a note."""
    pieces, position = [], 0
    for start, end in sorted(spans):
        if start >= position:
            pieces += [answer[position:start], LEFT_OUT]
        position = max(position, end)
    return "".join([*pieces, answer[position:]])
