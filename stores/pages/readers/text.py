"""Plain text: the whole file is one page, unless it is a PubMed export."""

from __future__ import annotations

from collections.abc import Iterator

from claimscope.core.models import Page
from claimscope.stores.pages.parsing.decoding import decode
from claimscope.stores.pages.parsing.metadata import page
from claimscope.stores.pages.readers import nbib


class TextReader:
    """Its id is its path. PubMed's site saves its own format as .txt: that is read as
    such."""

    suffixes: tuple[str, ...] = (".txt", ".text")

    def read(self, data: bytes, path: str) -> Iterator[Page]:
        text = decode(data, path)
        if nbib.is_nbib(text):
            yield from nbib.READER.read(data, path)
        else:
            yield page(path, {"page_id": path, "text": text, "path": path})


READER = TextReader()
