"""The list of references that closes an answer: it says what numbers stand for.

Its markers cite nothing: they have no sentence to support. But `[1] PMID:12345` in the
list, or `[^1]: https://…`, says which page `[1]` in the text means.
"""

from __future__ import annotations

import re

from claimscope.core.text.citations.marker_content import KnownPages

_HEADING = re.compile(
    r"(?i)[\s#>*_-]*(?:list of )?(?:references?|sources?(?: (?:used|cited))?"
    r"|bibliography|citations?|works cited|cited works|literature|footnotes?|endnotes?"
    r"|notes|further reading|quellen(?:verzeichnis|angaben)?|literatur(?:verzeichnis)?"
    r"|einzelnachweise|fuentes|referencias|références|fonti|riferimenti|参考文献|参考资料"
    r"|来源|出典)[\s*_]*[:：]?[\s*_]*"
)
_ENTRY = re.compile(
    r"[\s>]*(?:[-*+•‣◦▪·–][^\S\n]+)?(?:\\?[\[［【]\^?\s*([^\[\]［］【】\n]{1,60}?)\s*\^?\\?[\]］】]"
    r"|(\d{1,3})[.)]|([⁰¹²³⁴-⁹]{1,3})|<sup>(\d{1,3})</sup>)[:.：]?[^\S\n]*(?=\S)(.*)"
)
_MARKS_ONLY = re.compile(
    r"(?:\s*(?:\[[^\[\]\n]{1,80}\]|【[^【】\n]{1,80}】|[,;.]|\band\b))+\s*"
)
_DEFINED = re.compile(r"\s{0,3}\[\^([^\[\]\s]{1,40})\]:[^\S\n]*(.*)")
_ADDRESS = re.compile(r"https?://[^\s<>()\[\]]+[^\s<>()\[\].,;]")
_PUBMED = re.compile(r"(?i)\bPMID\s*:?\s*(\d{1,9})\b")
_CITED_NUMBER = re.compile(r"[\[［【,;^]\s*(\d{1,3})")
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_FEWEST = 2
"""Entries of a list without a heading."""


def closing_list_start(text: str) -> int:
    """Where the list begins; the length of the text when there is none."""
    lines = text.splitlines(keepends=True)
    place = len(text)
    entries = 0
    for number in range(len(lines) - 1, -1, -1):
        line = lines[number].rstrip()
        place -= len(lines[number])
        if not line:
            continue
        heading = _HEADING.match(line)
        if heading and _closes_answer(line[heading.end() :], entries):
            return place
        if not _is_entry(line):
            break
        entries += 1
    return _without_heading(text, lines)


def is_heading(line: str) -> bool:
    """Whether a line is the heading of such a list."""
    match = _HEADING.match(line)
    return match is not None and match.end() == len(line)


def _closes_answer(rest: str, entries: int) -> bool:
    """A heading above entries, or `Sources: [1], [2]` in one line."""
    if not rest:
        return entries > 0
    return _MARKS_ONLY.fullmatch(rest) is not None


def _is_entry(line: str) -> bool:
    """A line of a list: numbered, marked, indented or an address."""
    if _ENTRY.match(line) or line[:1].isspace() or _ADDRESS.search(line):
        return True
    return re.match(r"[\s>]*[-*+•‣◦▪·–]\s+\S", line) is not None


def _without_heading(text: str, lines: list[str]) -> int:
    """Last lines that open each with a number in brackets that the text cites."""
    place, start, labels = len(text), len(text), []
    for line in reversed(lines):
        if line.strip():
            match = _ENTRY.match(line.rstrip())
            label = match.group(1) if match else None
            if label is None or not label.isdigit():
                break
            labels.append(label)
            start = place - len(line)
        place -= len(line)
    body = text[:start]
    cited = set(_CITED_NUMBER.findall(body)) if len(labels) >= _FEWEST else set()
    return start if cited.intersection(labels) else len(text)


def reference_entries(text: str, begins: int, known: KnownPages) -> dict[str, str]:
    """Label → id of the page that its entry or footnote names."""
    found: dict[str, str] = {}
    for place, line in _lines_with_places(text):
        match = _DEFINED.match(line)
        if match:
            label, rest = match.groups()
        elif place >= begins and (entry := _ENTRY.match(line)):
            *labels, rest = entry.groups()
            label = next(one for one in labels if one).translate(_RAISED)
        else:
            continue
        page = page_of_entry(rest, known)
        if page is not None:
            found.setdefault(label, page)
    return found


def next_entry(text: str, begins: int, named: str) -> tuple[int, str]:
    """(number, line) of a further entry that names a page, written as the last one of
    the list is; an empty line where it has no numbers."""
    last, highest = "", 0
    for place, line in _lines_with_places(text):
        label = _DEFINED.match(line)
        entry = label or (_ENTRY.match(line) if place >= begins else None)
        if entry is None:
            continue
        written = next((one for one in entry.groups()[:-1] if one), "")
        number = written.translate(_RAISED)
        if number.isdigit() and int(number) > highest:
            highest = int(number)
            last = line[: entry.start(entry.lastindex or 0)]
    if not highest:
        return 0, ""
    return highest + 1, re.sub(r"\d+(?=\D*$)", str(highest + 1), last) + named


def _lines_with_places(text: str) -> list[tuple[int, str]]:
    found, place = [], 0
    for line in text.splitlines(keepends=True):
        found.append((place, line.rstrip()))
        place += len(line)
    return found


def page_of_entry(entry: str, known: KnownPages) -> str | None:
    """The page an entry is, or names by its address or PubMed number."""
    whole = known.get(entry.strip(" .\t[]<>"))
    if whole is not None:
        return whole
    number = _PUBMED.search(entry)
    named = known.get(f"PMID:{number.group(1)}") if number else None
    if named is not None:
        return named
    addresses = (known.get(match.group()) for match in _ADDRESS.finditer(entry))
    return next((page for page in addresses if page is not None), None)
