"""Lines of a code block that a page can settle: settings, commands, defaults.

"port: 7411" and "kestrel serve --port 7411" say something of the product that its
pages say too. The rest of an example (imports, loops, names of its own) says nothing
that is true or false, and is left to who runs it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

_FENCE = re.compile(r"\s*(```+|~~~+)[^\S\n]*([\w+.-]*)[^\n]*(?:\n|$)")
_SHELLS = frozenset(
    "bash sh shell zsh console shell-session shellsession terminal cmd".split()
)
_SETTINGS = frozenset(
    "yaml yml toml ini conf cfg env dotenv properties json jsonc".split()
)
_PROMPT = re.compile(r"\s*(?:\$|%|PS>|C:\\>)\s+(?=\S)")
_COMMENT = re.compile(r"\s*(?:#|//|;|--\s)")
_AFTER_VALUE = re.compile(r"\s+(?:#|//)\s.*$")
_SECTION = re.compile(r"\s*\[([\w. -]+)\]\s*$")
_SET = re.compile(
    r"(\s*)(?:-\s+)?(?:export\s+|set\s+)?[\"']?([A-Za-z_][\w./-]{0,80})[\"']?\s*"
    r"([:=])\s*([^\n]*?)\s*,?\s*$"
)
_OPENING = frozenset(("", "{", "[", "|", ">", "(", "|-", ">-"))
_DEFINED = re.compile(r"\s*(?:async\s+)?(?:def|function|func|fn)\s+\w+\([^()\n]*=")
_CONSTANT = re.compile(
    r"\s*([A-Z][A-Z0-9_]{2,60})\s*=\s*(?:[\d.]+|\"[^\"\n]*\"|'[^'\n]*'|True|False|None)"
    r"\s*$"
)
_ROUTINE = re.compile(
    r"\s*(?:sudo\s+)?(?:cd|ls|mkdir|echo|cat|clear|exit|pwd|sleep|rm|cp|mv|if|fi|for"
    r"|do|done|then|else|source)\b"
)
"""What shells do on any machine."""
LONGEST = 300
"""Characters of a line that is read."""


class CodeLine(NamedTuple):
    """`block[start:end]`; the text without prompt and with its path, "" where it is the
    path of others, None where no page could settle it."""

    start: int
    end: int
    text: str | None


def code_lines(block: str) -> Iterator[CodeLine]:
    """The lines of a fenced block that are not blank, without its fences."""
    fence = _FENCE.match(block)
    language = fence[2].casefold() if fence else ""
    at = fence.end() if fence else 0
    has_prompt = any(map(_PROMPT.match, block.splitlines()))
    reading = _Reading(language, has_prompt)
    while at < len(block):
        end = block.find("\n", at)
        end = len(block) if end < 0 else end
        line = block[at:end]
        bare = line.strip()
        if bare and bare.strip("`~"):
            start = at + line.index(bare)
            yield CodeLine(start, start + len(bare), reading.take(line))
        at = end + 1


@dataclass
class _Reading:
    """Where the reader of a block stands."""

    language: str
    has_prompt: bool
    section: str = ""
    path: list[tuple[int, str]] = field(default_factory=list)
    goes_on: bool = False

    def take(self, line: str) -> str | None:
        if len(line) > LONGEST or _COMMENT.match(line):
            return None
        if self.language in _SHELLS or self.has_prompt:
            return self._command(line)
        if self.language in _SETTINGS:
            return self._setting(line)
        if self.language:
            found = _DEFINED.match(line) or _CONSTANT.match(line)
            return line.strip().rstrip(":{ ") if found else None
        return self._setting(line) if _SET.match(line) else None

    def _command(self, line: str) -> str | None:
        prompt = _PROMPT.match(line)
        goes_on, self.goes_on = self.goes_on, line.rstrip().endswith("\\")
        if (self.has_prompt and prompt is None) or goes_on or self.goes_on:
            return None
        text = _AFTER_VALUE.sub("", line[prompt.end() if prompt else 0 :]).strip()
        return None if _ROUTINE.match(text) or not text else text

    def _setting(self, line: str) -> str | None:
        section = _SECTION.match(line)
        if section is not None:
            self.section = section[1]
            return ""
        found = _SET.match(_AFTER_VALUE.sub("", line))
        if found is None:
            return None
        indent, key, sign, value = found.groups()
        self.path = [one for one in self.path if one[0] < len(indent)]
        if value in _OPENING:
            self.path.append((len(indent), key))
            return ""
        over = [self.section, *(part for _, part in self.path)]
        name = ".".join(part for part in (*over, key) if part)
        value = value.strip("\"'")
        return f"{name}: {value}" if sign == ":" else f"{name} = {value}"
