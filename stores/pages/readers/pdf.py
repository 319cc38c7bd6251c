"""PDF with text: one page a file, by pypdf.

A PDF knows glyphs and places, not paragraphs; `reflow` puts sentences together again.
"""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from typing import Any

from claimscope.core.errors import PageError
from claimscope.core.models import Page
from claimscope.stores.pages.parsing.metadata import page
from claimscope.stores.pages.parsing.reflow import reflow

MOST_LEAVES = 5_000
"""Leaves (printed pages) read of one file."""
LONGEST_TEXT = 32 * 1024 * 1024
"""Characters; a small file can name the same text on each of its leaves."""


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
    return texts, pictures, _about(document)


def _has_picture(leaf: Any) -> bool:
    resources = leaf.get("/Resources")
    objects = resources.get_object().get("/XObject") if resources else None
    if not objects:
        return False
    return any(
        entry.get_object().get("/Subtype") in ("/Image", "/Form")
        for entry in objects.get_object().values()
    )


def _about(document: Any) -> dict[str, Any]:
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


READER = PdfReader()
