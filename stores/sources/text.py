"""Plain text: the whole file is one page."""

from __future__ import annotations

from collections.abc import Iterator

from claimscope.core.models import Page
from claimscope.stores.sources.decoding import decode
from claimscope.stores.sources.fields import page


class TextReader:
    """Its id is its path."""

    suffixes: tuple[str, ...] = (".txt", ".text")

    def read(self, data: bytes, path: str) -> Iterator[Page]:
        yield page(path, {"page_id": path, "text": decode(data, path), "path": path})


READER = TextReader()
