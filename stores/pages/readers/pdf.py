"""PDF with text: one page a file, its glyphs and places read by pdfplumber.

What is a heading, a table or a paragraph, only the print says: `stores/pages/layout`.
"""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Iterator
from typing import Any

from claimscope.core.errors import PageError
from claimscope.core.models import Page
from claimscope.stores.pages.layout.document import text_of
from claimscope.stores.pages.layout.leaves import Leaf, read_leaf
from claimscope.stores.pages.parsing.metadata import page
from claimscope.stores.pages.readers.markdown import first_heading

MOST_LEAVES = 5_000
"""Leaves (printed pages) read of one file."""
LONGEST_TEXT = 16 * 1024 * 1024
"""Characters; a small file can name the same text on each of its leaves."""
_BAD = re.compile("[\ud800-\udfff\x00-\x08\x0b\x0e-\x1f]")
_FILE_NAME = re.compile(
    r"(?i)microsoft \w+ - .*|.*\.(?:docx?|odt|rtf|tex|indd|pdf|pptx?)"
)
"""A title that a program made of the name of a file."""


class PdfReader:
    """Names encrypted and scanned files as such; leaves that are only pictures are
    named, and the rest is read."""

    suffixes: tuple[str, ...] = (".pdf",)

    def read(self, data: bytes, path: str) -> Iterator[Page]:
        # Its warnings on odd files are for its developers; ours name the file.
        for name in ("pdfminer", "pdfplumber"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        try:
            leaves, about = _leaves(data, path)
            text = _BAD.sub("", text_of(leaves))
        except PageError:
            raise
        except Exception as error:
            # The parser fails in its own ways on broken files.
            what = str(error).strip() or type(error).__name__
            raise PageError(
                f"{path}: the PDF cannot be read: {what[:200]}.",
                "Save the file again from the program it was made with.",
            ) from error
        pictures = [n for n, leaf in enumerate(leaves, start=1) if leaf.is_picture]
        if not text:
            raise PageError(
                f"{path}: there is no text in the PDF"
                + (", only pictures (a scan)." if pictures else "."),
                "Recognise its text first, e.g. with `ocrmypdf`, and index the result."
                if pictures
                else "Remove the file.",
            )
        values = {"page_id": path, "text": text, "path": path}
        yield page(path, {"title": first_heading(text), **values, **about})
        if pictures:
            numbers = ", ".join(str(number) for number in pictures[:10])
            raise PageError(
                f"{path}: {len(pictures):,} of {len(leaves):,} leaves are pictures"
                f" without text (leaf {numbers}{' …' if len(pictures) > 10 else ''});"
                " the others were read.",
                "Recognise their text first, e.g. with `ocrmypdf`.",
            )


def _leaves(data: bytes, path: str) -> tuple[list[Leaf], dict[str, Any]]:
    """What is printed on each leaf, and what the file says of itself."""
    with _opened(data, path) as document:
        if not document.pages:
            raise PageError(
                f"{path}: no leaf can be found in the PDF.",
                "Save the file again from the program it was made with.",
            )
        if len(document.pages) > MOST_LEAVES:
            raise PageError(
                f"{path}: {len(document.pages):,} leaves are more than the limit of"
                f" {MOST_LEAVES:,}.",
                "Split the file.",
            )
        found: list[Leaf] = []
        length = 0
        for leaf in document.pages:
            length += len(leaf.chars)
            if length > LONGEST_TEXT:
                raise PageError(
                    f"{path}: more than {LONGEST_TEXT / 1e6:,.0f} MB of text.",
                    "Split the file.",
                )
            found.append(read_leaf(leaf))
            leaf.close()
        return found, _metadata(document)


def _opened(data: bytes, path: str) -> Any:
    import pdfplumber
    from pdfminer.pdfdocument import PDFPasswordIncorrect

    try:
        # Many files are encrypted under no password, only to forbid printing.
        return pdfplumber.open(io.BytesIO(data))
    except Exception as error:
        if any(isinstance(one, PDFPasswordIncorrect) for one in (error, *error.args)):
            raise PageError(
                f"{path}: the PDF is encrypted and needs a password.",
                "Save it without a password.",
            ) from error
        raise


def _metadata(document: Any) -> dict[str, Any]:
    """Title and authors, as far as the file tells them. The day on which it was made
    is not when it was published."""
    # What cannot be made out stays an object of the parser.
    found = {
        name: value
        for name, value in document.metadata.items()
        if isinstance(value, str)
    }
    title = found.get("Title", "").strip()
    authors = found.get("Author", "").split(";")
    values = {
        "title": "" if _FILE_NAME.fullmatch(title) else title,
        "authors": tuple(name.strip() for name in authors if name.strip()),
    }
    return {name: value for name, value in values.items() if value}


READER = PdfReader()
