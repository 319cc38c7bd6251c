"""PDF with text: one page a file, by pypdf.

A PDF knows glyphs and places, not paragraphs; `reflow` puts sentences together again.
Without it a heading runs into the sentence below it, a word is cut in two, and the name
of the journal stands in the middle of a claim's evidence.
"""

from __future__ import annotations

import io
import logging
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from claimscope.core.errors import PageError
from claimscope.core.models import Page
from claimscope.stores.pages.parsing.metadata import page

MOST_LEAVES = 5_000
"""Leaves (printed pages) read of one file."""
LONGEST_TEXT = 32 * 1024 * 1024
"""Characters; a small file can name the same text on each of its leaves."""
# Begins where letters begin, and gives none back: in a long run of letters each would
# otherwise be tried as the first, and each to the end of the run.
_CUT = re.compile(r"(?<![^\W\d_])([^\W\d_]{2,}+)[-\u00ad]\n([a-zà-ÿ]{2,})")
_WHOLE = re.compile(r"(?<!\w)([^\W\d_]{2,}+)(?=-([^\W\d_]{2,}+)(?!\w))")
_DIGITS = re.compile(r"\d+")
_ENDS = re.compile(r"[.!?:;…。！？][\"”’)\]]*(?:\s*\[\d+\])?$")
_OPENS = re.compile(r"[\"“‘(\[]?[A-Z0-9À-Þ•‣▪–-]")
_BAD = re.compile("[\ud800-\udfff\x00-\x08\x0b\x0e-\x1f]")
_EDGE = 2
"""Lines at the head and foot of a leaf that may be running titles."""


class PdfReader:
    """Names encrypted and scanned files as such; leaves that are only pictures are
    named, and the rest is read."""

    suffixes: tuple[str, ...] = (".pdf",)

    def read(self, data: bytes, path: str) -> Iterator[Page]:
        # Its warnings on odd files are for its developers; ours name the file.
        logging.getLogger("pypdf").setLevel(logging.CRITICAL)
        try:
            leaves, pictures, about = _leaves(data, path)
        except PageError:
            raise
        except Exception as error:
            # The parser fails in its own ways on broken files.
            what = str(error).strip() or type(error).__name__
            raise PageError(
                f"{path}: the PDF cannot be read: {what[:200]}.",
                "Save the file again from the program it was made with.",
            ) from error
        text = reflow(leaves)
        if not text:
            raise PageError(
                f"{path}: there is no text in the PDF"
                + (", only pictures (a scan)." if pictures else "."),
                "Recognise its text first, e.g. with `ocrmypdf`, and index the result."
                if pictures
                else "Remove the file.",
            )
        yield page(path, {"page_id": path, "text": text, "path": path, **about})
        if pictures:
            numbers = ", ".join(str(number) for number in pictures[:10])
            raise PageError(
                f"{path}: {len(pictures):,} of {len(leaves):,} leaves are pictures"
                f" without text (leaf {numbers}{' …' if len(pictures) > 10 else ''});"
                " the others were read.",
                "Recognise their text first, e.g. with `ocrmypdf`.",
            )


def _leaves(data: bytes, path: str) -> tuple[list[str], list[int], dict[str, Any]]:
    """Text of each leaf, numbers of those that are only pictures, metadata."""
    import pypdf

    document = pypdf.PdfReader(io.BytesIO(data))
    # Many files are encrypted under no password, only to forbid printing.
    if document.is_encrypted and not document.decrypt(""):
        raise PageError(
            f"{path}: the PDF is encrypted and needs a password.",
            "Save it without a password.",
        )
    if len(document.pages) > MOST_LEAVES:
        raise PageError(
            f"{path}: {len(document.pages):,} leaves are more than the limit of"
            f" {MOST_LEAVES:,}.",
            "Split the file.",
        )
    texts: list[str] = []
    pictures: list[int] = []
    length = 0
    for number, leaf in enumerate(document.pages, start=1):
        texts.append(leaf.extract_text())
        length += len(texts[-1])
        if length > LONGEST_TEXT:
            raise PageError(
                f"{path}: more than {LONGEST_TEXT / 1e6:,.0f} MB of text.",
                "Split the file.",
            )
        if not texts[-1].strip() and _has_picture(leaf):
            pictures.append(number)
    return texts, pictures, _metadata(document)


def _has_picture(leaf: Any) -> bool:
    resources = leaf.get("/Resources")
    objects = resources.get_object().get("/XObject") if resources else None
    if not objects:
        return False
    return any(
        entry.get_object().get("/Subtype") in ("/Image", "/Form")
        for entry in objects.get_object().values()
    )


def _metadata(document: Any) -> dict[str, Any]:
    """Title and authors, as far as the file tells them. The day on which it was made
    is not when it was published."""
    try:
        found = document.metadata
        if found is None:
            return {}
        values = {
            "title": str(found.title).strip() if found.title else None,
            "authors": tuple(
                name.strip()
                for name in str(found.author or "").split(";")
                if name.strip()
            ),
        }
    except Exception:
        # A page with broken metadata is still a page.
        return {}
    return {name: value for name, value in values.items() if value}


def reflow(leaves: Sequence[str]) -> str:
    """One text: running titles dropped, cut words joined, a blank line where a
    paragraph ends. "" when there is no text."""
    lines = [
        [" ".join(line.split()) for line in _BAD.sub("", leaf).splitlines()]
        for leaf in leaves
    ]
    lines = [[line for line in leaf if line] for leaf in lines]
    repeated = _running_titles(lines)
    kept = [
        line
        for leaf in lines
        for place, line in enumerate(leaf)
        if not (_at_edge(place, len(leaf)) and _mask(line) in repeated)
    ]
    return _join_cut_words(_paragraphs(kept)).strip()


def _join_cut_words(text: str) -> str:
    """Cut words made whole; the hyphen stays where the text elsewhere writes the word
    with it (`well-known`)."""

    known = {f"{m[1]}-{m[2]}".casefold() for m in _WHOLE.finditer(text)}

    def whole(match: re.Match[str]) -> str:
        first, rest = match.groups()
        keeps = f"{first}-{rest}".casefold() in known
        return f"{first}-{rest}" if keeps else first + rest

    return _CUT.sub(whole, text)


def _running_titles(leaves: Sequence[Sequence[str]]) -> set[str]:
    """Lines, digits aside, that stand at the edge of most leaves of three or more."""
    full = [leaf for leaf in leaves if len(leaf) > 2 * _EDGE]
    if len(full) < 3:
        return set()
    seen = Counter(
        mask
        for leaf in full
        for mask in {
            _mask(line) for place, line in enumerate(leaf) if _at_edge(place, len(leaf))
        }
    )
    return {mask for mask, count in seen.items() if count > len(full) / 2}


def _at_edge(place: int, count: int) -> bool:
    return place < _EDGE or place >= count - _EDGE


def _mask(line: str) -> str:
    return _DIGITS.sub("#", line)


def _paragraphs(lines: Sequence[str]) -> str:
    """A paragraph ends at a short line with a full stop; a heading is a short line
    without one before a capital."""
    if not lines:
        return ""
    lengths = sorted(len(line) for line in lines)
    usual = lengths[int(len(lengths) * 0.75)]
    pieces = [lines[0]]
    for before, line in zip(lines, lines[1:], strict=False):
        short = len(before) < 0.75 * usual
        ended = _ENDS.search(before) is not None
        breaks = (
            short and _OPENS.match(line) is not None and (ended or len(before) < 80)
        )
        pieces.append(("\n\n" if breaks else "\n") + line)
    return "".join(pieces)


READER = PdfReader()
