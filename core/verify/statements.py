"""Statements: the units of evidence, each readable by itself.

A table cell means nothing without its row and its column heads, a list item nothing
without its lead-in, and "2 projects" under "Basic plan" is not true of the Pro plan. So
each sentence of a page is given the heads it stands under; what a neighbour says is
not lent to it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from claimscope.core.text.outline import FENCES
from claimscope.core.text.rules_between import is_underlined, without_rule
from claimscope.core.text.sentences import split_sentences
from claimscope.core.verify.normalisation import canonical, has_dots, strip_digit_groups

UNMARKED = 8
"""Level of a line that only looks like a heading."""
LONGEST_HEAD = 90
"""Characters of a line that may be a heading without being marked as one."""

_HEADING = re.compile(r"\s{0,3}(#{1,6})\s+(.*?)(?:\s+#+)?\s*$", re.S)
_BOLD_LINE = re.compile(r"\s*(?:\*\*|__)([^*_\n]{1,90}?)(?:\*\*|__)\s*:?\s*$")
_RULED = re.compile(r"^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$")
_ITEM = re.compile(r"(\s*)(?:[-*+•‣◦▪·]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s+(?=\S)")
_TERM = re.compile(
    r"(?:(?P<mark>\*\*|__)(?P<bold>[^*\n]{1,60}?)(?:[:.]\s*(?:(?P=mark)|$)"
    r"|(?P=mark)\s*(?:\([^()\n]{1,40}\)\s*)?(?:[:.]|[–—-]+\s))|`(?P<code>[^`\n]{1,60})`"
    r"|(?P<plain>[^\W\d][^:.!?|\n]{0,39})(?::\s|\s[–—-]+\s))"
)
"""What a list item is about, before what it says of it: "**Retries** – how often …",
"`timeout` sets …", "Retries: how often …"."""
_BOLD = ("**", "__")
_REMARKS = frozenset(
    "note notes warning important tip tips caution attention info example examples"
    " remember exception exceptions hint nb danger".split()
)
"""Heads of paragraphs that name nothing."""
_CLAUSE = frozenset(
    "is are was were has have had can cannot may must will do does did not you we it"
    " they".split()
)
"""Words of a sentence in bold."""
TERM_WORDS = 4
"""Words of a term that no mark sets apart."""
SAID_WORDS = 5
"""Words of a line with a colon before code that may state something."""
_FENCE = re.compile(
    r"\s*(```+|~~~+)[^\S\n]*([\w+-]*)[^\n]*\n(.*?)(?:\n\s*\1\s*)?$", re.S
)
_OPENED = re.compile(r"\s*```+[^\S\n]*([\w+-]*)[^\n`]*$")
_QUOTED = re.compile(r"(?m)^[ \t]*(?:>[ \t]?)+")
_BARE_TABLE = re.compile(r"[^\n|]+\|[^\n]*\n[ \t]*:?-+:?[ \t]*\|[ \t:|-]*(?:\n|$)")
"""A table without bars at the edges."""
_DEFINED = re.compile(r"([^\n]+)\n\s*:\s+(.*)", re.S)
_CALL = re.compile(
    r"(?:def\s+|function\s+|func\s+|fn\s+|async\s+def\s+)?([A-Za-z_][\w.]*)\(([^()]*(?:\([^()]*\)[^()]*)*)\)"
)
_YAML = re.compile(r"(\s*)(?:-\s+)?([\w./-]+|\"[^\"]+\")\s*:\s*(.*)$")
_SECTION = re.compile(r"\s*\[([\w. -]+)\]\s*$")
_ASSIGNED = re.compile(r"\s*(?:export\s+)?([\w.-]+)\s*=\s*(.+?)\s*;?\s*$")
_COMMENT = re.compile(r"(?:^|(?<=\s))(?:#|//)\s")
_CHOICES = re.compile(
    r"\s(?:#|//)\s*(?:one of:?\s*|options:?\s*|choices:?\s*)?[\w.\"'-]+"
    r"(?:\s*[|/,]\s*(?:or\s+)?[\w.\"'-]+)+\s*$"
)
"""A comment that lists what else may be set: "rotate: weekly  # daily | weekly"."""
_PIPE = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True)
class Statement:
    """A statement of a page: `page[start:end]` with what it stands under."""

    start: int
    end: int
    text: str
    """How it reads by itself, in canonical form."""
    is_head: bool = False
    """A heading, a table's head or a lead-in: it states nothing by itself."""
    lead: str = ""
    """The headings it stands under, with which `text` begins."""
    row: tuple[tuple[str, str], ...] = ()
    """Of a row of a table: each column's head with the cell, the row's own first."""
    term: str = ""
    """What the list item, definition or paragraph it belongs to is about."""
    heads: tuple[str, ...] = ()
    """All headings it stands under, the page's title first."""

    @property
    def own(self) -> str:
        """The text without its headings."""
        return self.text.removeprefix(f"{self.lead}: ") if self.lead else self.text

    @property
    def near_head(self) -> str:
        """The text with the nearest of its headings alone."""
        if not self.lead:
            return self.text
        return f"{self.lead.rpartition(' - ')[2]}: {self.own}"


@dataclass
class _Reading:
    """Where the reader of a page stands."""

    heads: list[tuple[int, str]] = field(default_factory=list)
    columns: list[str] = field(default_factory=list)
    lead_in: str = ""
    items: list[tuple[int, str]] = field(default_factory=list)
    """Open list items: indent and text."""
    term: str = ""
    """What the open list item, definition or paragraph is about."""
    is_run_in: bool = False
    """The term heads a paragraph: "**Backups.** They are kept for 7 days."."""
    starts_block: bool = True
    """The statement that is read is the first one of its block."""
    row: tuple[tuple[str, str], ...] = ()
    """Of the statement that was read last."""
    language: str | None = None
    """Of the code block that was opened and not closed."""

    def enter(self, level: int, title: str) -> None:
        self.heads = [one for one in self.heads if one[0] < level]
        self.heads.append((level, title))
        self.lead_in, self.columns, self.items, self.term = "", [], [], ""
        self.is_run_in = False

    def end_run_in(self) -> None:
        """Ends what the words that head a paragraph say."""
        if self.is_run_in:
            self.term, self.is_run_in = "", False

    def pass_line(self, raw: str) -> None:
        """Ends what is said of a term, unless the new line is indented or goes on in
        the paragraph that the term heads."""
        if not (raw[:1].isspace() or self.is_run_in):
            self.term = ""

    def pass_blank_line(self, raw: str) -> None:
        """What only looked like a heading heads one block."""
        self.end_run_in()
        if not (_ITEM.match(raw) or raw.lstrip().startswith("|")):
            self.heads = [one for one in self.heads if one[0] < UNMARKED]

    def path(self) -> str:
        """The two heads nearest to a statement; a page's title says little."""
        own = [title for _, title in self.heads][-2:]
        return " - ".join(title for title in own if title)


@lru_cache(maxsize=1024)
def statements(page: str) -> tuple[Statement, ...]:
    """The statements of a page in order; every sentence belongs to one or more."""
    spans = split_sentences(page)
    are_dotted = has_dots(page)
    reading = _Reading()
    found: list[Statement] = []
    for number, (start, end) in enumerate(spans):
        after = page[spans[number + 1][0] :] if number + 1 < len(spans) else ""
        between = page[end : spans[number + 1][0]] if after else "\n\n"
        line = page.rfind("\n", 0, start) + 1
        first = line if not page[line:start].strip() else start
        breaks = page.count("\n", spans[number - 1][1], start) if number else 0
        is_under = bool(found) and found[-1].is_head
        is_bold = page.startswith(_BOLD, start)
        reading.starts_block = (
            not number or breaks > 1 or (breaks == 1 and (is_under or is_bold))
        )
        if breaks:
            reading.pass_line(page[first:end])
        if breaks > 1:
            reading.pass_blank_line(page[first:end])
        raw = without_rule(page[first:end])
        raw = strip_digit_groups(raw) if are_dotted else raw
        for text, is_head in _read_sentence(raw, reading, between, after[:200]):
            row, reading.row = reading.row, ()
            if text.strip():
                path = reading.path()
                lead = path if text.startswith(f"{path}: ") else ""
                text = text.strip()
                heads = tuple(title for _, title in reading.heads)
                found.append(
                    Statement(start, end, text, is_head, lead, row, reading.term, heads)
                )
    return tuple(found)


def statements_of(page: str, start: int, end: int) -> range:
    """Numbers of the statements that a sentence of a page is or belongs to."""
    read = statements(page)
    first = bisect_left(read, start, key=lambda one: one.start)
    while first and read[first - 1].end > start:
        first -= 1
    return range(first, bisect_left(read, end, key=lambda one: one.start))


def _read_sentence(
    raw: str, reading: _Reading, between: str, after: str
) -> Iterator[tuple[str, bool]]:
    """(text, is head) of one sentence of a page."""
    if reading.language is None and (opened := _OPENED.match(raw)):
        reading.language = opened[1].lower()
        return
    if reading.language is not None:
        for line in _read_code(raw.replace("```", "").rstrip(), reading.language):
            yield _with_heads(reading, line, with_lead_in=True), False
        if "```" in raw:
            reading.language = None
        return
    head = _read_heading(raw, between, after)
    if head is not None:
        level, title = head
        reading.enter(level, canonical(title).rstrip(":"))
        yield reading.path() + ":", True
        return
    fence = _FENCE.match(raw)
    if fence is not None:
        reading.end_run_in()
        for line in _read_code(fence[3], fence[2].lower()):
            yield _with_heads(reading, line, with_lead_in=True), False
        if raw.count(fence[1]) == 1:
            reading.language = fence[2].lower()  # a blank line stands in the block
        return
    if raw.lstrip().startswith(">"):
        raw = _QUOTED.sub("", raw)
        reading.end_run_in()
    is_table = raw.lstrip().startswith("|") or _BARE_TABLE.match(raw.lstrip())
    if "|" in raw and (is_table or reading.columns):
        rows = list(_read_rows(raw, reading))
        if rows:
            reading.term = ""
            for text, is_head, row in rows:
                reading.row = row
                yield _with_heads(reading, text) if not is_head else text, is_head
            return
    reading.columns = []
    defined = _DEFINED.match(raw)
    if defined is not None:
        reading.term = canonical(defined[1])
        yield (
            _with_heads(reading, f"{canonical(defined[1])}: {canonical(defined[2])}"),
            False,
        )
        return
    item = _ITEM.match(raw)
    if item is not None:
        yield _read_item(raw, item, reading), False
        return
    text = canonical(raw)
    is_new_line = "\n" in between or not between
    if text.endswith(":") and is_new_line and len(text) < 300:
        reading.lead_in, reading.items = text.rstrip(": "), []
        # "Pass the folder as a second argument:" before an example says it all; before
        # a list, its items say it.
        is_said = len(text.split()) >= SAID_WORDS and after.lstrip().startswith(FENCES)
        text = f"{reading.lead_in}." if is_said else text
        yield _with_heads(reading, text), not is_said
        return
    if reading.items and not _is_continued(raw):
        reading.items, reading.lead_in = [], ""
    if raw.startswith(_BOLD) and (reading.starts_block or reading.is_run_in):
        reading.term = _run_in(raw)
        reading.is_run_in = bool(reading.term)
        yield _with_heads(reading, text), _is_term(text, reading)
        return
    if reading.term and not reading.is_run_in:
        text = f"{reading.term}: {text}"
    yield _with_heads(reading, text), False


def _run_in(raw: str) -> str:
    """The name in bold that heads a paragraph, in canonical form; "" for a sentence in
    bold, and for what names nothing: "**Note:**"."""
    term = _term(raw)
    words = term.lower().split()
    is_name = 0 < len(words) <= TERM_WORDS and words[0] not in _REMARKS
    return term if is_name and _CLAUSE.isdisjoint(words) else ""


def _is_term(text: str, reading: _Reading) -> bool:
    """Whether a sentence is only what others are about: "**Backups.**"."""
    return bool(reading.term) and text.rstrip(":.") == reading.term


def _is_continued(raw: str) -> bool:
    """A second sentence of a list item stands on the item's line or is indented."""
    return True if not raw[:1].isspace() and raw[:1] else raw.startswith("  ")


def _with_heads(reading: _Reading, text: str, *, with_lead_in: bool = False) -> str:
    parts = [reading.path()]
    if with_lead_in and reading.lead_in:
        parts.append(reading.lead_in)
    head = " - ".join(part for part in parts if part)
    return f"{head}: {text}" if head else text


def _read_heading(raw: str, between: str, after: str) -> tuple[int, str] | None:
    """(level, title) of a heading, marked as one or only looking like one."""
    match = _HEADING.match(raw)
    if match is not None and "\n" not in raw.strip():
        return len(match[1]), match[2]
    if is_underlined(raw) and "|" not in raw:
        title, _, line = raw.strip().rpartition("\n")
        return (1 if "=" in line else 2), title
    match = _BOLD_LINE.match(raw)
    if match is not None and "\n" in between:
        return 7, match[1]
    is_line = "\n" in between and "\n\n" not in between and "\n" not in raw
    if (
        is_line
        and len(raw) <= LONGEST_HEAD
        and not _ITEM.match(raw)
        and "|" not in raw
        and ": " not in raw
        and raw.strip()[-1:] not in ".!?:;,"
        and (_ITEM.match(after) or after.lstrip().startswith("|"))
    ):
        return UNMARKED, raw
    return None


def _cells(line: str) -> list[str]:
    inner = line.strip().removeprefix("|").removesuffix("|")
    return [canonical(cell.replace("\\|", "|")) for cell in _PIPE.split(inner)]


def _read_rows(
    raw: str, reading: _Reading
) -> Iterator[tuple[str, bool, tuple[tuple[str, str], ...]]]:
    lines = [line for line in raw.split("\n") if line.strip()]
    if len(lines) >= 2 and _RULED.match(lines[1]) and "|" in lines[0]:
        reading.columns = _cells(lines[0])
        reading.items = []
        yield "", True, ()
        lines = lines[2:]
    if not reading.columns:
        return
    for line in lines:
        if "|" in line:
            values = [_BARE.get(cell.lower(), cell) or "none" for cell in _cells(line)]
            row = tuple(zip(reading.columns, values, strict=False))
            yield row_text(row), False, row


_BARE = {"y": "yes", "n": "no", "●": "yes", "○": "no", "•": "yes", "x": "yes"}


def row_text(row: Sequence[tuple[str, str]]) -> str:
    """A row of a table as a statement: "Model Brisa 20: capacity: 7 kg; price: 429"."""
    name = " ".join(part for part in row[0] if part)
    rest = "; ".join(f"{head}: {value}" if head else value for head, value in row[1:])
    return f"{name}: {rest}" if rest else name


def _read_item(raw: str, item: re.Match[str], reading: _Reading) -> str:
    indent = len(item[1].expandtabs(4))
    text = canonical(raw[item.end(1) :])
    text = re.sub(r"^(?:[-*+•‣◦▪·]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s+", "", text)
    reading.items = [one for one in reading.items if one[0] < indent]
    parents = [name.rstrip(":") for _, name in reading.items]
    reading.items.append((indent, text))
    reading.term, reading.is_run_in = _term(raw[item.end() :]), False
    lead = " - ".join(part for part in (reading.lead_in, *parents) if part)
    return _with_heads(reading, f"{lead}: {text}" if lead else text)


def _term(said: str) -> str:
    """What a list item is about, in canonical form; "" if it names nothing first."""
    match = _TERM.match(said)
    if match is None:
        return ""
    if match["plain"]:
        words = match["plain"].split()
        return canonical(match["plain"]) if len(words) <= TERM_WORDS else ""
    return canonical(match["bold"] or match["code"]).rstrip(":.")


def _read_code(block: str, language: str) -> Iterator[str]:
    """The lines of a code block: settings with their path, calls with defaults."""
    path: list[tuple[int, str]] = []
    section = ""
    for line in block.split("\n"):
        if not line.strip() or line.strip() in ("...", "{", "}", "},", ");", ")"):
            continue
        match = _SECTION.match(line)
        if match is not None:
            section = match[1]
            continue
        call = _CALL.search(line)
        if call is not None and call[2].strip() and "=" in call[2]:
            yield call_text(call[1], call[2])
            continue
        line = _COMMENT.sub(" ", _CHOICES.sub("", line))
        if not line.strip():
            continue
        setting = _YAML.match(line)
        if setting is not None and language in ("yaml", "yml", "json", ""):
            indent = len(setting[1])
            key, value = setting[2].strip('"'), setting[3].strip().rstrip(",")
            path = [one for one in path if one[0] < indent]
            if value in ("", "{", "["):
                path.append((indent, key))
                continue
            name = ".".join([*(part for _, part in path), key])
            yield f"{name}: {canonical(value)}"
            continue
        assigned = _ASSIGNED.match(line)
        if assigned is not None:
            name = f"{section}.{assigned[1]}" if section else assigned[1]
            yield f"{name} = {canonical(assigned[2])}"
            continue
        yield canonical(line)


def call_text(name: str, inside: str) -> str:
    """A signature as a statement: "connect: host is required; port: default 5432"."""
    parts = []
    for one in re.split(r",(?![^\[({]*[\])}])", inside):
        one = one.strip()
        if not one or one in ("self", "*", "/", "cls"):
            continue
        key, sign, value = one.partition("=")
        key = key.partition(":")[0].strip()
        parts.append(
            f"{key}: default {canonical(value.strip())}"
            if sign
            else f"{key} is required"
        )
    return f"{name}({inside.strip()}): " + "; ".join(parts)


def join_statements(texts: Sequence[str]) -> str:
    """Statements as one text; each ends with a stop."""
    return " ".join(
        text if text[-1:] in (".", "!", "?") else f"{text}."
        for text in dict.fromkeys(texts)
    )


@dataclass(frozen=True)
class ItemList:
    """A list of one level, each item one statement."""

    lead: str
    """What it stands under, as its items begin; "" for none."""
    items: tuple[Statement, ...]


@lru_cache(maxsize=256)
def item_lists(page: str) -> tuple[ItemList, ...]:
    """The lists of a page. Those whose items have sentences or items of their own are
    left out: what belongs to one item would count as another."""
    found: list[ItemList] = []
    lead: Statement | None = None
    items: list[Statement] = []
    indents: set[str] = set()
    is_flat = True
    for one in (*statements(page), None):
        mark = _ITEM.match(page, one.start) if one is not None else None
        if one is not None and mark is not None and not one.is_head:
            line = page.rfind("\n", 0, one.start) + 1
            indents.add(page[line : one.start] + mark[1])
            items.append(one)
            continue
        if one is not None and items and not one.is_head:
            # A second sentence of an item, or a paragraph behind the list.
            is_flat = is_flat and "\n" in page[items[-1].end : one.start]
        elif one is not None and items:
            is_flat = is_flat and not _ITEM.match(page, one.start)
        if len(items) > 1 and is_flat and len(indents) == 1:
            head = lead.text if lead is not None else ""
            is_under = all(item.text.startswith(head) for item in items)
            found.append(ItemList(head if is_under else "", tuple(items)))
        lead = one if one is not None and one.is_head else None
        items, indents, is_flat = [], set(), True
    return tuple(found)
