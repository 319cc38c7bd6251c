"""HTML: the main text of a web page, without menus and footers.

The text becomes Markdown, so that headings, lists, definitions and table rows stay
statements of their own. Its id is the canonical address when the page names one, else
the address it was saved from.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from claimscope.core.errors import PageError, PageNote
from claimscope.core.models import Page
from claimscope.stores.pages.markup.front_matter import VALUES_IN_QUOTES, front_matter
from claimscope.stores.pages.markup.html_to_markdown import markdown_of
from claimscope.stores.pages.markup.main_content import (
    region_of,
    title_above,
    without_boilerplate,
)
from claimscope.stores.pages.markup.site_markup import without_tags
from claimscope.stores.pages.parsing.decoding import decode
from claimscope.stores.pages.parsing.metadata import host_of, metadata, page

# What browsers ("Save page as") and HTTrack write at the top of a saved page.
_SAVED = re.compile(
    r"<!-- *(?:saved from url=\(\d{4}\)|Mirrored from )((?:https?://)?[^\s<>\"]{4,500})"
)

_SITE = re.compile(r"\s+[·|•–—-]\s+")
"""Between a title and the name of its site."""


class HtmlReader:
    """Title, site, author, date and address come from the page's metadata."""

    suffixes: tuple[str, ...] = (".html", ".htm", ".xhtml")

    def read(self, data: bytes, path: str) -> Iterator[Page]:
        fields, source, note = front_matter(decode(data, path), path)
        if fields or note:
            # What a site is made from, before it is made.
            source = without_tags(source)
        try:
            found, text = _extract(source)
        except Exception as error:
            # The parsers below fail in their own ways on broken pages.
            raise PageError(
                f"{path}: the HTML cannot be read: {error}.",
                "Save the page again, or remove it.",
            ) from error
        if not found.get("url"):
            found.update(_saved_from(source))
        yield page(
            path,
            {
                "page_id": found.get("url") or path,
                "text": text,
                "markup": "markdown",
                "path": path,
                **found,
                **{name: said for name, said in metadata(fields).items() if said},
            },
        )
        if note:
            raise PageNote(note, VALUES_IN_QUOTES)


def _extract(source: str) -> tuple[dict[str, Any], str]:
    """Metadata and main text, as Markdown."""
    import trafilatura

    # Its warnings on odd pages are for its developers; ours name the file.
    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)
    tree = trafilatura.load_html(source)
    if tree is None:
        return {}, ""
    # An extensive search takes any year of the text for the day of publication.
    found = _metadata(trafilatura.extract_metadata(source, extensive=False))
    named = " ".join((tree.findtext(".//title") or "").split())
    tree = without_boilerplate(tree)
    found["title"] = _title_of(found.get("title"), named, tree)
    main = trafilatura.extract(
        deepcopy(tree), include_tables=True, include_comments=False
    )
    region = region_of(tree, str(main or ""))
    title = title_above(tree, region)
    text = markdown_of(region)
    if title is not None and text.strip():
        text = f"# {' '.join(''.join(title.itertext()).split())}\n\n{text}"
    return found, text


def _title_of(found: str | None, named: str, tree: Any) -> str | None:
    """The title that was found, unless it stands neither in the page's text nor in what
    a browser shows above it, as that of an empty search; then the latter."""
    if not named:
        return found
    known = f"{named} {' '.join(tree.text_content().split())}".casefold()
    if found and " ".join(found.split()).casefold() in known:
        return found
    return _SITE.split(named)[0]


def _saved_from(source: str) -> dict[str, str | None]:
    """The address that the program that saved a page wrote into it."""
    match = _SAVED.search(source[:4096])
    if match is None:
        return {}
    url = match.group(1)
    url = url if "://" in url else f"https://{url}"
    return {"url": url, "domain": host_of(url)}


def _metadata(document: Any) -> dict[str, Any]:
    if document is None:
        return {}
    authors = tuple(
        name.strip() for name in (document.author or "").split(";") if name.strip()
    )
    return {
        "title": document.title or None,
        "source": document.sitename or None,
        "url": document.url or None,
        "domain": document.hostname or None,
        "published": document.date or None,
        "authors": authors,
    }


READER = HtmlReader()
