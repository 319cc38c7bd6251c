"""MDX: Markdown with components of JSX, as documentation sites write it.

Imports, expressions and the tags of components go; what stands between tags, and the
titles and labels that components show, stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from claimscope.core.models import Page
from claimscope.stores.pages.markup.front_matter import front_matter
from claimscope.stores.pages.parsing.decoding import decode
from claimscope.stores.pages.readers.markdown import markdown_pages

_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_MODULE = re.compile(r"(?:import|export)\s[^\n]*")
_OPENING = re.compile(r"</?(?:[A-Za-z][\w.:-]*(?=[\s/>])|(?=>))")
_SHOWN = re.compile(
    r"\b(?:title|label|summary|question|header)=(?:\"([^\"]*)\"|'([^']*)')"
)
_EXPRESSION = re.compile(r"\{/\*.*?\*/\}|\{\s*[\"'`]([^\"'`{}]*)[\"'`]\s*\}", re.S)
# What stands in components is set in, and would be code to Markdown; not lists.
_DEEP = re.compile(r"(?m)^ {4,}(?![-*+] |\d+[.)] )(?=\S)")
LONGEST_TAG = 10_000
"""Characters in which a tag must end; else its sign is text."""
_MOST_OPEN = 100
"""Tags that do not end; after these every sign is text."""


class MdxReader:
    """The text between the tags; front matter as in Markdown."""

    suffixes: tuple[str, ...] = (".mdx",)

    def read(self, data: bytes, path: str) -> Iterator[Page]:
        source = decode(data, path)
        body = front_matter(source, path).body
        above = source[: len(source) - len(body)] if source.endswith(body) else ""
        yield from markdown_pages(above + without_components(body), path)


def without_components(text: str) -> str:
    """The Markdown of an MDX text; fenced code stays as it is."""
    found: list[str] = []
    prose: list[str] = []
    fence = ""
    for line in text.splitlines(keepends=True):
        mark = _FENCE.match(line)
        is_edge = mark is not None and (not fence or mark[1].startswith(fence))
        if is_edge and mark is not None:
            fence = "" if fence else mark[1]
            if fence:
                found.append(_prose("".join(prose)))
                prose.clear()
            found.append(_unindented_fence(line))
        elif fence:
            found.append(line)
        else:
            prose.append(line)
    found.append(_prose("".join(prose)))
    return re.sub(r"\n{3,}", "\n\n", "".join(found)).lstrip("\n")


def _unindented_fence(line: str) -> str:
    """Code in a component stands deep; at four blanks it would be no fence."""
    return line.lstrip() if len(line) - len(line.lstrip()) > 3 else line


def _prose(text: str) -> str:
    text = _without_modules(text)
    text = _EXPRESSION.sub(lambda found: found[1] or "", text)
    text = _without_tags(text)
    return re.sub(r"(?m)^[ \t]+$", "", _DEEP.sub("", text))


def _without_modules(text: str) -> str:
    """Without `import …` and `export …` and the lines on which they go on."""
    kept: list[str] = []
    depth = 0
    is_module = False
    for line in text.splitlines(keepends=True):
        if not is_module and _MODULE.match(line):
            is_module, depth = True, 0
        if not is_module:
            kept.append(line)
            continue
        depth += sum(line.count(sign) for sign in "{([")
        depth -= sum(line.count(sign) for sign in "})]")
        is_module = depth > 0 and bool(line.strip() or depth)
    return "".join(kept)


def _without_tags(text: str) -> str:
    parts: list[str] = []
    at = open_tags = 0
    while open_tags < _MOST_OPEN and (opening := _OPENING.search(text, at)):
        end = _end_of_tag(text, opening.end())
        open_tags += end is None
        parts.append(text[at : opening.start()])
        line = text.rfind("\n", 0, opening.start()) + 1
        is_code = text.count("`", line, opening.start()) % 2
        if end is None or is_code:
            parts.append(text[opening.start() : opening.end()])
            at = opening.end()
            continue
        shown = _SHOWN.search(text, opening.end(), end)
        if shown and not opening[0].startswith("</"):
            parts.append(f"\n\n{shown[1] or shown[2] or ''}:\n\n")
        elif opening[0].lower() in ("<br", "</p", "</div", "</li", "</tr"):
            parts.append("\n")
        at = end
    return "".join([*parts, text[at:]])


def _end_of_tag(text: str, start: int) -> int | None:
    """Where a tag that was opened ends: after its `>`, outside of braces and quotes."""
    depth = 0
    quote = ""
    for place in range(start, min(len(text), start + LONGEST_TAG)):
        sign = text[place]
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "\"'`" and (depth or text[place - 1] in "= "):
            quote = sign
        elif sign == "{":
            depth += 1
        elif sign == "}":
            depth -= 1
        elif sign == ">" and depth <= 0:
            return place + 1
    return None


READER = MdxReader()
