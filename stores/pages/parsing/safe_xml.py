"""XML from strangers: no entity is expanded, nothing is fetched, no document type is
loaded. A file that declares entities is refused: its text would not be what it shows.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import Any

from claimscope.core.errors import PageError

_ENTITY = re.compile(rb"<!ENTITY", re.I)


def elements(data: bytes, path: str, tags: tuple[str, ...]) -> Iterator[Any]:
    """Elements of these names, each freed after its turn, so that memory holds one.

    Gives those before a syntax error, then raises PageError naming its line.
    """
    from lxml import etree

    refuse_entities(data, path)
    try:
        for _, element in etree.iterparse(
            io.BytesIO(data), events=("end",), tag=tags, **_safe()
        ):
            if any(parent.tag in tags for parent in element.iterancestors()):
                continue
            yield element
            element.clear()
    except etree.XMLSyntaxError as error:
        raise not_xml(path, error) from error


def root_name(data: bytes, path: str) -> str:
    """The name of the outermost element, without its namespace. Raises PageError."""
    from lxml import etree

    refuse_entities(data, path)
    try:
        for _, element in etree.iterparse(
            io.BytesIO(data), events=("start",), **_safe()
        ):
            return str(etree.QName(element).localname)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise not_xml(path, error) from error
    raise PageError(f"{path}: the XML is empty.", "Remove the file.")


def parse_xml(data: bytes, path: str) -> Any:
    """The outermost element of a whole file. Raises PageError."""
    from lxml import etree

    refuse_entities(data, path)
    try:
        return etree.fromstring(data, etree.XMLParser(**_safe()))
    except (etree.XMLSyntaxError, ValueError) as error:
        raise not_xml(path, error) from error


def refuse_entities(data: bytes, path: str) -> None:
    """Raises PageError when the head declares entities, in any of the encodings that
    XML comes in."""
    head = data[: 256 * 1024].replace(b"\x00", b"")
    if _ENTITY.search(head):
        raise PageError(
            f"{path}: it declares entities, which are never expanded.",
            "Save the XML without <!ENTITY …>.",
        )


def not_xml(path: str, error: Exception) -> PageError:
    """A syntax error in words, with its line."""
    line = getattr(error, "lineno", None)
    place = f"{path}, line {line}" if line else path
    what = str(error).split(", line ")[0]
    return PageError(f"{place}: not XML: {what}.", "Save the file again.")


def _safe() -> dict[str, Any]:
    return {
        "resolve_entities": False,
        "no_network": True,
        "load_dtd": False,
        "huge_tree": False,
        "remove_comments": True,
        "remove_pis": True,
    }
