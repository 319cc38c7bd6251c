"""What the site's builder must know of our pages: words behind a fence's language.

A block that tests write to a file or run says so there (`json tides/suite.json`,
`console exit=1`). A file's name becomes the title of its block; the rest is for tests
alone. An extension of Python-Markdown, named in mkdocs.yml.
"""

from __future__ import annotations

import re
from typing import Any

from markdown import Markdown
from markdown.extensions import Extension
from markdown.preprocessors import Preprocessor

FENCE = re.compile(
    r"(?P<mark>\s*(?:`{3,}|~{3,}))(?P<language>[\w+-]+)\s(?P<words>[^`]*)"
)
BEFORE_FENCES = 100
"""The extension that reads fences has the priority 25."""


def plain(line: str) -> str:
    """A line that opens a block, in words that the extension for fences knows."""
    found = FENCE.fullmatch(line)
    if not found:
        return line
    names = [word for word in found["words"].split() if "=" not in word]
    title = f' title="{names[0]}"' if names else ""
    return f"{found['mark']}{found['language']}{title}"


class FenceWords(Extension):
    """Rewrites the lines that open blocks before they are read."""

    def extendMarkdown(self, md: Markdown) -> None:
        """Called by Python-Markdown."""
        md.preprocessors.register(_Lines(md), "fence_words", BEFORE_FENCES)


class _Lines(Preprocessor):
    def run(self, lines: list[str]) -> list[str]:
        return [plain(line) for line in lines]


def makeExtension(**settings: Any) -> FenceWords:
    """How Python-Markdown finds it."""
    return FenceWords(**settings)
