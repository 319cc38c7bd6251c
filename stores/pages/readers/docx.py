"""Word documents (DOCX) by mammoth: its HTML keeps headings, lists, tables, notes."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from typing import Any

from claimscope.core.errors import PageError
from claimscope.core.models import Page
from claimscope.stores.pages.markup.html_to_markdown import markdown_of
from claimscope.stores.pages.parsing.zip_documents import (
    document_facts,
    import_library,
    text_parts,
)
from claimscope.stores.pages.readers.markdown import markdown_page

_STYLES = """
p[style-name='Title'] => h1:fresh
p[style-name='Subtitle'] => p:fresh
p[style-name='Caption'] => p:fresh
p[style-name='caption'] => p:fresh
strike => del
"""
"""What mammoth makes of styles, beside its own. Struck text is left out later."""


class DocxReader:
    """The text as it is after all tracked changes; comments are no text."""

    suffixes: tuple[str, ...] = (".docx",)

    def read(self, data: bytes, path: str) -> Iterator[Page]:
        parts = text_parts(data, path, "DOCX")
        if "word/document.xml" not in parts:
            raise PageError(
                f"{path}: there is no Word document in it.", "Save it again as DOCX."
            )
        text = markdown_of(_tree(data, path))
        facts = document_facts(parts.get("docProps/core.xml"), path)
        yield markdown_page(path, text, facts)


def _tree(data: bytes, path: str) -> Any:
    import lxml.html

    mammoth = import_library("mammoth", path)
    logging.getLogger("mammoth").setLevel(logging.CRITICAL)
    try:
        result = mammoth.convert_to_html(
            io.BytesIO(data),
            style_map=_STYLES,
            convert_image=mammoth.images.img_element(lambda image: {"src": ""}),
        )
    except Exception as error:
        # mammoth fails in its own ways on broken documents.
        raise PageError(
            f"{path}: the document cannot be read: {error}.", "Save it again as DOCX."
        ) from error
    tree = lxml.html.fragment_fromstring(result.value, create_parent="div")
    for back in tree.xpath(".//a[contains(@href, 'note-ref-')]"):
        back.drop_tree()  # the arrow from a note to its place
    return tree


READER = DocxReader()
