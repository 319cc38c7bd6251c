"""What only the generator of a documentation site reads in its Markdown.

MkDocs, Docusaurus, VitePress, Hugo, Jekyll, mdBook and GitHub each add marks of their
own: an id behind a heading, a fence of colons or "!!! note" around a box, tags that
include another file. No reader of the site sees them. Left in, they stand before every
statement under such a heading ("Fees {#fees}: …") and are sentences of their own. What
a box says stays, its title as a line in bold. Code stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_FENCE = re.compile(r"\s*+(`{3,}+(?!.*`)|~{3,}+)")
_QUOTED = re.compile(r" {0,3}>(?:[ \t]|$|(?=>))")
_ALERT = re.compile(r"\s*+\[!\w+\][+-]?\s*+(?P<title>[^\n]*)$")
"""GitHub and Obsidian: > [!NOTE]"""
_COLONS = (
    r":{3,}+\s*+(?:\{[^{}\n]*\}\s*+)?(?:[a-z][\w-]*+)?\s*+(?:\[(?P<label>[^\]\n]*)\])?"
    r"(?P<said>[^:\s{][^\n{]*?)?\s*(?:\{[^{}\n]*\})?:*"
)
_MARKS = (
    r"(?:!!!|\?\?\?\+?)[ \t]+[a-z][\w-]*+(?:[ \t]+(?:inline|end|annotate|highlight))*+"
    r"(?:[ \t]+\"(?P<title>[^\"\n]*)\")?"
)
_TAB = r"===[!+]?[ \t]+\"(?P<tab>[^\"\n]*)\""
_BOX = re.compile(rf"\s*+(?:{_COLONS}|{_MARKS}|{_TAB})\s*$")
"""Docusaurus, VitePress and Pandoc: ::: tip; MkDocs: !!! note, === "Linux"."""
_ATTRIBUTES = re.compile(
    r"(?<=[^\s#])\s*\{(?::\s*[^{}\n]*|[#.][\w:.-]+(?:\s[^{}\n]*)?|[\w-]+=[^{}\n]*"
    r"|/\*[^{}\n]*)\}\s*$"
)
"""Behind a heading: {#id}, {: .note}, {id="x"}, {/* id */}."""
_OF_LINK = re.compile(r"(?<=\))\{(?::|(?=[#.])|(?=[\w-]+=))[^{}\n]*\}")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s")
_ATTRIBUTES_ALONE = re.compile(r"\s*+\{:[^{}\n]*\}\s*$")
_TAG = re.compile(r"\{%.{0,500}?%\}|\{\{[<%#].{0,500}?\}\}")
"""Liquid, Jinja, Hugo and mdBook; {{ name }} may be shown as it stands."""
_INCLUDED = re.compile(r"\s*+(?:\{\{#\w+ [^{}\n]*\}\}|-{1,2}8<-{1,2} \"[^\"\n]*\")\s*")
"""A line of code that another file takes the place of."""
_ROLE = re.compile(r"\{[a-z][\w:.-]*\}(?=`)")
"""MyST: {ref}`install`"""
_DIRECTIVE = re.compile(
    r"\s*+(?P<fence>`{3,}+|~{3,}+|:{3,}+)\{(?:note|tip|hint|warning|caution|danger"
    r"|attention|important|error|admonition|seealso|versionadded|versionchanged"
    r"|deprecated|dropdown|topic|sidebar|tab-item|tab-set|card|details)\}"
    r"[ \t]*(?P<title>[^\n`]*)$"
)
"""MyST: a box as a fence, whose text is no code."""
_OPTION = re.compile(r"\s*+:[\w-]+:(?:\s.*)?$")
_MODULE = re.compile(r"import\s(?:[^'\"\n]{1,200}\sfrom\s)?\s*(['\"])[^'\"\n]+\1;?\s*$")
_SCRIPT = re.compile(r"<(script|style)(?=[\s>])[^<>\n]*(?<!/)>\s*$", re.I)
_HINTS = re.compile(
    r"(?m)^[ \t]*+(?:>|:::|!!!|\?\?\?|===|import\s|<s|[`~]{3,}\{)|\{[%:{#./\w]"
)
LONGEST = 2000
"""Characters of a line that may hold a mark."""


def without_tags(text: str) -> str:
    """A text without the tags of a site generator, also where they stand in code."""
    return _TAG.sub("", text)


def without_site_markup(text: str) -> str:
    """The Markdown without the marks of site generators; lines stay lines."""
    if not _HINTS.search(text):
        return text
    return "".join(_Cleaner().lines(text))


class _Cleaner:
    """Where in a page its lines are read."""

    def __init__(self) -> None:
        self._fence = ""
        self._depth = 0
        """How often the fence that is open is quoted."""
        self._is_quoted = False
        self._has_options = False
        """The line before opened a MyST box, or was one of its options."""
        self._ends_script = ""
        self._text = ""
        self._boxes: list[str] = []
        """Fences of the MyST boxes that are open."""
        self._indent: list[int] = []
        """Of the MkDocs boxes that are open: how deep their text stands."""

    def lines(self, text: str) -> Iterator[str]:
        self._text = text.lower()
        for line in text.splitlines(keepends=True):
            body = line.rstrip("\r\n")
            yield self._read(body) + line[len(body) :]

    def _read(self, line: str) -> str:
        if self._ends_script:
            before, end, behind = line.partition(">") if "</" in line else ("", "", "")
            if self._ends_script in before.lower() and end:
                self._ends_script = ""
                return behind
            return ""
        if len(line) > LONGEST:
            return line
        if self._fence:
            return self._read_code(line)
        line, depth = _unquoted(line)
        self._is_quoted = depth > 0
        line = self._moved_out(line)
        directive = _DIRECTIVE.match(line)
        if directive is not None:
            self._boxes.append(directive["fence"])
            self._has_options = True
            title = directive["title"].strip()
            return f"**{title}**" if title else ""
        if self._boxes and line.strip() == self._boxes[-1]:
            self._boxes.pop()
            return ""
        self._has_options = self._has_options and _OPTION.fullmatch(line) is not None
        if self._has_options:
            return ""
        mark = _FENCE.match(line)
        if mark:
            self._fence, self._depth = mark[1], depth
            return line
        is_code = line.startswith(("    ", "\t")) and not self._is_quoted
        return line if is_code else self._prose(line)

    def _read_code(self, line: str) -> str:
        rest, depth = _unquoted(line, self._depth)
        if depth < self._depth:  # the quotation has ended, and its code with it
            fence, self._fence = self._fence, ""
            return f"{fence}\n{self._read(line)}" if line.strip() else fence
        line = self._moved_out(rest)
        mark = _FENCE.match(line)
        if mark and line.strip() == mark[1] and mark[1].startswith(self._fence):
            self._fence = ""
        return "" if _INCLUDED.fullmatch(line) else line

    def _moved_out(self, line: str) -> str:
        """The line of a MkDocs box as far left as the box stands."""
        if not self._indent or not line.strip():
            return line
        depth = len(line) - len(line.lstrip(" "))
        while self._indent and depth < self._indent[-1]:
            self._indent.pop()
        moved = 4 * len(self._indent)
        return line[min(moved, depth) :]

    def _prose(self, line: str) -> str:
        script = _SCRIPT.match(line)
        if script is not None and f"</{script[1].lower()}" in self._text:
            self._ends_script = f"</{script[1].lower()}"
            return ""
        if _MODULE.match(line) or _ATTRIBUTES_ALONE.fullmatch(line):
            return ""
        alert = _ALERT.match(line) if self._is_quoted else None
        box = alert or _BOX.match(line)
        if box is not None:
            if line.lstrip()[:3] in ("!!!", "???", "==="):
                depth = len(line) - len(line.lstrip(" "))
                self._indent.append(4 * len(self._indent) + depth + 4)
            title = next((one for one in box.groupdict().values() if one), "").strip()
            return f"**{title.strip('*')}**" if title else ""
        if _HEADING.match(line):
            line = _ATTRIBUTES.sub("", line)
        if "{" in line:
            line = _outside_code(_TAG, line)
            line = _outside_code(_OF_LINK, line)
            line = _outside_code(_ROLE, line)
        return line


def _unquoted(line: str, most: int = 100) -> tuple[str, int]:
    """A line without the marks of a quotation, at most so many, and how many it had."""
    depth = 0
    while depth < most and (mark := _QUOTED.match(line)) is not None:
        line = line[mark.end() :]
        depth += 1
    return line, depth


def _outside_code(pattern: re.Pattern[str], line: str) -> str:
    """The line without what a pattern finds, but for what stands between backticks."""
    parts: list[str] = []
    at = 0
    for found in pattern.finditer(line):
        if line.count("`", 0, found.start()) % 2 == 0:
            parts.append(line[at : found.start()])
            at = found.end()
    return "".join([*parts, line[at:]])
