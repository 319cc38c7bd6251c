"""The lists of a case as lines to edit, and back: one claim, one citation a line.

What a person did not touch comes back as it was, with every field that we do not
know; a changed line changes only what it says.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, get_args

from claimscope.core.models.base import Importance

_IMPORTANCE = re.compile(rf"({'|'.join(get_args(Importance))}):\s*(.*)", re.DOTALL)
_INDENT = "    "
Entry = Any


def claim_lines(claims: Sequence[Entry]) -> str:
    """`text`, `expected: text` or `optional: text`; more lines of one are indented."""
    return "\n".join(map(_claim_line, claims))


def claims_of(text: str, before: Sequence[Entry]) -> list[Entry]:
    """The claims of edited lines; `before`: those that the lines were made of."""
    return _entries(_blocks(text), before, _claim_line, _claim)


def citation_lines(citations: Sequence[Entry]) -> str:
    """`page id | sentence | key phrase`; the last two may be missing."""
    return "\n".join(map(_citation_line, citations))


def citations_of(text: str, before: Sequence[Entry]) -> list[Entry]:
    """The expected citations of edited lines."""
    return _entries(_blocks(text), before, _citation_line, _citation)


def _entries(
    blocks: Sequence[str],
    before: Sequence[Entry],
    line_of: Callable[[Entry], str],
    change: Callable[[Mapping[str, Any], str], Entry],
) -> list[Entry]:
    known: dict[str, list[Entry]] = {}
    for entry in before:
        known.setdefault(_joined(line_of(entry)), []).append(entry)
    texts = [_joined(block) for block in blocks]
    found: list[Entry] = []
    is_same_length = len(blocks) == len(before)
    for row, text in enumerate(texts):
        if known.get(text):
            found.append(known[text].pop(0))
            continue
        # Of as many lines as before, a changed one is the one that stood there.
        old = before[row] if is_same_length else None
        is_edited = isinstance(old, Mapping) and _joined(line_of(old)) not in texts
        found.append(change(old if is_edited and old is not None else {}, text))
    return found


def _blocks(text: str) -> list[str]:
    """Lines, those that are indented with the one above."""
    blocks: list[str] = []
    for line in text.split("\n"):
        if not line.strip():
            continue
        if line[0].isspace() and blocks:
            blocks[-1] += f"\n{line.strip()}"
        else:
            blocks.append(line.strip())
    return blocks


def _joined(text: str) -> str:
    return "\n".join(_blocks(text))


def _indented(text: str) -> str:
    first, *rest = [line for line in text.split("\n") if line.strip()] or [""]
    return "\n".join([first.strip(), *(_INDENT + line.strip() for line in rest)])


def _claim_line(claim: Entry) -> str:
    if not isinstance(claim, Mapping):
        return _indented(str(claim))
    text, importance = str(claim.get("text", "")), claim.get("importance", "required")
    if importance != "required" or _IMPORTANCE.match(text):
        text = f"{importance}: {text}"
    return _indented(text)


def _claim(before: Mapping[str, Any], text: str) -> Entry:
    found = _IMPORTANCE.fullmatch(text)
    importance, words = (found[1], found[2]) if found else ("required", text)
    claim = {**before, "text": words.strip(), "importance": importance}
    if importance == "required" and "importance" not in before:
        del claim["importance"]
    return claim


def _citation_line(citation: Entry) -> str:
    if not isinstance(citation, Mapping):
        return _indented(str(citation))
    sentence, phrase = citation.get("sentence"), citation.get("key_phrase")
    parts = [str(citation.get("page_id", ""))]
    if sentence is not None or phrase is not None:
        parts.append("" if sentence is None else str(sentence))
    if phrase is not None:
        parts.append(str(phrase))
    return _indented(" | ".join(parts))


def _citation(before: Mapping[str, Any], text: str) -> Entry:
    page_id, _, rest = text.partition("|")
    sentence, _, phrase = rest.partition("|")
    citation = {**before, "page_id": page_id.strip()}
    for name, value in (("sentence", sentence.strip()), ("key_phrase", phrase.strip())):
        citation.pop(name, None)
        if value and name == "sentence" and value.isascii() and value.isdigit():
            citation[name] = int(value)
        elif value:
            citation[name] = value
    return citation
