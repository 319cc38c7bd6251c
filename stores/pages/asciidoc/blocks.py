"""Blocks of AsciiDoc as HTML: headings, lists, tables, code, boxes.

Of the parsers in Python one takes minutes for a long chapter, one knows no lists in
lists and no definitions, and the oldest runs programs that a page names.
"""

from __future__ import annotations

import csv
import html
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from claimscope.stores.pages.asciidoc.inline import inline

_HEADING = re.compile(r"(={1,6}|#{1,6})\s+(\S.*?)(?:\s+\1)?\s*$")
_DELIMITER = re.compile(
    r"(-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|--|`{3,}[\w-]*|[|,:!]={3,})\s*$"
)
_STYLE = re.compile(r"\[([^\[\]].*)?\]\s*$")
_ANCHOR = re.compile(r"\[\[.*\]\]\s*$")
_TITLE = re.compile(r"\.(?![.\s])(.+)$")
_ITEM = re.compile(
    r"\s*(\*{1,6}|-|\.{1,6}|\d{1,3}\.|[a-zA-Z]\.|<(?:\d+|\.)>)\s+(\S.*)$"
)
_TERM = re.compile(r"\s*(\S.{0,300}?)(:{2,4}|;;)(?:\s+(\S.*))?\s*$")
_BOX = re.compile(r"(NOTE|TIP|IMPORTANT|WARNING|CAUTION):\s+(?=\S)")
_BOXES = frozenset(("NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION"))
_MACRO = re.compile(
    r"(image|video|audio|toc|include|ifdef|ifndef|ifeval|endif)::(\S*?)\[(.*)\]\s*$"
)
_SILENT = re.compile(r"(?:'{3,}|<{3,}|-{3}|\*{3})\s*$")
_CALLOUT = re.compile(
    r"[ \t]*(?:(?:#|//|;;|--|<!--)[ \t]*)?<(?:\d+|\.)>(?:-->)?[ \t]*$", re.M
)
DEEPEST = 20
"""Boxes and lists in one another; what is deeper is a mistake of the page."""
_CELL = re.compile(
    r"(?:(?:(\d+)(?:\.(\d+))?|\.(\d+))([+*]))?[<^>]?(?:\.[<^>])?([aehlmsvd])?(?<!\\)\|"
)
_COLUMNS = re.compile(r"cols\s*=\s*(?:\"([^\"]*)\"|([^,\]]*))")
_REPEATED = re.compile(r"\s*(\d+)\*")
_CELL_ITEM = re.compile(r"^[*-]{1,6} +")
MOST_COLUMNS = 100


@dataclass
class _Ahead:
    """What stands above a block about it."""

    style: str = ""
    title: str = ""


@dataclass
class AsciiDocBlocks:
    """Reads lines; `attributes` are those of the document."""

    lines: Sequence[str]
    attributes: dict[str, str]
    depth: int = 0
    at: int = 0
    ahead: _Ahead = field(default_factory=_Ahead)
    _open: tuple[str, ...] = ()
    """Marks of the lists that are open: one of these ends what is inside."""

    def html(self) -> str:
        return "\n".join(self._blocks())

    def _inline(self, text: str) -> str:
        return inline(text, self.attributes)

    def _nested_html(self, lines: Sequence[str]) -> str:
        if self.depth >= DEEPEST:
            return f"<p>{self._inline(' '.join(lines))}</p>"
        return AsciiDocBlocks(lines, self.attributes, self.depth + 1).html()

    def _blocks(self) -> Iterator[str]:
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if not line.strip() or _SILENT.match(line) or line.strip() == "+":
                self.at += 1
                continue
            if self._is_about_next(line):
                self.at += 1
                continue
            ahead, self.ahead = self.ahead, _Ahead()
            yield self._block(line, ahead)

    def _is_about_next(self, line: str) -> bool:
        if _ANCHOR.match(line):
            return True
        if (style := _STYLE.match(line)) and not _HEADING.match(line):
            self.ahead.style = f"{self.ahead.style},{style[1] or ''}".strip(",")
            return True
        if (title := _TITLE.match(line)) and not _DELIMITER.match(line):
            self.ahead.title = title[1].strip()
            return True
        return False

    def _block(self, line: str, ahead: _Ahead) -> str:
        title = f"<p>{self._inline(ahead.title)}:</p>" if ahead.title else ""
        if heading := _HEADING.match(line):
            self.at += 1
            level = min(6, len(heading[1]))
            return f"<h{level}>{self._inline(heading[2])}</h{level}>"
        if macro := _MACRO.match(line):
            self.at += 1
            words = macro[3].split(",")[0].strip('"') if macro[1] == "image" else ""
            return f'{title}<p><img alt="{html.escape(words)}"></p>' if words else title
        if _DELIMITER.match(line):
            return self._delimited_block(line.strip(), ahead, title)
        if _ITEM.match(line):
            return title + self._list()
        if _TERM.match(line) and not line.startswith("//"):
            return title + self._definitions()
        return title + self._paragraph(line, ahead)

    def _delimited_block(self, mark: str, ahead: _Ahead, title: str) -> str:
        language = mark.strip("`") if mark.startswith("`") else ""
        end = mark.removesuffix(language)
        self.at += 1
        start = self.at
        while self.at < len(self.lines) and self.lines[self.at].rstrip() != end:
            self.at += 1
        inside = self.lines[start : self.at]
        self.at += 1
        if mark[0] in "|,:!" and mark.endswith("==="):
            style = ahead.style if mark[0] in "|!" else f"{ahead.style},format=csv"
            return table_html(inside, style, ahead.title, self._inline)
        if mark.startswith(("----", "....", "`")):
            return title + _code(inside, ahead.style or f",{language}")
        if mark.startswith("+"):
            return title
        name = ahead.style.split(",")[0].split("%")[0].split("#")[0].strip()
        body = self._nested_html(inside)
        if name in _BOXES:
            return f"{title}{_admonition(name, body)}"
        return (
            f"{title}<blockquote>{body}</blockquote>"
            if mark[0] == "_"
            else title + body
        )

    def _paragraph(self, line: str, ahead: _Ahead) -> str:
        start = self.at
        self.at += 1
        while self.at < len(self.lines) and self.lines[self.at].strip():
            after = self.lines[self.at]
            if after.strip() == "+" or _DELIMITER.match(after) or _STYLE.match(after):
                break
            if self._open and (_ITEM.match(after) or _TERM.match(after)):
                break
            self.at += 1
        inside = self.lines[start : self.at]
        style = ahead.style.split(",")[0].strip()
        if line[:1] in " \t" or style in ("source", "listing", "literal"):
            return _code(inside, ahead.style)
        text = "\n".join(inside)
        box = _BOX.match(text)
        name = box[1] if box else style if style in _BOXES else ""
        made = f"<p>{self._inline(text[box.end() :] if box else text)}</p>"
        return _admonition(name, made) if name else made

    def _list(self) -> str:
        """Items that follow one another, those of deeper marks inside of them."""
        first = _ITEM.match(self.lines[self.at])
        mark = _kind(first[1]) if first else ""
        items: list[str] = []
        while self.at < len(self.lines):
            item = _ITEM.match(self.lines[self.at])
            if item is None or _kind(item[1]) != mark:
                break
            items.append(f"<li>{self._item(item[2], mark)}</li>")
            self._skip_blank_before_item(mark)
        tag = "ol" if mark[0] in ".1a<" else "ul"
        return f"<{tag}>{''.join(items)}</{tag}>"

    def _skip_blank_before_item(self, mark: str) -> None:
        place = self.at
        while place < len(self.lines) and not self.lines[place].strip():
            place += 1
        item = _ITEM.match(self.lines[place]) if place < len(self.lines) else None
        if item is not None and _kind(item[1]) == mark:
            self.at = place

    def _item(self, first: str, *marks: str) -> str:
        """The text of an item, the lists in it and what `+` attaches."""
        text = [first] if first else []
        self.at += 1
        while self.at < len(self.lines) and self._goes_on(self.lines[self.at]):
            text.append(self.lines[self.at].strip())
            self.at += 1
        found = [f"<p>{self._inline(chr(10).join(text))}</p>"] if text else []
        self._open = (*self._open, *marks)
        while (more := self._inside_item()) is not None:
            found.append(more)
        self._open = self._open[: len(self._open) - len(marks)]
        return "".join(found)

    def _goes_on(self, line: str) -> bool:
        return bool(line.strip()) and line.strip() != "+" and not (
            _ITEM.match(line) or _TERM.match(line) or _DELIMITER.match(line)
            or _STYLE.match(line) or _ANCHOR.match(line) or _HEADING.match(line)
        )  # fmt: skip

    def _inside_item(self) -> str | None:
        """A list in an item, or a block attached to it; None when the item ends."""
        place = self.at
        while place < len(self.lines) and not self.lines[place].strip():
            place += 1
        if place >= len(self.lines):
            return None
        line = self.lines[place]
        if line.strip() == "+":
            self.at = place + 1
            while self.at < len(self.lines) and self._is_about_next(
                self.lines[self.at]
            ):
                self.at += 1
            if self.at >= len(self.lines) or not self.lines[self.at].strip():
                return None
            ahead, self.ahead = self.ahead, _Ahead()
            return self._block(self.lines[self.at], ahead)
        item = _ITEM.match(line)
        is_deeper = item is not None and _kind(item[1]) not in self._open
        if not is_deeper or len(self._open) >= DEEPEST:
            return None
        self.at = place
        return self._list()

    def _definitions(self) -> str:
        first = _TERM.match(self.lines[self.at])
        mark = first[2] if first else "::"
        found: list[str] = []
        while self.at < len(self.lines):
            term = _TERM.match(self.lines[self.at])
            if term is None or term[2] != mark or self.lines[self.at].startswith("//"):
                break
            found.append(f"<dt>{self._inline(term[1])}</dt>")
            if not term[3]:
                self._skip_blank_lines_before_text()
            body = self._item(term[3] or "", f"dl{mark}")
            found.append(f"<dd>{body}</dd>" if body else "")
            place = self.at
            while place < len(self.lines) and not self.lines[place].strip():
                place += 1
            after = _TERM.match(self.lines[place]) if place < len(self.lines) else None
            if after is not None and after[2] == mark:
                self.at = place
        return f"<dl>{''.join(found)}</dl>"

    def _skip_blank_lines_before_text(self) -> None:
        """A definition may stand below its term, after blank lines."""
        place = self.at + 1
        while place < len(self.lines) and not self.lines[place].strip():
            place += 1
        if place < len(self.lines) and self._goes_on(self.lines[place]):
            self.at = place - 1


def _kind(mark: str) -> str:
    if mark[0].isdigit():
        return "1."
    return "<1>" if mark[0] == "<" else "a." if mark[0].isalpha() else mark


def _code(lines: Sequence[str], style: str) -> str:
    names = [part.strip() for part in style.split(",")]
    kind = names[0].split("%")[0]
    language = names[1] if len(names) > 1 and kind in ("source", "", "listing") else ""
    language = language if re.fullmatch(r"[\w+#.-]*", language) else ""
    shortest = min(
        (len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0
    )
    text = _CALLOUT.sub("", "\n".join(line[shortest:] for line in lines))
    name = f' class="language-{language}"' if language else ""
    return f"<pre><code{name}>{html.escape(text)}</code></pre>"


def _admonition(name: str, body: str) -> str:
    title = f"<p>{name.capitalize()}</p>"
    return f'<div class="admonition">{title}{body}</div>'


@dataclass(frozen=True)
class _Cell:
    text: str
    across: int = 1
    down: int = 1
    is_head: bool = False


def table_html(
    lines: Sequence[str], style: str, title: str, inline: Callable[[str], str]
) -> str:
    """`<table>` of the lines between two delimiters."""
    is_csv = "format=csv" in style or 'format="csv"' in style
    cells = list(_csv_cells(lines) if is_csv else _cells(lines))
    width = _width(style) or _first_row(lines, cells, is_csv)
    rows = list(_rows(cells, max(1, width)))
    first_filled = next((n for n, line in enumerate(lines) if line.strip()), 0)
    is_implicit = first_filled + 1 < len(lines) and not lines[first_filled + 1].strip()
    has_head = "header" in style or (
        is_implicit and first_filled == 0 and "noheader" not in style and len(rows) > 1
    )
    caption = f"<caption>{inline(title)}</caption>" if title else ""
    body = []
    for number, row in enumerate(rows):
        tag = "th" if has_head and number == 0 else "td"
        body.append(
            f"<tr>{''.join(_cell_html(cell, tag, inline) for cell in row)}</tr>"
        )
    return f"<table>{caption}{''.join(body)}</table>"


def _cell_html(cell: _Cell, tag: str, inline: Callable[[str], str]) -> str:
    tag = "th" if cell.is_head else tag
    lines = [line.strip() for line in cell.text.strip().split("\n")]
    is_list = any(_CELL_ITEM.match(line) for line in lines)
    lines = [_CELL_ITEM.sub("", line) for line in lines if line]
    text = ("; " if is_list else " ").join(lines)
    spans = f' colspan="{cell.across}"' if cell.across > 1 else ""
    spans += f' rowspan="{cell.down}"' if cell.down > 1 else ""
    return f"<{tag}{spans}>{inline(text)}</{tag}>"


def _cells(lines: Sequence[str]) -> Iterator[_Cell]:
    text = "\n".join(lines)
    found = list(_CELL.finditer(text))
    for match, after in zip(found, [*found[1:], None], strict=False):
        words = text[match.end() : after.start() if after else len(text)]
        words = words.replace("\\|", "|")
        count = min(int(match[1] or 1), MOST_COLUMNS)
        down = min(int(match[2] or match[3] or 1), 1000)
        if match[4] == "*":
            yield from [_Cell(words, is_head=match[5] == "h")] * count
        else:
            yield _Cell(words, count, down, match[5] == "h")


def _csv_cells(lines: Sequence[str]) -> Iterator[_Cell]:
    try:
        for row in csv.reader(line for line in lines if line.strip()):
            yield from (_Cell(text) for text in row)
    except csv.Error:
        yield from (_Cell(html.unescape(line)) for line in lines)


def _width(style: str) -> int:
    """Columns that the attributes of a table say; 0 when they do not."""
    found = _COLUMNS.search(style)
    if found is None:
        return 0
    value = (found[1] if found[1] is not None else found[2]).strip()
    count = 0
    for part in re.split("[,;]", value):
        repeated = _REPEATED.match(part)
        count += int(repeated[1]) if repeated else 1
    return min(count, MOST_COLUMNS)


def _first_row(lines: Sequence[str], cells: Sequence[_Cell], is_csv: bool) -> int:
    first = next((line for line in lines if line.strip()), "")
    if is_csv:
        return len(next(csv.reader([first]), []))
    return sum(cell.across for cell in _cells([first]))


def _rows(cells: Sequence[_Cell], width: int) -> Iterator[list[_Cell]]:
    """Cells in rows as wide as the table; spans from above take their places."""
    pending = [0] * width
    row: list[_Cell] = []
    place = 0

    def skip(place: int) -> int:
        while place < width and pending[place]:
            pending[place] -= 1
            place += 1
        return place

    place = skip(place)
    for cell in cells:
        row.append(cell)
        for column in range(place, min(place + cell.across, width)):
            pending[column] = cell.down - 1
        place = skip(place + cell.across)
        if place >= width:
            yield row
            row = []
            place = skip(0)
    if row:
        yield row
