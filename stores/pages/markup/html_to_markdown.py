"""Elements of HTML into Markdown, in the form in which statements are read.

Web pages, books and word-processor files meet here as HTML. Nothing that a reader
would see may be lost on the way: a table keeps each value in the row and column where
it stands (cells that span others are said again), a definition stays on the line
below its term, an exponent does not become a digit, and struck text is left out. What
the converters that we know make of such pages does not keep that.
"""

from __future__ import annotations

import re
from typing import Any

from claimscope.stores.pages.markup.tables import grid_of, write_table

_BLOCKS = frozenset(
    """address article aside blockquote body caption center dd details dialog div dl dt
    fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html
    legend li main menu nav ol p pre search section summary table tbody td tfoot th
    thead tr ul""".split()
)
GONE = frozenset(
    """area base button canvas colgroup datalist del embed head iframe link map meta
    noscript object param progress s script select source strike style svg template
    textarea title track""".split()
)
"""Elements that show no text that holds: programs, controls, what was struck out."""
_STRUCK = re.compile(r"text-decoration[^;]*:[^;]*line-through", re.I)
_FOLD = re.compile(r"[^\S\u00a0]+")
_SUPER = str.maketrans("0123456789+-−n()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻ⁿ⁽⁾")
_SUB = str.maketrans("0123456789+-−()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₍₎")
_NUMBER = re.compile(r"[0-9+\-−n()]+")
_LANGUAGE = re.compile(r"(?:^|\s)(?:language-|lang-|highlight-|brush:\s*)([\w+#.-]+)")
_BREAK = "\x00"
_NOTED = re.compile(
    r"(?i)(note|warning|tip|important|caution|danger|hint|attention)\W*"
)
_FEWEST_WORDS = 3
"""Words from which on the words for a picture say something; fewer name an icon."""


def markdown_of(tree: Any) -> str:
    """The Markdown of an lxml element of HTML and all that it holds."""
    return "\n\n".join(_Writer(tree).blocks(tree)) + "\n"


class _Writer:
    def __init__(self, tree: Any) -> None:
        self._holders: set[Any] = set()
        """Elements that hold a block."""
        for element in tree.iter(*_BLOCKS):
            for above in element.iterancestors():
                if above in self._holders:
                    break
                self._holders.add(above)

    def blocks(self, element: Any) -> list[str]:
        found: list[str] = []
        line = [element.text or ""]

        def end_line() -> None:
            text = fold_blanks("".join(line))
            line.clear()
            if text:
                found.append(text)

        for child in element:
            if self._is_block(child):
                end_line()
                found.extend(self._block(child))
            else:
                line.append(self._inline(child))
            line.append(child.tail or "")
        end_line()
        return found

    def _is_block(self, element: Any) -> bool:
        return element.tag in _BLOCKS or element in self._holders

    def _block(self, element: Any) -> list[str]:
        tag = element.tag
        if _is_gone(element):
            return []
        if re.fullmatch("h[1-6]", tag):
            text = fold_blanks(self._text(element)).replace("\n", " ")
            return [f"{'#' * int(tag[1])} {text}"] if text else []
        if tag in ("ul", "ol", "menu"):
            return self._list(element)
        if tag == "dl":
            return self._definitions(element)
        if tag == "table":
            return self._table(element)
        if tag == "pre":
            return _code_block(element)
        if tag == "blockquote":
            inside = "\n\n".join(self.blocks(element))
            return [re.sub(r"(?m)^", "> ", inside)] if inside else []
        if tag == "hr":
            return []
        found = self.blocks(element)
        if "admonition" in (element.get("class") or "") and len(found) > 1:
            return _join_box_title(found)
        return found

    def _text(self, element: Any) -> str:
        """What stands in an element, as one line; blanks are not folded."""
        parts = [element.text or ""]
        for child in element:
            if self._is_block(child):
                inside = " ".join(part.strip() for part in self._block(child))
                parts.append(f" {inside} ")
            else:
                parts.append(self._inline(child))
            parts.append(child.tail or "")
        return "".join(parts)

    def _inline(self, element: Any) -> str:
        tag = element.tag
        if not isinstance(tag, str) or _is_gone(element):
            return ""
        if tag == "br":
            return _BREAK
        if tag == "img":
            words = (element.get("alt") or "").strip()
            return words if len(words.split()) >= _FEWEST_WORDS else ""
        if tag == "input":
            is_box = (element.get("type") or "").lower() == "checkbox"
            return ("[x] " if "checked" in element.attrib else "[ ] ") if is_box else ""
        text = self._text(element)
        if tag in ("sup", "sub"):
            return script_text(text.strip(), element, is_super=tag == "sup")
        if tag in ("b", "strong"):
            return _mark_text(text, "**")
        if tag in ("code", "kbd", "samp", "tt"):
            return _mark_text(text, "`")
        if tag in ("i", "em"):
            return _mark_text(text, "*")
        return f"“{text.strip()}”" if tag == "q" else text

    def _list(self, element: Any) -> list[str]:
        is_numbered = element.tag == "ol"
        number = _whole_number(element.get("start"), 1)
        items: list[str] = []
        for child in element:
            if not isinstance(child.tag, str) or _is_gone(child):
                continue
            inside = self._block(child) if self._is_block(child) else []
            inside = inside or [fold_blanks(self._inline(child))]
            if child.tag != "li" and items and child.tag in ("ul", "ol"):
                items[-1] += "\n" + _indent("\n".join(inside), "  ")
                continue
            number = _whole_number(child.get("value"), number)
            mark = f"{number}. " if is_numbered else "- "
            number += 1
            if any(inside):
                items.append(mark + _item_text(inside, " " * len(mark)))
        is_loose = any("\n\n" in item for item in items)
        return [("\n\n" if is_loose else "\n").join(items)] if items else []

    def _definitions(self, element: Any) -> list[str]:
        found: list[str] = []
        terms: list[str] = []
        term = ""
        for part in element.iter("dt", "dd"):
            if next(part.iterancestors("dl")) is not element:
                continue
            if part.tag == "dt":
                terms.append(fold_blanks(self._text(part)).replace("\n", " "))
                continue
            term = ", ".join(filter(None, terms)) or term
            terms = []
            found += [_with_term(term, block) for block in self.blocks(part)]
        return [*found, *filter(None, terms)]

    def _table(self, element: Any) -> list[str]:
        captions = element.findall("caption")
        title = fold_blanks(" ".join(self._text(caption) for caption in captions))
        rows = [
            row
            for row in element.iter("tr")
            if next(row.iterancestors("table")) is element and not _is_gone(row)
        ]
        widest = max((len(row) for row in rows), default=0)
        if element.find(".//table") is not None or widest < 2:
            # A table that only lays out a page, or is one column.
            found = [
                block for row in rows for cell in row for block in self.blocks(cell)
            ]
            return [title, *found] if title else found
        return write_table(grid_of(rows, self._cell), title)

    def _cell(self, cell: Any) -> str:
        parts = []
        for block in self.blocks(cell):
            lines = (re.sub(r"^\s*(?:- |\d+\. )", "", one) for one in block.split("\n"))
            is_list = re.match(r"- |\d+\. ", block)
            parts.append(("; " if is_list else " ").join(lines))
        return " ".join(parts)


def fold_blanks(text: str) -> str:
    """Runs of blanks as one; a line break of the page as one of Markdown."""
    lines = (_FOLD.sub(" ", line).strip() for line in text.split(_BREAK))
    return "  \n".join(line for line in lines if line)


def script_text(text: str, element: Any, *, is_super: bool) -> str:
    """An exponent or index: a digit set high or low is no further digit. A mark of a
    note stands in brackets, as markers of sources do."""
    if not text:
        return ""
    if is_super and text.isdigit() and element.find(".//a") is not None:
        return f"[{text}]"
    if _NUMBER.fullmatch(text):
        return text.translate(_SUPER if is_super else _SUB)
    if not is_super:
        return f"_{text}" if len(text) < 4 else f" {text} "
    if text in ("st", "nd", "rd", "th", "o", "a", "e", "er", "™", "®", "©", "TM"):
        return text
    if text[0] in "[(" or "[" in text:
        return text
    return f"^{text}" if len(text.split()) == 1 else f" ({text})"


def _is_gone(element: Any) -> bool:
    return element.tag in GONE or bool(_STRUCK.search(element.get("style") or ""))


def _mark_text(text: str, mark: str) -> str:
    bare = text.strip(" \t\r\n" + _BREAK)
    if not bare or mark in bare or _BREAK in bare:
        return text
    before = " " if text[0].isspace() else ""
    after = " " if text[-1].isspace() else ""
    return f"{before}{mark}{bare}{mark}{after}"


def _code_block(element: Any) -> list[str]:
    text = "".join(element.itertext()).strip("\n").rstrip()
    if not text.strip():
        return []
    names = [f"lang-{element.get('lang') or ''}", element.get("class") or ""]
    names += [child.get("class") or "" for child in element.iter("code")]
    names += [above.get("class") or "" for above in list(element.iterancestors())[:2]]
    found = next(filter(None, (_LANGUAGE.search(name) for name in names)), None)
    longest = max((len(run) for run in re.findall("`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return [f"{fence}{found[1] if found else ''}\n{text}\n{fence}"]


def _with_term(term: str, block: str) -> str:
    """A block of what a term means. Each says the term: "Default: no" alone says of
    nothing that it is so."""
    if not term or block.startswith("#"):
        return block
    if block.startswith("|"):
        return f"{term}\n{block}"
    if re.match(r"[-`>]|\d+\. ", block):
        return f"{term}:\n\n{block}"
    return f"{term}\n: {block}"


def _join_box_title(found: list[str]) -> list[str]:
    """A box: "Warning" on a line by itself belongs to the sentence below it."""
    title, first, *rest = found
    if _NOTED.fullmatch(title.strip("*")) and first[:1].isalnum():
        return [f"{title.strip('*:')}: {first}", *rest]
    return found


def _item_text(inside: list[str], indent: str) -> str:
    """The blocks of an item below its mark; a list stays close to its lead-in."""
    text = inside[0]
    for block in inside[1:]:
        is_list = re.match(r"- |\d+\. ", block) and "\n\n" not in block
        text += ("\n" if is_list else "\n\n") + block
    return _indent(text, indent).lstrip()


def _indent(text: str, indent: str) -> str:
    return re.sub(r"(?m)^(?=.)", indent, text)


def _whole_number(value: str | None, default: int) -> int:
    return int(value) if value and value.isdecimal() and len(value) < 9 else default
