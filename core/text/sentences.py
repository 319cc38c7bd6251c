"""Sentences of a page with exact offsets: the grain of evidence and provenance.

Splitting happens inside blocks (a heading, a list item, a table row, a paragraph,
a code block), so that no sentence crosses one. Within a block `sentencex` proposes
boundaries and the rules below correct it where measured texts showed it wrong.

Spans partition the text: every character that is not white space lies in exactly
one of them. Markup therefore stays inside the sentences: `- `, `## ` and `| ` belong
to the item, heading or row they open; a piece without a letter or digit (a rule,
the `|---|` line under a table head, a lone closing fence) belongs to the sentence
before it, or to the one after it at the start of the text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from claimscope.core.models import Markup, Page, Sentence
from claimscope.core.text.code_names import INLINE_CODE

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

SPLITTER_ID = "sentencex-8"
"""Part of an index's identity: changes whenever the spans of some text change."""

PIECE = 8000
"""Characters that are given to the library at once: more than paragraphs have."""

Span = tuple[int, int]

_NEWLINE = re.compile(r"\r\n|\r|\n")
_LIST_LINE = re.compile(
    r"\s*(?:[-*+•‣◦▪·–]|\(?\d{1,3}[.)]|\(?[a-z]\)|#{1,6}|>+)[^\S\r\n]+\S|\s*\|"
)
# "Fee: 20 pounds", "**Fee:** 20 pounds": a record of fields, one a line.
_FIELD_LINE = re.compile(r"[^\S\r\n]*[*_]{0,2}[A-Z][\w/&'’ -]{0,30}:")

# "port: 80" over "host: ::1": the same of settings.
_SETTING_LINE = re.compile(
    r"[^\S\r\n]*[\"']?[a-z][\w.-]{0,30}[\"']?:(?:[^\S\r\n]+\S|[^\S\r\n]*$)", re.M
)
# "✅ Free returns" over "🔹 Price: 20 euros": lists as chatbots like them.
_PICTURE_LINE = re.compile(
    "[^\\S\\r\\n]*(?:[*_]{2})?[\U0001f300-\U0001faff\u2600-\u27bf\u2b00-\u2bff]\ufe0f?"
)
# "**Prices**" over "Adults: 8 euros", without a blank line.
_BOLD_LINE = re.compile(r"\s*(?:\*\*[^*\n]{1,80}\*\*|__[^_\n]{1,80}__):?\s*")
_BLOCK_END = re.compile(r"</(?:li|p|h[1-6]|tr|div)>\s*(?=\S)", re.I)
# "### Installation": a line of its own, whatever stands on the next one.
_HEAD_LINE = re.compile(r"[^\S\r\n]{0,3}#{1,6}[^\S\r\n]+\S.{0,120}\s*$")
_FENCE_LINE = re.compile(r"[^\S\r\n]*(`{3,}|~{3,})")
_ROW = re.compile(r"\s*\|[^\n]*\|[^\n]*\|\s*")

_HARD_BREAKS = ("  \n", "  \r\n", "\\\n", "\\\r\n")
_LIST_MARKER = re.compile(r"\W*(?:\d{1,3}|[A-Za-z]|[ivxIVX]{1,4})[.)]\W*")
# What may stand between a full stop and the next sentence but belongs to the one
# before: [1], [PMID:1, S:2], [visit/tickets], ¹; not a Markdown link or a word in
# brackets that opens a sentence ("[The board] agreed").
_TRAILER = re.compile(
    r"\s*(?:(?:\[{1,2}\^?\d{1,3}\]{1,2}\((?:[^()\s]|\([^()\s]*\)){1,300}\)|【[^【】\n]{1,80}】"
    r"|\[\^?[^\[\]\n]{1,160}\](?![(\[:])|\(\d{1,3}\)(?=\s*(?:$|[A-Z]))"
    r"|[¹²³⁰⁴-⁹])[^\S\n]*[.,;]?)+(?=\s*(?:$|[A-Z0-9\"“‘'(*\n]|[^\x00-\x7f]))"
)
_CLOSING_MARK = re.compile(r"(\*{1,3}|_{1,3})(?=\s)\s*")
_ADDRESS = re.compile(r"\((?:[^()\s]|\([^()\s]*\)){1,500}\)\s*")
_GLUED = re.compile(
    r"(?:(?<=\s)[a-zà-ÿ]{2,}|\d|[)\]%°])[.!?](?=(?:[A-Z][a-z]+[,;:]?|A|I)(?:\s|$))"
)
# "(Laughter.) There is", ".\" \"I have": closers after the stop, then a capital;
# "No way... I can't": an ellipsis before a capital.
_CLOSED = re.compile(
    r"(?:[.!?][\"”’)\]]+|(?<=[\w\"”’)])(?:\.{3,}|…))\s+(?=[\"“‘(\[]*[A-Z])"
    r"|[.!?]\s+(?=\([A-Z][^()]*[.!?]\)(?:\s|$))"
)
# A unit is no initial: "7.8 mmol/L. The", "2.9 L. The", "38.5 °C. The"; nor is what
# a citation follows: "grade B. [3] The".
_UNIT_STOP = re.compile(
    r"(?:/[A-Za-zµμ²³]+|\d\s?(?:[LlghmsVWC]|°[CF]|[mkcµμ]?[gmLl]|min)|°[CF])\.\s+(?=[A-Z])"
    r"|\.\s*(?=\[(?=[^\[\]\n]*\d)[^\[\]\n]*\](?![(\[:])\s+[A-Z])"
)
# The library takes "May" for short, and an hour for one with what follows: "from 3 to
# 17 May. Boats", "until 5 p.m. Visitors"; not "5 p.m. Eastern time", "8 a.m. Monday".
_TIME_STOP = re.compile(
    r"\bMay\.[\"”’)]*\s+(?=[A-Z])"
    r"|\d\s?[ap]\.m\.[)]?\s+(?=[A-Z][a-z]+\s+[a-z])"
    r"(?!(?:Eastern|Central|Mountain|Pacific|Greenwich|Local)\b"
    r"|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b"
    r"|(?:January|February|March|April|May|June|July|August|September|October"
    r"|November|December)\b)"
)
# Of a quotation of several sentences `sentencex` makes one.
_QUOTED = re.compile(r"“([^“”\"]{20,})”|\"([^“”\"]{20,})\"")
# "said so. . . . The next": a full stop, then an omission that opens the next one.
_OMISSION = re.compile(r"(?<=\w)\.(?=(?:\s\.){3}\s+[A-Z])")
_OMITTED = re.compile(r"(?:\s\.){3}\s+")
# “The bell rang.” (Tarn 12). The place of a quotation belongs to it.
_PLACE = re.compile(r"\([^()\n]{1,80}\)\s*[.,;]")
# "1.) Sweep the hall 2.) Lock the door": a list in one line.
_INLINE_ITEM = re.compile(
    r"(?:(?<=\s)|(?<![\s\S]))(?:[•⁃‣◦▪]\s?)?(?:(\d{1,2}|[a-z])([.)]{1,2})\s+)(?=[A-Z])"
)
_WIDE_STOP = re.compile(r"[。！？｡]+[」』”’）)]*")
_ELLIPSIS_END = re.compile(r"(?:\.{3,}|…|\.(?:\s\.)+)[\"”’)\]]*\s*$")

_ALWAYS = frozenset(
    """approx i.v i.m s.c p.o q.d b.i.d t.i.d cf e.g eg i.e ie viz vs v resp incl excl
    mr mrs ms dr prof rev hon messrs mt ft fig figs eq eqs ref refs sec sect chap ed eds
    vol vols et dept univ esp ca gen col lt sgt capt cmdr gov sen rep pres
    supt""".split()
)
# Abbreviations only before a number: "No. 5", "p. 14", "Jan. 5".
_BEFORE_NUMBER = frozenset(
    """no nos nr p pp art par para ch lot tab suppl ser v vol jan feb mar apr jun jul
    aug sep sept oct nov dec approx est max min avg ext tel op cap""".split()
)
_LAST_SPACE = re.compile(r"[\s\S]*\s(?=\S)")
_SOLID = re.compile(r"\S")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_LAST_WORD = re.compile(r"([^\s(\[\"“‘'/–—-]+)\.[\"”’)\]]*\s*$")


def split_sentences(text: str, markup: Markup = "text") -> list[Span]:
    """Spans (start, end) of the sentences of `text`, in code points, in order.

    Never empty unless the text is white space alone: what cannot be split is one
    sentence.
    """
    pieces: list[Span] = []
    for start, end, is_prose in _blocks(text, markup):
        # Blank lines at the end of a block hold no boundary, however many they are.
        cuts = _find_cuts(text[start:end].rstrip()) if is_prose else []
        edges = [start, *(start + cut for cut in cuts), end]
        for left, right in zip(edges, edges[1:], strict=False):
            span = strip_span(text, left, right)
            if span is not None:
                pieces.append(span)
    return _merge_markup(text, pieces)


def sentences(page: Page) -> tuple[Sentence, ...]:
    """The sentences of a page, indexed from 0, `page.text[start:end] == text`."""
    return sentences_in(page.page_id, page.text, page.markup)


def sentences_in(
    page_id: str, text: str, markup: Markup = "text"
) -> tuple[Sentence, ...]:
    """The same of any text, under the id that its sentences are to have."""
    return tuple(
        Sentence(page_id=page_id, index=index, text=text[a:b], start=a, end=b)
        for index, (a, b) in enumerate(split_sentences(text, markup))
    )


def strip_span(text: str, start: int, end: int) -> Span | None:
    """The span without white space around it; None when nothing is left."""
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    return (start + left, start + len(piece.rstrip())) if piece.strip() else None


def _merge_markup(text: str, pieces: list[Span]) -> list[Span]:
    """Gives pieces without a letter or digit to their neighbour."""
    merged: list[Span] = []
    pending: int | None = None
    for start, end in pieces:
        if any(char.isalnum() for char in text[start:end]):
            merged.append((start if pending is None else pending, end))
            pending = None
        elif merged:
            merged[-1] = (merged[-1][0], end)
        elif pending is None:
            pending = start
    if pending is not None:
        merged.append((pending, pieces[-1][1]))
    return merged


# --- blocks -----------------------------------------------------------------


def _line_starts(text: str) -> list[int]:
    return [0, *(match.end() for match in _NEWLINE.finditer(text))]


def _blocks(text: str, markup: Markup) -> Iterator[tuple[int, int, bool]]:
    """(start, end, is prose) of blocks that cover the text without a gap."""
    starts = _line_starts(text)
    lines = [*starts, len(text)]
    opens = _markdown_opens(text) if markup == "markdown" else _text_opens(text, lines)
    firsts = sorted({0, *opens})
    for first, after in zip(firsts, [*firsts[1:], len(starts)], strict=True):
        yield lines[first], lines[after], opens.get(first, True)


def _text_opens(text: str, lines: list[int]) -> dict[int, bool]:
    """Line numbers at which a block of plain text opens. Passages of suites often are
    pieces of Markdown, so headings and fences are known here too."""
    opens: dict[int, bool] = {}
    opens_next = True
    was_field = False
    unclosed: set[str] = set()
    number = 0
    count = len(lines) - 1
    while number < count:
        line = text[lines[number] : lines[number + 1]]
        closing = _closing_fence(text, lines, number, unclosed)
        if closing is not None:
            opens[number] = False
            number, opens_next, was_field = closing + 1, True, False
            continue
        if not line.strip():
            number, opens_next, was_field = number + 1, True, False
            continue
        is_field = _FIELD_LINE.match(line) is not None
        if opens_next or _LIST_LINE.match(line) or (is_field and was_field):
            # Cells hold no sentences: "| Max. size | (n = 812) |".
            opens[number] = _ROW.fullmatch(line) is None
        opens_next = _HEAD_LINE.match(line) is not None
        was_field = is_field
        number += 1
    return opens


def _closing_fence(
    text: str, lines: list[int], number: int, unclosed: set[str]
) -> int | None:
    """The line that closes a block of code opened on that one; None for others.
    `unclosed`: marks that no later line closes, so far: each is looked for once."""
    fence = _FENCE_LINE.match(text, lines[number], lines[number + 1])
    if fence is None or fence[1] in unclosed:
        return None
    for later in range(number + 1, len(lines) - 1):
        line = text[lines[later] : lines[later + 1]].strip()
        if line.startswith(fence[1]) and not line.strip(fence[1][0]):
            return later
    unclosed.add(fence[1])
    return None


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    # Only the block structure is needed; inline parsing would cost most of the time.
    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


def _markdown_opens(text: str) -> dict[int, bool]:
    """Line numbers at which a leaf block of Markdown opens, and whether it is prose."""
    opens: dict[int, bool] = {}
    for token in _parser().parse(text):
        if token.map is None:
            continue
        first, after = token.map
        if token.type in ("paragraph_open", "heading_open", "tr_open", "html_block"):
            opens[first] = token.type != "tr_open"
        elif token.type in ("fence", "code_block", "hr"):
            opens[first] = False
        else:
            continue
        # Lines after a block that open no other (link definitions) are their own.
        opens.setdefault(after, True)
    return opens


# --- boundaries inside a block ----------------------------------------------


def _find_cuts(block: str) -> list[int]:
    """Offsets in `block` at which a new sentence begins, first one left out."""
    cuts: list[int] = []
    last = 0
    marks = _Marks(block)
    # `.DS_Store`: what stands in it ends no sentence.
    inside = bytearray(len(block) + 1)
    # "… is run. `--wait` makes it": proposed behind the mark that opens the code.
    opens: dict[int, int] = {}
    for code in INLINE_CODE.finditer(block):
        opens[code.start(2)] = code.start()
        inside[code.start() + 1 : code.end()] = b"\1" * (code.end() - code.start() - 1)
    for proposed in _propose_cuts(block):
        cut = opens.get(proposed, proposed)
        if block.startswith("](", cut - 1) and (link := _ADDRESS.match(block, cut)):
            cut = link.end()  # "in May.[1](https://…) The"
        if cut <= last or inside[cut]:
            continue
        if block[last:cut].isspace():
            last = cut  # or each of many blank lines would be looked at again
            continue
        cut = _after_trailer(block, last, marks.after_closing(cut))
        if cut >= len(block) or not _is_boundary(block, last, cut):
            continue
        cuts.append(cut)
        last = cut
    return cuts


class _Marks:
    """Marks of bold and italic print in a block, counted from its start once."""

    def __init__(self, block: str) -> None:
        self._block = block
        self._counted: dict[str, tuple[int, int]] = {}
        """Of each mark: up to where it was counted, and how many there are."""

    def after_closing(self, cut: int) -> int:
        """A cut moved behind the mark that closes what began before it: "**Backups.**
        They are kept …"."""
        closing = _CLOSING_MARK.match(self._block, cut)
        if closing is None or self._block[cut - 1 : cut].isspace():
            return cut
        mark = closing[1]
        start, count = self._counted.get(mark, (0, 0))
        if start <= cut:
            count += self._block.count(mark, start, cut)
            self._counted[mark] = (cut, count)
        return closing.end() if count % 2 else cut


def _propose_cuts(block: str) -> list[int]:
    # Half a surrogate pair cannot cross into the library; it keeps its place.
    plain = _SURROGATE.sub("\ufffd", block)
    found = set(_library_starts(plain))
    found.update(match.end() for match in _GLUED.finditer(block))
    found.update(match.end() for match in _CLOSED.finditer(block))
    found.update(match.end() for match in _UNIT_STOP.finditer(block))
    found.update(match.end() for match in _WIDE_STOP.finditer(block))
    found.update(match.end() for match in _TIME_STOP.finditer(block))
    found.update(_line_cuts(block))
    found.update(_quoted_cuts(plain))
    found.update(_item_cuts(block))
    found -= _after_omissions(block)
    found.update(match.end() for match in _OMISSION.finditer(block))
    return sorted(found)


def _library_starts(text: str) -> Iterator[int]:
    """Starts of the sentences that `sentencex` finds in `text`.

    Its time grows with the square of the marks in a text without white space (CDATA,
    entities, minified code), so it is given at most PIECE characters at once. Each
    piece begins at a sentence of the one before that ended well before its end, and
    is believed up to there only: what the library says of an end it cannot see,
    such as that of a quotation, is said again by the next piece.
    """
    from sentencex import get_sentence_boundaries

    begin = 0
    while begin < len(text):
        piece = text[begin : begin + PIECE]
        found = [span["start_index"] for span in get_sentence_boundaries("en", piece)]
        if begin + PIECE >= len(text):
            yield from (begin + cut for cut in found)
            return
        following = _next_piece(piece, found)
        yield from (begin + cut for cut in found if cut < following)
        begin += following


def _next_piece(piece: str, found: Sequence[int]) -> int:
    """Where in `piece` the next one begins: at the last sentence of its first three
    quarters, else at a word, else, in text without either, anywhere."""
    settled = PIECE * 3 // 4
    if begun := [cut for cut in found if 0 < cut <= settled]:
        return begun[-1]
    space = _LAST_SPACE.match(piece, 0, settled)
    return space.end() if space else settled


def _quoted_cuts(block: str) -> Iterator[int]:
    """Boundaries between the sentences of a quotation."""
    for match in _QUOTED.finditer(block):
        group = 1 if match.group(1) else 2
        start = match.start(group)
        for cut in _library_starts(match.group(group)):
            if cut > 0:
                yield start + cut


def _item_cuts(block: str) -> Iterator[int]:
    """Starts of the items of a list in one line: marks of one kind that count up from
    the first of the block, and more than one."""
    found = list(_INLINE_ITEM.finditer(block))
    for kind in {match.group(2) for match in found}:
        run = [match for match in found if match.group(2) == kind]
        marks = [m[1] for m in run]
        numbers = [int(m) if m.isdecimal() else ord(m) for m in marks]
        counts_up = numbers == list(range(numbers[0], numbers[0] + len(run)))
        if len(run) > 1 and run[0].start() == 0 and counts_up:
            yield from (match.start() for match in run)


def _after_omissions(block: str) -> set[int]:
    """Cuts behind an omission that belongs to the sentence it opens."""
    ends = (_OMITTED.match(block, match.end()) for match in _OMISSION.finditer(block))
    return {place for end in ends if end for place in range(end.start(), end.end() + 1)}


def _line_cuts(block: str) -> Iterator[int]:
    """Lines inside a block that open a field, a setting or an item with a picture,
    where the line before does, or that follow a hard Markdown break, a line all in bold
    or the end of a block of HTML."""
    starts = _line_starts(block)
    kinds = _kinds_of_line(block, 0)
    for before, start in pairwise(starts):
        found = _kinds_of_line(block, start)
        follows = (
            block.endswith(_HARD_BREAKS, 0, start)
            or _BOLD_LINE.fullmatch(block, before, start) is not None
        )
        if kinds & found or follows:
            yield start
        kinds = found
    for match in _BLOCK_END.finditer(block):
        yield match.end()


def _kinds_of_line(block: str, start: int) -> set[re.Pattern[str]]:
    """What a line is, of the kinds that stand one a line."""
    kinds = (_FIELD_LINE, _SETTING_LINE, _PICTURE_LINE)
    return {kind for kind in kinds if kind.match(block, start)}


def _after_trailer(block: str, last: int, cut: int) -> int:
    """Moves a cut behind citation markers that follow the full stop."""
    before = block[last:cut].rstrip()
    if not before or before[-1] not in '.!?"”’)。！？':
        return cut
    match = _TRAILER.match(block, cut)
    return match.end() if match else cut


def _is_boundary(block: str, last: int, cut: int) -> bool:
    left = block[last:cut].strip()
    right = _SOLID.search(block, cut)
    if not left or right is None:
        return False
    following = right.group()
    if _LIST_MARKER.fullmatch(left):
        return False
    if left[-1] in '"”’' and _PLACE.match(block, right.start()):
        return False
    # The longest abbreviation with its closers is far shorter than 40.
    ending = left[-40:]
    if following.islower() and _ELLIPSIS_END.search(ending):
        return False
    match = _LAST_WORD.search(ending)
    if match is None:
        return True
    word = match.group(1).casefold()
    if word in _ALWAYS:
        return False
    return not (word in _BEFORE_NUMBER and following.isdigit())


def sentence_at(spans: Sequence[Span], offset: int) -> int | None:
    """Index of the span that holds `offset`, else of the last before it, else None."""
    index = bisect_right(spans, offset, key=lambda span: span[0]) - 1
    return index if index >= 0 else None
