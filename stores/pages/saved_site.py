"""A saved web site: its sitemap or list of URLs says which address a file has.

Addresses are only ever matched against files that the folder has; none is opened by
a name that stands in a list, so no list can lead outside.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from claimscope.core.errors import PageError
from claimscope.core.models import Page
from claimscope.stores.pages.parsing.archives import gunzip
from claimscope.stores.pages.parsing.decoding import decode
from claimscope.stores.pages.parsing.metadata import host_of
from claimscope.stores.pages.parsing.safe_xml import elements, root_name
from claimscope.stores.workspace.regular_files import read_regular

_LISTING = re.compile(
    r"(?i)[\w.-]*(?:sitemap[\w.-]*\.(?:xml|xml\.gz|txt)|urls?(?:-list)?\.txt)"
)
_DEEPEST = 2
"""Folders above a list that is looked for: wget puts one of the host's name there."""
_MOST_NAMED = 3


@dataclass
class SavedSite:
    """Which address each file has, as its lists say."""

    files: dict[str, str] = field(default_factory=dict)
    """Address by relative file name; a page is found under several names."""
    addresses: dict[str, str] = field(default_factory=dict)
    """The list each address stands in."""
    lists: set[str] = field(default_factory=set)
    problems: list[tuple[str, str]] = field(default_factory=list)

    def with_address(self, page: Page) -> Page:
        """The page under its address, unless it names one of its own."""
        url = self.files.get(page.path or "")
        if url is None or page.page_id != page.path:
            return page
        found = {"page_id": url, "url": url, "domain": host_of(url)}
        return page.model_copy(update=found)

    def notes(self, pages: Iterable[Page]) -> list[str]:
        """How many addresses have no page, for each list."""
        pages = list(pages)
        read = {page.page_id for page in pages}
        read |= {self.files.get(page.path or "", "") for page in pages}
        notes: list[str] = []
        for name in sorted(self.lists):
            listed = [url for url, where in self.addresses.items() if where == name]
            missing = [url for url in listed if url not in read]
            if missing:
                shown = ", ".join(missing[:_MOST_NAMED])
                more = " …" if len(missing) > _MOST_NAMED else ""
                notes.append(
                    f"{name}: {len(missing):,} of {len(listed):,} addresses have no"
                    f" page here: {shown}{more}"
                )
        return notes


def saved_site(root: Path, names: Iterable[str], largest: int) -> SavedSite:
    """The site of the lists among these files; without lists it knows nothing."""
    site = SavedSite()
    for name in sorted(names):
        path = PurePosixPath(name)
        if len(path.parts) > _DEEPEST or not _LISTING.fullmatch(path.name):
            continue
        try:
            found = list(_addresses_in(root / name, name, largest))
        except PageError as error:
            site.problems.append((name, str(error)))
            site.lists.add(name)
            continue
        if found or name.lower().endswith((".xml", ".gz")):
            site.lists.add(name)
        base = "" if path.parent == PurePosixPath(".") else f"{path.parent}/"
        for url, file in found:
            site.addresses.setdefault(url, name)
            for candidate in [f"{base}{file}"] if file else _file_names(url, base):
                site.files.setdefault(candidate, url)
    return site


def _addresses_in(
    file: Path, name: str, largest: int
) -> Iterator[tuple[str, str | None]]:
    """(address, file named beside it) of a list. Raises PageError."""
    try:
        if file.stat().st_size > largest:
            raise PageError(f"{name}: the list is too large.", "Split it.")
        data = read_regular(file)
    except OSError as error:
        raise PageError(
            f"{name}: cannot be read: {error.strerror or error}.",
            "Check its permissions.",
        ) from error
    if name.lower().endswith(".gz"):
        data = gunzip(data, name, largest)
    if name.lower().endswith(".txt"):
        yield from _addresses_of_text(decode(data, name)) if data.strip() else ()
        return
    root = root_name(data, name)
    if root not in ("urlset", "sitemapindex"):
        raise PageError(
            f"{name}: not a sitemap; its outermost element is <{root[:40]}>.",
            "Give it another name, or remove it.",
        )
    if root == "urlset":
        for element in elements(data, name, ("{*}url",)):
            url = (element.findtext("{*}loc") or "").strip()
            if host_of(url):
                yield url, None


def _addresses_of_text(text: str) -> list[tuple[str, str | None]]:
    """Addresses of a text that holds nothing else; a file may follow each."""
    found: list[tuple[str, str | None]] = []
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        url, _, file = line.strip().partition("\t")
        if (
            not url.startswith(("http://", "https://"))
            or " " in url
            or not host_of(url)
        ):
            return []
        found.append((url, file.strip() or None))
    return found


def _file_names(url: str, base: str) -> Iterator[str]:
    """File names under which browsers, wget and HTTrack save an address."""
    parts = urlsplit(url)
    path = unquote(parts.path).strip("/")
    stems = [path]
    if parts.query:
        stems = [f"{path}{mark}{unquote(parts.query)}" for mark in "?@"]
    for stem in stems:
        names = [f"{stem}{end}" for end in ("", ".html", ".htm") if stem]
        if not parts.query:
            folder = f"{stem}/" if stem else ""
            names += [f"{folder}index.html", f"{folder}index.htm"]
        for name in names:
            yield f"{base}{name}"
            yield f"{base}{parts.hostname}/{name}"
