"""Books (EPUB): each chapter, in the order in which it is read, is a page."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

from claimscope.core.errors import PageError
from claimscope.core.models import Page
from claimscope.stores.pages.markup.html_to_markdown import markdown_of
from claimscope.stores.pages.markup.main_content import without_boilerplate
from claimscope.stores.pages.parsing.decoding import decode
from claimscope.stores.pages.parsing.metadata import page
from claimscope.stores.pages.parsing.records import summary
from claimscope.stores.pages.parsing.safe_xml import parse_xml
from claimscope.stores.pages.parsing.zip_documents import document_facts, text_parts
from claimscope.stores.pages.readers.markdown import first_heading

_CONTAINER = "META-INF/container.xml"
_FONTS_ONLY = b"http://www.idpf.org/2008/embedding"
_NO_CHAPTERS = frozenset(("nav", "cover-image"))


class EpubReader:
    """Chapters without text (covers, pictures) are no pages."""

    suffixes: tuple[str, ...] = (".epub",)

    def read(self, data: bytes, path: str) -> Iterator[Page]:
        parts = text_parts(data, path, "EPUB")
        locked = parts.get("META-INF/encryption.xml", b"")
        if locked and _FONTS_ONLY not in locked:
            raise PageError(
                f"{path}: the book is protected against copying.",
                "Index a copy without protection.",
            )
        folder, package = _package(parts, path)
        facts = document_facts(parts.get(package), path)
        book = facts.pop("title", None)
        problems: list[PageError] = []
        found = False
        for href in _chapters(parse_xml(parts[package], path)):
            name = posixpath.normpath(posixpath.join(folder, href))
            place = f"{path}/{name}"
            try:
                text = _text(parts, name, place)
                if not text.strip():
                    continue
                found = True
                yield page(
                    place,
                    {
                        **facts,
                        "page_id": place,
                        "text": text,
                        "markup": "markdown",
                        "path": path,
                        "title": first_heading(text) or book,
                        "source": book,
                    },
                )
            except PageError as error:
                problems.append(error)
        if not found and not problems:
            raise PageError(f"{path}: there is no text in the book.", "Remove it.")
        if problems:
            raise summary(problems, "more chapters")


def _package(parts: Mapping[str, bytes], path: str) -> tuple[str, str]:
    """(folder, name) of the list of what the book holds."""
    name = ""
    if _CONTAINER in parts:
        for root in parse_xml(parts[_CONTAINER], path).iter("{*}rootfile"):
            name = name or root.get("full-path") or ""
    if name not in parts:
        raise PageError(
            f"{path}: the list of its chapters is missing ({name or _CONTAINER}).",
            "Save or copy the book again.",
        )
    return posixpath.dirname(name), name


def _chapters(package: Any) -> Iterator[str]:
    """Names of the chapters, as they follow one another."""
    items = {item.get("id"): item for item in package.iter("{*}item")}
    seen: set[str] = set()
    for reference in package.iter("{*}itemref"):
        item = items.get(reference.get("idref"))
        if item is None or _NO_CHAPTERS & set((item.get("properties") or "").split()):
            continue
        href = unquote((item.get("href") or "").partition("#")[0])
        if href and href not in seen and "html" in (item.get("media-type") or "html"):
            seen.add(href)
            yield href


def _text(parts: Mapping[str, bytes], name: str, place: str) -> str:
    import lxml.html

    if name not in parts:
        raise PageError(f"{place}: the chapter is missing.", "Copy the book again.")
    source = decode(parts[name], place)
    # A declaration of an encoding is refused in text that is decoded already.
    source = source[source.find("?>") + 2 :] if source.startswith("<?xml") else source
    if not source.strip():
        return ""
    try:
        tree = lxml.html.document_fromstring(source)
    except (ValueError, lxml.etree.LxmlError) as error:
        raise PageError(
            f"{place}: the chapter cannot be read: {error}.", "Copy the book again."
        ) from error
    body = tree.find(".//body")
    return "" if body is None else markdown_of(without_boilerplate(body))


READER = EpubReader()
