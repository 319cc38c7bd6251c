"""Documents that are zip archives of XML: DOCX, XLSX, ODT, EPUB.

They come from strangers as pages do, and the libraries that read them trust them: so
before one is read, its parts are unpacked once within bounds, and a part that declares
entities is refused.
"""

from __future__ import annotations

import importlib
import io
import zipfile
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any

from claimscope.core.errors import PageError
from claimscope.stores.pages.parsing.archives import BROKEN, MOST_MEMBERS
from claimscope.stores.pages.parsing.safe_xml import parse_xml, refuse_entities

LARGEST_XML = 48 * 1024 * 1024
"""Bytes of all text parts of a document, unpacked. Libraries need twenty times that."""
_TEXT = (".xml", ".rels", ".xhtml", ".html", ".htm", ".opf", ".ncx")
_OLD_OFFICE = b"\xd0\xcf\x11\xe0"


def text_parts(data: bytes, path: str, kind: str) -> Mapping[str, bytes]:
    """The text parts of a document by name. Raises PageError when it is none, has a
    password, or holds too much."""
    if data.startswith(_OLD_OFFICE):
        raise PageError(
            f"{path}: it has a password, or is of an old Office format.",
            f"Save it as {kind} without a password.",
        )
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except BROKEN as error:
        raise PageError(
            f"{path}: it is no {kind} file: {error}.", "Save or copy it again."
        ) from error
    with archive:
        return dict(_unpack(archive, path))


def _unpack(archive: zipfile.ZipFile, path: str) -> Iterator[tuple[str, bytes]]:
    members = archive.infolist()
    if len(members) > MOST_MEMBERS:
        raise PageError(
            f"{path}: {len(members):,} parts are more than the limit of"
            f" {MOST_MEMBERS:,}.",
            "Save it as several files.",
        )
    room = LARGEST_XML
    for info in members:
        if not info.filename.lower().endswith(_TEXT):
            continue
        if info.flag_bits & 1:
            raise PageError(
                f"{path}: it is encrypted and needs a password.", "Save it without one."
            )
        try:
            with archive.open(info) as stream:
                plain = stream.read(room + 1)
        except BROKEN as error:
            raise PageError(
                f"{path}: {info.filename} in it cannot be unpacked: {error}.",
                "Save or copy it again.",
            ) from error
        room -= len(plain)
        if room < 0:
            raise PageError(
                f"{path}: unpacked, its text is more than the limit of"
                f" {LARGEST_XML / 1e6:,.0f} MB.",
                "Split the file.",
            )
        refuse_entities(plain, path)
        yield info.filename, plain


def document_facts(part: bytes | None, path: str) -> dict[str, Any]:
    """Title, authors and date of the Dublin Core of a document, where it has one."""
    if part is None:
        return {}
    try:
        tree = parse_xml(part, path)
    except PageError:
        return {}

    def texts(*names: str) -> list[str]:
        found = (" ".join("".join(e.itertext()).split()) for e in tree.iter(*names))
        return [text for text in found if text]

    authors = texts("{*}creator") or texts("{*}initial-creator")
    dates = texts("{*}modified") or texts("{*}date") or texts("{*}created")
    return {
        "title": next(iter(texts("{*}title")), None),
        "authors": tuple(authors),
        "published": next(iter(dates), "")[:10] or None,
    }


def import_library(name: str, path: str) -> ModuleType:
    """A library of the extra `formats`. Raises PageError where it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise PageError(
            f"{path}: {name}, which reads this format, is not installed.",
            "pip install 'claimscope[formats]', or leave the file out (--exclude).",
        ) from error
