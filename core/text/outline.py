"""What each sentence of an answer stands under: heading, lead-in, items, question.

Of a list that is read line by line a claim would keep "in the town hall" and lose who
meets there. So the reader of an answer knows the heading and the lead-ins that are open
at a sentence, by the indents of the list, and what was asked just before.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from claimscope.core.text.lead_ins import (
    LONGEST,
    continues_sentence,
    counts_only,
    is_announced,
    is_open_ended,
    read_under,
    strip_number,
    topic_of,
)
from claimscope.core.text.linguistics import has_clause
from claimscope.core.text.sentences import Span

FENCES = ("```", "~~~")
DEEPEST = 100
"""Characters of an indent."""
MOST_ITEMS = 12
"""List items that are counted behind a lead-in."""
_LIST_ITEM = re.compile(r"\s*(?:>\s?)*(?:[-*+•‣◦▪·–]|\(?\d{1,3}[.)]|\(?[a-z]\))\s")
_LEAD_IN = re.compile(
    r"(?i)^(?:here|these|this|below|the following|steps?|note|i \w+|in (?:short"
    r"|summary))\b"
)
_ASKED = re.compile(r"^(?:Q|Question)(?: ?\d{1,2})?[:.)]\s*", re.I)
_FIELD = re.compile(r"^([A-Z][\w/&'’() -]{0,40}):\s+(\S.*)$", re.S)


def is_item(raw: str) -> bool:
    """Whether a sentence opens an item of a list."""
    return _LIST_ITEM.match(raw) is not None


def is_field(text: str) -> bool:
    """Whether a text is a label with a value: "Fee: 20 marks"."""
    return _FIELD.match(text) is not None


@dataclass
class Outline:
    """Where the reader of an answer stands."""

    answer: str
    spans: Sequence[Span]
    heading: str | None = None
    leads: list[tuple[int, str]] = field(default_factory=list)
    """Indent and text of the lead-in, and of the items that have items of their own."""
    question: str | None = None
    """What was asked just before."""

    @property
    def lead(self) -> str | None:
        """The nearest lead-in."""
        return self.leads[-1][1] if self.leads else None

    @property
    def topic(self) -> str | None:
        """What a fragment stands under."""
        return self.lead or self.heading

    def enter(self, title: str) -> None:
        """A heading."""
        self.leads = []
        title = strip_number(title).rstrip(": ")
        is_asked = title.endswith("?")
        self.question = _ASKED.sub("", title, count=1) if is_asked else None
        self.heading = None if is_asked else topic_of(title)

    def reach(self, number: int) -> int:
        """Comes to a sentence; its indent, -1 where it is no item of a list."""
        span = self.spans[number]
        if is_item(self.answer[slice(*span)]):
            indent = self._indent(span)
            self.leads = [one for one in self.leads if one[0] < indent]
            return indent
        if self.opens_line(number):
            self.leads = []
        return -1

    def ask(self, text: str, *, is_item: bool) -> None:
        """Keeps a question for what stands behind it; all items of a list answer it."""
        if text.endswith("?"):
            self.question = _ASKED.sub("", text, count=1)
        elif not is_item:
            self.question = None

    def leads_in(self, text: str, number: int, items: int) -> bool:
        """Is it a lead-in, whose `items` say what there is to say?"""
        if not text.endswith(":"):
            if not items or text[-1:] in ".!?…" or is_field(text):
                return False
            return not has_clause(text) or continues_sentence(self._item(number + 1))
        if _LEAD_IN.match(text) or is_announced(text):
            return True
        if not has_clause(text):  # "Set `idle` in `a.toml`:" says what to do
            return "`" not in self.answer[slice(*self.spans[number])]
        return counts_only(text, items) or (
            items > 0 and is_open_ended(text.rstrip(": "))
        )

    def _item(self, number: int) -> str:
        """How an item begins, without its mark."""
        start, end = self.spans[number]
        return _LIST_ITEM.sub("", self.answer[start : min(end, start + 200)]).lstrip(
            "*_ "
        )

    def open(self, indent: int, text: str) -> None:
        """A lead-in: what stands behind it is read with it."""
        bare = text.rstrip(": ")
        has_said = has_clause(bare) and not is_announced(bare)
        lead = bare if has_said else topic_of(bare)
        if lead is not None and self.lead is not None:
            lead = read_under(self.lead, lead)
        if lead is not None and len(lead) <= LONGEST:
            self.leads = [*self.leads, (indent, lead)]

    def items_after(self, number: int, indent: int) -> int:
        """Items of a list that follow, deeper than `indent`; 1 for a table or code."""
        found = 0
        first = -1
        for after in self.spans[number + 1 : number + 1 + 3 * MOST_ITEMS]:
            raw = self.answer[after[0] : min(after[1], after[0] + 200)]
            if not found and raw.startswith(("|", *FENCES)):
                return 1
            if is_item(raw):
                own = self._indent(after)
                first = own if first < 0 else first
                if own <= indent or own < first:
                    break
                found += own == first
            elif not found or "\n" in self.answer[max(0, after[0] - 3) : after[0]]:
                break
        return found

    def opens_line(self, number: int) -> bool:
        """Whether a sentence is the first of its line."""
        if number == 0:
            return True
        before, here = self.spans[number - 1][1], self.spans[number][0]
        return "\n" in self.answer[before:here]

    def ends_line(self, number: int) -> bool:
        """Whether a sentence is the last of its line."""
        return number + 1 == len(self.spans) or self.opens_line(number + 1)

    def follows_list(self, number: int) -> bool:
        """Whether a line stands behind a list and is not of it."""
        if number == 0 or not self.opens_line(number):
            return False
        here, before = self.spans[number], self.spans[number - 1]
        return is_item(self.answer[slice(*before)]) and not is_item(
            self.answer[slice(*here)]
        )

    def _indent(self, span: Span) -> int:
        near = max(0, span[0] - DEEPEST)
        line = self.answer.rfind("\n", near, span[0]) + 1
        before = self.answer[max(line, near) : span[0]]
        return len(before.expandtabs(4)) if before.isspace() or not before else 0
