"""Documents of office programs for the tests, good and broken.

    python tests/stores/pages/documents.py

writes those that lie in `files/`; the same file each time. No program wrote them, so
that each holds what it should and nothing else.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FILES = Path(__file__).parent / "files"
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
DC = 'xmlns:dc="http://purl.org/dc/elements/1.1/"'
ODF = "urn:oasis:names:tc:opendocument:xmlns:"


def packed(parts: Mapping[str, str | bytes]) -> bytes:
    """A zip archive, the same bytes each time."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            archive.writestr(zipfile.ZipInfo(name, (2025, 4, 1, 0, 0, 0)), part)
    return data.getvalue()


def _relations(*rows: tuple[str, str]) -> str:
    found = "".join(
        f'<Relationship Id="r{n}" Type="{kind}" Target="{target}"/>'
        for n, (kind, target) in enumerate(rows)
    )
    return f'<Relationships xmlns="{PACKAGE}/relationships">{found}</Relationships>'


def _facts(title: str) -> str:
    return (
        f'<cp:coreProperties xmlns:cp="{PACKAGE}/metadata/core-properties" {DC}'
        ' xmlns:dcterms="http://purl.org/dc/terms/"><dc:title>'
        f"{title}</dc:title><dc:creator>Ann Alder</dc:creator>"
        "<dcterms:modified>2025-04-01T08:00:00Z</dcterms:modified></cp:coreProperties>"
    )


def run(text: str, look: str = "") -> str:
    return f'<w:r><w:rPr>{look}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def paragraph(inside: str, style: str = "", extra: str = "") -> str:
    inside = inside if inside.startswith("<") else run(inside)
    look = f'<w:pStyle w:val="{style}"/>' if style else ""
    return f"<w:p><w:pPr>{look}{extra}</w:pPr>{inside}</w:p>"


def table(*rows: tuple[str, ...]) -> str:
    lines = "".join(
        "<w:tr>"
        + "".join(f"<w:tc>{paragraph(cell)}</w:tc>" for cell in row)
        + "</w:tr>"
        for row in rows
    )
    return f"<w:tbl><w:tblPr/>{lines}</w:tbl>"


def docx(body: str, title: str = "The mill") -> bytes:
    """A Word document of these paragraphs."""
    types = "".join(
        f'<Override PartName="/{name}" ContentType="application/'
        f'vnd.openxmlformats-officedocument.wordprocessingml.{kind}+xml"/>'
        for name, kind in (
            ("word/document.xml", "document.main"),
            ("word/styles.xml", "styles"),
            ("word/numbering.xml", "numbering"),
            ("word/footnotes.xml", "footnotes"),
        )
    )
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="{name.replace(" ", "")}">'
        f'<w:name w:val="{name}"/></w:style>'
        for name in ("Title", "heading 1", "heading 2", "List Paragraph")
    )
    return packed(
        {
            "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types"><Default'
            ' Extension="rels" ContentType="application/vnd.openxmlformats-package.'
            f'relationships+xml"/>{types}</Types>',
            "_rels/.rels": _relations(
                (f"{RELATIONS}/officeDocument", "word/document.xml")
            ),
            "docProps/core.xml": _facts(title),
            "word/_rels/document.xml.rels": _relations(
                (f"{RELATIONS}/styles", "styles.xml"),
                (f"{RELATIONS}/numbering", "numbering.xml"),
                (f"{RELATIONS}/footnotes", "footnotes.xml"),
            ),
            "word/styles.xml": f"<w:styles {W}>{styles}</w:styles>",
            "word/numbering.xml": f"<w:numbering {W}>"
            '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0">'
            '<w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>'
            '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>',
            "word/footnotes.xml": f'<w:footnotes {W}><w:footnote w:id="2">'
            f"{paragraph('Or by boat.')}</w:footnote></w:footnotes>",
            "word/document.xml": f"<w:document {W}><w:body>{body}</w:body>"
            "</w:document>",
        }
    )


ITEM = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'
MILL = "".join(
    (
        paragraph("The mill", "heading1"),
        paragraph(
            run("Flour costs ")
            + run("5", "<w:strike/>")
            + run(" 3 marks. It covers 40 m")
            + run("2", '<w:vertAlign w:val="superscript"/>')
            + run(".")
        ),
        paragraph(
            run("It opens at ")
            + '<w:del w:id="1"><w:r><w:delText>7</w:delText></w:r></w:del>'
            + f'<w:ins w:id="2">{run("8:15")}</w:ins>'
            + run(".")
            + '<w:r><w:footnoteReference w:id="2"/></w:r>'
        ),
        paragraph("Prices", "heading2"),
        table(("Ticket", "Price"), ("Adult", "£8.20"), ("Child", "£4.10")),
        paragraph("Bring:"),
        paragraph("a towel", "ListParagraph", ITEM),
        paragraph("a lamp", "ListParagraph", ITEM),
    )
)


def odt(body: str, styles: str = "", title: str = "The quarry") -> bytes:
    """A text of LibreOffice."""
    names = "".join(
        f' xmlns:{short}="{ODF}{short if short != "fo" else "xsl-fo-compatible"}:1.0"'
        for short in ("office", "text", "table", "style", "fo", "meta")
    )
    return packed(
        {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "META-INF/manifest.xml": "<manifest/>",
            "meta.xml": f"<office:document-meta{names} {DC}><office:meta>"
            f"<dc:title>{title}</dc:title><dc:creator>Bo Birch</dc:creator>"
            "<dc:date>2025-05-02T08:00:00</dc:date></office:meta>"
            "</office:document-meta>",
            "content.xml": f"<office:document-content{names}><office:automatic-styles>"
            f"{styles}</office:automatic-styles><office:body><office:text>{body}"
            "</office:text></office:body></office:document-content>",
        }
    )


def _look(name: str, look: str) -> str:
    return (
        f'<style:style style:name="{name}" style:family="text">'
        f"<style:text-properties {look}/></style:style>"
    )


LOOKS = (
    _look("gone", 'style:text-line-through-style="solid"')
    + _look("high", 'style:text-position="super 58%"')
    + _look("unseen", 'text:display="none"')
    + '<text:list-style style:name="L1"><text:list-level-style-number text:level="1"/>'
    "</text:list-style>"
)


def _cells(*cells: str) -> str:
    inside = "".join(
        f"<table:table-cell><text:p>{cell}</text:p></table:table-cell>"
        for cell in cells
    )
    return f"<table:table-row>{inside}</table:table-row>"


QUARRY = (
    "<text:tracked-changes><text:changed-region><text:deletion>"
    "<text:p>It cost 99 marks.</text:p></text:deletion>"
    "</text:changed-region></text:tracked-changes>"
    '<text:h text:outline-level="1">The quarry</text:h>'
    '<text:p>A visit costs <text:span text:style-name="gone">60</text:span> 40 marks;'
    ' it is 300 m<text:span text:style-name="high">2</text:span> wide.<text:note><text:'
    "note-citation>1</text:note-citation><text:note-body><text:p>In summer.</text:p>"
    "</text:note-body></text:note>"
    '<text:span text:style-name="unseen">77 marks</text:span></text:p>'
    '<text:list text:style-name="L1"><text:list-item><text:p>Ring the bell.</text:p>'
    "</text:list-item><text:list-item><text:p>Wait.</text:p></text:list-item></text:list>"
    '<text:h text:outline-level="2">Hours</text:h>'
    "<table:table><table:table-header-rows>"
    + _cells("Day", "Opens")
    + "</table:table-header-rows>"
    + _cells("Monday", "9:00")
    + _cells("Sunday", "closed")
    + "</table:table>"
)


def epub(
    chapters: Mapping[str, str], *, missing: str = "", locked: bool = False
) -> bytes:
    """A book of these chapters; `missing` stands in its list alone."""
    names = [*chapters, *filter(None, [missing])]
    items = "".join(
        f'<item id="i{n}" href="{name}" media-type="application/xhtml+xml"/>'
        for n, name in enumerate(names)
    )
    order = "".join(f'<itemref idref="i{n}"/>' for n in range(len(names)))
    parts = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": "<container><rootfiles><rootfile"
        ' full-path="OEBPS/book.opf"/></rootfiles></container>',
        "OEBPS/book.opf": f"<package {DC}><metadata><dc:title>The isle</dc:title>"
        "<dc:creator>Cy Cedar</dc:creator><dc:date>2024-03-02</dc:date></metadata>"
        f"<manifest>{items}</manifest><spine>{order}</spine></package>",
        **{f"OEBPS/{name}": text for name, text in chapters.items()},
    }
    if locked:
        parts["META-INF/encryption.xml"] = "<encryption/>"
    return packed(parts)


def chapter(body: str) -> str:
    return (
        '<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml">'
        f"<head><title>x</title></head><body>{body}</body></html>"
    )


ISLE = {
    "cover.xhtml": chapter("<img src='cover.jpg' alt='cover'/>"),
    "one.xhtml": chapter("<h1>The well</h1><p>The well is 31 m deep.</p>"),
    "two.xhtml": chapter("<h1>The pier</h1><dl><dt>Length</dt><dd>120 m</dd></dl>"),
}


def xlsx() -> bytes:
    """A workbook: prices as people format them, a hidden sheet, a sheet of pages."""
    import datetime

    from openpyxl import Workbook
    from openpyxl.styles import Font

    book = Workbook()
    book.properties.title = "Plans of 2025"
    book.properties.creator = "Di Dale"
    book.properties.modified = datetime.datetime(2025, 4, 1)
    prices = book.worksheets[0]
    prices.title = "Plans"
    for row in (
        ("Plan", "Price", "Discount", "Since"),
        ("Basic", 20, 0.15, datetime.date(2024, 5, 1)),
        ("Pro", 45.5, 0.2, datetime.date(2025, 1, 31)),
    ):
        prices.append(row)
    for row_cells in prices.iter_rows(min_row=2):
        row_cells[1].number_format = '"$"#,##0.00'
        row_cells[2].number_format = "0%"
    prices["A5"] = "Ultra"
    prices["A5"].font = Font(strike=True)
    rules = book.create_sheet("Rules")
    rules.append(("id", "title", "text"))
    rules.append(("rules/dogs", "Dogs", "Dogs stay on a lead."))
    rules.append(("rules/fires", "Fires", "Fires are forbidden from May to September."))
    return _saved(book)


def _saved(book: Any) -> bytes:
    """The bytes of a workbook, without the times at which it was written."""
    data = io.BytesIO()
    book.save(data)
    with zipfile.ZipFile(data) as archive:
        parts = {name: archive.read(name) for name in sorted(archive.namelist())}
    facts = parts["docProps/core.xml"].decode()
    parts["docProps/core.xml"] = re.sub(
        r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "2025-04-01T08:00:00Z", facts
    ).encode()
    return packed(parts)


def hidden_xlsx() -> bytes:
    """A workbook with a hidden sheet and a formula that nobody worked out."""
    from openpyxl import Workbook

    book = Workbook()
    shown = book.worksheets[0]
    shown.title = "Fees"
    shown.append(("Berth", "Marks"))
    shown.append(("Small", 40))
    shown.append(("Large", "=B2*2"))
    secret = book.create_sheet("Drafts")
    secret.append(("Berth", "Marks"))
    secret.append(("Small", 99))
    secret.sheet_state = "hidden"
    return _saved(book)


def notebook() -> bytes:
    """A notebook with text, code and what it printed."""
    cells: list[dict[str, Any]] = [
        {"cell_type": "markdown", "source": ["# Tides\n", "\n", "It is 4.2 m deep."]},
        {
            "cell_type": "code",
            "source": ["print(mean)"],
            "outputs": [
                {"output_type": "stream", "name": "stdout", "text": ["mean: 3.14 m\n"]},
                {
                    "output_type": "execute_result",
                    "data": {"text/plain": ["17"], "image/png": "AAAA"},
                    "metadata": {},
                    "execution_count": 1,
                },
            ],
            "execution_count": 1,
        },
    ]
    for cell in cells:
        cell["metadata"] = {}
    facts = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    book = {"cells": cells, "metadata": facts, "nbformat": 4, "nbformat_minor": 4}
    return json.dumps(book, indent=1).encode()


def files() -> dict[str, bytes]:
    """Every document by its place below `files`."""
    isle = epub(ISLE)
    return {
        "good/mill.docx": docx(MILL),
        "good/quarry.odt": odt(QUARRY, LOOKS),
        "good/isle.epub": isle,
        "good/plans.xlsx": xlsx(),
        "good/tides.ipynb": notebook(),
        "broken/cut-off.docx": docx(MILL)[:900],
        "broken/no-document.docx": packed({"word/other.xml": "<a/>"}),
        "broken/entities.docx": packed(
            {"word/document.xml": "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>"}
        ),
        "broken/old.docx": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600),
        "broken/half.odt": packed({"content.xml": "<office:document-content"}),
        "broken/half.epub": epub(ISLE, missing="three.xhtml"),
        "broken/locked.epub": epub(ISLE, locked=True),
        "broken/hidden.xlsx": hidden_xlsx(),
        "broken/no-workbook.xlsx": packed({"xl/other.xml": "<a/>"}),
        "broken/cut-off.ipynb": notebook()[:300],
    }


if __name__ == "__main__":
    for name, data in files().items():
        (FILES / name).write_bytes(data)
