"""Claims of an answer, without a model (METRICS F).

By sentence, split at conjuncts with a subject and a verb of their own and at verbs and
relative clauses that share one; what states no fact is listed as skipped. A claim adds
nothing: its words stand in its sentence, but for what was named just before (a pronoun
resolved, the former of two) and what a fragment stands under: heading, lead-in, table
head, question. A claim that loses words brings its sentence back.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from operator import attrgetter, itemgetter

from claimscope.core.models import Claim, Skipped
from claimscope.core.text.citations.markers import Marker, find_markers
from claimscope.core.text.clauses.facts import (
    claim_key,
    split_without_loss,
)
from claimscope.core.text.clauses.former_latter import (
    NamePair,
    pair_of,
    resolve_former_latter,
    speaks_of_one,
)
from claimscope.core.text.clauses.places import spans_of_facts, split_clauses
from claimscope.core.text.closing_entries import split_closing_entries
from claimscope.core.text.code_lines import code_lines
from claimscope.core.text.code_names import naming
from claimscope.core.text.framing import strip_frame, strip_label
from claimscope.core.text.injection import injected_spans
from claimscope.core.text.json_fields import JsonField, json_fields
from claimscope.core.text.lead_ins import lower_after_label, read_under
from claimscope.core.text.linguistics import (
    Subject,
    has_clause,
    is_phrase,
    main_subject,
    resolve_clear_pronoun,
)
from claimscope.core.text.non_factual import classify_remark
from claimscope.core.text.outline import FENCES, Outline, is_field, is_item
from claimscope.core.text.readable import MappedText, strip_markup
from claimscope.core.text.rules_between import is_underlined, without_rule
from claimscope.core.text.sentences import Span, split_sentences, strip_span
from claimscope.core.text.table_rows import cells_of, is_head, is_row, row_claims

CLAIMS_ID = "claims-4"
"""Raised with each change of what is taken for a claim: a run is not resumed across it,
as claims of two kinds would mix."""
_EMPTY = re.compile(
    r"(?i)[\W_]*+(?:n\.?/?a\.?|none|null|nil|nan|undefined|empty)?[\W_]*+"
)
_HEADING = re.compile(r"\s*#{1,6}\s|\s*(?:</\w+>\s*|<[uo]l>\s*)*<h[1-6]\b", re.I)
_DEFINED = re.compile(r"([^\n:]{1,60}?)[ \t]*\r?\n[ \t]*:[ \t]+")
"""A term over what it means."""
_MAIL_HEAD = re.compile(r"Subject:[ \t]")
_DEPENDENT = re.compile(
    r"(?i)(?:once|when|if|because|until|unless|as soon as|only (?:if|when|after))\b"
    r"[^,]*$"
)
"""A clause that answers a question and says nothing without it."""
_BOLD_LINE = re.compile(r"\s*(?:\*\*|__)[^*_\n]{1,80}(?:\*\*|__):?\s*")
_RUN_IN = re.compile(r"\s*(\*\*|__)([^*_\n.!?]{1,60})\.(?:\1)?\s*")
_ASKING = re.compile(r"(?i)(?:what|how|who|when|where|why|which|if)\b")
"""Begins a heading that is a clause: "What it costs."."""
RUN_IN_WORDS = 5
"""Words of a heading on the line of what it heads, at most."""
_ANSWERED = re.compile(r"(?:A|Answer)(?: ?\d{1,2})?:\s+(?=\S)", re.I)
_IDENTIFIER = re.compile(r"[a-z]+[A-Z0-9_./:=(@\\-]|[\w.-]*[_=(@/\\\d]")
_YES_NO = re.compile(r"(?i)(?:A(?:nswer)?: )?(?:yes|no|not|none|maybe)\b")
_PRONOUN = re.compile(r"(?i)(?:it|its|they|their|he|his|she|her|that|this)\b")
_REASONING = re.compile(r"(?is)\s*<(think(?:ing)?|reasoning|thought)>.*?</\1>")
"""What a reasoning model writes before its answer."""
_REASONED = re.compile(r"(?is)(?:(?!<think).)*?</think>")
"""The same, where a template has taken the first mark."""
_FENCED = re.compile(r"\s*(?:`{3,}|~{3,})[^\S\n]*(?:jsonc?)?[^\S\n]*\n", re.I)
_CLOSED_FENCE = re.compile(r"(?m)^[ \t]*(?:`{3,}|~{3,})[ \t]*$")
_UNASKED = ("opinion", "other")
_BOLD_NAME = re.compile(r"(?:\*\*|__)([A-Z][^*_\n:]{2,60}?)(?:\*\*|__)(?!:)")
_LINK = re.compile(r"!?\[[^\[\]]*\]\([^()]*\)|https?://\S+|\[[^\[\]]*\]")
_START = attrgetter("start")


@dataclass(frozen=True)
class Decomposition:
    """Claims of an answer and what of it states no fact."""

    claims: tuple[Claim, ...]
    skipped: tuple[Skipped, ...]
    abstained: bool
    """It states no fact and says that it does not know."""


def decompose(
    answer: str, known_page_ids: Collection[str] = (), *, whole: bool = False
) -> Decomposition:
    """Claims and skipped parts in order of the text; `whole`: sentences stay whole."""
    spans, entries = split_closing_entries(
        answer, split_sentences(answer, "markdown"), known_page_ids
    )
    reading = _Reading(
        Outline(answer, spans),
        find_markers(answer, known_page_ids),
        injected_spans(answer),
        sole_name=_bold_name(answer),
        whole=whole,
    )
    thought = _reasoning_end(answer)
    shift = len(answer) - len(answer[thought:].lstrip("\ufeff \t\r\n"))
    fields = json_fields(answer[shift:])
    for number, span in enumerate(spans if fields is None else ()):
        if span in entries:
            reading.skip(span, "reference")
        elif span[0] < thought:
            reading.skip((span[0], min(span[1], thought)), "other")
            if _has_words(answer[thought : span[1]]):
                reading.take(number, strip_span(answer, thought, span[1]) or span)
        else:
            reading.take(number, span)
    if fields is not None and thought:
        reading.skip((0, thought), "other")
    reading.take_fields(fields or (), shift)
    return Decomposition(
        tuple(reading.claims),
        tuple(reading.skipped),
        not reading.claims
        and any(item.reason == "abstention" for item in reading.skipped),
    )


def _reasoning_end(answer: str) -> int:
    """Where what a model wrote for itself ends: it is no part of its answer."""
    match = _REASONING.match(answer) or _REASONED.match(answer)
    is_all = match is not None and not _has_words(answer[match.end() :])
    return match.end() if match and not is_all else 0


def is_empty(answer: str) -> bool:
    """Whether an answer says nothing at all: blank, "N/A", a lone dash."""
    return _EMPTY.fullmatch(answer) is not None


@dataclass(frozen=True)
class _Around:
    """What a sentence may lean on."""

    previous: Subject | None
    """What a pronoun stands for."""
    question: str | None
    is_item: bool


@dataclass
class _Reading:
    """What is known while the sentences of an answer are taken one after the other."""

    outline: Outline
    markers: tuple[Marker, ...]
    orders: tuple[Span, ...]
    claims: list[Claim] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    heads: tuple[str, ...] = ()
    """Column names of the table that is being read."""
    speaks_of: Subject | None = None
    spoke_of: Subject | None = None
    """What the sentence before spoke of."""
    pair: NamePair | None = None
    """What the former and the latter are."""
    sole_name: Subject | None = None
    """The one name in bold of the whole answer: what it is about."""
    whole: bool = False
    seen: set[str] = field(default_factory=set)

    @property
    def answer(self) -> str:
        return self.outline.answer

    def take(self, number: int, span: Span) -> None:
        """Reads one sentence."""
        raw = without_rule(self.answer[span[0] : span[1]]).lstrip()
        if not self.answer.startswith(raw, span[0]):  # behind a rule
            span = max(span[0], self.answer.find(raw[:8], span[0])), span[1]
        readable = strip_markup(self.answer, span, self.markers)
        in_row = is_row(raw, in_table=bool(self.heads))
        if _touches(self.orders, span):
            self.skip(span, "other")
        elif in_row:
            self._take_row(span, raw)
        elif raw.startswith(FENCES):
            self._take_code(span, raw)
        elif (
            _HEADING.match(raw)
            or is_underlined(raw)
            # "**It is closed.** It opens at 9:00." heads nothing.
            or (_BOLD_LINE.fullmatch(raw) and self.outline.ends_line(number))
            or self._is_run_in(number, raw)
        ):
            self.outline.enter(readable.text.rstrip("."))
            self.speaks_of = self.pair = None
            self.skip(span, "heading")
        else:
            with naming(raw):
                self._take_sentence(number, span, raw, readable)
        if not in_row:
            self.heads = ()

    def _is_run_in(self, number: int, raw: str) -> bool:
        """A heading on the line of what it heads: "**Parking.** The yard is …"."""
        match = _RUN_IN.fullmatch(raw)
        if match is None or not self.outline.opens_line(number):
            return False
        title = match[2]
        is_title = len(title.split()) <= RUN_IN_WORDS
        return is_title and (not has_clause(title) or _ASKING.match(title) is not None)

    def _take_sentence(
        self, number: int, span: Span, raw: str, readable: MappedText
    ) -> None:
        readable = strip_label(readable)
        text = readable.text
        if not number and _MAIL_HEAD.match(text):
            self.skip(span, "heading")
            return
        previous, question = self._referent(number), self.outline.question
        indent = self.outline.reach(number)
        self.outline.ask(text, is_item=indent >= 0)
        items = self.outline.items_after(number, indent)
        if self.outline.leads_in(text, number, items):
            reason = classify_remark(text.rstrip(": "))
            if reason in ("opinion", "offer"):  # "Rope Making is the one to look at:"
                self.skip(span, reason)
                return
            named = (
                resolve_clear_pronoun(text, previous) if previous else None
            ) or text
            self.outline.open(indent, named)
            self.speaks_of = self._subject(raw, text, previous)
            self.skip(span, "heading")
            return
        if not _has_words(text) or not _has_words(_LINK.sub("", raw)):
            self.skip(span, "other")
            return
        before = len(self.claims)
        self._take_parts(span, raw, readable, _Around(previous, question, indent >= 0))
        is_said = len(self.claims) > before
        if is_said and items and text.endswith(":") and "`" not in raw:
            self.outline.open(indent, text)  # its figures are a claim as well
        self._remember(raw, text, previous)

    def _take_parts(
        self, span: Span, raw: str, readable: MappedText, around: _Around
    ) -> None:
        first = bisect_left(self.markers, span[0], key=_START)
        cited = first < len(self.markers) and self.markers[first].start < span[1]
        linked = "](" in raw or "://" in raw
        question = around.question
        begin = readable.origins[0] if readable.origins else span[0]
        reading = strip_frame(readable, keeps_reply=question is not None)
        clauses = (
            [(reading, span)]
            if self.whole
            else split_clauses(self.answer, span, reading)
        )
        for part, part_span in clauses:
            reason = classify_remark(
                part.text, cited=cited, linked=linked, coded="`" in raw
            )
            if question and reason in _UNASKED and _YES_NO.match(part.text):
                reason = None
            if reason is None:
                is_first = bool(part.origins) and part.origins[0] == begin
                self._claim(part, part_span, span, around, is_first=is_first)
            else:
                self.skip(part_span, reason)

    def _referent(self, number: int) -> Subject | None:
        """What a pronoun in this sentence may stand for. Behind a list, and behind two
        things of one kind, that is not the last that was named."""
        previous, self.speaks_of = self.speaks_of, None
        if previous is None or self.outline.follows_list(number):
            return None
        rival = self.spoke_of
        if rival is not None and previous.is_plural and rival.is_plural:
            one, other = (of.text.casefold().split() for of in (rival, previous))
            if one[-1] == other[-1] and one != other:
                return None
        return previous

    def _remember(self, raw: str, text: str, previous: Subject | None) -> None:
        self.speaks_of = self._subject(raw, text, previous)
        if is_item(raw) and self.speaks_of is None:
            self.speaks_of = previous
        self.spoke_of = previous
        self.pair = pair_of(text) or (self.pair if speaks_of_one(text) else None)

    def _claim(
        self,
        part: MappedText,
        span: Span,
        sentence: Span,
        around: _Around,
        *,
        is_first: bool,
    ) -> None:
        label = _ANSWERED.match(part.text)
        text = part.text[label.end() :] if label else part.text
        for known in (around.previous, self.sole_name):
            text = (resolve_clear_pronoun(text, known) if known else None) or text
        if self.pair is not None:
            text = resolve_former_latter(text, self.pair)
        if not is_first:
            text = self._capital(text, part)
        text = lower_after_label(text.rstrip(": ") if text.endswith(":") else text)
        lead, heading = self.outline.lead, self.outline.heading
        leans = not has_clause(text) or _DEPENDENT.match(text) is not None
        if around.question and around.is_item:
            leans = leans or is_phrase(text)  # "Anyone who is under 12"
        facts: tuple[MappedText, ...] = ()
        if around.question and (leans or _YES_NO.match(text) or _PRONOUN.match(text)):
            text = f"{around.question} {text}"
        elif lead and (around.is_item or leans):
            read = read_under(lead, text)
            facts = split_without_loss(read) if read.startswith(f"{lead} ") else ()
            text = read
        elif heading and leans and (around.is_item or is_field(text)):
            text = f"{heading}: {text}"
        else:
            facts = split_without_loss(text)
        if self.whole or len(facts) < 2:
            return self._add(text, span, sentence)
        places = spans_of_facts(facts, text, part, span)
        for place, fact in sorted(zip(places, facts, strict=True), key=itemgetter(0)):
            self._add(fact.text, place, sentence)

    def _capital(self, text: str, part: MappedText) -> str:
        """The text with a capital, unless it opens with code or an identifier."""
        first = text.partition(" ")[0]
        at = part.origins[0] if part.origins else 0
        is_code = self.answer[max(0, at - 1) : at] == "`" or _IDENTIFIER.match(first)
        return text if is_code else text[:1].upper() + text[1:]

    def _take_row(self, span: Span, raw: str) -> None:
        cells = cells_of(raw)
        if is_head(raw) or not self.heads:
            self.heads = cells
            self.skip(span, "heading")
            return
        rows = row_claims(self.heads, cells)
        if not rows:
            self.skip(span, "heading")
        over = self.outline.topic
        for text in rows:
            self._add(f"{over}: {text}" if over else text, span, span)

    def take_fields(self, fields: Collection[JsonField], at: int) -> None:
        """Those of a JSON text that begins at that offset."""
        for one in fields:
            place = at + one.start, at + one.end
            if one.is_prose:
                self._take_prose(one.text, place)
            elif one.text:
                self._add(one.text, place, place)
            else:
                self.skip(place, "other")

    def _take_prose(self, text: str, place: Span) -> None:
        """The claims of an answer that stands in a string of JSON."""
        inner = decompose(text, whole=self.whole)
        is_as_written = self.answer[place[0] : place[1]] == text
        shift = place[0] if is_as_written else None
        for one in inner.claims:
            spans = (one.start, one.end), (one.sentence_start, one.sentence_end)
            moved = [
                place if shift is None else (shift + start, shift + end)
                for start, end in spans
            ]
            self._add(one.text, *moved)
        for item in inner.skipped:
            if shift is not None:
                self.skip((shift + item.start, shift + item.end), item.reason)

    def _take_code(self, span: Span, raw: str) -> None:
        """Settings and commands of a block, and the fields of one of JSON; the rest is
        listed as skipped."""
        opened = _FENCED.match(raw)
        if opened is not None:
            closed = _CLOSED_FENCE.search(raw, opened.end())
            fields = json_fields(raw[opened.end() : closed.start() if closed else None])
            if fields is not None:
                self.take_fields(fields, span[0] + opened.end())
                return
        lines = list(code_lines(raw))
        if not any(line.text for line in lines):
            self.skip(span, "other")
            return
        over = self.outline.lead
        for line in lines:
            place = span[0] + line.start, span[0] + line.end
            if line.text is None:
                self.skip(place, "other")
            elif line.text:
                self._add(f"{over}: {line.text}" if over else line.text, place, span)

    def _subject(self, raw: str, text: str, previous: Subject | None) -> Subject | None:
        """What a pronoun in the next sentence would stand for."""
        if not text:
            return previous
        bold = _bold_name(raw)
        if bold is not None:
            return bold
        defined = _DEFINED.match(raw)
        if defined is not None:
            return main_subject(f"{defined[1].strip()} is meant.")
        if previous is not None and resolve_clear_pronoun(text, previous):
            return previous
        return main_subject(text)

    def _add(self, text: str, span: Span, sentence: Span) -> None:
        key = claim_key(text)
        if not key or key in self.seen or not _has_words(text):
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

    def skip(self, span: Span, reason: str) -> None:
        """Lists a part that states no fact."""
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


def _has_words(text: str) -> bool:
    return any(char.isalnum() for char in text)


def _bold_name(text: str) -> Subject | None:
    """The only name in bold of a text; a sentence in bold is none."""
    names = set(_BOLD_NAME.findall(text))
    if len(names) != 1:
        return None
    name = names.pop().strip()
    return None if name[-1:] in ".!?" else Subject(name, False, True, True, True)
