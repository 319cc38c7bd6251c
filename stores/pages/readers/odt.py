"""Documents of LibreOffice (ODT): their elements are few and become those of HTML.

odfdo would write Markdown of them, but with what tracked changes have deleted, without
notes, and with exponents as digits.
"""

from __future__ import annotations

from collections.abc import Iterator

from claimscope.core.errors import PageError
from claimscope.core.models import Page
from claimscope.stores.pages.markup.html_to_markdown import markdown_of
from claimscope.stores.pages.parsing.metadata import page
from claimscope.stores.pages.parsing.odf_tree import html_of
from claimscope.stores.pages.parsing.safe_xml import parsed
from claimscope.stores.pages.parsing.zip_documents import document_facts, text_parts
from claimscope.stores.pages.readers.markdown import first_heading


class OdtReader:
    """The text as it is after all tracked changes; comments are no text."""

    suffixes: tuple[str, ...] = (".odt",)

    def read(self, data: bytes, path: str) -> Iterator[Page]:
        parts = text_parts(data, path, "ODT")
        if "content.xml" not in parts:
            raise PageError(
                f"{path}: there is no document in it.", "Save it again as ODT."
            )
        if b"encryption-data" in parts.get("META-INF/manifest.xml", b""):
            raise PageError(
                f"{path}: it is encrypted and needs a password.", "Save it without one."
            )
        styles = [
            parsed(parts[name], path) for name in ("styles.xml",) if name in parts
        ]
        text = markdown_of(html_of(parsed(parts["content.xml"], path), styles))
        facts = document_facts(parts.get("meta.xml"), path)
        facts["title"] = facts.get("title") or first_heading(text)
        values = {"page_id": path, "text": text, "markup": "markdown", "path": path}
        yield page(path, {**values, **facts})


READER = OdtReader()
