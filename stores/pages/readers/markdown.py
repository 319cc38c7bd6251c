"""Markdown with optional front matter (id, title, source, url, date …)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from claimscope.core.errors import PageNote
from claimscope.core.models import Page
from claimscope.stores.pages.markup.front_matter import VALUES_IN_QUOTES, front_matter
from claimscope.stores.pages.markup.site_markup import without_site_markup
from claimscope.stores.pages.parsing.decoding import decode
from claimscope.stores.pages.parsing.metadata import metadata, page, page_id

# What is around the words is taken off afterwards: left to the pattern, a heading of
# many blanks takes minutes.
_HEADING = re.compile(r"^#{1,2}[^\S\n]([^\n]*)$", re.M)
_CLOSING = re.compile(r"(?:^|(?<=\s))#+$")
_FENCE = re.compile(r" {0,3}(`{3,}(?!.*`)|~{3,})")
_REMARK = re.compile(
    r" {0,3}\[(?://|comment|_)[^\]\n]{0,40}\]:\s*(?:#|<>)\s*(?:[(\"'].*)?"
)


class MarkdownReader:
    """The text of the page is what follows the front matter, as written, without
    comments and the marks of site generators, which no reader sees."""

    suffixes: tuple[str, ...] = (".md", ".markdown")

    def read(self, data: bytes, path: str) -> Iterator[Page]:
        yield from markdown_pages(decode(data, path), path)


def markdown_pages(source: str, path: str) -> Iterator[Page]:
    """The page of a Markdown text. Raises PageError, PageNote."""
    fields, text, note = front_matter(source, path)
    text = without_site_markup(without_comments(text))
    yield markdown_page(path, text, metadata(fields), page_id(fields, path))
    if note:
        raise PageNote(note, VALUES_IN_QUOTES)


def markdown_page(
    path: str, text: str, fields: Mapping[str, Any], default_id: str | None = None
) -> Page:
    """The page of a file that became Markdown, titled by its fields, else by its first
    heading. Raises PageError."""
    values = {"page_id": default_id or path, "text": text, "markup": "markdown"}
    title = fields.get("title") or first_heading(text)
    return page(path, {**values, "path": path, **fields, "title": title})


def first_heading(text: str) -> str | None:
    """Words of the first heading of level 1 or 2 that has some; `C#` keeps its sign."""
    lines = (match.group(1).strip() for match in _HEADING.finditer(text))
    words = (_CLOSING.sub("", line).rstrip() for line in lines)
    return next(filter(None, words), None)


def without_comments(text: str) -> str:
    """The text without `<!-- … -->` and `[//]: # (…)`, but for those in code."""
    if "<!--" not in text and "]:" not in text:
        return text
    kept: list[str] = []
    fence = ""
    is_comment = False
    for line in text.splitlines(keepends=True):
        mark = _FENCE.match(line)
        if is_comment or fence or mark:
            pass
        elif _REMARK.fullmatch(line.rstrip()):
            continue
        if mark and not is_comment:
            if not fence:
                fence = mark[1]
            elif line.strip() == mark[1] and mark[1].startswith(fence):
                fence = ""
        if not fence:
            line, is_comment = _strip_comment(line, is_comment)
        kept.append(line)
    return "".join(kept)


def _strip_comment(line: str, is_comment: bool) -> tuple[str, bool]:
    """A line without what of it is a comment, and whether one goes on after it."""
    parts: list[str] = []
    at = 0
    while True:
        if is_comment:
            end = line.find("-->", at)
            if end < 0:
                break
            at, is_comment = end + 3, False
        start = line.find("<!--", at)
        if start < 0 or line.count("`", 0, start) % 2:
            parts.append(line[at:])
            break
        parts.append(line[at:start])
        at, is_comment = start + 4, True
    text = "".join(parts)
    ending = "\n" if line.endswith("\n") and not text.endswith("\n") else ""
    return text + ending, is_comment


READER = MarkdownReader()
