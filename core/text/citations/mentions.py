"""Where an answer names a source: addresses on its domain, the domain, its brands.

METRICS A, attribution. The text is folded first (composed, case-folded, without
emphasis marks, white space as one space), each folded character with its place in the
answer, so that Markdown, line breaks and Unicode form change nothing and every mention
still points into the answer as it was written.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from tldextract import TLDExtract

Kind = Literal["url", "domain", "brand"]
CONTEXT = 40
"""Characters shown on either side of a mention."""

# Scripts written without spaces: a letter of theirs beside a name ends it.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
)
_SPACELESS = re.compile(f"[{_UNSPACED}]")
_DOT = "[.\u3002\uff0e\uff61]"
_ADDRESS = (
    r"(?P<scheme>[a-z][a-z0-9+.-]{{1,20}}://)?"
    r"(?P<user>(?<=://)[^\s/@?#]*@|(?<![\w.+%-])[\w.+%-]{{1,64}}@)?"
    r"(?P<host>(?<!{label}){label}+(?:{dot}{label}+)+)(?P<port>:\d{{1,5}}(?!\d))?"
    r"(?P<path>[/?#][^\s<>\"`]*)?"
)
_NARROW = re.compile(_ADDRESS.format(label=rf"(?:(?![{_UNSPACED}])[\w-])", dot=_DOT))
_WIDE = re.compile(_ADDRESS.format(label=r"[\w-]", dot=_DOT))
_LINK = re.compile(r"\[(?P<text>[^\[\]\n]*)\]\(\s*<?(?P<target>[^\s()<>]+)")
_TRAILING = ".,;:!?'’”\"*_~>]}|"
_INVISIBLE = "\u00ad\u200b\u2060\ufeff"


@dataclass(frozen=True)
class Mention:
    """A place that names the source: `answer[start:end] == text`."""

    kind: Kind
    text: str
    start: int
    end: int
    context: str
    """The mention with 40 characters on either side."""


@dataclass(frozen=True)
class FoldedAnswer:
    """`text[i]` comes from the characters `origins[i]` (start, end) of the answer."""

    text: str
    origins: tuple[tuple[int, int], ...]

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Span in the answer of a span of the folded text, which is not empty."""
        return self.origins[start][0], self.origins[end - 1][1]


@dataclass(frozen=True)
class _Address:
    """An address in folded text; `kind` None = on another host."""

    start: int
    end: int
    kind: Kind | None


def find_mentions(
    answer: str, domain: str | None, brands: Sequence[str]
) -> list[Mention]:
    """Every mention of the source in order. `domain` may be written as an address;
    what is named of it is its host without `www.`."""
    folded = fold_answer(answer)
    target = host_of(domain) if domain else None
    addresses = list(_find_addresses(folded, answer, target))
    found: list[tuple[Kind, int, int]] = [
        (address.kind, address.start, address.end)
        for address in _drop_link_repeats(folded.text, addresses)
        if address.kind is not None
    ]
    found += [
        ("brand", start, end)
        for start, end in _find_brands(folded.text, brands, addresses)
    ]
    named: list[Mention] = []
    for kind, *span in sorted(found, key=lambda one: one[1:]):
        start, end = folded.place(*span)
        context = answer[max(0, start - CONTEXT) : end + CONTEXT]
        named.append(Mention(kind, answer[start:end], start, end, context))
    return named


# --- folding ------------------------------------------------------------------


def fold_answer(text: str) -> FoldedAnswer:
    """Composed, case-folded, without emphasis and invisible marks, spaces as one."""
    chars: list[str] = []
    origins: list[tuple[int, int]] = []
    for start, end in _clusters(text):
        piece = text[start:end]
        if piece in _INVISIBLE or _is_emphasis(text, start):
            continue
        if piece[0].isspace():
            if not chars or chars[-1] != " ":
                chars.append(" ")
                origins.append((start, end))
            continue
        for char in fold_word(piece):
            chars.append(char)
            origins.append((start, end))
    return FoldedAnswer("".join(chars), tuple(origins))


def fold_word(text: str) -> str:
    """Equal for both Unicode forms and all cases of a text."""
    composed = unicodedata.normalize("NFC", text).casefold()
    return unicodedata.normalize("NFC", composed)


def _clusters(text: str) -> Iterator[tuple[int, int]]:
    """Characters with the marks that belong to them: what composition may join."""
    start = 0
    for at in range(1, len(text) + 1):
        if at < len(text) and _continues(text[at]):
            continue
        yield start, at
        start = at


def _continues(char: str) -> bool:
    """A combining mark, or a Korean vowel or final that follows its consonant."""
    return char > "\u02ff" and (
        unicodedata.category(char)[0] == "M" or "\u1160" <= char <= "\u11ff"
    )


def _is_emphasis(text: str, at: int) -> bool:
    """Marks of emphasis and code; an underscore only where no word goes on."""
    char = text[at]
    if char in "*`":
        return True
    if char == "~":
        return text[at - 1 : at] == "~" or text[at + 1 : at + 2] == "~"
    if char != "_":
        return False
    # Marks of a letter written apart are no end of its word.
    left = "".join(
        one for one in text[max(0, at - 16) : at] if not unicodedata.combining(one)
    )
    left, right = left.rstrip("_*")[-1:], text[at + 1 : at + 5].lstrip("_*")[:1]
    return not (left.isalnum() and right.isalnum())


# --- addresses ----------------------------------------------------------------


def host_of(domain: str) -> str:
    """The host of a domain or address: ASCII labels, without `www.`.

    >>> host_of("https://www.Bücher.example/shop"), host_of("example.com:8080")
    ('xn--bcher-kva.example', 'example.com')
    """
    text = fold_word(domain.strip())
    text = re.sub(r"^[a-z][a-z0-9+.-]*://", "", text)
    text = re.split(r"[/?#]", text, maxsplit=1)[0].rpartition("@")[2]
    host = ascii_host(re.sub(r":\d+$", "", text))
    shorter = host.removeprefix("www.")
    return shorter if "." in shorter else host


@lru_cache(maxsize=4096)
def ascii_host(host: str) -> str:
    """Its ASCII labels, so that IDN and punycode are equal; invalid ones stay."""
    import idna

    labels = []
    for label in re.split(_DOT, host.strip(".")):
        try:
            labels.append(idna.encode(label, uts46=True).decode("ascii"))
        except (idna.IDNAError, UnicodeError):
            labels.append(label.casefold())
    return ".".join(labels)


@lru_cache(maxsize=1)
def _extractor() -> TLDExtract:
    from tldextract import TLDExtract

    # Its own list of public suffixes and no other: nothing is fetched, nothing kept.
    return TLDExtract(suffix_list_urls=(), cache_dir=None)


@lru_cache(maxsize=4096)
def has_public_suffix(host: str) -> bool:
    """Whether a host ends as hosts on the internet do (`.com`, `.co.uk`)."""
    return bool(_extractor()(host).suffix)


@lru_cache(maxsize=256)
def is_public_suffix(host: str) -> bool:
    """Whether a host is nothing but such an ending, under which anyone may be."""
    found = _extractor()(host)
    return bool(found.suffix) and not found.domain


def _find_addresses(
    folded: FoldedAnswer, answer: str, target: str | None
) -> Iterator[_Address]:
    pattern = _WIDE if target and _SPACELESS.search(_readable(target)) else _NARROW
    for match in pattern.finditer(folded.text):
        start, end = _host_span(folded, answer, match)
        if end <= start or folded.text[end : end + 1] == "@":
            continue
        host = ascii_host(folded.text[start:end])
        is_cut = end < match.end("host")
        path = "" if is_cut else match["path"] or ""
        stop = end if is_cut else match.end("port") if match["port"] else end
        if path:
            stop = _path_end(folded.text, match.start("path"), match.end("path"))
        has_path = bool(path) and stop > match.start("path") + 1
        if target and is_on(host, target):
            is_url = bool(match["scheme"]) or has_path
            begin = match.start("scheme") if match["scheme"] else start
            yield _Address(begin, stop, "url" if is_url else "domain")
        elif match["scheme"] or has_public_suffix(host):
            yield _Address(match.start(), stop, None)


def is_on(host: str, target: str) -> bool:
    """Whether a host is the target or below it; below `co.uk` is nobody's own."""
    if host == target:
        return True
    if is_public_suffix(target):
        return host == f"www.{target}"
    return host.endswith(f".{target}")


def _readable(target: str) -> str:
    import idna

    try:
        return str(idna.decode(target))
    except (idna.IDNAError, UnicodeError):
        return target


def _host_span(
    folded: FoldedAnswer, answer: str, match: re.Match[str]
) -> tuple[int, int]:
    """The host without hyphens around it and without a sentence glued to its stop:
    in "example.com.The fee" no host ends in "The"."""
    start, end = match.span("host")
    while start < end and folded.text[start] in "-_":
        start += 1
    while end > start and folded.text[end - 1] in "-_":
        end -= 1
    if has_public_suffix(ascii_host(folded.text[start:end])):
        return start, end
    dot = max(folded.text.rfind(d, start, end) for d in ".\u3002\uff0e\uff61")
    is_glued = dot > start and answer[folded.origins[dot + 1][0]].isupper()
    if is_glued and has_public_suffix(ascii_host(folded.text[start:dot])):
        return start, dot
    return start, end


def _path_end(text: str, start: int, end: int) -> int:
    """Where a path ends: before a bracket that it did not open, as that of a Markdown
    link, and before the punctuation of the sentence around it."""
    depth = 0
    for at in range(start, end):
        depth += (text[at] == "(") - (text[at] == ")")
        if depth < 0:
            end = at
            break
    while end > start and text[end - 1] in _TRAILING:
        end -= 1
    return end


def _drop_link_repeats(text: str, addresses: Sequence[_Address]) -> Iterator[_Address]:
    """Addresses, a link whose text is its own address counted once: `[example.com]
    (https://example.com)` is read as one mention."""
    own = [one.start for one in addresses if one.kind]
    shown = []
    for match in _LINK.finditer(text):
        following = bisect_left(own, match.start("target"))
        if following < len(own) and own[following] < match.end("target"):
            shown.append(match.span("text"))
    for one in addresses:
        at = bisect_right(shown, one.start, key=lambda span: span[0]) - 1
        if at < 0 or shown[at][1] < one.end:
            yield one


# --- brands -------------------------------------------------------------------


def _find_brands(
    text: str, brands: Sequence[str], addresses: Sequence[_Address]
) -> Iterator[tuple[int, int]]:
    """Spans of brands as whole words, the longest first, none inside an address."""
    names = {fold_answer(brand).text.strip() for brand in brands} - {""}
    taken = bytearray(len(text))
    for one in addresses:
        if one.kind:
            taken[one.start : one.end] = b"\1" * (one.end - one.start)
    foreign = [(one.start, one.end) for one in addresses if not one.kind]
    for name in sorted(names, key=lambda name: (-len(name), name)):
        for match in re.finditer(re.escape(name), text):
            start, end = match.span()
            if _is_joined(text, start) or _is_joined(text, end):
                continue
            if any(taken[start:end]) or _is_inside(foreign, start, end):
                continue
            taken[start:end] = b"\1" * (end - start)
            yield start, end


def _is_inside(spans: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    """Whether one of some spans, in order, holds this and more."""
    at = bisect_right(spans, start, key=lambda span: span[0]) - 1
    if at < 0:
        return False
    left, right = spans[at]
    return end <= right and end - start < right - left


def _is_joined(text: str, at: int) -> bool:
    """Whether a word goes on across this place."""
    if not 0 < at < len(text):
        return False
    left, right = text[at - 1], text[at]
    return _joins(left) and _joins(right)


def _joins(char: str) -> bool:
    return (char.isalnum() or char == "_") and not _SPACELESS.match(char)
