"""Claims of an answer, without a model (METRICS F).

By sentence, split at conjuncts with a subject and a verb of their own; what states
no fact is listed as skipped. A claim adds nothing: its words stand in its sentence,
but for a subject named just before (a pronoun resolved) and the heading or table head
a bare fragment stands under. A claim that loses words brings its sentence back.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from operator import attrgetter, itemgetter

from claimscope.core.models import Claim, Skipped
from claimscope.core.text.citations import Marker, find
from claimscope.core.text.linguistics import (
    Subject,
    clause_cuts,
    has_clause,
    resolved,
    subject,
)
from claimscope.core.text.orders import planted
from claimscope.core.text.plain import Plain, plain
from claimscope.core.text.remarks import is_abstention, remark
from claimscope.core.text.sentences import Span, split

__all__ = ["Decomposition", "added", "decompose", "is_empty", "lost", "planted"]

_EMPTY = re.compile(
    r"(?i)[\W_]*+(?:n\.?/?a\.?|none|null|nil|nan|undefined|empty)?[\W_]*+"
)
_HEADING = re.compile(r"\s*#{1,6}\s|.*\n\s*(?:=+|-{2,})\s*$", re.S)
_BOLD_LINE = re.compile(r"\s*(?:\*\*|__)[^*_\n]{1,80}(?:\*\*|__):?\s*")
_LIST_ITEM = re.compile(r"\s*(?:>\s?)*(?:[-*+•‣◦▪·–]|\(?\d{1,3}[.)]|\(?[a-z]\))\s")
_ROW = re.compile(r"\s*\|.*\|\s*", re.S)
_RULER = re.compile(r"\n\s*\|?\s*:?-{2,}")
_FIELD = re.compile(r"^([A-Z][\w/&'’() -]{0,40}):\s+(\S.*)$", re.S)
_LEAD_IN = re.compile(
    r"(?i)^(?:here|these|this|below|the following|steps?|note|i \w+|in (?:short"
    r"|summary))\b"
)
_OPENERS = frozenset("*_`[(\"“‘'")
_NUMBER_WORD = re.compile(
    r"(?i)\d|\b(?:two|three|four|five|six|seven|eight|nine|ten)\b"
)
_FRAME = re.compile(
    r"(?i)^(?:(?:but|however|and)[, ]+)?(?:(?:they|it|(?:the"
    r"|these) (?:[\w’'-]+ )?(?:sources?"
    r"|pages?|documents?|passages?|texts?|web ?sites?|site|abstracts?))(?: do| does)?"
    r" (?:say|state|report|mention|note|show|confirm)s? that"
    r"|what (?:they|it) (?:do |does )?(?:say|report|state|mention)s? is that"
    r"|according to (?:the|these) (?:[\w’'-]+ )?(?:sources?|pages?|documents?|passages?"
    r"|texts?|website|web site|site|abstracts?),)\s+"
)
_REPLY = re.compile(r"(?i)(?:yes|no|sure|certainly|of course)[,:]\s+(?=\w+ \w+ \w+)")
_BOLD_NAME = re.compile(r"(?:\*\*|__)([A-Z][^*_\n:]{2,60}?)(?:\*\*|__)(?!:)")
_LINK = re.compile(r"!?\[[^\[\]]*\]\([^()]*\)|https?://\S+|\[[^\[\]]*\]")
_WORD = re.compile(r"[^\W_]+(?:[.,]\d+)*")  # an underscore may be a mark of emphasis
_START = attrgetter("start")
_FUNCTION_WORDS = frozenset(
    """a an the and but so or of to in on at by for with from as is are was were be been
    it its they their he his she her this that these those which who whom whose while
    whereas also then there""".split()
)


@dataclass(frozen=True)
class Decomposition:
    """Claims of an answer and what of it states no fact."""

    claims: tuple[Claim, ...]
    skipped: tuple[Skipped, ...]
    abstained: bool
    """It states no fact and says that it does not know."""


def decompose(answer: str, known_page_ids: Collection[str] = ()) -> Decomposition:
    """Claims and skipped parts of an answer in Markdown, in order of the text."""
    reading = _Reading(
        answer,
        find(answer, known_page_ids),
        planted(answer),
        sole_name=_bold_name(answer),
    )
    for span in split(answer, "markdown"):
        reading.take(span)
    return Decomposition(
        tuple(reading.claims),
        tuple(reading.skipped),
        not reading.claims
        and any(item.reason == "abstention" for item in reading.skipped),
    )


def is_empty(answer: str) -> bool:
    """Whether an answer says nothing at all: blank, "N/A", a lone dash."""
    return _EMPTY.fullmatch(answer) is not None


def added(claim: str, source: str) -> list[str]:
    """Numbers and names of a claim that do not occur in the text it was taken from."""
    known = {word.casefold() for word in _WORD.findall(source)}
    return [
        word
        for place, word in enumerate(_WORD.findall(claim))
        if (word[0].isdigit() or (place and word[0].isupper()))
        and word.casefold() not in known
    ]


def lost(claims: Collection[str], source: str) -> list[str]:
    """Content words of a sentence that none of its claims keeps."""
    kept = {word.casefold() for claim in claims for word in _WORD.findall(claim)}
    return [
        word
        for word in _WORD.findall(source)
        if word.casefold() not in kept and word.casefold() not in _FUNCTION_WORDS
    ]


@dataclass
class _Reading:
    """What is known while the sentences of an answer are taken one after the other."""

    answer: str
    markers: tuple[Marker, ...]
    orders: tuple[Span, ...]
    claims: list[Claim] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    topic: str | None = None
    """The heading or lead-in that bare fragments stand under."""
    heads: tuple[str, ...] = ()
    """Column names of the table that is being read."""
    speaks_of: Subject | None = None
    sole_name: Subject | None = None
    """The one name in bold of the whole answer: what it is about."""
    seen: set[str] = field(default_factory=set)

    def take(self, span: Span) -> None:
        """Reads one sentence."""
        raw = self.answer[span[0] : span[1]]
        readable = plain(self.answer, span, self.markers)
        if _touches(self.orders, span):
            self._skip(span, "other")
        elif _ROW.fullmatch(raw):
            self._take_row(span, raw)
        elif _HEADING.match(raw) or _BOLD_LINE.fullmatch(raw) or raw.startswith("```"):
            is_code = raw.startswith("```")
            self.topic = None if is_code else readable.text.rstrip(": ")
            self._skip(span, "other" if is_code else "heading")
        else:
            self._take_sentence(span, raw, readable)
        if not _ROW.fullmatch(raw):
            self.heads = ()

    def _take_sentence(self, span: Span, raw: str, readable: Plain) -> None:
        text = readable.text
        is_item = _LIST_ITEM.match(raw) is not None
        previous, self.speaks_of = self.speaks_of, None
        if text.endswith(":") and (
            _LEAD_IN.match(text) or not _NUMBER_WORD.search(text)
        ):
            self.topic = None if has_clause(text) else text.rstrip(": ")
            self.speaks_of = self._subject(raw, text, previous)
            self._skip(span, "heading")
            return
        first = bisect_left(self.markers, span[0], key=_START)
        cited = first < len(self.markers) and self.markers[first].start < span[1]
        linked = "](" in raw or "://" in raw
        if not _has_words(_LINK.sub("", raw)):
            self._skip(span, "other")
            return
        parts = self._parts(span, _unframed(readable))
        for part, part_span in parts:
            reason = remark(part.text, cited=cited, linked=linked)
            if reason is None:
                self._claim(part, part_span, span, previous, is_item)
            else:
                self._skip(part_span, reason)
        self.speaks_of = self._subject(raw, text, previous)
        if is_item and self.speaks_of is None:
            self.speaks_of = previous
        elif not is_item and self.topic and has_clause(text):
            self.topic = None

    def _parts(self, span: Span, readable: Plain) -> list[tuple[Plain, Span]]:
        """The statements of a sentence, each with its share of the sentence's span."""
        text = readable.text
        parts: list[tuple[Plain, Span]] = []
        left, left_edge = 0, span[0]
        given: str | None = None
        for cut in clause_cuts(text):
            part = _named(readable.part(left, cut.end), given)
            edge = readable.origins[cut.start]
            while self.answer[edge - 1] in _OPENERS:
                edge -= 1
            start = cut.start + (5 if text.startswith("that ", cut.start) else 0)
            parts.append((part, (left_edge, _trimmed(self.answer, left_edge, edge))))
            left, left_edge, given = start, edge, cut.subject
        parts.append(
            (_named(readable.part(left, len(text)), given), (left_edge, span[1]))
        )
        if len(parts) > 1 and (
            lost([part.text for part, _ in parts], text)
            or not all(part.text for part, _ in parts)
        ):
            return [(readable, span)]
        return parts

    def _claim(
        self,
        part: Plain,
        span: Span,
        sentence: Span,
        previous: Subject | None,
        is_item: bool,
    ) -> None:
        text = part.text
        for known in (previous, self.sole_name):
            text = (resolved(text, known) if known else None) or text
        field_line = _FIELD.match(text)
        if self.topic and (is_item or field_line) and not has_clause(text):
            text = f"{self.topic}: {text}"
        self._add(text, span, sentence)

    def _take_row(self, span: Span, raw: str) -> None:
        cells = [
            plain(cell, (0, len(cell)), find(cell)).text
            for cell in re.split(r"(?<!\\)\|", raw.split("\n")[0].strip().strip("|"))
        ]
        if _RULER.search(raw) or not self.heads:
            self.heads = tuple(cells)
            self._skip(span, "heading")
            return
        named = [
            f"{head}: {cell}" if head else cell
            for head, cell in zip(
                [*self.heads, *[""] * len(cells)], cells, strict=False
            )
            if cell
        ]
        if not any(cells[1:]):
            self._skip(span, "heading")
            return
        text = "; ".join(named)
        self._add(f"{self.topic}: {text}" if self.topic else text, span, span)

    def _subject(self, raw: str, text: str, previous: Subject | None) -> Subject | None:
        """What a pronoun in the next sentence would stand for."""
        if not text:
            return previous
        bold = _bold_name(raw)
        if bold is not None:
            return bold
        if previous is not None and resolved(text, previous):
            return previous
        found = subject(text)
        return found if found is not None and found.is_alone else None

    def _add(self, text: str, span: Span, sentence: Span) -> None:
        text = text[:1].upper() + text[1:] if text[:1].islower() else text
        key = " ".join(_WORD.findall(text.casefold()))
        if not key or key in self.seen:
            return
        self.seen.add(key)
        self.claims.append(
            Claim(
                index=len(self.claims),
                text=text,
                start=span[0],
                end=span[1],
                sentence_start=sentence[0],
                sentence_end=sentence[1],
            )
        )

    def _skip(self, span: Span, reason: str) -> None:
        self.skipped.append(
            Skipped.model_validate(
                {
                    "text": self.answer[span[0] : span[1]],
                    "start": span[0],
                    "end": span[1],
                    "reason": reason,
                }
            )
        )


def _touches(spans: Sequence[Span], span: Span) -> bool:
    """Whether a span meets one of these, which lie in order and apart."""
    at = bisect_left(spans, span[1], key=itemgetter(0)) - 1
    return at >= 0 and spans[at][1] > span[0]


def _unframed(readable: Plain) -> Plain:
    """The sentence without "The pages say that" or "Yes,"."""
    frame = _FRAME.match(readable.text)
    if frame is None or is_abstention(readable.text):
        frame = _REPLY.match(readable.text)
    if frame is None:
        return readable
    return readable.part(frame.end(), len(readable.text))


def _has_words(text: str) -> bool:
    return any(char.isalnum() for char in text)


def _named(part: Plain, name: str | None) -> Plain:
    """The part with the pronoun it opens with named."""
    if name is None:
        return part
    rest = re.sub(r"^\w+", "", part.text)
    shift = len(part.text) - len(rest)
    origins = (part.origins[:1] * len(name)) + part.origins[shift:]
    return Plain(name + rest, origins)


def _bold_name(text: str) -> Subject | None:
    """The only name in bold of a text."""
    names = set(_BOLD_NAME.findall(text))
    if len(names) != 1:
        return None
    return Subject(names.pop().strip(), False, True, True, True)


def _trimmed(answer: str, start: int, end: int) -> int:
    return start + len(answer[start:end].rstrip())
