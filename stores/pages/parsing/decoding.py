"""Bytes of a page file to text: by its byte order mark, as UTF-8, else by guess.

A guess that fails is an error with the file's name, never a page of replacement
characters: a number that was read wrongly would be judged wrongly.
"""

from __future__ import annotations

import codecs
import re

from claimscope.core.errors import PageError

MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_DECLARED = re.compile(rb"(?i)<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]{2,40})")
_XML_DECLARED = re.compile(rb"<\?xml[^>]{0,100}?encoding\s*=\s*[\"']([\w.:-]{2,40})")
# As every browser reads these names (the Encoding Standard of WHATWG): the wider
# encodings, in which the signs of the narrower have the same places.
_WIDER = {
    "iso8859-1": "cp1252",
    "ascii": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "big5": "big5hkscs",
}
# Text encodings to Python; notations of host names and of string literals to others.
_NEVER_PAGES = {"idna", "punycode", "undefined", "unicode-escape", "raw-unicode-escape"}
_BINARY = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


def decode(data: bytes, path: str) -> str:
    """The text of a file. Raises PageError for binary and undecodable files."""
    for mark, encoding in MARKS:
        if data.startswith(mark):
            return _decode_as(data, encoding, path)
    head = data[:8192]
    if b"\x00" in head or len(_BINARY.findall(head)) > len(head) / 50:
        raise PageError(
            f"{path}: the file is binary, not text.",
            "Remove it from the folder, or save its text as .txt, .md or .html.",
        )
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        return _decode_by_guess(data, path, error.start)


def _decode_by_guess(data: bytes, path: str, place: int) -> str:
    head = data[:4096]
    declared = _DECLARED.search(head) or _XML_DECLARED.match(head.lstrip())
    if declared is not None and declared.group(1).lower() not in {b"utf-8", b"utf8"}:
        name = declared.group(1).decode("ascii", "replace")
        if _is_of_pages(name):
            return _as_browsers_do(data, name, path)
    from charset_normalizer import from_bytes

    best = from_bytes(data).best()
    if best is None:
        raise PageError(
            f"{path}: the text encoding cannot be told (not UTF-8 at byte {place:,}).",
            "Save the file as UTF-8.",
        )
    return _decode_as(data, best.encoding, path)


def _as_browsers_do(data: bytes, name: str, path: str) -> str:
    """The text, read in the encoding that browsers use for a declared one."""
    wider = _WIDER.get(codecs.lookup(name).name)
    if wider is not None:
        try:
            return data.decode(wider)
        except UnicodeDecodeError:
            pass  # a sign that only the declared one has
    return _decode_as(data, name, path)


def _is_of_pages(name: str) -> bool:
    """Whether Python knows the encoding, and it is one that pages are written in."""
    try:
        codec = codecs.lookup(name)
    except (LookupError, ValueError):
        return False
    return codec._is_text_encoding and codec.name not in _NEVER_PAGES


def _decode_as(data: bytes, encoding: str, path: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise PageError(
            f"{path}: cannot be read as {encoding} (byte {error.start:,}).",
            "Save the file as UTF-8.",
        ) from error
