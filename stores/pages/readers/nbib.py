"""PubMed's citation format (.nbib), as its site saves abstracts.

A tag of up to four letters, a hyphen, a value; further lines of a value are indented
by six spaces; a blank line ends a record. Tags: National Library of Medicine,
MEDLINE/PubMed Data Element (Field) Descriptions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from claimscope.core.errors import PageError
from claimscope.core.models import Page
from claimscope.stores.pages.parsing.decoding import decode
from claimscope.stores.pages.parsing.metadata import page
from claimscope.stores.pages.parsing.records import good_pages
from claimscope.stores.pages.readers.pubmed import article_values

_FIELD = re.compile(r"([A-Z]{2,4}) {0,3}- ?(.*)")
_DOI = re.compile(r"(\S+)\s*\[doi\]")
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()

Record = dict[str, list[str]]


class NbibReader:
    """Each record with an abstract is a page; the others are named."""

    suffixes: tuple[str, ...] = (".nbib", ".medline")

    def read(self, data: bytes, path: str) -> Iterator[Page]:
        found = list(records(decode(data, path)))
        if not found:
            raise PageError(
                f"{path}: there is no record in it.",
                "Save the citations in PubMed's own format again.",
            )

        def page_of(record: tuple[int, Record]) -> Page:
            line, fields = record
            return _page(fields, f"{path}, line {line}", path)

        yield from good_pages(found, page_of, "more records")


def is_nbib(text: str) -> bool:
    """Whether a text is in this format, whatever its file is called."""
    return re.match(r"\s*PMID-\s+\d+\s", text) is not None


def records(text: str) -> Iterator[tuple[int, Record]]:
    """(first line, values by tag) of each record."""
    fields: Record = {}
    first, tag = 1, ""
    for number, line in enumerate(text.splitlines(), start=1):
        match = _FIELD.match(line)
        if not line.strip() or (
            match and match.group(1) == "PMID" and "PMID" in fields
        ):
            if fields:
                yield first, fields
            fields, tag = {}, ""
        if match:
            tag = match.group(1)
            first = first if fields else number
            fields.setdefault(tag, []).append(match.group(2).strip())
        elif tag and line.startswith(" "):
            fields[tag][-1] = f"{fields[tag][-1]} {line.strip()}"
    if fields:
        yield first, fields


def _page(fields: Record, place: str, path: str) -> Page:
    first = {tag: values[0] for tag, values in fields.items()}
    pmid = first.get("PMID", "")
    if not pmid.isdigit():
        raise PageError(
            f"{place}: the record has no PubMed number.",
            "Save the citations in PubMed's own format again.",
        )
    if not first.get("AB"):
        raise PageError(
            f"{place} (PMID:{pmid}): it has no abstract.",
            "Nothing is lost: there is no text to index.",
        )
    found = (
        _DOI.match(value) for tag in ("LID", "AID") for value in fields.get(tag, ())
    )
    return page(
        place,
        article_values(
            pmid,
            text=first["AB"],
            path=path,
            title=first.get("TI"),
            journal=first.get("JT") or first.get("TA"),
            published=_date(first.get("DP", "")),
            authors=tuple(
                _name(name) for name in fields.get("FAU", fields.get("AU", []))
            ),
            doi=next((match.group(1) for match in found if match), None),
        ),
    )


def _date(text: str) -> str | None:
    """`2024 Mar 5` as 2024-03-05; as it stands when it is a season or a range."""
    parts = text.split()
    if not parts:
        return None
    if len(parts) > 3 or (len(parts) > 1 and parts[1].lower() not in _MONTHS):
        return text
    if len(parts) == 1:
        return parts[0]
    month = f"{parts[0]}-{_MONTHS.index(parts[1].lower()) + 1:02}"
    if len(parts) == 2:
        return month
    return f"{month}-{parts[2]:0>2}" if parts[2].isdigit() else text


def _name(name: str) -> str:
    """`Reed, Ann B` as Ann B Reed."""
    last, _, rest = name.partition(", ")
    return f"{rest} {last}".strip()


READER = NbibReader()
